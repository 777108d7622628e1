"""Every numbered rule has a test that names it and a place in the page for people; every rule counts for coverage."""

from __future__ import annotations

import re
import tomllib
from fnmatch import fnmatch
from pathlib import Path

import pytest

from tacit import GAMES, game_named

HERE = Path(__file__).parent


def test_names(folder: Path) -> list[str]:
    return [m[1] for path in folder.glob("test_*.py") for m in re.finditer(r"def (test_\w+)", path.read_text())]


test_names.__test__ = False  # type: ignore[attr-defined]


def rules_named(names: list[str]) -> set[str]:
    """The rule numbers in the names of tests: test_s12_… and test_s04_and_s26_…"""
    return {number.upper() for name in names for number in re.findall(r"(?<=_)[a-z]\d\d(?=_)", name)}


@pytest.mark.parametrize("name", GAMES)
def test_every_rule_has_a_test_that_names_it(name: str) -> None:
    numbers = game_named(name).rules.RULES
    named = rules_named(test_names(HERE / name.replace("-", "_")))
    assert [n for n in numbers if n not in named] == []
    assert named - set(numbers) == set()


@pytest.mark.parametrize("name", GAMES)
def test_every_rule_is_explained_to_people(name: str) -> None:
    page = (HERE.parent / "docs" / "games" / f"{name}.md").read_text()
    assert [n for n in game_named(name).rules.RULES if n not in page] == []


def test_coverage_counts_every_file_with_rules() -> None:
    """But the audits, whose branches are faults that no match has."""
    settings = tomllib.loads((HERE.parent / "pyproject.toml").read_text())["tool"]["coverage"]["run"]
    games = HERE.parent / "src" / "tacit" / "games"
    files = [path for path in games.glob("*/*.py") if "@rule" in path.read_text() and path.name != "audit.py"]
    assert len(files) >= 3 * len(GAMES)
    assert [str(path) for path in files if not any(fnmatch(str(path), glob) for glob in settings["include"])] == []


def test_a_rule_without_a_test_is_found() -> None:
    assert rules_named(["test_s01_deck", "test_s04_and_s26_signals", "test_laws"]) == {"S01", "S04", "S26"}
