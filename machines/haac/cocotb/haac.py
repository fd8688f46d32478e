"""Drives a HAAC at its pins: registers by AXI4-Lite, and a memory behind its AXI4 port.

The registers, their fields and the codes of errors are read from machines/haac/spec/registers.toml.
"""

import json
import tomllib
from pathlib import Path

from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge, with_timeout
from cocotb.types import LogicArray
from cocotbext.axi import (
    AxiBus, AxiLiteBus, AxiLiteMaster, AxiLiteReadBus, AxiLiteWriteBus, AxiReadBus, AxiSlave,
    AxiWriteBus)
from cocotbext.axi.axi_channels import AxiARBus, AxiAWBus, AxiBBus, AxiRBus, AxiWBus
from cocotbext.axi.axil_channels import (
    AxiLiteARBus, AxiLiteAWBus, AxiLiteBBus, AxiLiteRBus, AxiLiteWBus)

SPEC = tomllib.loads((Path(__file__).parent.parent / "spec/registers.toml").read_text())
REGISTERS = {register["name"]: register for register in SPEC["register"]}


def names(kind):
    """The names of the codes of "state", "error" or "stream"."""
    return {entry["code"]: entry["name"] for entry in SPEC[kind]}


class Constant:
    """Stands for an identifier that a port does not have: all requests have the same one."""

    value = LogicArray(0, 1)

    def setimmediatevalue(self, value):
        pass

    def __len__(self):
        return 1


def channel(kind, dut, prefix):
    """A bus of `kind` at the ports whose names begin with `prefix` and end with _i or _o."""

    class Channel(kind):
        def _caseInsensGetattr(self, entity, name):
            for end in ("_i", "_o"):
                if hasattr(entity, name + end):
                    return getattr(entity, name + end)
            return Constant() if name.endswith("id") and not name.endswith("valid") else None

    return Channel.from_prefix(dut, prefix)


class Memory:
    """What is behind the AXI4 port. It answers after `delay()` clock cycles, and with SLVERR at the
    addresses in `bad`."""

    def __init__(self, clock, size):
        self.clock = clock
        self.bytes = bytearray(size)
        self.bad = range(0)
        self.delay = lambda: 0

    async def access(self, address, length):
        if cycles := self.delay():
            await ClockCycles(self.clock, cycles)
        if address in self.bad or address + length > len(self.bytes):
            raise ValueError("no such memory")

    async def read(self, address, length):
        await self.access(address, length)
        return bytes(self.bytes[address:address + length])

    async def write(self, address, data):
        await self.access(address, len(data))
        self.bytes[address:address + len(data)] = data


class Failed(Exception):
    """The machine has ended a run with an error: its name, and the name of the stream."""

    def __init__(self, error, stream):
        super().__init__(f"{error} in {stream}")
        self.error, self.stream = error, stream


class Haac:
    """A machine with its clock, its host and its memory."""

    def __init__(self, dut, size):
        self.dut, self.clock = dut, dut.clk_i
        dut.rst_ni.value = 0
        Clock(self.clock, 1, unit="ns").start()
        port = lambda kind: channel(kind, dut, "m_axi")
        lite = lambda kind: channel(kind, dut, "s_axil")
        self.memory = Memory(self.clock, size)
        self.slave = AxiSlave(
            AxiBus(AxiWriteBus(port(AxiAWBus), port(AxiWBus), port(AxiBBus)),
                   AxiReadBus(port(AxiARBus), port(AxiRBus))),
            self.clock, dut.rst_ni, self.memory, reset_active_level=False)
        self.host = AxiLiteMaster(
            AxiLiteBus(AxiLiteWriteBus(lite(AxiLiteAWBus), lite(AxiLiteWBus), lite(AxiLiteBBus)),
                       AxiLiteReadBus(lite(AxiLiteARBus), lite(AxiLiteRBus))),
            self.clock, dut.rst_ni, reset_active_level=False)
        for log in (self.slave.write_if.log, self.slave.read_if.log,
                    self.host.write_if.log, self.host.read_if.log):
            log.setLevel("WARNING")

    def channels(self):
        """All AXI channels on which this side can pause."""
        read, write, host = self.slave.read_if, self.slave.write_if, self.host
        return [read.ar_channel, read.r_channel, write.aw_channel, write.w_channel,
                write.b_channel, host.read_if.ar_channel, host.read_if.r_channel,
                host.write_if.aw_channel, host.write_if.w_channel, host.write_if.b_channel]

    async def reset(self):
        self.dut.rst_ni.value = 0
        await ClockCycles(self.clock, 4)
        self.dut.rst_ni.value = 1
        await ClockCycles(self.clock, 2)

    async def read(self, name, field=None):
        """A register, or one of its fields."""
        register = REGISTERS[name]
        value = await self.host.read_dword(register["offset"])
        if field is None:
            return value
        fields = {entry["name"]: entry for entry in register.get("fields", [])}
        low, width = fields[field]["low"], fields[field]["width"]
        return value >> low & ((1 << width) - 1)

    async def write(self, name, data):
        """All words of a register, from bytes."""
        assert len(data) == 4 * REGISTERS[name].get("words", 1), name
        await self.host.write(REGISTERS[name]["offset"], data)

    async def command(self, name):
        fields = {entry["name"]: entry for entry in REGISTERS["control"]["fields"]}
        await self.write("control", (1 << fields[name]["low"]).to_bytes(4, "little"))

    async def counter(self, name):
        counters = SPEC["counters"]
        at = counters["base"] + 8 * counters["names"].index(name)
        return await self.host.read_dword(at) | await self.host.read_dword(at + 4) << 32

    def load(self, image):
        for piece in image["before"]:
            data = bytes.fromhex(piece["bytes"])
            self.memory.bytes[piece["address"]:piece["address"] + len(data)] = data

    async def idle(self):
        """Waits until the machine wipes nothing and waits for no response."""
        states = names("state")
        while states[await self.read("status", "state")] in ("wiping", "draining"):
            pass

    async def run(self, image, limit=1_000_000):
        """Runs the program of `image`, which is in memory. Returns the number of clock cycles."""
        await with_timeout(self.idle(), limit, "ns")
        for name, data in image["registers"].items():
            await self.write(name, bytes.fromhex(data))
        await self.write("interrupt", (1).to_bytes(4, "little"))
        await self.command("start")
        if self.dut.irq_o.value != 1:
            await with_timeout(RisingEdge(self.dut.irq_o), limit, "ns")
        if await self.read("status", "failed"):
            error = names("error")[await self.read("error", "code")]
            raise Failed(error, names("stream")[await self.read("error", "stream")])
        assert await self.read("status", "done") == 1
        return await self.counter("cycles")

    def check(self, image):
        """Compares what the machine has written: every table, and the label of every output."""
        for piece in image["after"]:
            data = bytes.fromhex(piece["bytes"])
            found = bytes(self.memory.bytes[piece["address"]:piece["address"] + len(data)])
            assert found == data, f"{piece['what']}: {found[:32].hex()}, not {data[:32].hex()}"


def image(path):
    return json.loads(Path(path).read_text())


def piece(image, what):
    """The addresses of a piece of memory."""
    for entry in image["before"] + image["after"]:
        if entry["what"] == what:
            return range(entry["address"], entry["address"] + len(entry["bytes"]) // 2)
    raise KeyError(what)
