"""Records to arrays and back: what `tacit arena … --records` wrote."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from tacit import Match, game_named
from tacit.cli import main
from tacit.core.laws.secrets import observed
from tacit.core.random_play import CHANCE
from tacit.research.datasets import Dataset, from_matches, game_of, read_records
from tests.research.following import scores


def test_the_arenas_records_are_read_and_replayed(tmp_path: Path) -> None:
    """Round trip: from the arrays alone, and chance from the records, the same matches come out again."""
    records = tmp_path / "records"
    command = ["arena", "toy", "--seats", "random,random,random", "--matches", "6", "--no-pictures", "--bound", "0"]
    done = CliRunner().invoke(main, [*command, "--out", str(tmp_path / "out"), "--records", str(records)])
    assert done.exit_code == 0, done.output
    data = read_records(records)
    game = game_of(data)
    assert (data.game, len(data.names), len(data)) == ("toy", 6, 36)
    assert list(data.bots) == [["random"] * 3] * 6
    at = 0
    for number, name in enumerate(data.names):
        told = Match.load((records / name).read_text())
        again = Match(game, 3, told.options, settle=False)
        for who, outcome in told.steps:
            if who == CHANCE:
                again.play("*", game.rules.show(again.state, CHANCE, outcome), settle=False)
                continue
            assert (data.match[at], data.seat[at]) == (number, who)
            k = again.know(who)
            assert np.flatnonzero(data.mask[at]).tolist() == game.legal(k, who)
            assert data.observation[at].tolist() == observed(game, k, who)
            again.play(who, game.rules.show(again.state, who, int(data.action[at])), settle=False)
            at += 1
        assert again.lines == told.lines
        assert data.scores[number].tolist() == scores(game, again)
        assert data.finished[number]
    assert at == len(data)


def test_a_dataset_is_saved_and_loaded(tmp_path: Path) -> None:
    match = Match("silencio", 2, seed=4, tags={"seat0": "steady", "seat1": "random"})
    for _ in range(9):
        seat = min(match.due)
        match.play(seat, match.legal(seat)[0])
    data = from_matches([("one", match), ("two", Match("silencio", 4, seed=1))])
    assert (len(data), data.finished.tolist(), data.scores.shape) == (9, [False, False], (2, 4))
    path = tmp_path / "data.npz"
    data.save(path)
    again = Dataset.load(path)
    assert (again.game, again.names, again.bots) == ("silencio", ["one", "two"], [["steady", "random"], []])
    for name in ("scores", "finished", "match", "seat", "action", "mask", "observation"):
        assert np.array_equal(getattr(again, name), getattr(data, name))
        assert getattr(again, name).dtype == getattr(data, name).dtype


def test_what_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"There are no records \(\*.tacit\) in"):
        read_records(tmp_path)
    (tmp_path / "a.tacit").write_text(str(Match("toy", 2, seed=1)))
    (tmp_path / "b.tacit").write_text(str(Match("silencio", 2, seed=1)))
    with pytest.raises(ValueError, match="b.tacit is a match of Silencio, and the others are of Toy"):
        read_records(tmp_path)
    (tmp_path / "b.tacit").write_text(str(Match("toy", 2, seed=1)) + "0 bid 99\n")
    with pytest.raises(ValueError, match="b.tacit: Line"):
        read_records(tmp_path)
    with pytest.raises(ValueError, match="There are no matches"):
        from_matches([])
    assert game_named("toy").name == read_records(tmp_path / "a.tacit").game
