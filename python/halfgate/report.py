"""What a run took."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple


@dataclass(frozen=True)
class Simulated:
    """The time that a simulated machine would have taken for a run."""

    #: Clock cycles of all launches.
    clock_cycles: int
    #: Launches: one for each cycle of the circuit.
    launches: int
    #: The machine's clock frequency.
    mhz: float
    #: The machine's time.
    seconds: float


@dataclass(frozen=True)
class Phase:
    """A phase of a malicious session. In its time the parties also wait for each other."""

    phase: str
    seconds: float
    bytes_sent: int
    bytes_received: int


@dataclass(frozen=True)
class Report:
    """What a run took at one party."""

    #: The engine, with its kernel: ``"cpu (vaes512)"``.
    engine: str
    #: Gates of all cycles, and the ANDs among them.
    gates: int
    and_gates: int
    #: Cycles of a program with flip-flops; else 1.
    cycles: int
    #: Time of the run, from its first label to its results; or of the work ahead of time.
    seconds: float
    #: Traffic. That of a session's first run includes the set-up.
    bytes_sent: int = 0
    bytes_received: int = 0
    #: Length of the file, for work ahead of time.
    bytes: int = 0
    #: Time from the connection to the first usable oblivious transfer.
    setup_seconds: float = 0.0
    #: Time to lower the program for the engine.
    prepare_seconds: float = 0.0
    peer_engine: str = ""
    security: str = "semi-honest"
    #: The phases of a malicious session.
    phases: list[Phase] = field(default_factory=list)
    #: The time of the simulated machine, if the engine is one.
    simulated: Simulated | None = None
    #: Why the peer has not confirmed the end of the run, if it has not. The results are verified,
    #: but the peer may not have its own.
    unconfirmed: str | None = None

    @classmethod
    def of(cls, text: str) -> Report:
        """The report that the Rust half wrote."""
        found: dict[str, Any] = json.loads(text)
        phases = [Phase(**phase) for phase in found.pop("phases", [])]
        simulated = found.pop("simulated", None)
        return cls(
            **found, phases=phases, simulated=None if simulated is None else Simulated(**simulated)
        )

    def as_dict(self) -> dict[str, Any]:
        """The report as ``halfgate.plot.session`` and ``json.dumps`` take it."""
        return asdict(self)


class Measured(NamedTuple):
    """A result of both parties in this process, and what it took."""

    result: Any
    garbler: Report
    evaluator: Report


__all__ = ["Measured", "Phase", "Report", "Simulated"]
