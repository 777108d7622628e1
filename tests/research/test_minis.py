"""The mini games: what they are worth is proved, their plans are played, and OpenSpiel's algorithms agree."""

from __future__ import annotations

import hashlib
import pickle
import random
from fractions import Fraction

import pytest
from open_spiel.python.algorithms import cfr, expected_game_score, generate_playthrough
from open_spiel.python.policy import UniformRandomPolicy

from tacit import game_named
from tacit.research import exact, spiel
from tacit.research.minis import mini, minis

GOLDEN = {
    "mini-silencio-duo": "9a285e89d705f1e0",
    "mini-silencio-green": "5401a9ecc4f81b49",
}


@pytest.mark.parametrize("name", minis())
def test_the_value_is_proved_and_its_plans_reach_it(name: str) -> None:
    chosen, game = minis()[name], mini(name)
    tree = exact.tree_of(game, 2, chosen.options)
    value, plans = exact.best_team(tree)
    assert value == chosen.value
    assert exact.uniform_worth(tree) == [chosen.random] * 2
    assert chosen.random < value
    assert exact.worth(tree, plans) == [value] * 2
    worse = [plans[0], {state: max(made) for state, (_, made) in tree.sides[1].states.items()}]
    assert exact.worth(tree, worse)[0] <= value


def test_the_whole_game_is_as_it_was() -> None:
    whole, small = game_named("silencio"), mini("mini-silencio-duo")
    assert (small.actions, small.observation, small.dtype) == (whole.actions, whole.observation, whole.dtype)
    assert whole.score_range(2) == (-28, 0)
    assert small.score_range(2) == (-8, 0)
    assert pickle.loads(pickle.dumps(small)) is small
    with pytest.raises(ValueError, match="There is no mini game 'mini-chess'"):
        mini("mini-chess")


def test_openspiels_cfr_finds_the_value() -> None:
    chosen = minis()["mini-silencio-duo"]
    game = spiel.load(mini("mini-silencio-duo"), 2, **chosen.options)
    solver = cfr.CFRSolver(game)
    for _ in range(8):
        solver.evaluate_and_update_policy()
    state, policies = game.new_initial_state(), [solver.average_policy()] * 2
    found = expected_game_score.policy_value(state, policies)
    uniform = expected_game_score.policy_value(state, [UniformRandomPolicy(game)] * 2)
    assert uniform == pytest.approx([float(chosen.random)] * 2)
    assert all(float(chosen.random) < share <= float(chosen.value) for share in found)


@pytest.mark.parametrize("name", minis())
def test_playthroughs_are_golden(name: str) -> None:
    game = spiel.load(mini(name), 2, **minis()[name].options)
    state, rng = game.new_initial_state(), random.Random(7)
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))
    told = generate_playthrough.playthrough(str(game), state.history())
    lines = [line for line in told.splitlines() if not line.startswith("# ")]  # without whole states
    assert hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16] == GOLDEN[name]


def test_a_duel_has_a_value_that_both_can_hold() -> None:
    """Matching pennies in which one match is worth twice as much: (2 * 1 - 1 * 1) / 5, solved by hand."""
    tree = exact.Tree([exact.Side(), exact.Side()])
    for side in tree.sides:
        side.follow("now", 0, [0, 1])
    gains = {(1, 1): 2, (1, 2): -1, (2, 1): -1, (2, 2): 1}
    tree.ends = {pair: [Fraction(1), Fraction(gain), Fraction(0)] for pair, gain in gains.items()}
    assert exact.duel_value(tree) == pytest.approx(1 / 5)


def test_what_is_too_large_or_forgotten_is_refused() -> None:
    with pytest.raises(ValueError, match="more than 50 nodes"):
        exact.tree_of(mini("mini-silencio-duo"), 2, {"unlit": "all"}, limit=50)
    side = exact.Side()
    side.follow("now", 0, [0, 1])
    with pytest.raises(ValueError, match="several pasts"):
        side.follow("now", 1, [0, 1])
