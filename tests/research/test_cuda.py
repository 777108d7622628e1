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
from tacit.research.cuda import ON_CHIP, TOGETHER, Cuda, sizes, tile

N, STEPS = 3, 20
ARRAYS = ("observation", "mask", "words", "reward", "done", "seat", "seeds", "illegal")
ROOT = Path(__file__).parent.parent.parent
SIMULATOR = """
import sys
import numpy as np
import tests.conftest
from tests.research import test_cuda
np.savez(sys.argv[2], *getattr(test_cuda, sys.argv[3])(sys.argv[1], "cuda"))
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


def brought(name: str, device: str) -> list[Any]:
    """More matches than one block writes, into arrays that begin between two words, and into others that do not."""
    game = game_named(name)
    n = TOGETHER + 5
    found: list[Any] = []
    for off in (0, 3):
        out = {
            "observation": np.full(n * game.observation + off, 9, np.int8)[off:].reshape(n, -1),
            "mask": np.ones(n * game.actions + off, np.bool_)[off:].reshape(n, -1),
        }
        batch = Batch(game, n, 2, device=device, seed=4, out=out)  # type: ignore[arg-type]
        batch.step(batch.random())
        found += [out["observation"], out["mask"], np.array(batch.observe(1))]
    return found


def simulated(made_by: Any, name: str, path: Path) -> None:
    """Does the simulator make what the CPU makes?"""
    command = [sys.executable, "-W", "ignore", "-c", SIMULATOR, name, str(path), made_by.__name__]
    subprocess.run(command, env={**os.environ, "NUMBA_ENABLE_CUDASIM": "1"}, check=True, cwd=ROOT)
    expected = made_by(name, "cpu")
    with np.load(path) as found:
        assert len(found.files) == len(expected)
        for key, array in zip(found.files, expected, strict=True):
            assert found[key].tobytes() == array.tobytes(), key


@pytest.mark.parametrize("name", game_names())
def test_the_simulator_plays_the_same_batch(name: str, tmp_path: Path) -> None:
    simulated(played, name, tmp_path / "simulated.npz")


def test_the_simulator_writes_every_row_wherever_it_lies(tmp_path: Path) -> None:
    simulated(brought, "toy", tmp_path / "simulated.npz")


def test_a_block_gathers_as_many_rows_as_fit() -> None:
    assert {width: tile(width) for width in (1, 899, 1518, 1600, 6144, 7000, ON_CHIP)} == {
        1: 32, 899: 32, 1518: 32, 1600: 24, 6144: 8, 7000: 7, ON_CHIP: 1,
    }  # fmt: skip
    with pytest.raises(ValueError, match="at most 49152 cells"):
        tile(ON_CHIP + 1)


def test_kernels_of_another_make_are_refused(tmp_path: Path) -> None:
    """Their arguments could be others: they would write anywhere."""
    about = {"sizes": {**sizes(game_named("toy")), "kernels": "another"}, "entries": {}}
    (tmp_path / "toy.json").write_text(json.dumps(about))
    with pytest.raises(ValueError, match="another version"):
        Cuda(game_named("toy"), 4, tmp_path, None)


def kept() -> list[dict[str, Any]]:
    """What the last measurement on a GPU left behind."""
    path = ROOT / "bench" / "research_gpu.json"
    found: list[dict[str, Any]] = json.loads(path.read_text())["cases"] if path.exists() else []
    return found


@pytest.mark.parametrize("row", kept(), ids=lambda row: f"{row['game']}-{row['seats']}")
def test_the_cpu_steps_what_a_real_gpu_stepped(row: dict[str, Any]) -> None:
    assert (row["matches"], row["steps"]) == (COMPARED, STEPS_COMPARED)
    assert digest(row["game"], row["seats"], row["options"], "cpu") == row["digest"]
