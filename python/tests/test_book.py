"""The examples of the book's page on Python."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

PAGE = Path(
    os.environ.get("HALFGATE_BOOK", Path(__file__).resolve().parents[2] / "docs" / "python.md")
)

NOTEBOOKS = PAGE.parent.parent / "examples" / "notebooks"


@pytest.mark.skipif(not PAGE.exists(), reason="the book is not here")
def test_the_examples_run(capsys: Any) -> None:
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert len(blocks) >= 4
    names: dict[str, Any] = {"__name__": "book"}
    for number, block in enumerate(blocks):
        exec(compile(block, f"block{number}.py", "exec"), names)
    assert "block0.py:6" in capsys.readouterr().out
    assert names["ciphertext"].tobytes().hex() == "69c4e0d86a7b0430d8cdb78070b4c55a"


@pytest.mark.skipif(not NOTEBOOKS.exists(), reason="the notebooks are not here")
def test_the_notebooks_run() -> None:
    files = sorted(NOTEBOOKS.glob("*.ipynb"))
    assert files
    for file in files:
        names: dict[str, Any] = {"__name__": "notebook"}
        for number, cell in enumerate(json.loads(file.read_text(encoding="utf-8"))["cells"]):
            assert not cell.get("outputs"), f"{file.name} has outputs: clear them"
            if cell["cell_type"] == "code":
                exec(compile("".join(cell["source"]), f"cell{number}.py", "exec"), names)
