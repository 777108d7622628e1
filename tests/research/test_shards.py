"""`tacit dataset make`: what bots played, as shards; read again by NumPy, PyTorch and Arrow; replayed as matches."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tacit import Match
from tacit.core.laws.secrets import observed
from tacit.research.shards import Shards, make
from tests.research.following import scores
from tests.test_cli import tacit


def replayed(data: Shards) -> int:
    """Follow every match of a dataset in Python, with its signals; how many signals there were."""
    about, at_signal = data.about, 0
    for shard in data:
        for number in np.unique(shard["match"]):
            match = Match(about["game"], about["seats"], about["options"], seed=about["seed"] + int(number))
            rows = np.flatnonzero(shard["match"] == number)
            for row in rows:
                seat = int(shard["seat"][row])
                assert seat == min(match.due)
                for given in np.flatnonzero(shard["signal_row"] == row):
                    assert shard["signal_match"][given] == number
                    match.signal(int(shard["signal_seat"][given]), about["signals"][shard["signal_signal"][given]])
                    at_signal += 1
                k = match.know(seat)
                assert shard["observation"][row].tolist() == observed(match.game, k, seat)
                assert np.flatnonzero(shard["mask"][row]).tolist() == match.game.legal(k, seat)
                match.apply(seat, int(shard["action"][row]))
                match.settle()
            assert match.over
            assert shard["value"][rows].tolist() == [scores(match.game, match)[q] for q in shard["seat"][rows]]
    return at_signal


def test_bots_matches_are_written_read_and_replayed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tacit.research.shards.ROWS_OF_A_SHARD", 100)  # so that there are several
    for form in ("npz", "parquet"):
        done = tacit("dataset", "make", "toy", "--matches", "40", "--seed", "7", "--format", form, "-o", "low=true",
                     "--out", str(tmp_path / form))  # fmt: skip
        assert "40 matches, 240 decisions" in done.output
    data, other = Shards(tmp_path / "npz"), Shards(tmp_path / "parquet")
    assert (len(data), [one["matches"] for one in data.about["files"]]) == (240, [16, 16, 8])
    assert replayed(data) == 0
    for one, two in zip(data, other, strict=True):
        assert one.keys() == two.keys()
        for name in one:
            assert np.array_equal(one[name], two[name])
            assert one[name].dtype == two[name].dtype
    batches = list(data.torch(64, seed=1))
    assert sum(len(batch["action"]) for batch in batches) == 240
    assert batches[0]["observation"].shape == (64, data.about["cells"])
    assert sum(table.num_rows for table in other.arrow()) == 240
    again = tacit("dataset", "make", "toy", "--matches", "1", "--out", str(tmp_path / "npz"))
    assert (again.exit_code, "has a dataset already" in again.output) == (1, True)


def test_what_cannot_be_made_or_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="search is not compiled"):
        make("silencio", tmp_path, matches=1, seats=3, bots=["search"])
    with pytest.raises(ValueError, match="has no whole dataset"):
        Shards(tmp_path)
    (tmp_path / "dataset.json").write_text('{"format": "another"}')
    with pytest.raises(ValueError, match="is not of the format"):
        Shards(tmp_path)
    refused = tacit("dataset", "make", "toy", "--seats", "9", "--out", str(tmp_path / "x"))
    assert (refused.exit_code, "Traceback" in refused.output) == (1, False)


@pytest.mark.long
def test_signals_are_kept(tmp_path: Path) -> None:
    data = make("silent-planet", tmp_path, matches=40, seats=4, bots=["steady"])
    assert replayed(data) > 0
