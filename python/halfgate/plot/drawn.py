"""Draws all pictures of the papers."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Sequence

from .catalogue import KINDS
from .layout import Kind
from .reading import PAPERS, Part, RecordError, part_of, read
from .style import Picture


@dataclass
class Drawn:
    """Pictures by name, and what they lack."""

    pictures: dict[str, Picture] = field(default_factory=dict)
    #: What was not drawn or not measured, each with the reason.
    missing: list[str] = field(default_factory=list)
    #: The files written.
    files: list[Path] = field(default_factory=list)

    def save(self, out: str | os.PathLike[str], kind: str = "svg") -> list[Path]:
        """Writes all pictures into a folder, as SVG or PNG."""
        folder = Path(out)
        folder.mkdir(parents=True, exist_ok=True)
        for name, picture in self.pictures.items():
            path = folder / f"{name}.{kind}"
            picture.save(path)
            self.files.append(path)
        return self.files


def records(
    folders: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    out: str | os.PathLike[str] | None = None,
    *,
    format: str = "svg",
    only: Sequence[str] = (),
) -> Drawn:
    """Draws the papers' tables and figures, published and measured side by side.

    ``folders`` have JSON records (``halfgate reproduce NAME --out``) and printed results
    (``halfgate reproduce NAME --json``), whose file names begin with NAME. ``only`` are papers, or
    names of pictures such as ``haac-figure8``. With ``out``, writes the pictures to that folder.
    """
    if format not in ("svg", "png"):
        raise RecordError(f"format={format!r}: give svg or png")
    known = {*PAPERS, *(kind.name for kind in KINDS)}
    unknown = sorted(set(only) - known)
    if unknown:
        raise RecordError(
            f"{', '.join(unknown)}: no such picture; there are {', '.join(sorted(known))}"
        )
    files = read(folders)
    drawn = Drawn()
    for kind in KINDS:
        if only and not {kind.paper, kind.name} & set(only):
            continue
        part = part_of(files, kind.paper, kind.part)
        picture = kind.draw(kind, part) if part else None
        if part is None or picture is None:
            drawn.missing.append(f"{kind.name}: not drawn: {_reason(kind, part)}")
            continue
        drawn.pictures[kind.name] = picture
        drawn.missing += _lacking(kind, part)
    if out is not None:
        drawn.save(out, format)
    return drawn


def _reason(kind: Kind, part: Part | None) -> str:
    command = f"halfgate reproduce {kind.paper} --only {kind.part} --json"
    made = f"`{command} > FOLDER/{kind.name}.json` makes them"
    if not kind.recorded and not (part and part.printed):
        return f"records have only targets, and not the values of this picture; {made}"
    if part is None:
        return f"the records have no rows of it; {made}"
    notes = sorted({row.note for row in part.rows if row.measured is None and row.note})
    return f"no value was measured: {'; '.join(notes) or made}"


def _lacking(kind: Kind, part: Part) -> list[str]:
    """Rows with a published value and none that was measured."""
    by_note: dict[str, list[str]] = {}
    for row in part.rows:
        if row.published is not None and row.measured is None:
            by_note.setdefault(row.note or "no reason is recorded", []).append(row.name)
    return [
        f"{kind.name}: not measured: {'; '.join(names)} ({note})" for note, names in by_note.items()
    ]
