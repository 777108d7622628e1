"""`pip install tacit-games` without an extra: what works, and what says which extra it needs."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

import pytest

from tacit.commands import EXTRAS

ROOT = Path(__file__).parent.parent
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
# The command line, in an environment in which some modules are not installed.
ALONE = """
import json, sys
sys.modules.update(dict.fromkeys(json.loads(sys.argv[1])))
import tests.conftest
from tacit.cli import main
main(sys.argv[2:], prog_name="tacit")
"""


def named(requirements: list[str]) -> set[str]:
    """The distributions of a list of requirements."""
    return {re.split(r"[\[<>=, ]", line)[0].lower().replace("_", "-") for line in requirements}


def modules_of(distributions: set[str]) -> list[str]:
    """The modules of these distributions that are installed here."""
    return sorted(
        module
        for module, owners in packages_distributions().items()
        if module.isidentifier() and {owner.lower().replace("_", "-") for owner in owners} & distributions
    )


BASE = named(PROJECT["dependencies"])
OURS = {PROJECT["name"], "tacit"}
TESTS = {"pytest", "coverage"}  # tests/conftest.py imports them
BEYOND = set().union(*map(named, PROJECT["optional-dependencies"].values())) - BASE - OURS - TESTS


def tacit(*words: str, missing: list[str]) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "ignore", "-c", ALONE, json.dumps(missing), *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


def test_the_base_is_small() -> None:
    assert {"click", "msgspec", "numba", "numpy", "rich"} == BASE


@pytest.mark.parametrize("extra", EXTRAS)
def test_commands_know_the_modules_of_an_extra(extra: str) -> None:
    distributions = named(PROJECT["optional-dependencies"][extra])
    assert {module.replace("_", "-") for module in EXTRAS[extra]} == distributions
    assert set(EXTRAS[extra]) <= set(modules_of(distributions))  # the tests have them all


@pytest.mark.parametrize(
    "words",
    [
        ("--help",),
        ("play", "--help"),
        ("admin", "list", "--help"),
        ("play", "toy", "--people", "0", "--seed", "3", "--record", "FOLDER/m.tacit"),
        ("check", "tests/golden/silencio/passed-3-seats.tacit"),
        ("bench", "rules", "--game", "toy", "--seconds", "0.01"),
    ],
    ids=" ".join,
)
def test_without_any_extra(words: tuple[str, ...], tmp_path: Path) -> None:
    missing = modules_of(BEYOND)
    assert {"starlette", "sqlalchemy", "scipy", "gymnasium"} <= set(missing)
    done = tacit(*(word.replace("FOLDER", str(tmp_path)) for word in words), missing=missing)
    assert done.returncode == 0, done.stderr
    assert done.stdout


@pytest.mark.parametrize(
    ("words", "what", "missing", "extra"),
    [
        ((), "Playing in the browser", EXTRAS["server"], "server"),
        (("serve",), "The server", ("uvicorn",), "server"),
        (("admin", "list"), "tacit admin", ("sqlalchemy",), "server"),
        (("protocol",), "tacit protocol", ("starlette",), "server"),
        (("bench", "server"), "tacit bench server", ("starlette", "websockets"), "server"),
        (("arena", "toy", "--matches", "1"), "The arena", ("matplotlib",), "arena"),
        (("arena", "toy", "--ray", "auto"), "--ray", ("ray",), "cluster"),
        (("train", "toy"), "Training", ("torch",), "learn"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else value,
)
def test_the_extra_is_named(words: tuple[str, ...], what: str, missing: tuple[str, ...], extra: str) -> None:
    """At once, in one sentence: nothing is played, served or written before."""
    done = tacit(*words, missing=list(missing))
    assert done.returncode == 1
    names = ", ".join(missing)
    assert done.stderr == f"{what} needs packages that are missing ({names}): pip install 'tacit-games[{extra}]'.\n"
    assert done.stdout == ""
