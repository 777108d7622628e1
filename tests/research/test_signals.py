"""Signals as decisions: an option of the environments; without it nothing has changed."""

from __future__ import annotations

import pickle
from typing import Any

import gymnasium
import numpy as np
import pyspiel
import pytest
from gymnasium import spaces
from pettingzoo.test import api_test

from tacit import Match, game_named
from tacit.research import Batch, aec, spiel
from tacit.research.episode import Episode
from tacit.research.parallel import parallel_env
from tacit.research.seat_env import SeatEnv
from tacit.research.signals import fields_of, with_signals
from tacit.research.vector import TacitVectorEnv

GAME = game_named("silent-planet")
CELLS = GAME.max_seats * len(GAME.signals)


def follow(episode: Episode, match: Match, rng: np.random.Generator) -> int:
    """Play an episode at random beside a match; how many signals were given."""
    signalled = 0
    while episode.now >= 0:
        seat = episode.now
        legal = episode.legal(seat)
        texts = [GAME.signals[number - GAME.actions] for number in legal if number >= GAME.actions]
        assert texts == match.signals(seat)
        for q in range(match.seats):
            seen = episode.observe(q)
            plain = seen[: GAME.observation]
            assert np.array_equal(seen, with_signals(GAME, plain, q, match.seats, match.given))
            assert episode.heard(q) == match.see(q).heard
        number = int(rng.choice(legal))
        if number >= GAME.actions:
            match.signal(seat, GAME.signals[number - GAME.actions])
            signalled += 1
        else:
            match.play(seat, GAME.rules.show(match.state, seat, number))
        episode.play(number)
        assert episode.state == match.state
    assert match.over
    return signalled


def test_an_episode_with_signals_is_a_match_with_signals() -> None:
    """Legal signals, what is heard and what is observed are the match's; also for a seat that is asked late."""
    assert follow(Episode(GAME, 3, seed=4, signals=True), Match(GAME, 3, seed=4), np.random.default_rng(0)) > 3
    episode = Episode(GAME, 3, seed=4, signals=True)
    rng = np.random.default_rng(1)
    while not episode.given:
        episode.play(int(rng.choice(episode.legal(episode.now))))
    early = episode.copy()
    assert any(line.startswith("! ") for line in episode.recalled(1))
    assert early.recalled(1) == episode.recalled(1)
    assert episode.show(*episode.steps[-1]) == f"! {episode.given[-1][1]}"


def test_every_environment_has_the_option() -> None:
    env = aec.env("silent-planet", 3, signals=True, mask_in_observation=False)
    api_test(env, num_cycles=12)
    assert env.observation_space("seat_0").shape == (GAME.observation + CELLS,)
    both = parallel_env("silent-planet", 3, signals=True)
    assert both.wait == GAME.actions + len(GAME.signals)
    game = pyspiel.load_game("tacit_silent_planet(players=3,signals=True)")
    state = game.new_initial_state()
    assert game.num_distinct_actions() == GAME.actions + len(GAME.signals)
    rng = np.random.default_rng(2)
    while not any(number >= GAME.actions for _, number in state.episode.steps if _ < 3):
        state.apply_action(int(rng.choice(state.legal_actions())))
    assert "! " in state.information_state_string(0)
    assert len(state.observation_tensor(0)) == GAME.observation + CELLS
    assert fields_of(GAME, True)[-1].name == "signals"
    for make in (aec.env, parallel_env, SeatEnv):
        with pytest.raises(ValueError, match="Silencio has no signals"):
            make("silencio", 3, signals=True)
    assert spiel.load("silent-planet", 3, signals=True).num_distinct_actions() == both.wait


def test_a_seat_among_bots_signals_and_hears_their_signals() -> None:
    env = SeatEnv("silent-planet", 3, seat=0, bots="steady", signals=True)
    observation, info = env.reset(seed=1)
    given = np.zeros(CELLS, bool)
    rng = np.random.default_rng(1)
    over = False
    while not over:
        signals = np.flatnonzero(info["action_mask"][GAME.actions :]) + GAME.actions
        legal = np.flatnonzero(info["action_mask"])
        number = int(rng.choice(signals if len(signals) and rng.random() < 0.5 else legal))
        observation, _, over, _, info = env.step(number)
        assert "illegal" not in info
        given |= observation[GAME.observation :] > 0
    own = len(GAME.signals)
    assert given[:own].any()
    assert given[own:].any()  # and the bots' own
    env.close()


def test_a_batch_with_signals_is_many_episodes_with_signals() -> None:
    """Masks, observations of all seats and histories are the episodes'; copies, files and pickles go on alike."""
    env = TacitVectorEnv("silent-planet", 3, 3, signals=True, history=2)
    assert env.single_action_space == spaces.Discrete(GAME.actions + len(GAME.signals))
    env.reset(seed=5)
    batch = env.batch
    episodes = [Episode(GAME, 3, seed=int(seed), signals=True) for seed in batch.seeds]
    assert batch.history_vocabulary == 1 + GAME.max_seats * (batch.actions + 1)
    signalled, over = 0, np.zeros(3, bool)
    while not over.all():
        for q in range(3):
            seen = batch.observe(q)
            assert all(over[i] or np.array_equal(seen[i], episodes[i].observe(q)) for i in range(3))
        for i in np.flatnonzero(~over):
            now = episodes[i].now
            assert batch.seat[i] == now
            assert np.array_equal(batch.mask[i], episodes[i].mask(now))
            assert np.array_equal(batch.observation[i], episodes[i].observe(now))
        again = pickle.loads(pickle.dumps(batch)) if signalled == 5 else None
        actions = batch.random().copy()
        decided = batch.seat.copy()
        env.step(actions)
        if again is not None:
            again.step(actions)
            assert np.array_equal(again.observation, batch.observation)
            assert again.imagine().observe(0).shape == batch.observation.shape
        for i in np.flatnonzero(~over):
            episodes[i].play(int(actions[i]))
            if actions[i] >= GAME.actions:
                signalled += 1
                assert batch.seat[i] == decided[i]  # it is asked again
                assert batch.history[i, 0] == 2 + actions[i]  # by itself: relative seat 0
            assert batch.done[i] == (episodes[i].now < 0)
        over |= batch.done
    assert signalled > 5
    assert batch.central.tensor().shape == (3, 3 * batch.cells)


def test_a_batch_refuses_signals_where_it_has_none() -> None:
    with pytest.raises(ValueError, match="Silencio has no signals"):
        Batch("silencio", 2, 3, signals=True)
    for how in ({"device": "cuda"}, {"partners": ["steady"]}):
        with pytest.raises(ValueError, match="on the CPU only, and without partners"):
            Batch("silent-planet", 2, 3, signals=True, **how)


def test_the_environment_with_signals_has_ids_of_its_own() -> None:
    made = gymnasium.make(f"tacit/silent-planet-signals-obs{GAME.observation_version}-v1", seats=3)
    assert made.observation_space.shape == (GAME.observation + CELLS,)
    plain = gymnasium.make("tacit/silent-planet-v1", seats=3)
    assert plain.observation_space.shape == (GAME.observation,)
    with pytest.raises(gymnasium.error.Error):
        gymnasium.make("tacit/silencio-signals-v2", seats=3)


def test_without_the_option_all_is_as_it_was() -> None:
    plain: Any = SeatEnv("silent-planet", 3)
    assert plain.observation_space.shape == (GAME.observation,)
    assert plain.action_space.n == GAME.actions
    assert Episode(GAME, 3, seed=1).observe(0).shape == (GAME.observation,)


@pytest.mark.parametrize(("name", "version"), [("silencio", "obs2-v2"), ("silver-and-gold", "obs1-v1")])
def test_ids_have_the_observations_version(name: str, version: str) -> None:
    made = gymnasium.make(f"tacit/{name}-{version}", seats=2)
    assert made.observation_space.shape == (game_named(name).observation,)
    assert aec.env(name, 2).metadata["observation_version"] == game_named(name).observation_version
    assert TacitVectorEnv.metadata is not None
