"""The scoreboard as a picture."""

from __future__ import annotations

import os
import subprocess
from datetime import date
from pathlib import PurePosixPath
from typing import Sequence

from .reading import File, RecordError, Row, file_of, read
from .style import COLOURS, LINES, Picture, bare, picture

#: A verdict: its name, how it is drawn in a bar, and the marker of its ratio.
_VERDICTS = [
    ("met", {"facecolor": "#0072B2", "edgecolor": "#333333"}, "o"),
    ("missed", {"facecolor": "#E69F00", "edgecolor": "#333333", "hatch": "xxx"}, "X"),
    ("no verdict", {"facecolor": "#ffffff", "edgecolor": "#333333", "hatch": "...."}, "d"),
    ("not measured", {"facecolor": "#bbbbbb", "edgecolor": "#333333"}, ""),
]
_ROW = 0.24
#: Ratios outside these are drawn at the edge.
_LEAST, _MOST = 0.01, 100.0


def verdict(row: Row) -> str:
    """Whether a row met its target."""
    if row.met is not None:
        return "met" if row.met else "missed"
    return "not measured" if row.measured is None else "no verdict"


def ratio(row: Row) -> float | None:
    """How many times better than its target a row is; above 1 meets it."""
    if not row.target or not row.measured or row.measured < 0 or row.target < 0:
        return None
    return row.target / row.measured if row.at_most else row.measured / row.target


def counts(files: list[File]) -> dict[str, dict[str, int]]:
    """Targets by file and part, each with its verdicts."""
    found: dict[str, dict[str, int]] = {}
    for name, row in _targets(files):
        part = found.setdefault(name, {label: 0 for label, *_ in _VERDICTS})
        part[verdict(row)] += 1
    return found


def _targets(files: list[File]) -> list[tuple[str, Row]]:
    return [
        (f"{file.name} {row.part}" if row.part and row.part != file.name else file.name, row)
        for file in files
        if file.is_record
        for row in file.rows
        if row.target is not None
    ]


def scoreboard(folders: str | os.PathLike[str] | Sequence[str | os.PathLike[str]]) -> Picture:
    """Targets met, missed and without a verdict by part, and their ratios."""
    targets = _targets(files := read(folders))
    found = counts(files)
    if not found:
        raise RecordError("the records have no targets")
    total = {label: sum(part[label] for part in found.values()) for label, *_ in _VERDICTS}
    caption = [
        "A target has no verdict if the published work did another task. The ratio is the target "
        "over the measured value where small values are better, and the measured value over the "
        f"target otherwise. Ratios below {_LEAST:g} and above {_MOST:g} are drawn at the edge. "
        "Targets and values of 0 have no ratio."
    ]
    title = f"Scoreboard: {len(targets)} targets, " + ", ".join(
        f"{count} {label}" for label, count in total.items() if count
    )
    made = picture(10.5, 1.2 + _ROW * len(found), title, caption)
    left, right = made.subplots(1, 2, sharey=True)
    places = {name: place for place, name in enumerate(found)}
    starts = [0] * len(found)
    for label, style, _ in _VERDICTS:
        values = [part[label] for part in found.values()]
        if any(values):
            left.barh(range(len(found)), values, 0.72, left=starts, label=label, **style)
        starts = [start + value for start, value in zip(starts, values)]
    for place, count in enumerate(starts):
        left.annotate(
            f"{count}", (count, place), (3, 0), textcoords="offset points", va="center", fontsize=7
        )
    left.set_yticks(range(len(found)), list(found))
    left.set_ylim(len(found) - 0.4, -0.6)
    left.set_xlabel("targets", fontsize=8)
    for (label, _, marker), colour in zip(_VERDICTS[:3], (COLOURS[1], COLOURS[2], "#555555")):
        points = [
            (min(max(value, _LEAST), _MOST), places[name])
            for name, row in targets
            if verdict(row) == label and (value := ratio(row)) is not None
        ]
        right.scatter(
            [x for x, _ in points],
            [y for _, y in points],
            s=22,
            marker=marker,
            label=label,
            facecolor=colour if label != "no verdict" else "none",
            edgecolor=colour,
            linewidth=0.8,
            alpha=0.75,
        )
    right.axvline(1, color="#333333", linewidth=0.8)
    right.set_xscale("log")
    right.set_xlim(_LEAST * 0.8, _MOST * 1.25)
    right.set_xticks([0.01, 0.1, 1, 10, 100], ["0.01", "0.1", "1", "10", "100"])
    right.set_xlabel("times better than the target, logarithmic: right of 1 is met", fontsize=8)
    for axes in (left, right):
        bare(axes)
        axes.grid(axis="both" if axes is right else "x", color="#e4e4e4", linewidth=0.6)
        axes.legend(fontsize=7.5, frameon=False, ncols=4, loc="lower left", bbox_to_anchor=(0, 1))
    return made


def past(repository: str | os.PathLike[str], folder: str) -> dict[date, dict[str, int]]:
    """Verdicts of all targets after the last commit of each day that changed the records."""
    commits: dict[date, str] = {}
    log = ["log", "--first-parent", "--format=%cs %H", "--", folder]
    for line in _git(repository, *log).splitlines():
        written, commit = line.split()
        commits.setdefault(date.fromisoformat(written), commit)
    found = {}
    for day, commit in sorted(commits.items()):
        listed = _git(repository, "ls-tree", "--name-only", commit, f"{folder}/").splitlines()
        files = [
            file_of(PurePosixPath(path).stem, _git(repository, "show", f"{commit}:{path}"), path)
            for path in listed
            if path.endswith(".json")
        ]
        parts = counts(files).values()
        found[day] = {label: sum(part[label] for part in parts) for label, *_ in _VERDICTS}
    return found


def _git(repository: str | os.PathLike[str], *words: str) -> str:
    command = ["git", "-C", os.fspath(repository), *words]
    try:
        run = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    except OSError as error:
        raise RecordError(f"the history needs git: {error}") from None
    if run.returncode:
        raise RecordError(f"{os.fspath(repository)}: {run.stderr.strip()}")
    return run.stdout


def history(repository: str | os.PathLike[str] = ".", folder: str = "bench/results") -> Picture:
    """Targets met, missed and without a verdict over time, from the commits of a checkout."""
    found = past(repository, folder)
    if not found:
        raise RecordError(f"{os.fspath(repository)}: no commit has records in {folder}")
    caption = [
        "After the last commit of each day that changed the records. New records added targets, "
        "and some changed."
    ]
    made = picture(9, 3.4, f"Scoreboard over time, {folder}", caption)
    axes = made.subplots()
    days = list(found)
    for place, (label, _, marker) in enumerate(_VERDICTS):
        axes.plot(
            range(len(days)),
            [counted[label] for counted in found.values()],
            label=label,
            color=COLOURS[(1, 2, 0, 3)[place]],
            linestyle=LINES[place],
            marker=marker or "s",
            markersize=5,
        )
    axes.set_xticks(range(len(days)), [day.isoformat() for day in days], rotation=45, ha="right")
    axes.set_ylim(bottom=0)
    axes.set_ylabel("targets", fontsize=8)
    axes.set_xlabel("day of the commit", fontsize=8)
    bare(axes)
    axes.grid(axis="y", color="#e4e4e4", linewidth=0.6)
    axes.legend(fontsize=7.5, frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))
    return made
