"""The rules for CUDA: in Numba's simulator, and against the digests that a real GPU left behind."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from benchmarks.gpu import on_cpu

from tacit import game_named, game_names
from tacit.core import gpu
from tacit.core.buffers import buffers

LONG = "TACIT_LONG" in os.environ  # the simulator manages some hundred decisions a second
SIMULATOR = """
import sys
import numpy as np
import tests.conftest
from tacit import game_named
from tacit.core import gpu
from tacit.core.buffers import buffers
name, seats, n, path = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
game = game_named(name)
states, traces = gpu.play_traced(game, buffers(game, seats, None).blank, 0, n)
np.savez(path, states=states.view(np.int8), traces=traces)
"""


@pytest.mark.parametrize("name", game_names() if LONG else ["toy", "silencio"])
def test_the_simulator_plays_the_same_matches(name: str, tmp_path: Path) -> None:
    game = game_named(name)
    seats, matches = (game.max_seats, 3) if LONG else (game.min_seats, 1)
    path = tmp_path / "simulated.npz"
    command = [sys.executable, "-W", "ignore", "-c", SIMULATOR, name, str(seats), str(matches), str(path)]
    subprocess.run(
        command, env={**os.environ, "NUMBA_ENABLE_CUDASIM": "1"}, check=True, cwd=Path(__file__).parent.parent
    )
    b = buffers(game, seats, None, states=matches)
    game.build("cpu").traced_matches(b, 0)
    simulated = np.load(path)
    assert simulated["traces"].tolist() == b.traces.tolist()
    assert simulated["states"].tobytes() == b.states.tobytes()


def kept() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((Path(__file__).parent.parent / "benchmarks" / "gpu.json").read_text())
    return found


VALID = [row for row in kept() if "remake" not in row]  # the others wait for the next run on a GPU
ONE = [row for row in VALID if row["game"] == "silencio"][:1]  # whose rules the simulator's test has compiled


@pytest.mark.parametrize("row", VALID if LONG else ONE, ids=lambda row: f"{row['game']}-{row['seats']}")
def test_the_cpu_plays_what_a_real_gpu_played(row: dict[str, Any]) -> None:
    assert on_cpu(row["game"], row["seats"], row["options"], row["matches"]) == row["digest"]


def test_many_matches_were_compared() -> None:
    assert sum(row["matches"] for row in VALID) >= 40_000  # rows that wait to be remade do not count


def test_constants_that_constant_memory_cannot_hold_lie_in_global_memory() -> None:
    ptx = ".global .align 4 .b8 x[8];\n.const .align 8 .b8 rows[70000] = {1, 2};\n\tld.const.u64 %rd1, [rows];\n"
    assert gpu._constant_bytes(ptx) == 70_000 > gpu.CONSTANT_BYTES
    moved = gpu._in_global_memory(ptx)
    assert ".const" not in moved
    assert ".global .align 8 .b8 rows[70000]" in moved
    assert "ld.global.u64 %rd1, [rows]" in moved
