"""PettingZoo's parallel API: seats that choose at once do; and the match is the one that `Match` plays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from pettingzoo.test import parallel_api_test, parallel_seed_test

from tacit import game_named, game_names
from tacit.core.random_play import CHANCE
from tacit.research.parallel import parallel_env
from tests.research.following import LONG

CYCLES = 200 if LONG else 12


def draw(masks: dict[str, Any], rng: np.random.Generator) -> dict[str, int]:
    return {agent: int(rng.choice(np.flatnonzero(info["action_mask"]))) for agent, info in masks.items()}


@pytest.mark.parametrize("name", game_names())
def test_pettingzoos_suites_pass_and_a_whole_match_is_played(name: str) -> None:
    """All seats of a sealed moment decide in one step; whoever is not due waits, and can do nothing else."""
    game = game_named(name)
    seats = min(3, game.max_seats)
    parallel_api_test(parallel_env(name, seats), num_cycles=CYCLES)
    parallel_seed_test(lambda: parallel_env(name, seats), num_cycles=CYCLES)
    env, rng, together = parallel_env(game, seats), np.random.default_rng(3), 0
    observations, infos = env.reset(seed=3)
    while env.agents:
        state, before = env.episode.state.copy(), len(env.episode.steps)
        due = game.rules.due(state)
        sealed = game.rules.sealed(state) != 0
        for seat, agent in enumerate(env.agents):
            assert (infos[agent]["action_mask"][env.wait] == 0) == bool(due >> seat & 1)
            assert np.array_equal(observations[agent]["observation"], env.episode.observe(seat))
        chosen = draw(infos, rng)
        observations, rewards, terminations, _, infos = env.step(chosen)
        made = [(who, action) for who, action in env.episode.steps[before:] if who != CHANCE]
        assert made[0] == min((seat, chosen[f"seat_{seat}"]) for seat in range(seats) if due >> seat & 1)
        if sealed:
            assert made == [(seat, chosen[f"seat_{seat}"]) for seat in range(seats) if due >> seat & 1]
            together += len(made) > 1
    assert all(terminations.values())
    assert list(rewards.values()) == env.episode.scores()
    assert together > 0 or game.rules.sealed(state) == 0 or seats < 2


def test_an_illegal_decision_ends_the_match() -> None:
    env = parallel_env("silver-and-gold", 2, penalty=-7)
    _, infos = env.reset(options={"match_seed": 5})
    first = env.state()
    chosen = draw(infos, np.random.default_rng(0)) | {"seat_1": env.wait}
    _, rewards, terminations, _, infos = env.step(chosen)
    assert (rewards, all(terminations.values()), env.agents) == ({"seat_0": 0.0, "seat_1": -7.0}, True, [])
    assert infos["seat_1"]["illegal"].startswith(f"{env.wait} is not among ")
    env.reset(options={"match_seed": 5})
    assert np.array_equal(env.state(), first)
    assert env.state_space.contains(first)
    assert "you" in env.render()
    with pytest.raises(ValueError, match="whole number"):
        env.step({"seat_0": 0.5, "seat_1": 0})
