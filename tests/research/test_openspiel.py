"""The OpenSpiel games, with OpenSpiel's own test and its Python ISMCTS."""

from __future__ import annotations

import pickle
import random
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import ismcts, mcts

from tacit import Match, game_named, game_names
from tacit.core.random_play import CHANCE
from tacit.research import spiel
from tacit.research.episode import Episode
from tests.research.following import LONG, scores, seatings

# OpenSpiel's test looks at every player at every step and serialises: long matches take seconds.
QUICK = {("silent-planet", 5), ("silent-planet", 6), ("silver-and-gold", 4)}


def walk(game: Any, seed: int, steps: int) -> Any:
    """A state some random steps into a match."""
    rng = random.Random(seed)
    state = game.new_initial_state()
    for _ in range(steps):
        if state.is_terminal():
            return state
        if state.is_chance_node():
            outcomes, shares = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(outcomes, shares)[0])
        else:
            state.apply_action(rng.choice(state.legal_actions()))
    return state


@pytest.mark.parametrize(("name", "seats"), seatings())
def test_openspiels_own_test_passes(name: str, seats: int) -> None:
    """With serialisation, on every game and seat count."""
    if (name, seats) in QUICK and not LONG:
        # The same test, begun where most of a match is played.
        whole = len(walk(spiel.load(name, seats), 1, 10**6).history())
        state = walk(spiel.load(name, seats), 1, whole - 60)
        pyspiel.random_sim_test(spiel.load(name, seats), 1, True, False, specific_initial_state=state)
    else:
        pyspiel.random_sim_test(spiel.load(name, seats), 10 if LONG else 1, True, False)


@pytest.mark.parametrize("name", game_names())
def test_the_matches_are_those_of_match(name: str) -> None:
    """The same steps give the same match: texts, states, what is heard, returns."""
    game = game_named(name)
    options: dict[str, Any] = {option: values[-1] for option, values in game.options.items() if len(values) > 1}
    loaded = spiel.load(game, game.max_seats, **options)
    rng = random.Random(5)
    state, match = loaded.new_initial_state(), Match(game, game.max_seats, options, settle=False)
    while not state.is_terminal():
        player = state.current_player()
        if player == pyspiel.PlayerId.CHANCE:
            outcomes = dict(state.chance_outcomes())
            total = sum(match.chance().values())
            assert sorted(outcomes.values()) == sorted(weight / total for weight in match.chance().values())
            action = rng.choice(list(outcomes))
            match.play("*", state.action_to_string(player, action), settle=False)
        else:
            assert player == min(match.due)
            assert [state.action_to_string(player, a) for a in state.legal_actions()] == match.see(player).legal
            action = rng.choice(state.legal_actions())
            match.play(player, state.action_to_string(player, action), settle=False)
        state.apply_action(action)
        assert state.episode.state == match.state
    assert match.over
    assert state.returns() == scores(game, match)
    for seat in range(match.seats):
        assert state.episode.heard(seat) == match.see(seat).heard


@pytest.mark.parametrize("name", game_names())
def test_a_resampled_state_is_one_that_the_player_could_be_in(name: str) -> None:
    """Its information state is the same, and it keeps nothing of the truth, not even in its history."""
    game = game_named(name)
    loaded = spiel.load(game, game.max_seats)
    for seed in range(4):
        state = walk(loaded, seed, 60 + 10 * seed)
        while state.is_chance_node():
            state.apply_action(state.chance_outcomes()[0][0])
        if state.is_terminal():
            continue
        player = state.current_player()
        worlds = [state.resample_from_infostate(player, lambda i=i: i / 7) for i in range(3)]
        for world in worlds:
            assert world.information_state_string(player) == state.information_state_string(player)
            assert world.observation_string(player) == state.observation_string(player)
            assert world.information_state_tensor(player) == state.information_state_tensor(player)
            assert world.legal_actions() == state.legal_actions()
            assert world.history() == []
            assert world.episode.steps == []
        again = worlds[1].resample_from_infostate(player, lambda: 2 / 7)
        assert again.episode.state == worlds[2].episode.state
        for q in range(game.max_seats):
            if q != player:
                assert again.information_state_string(q) == worlds[2].information_state_string(q)


@pytest.mark.parametrize("name", game_names())
def test_information_states_hold_no_secret(name: str) -> None:
    """Two matches that differ in what one player cannot know have the same strings and tensors for it."""
    game = game_named(name)
    loaded = spiel.load(game, game.max_seats)
    state = walk(loaded, 3, 70)
    for player in range(game.max_seats):
        world = state.imagined(player, "another")
        assert world.information_state_string(player) == state.information_state_string(player)
        assert world.observation_tensor(player) == state.observation_tensor(player)


@pytest.mark.parametrize("name", ["silencio", "toy"])
def test_openspiels_python_ismcts_plays(name: str) -> None:
    game = spiel.load(name, 2)
    rng = np.random.RandomState(3)
    bot = ismcts.ISMCTSBot(game, mcts.RandomRolloutEvaluator(1, rng), 2.0, 6, random_state=rng)
    bot.set_resampler(spiel.resampler(3))
    state, asked = walk(game, 2, 4), 0
    while not state.is_terminal() and asked < 4:
        if state.is_chance_node():
            state.apply_action(state.chance_outcomes()[0][0])
            continue
        action = bot.step(state)
        assert action in state.legal_actions()
        state.apply_action(action)
        asked += 1
    assert asked


@pytest.mark.parametrize("name", game_names())
def test_games_and_states_can_be_pickled(name: str) -> None:
    game = game_named(name)
    loaded = spiel.load(game, game.max_seats)
    assert str(pickle.loads(pickle.dumps(loaded))) == str(loaded)
    state = walk(loaded, 1, 50)
    state.episode.heard(0)
    again: Episode = pickle.loads(pickle.dumps(state.episode))
    assert again.state == state.episode.state
    assert again.steps == state.episode.steps
    assert [again.heard(q) for q in range(2)] == [state.episode.heard(q) for q in range(2)]


def test_a_seeded_episode_goes_on_after_pickling() -> None:
    one = Episode("silencio", 3, seed=8)
    two: Episode = pickle.loads(pickle.dumps(one))
    while one.now >= 0:
        action = one.legal(one.now)[-1]
        assert two.legal(two.now)[-1] == action
        one.play(action)
        two.play(action)
    assert one.scores() == two.scores()
    assert one.now != CHANCE


def test_what_openspiel_cannot_have_is_refused() -> None:
    with pytest.raises(ValueError, match="7"):
        spiel.load("silencio", 7)
    observer = spiel.load("silencio", 2).make_py_observer
    assert observer(pyspiel.IIGObservationType(perfect_recall=True, private_info=pyspiel.PrivateInfoType.NONE)) is None
