"""What a run costs."""

from __future__ import annotations

from typing import TYPE_CHECKING

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


class Cost:
    """The cost of a run: ANDs, depth, bytes and an estimate of the time, with the ANDs by line.

    Bytes are those of tables, labels, transfers and decoding data of a semi-honest session in the
    default suite; frame headers and TLS come on top. Parties compute while the network transfers.
    """

    def __init__(self, program: Program, bandwidth: float, delay: float, rate: float) -> None:
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
        network = 8 * max(self.garbler_sends, self.evaluator_sends) / bandwidth
        waiting = 2 * delay * _ROUND_TRIPS + _SETUP
        #: Estimated seconds of a run.
        self.seconds = max(network, self.ands / rate) + waiting
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
