"""`pip install tacit-games` without an extra: what works, and what says which extra it needs."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tacit.commands import EXTRAS

ROOT = Path(__file__).parent.parent
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
# The command line, several times in one process; each time some modules are as if they were not installed. Prints the
# exit code, stdout and stderr of each command.
ALONE = """
import contextlib, io, json, sys
import tests.conftest
from tacit.cli import main
told = []
for missing, words in json.loads(sys.argv[1]):
    sys.modules.update(dict.fromkeys(missing))
    out, err, code = io.StringIO(), io.StringIO(), 0
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main(words, prog_name="tacit")
        except SystemExit as exit:
            code = exit.code or 0
    for module in missing:
        assert sys.modules.pop(module) is None
    told.append((code, out.getvalue(), err.getvalue()))
print(json.dumps(told))
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


class Done(NamedTuple):
    """What a command left."""

    code: int
    stdout: str
    stderr: str


def tacit(commands: list[tuple[list[str], list[str]]]) -> list[Done]:
    """Runs commands, each without some modules: (missing, words)."""
    script = [sys.executable, "-W", "ignore", "-c", ALONE, json.dumps(commands)]
    done = subprocess.run(script, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return [Done(*told) for told in json.loads(done.stdout)]


def test_the_base_is_small() -> None:
    assert {"click", "msgspec", "numba", "numpy", "rich"} == BASE


@pytest.mark.parametrize("extra", EXTRAS)
def test_commands_know_the_modules_of_an_extra(extra: str) -> None:
    everywhere = [one for one in PROJECT["optional-dependencies"][extra] if ";" not in one]  # uvloop is not for Windows
    distributions = named(everywhere)
    assert {module.replace("_", "-") for module in EXTRAS[extra]} == distributions
    assert set(EXTRAS[extra]) <= set(modules_of(distributions))  # the tests have them all


def test_without_any_extra(tmp_path: Path) -> None:
    missing = modules_of(BEYOND)
    assert {"starlette", "sqlalchemy", "scipy", "gymnasium"} <= set(missing)
    commands = [
        ["--help"],
        ["play", "--help"],
        ["admin", "list", "--help"],
        ["play", "toy", "--people", "0", "--seed", "3", "--record", str(tmp_path / "m.tacit")],
        ["check", "tests/golden/silencio/passed-3-seats.tacit"],
        ["bench", "rules", "--game", "toy", "--seconds", "0.01"],
    ]
    for words, done in zip(commands, tacit([(missing, words) for words in commands]), strict=True):
        assert done.code == 0, (words, done.stderr)
        assert done.stdout, words


NEEDY = [
    ([], "Playing in the browser", EXTRAS["server"], "server"),
    (["serve"], "The server", ("uvicorn",), "server"),
    (["admin", "list"], "tacit admin", ("sqlalchemy",), "server"),
    (["protocol"], "tacit protocol", ("starlette",), "server"),
    (["bench", "server"], "tacit bench server", ("starlette", "websockets"), "server"),
    (["bench", "notify"], "tacit bench notify", ("asyncpg",), "server"),
    (["bench", "scale"], "tacit bench scale", ("simpy",), "bench"),
    (["arena", "toy", "--matches", "1"], "The arena", ("scipy",), "arena"),
    (["arena", "toy", "--ray", "auto"], "--ray", ("ray",), "cluster"),
    (["train", "toy"], "Training", ("torch",), "learn"),
]


def test_the_extra_is_named() -> None:
    """At once, in one sentence: nothing is played, served or written before."""
    told = tacit([(list(missing), words) for words, _, missing, _ in NEEDY])
    for (words, what, missing, extra), done in zip(NEEDY, told, strict=True):
        assert done.code == 1, words
        names = ", ".join(missing)
        assert done.stderr == f"{what} needs packages that are missing ({names}): pip install 'tacit-games[{extra}]'.\n"
        assert done.stdout == ""
