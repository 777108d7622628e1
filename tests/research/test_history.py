"""What a batch tells the deciding seat of the past: what `Match.see` let it hear, and nothing that is hidden."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from tacit import Game, Match, game_named
from tacit.core.events import UNHEARD
from tacit.core.random_play import CHANCE
from tacit.research import Batch, aec, seat_env
from tacit.research.episode import Episode
from tacit.research.parallel import parallel_env
from tacit.research.seat_env import SeatEnv
from tests.bots.test_overhear import expected
from tests.research.following import seatings

SIZE = 12
CASES = [(name, seats) for name, seats in seatings() if name != "toy"]


def codes_heard(game: Game, seats: int, state: Any, steps: Sequence[tuple[int, int]]) -> list[list[int]]:
    """What each seat hears of the decisions in some steps, from the lines that it hears; `state` goes along."""
    codes: list[list[int]] = [[] for _ in range(seats)]
    for who, action in steps:
        before = state.copy()
        game.rules.step(state, who, action)
        for q in range(seats):
            lines = game.rules.hear(game.know(before, q), who, action, game.know(state, q))
            heard = expected(game, before, q, who, action, lines)
            if who != CHANCE and heard != UNHEARD:
                codes[q].append(1 + (who - q) % seats * (game.actions + 1) + heard + 1)
    return codes


def newest(codes: list[int]) -> list[int]:
    """The history of a seat that has heard these."""
    return (codes[::-1] + [0] * SIZE)[:SIZE]


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
        found = codes_heard(self.match.game, self.match.seats, self.state, self.match.steps[self.told :])
        self.codes = [old + new for old, new in zip(self.codes, found, strict=True)]
        self.told = len(self.match.steps)

    def compare(self) -> None:
        self.hear()
        seat = min(self.match.due)
        assert seat == self.batch.seat[self.i]
        assert self.batch.history[self.i].tolist() == newest(self.codes[seat])
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


@pytest.mark.parametrize("name", sorted({name for name, _ in CASES}))
def test_environments_give_the_history_that_match_lets_a_seat_hear(name: str) -> None:
    """And beside it the observation is as it is without one."""
    game = game_named(name)

    def compare(seen: Any, seat: int, space: Any, steps: Sequence[tuple[int, int]]) -> None:
        state: Any = game.blank(3, game.check(3, None))
        game.rules.start(state)
        assert space.contains(seen)
        assert seen["history"].tolist() == newest(codes_heard(game, 3, state, steps)[seat])

    env, plain, rng = aec.raw_env(name, 3, history=SIZE), aec.raw_env(name, 3), random.Random(4)
    for each in (env, plain):
        each.reset(seed=4)
    for number in range(30):
        agent, seen = env.agent_selection, env.observe(env.agent_selection)
        if number % 6 == 5:
            compare(seen, env.possible_agents.index(agent), env.observation_space(agent), env.episode.steps)
        known = plain.observe(agent)
        assert all(np.array_equal(seen[key], known[key]) for key in known)
        action = rng.choice(np.flatnonzero(seen["action_mask"]).tolist())
        env.step(action)
        plain.step(action)
        if any(env.terminations.values()):
            break
    together = parallel_env(name, 3, history=SIZE)
    observations, _ = together.reset(seed=4)
    for _ in range(6):
        actions = {q: rng.choice(np.flatnonzero(seen["action_mask"]).tolist()) for q, seen in observations.items()}
        observations = together.step(actions)[0]
        if not together.agents:
            break
    for seat, agent in enumerate(together.possible_agents):
        compare(observations[agent], seat, together.observation_space(agent), together.episode.steps)
    one = SeatEnv(name, 3, bots="random", history=SIZE)
    seen, info = one.reset(seed=4)
    for _ in range(3):
        assert one.match is not None
        compare(seen, one.seat, one.observation_space, one.match.steps)
        seen, _, over, _, info = one.step(int(info["action_mask"].argmax()))
        if over:
            break
    one.close()


@pytest.mark.long
@pytest.mark.parametrize("name", sorted({name for name, _ in CASES}))
def test_a_compiled_match_gives_the_same_history(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def histories(interpreted: int) -> list[list[int]]:
        monkeypatch.setattr(seat_env, "INTERPRETED", interpreted)
        env = SeatEnv(name, 3, bots="random", history=SIZE)
        seen, info = env.reset(seed=4)
        found, over = [seen["history"].tolist()], False
        while not over:
            seen, _, over, _, info = env.step(int(info["action_mask"].argmax()))
            found.append(seen["history"].tolist())
        env.close()
        return found

    assert histories(0) == histories(1 << 60)


def test_a_history_is_a_whole_number_of_decisions() -> None:
    wrongs: tuple[Any, ...] = (-1, 1.5, True, "3")
    for wrong in wrongs:
        for make in (aec.raw_env, parallel_env, SeatEnv, Episode):
            with pytest.raises(ValueError, match="A history has 0 or more decisions"):
                make("toy", 2, history=wrong)
    env = aec.raw_env("toy", 2, mask_in_observation=False, history=np.int64(2))  # type: ignore[arg-type]
    env.reset(seed=1)
    assert sorted(env.observe("seat_0")) == ["history", "observation"]
