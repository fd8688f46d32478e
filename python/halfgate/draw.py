"""Pictures of programs."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .program import Program

#: Pixels of a box, and between boxes.
_WIDTH, _HEIGHT, _GAP_X, _GAP_Y = 190, 58, 24, 46
#: Most boxes of a picture; those with the fewest ANDs are left out.
_MOST = 40
#: Colours of lines.
_COLOURS = ["#888888", "#0072B2", "#D55E00", "#009E73"]
#: Most boxes beside each other.
_COLUMNS = 6


class Drawing:
    """A picture as SVG. A notebook shows it as it is."""

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<Drawing, {len(self.svg)} bytes of SVG>"

    def save(self, path: str) -> None:
        """Writes an SVG file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.svg)


class _Box:
    """Functions of one name and level."""

    def __init__(self, title: str, level: int) -> None:
        self.title = title
        self.level = level
        self.functions = 0
        #: ANDs of a run of one function, and of all functions in the whole run.
        self.own = 0
        self.ands = 0
        self.runs = 0
        #: The calls of other boxes: their forms with the number of runs.
        self.calls: dict[_Box, list[tuple[str, int]]] = {}
        self.x = self.y = 0


def drawing(program: Program) -> Drawing:
    """The program's functions as boxes with their ANDs in the whole run, and its calls as lines.

    Functions of one name, as the maps of one source line, are one box.
    """
    functions = program.native.functions()
    runs, levels = [0] * len(functions), [0] * len(functions)
    runs[-1] = 1
    # Functions come before those that call them.
    for number in reversed(range(len(functions))):
        for called, _, times in functions[number][3]:
            runs[called] += times * runs[number]
            levels[called] = max(levels[called], levels[number] + 1)
    boxes: dict[tuple[str, int], _Box] = {}
    of: dict[int, _Box] = {}
    for number in reversed(range(len(functions))):
        name, _, own, _ = functions[number]
        if runs[number]:
            key = (name or program.name, levels[number])
            box = of[number] = boxes.setdefault(key, _Box(*key))
            box.functions += 1
            box.own = own
            box.ands += own * runs[number]
            box.runs += runs[number]
    for number, box in of.items():
        for called, form, times in functions[number][3]:
            box.calls.setdefault(of[called], []).append((form, times))
    used = list(boxes.values())
    shown = sorted(used, key=lambda box: -box.ands)[:_MOST]
    if used[0] not in shown:
        shown[-1] = used[0]
    shown = [box for box in used if box in shown]
    missing = sum(box.functions for box in used) - sum(box.functions for box in shown)
    return Drawing(_svg(program, shown, missing))


def _svg(program: Program, boxes: list[_Box], missing: int) -> str:
    row = 0
    for level in sorted({box.level for box in boxes}):
        own = [box for box in boxes if box.level == level]
        for place, box in enumerate(own):
            box.x = _GAP_X + place % _COLUMNS * (_WIDTH + _GAP_X)
            box.y = 40 + (row + place // _COLUMNS) * (_HEIGHT + _GAP_Y)
        row += -(-len(own) // _COLUMNS)
    width = max(box.x for box in boxes) + _WIDTH + _GAP_X
    height = max(box.y for box in boxes) + _HEIGHT + _GAP_X
    most = max((box.ands for box in boxes), default=0) or 1
    note = f", {missing} smaller functions not shown" if missing else ""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" font-family="sans-serif" font-size="12">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
        f'<text x="{_GAP_X}" y="22">{escape(program.name)}: {program.ands:,} ANDs{note}</text>',
    ]
    callers = [box for box in boxes if box.calls]
    for number, box in enumerate(callers):
        parts += [_line(box, to, number) for to in box.calls if to in boxes]
    for box in boxes:
        parts += _box(box, most, program.ands)
        labels = dict.fromkeys(_label(other.calls[box]) for other in boxes if box in other.calls)
        parts.append(
            f'<text x="{box.x}" y="{box.y - 6}" fill="#444444" font-size="10">'
            f"{escape(_cut(', '.join(labels), 36))}</text>"
        )
    return "\n".join([*parts, "</svg>"])


def _line(box: _Box, to: _Box, caller: int) -> str:
    """A call, as a line between the rows and columns of boxes. Lines of callers that follow each
    other have different colours and places."""
    colour = _COLOURS[caller % len(_COLOURS)]
    shift = 4 * (caller % len(_COLOURS))
    x, y = box.x + _WIDTH // 2, box.y + _HEIGHT
    below, beside, end = y + 8 + shift, to.x - 16 + shift, to.y + _HEIGHT // 2 + shift
    points = f"{x},{y} {x},{below} {beside},{below} {beside},{end} {to.x},{end}"
    return f'<polyline points="{points}" fill="none" stroke="{colour}"/>'


def _label(calls: list[tuple[str, int]]) -> str:
    """The calls of a box by another."""
    forms = dict.fromkeys(form for form, _ in calls)
    if len(calls) == 1 or len(set(calls)) == 1:
        form, runs = calls[0]
        label = form if form == "call" else f"{form} {runs:,}"
        return label if len(calls) == 1 else f"{label}, {len(calls):,} times"
    least, most = min(runs for _, runs in calls), max(runs for _, runs in calls)
    return f"{len(calls):,} times {'/'.join(forms)} {least:,} to {most:,}"


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 1] + "…"


def _box(box: _Box, most: int, all_ands: int) -> list[str]:
    """A box, the darker the more its own gates cost."""
    shade = 255 - round(90 * box.ands / most)
    share = f"{100 * box.ands / all_ands:.1f} %" if all_ands else "free"
    each = f"{box.own:,} each" if box.functions == 1 else f"{box.functions:,} functions"
    texts = [
        _cut(box.title, 28),
        f"{box.ands:,} ANDs, {share}",
        f"{each}, {box.runs:,} run{'s' * (box.runs != 1)}",
    ]
    parts = [
        f'<rect x="{box.x}" y="{box.y}" width="{_WIDTH}" height="{_HEIGHT}" rx="4" '
        f'fill="rgb({shade},{shade},255)" stroke="#333333"/>'
    ]
    for row, text in enumerate(texts):
        parts.append(f'<text x="{box.x + 8}" y="{box.y + 18 + 16 * row}">{escape(text)}</text>')
    return parts
