"""What a batch tells the deciding seat of the past: what `Match.see` let it hear, and nothing that is hidden."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tacit import Game, Match, game_named
from tacit.core.events import UNHEARD
from tacit.core.random_play import CHANCE
from tacit.research import Batch
from tests.bots.test_overhear import expected
from tests.research.following import seatings

SIZE = 12
CASES = [(name, seats) for name, seats in seatings() if name != "toy"]


class Reference:
    """One match of a batch as `Match`, and from its lines what each seat heard."""

    def __init__(self, batch: Batch, i: int) -> None:
        self.batch, self.i, self.over = batch, i, 0
        self.begin()

    def begin(self) -> None:
        batch = self.batch
        self.match = Match(batch.game, batch.seats, batch.options, seed=int(batch.seeds[self.i]))
        self.state, self.told = self.match.begun(), 0
        self.codes: list[list[int]] = [[] for _ in range(batch.seats)]

    def play(self, seat: int, action: int) -> None:
        self.match.play(seat, self.match.game.rules.show(self.match.state, seat, action))

    def hear(self) -> None:
        """Note the decisions since the last time, from the lines that each seat hears of them."""
        game, seats = self.match.game, self.match.seats
        for who, action in self.match.steps[self.told :]:
            after = self.state.copy()
            game.rules.step(after, who, action)
            for q in range(seats):
                lines = game.rules.hear(game.know(self.state, q), who, action, game.know(after, q))
                heard = expected(game, self.state, q, who, action, lines)
                if who != CHANCE and heard != UNHEARD:
                    self.codes[q].append(1 + (who - q) % seats * (game.actions + 1) + heard + 1)
            self.state = after
        self.told = len(self.match.steps)

    def compare(self) -> None:
        self.hear()
        seat = min(self.match.due)
        assert seat == self.batch.seat[self.i]
        newest = self.codes[seat][::-1][:SIZE]
        assert self.batch.history[self.i].tolist() == newest + [0] * (SIZE - len(newest))
        assert self.batch.state(self.i) == self.match.state


def forced(game: Game, match: Match) -> int | None:
    """The only legal decision of the seat that is asked."""
    legal = game.legal(match.state, min(match.due))
    return legal[0] if len(legal) == 1 else None


@pytest.mark.parametrize("skip_forced", [False, True])
@pytest.mark.parametrize(("name", "seats"), CASES)
def test_the_history_is_what_match_lets_a_seat_hear(name: str, seats: int, skip_forced: bool) -> None:
    game = game_named(name)
    batch = Batch(game, 3, seats, seed=31, history=SIZE, skip_forced=skip_forced)
    assert batch.history.shape == (3, SIZE)
    assert batch.history.dtype == np.int32
    reference = Reference(batch, 1)
    steps = 0

    def skip() -> None:
        while skip_forced and not reference.match.over and (action := forced(game, reference.match)) is not None:
            reference.play(min(reference.match.due), action)

    skip()
    reference.compare()
    while steps < 60 or (reference.over < 1 and steps < 400):
        actions = batch.random()
        reference.play(int(batch.seat[1]), int(actions[1]))
        batch.step(actions)
        skip()
        assert bool(batch.done[1]) == reference.match.over
        if reference.match.over:
            reference.over += 1
            reference.begin()
            skip()
        reference.compare()
        if skip_forced:
            assert batch.mask.sum(axis=1).min() > 1
        steps += 1
    assert batch.history.max() < batch.history_vocabulary


def stepped(batch: Batch, steps: int) -> Batch:
    for _ in range(steps):
        batch.step(batch.random())
    return batch


@pytest.mark.parametrize(("name", "seats"), CASES)
def test_no_history_tells_what_its_seat_does_not_know(name: str, seats: int) -> None:
    """In a world that a seat imagines, with other cards in hidden places, it heard the same; and the others heard only
    what it knows: the same worlds, imagined from the truth and from such a world, go on with the same histories."""
    batch = stepped(Batch(name, 64, seats, seed=3, history=SIZE), 25)
    worlds = batch.imagine(seed=77)
    again = worlds.imagine(batch.seat, seed=77)
    assert any(worlds.state(i) != batch.state(i) for i in range(64))
    assert np.array_equal(worlds.history, batch.history)
    for _ in range(8):
        for array in ("history", "seat", "mask"):
            assert np.array_equal(getattr(worlds, array), getattr(again, array)), array
        actions = worlds.random().copy()
        worlds.step(actions)
        again.step(actions)


def test_a_copy_remembers_and_a_new_match_does_not() -> None:
    batch = stepped(Batch("silencio", 64, 3, seed=3, history=4), 5)
    copy = batch.copy()
    stepped(batch, 7)
    assert not np.array_equal(batch.history, copy.history)
    assert np.array_equal(stepped(copy, 7).history, batch.history)
    batch.reset(3)
    assert not batch.history.any()


def test_the_callers_history_is_written_in_place() -> None:
    mine: Any = np.full((64, 4), 9, np.int32)
    batch = stepped(Batch("silencio", 64, 3, seed=3, history=4, out={"history": mine}), 5)
    assert np.shares_memory(batch.history, mine)
    assert np.array_equal(mine, stepped(Batch("silencio", 64, 3, seed=3, history=4), 5).history)
    with pytest.raises(ValueError, match=r"of int32 with the shape \(64, 4\)"):
        Batch("silencio", 64, 3, history=4, out={"history": mine.astype(np.int64)})


def test_without_a_history_there_is_none() -> None:
    assert Batch("toy", 4, 2).history.shape == (4, 0)
    for wrong in (-1, 2.0):
        with pytest.raises(ValueError, match="A history has 0 or more decisions"):
            Batch("toy", 4, 2, history=wrong)  # type: ignore[arg-type]
