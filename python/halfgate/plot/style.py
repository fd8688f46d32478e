"""Colours, hatches and captions. Every series differs in more than its colour."""

from __future__ import annotations

import io
import math
import os
import textwrap
from typing import Any, Sequence

import matplotlib as mpl
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullFormatter

#: Colour, hatch and line of published and of measured values.
PUBLISHED: dict[str, Any] = {"facecolor": "#f2f2f2", "edgecolor": "#333333", "hatch": "////"}
MEASURED: dict[str, Any] = {"facecolor": "#0072B2", "edgecolor": "#333333"}

#: Colours of Okabe and Ito, which colour-blind readers can tell apart, in order of lightness.
COLOURS = ["#111111", "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#F0E442"]
HATCHES = ["", "", "xxx", "///", "...", "\\\\\\", "", "---"]
MARKERS = ["o", "s", "^", "v", "D", "x", "+", "*"]
LINES = ["-", "--", "-.", ":", "-", "--", "-.", ":"]

#: Characters of a line of a caption, for each inch of width.
_CHARACTERS_PER_INCH = 16
#: Points of a caption, and inches of its lines.
_CAPTION, _CAPTION_LINE = 8.5, 0.17


class Picture(Figure):
    """A figure of matplotlib that a notebook shows as it is."""

    def _repr_svg_(self) -> str:
        out = io.StringIO()
        with mpl.rc_context({"svg.hashsalt": "halfgate"}):
            self.savefig(out, format="svg")
        return out.getvalue()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the picture; the name's ending says the format, such as .svg or .png."""
        kind = os.path.splitext(os.fspath(path))[1].lower()
        # Without the date, the same figures are the same file.
        metadata = {"Date": None} if kind == ".svg" else None
        with mpl.rc_context({"svg.hashsalt": "halfgate"}):
            self.savefig(path, dpi=144, metadata=metadata)


def series(number: int) -> dict[str, Any]:
    """The bar of a series."""
    number %= len(COLOURS)
    return {
        "facecolor": COLOURS[number],
        "edgecolor": "#ffffff" if number in (0, 1) else "#333333",
        "hatch": HATCHES[number],
        "linewidth": 0.5,
    }


def picture(width: float, height: float, title: str, caption: Sequence[str] = ()) -> Picture:
    """An empty picture with a title, and a caption below, whose paragraphs are wrapped."""
    wide = int(width * _CHARACTERS_PER_INCH)
    lines = [line for text in caption for line in textwrap.wrap(text, wide)]
    made = Picture(figsize=(width, height + _CAPTION_LINE * len(lines)), layout="constrained")
    made.suptitle(title, fontsize=11, x=0.01, ha="left")
    if lines:
        made.supxlabel("\n".join(lines), fontsize=_CAPTION, x=0.01, ha="left", color="#333333")
    return made


def bare(axes: Any) -> None:
    """Leaves out lines that carry no information."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(labelsize=8)
    axes.set_axisbelow(True)


def number(value: float) -> str:
    """A value as a label: three digits, or an integer with commas."""
    if value and abs(value) < 0.001:
        return f"{value:.1e}"
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def plain_powers(axis: Any, steps: Sequence[float] = (1,)) -> None:
    """Labels a logarithmic axis with numbers up to a million; `steps` have a label each decade."""
    axis.set_major_locator(LogLocator(subs=steps))
    axis.set_major_formatter(lambda value, _: _power(value))
    axis.set_minor_formatter(NullFormatter())


def _power(value: float) -> str:
    if 0.001 <= value <= 1e6:
        return f"{value:,.10g}"
    return f"$10^{{{round(math.log10(value))}}}$"


def wide_range(values: Sequence[float]) -> bool:
    """Whether only a logarithmic axis shows the smallest value."""
    positive = [value for value in values if value > 0]
    return len(positive) == len(values) > 0 and max(positive) > 30 * min(positive)
