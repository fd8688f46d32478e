"""Pictures of programs."""

from __future__ import annotations

import os
import re
import textwrap
from typing import TYPE_CHECKING, Any

from .style import Picture, bare, number, picture

if TYPE_CHECKING:
    from ..program import Program

#: Most lines of a picture; the rest is one bar.
_LINES = 30
_SHADES = ["#56B4E9", "#F0E442", "#CC79A7", "#E69F00", "#bbbbbb"]
_HATCHES = ["", "", "..", "//", ""]


def program(of: Program) -> Any:
    """The functions of a program with their costs: ``program.draw()``."""
    return of.draw()


def cost(of: Program) -> Picture:
    """The cost of a program by source line, as an icicle: the run, its files, and their lines.

    Widths are shares of the ANDs, which cost time and bytes; a line's place is that in the file.
    """
    lines = [(line or "(no line)", ands) for line, ands in of.native.lines() if ands]
    all_ands = sum(ands for _, ands in lines)
    if not all_ands:
        made = picture(9, 1.2, f"{of.name}: no ANDs, so that a run costs only its inputs")
        made.subplots().set_axis_off()
        return made
    files: dict[str, list[tuple[str, int]]] = {}
    for line, ands in lines:
        file, _, row = line.rpartition(":")
        files.setdefault(file or line, []).append((row if file else "", ands))
    largest = sorted((ands for _, ands in lines), reverse=True)[:_LINES][-1]
    made = picture(
        10,
        3.2,
        f"{of.name}: {all_ands:,} ANDs by source line",
        ["Width: share of the ANDs. Colours and hatches only separate neighbours."],
    )
    axes = made.subplots()
    _block(axes, 0, 0, all_ands, all_ands, of.name, "#ffffff", "")
    start = 0
    place = 0
    for file, own in sorted(files.items(), key=lambda entry: -sum(ands for _, ands in entry[1])):
        total = sum(ands for _, ands in own)
        _block(axes, start, 1, total, all_ands, os.path.basename(file), "#eeeeee", "")
        at = start
        shown = sorted((e for e in own if e[1] >= largest), key=lambda e: _order(e[0]))
        rest = [e for e in own if e[1] < largest]
        if rest:
            shown.append((f"{len(rest)} smaller lines", sum(ands for _, ands in rest)))
        for line, ands in shown:
            name = f"line {line}" if line.isdigit() else line or "no line"
            _block(axes, at, 2, ands, all_ands, name, _SHADES[place % 5], _HATCHES[place % 5])
            at += ands
            place += 1
        start += total
    axes.set_xlim(0, all_ands * 1.002)
    axes.set_ylim(2.5, -0.5)
    axes.set_yticks([0, 1, 2], ["run", "file", "line"])
    axes.set_xlabel("ANDs of a run", fontsize=8)
    axes.xaxis.set_major_formatter(lambda value, _: number(value))
    bare(axes)
    axes.spines["left"].set_visible(False)
    return made


def _order(line: str) -> tuple[int, str]:
    found = re.match(r"\d+", line)
    return (int(found[0]) if found else 0, line)


def _block(
    axes: Any,
    start: float,
    level: int,
    ands: int,
    all_ands: int,
    name: str,
    colour: str,
    hatch: str,
) -> None:
    """A rectangle with as much of its text as fits."""
    axes.barh(
        level,
        ands,
        0.96,
        left=start,
        facecolor=colour,
        edgecolor="#333333",
        hatch=hatch,
        linewidth=0.6,
    )
    share = ands / all_ands
    text = f"{name}\n{number(ands)}\n{100 * share:.1f} %"
    fits = int(share * 120)
    if fits >= 9:
        lines = text.split("\n")
        text = "\n".join(textwrap.shorten(line, fits, placeholder="…") for line in lines)
        turn = 0
    elif fits >= 2:
        text, turn = f"{textwrap.shorten(name, 14, placeholder='…')} {100 * share:.1f} %", 90
    else:
        return
    axes.text(
        start + ands / 2,
        level,
        text,
        ha="center",
        va="center",
        rotation=turn,
        fontsize=7.5,
        bbox={"facecolor": "white", "edgecolor": "none", "pad": 1, "alpha": 0.8},
        clip_on=True,
    )
