"""Reads records and the printed results of `halfgate reproduce NAME --json`."""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Sequence

#: Papers, as `halfgate reproduce` names them.
PAPERS = {
    "haac": "HAAC",
    "fase": "FASE",
    "garbledcpu": "GarbledCPU",
    "overlay": "SIFO",
    "mobile": "Mobile coprocessor",
}


class RecordError(ValueError):
    """A file of results that cannot be read."""


@dataclass(frozen=True)
class Row:
    """A figure: its published and its measured value."""

    name: str
    unit: str = ""
    published: float | None = None
    measured: float | None = None
    target: float | None = None
    at_most: bool = False
    met: bool | None = None
    how: str = ""
    note: str = ""
    part: str = ""
    headline: bool = False

    @staticmethod
    def of(entry: dict[str, Any]) -> Row:
        """The row of a JSON object."""
        fields = Row.__dataclass_fields__
        return Row(
            **{key: value for key, value in entry.items() if key in fields and value is not None}
        )


@dataclass
class Part:
    """The rows of a table or figure, and where they are from."""

    name: str
    rows: list[Row]
    title: str = ""
    notes: list[str] = field(default_factory=list)
    #: Computer, date and commit, once for each file that rows are from.
    origins: list[str] = field(default_factory=list)
    quick: bool = False
    #: Whether `halfgate reproduce NAME --json` printed it, or only a record has it.
    printed: bool = False


@dataclass
class File:
    """A file of results."""

    name: str
    origin: str
    rows: list[Row]
    parts: list[Part]

    @property
    def is_record(self) -> bool:
        """Whether the scoreboard reads it: printed results have parts in addition."""
        return not self.parts


def read(folders: str | os.PathLike[str] | Sequence[str | os.PathLike[str]]) -> list[File]:
    """Reads the JSON files of folders, in order of their names."""
    if isinstance(folders, (str, os.PathLike)):
        folders = [folders]
    files = []
    for folder in folders:
        if not Path(folder).is_dir():
            raise RecordError(f"{os.fspath(folder)} is not a folder: give one with JSON records")
        files += [_file(path) for path in sorted(Path(folder).glob("*.json"))]
    if not files:
        names = ", ".join(os.fspath(folder) for folder in folders)
        raise RecordError(f"{names}: no JSON records; `halfgate reproduce NAME --out` writes them")
    return files


def _file(path: Path) -> File:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise RecordError(f"{path}: {error}") from None
    return file_of(path.stem, text, str(path))


def file_of(name: str, text: str, source: str) -> File:
    """The results in the text of a file; `source` names it in errors."""
    try:
        found = json.loads(text)
        origin = f"{found['machine']}, {found['date'][:10]}, commit {found['commit']}"
        quick = bool(found.get("quick"))
        parts = [
            Part(
                part["name"],
                [Row.of(entry) for entry in part["figures"]],
                part["title"],
                part.get("notes", []),
                [origin],
                quick,
                True,
            )
            for part in found.get("parts", [])
        ]
        # A quick run's targets are of other sizes than those of the records.
        entries = found.get("results", [] if quick else found.get("targets", []))
        rows = [Row.of(entry) for entry in entries]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise RecordError(f"{source}: not a record of Halfgate: {error!r}") from None
    return File(name, origin, rows, parts)


def part_of(files: list[File], paper: str, name: str) -> Part | None:
    """The rows of a part of a paper, from all files whose names begin with the paper's.

    Printed results have all rows, a record has those with a target. A printed row without a
    measured value takes that of the record, and a quick run counts only if there is nothing else.
    """
    own = [file for file in files if re.split(r"[-.]", file.name)[0] == paper]
    printed = [part for file in own for part in file.parts if part.name == name]
    printed.sort(key=lambda part: part.quick)
    known: dict[str, Row] = {}
    origins: list[str] = []
    # The paper's own record comes last, and counts.
    for file in sorted(own, key=lambda file: file.name == paper):
        found = {row.name: row for row in file.rows if row.part == name}
        known.update(found)
        origins = [file.origin] if found else origins
    rows = list(known.values())
    if not printed and not rows:
        return None
    recorded = Part(name, rows, origins=origins)
    if not printed:
        return recorded
    first = printed[0]
    if first.quick and rows and not name.startswith("figure"):
        return recorded
    merged = [
        known[row.name] if row.measured is None and row.name in known else row for row in first.rows
    ]
    seen = {row.name for row in first.rows}
    extra = [row for row in rows if row.name not in seen and not first.quick]
    used = first.origins + (origins if extra else [])
    return replace(first, rows=merged + extra, origins=list(dict.fromkeys(used)))
