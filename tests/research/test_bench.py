"""`tacit bench research`, and the loops in which others are measured."""

from __future__ import annotations

import json
import subprocess
import sys

from click.testing import CliRunner

from tacit.bench import peer_loops
from tacit.cli import main


def test_batches_are_measured() -> None:
    done = CliRunner().invoke(main, ["bench", "research", "--game", "toy", "--seconds", "0.05", "--json"])
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    (row,) = found["tacit"]
    assert len(found["load"]) == 2
    assert (row["game"], row["seats"]) == ("toy", 3)
    assert row["threads_1"] > 10_000
    assert row["threads_2"] > 0
    assert row["cores_1"] > 0
    table = CliRunner().invoke(main, ["bench", "research", "--game", "toy", "--seconds", "0.05"])
    assert "two threads" in table.output
    assert "load" in table.output


def test_a_peer_is_measured_in_a_process_of_its_own() -> None:
    done = subprocess.run(
        [sys.executable, peer_loops.__file__, "open_spiel:leduc_poker", "0.1", "1"],
        capture_output=True,
        text=True,
        check=True,
    )
    found = json.loads(done.stdout)
    assert found["decisions_per_second"] > 100
    assert set(found["versions"]) == {"open_spiel"}


def test_a_peer_that_is_not_there_is_named() -> None:
    """The tests' own environment has no RLCard, which PettingZoo's card games need."""
    asked = ["bench", "research", "--game", "toy", "--seconds", "0.02", "--python", sys.executable]
    done = CliRunner().invoke(main, asked)
    assert done.exit_code == 1
    assert "pettingzoo:hanabi_v5 could not be measured" in done.output
