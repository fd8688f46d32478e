"""Sessions over time."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any, Mapping

from ..report import Report
from .reading import RecordError
from .style import COLOURS, Picture, bare, number, picture, series


#: What is behind a label, so that lines do not cross it.
_PAPER = {"facecolor": "white", "edgecolor": "none", "pad": 1.5, "alpha": 0.85}


class Timeline:
    """Records the progress of a session: give it as ``progress=`` of a session's methods.

    >>> timeline = halfgate.plot.Timeline()                                     # doctest: +SKIP
    >>> session.garble(program, progress=timeline, rates=rates)                 # doctest: +SKIP
    >>> halfgate.plot.session(timeline)                                         # doctest: +SKIP
    """

    def __init__(self) -> None:
        self._start = time.perf_counter()
        #: Seconds since this object was made, phase, ANDs done, ANDs in all.
        self.events: list[tuple[float, str, int, int]] = []

    def __call__(self, phase: str, done: int, of: int) -> None:
        self.events.append((time.perf_counter() - self._start, phase, done, of))


def session(report: Timeline | Report | Mapping[str, Any] | str | os.PathLike[str]) -> Picture:
    """A session's phases over time.

    ``report`` is a :class:`Timeline`, a :class:`halfgate.Report`, or the JSON of ``halfgate run``,
    ``garble`` or ``evaluate`` with ``--json``, as a dictionary or a file. Reports do not separate
    computing, sending and waiting, nor threads; the picture says so.
    """
    if isinstance(report, Timeline):
        return _timeline(report)
    if isinstance(report, Report):
        return _report(report.as_dict())
    if isinstance(report, Mapping):
        return _report(report)
    try:
        found = json.loads(Path(report).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise RecordError(f"{os.fspath(report)}: not a report: {error}") from None
    return _report(found)


def spans(report: Mapping[str, Any]) -> list[tuple[str, float, float, str]]:
    """Phase, start, duration and traffic of a report."""
    try:
        setup, whole = float(report["setup_seconds"]), float(report["seconds"])
    except (KeyError, TypeError, ValueError):
        raise RecordError(
            "the report has no setup_seconds and seconds: give the output of `halfgate run --json`"
        ) from None
    found = [("set-up: handshake and base OTs", 0.0, setup, "")]
    phases = report.get("phases") or []
    start = setup
    for phase in phases:
        traffic = f"sent {_bytes(phase['bytes_sent'])}, received {_bytes(phase['bytes_received'])}"
        found.append((str(phase["phase"]), start, float(phase["seconds"]), traffic))
        start += float(phase["seconds"])
    rest = setup + whole - start
    if phases and rest > 0.001 * (setup + whole):
        found.append(("not in a phase", start, rest, ""))
    if not phases:
        sent, received = report.get("bytes_sent"), report.get("bytes_received")
        traffic = "" if sent is None else f"sent {_bytes(sent)}, received {_bytes(received or 0)}"
        found.append(("run: garbling, tables, evaluating", setup, whole, traffic))
    return found


def _report(report: Mapping[str, Any]) -> Picture:
    found = spans(report)
    scale, unit = (1e3, "ms") if found[-1][1] + found[-1][2] < 1 else (1.0, "s")
    security = report.get("security", "")
    ands = f", {report['and_gates']:,} ANDs" if "and_gates" in report else ""
    made = picture(
        9,
        1.1 + 0.45 * len(found),
        f"Session over time{', ' + security if security else ''}{ands}",
        [
            "In a phase a party computes, sends, and waits for the other party, often at the same "
            "time. The report has their sum, and nothing about single threads."
        ],
    )
    axes = made.subplots()
    end = found[-1][1] + found[-1][2]
    for place, (_, start, took, traffic) in enumerate(found):
        axes.barh(
            place, took * scale, 0.6, left=start * scale, **series([6, 1, 5, 3, 4][place % 5])
        )
        text = f"{number(took * scale)} {unit}" + (f"; {traffic}" if traffic else "")
        # Labels are where there is space: right of the bar, left of it, or on it.
        if start + took < 0.6 * end:
            at, shift, align = start + took, 4, "left"
        elif start > 0.5 * end:
            at, shift, align = start, -4, "right"
        else:
            at, shift, align = start + took / 2, 0, "center"
        axes.annotate(
            text,
            (at * scale, place),
            (shift, 0),
            textcoords="offset points",
            va="center",
            ha=align,
            fontsize=7.5,
            bbox=_PAPER,
        )
    axes.set_yticks(range(len(found)), [name for name, *_ in found])
    axes.set_ylim(len(found) - 0.5, -0.5)
    axes.set_xlim(0, end * scale * 1.02)
    axes.set_xlabel(f"time, {unit}", fontsize=8)
    bare(axes)
    return made


def _timeline(timeline: Timeline) -> Picture:
    if not timeline.events:
        raise RecordError("the timeline is empty: give it as progress= of a session, and run that")
    # At least a microsecond, so that an axis has an extent.
    end = max(timeline.events[-1][0], 1e-6)
    scale, unit = (1e3, "ms") if end < 1 else (1.0, "s")
    made = picture(
        9,
        3.4,
        "Session over time",
        [
            "Progress is reported at intervals, so that a short phase may have no report. Reports "
            "do not separate computing, sending and waiting: a flat line is any wait."
        ],
    )
    axes = made.subplots()
    points = [(at, done) for at, phase, done, _ in timeline.events if phase == "progress"]
    all_ands = max((of for *_, of in timeline.events), default=0)
    # A run starts with no AND done.
    points = [(at, 0) for at, phase, *_ in timeline.events if phase == "run"][:1] + points
    axes.plot(
        [at * scale for at, _ in points],
        [done for _, done in points],
        color=COLOURS[1],
        marker="o",
        markersize=3,
    )
    marks = [(at, phase) for at, phase, *_ in timeline.events if phase != "progress"]
    for place, (at, phase) in enumerate(marks):
        axes.axvline(at * scale, color="#777777", linewidth=0.8, linestyle=":")
        axes.annotate(
            phase,
            (at * scale, 1),
            (2, -9 - 11 * (place % 4)),
            xycoords=("data", "axes fraction"),
            textcoords="offset points",
            fontsize=7.5,
            bbox=_PAPER,
        )
    if all_ands:
        axes.axhline(all_ands, color="#333333", linewidth=0.8, linestyle="--")
        axes.annotate(
            f"all {all_ands:,} ANDs",
            (end * scale, all_ands),
            (0, 3),
            textcoords="offset points",
            ha="right",
            fontsize=7.5,
        )
    axes.set_ylim(0, 1.4 * all_ands or 1)
    axes.set_xlim(0, end * scale * 1.02)
    axes.set_xlabel(f"time since the timeline was made, {unit}", fontsize=8)
    axes.set_ylabel("ANDs done", fontsize=8)
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    bare(axes)
    return made


def _bytes(count: float) -> str:
    from ..cost import _bytes as formatted

    return formatted(count)
