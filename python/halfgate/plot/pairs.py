"""Published and measured values side by side."""

from __future__ import annotations

import textwrap
from typing import Any

from .reading import Row
from .style import MEASURED, PUBLISHED, bare, number, plain_powers, wide_range

#: Inches of a row, and of what is around the rows of a panel.
ROW, AROUND = 0.4, 0.75
_BAR = 0.38
_NAME = 52
#: Axes of units, where the unit alone does not say what it is.
_AXES = {
    "ns": "time, ns",
    "us": "time, µs",
    "ms": "time, ms",
    "s": "time, s",
    "x": "times",
    "%": "share, %",
    "mW": "power, mW",
    "MHz": "clock, MHz",
    "clocks": "clock cycles",
    "clocks a gate": "clock cycles a gate",
}


def by_unit(rows: list[Row]) -> dict[str, list[Row]]:
    """Rows with a published value, by unit: a panel each, if at least one row was measured."""
    panels: dict[str, list[Row]] = {}
    for row in rows:
        if row.published is not None:
            panels.setdefault(row.unit, []).append(row)
    return {
        unit: own for unit, own in panels.items() if any(row.measured is not None for row in own)
    }


def height(panels: dict[str, list[Row]]) -> list[float]:
    """Inches of each panel."""
    return [AROUND + ROW * len(rows) for rows in panels.values()]


def draw(axes: Any, rows: list[Row], unit: str) -> None:
    """Draws a panel: two bars a row, with the ratio of measured over published."""
    published = [row.published or 0.0 for row in rows]
    measured = [row.measured for row in rows]
    places = list(range(len(rows)))
    values = published + [value for value in measured if value is not None]
    log = wide_range(values)
    if log:
        axes.set_xscale("log")
        plain_powers(axes.xaxis)
        # The labels right of the bars take a third of the panel.
        spread = 2 * max(values) / min(values)
        axes.set_xlim(min(values) / 2, max(values) * spread**0.42)
    else:
        axes.set_xlim(0, max(values) * 1.35 or 1)
    axes.barh(
        [place - _BAR / 2 for place in places], published, _BAR, label="published", **PUBLISHED
    )
    have = [(place, value) for place, value in zip(places, measured) if value is not None]
    axes.barh(
        [place + _BAR / 2 for place, _ in have],
        [value for _, value in have],
        _BAR,
        label="measured",
        **MEASURED,
    )
    start = axes.get_xlim()[0]
    for place, old, new in zip(places, published, measured):
        texts = [(old, number(old))]
        if new is None:
            texts.append((start, "not measured"))
        else:
            ratio = f"  ({number(new / old)} × published)" if old else ""
            texts.append((new, number(new) + ratio))
        for offset, (value, text) in zip((-_BAR / 2, _BAR / 2), texts):
            axes.annotate(
                text,
                (value, place + offset),
                (3, 0),
                textcoords="offset points",
                va="center",
                fontsize=7,
            )
    axes.set_yticks(places, ["\n".join(textwrap.wrap(row.name, _NAME)[:2]) for row in rows])
    axes.set_ylim(len(rows) - 0.4, -0.6)
    scale = ", logarithmic" if log else ""
    axes.set_xlabel(f"{_AXES.get(unit, unit) or 'value'}{scale}", fontsize=8)
    bare(axes)
