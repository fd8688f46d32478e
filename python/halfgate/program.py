"""Compiled programs, which two parties run."""

from __future__ import annotations

import copy
import os
from typing import TYPE_CHECKING, Any, Callable, Mapping, Sequence

import numpy as np

from ._halfgate import NativeProgram, Options, Traced
from .cost import Cost
from .dtypes import ArrayType, DType, uN
from .errors import (
    ArgumentError,
    CircuitError,
    EngineError,
    NotLearnedError,
    OptionError,
    RangeError,
)
from .report import Measured, Report
from .trees import like
from .values import Elements, decode, encode

if TYPE_CHECKING:
    from .function import Function


class Port:
    """An input or output of a program."""

    __slots__ = ("name", "party", "type", "per_cycle", "bits")

    def __init__(
        self, name: str, party: str, of: ArrayType | None, bits: int, per_cycle: bool
    ) -> None:
        self.name = name
        #: ``"garbler"`` or ``"evaluator"``; empty for an output.
        self.party = party
        #: Its type; None if the circuit declares none. Its value is then an integer or bits.
        self.type = of
        self.bits = bits
        self.per_cycle = per_cycle

    def __repr__(self) -> str:
        of = repr(self.type) if self.type else f"{self.bits} bits"
        return f"<{self.party or 'output'} {self.name}: {of}>"


class Program:
    """A compiled program. Both parties compile it, each by itself, and get the same."""

    def __init__(
        self,
        name: str,
        native: NativeProgram,
        inputs: list[Port],
        outputs: list[Port],
        learn: list[str],
        structure: Any,
        compiled: Callable[[str], NativeProgram],
        traced: Traced | None = None,
    ) -> None:
        self.name = name
        self.native = native
        #: The inputs, the garbler's first.
        self.inputs = inputs
        self.outputs = outputs
        self._learn = learn
        self._structure = structure
        self._compiled = compiled
        self._traced = traced

    @classmethod
    def of_function(
        cls,
        f: Function,
        native: NativeProgram,
        traced: Traced,
        result: Any,
        names: list[str],
        types: list[ArrayType],
    ) -> Program:
        """The program of a traced function."""
        parties = [("garbler", f.garbler), ("evaluator", f.evaluator)]
        inputs = [
            Port(name, party, of, 0, False) for party, own in parties for name, of in own.items()
        ]
        outputs = [Port(name or "output", "", of, 0, False) for name, of in zip(names, types)]
        learn = _learners(f.learn, names)
        # The result's structure holds secrets of the trace, which has ended.
        structure = like(result, [None] * len(names))
        return cls(f.name, native, inputs, outputs, learn, structure, traced.compile, traced)

    @classmethod
    def of_circuit(cls, name: str, compiled: Callable[[str], NativeProgram]) -> Program:
        """The program of a circuit with its own ports; ``compiled`` compiles it in an order."""
        native = compiled("")
        inputs, outputs = (
            [_port(*port) for port in ports]
            for ports in (native.input_ports(), native.output_ports())
        )
        for port in outputs:
            port.party = ""
        structure = {port.name: None for port in outputs} if len(outputs) != 1 else None
        return cls(name, native, inputs, outputs, ["both"], structure, compiled)

    def __repr__(self) -> str:
        return f"<Program {self.name}: {self.ands:,} ANDs>"

    @property
    def ands(self) -> int:
        """ANDs of a run, or of a cycle: what it costs is in proportion to them."""
        return self.native.ands

    @property
    def hash(self) -> str:
        """What the two parties compare before they run it."""
        return self.native.hash

    @property
    def order(self) -> str:
        """The order of the gates. Both parties need the same."""
        return self.native.order

    def in_order(self, order: str) -> Program:
        """The same circuit in another order of gates, which is another program.

        Orders are ``"grouped"``, the default, ``"given"``, and those for the machine HAAC:
        ``"haac:baseline"``, ``"haac:full"``, ``"haac:segment"`` and ``"haac:best"``.
        """
        found = copy.copy(self)
        found.native = self._compiled(order)
        return found

    def cost(
        self,
        bandwidth: float = 1e9,
        delay: float = 0.001,
        rate: float = 5e7,
        security: str = "semi-honest",
    ) -> Cost:
        """What a run costs, with the ANDs of each source line.

        The time is for a link of `bandwidth` bits a second with a one-way `delay` in seconds, and
        parties that garble `rate` ANDs a second. If `security` is ``"malicious"``, the traffic is
        listed by phase, and the time is that of the link alone.
        """
        return Cost(self, bandwidth, delay, rate, security)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the circuit as an HGC file, which the command runs as the same program.

        The file has neither an order of :meth:`in_order` nor the learners: give the command
        ``--order`` and ``--learn`` for these.
        """
        if self._traced is None:
            raise CircuitError(f"{self.name} is not of a function: there is a file already")
        self._traced.write(os.fspath(path))

    def draw(self) -> Any:
        """A picture of the program's functions, which a notebook shows."""
        from .draw import drawing

        return drawing(self)

    def _repr_svg_(self) -> str:
        svg: str = self.draw().svg
        return svg

    def clear(self, *args: Any, **values: Any) -> Any:
        """Computes the program on plain values, without garbling: for tests."""
        self.refuse_positional(args, None, "clear")
        elements = self.elements(values, None)
        return self.decoded(self.native.clear(elements), strict=True)

    def run(
        self, *args: Any, options: Mapping[str, Any] | None = None, **values: Any
    ) -> Any:
        """Runs both parties in this process: garbles, transfers, evaluates. Nothing is secret here.

        Values are numbers, arrays, bytes, or columns of pandas or Arrow, by the names of the
        inputs. Returns what the parties learn together: arrays of NumPy, or a scalar, in the
        structure that the function returns. ``options`` are those of a session; ``engine`` may be
        a dictionary with an engine for each party.
        """
        self.refuse_positional(args, None, "run")
        return self.measure(options=options, **values).result

    def measure(
        self, *args: Any, options: Mapping[str, Any] | None = None, **values: Any
    ) -> Measured:
        """As :meth:`run`. Returns the result with a report of each party: time and traffic, and
        the clock cycles if its engine is a simulated machine."""
        from .session import made_options

        self.refuse_positional(args, None, "measure")
        chosen = made_options(self, **dict(options or {}))
        garbled, evaluated = self.native.run(self.elements(values, None, chosen.cycles), chosen)
        pairs = list(zip(garbled[0], evaluated[0]))
        if any(a is not None and b is not None and a != b for a, b in pairs):
            raise EngineError("the two parties decoded different results; please report this")
        result = self.decoded([a if a is not None else b for a, b in pairs], strict=True)
        return Measured(result, Report.of(garbled[1]), Report.of(evaluated[1]))

    def garble_ahead(self, path: str | os.PathLike[str], **options: Any) -> Report:
        """Garbles a run into a new file, before any input is known.

        ``session.garble(program, ahead=path, ...)`` uses the file, for one run. It is as secret as
        the inputs. Never copy it: two runs of one garbling reveal inputs. ``options`` are those of
        a session.
        """
        from .session import made_options

        return Report.of(self.native.garble_ahead(os.fspath(path), made_options(self, **options)))

    def refuse_positional(self, args: tuple[Any, ...], party: str | None, what: str) -> None:
        """Refuses values without the names of their inputs."""
        if args:
            own = [port.name for port in self.inputs if party in (None, port.party)]
            call = ", ".join(["program"] * (party is not None) + [f"{name}=..." for name in own])
            raise ArgumentError(
                f"{self.name}: give values by the names of the inputs, as in {what}({call})"
            )

    def elements(
        self, values: Mapping[str, Any], party: str | None, cycles: int | None = None
    ) -> list[Elements]:
        """The values of a party's inputs, or of all, as the Rust half takes them."""
        own = [port for port in self.inputs if party in (None, port.party)]
        names = {port.name for port in own}
        unknown = sorted(set(values) - names)
        if unknown:
            whose = f"the {party}'s" if party else "an"
            raise ArgumentError(
                f"{self.name}: {', '.join(unknown)}: not {whose} input; the inputs are "
                f"{', '.join(port.name for port in own) or 'none'}"
            )
        missing = [port.name for port in own if port.name not in values]
        if missing:
            raise ArgumentError(f"{self.name}: give a value for {', '.join(missing)}")
        times = cycles or self.native.cycles
        return [_encoded(port, values[port.name], times) for port in own]

    def decoded(self, outputs: Sequence[bytes | None], strict: bool = False) -> Any:
        """The plain results. A result that is not learned is None, or an error if `strict`."""
        parts = []
        for port, packed in zip(self.outputs, outputs):
            if packed is None and strict:
                raise NotLearnedError(f"no party learns {port.name}: see learn in @hg.function")
            parts.append(None if packed is None else _decoded(port, packed))
        return like(self._structure, parts)


def _encoded(port: Port, value: Any, cycles: int) -> Elements:
    of = port.type
    if of is not None and not port.per_cycle:
        return encode(of, value, port.name)
    if of is not None:
        return encode(ArrayType(of.dtype, (cycles, *of.shape)), value, port.name)
    bits = port.bits * (cycles if port.per_cycle else 1)
    if isinstance(value, (bytes, bytearray)) or (
        isinstance(value, memoryview) and value.format in ("B", "c")
    ):
        packed, unused = bytes(value), -bits % 8
        if unused and len(packed) == (bits + 7) // 8 and packed[-1] >> (8 - unused):
            raise RangeError(f"{port.name} has {bits} bits: the last byte has more")
        return packed, 0, 1
    if isinstance(value, (int, np.integer)):
        number = int(value)
        if not -(1 << (bits - 1)) <= number < 1 << bits:
            raise OptionError(f"{port.name} is {number}: it has {bits} bits")
        return (number & ((1 << bits) - 1)).to_bytes((bits + 7) // 8, "little"), 0, 1
    array = np.asarray(value)
    return encode(ArrayType(DType("bool", 1), bits), array, port.name)


def _decoded(port: Port, packed: bytes) -> Any:
    if port.type is None:
        return int.from_bytes(packed, "little")
    if port.per_cycle:
        cycles = len(packed) * 8 // port.bits
        return decode(ArrayType(port.type.dtype, (cycles, *port.type.shape)), packed)
    return decode(port.type, packed)


def _port(
    name: str, garbler: bool, bits: int, elements: tuple[str, int, int], per_cycle: bool
) -> Port:
    kind, width, fraction = elements
    kinds = {
        "unsigned": "uint",
        "text": "uint",
        "signed": "int",
        "binary32": "float",
        "binary64": "float",
        "fixed": "fixed",
        "fixed-unsigned": "ufixed",
    }
    of = None
    if kind == "bytes":
        of = ArrayType(uN(8), bits // 8)
    elif kind in kinds and width <= 128:
        count = bits // width
        of = ArrayType(DType(kinds[kind], width, fraction), () if count == 1 else (count,))
    party = "garbler" if garbler else "evaluator"
    return Port(name, party, of, bits, per_cycle)


def _learners(learn: str | Mapping[str, str] | Sequence[str], names: list[str]) -> list[str]:
    """Who learns each result."""
    if isinstance(learn, str):
        return [learn] * len(names)
    if isinstance(learn, Mapping):
        if set(learn) != set(names):
            found = f"the results are {names}" if names != [""] else "there is one, without a name"
            raise OptionError(f"learn has the results {list(learn)}, but {found}")
        return [learn[name] for name in names]
    if len(learn) != len(names):
        raise OptionError(f"learn has {len(learn)} entries for {len(names)} results")
    return list(learn)


def circuit(
    file: str | os.PathLike[str],
    *,
    parties: Sequence[str] | None = None,
    top: str | None = None,
    parameters: Mapping[str, Any] | None = None,
    sources: Sequence[str | os.PathLike[str]] = (),
) -> Program:
    """The program of a circuit file: HGC, Bristol Fashion, Bristol, ABY, SCD, HSCD or Verilog.

    ``parties`` are the owners of the inputs, for formats that do not name them. ``top``,
    ``parameters`` and ``sources`` are for Verilog, which needs Yosys on the PATH.
    """
    owners = None
    if parties is not None:
        unknown = [party for party in parties if party not in ("garbler", "evaluator")]
        if unknown:
            raise OptionError(f"parties has {unknown}: give garbler or evaluator for each input")
        owners = [party == "garbler" for party in parties]
    given = [(key, str(value)) for key, value in (parameters or {}).items()]
    path = os.path.abspath(os.fspath(file))
    files = [os.path.abspath(os.fspath(source)) for source in sources]

    first: list[str] = []

    def compiled(order: str) -> NativeProgram:
        native = NativeProgram.file(path, owners, top, given, files)
        first.append(native.hash)
        if native.hash != first[0]:
            raise CircuitError(f"{path} has changed since it was read: read it again")
        return NativeProgram.file(path, owners, top, given, files, order) if order else native

    return Program.of_circuit(os.path.basename(path), compiled)


__all__ = ["Options", "Port", "Program", "circuit"]
