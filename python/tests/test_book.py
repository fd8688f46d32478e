"""The examples of the book's page on Python."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest

PAGE = Path(
    os.environ.get("HALFGATE_BOOK", Path(__file__).resolve().parents[2] / "docs" / "python.md")
)


@pytest.mark.skipif(not PAGE.exists(), reason="the book is not here")
def test_the_examples_run(capsys: Any) -> None:
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert len(blocks) >= 4
    names: dict[str, Any] = {"__name__": "book"}
    for number, block in enumerate(blocks):
        exec(compile(block, f"block{number}.py", "exec"), names)
    assert "block0.py:6" in capsys.readouterr().out
    assert names["ciphertext"].tobytes().hex() == "69c4e0d86a7b0430d8cdb78070b4c55a"
