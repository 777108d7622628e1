"""The bot of docs/bots.md is a bot: it is run as the page says."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tacit.cli import main

PAGE = (Path(__file__).parent.parent.parent / "docs" / "bots.md").read_text()
PYTHON, COMPILED = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
IMPORTS = """
from typing import Any
from tacit.core.bits import marked
from tacit.core.state_layout import Cells
from tacit.core.rulekit import rule
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def test_a_bot_in_twenty_lines_enters_the_arena(here: Path) -> None:
    assert PYTHON.count("\n") <= 20
    (here / "my_bots.py").write_text(PYTHON)
    for game in ("toy", "silencio"):
        words = ["arena", game, "--seats", "my_bots:Eager,random", "--matches", "4", "--out", game, "--bound", "0"]
        result = CliRunner(env={"COLUMNS": "100"}).invoke(main, words)
        assert result.exit_code == 0, result.output
        assert "per decision" in result.output
        assert "failed" not in result.output


def test_so_does_the_compiled_one(here: Path) -> None:
    (here / "my_compiled_bot.py").write_text(IMPORTS + COMPILED)
    result = CliRunner().invoke(
        main, ["arena", "toy", "--seats", "my_compiled_bot,random", "--matches", "20", "--out", "o"]
    )
    assert result.exit_code == 0, result.output
    assert "failed" not in result.output


def test_the_page_shows_how_to_run_bots() -> None:
    (example,) = re.findall(r"```\n(from tacit import Match\n.*?)```", PAGE, re.DOTALL)
    names: dict[str, Any] = {}
    exec(example, names)
    assert names["match"].over
