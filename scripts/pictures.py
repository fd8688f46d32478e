#!/usr/bin/env python3
"""Draws all pictures of the book: see scripts/pictures.sh.

    python scripts/pictures.py OUT COMMAND     OUT is a folder, COMMAND the command `halfgate`
"""

from __future__ import annotations

import linecache
import re
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

import halfgate as hg
import halfgate.plot as plot
from halfgate.plot.catalogue import KINDS

TREE = Path(__file__).resolve().parent.parent
RESULTS, PRINTED = TREE / "bench" / "results", TREE / "bench" / "figures"
PAGE = (TREE / "docs" / "python.md").read_text(encoding="utf-8")


def papers(out: Path) -> None:
    """The tables and figures of the papers. What the records lack is printed."""
    recorded = [kind.name for kind in KINDS if kind.recorded and not kind.printed]
    printed = [kind.name for kind in KINDS if kind.name not in recorded]
    for folders, names in (([RESULTS], recorded), ([RESULTS, PRINTED], printed)):
        for line in plot.records(folders, out, only=names).missing:
            if ": not drawn: " in line:
                print(f"pictures: {line}")


def examples() -> dict[str, Any]:
    """The names that the first two examples of docs/python.md define."""
    names: dict[str, Any] = {"__name__": "page", "print": lambda *_: None}
    blocks = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    for file, needed in (("bill.py", "def bill("), ("nearest.py", "def nearest(")):
        code = next(block for block in blocks if needed in block)
        linecache.cache[file] = len(code), None, code.splitlines(keepends=True), file
        exec(compile(code, file, "exec"), names)
    return names


def session() -> plot.Picture:
    """A session that encrypts 1,000 blocks, with both parties in this process."""
    program = hg.programs.aes128_batch(1000)
    timeline = plot.Timeline()

    def evaluate(address: str) -> None:
        with hg.connect(address, insecure=True) as evaluating:
            evaluating.evaluate(program, block=bytes(16_000))

    with hg.bind("127.0.0.1:0") as listener:
        peer = threading.Thread(target=evaluate, args=[listener.address])
        peer.start()
        with listener.accept(insecure=True) as garbling:
            garbling.garble(program, progress=timeline, key=bytes(16))
        peer.join()
    return plot.session(timeline)


def machine(command: str) -> plot.Picture:
    """The machine whose trace docs/python.md writes."""
    found = re.search(r"^    halfgate (simulate .*--trace (.*))$", PAGE, re.MULTILINE)
    assert found, "docs/python.md has no command with --trace"
    words = [str(Path(command).resolve()), "--quiet", *found[1].split()]
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(words, cwd=folder, check=True, stdout=subprocess.DEVNULL)
        return plot.machine(Path(folder) / found[2])


def main(out: Path, command: str) -> None:
    """Draws all pictures."""
    out.mkdir(parents=True, exist_ok=True)
    papers(out)
    plot.scoreboard(RESULTS).save(out / "scoreboard.svg")
    try:
        plot.history(TREE).save(out / "history.svg")
    except plot.RecordError as error:
        print(f"pictures: history: not drawn: {error}")
    nearest = examples()["nearest"].compile()
    plot.program(nearest).save(out / "python-program.svg")
    plot.cost(nearest).save(out / "python-cost.svg")
    session().save(out / "python-session.svg")
    if Path(command).exists():
        machine(command).save(out / "python-machine.svg")
    else:
        print(f"pictures: python-machine: not drawn: {command} is not built")
    print(f"pictures: {len(list(out.glob('*.svg')))} in {out}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
