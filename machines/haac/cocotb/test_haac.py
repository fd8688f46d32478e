"""Tests of a HAAC at its pins. IMAGE is a file that `halfgate image` wrote."""

import os
import random

import cocotb

from haac import Failed, Haac, image, piece

IMAGE = image(os.environ["IMAGE"])


async def machine(dut):
    haac = Haac(dut, IMAGE["end"])
    await haac.reset()
    haac.load(IMAGE)
    return haac


def pauses(rng, percent):
    while True:
        yield rng.randrange(100) < percent


async def refused(haac, error, stream):
    """A run that must end with this error in this stream."""
    try:
        await haac.run(IMAGE)
    except Failed as failed:
        assert (failed.error, failed.stream) == (error, stream), str(failed)
    else:
        raise AssertionError(f"no error: wanted {error} in {stream}")


@cocotb.test
async def it_says_what_it_is(dut):
    haac = await machine(dut)
    assert (await haac.read("id")).to_bytes(4, "little") == b"HAAC"
    assert await haac.read("config") == IMAGE["config"]
    assert await haac.read("features", "ports") == 1


@cocotb.test
async def tables_and_outputs_are_the_references(dut):
    haac = await machine(dut)
    cycles = await haac.run(IMAGE)
    haac.check(IMAGE)
    dut._log.info(f"{IMAGE['program']}, {IMAGE['role']}: {cycles} clock cycles")


@cocotb.test
async def random_latencies_change_nothing_else(dut):
    haac = await machine(dut)
    rng = random.Random(1)
    haac.memory.delay = lambda: rng.choice([0, 0, 0, 0, 1, 2, 3, rng.randrange(40)])
    await haac.run(IMAGE)
    haac.check(IMAGE)


@cocotb.test
async def back_pressure_changes_nothing_else(dut):
    haac = await machine(dut)
    for number, channel in enumerate(haac.channels()):
        channel.set_pause_generator(pauses(random.Random(number), 40))
    await haac.run(IMAGE)
    haac.check(IMAGE)


@cocotb.test
async def errors_of_memory_end_a_run_and_the_next_one_works(dut):
    haac = await machine(dut)
    for what, stream in (("descriptor", "descriptor"), ("instructions", "instructions"),
                         ("inputs", "inputs"), ("tables of engine 0", "tables")):
        addresses = piece(IMAGE, what)
        haac.memory.bad = range(addresses.start + len(addresses) // 2 // 64 * 64, addresses.stop)
        await refused(haac, "memory_error", stream)
    haac.memory.bad = range(0)
    await haac.run(IMAGE)
    haac.check(IMAGE)


@cocotb.test
async def a_changed_instruction_is_found(dut):
    haac = await machine(dut)
    # The topmost bit of the first instruction: one more label is written.
    haac.memory.bytes[piece(IMAGE, "instructions").start + 3] ^= 4
    await refused(haac, "corrupt", "instructions")
