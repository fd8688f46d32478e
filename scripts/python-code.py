#!/usr/bin/env python3
"""Writes the Python code of pages and notebooks as files, for a type checker.

    python scripts/python-code.py OUT FILE…     FILE is a .md or .ipynb; OUT is a folder

A line of a page keeps its number, so that an error names it. The cells of a notebook follow each
other, each below a comment with its number; a cell that writes a file becomes a file of its own.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path


def of_page(text: str) -> str:
    """The Python blocks of a page; other lines are empty."""
    lines = []
    inside = False
    for line in text.splitlines():
        is_fence = line.startswith("```")
        if is_fence:
            inside = not inside and line.startswith("```python")
        lines.append(line if inside and not is_fence else "")
    return "\n".join(lines) + "\n"


def of_notebook(text: str) -> dict[str, str]:
    """The code cells of a notebook, by the end of the file's name."""
    files = {"": ""}
    for number, cell in enumerate(json.loads(text)["cells"], 1):
        source = "".join(cell["source"])
        if cell["cell_type"] != "code":
            continue
        if source.startswith("%%writefile"):
            files[f"_cell{number}"] = f"# {source}\n"
        else:
            files[""] += f"# Cell {number}\n{source}\n\n"
    return files


def main(out: Path, files: list[Path]) -> None:
    """Writes a module for each page, notebook and file that a notebook writes."""
    out.mkdir(parents=True, exist_ok=True)
    for file in files:
        text = file.read_text(encoding="utf-8")
        is_page = file.suffix == ".md"
        kind, modules = ("page", {"": of_page(text)}) if is_page else ("notebook", of_notebook(text))
        for end, code in modules.items():
            name = f"{kind}_{file.stem}{end}.py".replace("-", "_")
            (out / name).write_text(code, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), [Path(name) for name in sys.argv[2:]])
