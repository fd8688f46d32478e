"""``python -m halfgate.plot``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Callable, Sequence

from . import RecordError, history, machine, records, scoreboard, session
from .style import Picture


def _arguments(given: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m halfgate.plot", description="Draws recorded results, sessions and machines."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    papers = commands.add_parser(
        "records", help="the papers' tables and figures, published and measured side by side"
    )
    papers.add_argument("folder", nargs="+", help="folders with JSON of `halfgate reproduce`")
    papers.add_argument("--out", default=".", help="the folder of the pictures [default: here]")
    papers.add_argument("--format", choices=("svg", "png"), default="svg")
    papers.add_argument(
        "--only",
        action="append",
        default=[],
        metavar="NAME",
        help="a paper, or a picture such as haac-figure8; may be repeated",
    )
    one = {
        "scoreboard": ("the targets that were met and missed, by part", "a folder with records"),
        "history": ("the scoreboard over time", "a checkout with records in bench/results"),
        "session": ("a session's phases over time", "a report of `halfgate run --json`"),
        "machine": ("a machine over time", "a trace of `halfgate simulate --trace`"),
    }
    for name, (what, source) in one.items():
        command = commands.add_parser(name, help=what)
        command.add_argument("source", help=source)
        command.add_argument(
            "--out",
            default=f"{name}.svg",
            metavar="FILE",
            help=f"the picture, .svg or .png [default: {name}.svg]",
        )
    return parser.parse_args(given)


def main(given: Sequence[str] | None = None) -> int:
    """Runs a command; returns the exit status."""
    arguments = _arguments(given)
    try:
        if arguments.command == "records":
            return _records(arguments)
        draw: dict[str, Callable[[str], Picture]] = {
            "scoreboard": scoreboard,
            "history": history,
            "session": session,
            "machine": machine,
        }
        draw[arguments.command](arguments.source).save(arguments.out)
    except (RecordError, OSError, ValueError) as error:
        print(f"halfgate.plot: {error}", file=sys.stderr)
        return 1
    print(arguments.out)
    return 0


def _records(arguments: argparse.Namespace) -> int:
    drawn = records(arguments.folder, arguments.out, format=arguments.format, only=arguments.only)
    for path in drawn.files:
        print(path)
    for line in drawn.missing:
        print(line)
    if not drawn.files:
        where = ", ".join(str(Path(folder)) for folder in arguments.folder)
        print(f"halfgate.plot: nothing to draw in {where}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
