"""The figures of HAAC. The paper gives numbers for averages only."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from . import pairs
from .layout import (
    AS_PUBLISHED,
    WIDTH,
    Kind,
    caption_of,
    compared,
    grouped,
    label_scale,
    legend,
    measured_values,
    panels,
    without_twins,
)
from .reading import Part, Row
from .style import COLOURS, LINES, MARKERS, Picture, bare, picture, plain_powers, series

#: Axes of speed-ups, whose baseline differs from the paper's.
_SPEED_UP = "speed-up over our CPU engine, times"


def programs(part: Part) -> dict[str, dict[str, Row]]:
    """HAAC's programs, each with its rows; those of the paper's circuits come before ours."""
    found: dict[str, dict[str, Row]] = {}
    fixed: dict[str, dict[str, Row]] = {}
    for row in part.rows:
        program, _, rest = row.name.partition(", ")
        if (
            not rest
            or row.published is not None
            or program.startswith(("mean", "gain", "half gates", "average", "1 to 16"))
        ):
            continue
        if program.endswith(AS_PUBLISHED):
            fixed.setdefault(program.removesuffix(AS_PUBLISHED), {})[rest] = row
        else:
            found.setdefault(program, {})[rest] = row
    return {**found, **{name: rows for name, rows in fixed.items() if name in found or not found}}


def _haac(kind: Kind, part: Part, top: float) -> tuple[Picture, list[Any]]:
    """A picture with a panel for the bars, which the paper gives no numbers for."""
    rows = without_twins(part.rows)
    found = pairs.by_unit(rows)
    caption = caption_of(
        part,
        "The paper gives numbers for averages only: below. Programs are the paper's circuits "
        "where these differ from ours.",
    )
    made = picture(WIDTH, top + sum(pairs.height(found)) + 0.4, kind.heading, caption)
    return made, panels(made, part, top, rows)


def haac_passes(kind: Kind, part: Part) -> Picture | None:
    """Figure 6: speed-ups by compiler pass."""
    names = ["baseline", "reorder, rename", "reorder, rename, spent wires"]
    groups = {name: measured_values(rows) for name, rows in programs(part).items()}
    if not groups:
        return None
    made, (axes, *_) = _haac(kind, part, 3.2)
    grouped(axes, groups, names, [series(6), series(1), series(5)])
    label_scale(axes, _SPEED_UP)
    legend(axes, 3, loc="lower right", bbox_to_anchor=(1, 1))
    return made


def haac_traffic(kind: Kind, part: Part) -> Picture | None:
    """Figure 7: time of computing and of wire traffic, each alone, by order and window."""
    found = programs(part)
    if not found:
        return None
    made, (axes, *_) = _haac(kind, part, 2.9 * len(found))
    spec = axes.get_subplotspec()
    assert spec is not None
    axes.remove()
    inner = spec.subgridspec(len(found), 1)
    for place, (program, rows) in enumerate(found.items()):
        panel = made.add_subplot(inner[place, 0])
        groups: dict[str, dict[str, float]] = {}
        for name, value in measured_values(rows).items():
            match = re.match(r"^(.*), (.*), (compute|wires)$", name)
            if match:
                groups.setdefault(f"{match[1]}\n{match[2]}", {})[match[3]] = value
        grouped(panel, groups, ["compute", "wires"], [series(1), series(5)])
        label_scale(panel, "time, µs")
        panel.set_title(program, fontsize=9, loc="left")
        if place == 0:
            legend(panel, 2, loc="lower right", bbox_to_anchor=(1, 1))
    return made


def haac_engines(kind: Kind, part: Part) -> Picture | None:
    """Figure 8: speed-ups by the number of engines, with each memory."""
    found = programs(part)
    if not found:
        return None
    made, (axes, *_) = _haac(kind, part, 3.8)
    spec = axes.get_subplotspec()
    assert spec is not None
    axes.remove()
    inner = spec.subgridspec(1, 2)
    shared: Any = None
    for side, memory in enumerate(("ddr4", "hbm2")):
        panel = made.add_subplot(inner[0, side], sharey=shared)
        shared = panel
        ticks: list[int] = []
        for place, (program, rows) in enumerate(found.items()):
            points = sorted(
                (int(name.split()[0]), value)
                for name, value in measured_values(rows).items()
                if name.endswith(f", {memory}")
            )
            ticks = [engines for engines, _ in points] or ticks
            panel.plot(
                [x for x, _ in points],
                [y for _, y in points],
                label=program,
                markersize=5,
                color=COLOURS[place % 7],
                marker=MARKERS[place % 8],
                linestyle=LINES[place % 8],
            )
        panel.set_xscale("log", base=2)
        panel.set_yscale("log")
        plain_powers(panel.yaxis, (1, 2, 5))
        panel.set_xticks(ticks, [str(tick) for tick in ticks])
        panel.set_xlabel("gate engines", fontsize=8)
        panel.set_title(memory.upper(), fontsize=9, loc="left")
        panel.grid(color="#dddddd", linewidth=0.6)
        bare(panel)
        if side:
            panel.legend(fontsize=7.5, frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))
        else:
            label_scale(panel, _SPEED_UP)
    return made


def haac_energy(kind: Kind, part: Part) -> Picture | None:
    """Figure 9: shares of the energy by component."""
    names = ["half gates", "window", "HBM2 interface", "queues", "crossbar", "others"]
    groups = {name: measured_values(rows) for name, rows in programs(part).items()}
    if not groups:
        return None
    made, (axes, *_) = _haac(kind, part, 3.2)
    starts = [0.0] * len(groups)
    for place, name in enumerate(names):
        values = [group.get(name, 0.0) for group in groups.values()]
        axes.barh(
            range(len(groups)),
            values,
            0.7,
            left=starts,
            label=name,
            **series([1, 5, 2, 6, 3, 0][place]),
        )
        starts = [start + value for start, value in zip(starts, values)]
    axes.set_yticks(range(len(groups)), list(groups))
    axes.set_ylim(len(groups) - 0.5, -0.5)
    axes.set_xlim(0, 100)
    axes.set_xlabel("share of the energy, %", fontsize=8)
    bare(axes)
    legend(axes, 6, loc="lower right", bbox_to_anchor=(1, 1))
    return made


def haac_slowdown(kind: Kind, part: Part) -> Picture | None:
    """Figure 10: slowdown against plain code. Quick runs have no bars by program."""
    names = ["CPU", "DDR4", "HBM2"]
    groups = {name: measured_values(rows) for name, rows in programs(part).items()}
    groups = {name: group for name, group in groups.items() if set(group) & set(names)}
    measured = [row for row in part.rows if not row.published == row.measured == 0]
    part = replace(part, rows=[replace(row, measured=row.measured or None) for row in measured])
    if not groups:
        return compared(kind, part)
    made, (axes, *_) = _haac(kind, part, 3.2)
    grouped(axes, groups, names, [series(6), series(1), series(5)])
    label_scale(axes, "slowdown against plain Rust, times")
    legend(axes, 3, loc="lower right", bbox_to_anchor=(1, 1))
    return made
