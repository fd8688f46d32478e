"""A simulated machine over time."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from .reading import RecordError
from .style import COLOURS, LINES, Picture, bare, number, picture

#: Columns of the picture: clock cycles are summed in so many intervals.
_COLUMNS = 240
#: Causes of the clock cycles of an engine, in the order of `halfgate simulate`, and their styles.
_CAUSES: dict[str, tuple[str, str]] = {
    "issue": ("#0072B2", ""),
    "nop": ("#56B4E9", "..."),
    "operand": ("#F0E442", "///"),
    "instructions": ("#E69F00", "xxx"),
    "input": ("#CC79A7", "\\\\\\"),
    "bank": ("#eeeeee", "+++++"),
    "finished": ("#ffffff", ""),
}
_OTHER = ("#999999", "---")
#: Most engines that have a panel of their own.
_ENGINES = 4


def machine(trace: str | os.PathLike[str]) -> Picture:
    """Engines, queues and memory of a simulated machine over time.

    ``trace`` is the file of ``halfgate simulate … --trace FILE``, which machines of gate engines
    write.
    """
    try:
        events = json.loads(Path(trace).read_text(encoding="utf-8"))["traceEvents"]
        states = [
            (event["tid"], event["name"], float(event["ts"]), float(event["dur"]))
            for event in events
            if event["ph"] == "X"
        ]
        counters: dict[str, list[tuple[float, float]]] = {}
        for event in events:
            if event["ph"] == "C":
                value = float(next(iter(event["args"].values())))
                counters.setdefault(event["name"], []).append((float(event["ts"]), value))
    except (OSError, ValueError, KeyError, TypeError, StopIteration) as error:
        raise RecordError(
            f"{os.fspath(trace)}: not a trace of `halfgate simulate --trace FILE`: {error!r}"
        ) from None
    if not states:
        raise RecordError(f"{os.fspath(trace)}: the trace has no engines")
    end = max(start + took for _, _, start, took in states)
    engines = sorted({engine for engine, *_ in states})
    shares = _shares(states, end)
    used = {name: points for name, points in counters.items() if any(v for _, v in points)}
    empty = [name for name in counters if name not in used]
    rows = (min(len(engines), _ENGINES) if len(engines) <= _ENGINES else 1) + 1
    return _drawn(engines, shares, used, empty, end, rows)


def _shares(
    states: list[tuple[int, str, float, float]], end: float
) -> dict[int, dict[str, list[float]]]:
    """The share of each cause in each interval, by engine."""
    found: dict[int, dict[str, list[float]]] = {}
    width = end / _COLUMNS
    for engine, cause, start, took in states:
        row = found.setdefault(engine, {}).setdefault(cause, [0.0] * _COLUMNS)
        column = min(int(start / width), _COLUMNS - 1)
        while took > 0 and column < _COLUMNS:
            part = min(start + took, (column + 1) * width) - start
            if part <= 0:
                column += 1
                continue
            row[column] += part / width
            start, took, column = start + part, took - part, column + 1
    return found


def _drawn(
    engines: list[int],
    shares: dict[int, dict[str, list[float]]],
    counters: dict[str, list[tuple[float, float]]],
    empty: list[str],
    end: float,
    rows: int,
) -> Picture:
    lacking = f"Always empty: {', '.join(empty)}. " if empty else ""
    made = picture(
        10,
        1.2 + 1.1 * (rows - 1) + 2.2,
        f"Simulated machine over time, {len(engines)} gate engines, {number(end)} µs",
        [
            "Engines: the share of each interval's clock cycles by cause; `issue` is work, the "
            f"others are waits (docs/simulate.md). {lacking}Times are those of the machine's clock."
        ],
    )
    panels = made.subplots(
        rows, 1, sharex=True, gridspec_kw={"height_ratios": [1.0] * (rows - 1) + [1.9]}
    )
    names = [name for name in _CAUSES if any(name in own for own in shares.values())]
    names += sorted({name for own in shares.values() for name in own} - set(_CAUSES))
    times = [end * (column + 0.5) / _COLUMNS for column in range(_COLUMNS)]
    groups = [[engine] for engine in engines] if rows == len(engines) + 1 else [engines]
    for axes, group in zip(panels, groups):
        stack = [
            [
                sum(shares[e].get(name, [0.0] * _COLUMNS)[c] for e in group) / len(group) * 100
                for c in range(_COLUMNS)
            ]
            for name in names
        ]
        areas = axes.stackplot(times, stack, labels=names, step="mid")
        for area, name in zip(areas, names):
            colour, hatch = _CAUSES.get(name, _OTHER)
            area.set(facecolor=colour, hatch=hatch, edgecolor="#333333", linewidth=0.3)
        axes.set_ylim(0, 100)
        axes.set_ylabel(
            f"engine {group[0]}, %" if len(group) == 1 else "all engines, %", fontsize=8
        )
        bare(axes)
    panels[0].legend(
        fontsize=7.5, frameon=False, ncols=len(names), loc="lower left", bbox_to_anchor=(0, 1)
    )
    _queues(panels[-1], counters)
    panels[-1].set_xlim(0, end)
    panels[-1].set_xlabel("time, µs", fontsize=8)
    return made


def _queues(axes: Any, counters: dict[str, list[tuple[float, float]]]) -> None:
    for place, (name, points) in enumerate(counters.items()):
        axes.plot(
            [at for at, _ in points],
            [value for _, value in points],
            label=name,
            linewidth=1.1,
            color=COLOURS[place % 6],
            linestyle=LINES[place % 4],
        )
    axes.set_ylabel("entries, logarithmic from 10", fontsize=8)
    axes.set_yscale("symlog", linthresh=10)
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    axes.set_ylim(bottom=0)
    if counters:
        axes.legend(fontsize=7.5, frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))
    bare(axes)
