"""The PettingZoo environment, with PettingZoo's own suites."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from tacit import game_named, game_names
from tacit.research import Batch, aec
from tacit.research.central import Central
from tacit.research.observations import tensor
from tests.research.following import LONG, seatings

CYCLES = 200 if LONG else 12
# What PettingZoo says of every observation that is not a plain array, but for the environments on a list of its own.
OF_DICTIONARIES = {
    "Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
    "Observation is not a NumPy array",
}


@pytest.mark.parametrize(("name", "seats"), seatings())
def test_pettingzoos_suites_pass_without_a_warning(name: str, seats: int) -> None:
    def make() -> Any:
        return aec.env(name, seats, mask_in_observation=False)

    api_test(make(), num_cycles=CYCLES)
    seed_test(make, num_cycles=CYCLES)


@pytest.mark.parametrize(("name", "seats"), seatings())
def test_they_pass_with_masks_in_both_places(name: str, seats: int) -> None:
    """And all they warn of is that the observation is a dictionary, as in PettingZoo's own card games."""

    def make() -> Any:
        return aec.env(name, seats)

    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        api_test(make(), num_cycles=CYCLES)
        seed_test(make, num_cycles=CYCLES)
    assert {str(warning.message) for warning in said} == OF_DICTIONARIES


@pytest.mark.parametrize("name", game_names())
def test_a_whole_match(name: str) -> None:
    """Every agent observes what its seat knows, decides when it is due, and gets its score."""
    game = game_named(name)
    env = aec.raw_env(game, game.max_seats)
    env.reset(seed=7)
    rng = np.random.default_rng(7)
    while not all(env.terminations.values()):
        seat = env.possible_agents.index(env.agent_selection)
        due = game.rules.due(env.episode.state)
        assert due >> seat & 1
        assert due & ((1 << seat) - 1) == 0
        for q, agent in enumerate(env.agents):
            seen, k = env.observe(agent), game.know(env.episode.state, q)
            assert seen["observation"].tolist() == tensor(game, k, q).tolist()
            assert np.array_equal(seen["action_mask"], env.infos[agent]["action_mask"])
            assert np.flatnonzero(seen["action_mask"]).tolist() == (game.legal(k, q) if q == seat else [])
        env.step(int(rng.choice(np.flatnonzero(env.infos[env.agent_selection]["action_mask"]))))
    assert [env.rewards[agent] for agent in env.possible_agents] == env.episode.scores()
    assert "phase" in env.render() or name == "toy"


def test_an_illegal_decision_is_refused_raw_and_ends_the_match_wrapped() -> None:
    raw = aec.raw_env("toy", 2)
    raw.reset(seed=1)
    wrong = int(np.flatnonzero(raw.infos["seat_0"]["action_mask"] == 0)[0])
    before = raw.episode.state.copy()
    with pytest.raises(ValueError, match=f"seat_0 may not decide {wrong}; .* Nothing has changed."):
        raw.step(wrong)
    assert raw.episode.state == before
    for mask_in_observation in (True, False):
        env = aec.env("toy", 2, penalty=-3, mask_in_observation=mask_in_observation)
        env.reset(seed=1)
        env.step(wrong)
        assert env.rewards["seat_0"] == -3
        assert all(env.terminations.values())


def test_the_central_state_is_apart() -> None:
    """It is what all seats know; and no seat's observation, info or view of the batch has it."""
    env = aec.env("silencio", 3)
    env.reset(seed=2)
    central = env.state()
    assert env.state_space.contains(central)
    assert central.tolist() == [cell for seat in range(3) for cell in env.unwrapped.episode.observe(seat).tolist()]
    assert set(env.last()[0]) == {"observation", "action_mask"}
    assert set(env.last()[4]) == {"action_mask"}
    batch = Batch("toy", 8, 3, seed=1)
    tensor = batch.central.tensor()
    assert tensor.shape == batch.central.shape == (8, 75)
    assert np.array_equal(tensor[:, 25:50], batch.observe(1))
    assert batch.central.field("hand").tolist() == batch.secret("hand").tolist()
    outward = [*vars(batch).values(), *batch._work]  # environments and the views of dlpack are made of these
    shapes = [tuple(array.shape) for array in outward if hasattr(array, "shape")]
    assert batch.central.shape not in shapes
    assert not any(isinstance(value, Central) for value in vars(batch).values())
