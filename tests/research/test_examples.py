"""Every example runs, in a short form."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
# What is given to each, and what it says.
SHORT = {
    "batch": (["30"], "observes the same: True"),
    "benchmark": ([], "the best known partner of"),
    "dataset": (["6", "random"], "a linear guess is right"),
    "gymnasium_seat": (["1"], "survivors"),
    "gymnasium_vector": (["40"], "matches"),
    "language_model": ([], "decisions 3, illegal answers 0"),
    "mini_games": ([], "mini-silver-and-gold-race: random play 2503/7200, at best 4/3"),
    "openspiel_ismcts": (["2"], "cards left"),
    "own_network": (["1"], "match 0: {'left'"),
    "partners": (["40", "random"], "for a critic: (256, 1800)"),
    "pettingzoo_aec": ([], "seat_2: "),
    "pettingzoo_parallel": ([], "teams completed"),
    "shards": (["20", "random"], "decisions in 1 files"),
    "signals": ([], "signals were given"),
    "torch_and_jax": ([], "'observation': (256, 900)"),
    "train_silencio": (["--seconds", "1", "--out", "{}"], "the learning curve"),
}


LEARNS = "train_silencio"  # a quarter of a minute; docs/tutorials/learner.md learns in less
# Two compile Silencio anew; tests/research/test_shards.py and test_partners.py have what they show.
SLOW = {LEARNS, "shards", "partners"}
EXAMPLES = [
    pytest.param(path, id=path.stem, marks=pytest.mark.long if path.stem in SLOW else ())
    for path in sorted((ROOT / "examples").glob("*.py"))
]


@pytest.mark.parametrize("path", EXAMPLES)
def test_the_example_runs(path: Path, tmp_path: Path) -> None:
    given, says = SHORT[path.stem]
    arguments = [word.format(tmp_path / "out") for word in given]
    # One thread each for the matrices: the tests have the cores already.
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(
        [sys.executable, "-W", "error", str(path), *arguments],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert says in done.stdout
    if path.stem == LEARNS:
        assert (tmp_path / "out.png").stat().st_size > 1000
