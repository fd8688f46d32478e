#!/usr/bin/env python3
"""Runs the notebooks in examples/notebooks, and fails at the first error.

    python scripts/notebooks.py [NAME…]           all notebooks, or those named, such as first-steps
    python scripts/notebooks.py --clear [NAME…]   removes stored outputs instead

Needs nbclient and ipykernel, and what the notebooks import, in the Python that runs it. Outputs are
not stored. A notebook with stored outputs is an error, since the repository has no generated files.
"""

from __future__ import annotations

import json
import os
import re
import sys
import time
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent.parent / "examples" / "notebooks"
#: Seconds after which a cell is an error.
CELL_TIMEOUT = 120


def chosen(names: list[str]) -> list[Path]:
    """The notebooks of these names; all without names."""
    if not names:
        return sorted(FOLDER.glob("*.ipynb"))
    paths = [FOLDER / f"{name.removesuffix('.ipynb')}.ipynb" for name in names]
    for path in paths:
        if not path.exists():
            known = ", ".join(known.stem for known in sorted(FOLDER.glob("*.ipynb")))
            sys.exit(f"notebooks: there is no {path.name}; the notebooks are {known}")
    return paths


def has_outputs(cell: dict[str, Any]) -> bool:
    """Whether a cell stores what a run has made."""
    return bool(cell.get("outputs") or cell.get("execution_count"))


def clear(path: Path) -> None:
    """Removes the outputs that a notebook stores."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        cell["metadata"] = {}
        if cell["cell_type"] == "code":
            cell["outputs"], cell["execution_count"] = [], None
    notebook["metadata"]["language_info"] = {"name": "python"}
    text = json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"
    path.write_text(text, encoding="utf-8")


def run(path: Path) -> None:
    """Runs a notebook in its folder, with the kernel of this Python."""
    import nbformat
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

    notebook = nbformat.read(path, as_version=4)
    for number, cell in enumerate(notebook.cells, 1):
        if has_outputs(cell):
            sys.exit(
                f"notebooks: {path.name}: cell {number} has stored outputs: run "
                f"scripts/notebooks.py --clear {path.stem}"
            )
    place = 0

    def note(cell: Any, cell_index: int) -> None:
        nonlocal place
        place = cell_index

    client = NotebookClient(
        notebook,
        kernel_name="python3",
        # Without the warning that it listens on loopback without encryption.
        extra_arguments=["--log-level=ERROR"],
        timeout=CELL_TIMEOUT,
        resources={"metadata": {"path": str(path.parent)}},
        on_cell_start=note,
    )
    start = time.perf_counter()
    try:
        client.execute()
    except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
        plain = re.sub(r"\x1b\[[0-9;]*m", "", str(error)).strip()
        sys.exit(f"notebooks: {path.name}: cell {place + 1} failed\n\n{plain}")
    print(f"notebooks: {path.name}: {time.perf_counter() - start:.1f} s", flush=True)


def main(arguments: list[str]) -> None:
    # The kernel of this environment, not one of the same name in the user's home folder.
    os.environ["JUPYTER_PREFER_ENV_PATH"] = "1"
    act = clear if "--clear" in arguments else run
    for path in chosen([name for name in arguments if name != "--clear"]):
        act(path)


if __name__ == "__main__":
    main(sys.argv[1:])
