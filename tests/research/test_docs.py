"""What docs/research.md says can be run."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs" / "research.md").read_text()


def test_the_batch_of_the_page_runs() -> None:
    code = next(block for block in re.findall(r"```python\n(.*?)```", PAGE, re.S) if "Batch(" in block)
    names: dict[str, object] = {}
    exec(code.replace("n=4096", "n=64").replace("batch.step(actions)", "batch.step(batch.random())"), names)
    assert "batch" in names


def test_what_the_page_names_is_there() -> None:
    for picture in re.findall(r"!\[[^\]]*\]\(([^)]+)\)", PAGE):
        assert (ROOT / "docs" / picture).exists()
    for example in re.findall(r"examples/\w+\.py", PAGE):
        assert (ROOT / example).exists()
    for name in re.findall(r"`tacit\.research\.(\w+)", PAGE):
        assert name == "Batch" or (ROOT / "src/tacit/research" / f"{name}.py").exists(), name
