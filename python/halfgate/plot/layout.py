"""What the pictures of all papers share."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any, Callable

from . import pairs
from .reading import PAPERS, Part, Row
from .style import Picture, bare, picture, plain_powers, wide_range

#: Names of rows for the paper's own circuits.
AS_PUBLISHED = " as published"
ALL_AS_PUBLISHED = ", circuits as published"
#: Inches of most pictures.
WIDTH = 9.5
#: Most clauses of reasons in a caption.
_REASONS = 6
_NUMBER = re.compile(r"(?<![\w-])\d[\d.,]*(?![\w-])")


@dataclass(frozen=True)
class Kind:
    """A picture: a table or figure of a paper."""

    paper: str
    part: str
    title: str
    draw: Callable[[Kind, Part], Picture | None]
    #: Whether the record has the rows, or only the printed results.
    recorded: bool = False
    #: Whether printed results add values to those of a record.
    printed: bool = False

    @property
    def name(self) -> str:
        """The file's name, without its ending."""
        return f"{self.paper}-{self.part}"

    @property
    def heading(self) -> str:
        """The title with the paper's name."""
        return f"{PAPERS[self.paper]}, {self.title}"


def caption_of(part: Part, *more: str) -> list[str]:
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


def marked(rows: list[Row]) -> tuple[list[Row], list[str]]:
    """Marks rows without a verdict; returns them with a caption that has the reasons."""
    #: Clauses by their text without numbers.
    reasons: dict[str, set[str]] = {}
    marked = []
    for row in rows:
        reason = row.note.partition("no verdict: ")[2]
        if reason and row.published is not None and row.measured is not None:
            for clause in reason.split("; "):
                reasons.setdefault(_NUMBER.sub("…", clause), set()).add(clause)
            row = replace(row, name=row.name + "\N{NO-BREAK SPACE}†")
        marked.append(row)
    # Clauses that differ in numbers are one.
    shown = [min(own) if len(own) == 1 else text for text, own in reasons.items()][:_REASONS]
    if len(reasons) > len(shown):
        shown.append("further reasons are in the record")
    return marked, [f"† No verdict: {'; '.join(shown)}."] if shown else []


def legend(axes: Any, columns: int = 1, **more: Any) -> None:
    axes.legend(fontsize=7.5, ncols=columns, frameon=False, **more)


def without_twins(rows: list[Row]) -> list[Row]:
    """Leaves out rows that another row has for the paper's own circuits."""
    twins = {
        row.name.replace(ALL_AS_PUBLISHED, "").replace(AS_PUBLISHED, "")
        for row in rows
        if AS_PUBLISHED in row.name
    }
    return (
        [
            replace(row, name=row.name.replace(ALL_AS_PUBLISHED, ""))
            for row in rows
            if row.name.split(" (")[0] not in {twin.split(" (")[0] for twin in twins}
            or AS_PUBLISHED in row.name
        ]
        if twins
        else rows
    )


def panels(made: Picture, part: Part, top: float = 0.0, rows: list[Row] | None = None) -> list[Any]:
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
            legend(panel, 2, loc="lower right", bbox_to_anchor=(1, 1), borderaxespad=0.1)
    return list(axes)


def compared(kind: Kind, part: Part) -> Picture | None:
    """Bars of all rows with a published value."""
    rows, reasons = marked([_shortened(row) for row in without_twins(part.rows) if not _needs(row)])
    found = pairs.by_unit(rows)
    if not found:
        return None
    made = picture(WIDTH, 0.4 + sum(pairs.height(found)), kind.heading, caption_of(part, *reasons))
    panels(made, part, rows=rows)
    return made


def _needs(row: Row) -> bool:
    """Whether the run lacked a netlist, so that nothing could be measured."""
    return row.measured is None and row.note.startswith("needs --")


def _shortened(row: Row) -> Row:
    """A row without the table's name, which the title has. Values a gate have their own unit."""
    name = re.sub(r"^(SIFO, )?[Tt]able ?\d+, ", "", row.name)
    unit = f"{row.unit} a gate" if name.endswith(", a gate") else row.unit
    return replace(row, name=name, unit=unit)


def grouped(
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
        plain_powers(axes.yaxis)
        axes.set_ylim(min(values) / 2, max(values) * 2)
    axes.grid(axis="y", color="#dddddd", linewidth=0.6)
    bare(axes)


def label_scale(axes: Any, text: str) -> None:
    axes.set_ylabel(text + (", logarithmic" if axes.get_yscale() == "log" else ""), fontsize=8)


def measured_values(rows: dict[str, Row]) -> dict[str, float]:
    return {name: row.measured for name, row in rows.items() if row.measured is not None}
