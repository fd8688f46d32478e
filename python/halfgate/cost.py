"""What a run costs."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ._halfgate import malicious_cost
from .errors import OptionError

if TYPE_CHECKING:
    from .program import Program

#: Bytes of a garbled AND, and of a label.
_TABLE, _LABEL = 32, 16
#: Times that a party waits for the other, and seconds of computing, before and after the tables.
_ROUND_TRIPS, _SETUP = 7, 0.01
#: Lines from which a report is cut.
_LINES = 20
#: Operations of a line from which it is named.
_UNROLLED = 1000


#: One-way delays before a malicious run, as ``halfgate inspect --security malicious`` counts them.
_MALICIOUS_DELAYS = 10


class Phase(NamedTuple):
    """The traffic of a phase of a malicious session."""

    name: str
    #: Bytes.
    garbler_sends: int
    evaluator_sends: int
    #: Messages that wait for the peer's last one.
    rounds: int


class Cost:
    """The cost of a run: ANDs, depth, bytes and an estimate of the time, with the ANDs by line.

    Semi-honest: bytes are those of tables, labels, transfers and decoding data in the default
    suite. Parties compute while the network transfers. Malicious: bytes are those of the three
    phases, without inputs and outputs, and the time is the link's alone. Frame headers and TLS come
    on top.
    """

    def __init__(
        self, program: Program, bandwidth: float, delay: float, rate: float, security: str
    ) -> None:
        if security not in ("semi-honest", "malicious"):
            raise OptionError(f"security={security!r}: give semi-honest or malicious")
        self.security = security
        native = program.native
        self.name = program.name
        self.ands = native.ands * native.cycles
        self.gates = native.gates * native.cycles
        #: The largest number of ANDs on one path; None if it takes too long to find out.
        self.depth = native.depth()
        bits = {True: 0, False: 0}
        for _, garbler, width, _, per_cycle in native.input_ports():
            bits[garbler] += width * (native.cycles if per_cycle else 1)
        outputs = sum(port[2] * (native.cycles if port[4] else 1) for port in native.output_ports())
        #: Bits of the garbler's and of the evaluator's inputs, and of the outputs.
        self.garbler_bits, self.evaluator_bits, self.output_bits = bits[True], bits[False], outputs
        self.garbler_sends = _TABLE * self.ands + _LABEL * (bits[True] + 2 * outputs)
        self.evaluator_sends = _LABEL * (bits[False] + outputs)
        self.bandwidth, self.delay, self.rate = bandwidth, delay, rate
        #: The phases of a malicious session; empty for a semi-honest one.
        self.phases: list[Phase] = []
        network = 8 * max(self.garbler_sends, self.evaluator_sends) / bandwidth
        waiting = 2 * delay * _ROUND_TRIPS + _SETUP
        #: Estimated seconds of a run.
        self.seconds = max(network, self.ands / rate) + waiting
        if security == "malicious":
            self.phases = [Phase(*sent) for sent in malicious_cost(self.ands, 2 * delay)]
            self.garbler_sends = sum(phase.garbler_sends for phase in self.phases)
            self.evaluator_sends = sum(phase.evaluator_sends for phase in self.phases)
            # A round begins when the last has arrived, so the two directions do not overlap.
            network = 8 * (self.garbler_sends + self.evaluator_sends) / bandwidth
            rounds = sum(phase.rounds for phase in self.phases) + _MALICIOUS_DELAYS
            self.seconds = network + rounds * delay
        operations = program._traced.operations() if program._traced else []
        #: Lines that made many operations, with their number: loops of Python that are unrolled.
        self.unrolled = sorted(
            (entry for entry in operations if entry[0] and entry[1] > _UNROLLED), key=lambda entry: -entry[1]
        )
        #: ANDs by source line, the most expensive first.
        self.lines = sorted(native.lines(), key=lambda entry: (-entry[1], entry[0]))

    def __repr__(self) -> str:
        return str(self)

    def __str__(self) -> str:
        depth = "not measured" if self.depth is None else f"{self.depth:,} ANDs"
        text = [
            f"{self.name}: {self.ands:,} ANDs, {self.gates:,} gates, depth {depth}",
            f"inputs  garbler {self.garbler_bits:,} bits, evaluator {self.evaluator_bits:,} bits; "
            f"outputs {self.output_bits:,} bits",
            f"bytes   garbler sends {_bytes(self.garbler_sends)}, "
            f"evaluator {_bytes(self.evaluator_sends)}",
            f"time    about {self.seconds:.3g} s at {self.bandwidth / 1e6:,.0f} Mbit/s, "
            f"{self.delay * 1e3:g} ms one way, {self.rate / 1e6:,.0f} million ANDs a second",
        ]
        if self.phases:
            text[-1] = (
                f"time    at least {self.seconds:.3g} s at {self.bandwidth / 1e6:,.0f} Mbit/s, "
                f"{self.delay * 1e3:g} ms one way: the link alone"
            )
            text.append("phase                   garbler sends  evaluator sends  rounds")
        for name, garbler, evaluator, rounds in self.phases:
            text.append(f"{name:22} {_bytes(garbler):>14} {_bytes(evaluator):>16} {rounds:>7,}")
        if self.lines:
            text.append("line                              ANDs")
        for line, ands in self.lines[:_LINES]:
            share = 100 * ands / self.ands if self.ands else 0
            text.append(f"{line or '(no line)':24} {ands:>13,}  {share:5.1f} %")
        if len(self.lines) > _LINES:
            rest = sum(ands for _, ands in self.lines[_LINES:])
            text.append(f"{len(self.lines) - _LINES} more lines{rest:>25,}")
        for line, count in self.unrolled[:_LINES]:
            text.append(
                f"{line} made {count:,} operations: a loop of Python is unrolled; operations on "
                "whole arrays, hg.map or hg.fold keep the program short"
            )
        return "\n".join(text)


def _bytes(count: float) -> str:
    for unit in ("B", "kB", "MB", "GB"):
        if count < 1000:
            return f"{count:.3g} {unit}"
        count /= 1000
    return f"{count:.3g} TB"
