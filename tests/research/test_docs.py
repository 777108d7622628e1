"""What docs/research.md names is there. (Its code is run by tests/test_docs.py.)"""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs" / "research.md").read_text()


def test_what_the_page_names_is_there() -> None:
    for picture in re.findall(r"!\[[^\]]*\]\(([^)]+)\)", PAGE):
        assert (ROOT / "docs" / picture).exists()
    for example in re.findall(r"examples/\w+\.py", PAGE):
        assert (ROOT / example).exists()
    for name in re.findall(r"`tacit\.research\.(\w+)", PAGE):
        assert name == "Batch" or (ROOT / "src/tacit/research" / f"{name}.py").exists(), name
