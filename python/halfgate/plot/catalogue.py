"""The pictures of the papers: what each shows, and how it is drawn."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any, Callable

from . import pairs
from .reading import PAPERS, Part, Row
from .style import (
    LINES,
    MARKERS,
    COLOURS,
    MEASURED,
    PUBLISHED,
    Picture,
    bare,
    picture,
    series,
    wide_range,
)

_AS_PUBLISHED = " as published"
_ALL_AS_PUBLISHED = ", circuits as published"
_WIDTH = 9.5
#: Most reasons in a caption.
_REASONS = 4
#: Axes of HAAC's speed-ups, whose baseline differs from the paper's.
_SPEED_UP = "speed-up over our CPU engine, times"


@dataclass(frozen=True)
class Kind:
    """A picture: a table or figure of a paper."""

    paper: str
    part: str
    title: str
    draw: Callable[[Kind, Part], Picture | None]
    #: Whether the record has the rows, or only the printed results.
    recorded: bool = False

    @property
    def name(self) -> str:
        """The file's name, without its ending."""
        return f"{self.paper}-{self.part}"

    @property
    def heading(self) -> str:
        """The title with the paper's name."""
        return f"{PAPERS[self.paper]}, {self.title}"


def _caption(part: Part, *more: str) -> list[str]:
    notes = [
        note[:1].upper() + note[1:].rstrip(".") + "."
        for note in part.notes
        if not part.quick or "only shows" not in note
    ]
    quick = ["QUICK RUN: sizes are not the paper's, so that the values cannot be compared."]
    hows = {row.how for row in part.rows if row.measured is not None}
    how = "By the cycle model, not on a board: " if hows == {"model"} else "Measured: "
    return [
        *(quick if part.quick else []),
        *more,
        *notes,
        f"Published: the paper. {how}{'; '.join(part.origins)}.",
    ]


def _marked(rows: list[Row]) -> tuple[list[Row], list[str]]:
    """Marks rows without a verdict; returns them with a caption that has the reasons."""
    reasons: dict[str, None] = {}
    marked = []
    for row in rows:
        reason = row.note.partition("no verdict: ")[2]
        if reason and row.published is not None and row.measured is not None:
            reasons.setdefault(reason)
            row = replace(row, name=row.name + "\N{NO-BREAK SPACE}†")
        marked.append(row)
    shown = list(reasons)[:_REASONS]
    if len(reasons) > len(shown):
        shown.append("further reasons are in the record")
    return marked, [f"† No verdict: {'; '.join(shown)}."] if shown else []


def _legend(axes: Any, columns: int = 1, **more: Any) -> None:
    axes.legend(fontsize=7.5, ncols=columns, frameon=False, **more)


def _without_twins(rows: list[Row]) -> list[Row]:
    """Leaves out rows that another row has for the paper's own circuits."""
    twins = {
        row.name.replace(_ALL_AS_PUBLISHED, "").replace(_AS_PUBLISHED, "")
        for row in rows
        if _AS_PUBLISHED in row.name
    }
    return (
        [
            replace(row, name=row.name.replace(_ALL_AS_PUBLISHED, ""))
            for row in rows
            if row.name.split(" (")[0] not in {twin.split(" (")[0] for twin in twins}
            or _AS_PUBLISHED in row.name
        ]
        if twins
        else rows
    )


def _panels(
    made: Picture, part: Part, top: float = 0.0, rows: list[Row] | None = None
) -> list[Any]:
    """Splits a picture into a panel of `top` inches and those of published values."""
    found = pairs.by_unit(rows if rows is not None else part.rows)
    heights = ([top] if top else []) + pairs.height(found)
    axes = made.subplots(len(heights), 1, squeeze=False, gridspec_kw={"height_ratios": heights})[
        :, 0
    ]
    own = list(axes[1:] if top else axes)
    for place, (panel, (unit, of)) in enumerate(zip(own, found.items())):
        pairs.draw(panel, of, unit)
        if place == 0:
            _legend(panel, 2, loc="lower right", bbox_to_anchor=(1, 1), borderaxespad=0.1)
    return list(axes)


def compared(kind: Kind, part: Part) -> Picture | None:
    """Bars of all rows with a published value."""
    rows, reasons = _marked(
        [_shortened(row) for row in _without_twins(part.rows) if not _needs(row)]
    )
    found = pairs.by_unit(rows)
    if not found:
        return None
    made = picture(_WIDTH, 0.4 + sum(pairs.height(found)), kind.heading, _caption(part, *reasons))
    _panels(made, part, rows=rows)
    return made


def _needs(row: Row) -> bool:
    """Whether the run lacked a netlist, so that nothing could be measured."""
    return row.measured is None and row.note.startswith("needs --")


def _shortened(row: Row) -> Row:
    """A row without the table's name, which the title has. Values a gate have their own unit."""
    name = re.sub(r"^Table \d+, ", "", row.name)
    unit = f"{row.unit} a gate" if name.endswith(", a gate") else row.unit
    return replace(row, name=name, unit=unit)


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
        if program.endswith(_AS_PUBLISHED):
            fixed.setdefault(program.removesuffix(_AS_PUBLISHED), {})[rest] = row
        else:
            found.setdefault(program, {})[rest] = row
    return {**found, **{name: rows for name, rows in fixed.items() if name in found or not found}}


def _grouped(
    axes: Any, groups: dict[str, dict[str, float]], names: list[str], styles: list[dict[str, Any]]
) -> None:
    """Bars by group; each name is a series. Values that a group lacks are left out."""
    wide = 0.84 / len(names)
    for place, (name, style) in enumerate(zip(names, styles)):
        have = [(x, group[name]) for x, group in enumerate(groups.values()) if name in group]
        axes.bar(
            [x - 0.42 + wide * (place + 0.5) for x, _ in have],
            [value for _, value in have],
            wide,
            label=name,
            **style,
        )
    axes.set_xticks(range(len(groups)), list(groups))
    values = [value for group in groups.values() for value in group.values()]
    if wide_range(values):
        axes.set_yscale("log")
        axes.set_ylim(min(values) / 2, max(values) * 2)
    axes.grid(axis="y", color="#dddddd", linewidth=0.6)
    bare(axes)


def _scale(axes: Any, text: str) -> None:
    axes.set_ylabel(text + (", logarithmic" if axes.get_yscale() == "log" else ""), fontsize=8)


def _values(rows: dict[str, Row]) -> dict[str, float]:
    return {name: row.measured for name, row in rows.items() if row.measured is not None}


def _haac(kind: Kind, part: Part, top: float) -> tuple[Picture, list[Any]]:
    """A picture with a panel for the bars, which the paper gives no numbers for."""
    rows = _without_twins(part.rows)
    found = pairs.by_unit(rows)
    caption = _caption(
        part,
        "The paper gives numbers for averages only: below. Programs are the paper's circuits "
        "where these differ from ours.",
    )
    made = picture(_WIDTH, top + sum(pairs.height(found)) + 0.4, kind.heading, caption)
    return made, _panels(made, part, top, rows)


def haac_passes(kind: Kind, part: Part) -> Picture | None:
    """Figure 6: speed-ups by compiler pass."""
    names = ["baseline", "reorder, rename", "reorder, rename, spent wires"]
    groups = {name: _values(rows) for name, rows in programs(part).items()}
    if not groups:
        return None
    made, (axes, *_) = _haac(kind, part, 3.2)
    _grouped(axes, groups, names, [series(6), series(1), series(5)])
    _scale(axes, _SPEED_UP)
    _legend(axes, 3, loc="lower right", bbox_to_anchor=(1, 1))
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
        for name, value in _values(rows).items():
            match = re.match(r"^(.*), (.*), (compute|wires)$", name)
            if match:
                groups.setdefault(f"{match[1]}\n{match[2]}", {})[match[3]] = value
        _grouped(panel, groups, ["compute", "wires"], [series(1), series(5)])
        _scale(panel, "time, µs")
        panel.set_title(program, fontsize=9, loc="left")
        if place == 0:
            _legend(panel, 2, loc="lower right", bbox_to_anchor=(1, 1))
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
                for name, value in _values(rows).items()
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
        panel.set_xticks(ticks, [str(tick) for tick in ticks])
        panel.set_xlabel("gate engines", fontsize=8)
        panel.set_title(memory.upper(), fontsize=9, loc="left")
        panel.grid(color="#dddddd", linewidth=0.6)
        bare(panel)
        if side:
            panel.legend(fontsize=7.5, frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))
        else:
            _scale(panel, _SPEED_UP)
    return made


def haac_energy(kind: Kind, part: Part) -> Picture | None:
    """Figure 9: shares of the energy by component."""
    names = ["half gates", "window", "HBM2 interface", "queues", "crossbar", "others"]
    groups = {name: _values(rows) for name, rows in programs(part).items()}
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
    _legend(axes, 6, loc="lower right", bbox_to_anchor=(1, 1))
    return made


def haac_slowdown(kind: Kind, part: Part) -> Picture | None:
    """Figure 10: slowdown against plain code. Quick runs have no bars by program."""
    names = ["CPU", "DDR4", "HBM2"]
    groups = {name: _values(rows) for name, rows in programs(part).items()}
    groups = {name: group for name, group in groups.items() if set(group) & set(names)}
    measured = [row for row in part.rows if not row.published == row.measured == 0]
    part = replace(part, rows=[replace(row, measured=row.measured or None) for row in measured])
    if not groups:
        return compared(kind, part)
    made, (axes, *_) = _haac(kind, part, 3.2)
    _grouped(axes, groups, names, [series(6), series(1), series(5)])
    _scale(axes, "slowdown against plain Rust, times")
    _legend(axes, 3, loc="lower right", bbox_to_anchor=(1, 1))
    return made


_CLOCKS = re.compile(r"^([\d.]+) clocks;.*Table 3 has ([\d.]+)")
_FASE = re.compile(r"^([^,]+), (paper|best), (\d) pipelines?(: off .*)?$")


_FASE_SERIES = [
    "published, 1 pipeline",
    "our model of it, 1 pipeline",
    "published, 2 pipelines",
    "our model of it, 2 pipelines",
    "our machine, 2 pipelines",
]


def fase_clocks(kind: Kind, part: Part) -> Picture | None:
    """Table 3: clocks of the published garblers, and of ours; a panel for each set of netlists."""
    ours, public = _fase_groups(part)
    panels = {
        title: groups
        for title, groups in (
            ("our own Verilog functions, whose netlists are not the paper's", ours),
            ("the public netlists, as recorded", public),
        )
        if groups
    }
    if not panels:
        return None
    made = picture(11, 0.6 + 3.2 * len(panels), kind.heading, _caption(part))
    grid = made.subplots(len(panels), 1, squeeze=False)[:, 0]
    pale = {**PUBLISHED, "hatch": "...."}
    light = {**MEASURED, "facecolor": COLOURS[6]}
    for axes, (title, groups) in zip(grid, panels.items()):
        names = [name for name in _FASE_SERIES if any(name in group for group in groups.values())]
        styles = dict(zip(_FASE_SERIES, (PUBLISHED, light, pale, MEASURED, series(5))))
        _grouped(axes, groups, names, [styles[name] for name in names])
        _scale(axes, "clock cycles to garble")
        axes.set_title(title, fontsize=9, loc="left")
        axes.set_xticks(range(len(groups)), [name.replace("_", "_\n", 1) for name in groups])
    _legend(grid[0], 2, loc="upper left")
    return made


def _fase_groups(part: Part) -> tuple[dict[str, dict[str, float]], dict[str, dict[str, float]]]:
    """Clocks by netlist and series: of printed rows, and of the notes of recorded ones."""
    ours: dict[str, dict[str, float]] = {}
    public: dict[str, dict[str, float]] = {}
    for row in part.rows:
        match = _FASE.match(row.name)
        if match is None or match[3] not in "12":
            continue
        netlist, machine, count = match[1], match[2], int(match[3])
        measured, published = row.measured, row.published
        if match[4]:
            # A record has the difference in percent, and the clocks in its note.
            clocks = _CLOCKS.match(row.note)
            if clocks is None:
                continue
            measured, published = float(clocks[1]), float(clocks[2])
        elif row.unit != "clocks" or row.part:
            continue
        group = (public if match[4] else ours).setdefault(netlist, {})
        if machine == "best":
            if count == 2 and measured is not None:
                group[_FASE_SERIES[4]] = measured
            continue
        if published is not None:
            group[_FASE_SERIES[2 * count - 2]] = published
        if measured is not None:
            group[_FASE_SERIES[2 * count - 1]] = measured
    return ours, public


def _sets(kind: Kind, part: Part, ends: dict[str, str], axis: str) -> Picture | None:
    """GarbledCPU's instruction sets, by the words of its memory. `ends` has the names of series."""
    found: dict[str, dict[str, dict[str, float]]] = {}
    for row in part.rows:
        match = re.match(r"^(.*?)(?: set)?, (\d+) words, (.*)$", row.name)
        if match is None or match[3] not in ends:
            continue
        group = found.setdefault(match[1], {}).setdefault(match[2], {})
        if row.published is not None:
            group["published"] = row.published
        if row.measured is not None:
            group[ends[match[3]]] = row.measured
    if not found:
        return None
    reasons = [text.replace("† No verdict", "Without a verdict") for text in _marked(part.rows)[1]]
    made = picture(11, 5.4, kind.heading, _caption(part, *reasons))
    grid = made.subplots(2, 4, sharey=True).ravel()
    names = ["published", *ends.values()]
    styles = [PUBLISHED, MEASURED, series(5), series(3)]
    for axes, (title, groups) in zip(grid, found.items()):
        _grouped(axes, groups, names, styles)
        axes.set_xlim(-0.6, max(len(own) for own in found.values()) - 0.4)
        axes.set_title(f"{title} set", fontsize=9, loc="left")
    for axes in grid[len(found) :]:
        axes.set_axis_off()
    for axes in grid[max(0, len(found) - 4) : len(found)]:
        axes.set_xlabel("words of memory", fontsize=8)
    for axes in grid[::4]:
        _scale(axes, axis)
    handles, labels = grid[0].get_legend_handles_labels()
    if len(found) < 8:
        grid[7].legend(handles, labels, fontsize=8, frameon=False, loc="center")
    return made


def garbledcpu_clocks(kind: Kind, part: Part) -> Picture | None:
    """Table 4: clocks a gate."""
    start = "clocks a non-XOR gate, "
    ends = {
        start + "one pipeline": "measured, one pipeline",
        start + "four pipelines": "measured, four pipelines",
    }
    return _sets(kind, part, ends, "clock cycles a non-XOR gate")


def garbledcpu_gates(kind: Kind, part: Part) -> Picture | None:
    """Table 2: gates of the processors."""
    ends = {
        "non-XOR": "measured, all registers",
        "our program's registers, non-XOR": "measured, the program's registers",
    }
    return _sets(kind, part, ends, "non-XOR gates a step")


def sifo_times(kind: Kind, part: Part) -> Picture | None:
    """Times of the overlay; names lose what all rows share."""
    rows = [
        replace(row, name=row.name + ("\N{NO-BREAK SPACE}*" if "fitting" in row.note else ""))
        for row in part.rows
        if row.unit in ("us", "ms") and not row.part
    ]
    if not rows:
        return None
    ends = {row.name.partition("\N{NO-BREAK SPACE}")[0].rpartition(", ")[2] for row in rows}
    if len(ends) == 1:
        common = ends.pop()
        rows = [replace(row, name=row.name.replace(f", {common}", "")) for row in rows]
    title = f"{kind.heading}: {part.title}" if part.title else kind.heading
    fitted = ["* Used for fitting."] if any("*" in row.name for row in rows) else []
    caption = _caption(replace(part, origins=part.origins[:1]), *fitted)
    made = picture(_WIDTH, 0.4 + sum(pairs.height(pairs.by_unit(rows))), title, caption)
    _panels(made, part, rows=rows)
    return made


#: All pictures, in the order of papers and figures.
KINDS = [
    Kind("haac", "headlines", "headlines", compared, True),
    Kind("haac", "table2", "Table 2: ANDs of the programs", compared, True),
    Kind("haac", "figure6", "Figure 6: speed-up by compiler pass, 16 engines, DDR4", haac_passes),
    Kind(
        "haac",
        "figure7",
        "Figure 7: computing and wire traffic, each alone, 16 engines, DDR4",
        haac_traffic,
    ),
    Kind("haac", "figure8", "Figure 8: speed-up by number of engines", haac_engines),
    Kind("haac", "figure9", "Figure 9: energy by component, 16 engines, HBM2", haac_energy),
    Kind("haac", "figure10", "Figure 10: slowdown against plain code, 16 engines", haac_slowdown),
    Kind("haac", "table5", "Table 5: times beside those of earlier work", compared, True),
    Kind("fase", "headlines", "headlines", compared, True),
    Kind("fase", "table2", "Table 2: gates of the functions", compared, True),
    Kind("fase", "table3", "Table 3: clock cycles", fase_clocks, True),
    Kind("fase", "table4", "Table 4: resources", compared, True),
    Kind("fase", "table5", "Table 5: resources by module", compared, True),
    Kind("garbledcpu", "headlines", "headlines", compared, True),
    Kind("garbledcpu", "table1", "Table 1: instructions of the programs", compared, True),
    Kind("garbledcpu", "table2", "Table 2: gates of the processors", garbledcpu_gates, True),
    Kind("garbledcpu", "table3", "Table 3: resources", compared, True),
    Kind("garbledcpu", "table4", "Table 4: clock cycles a gate", garbledcpu_clocks, True),
    Kind("garbledcpu", "table5", "Table 5: clock cycles, beside other evaluators", compared, True),
    Kind("overlay", "headlines", "headlines", compared, True),
    *(
        Kind("overlay", f"table{number}", f"Table {number}", sifo_times)
        for number in (5, 6, 7, 8, 9)
    ),
    Kind("overlay", "table10", "Table 10: gain of the second policy", compared, True),
    Kind("overlay", "table11", "Table 11", sifo_times),
    Kind("mobile", "headlines", "headlines", compared, True),
    Kind("mobile", "gates", "clock cycles of a gate", compared, True),
    Kind("mobile", "link", "bytes on the link", compared, True),
    Kind("mobile", "time", "times", compared, True),
]
