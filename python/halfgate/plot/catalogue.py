"""The pictures of the papers: what each shows, and how it is drawn."""

from __future__ import annotations

import re
from dataclasses import replace

from . import pairs
from .haac import haac_energy, haac_engines, haac_passes, haac_slowdown, haac_traffic
from .layout import WIDTH, Kind, caption_of, compared, grouped, label_scale, legend, marked, panels
from .reading import Part
from .style import COLOURS, MEASURED, PUBLISHED, Picture, picture, series

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
    sets = {
        title: groups
        for title, groups in (
            ("our own Verilog functions, whose netlists are not the paper's", ours),
            ("the public netlists, as recorded", public),
        )
        if groups
    }
    if not sets:
        return None
    made = picture(11, 0.6 + 3.2 * len(sets), kind.heading, caption_of(part))
    grid = made.subplots(len(sets), 1, squeeze=False)[:, 0]
    pale = {**PUBLISHED, "hatch": "...."}
    light = {**MEASURED, "facecolor": COLOURS[6]}
    for axes, (title, groups) in zip(grid, sets.items()):
        names = [name for name in _FASE_SERIES if any(name in group for group in groups.values())]
        styles = dict(zip(_FASE_SERIES, (PUBLISHED, light, pale, MEASURED, series(5))))
        grouped(axes, groups, names, [styles[name] for name in names])
        label_scale(axes, "clock cycles to garble")
        axes.set_title(title, fontsize=9, loc="left")
        axes.set_xticks(range(len(groups)), [name.replace("_", "_\n", 1) for name in groups])
    legend(grid[0], 2, loc="upper left")
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
    reasons = [text.replace("† No verdict", "Without a verdict") for text in marked(part.rows)[1]]
    made = picture(11, 5.4, kind.heading, caption_of(part, *reasons))
    grid = made.subplots(2, 4, sharey=True).ravel()
    names = ["published", *ends.values()]
    styles = [PUBLISHED, MEASURED, series(5), series(3)]
    for axes, (title, groups) in zip(grid, found.items()):
        grouped(axes, groups, names, styles)
        axes.set_xlim(-0.6, max(len(own) for own in found.values()) - 0.4)
        axes.set_title(f"{title} set", fontsize=9, loc="left")
    for axes in grid[len(found) :]:
        axes.set_axis_off()
    for axes in grid[max(0, len(found) - 4) : len(found)]:
        axes.set_xlabel("words of memory", fontsize=8)
    for axes in grid[::4]:
        label_scale(axes, axis)
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
    caption = caption_of(replace(part, origins=part.origins[:1]), *fitted)
    made = picture(WIDTH, 0.4 + sum(pairs.height(pairs.by_unit(rows))), title, caption)
    panels(made, part, rows=rows)
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
    Kind("fase", "table3", "Table 3: clock cycles", fase_clocks, True, True),
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
