"""`Batch` on CUDA: in Numba's simulator, and against what a real GPU left behind."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from bench.research_gpu import COMPARED, digest
from bench.research_gpu import STEPS as STEPS_COMPARED

from tacit import game_named, game_names
from tacit.research import Batch

N, STEPS = 3, 20
ARRAYS = ("observation", "mask", "words", "reward", "done", "seat", "seeds", "illegal")
ROOT = Path(__file__).parent.parent.parent
SIMULATOR = """
import sys
import numpy as np
import tests.conftest
from tests.research.test_cuda import played
np.savez(sys.argv[2], *played(sys.argv[1], "cuda"))
"""


def played(name: str, device: str) -> list[Any]:
    """All that a small batch says in some steps, an illegal one and an imagined one among them; and its states."""
    game = game_named(name)
    batch = Batch(game, N, game.min_seats, device=device, seed=21, penalty=-3)  # type: ignore[arg-type]
    found: list[Any] = []

    def note(batch: Batch) -> None:
        found.extend(np.array(getattr(batch, name)) for name in ARRAYS)
        states = np.zeros(N, game.dtype)
        for i in range(N):
            batch.state(i).store(states[i])
        found.append(states.view(np.int8))

    note(batch)
    for step in range(STEPS):
        actions = np.array(batch.random())
        if step == 3:
            actions[1] = 60
        batch.step(actions)
        note(batch)
    worlds = batch.imagine(seed=5)
    note(worlds)
    worlds.step(worlds.random())
    note(worlds)
    note(batch.copy())
    found.append(np.array(batch.observe(1)))
    found.append(np.array(batch.legal()))
    return found


@pytest.mark.parametrize("name", game_names())
def test_the_simulator_plays_the_same_batch(name: str, tmp_path: Path) -> None:
    path = tmp_path / "simulated.npz"
    command = [sys.executable, "-W", "ignore", "-c", SIMULATOR, name, str(path)]
    subprocess.run(command, env={**os.environ, "NUMBA_ENABLE_CUDASIM": "1"}, check=True, cwd=ROOT)
    expected = played(name, "cpu")
    with np.load(path) as simulated:
        assert len(simulated.files) == len(expected)
        for key, array in zip(simulated.files, expected, strict=True):
            assert simulated[key].tobytes() == array.tobytes(), key


def kept() -> list[dict[str, Any]]:
    """What the last measurement on a GPU left behind."""
    path = ROOT / "bench" / "research_gpu.json"
    found: list[dict[str, Any]] = json.loads(path.read_text())["cases"] if path.exists() else []
    return found


@pytest.mark.parametrize("row", kept(), ids=lambda row: f"{row['game']}-{row['seats']}")
def test_the_cpu_steps_what_a_real_gpu_stepped(row: dict[str, Any]) -> None:
    assert (row["matches"], row["steps"]) == (COMPARED, STEPS_COMPARED)
    assert digest(row["game"], row["seats"], row["options"], "cpu") == row["digest"]
