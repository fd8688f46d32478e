"""Pictures of programs."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .program import Program

#: Pixels of a box, and between boxes.
_WIDTH, _HEIGHT, _GAP_X, _GAP_Y = 190, 58, 24, 46
#: Most functions of a picture; those with the fewest ANDs are left out.
_MOST = 40


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
    def __init__(self, number: int, title: str, own: int, calls: list[tuple[int, str, int]]) -> None:
        self.number = number
        self.title = title
        self.own = own
        self.calls = calls
        self.runs = 0
        self.level = 0
        self.x = self.y = 0


def drawing(program: Program) -> Drawing:
    """The program's functions as boxes with their ANDs in the whole run, and its calls as lines."""
    boxes = [
        _Box(number, name or program.name, ands, calls)
        for number, (name, _, ands, calls) in enumerate(program.native.functions())
    ]
    boxes[-1].runs = 1
    # Functions come before those that call them.
    for box in reversed(boxes):
        for number, _, runs in box.calls:
            boxes[number].runs += runs * box.runs
            boxes[number].level = max(boxes[number].level, box.level + 1)
    used = [box for box in boxes if box.runs]
    shown = sorted(used, key=lambda box: (-box.own * box.runs, -box.number))[:_MOST]
    if boxes[-1] not in shown:
        shown[-1] = boxes[-1]
    return Drawing(_svg(program, shown, len(used) - len(shown)))


def _svg(program: Program, boxes: list[_Box], missing: int) -> str:
    levels: dict[int, list[_Box]] = {}
    for box in sorted(boxes, key=lambda box: -box.number):
        levels.setdefault(box.level, []).append(box)
    for row, level in enumerate(sorted(levels)):
        for column, box in enumerate(levels[level]):
            box.x = _GAP_X + column * (_WIDTH + _GAP_X)
            box.y = 40 + row * (_HEIGHT + _GAP_Y)
    width = max(box.x for box in boxes) + _WIDTH + _GAP_X
    height = max(box.y for box in boxes) + _HEIGHT + _GAP_X
    most = max((box.own * box.runs for box in boxes), default=0) or 1
    note = f", {missing} smaller functions not shown" if missing else ""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" font-family="sans-serif" font-size="12">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
        f'<text x="{_GAP_X}" y="22">{escape(program.name)}: {program.ands:,} ANDs{note}</text>',
    ]
    places = {box.number: box for box in boxes}
    for box in boxes:
        parts += _lines(box, places)
    for box in boxes:
        parts += _box(box, most, program.ands)
    return "\n".join([*parts, "</svg>"])


def _lines(box: _Box, places: dict[int, _Box]) -> list[str]:
    """The calls of a function; calls of one form and number of runs are one line."""
    counted: dict[tuple[int, str, int], int] = {}
    for call in box.calls:
        counted[call] = counted.get(call, 0) + 1
    parts = []
    for (number, form, runs), times in counted.items():
        if number not in places:
            continue
        to = places[number]
        x1, y1 = box.x + _WIDTH // 2, box.y + _HEIGHT
        x2, y2 = to.x + _WIDTH // 2, to.y
        label = form if form == "call" else f"{form} {runs:,}"
        label += f", {times} times" if times > 1 else ""
        parts.append(f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="#888888"/>')
        parts.append(
            f'<text x="{(x1 + x2) // 2 + 4}" y="{(y1 + y2) // 2 + 4}" fill="#444444" '
            f'font-size="10">{escape(label)}</text>'
        )
    return parts


def _box(box: _Box, most: int, all_ands: int) -> list[str]:
    """A box, the darker the more its own gates cost."""
    total = box.own * box.runs
    shade = 255 - round(90 * total / most)
    share = f"{100 * total / all_ands:.1f} %" if all_ands else "free"
    texts = [
        box.title if len(box.title) <= 28 else box.title[:27] + "…",
        f"{total:,} ANDs, {share}",
        f"{box.own:,} each, {box.runs:,} run{'s' * (box.runs != 1)}",
    ]
    parts = [
        f'<rect x="{box.x}" y="{box.y}" width="{_WIDTH}" height="{_HEIGHT}" rx="4" '
        f'fill="rgb({shade},{shade},255)" stroke="#333333"/>'
    ]
    for row, text in enumerate(texts):
        parts.append(f'<text x="{box.x + 8}" y="{box.y + 18 + 16 * row}">{escape(text)}</text>')
    return parts
