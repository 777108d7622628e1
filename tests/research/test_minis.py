"""The mini games: what they are worth is proved, their plans are played, and OpenSpiel's algorithms agree."""

from __future__ import annotations

import hashlib
import os
import pickle
import random
from fractions import Fraction
from typing import Any

import pyspiel
import pytest
from open_spiel.python.algorithms import (
    best_response,
    cfr,
    expected_game_score,
    exploitability,
    generate_playthrough,
)
from open_spiel.python.policy import Policy, UniformRandomPolicy

from tacit import game_named
from tacit.research import exact, spiel
from tacit.research.minis import mini, minis, proved

LONG = "TACIT_LONG" in os.environ

GOLDEN = {
    "mini-silencio-duo": "9a285e89d705f1e0",
    "mini-silencio-green": "5401a9ecc4f81b49",
    "mini-silver-and-gold-race": "06aafe3cf17dc422",
    "mini-zombie-city-bribes": "bb6c39ca54bd3920",
    "mini-silent-planet-rows": "7b6d10d87e3aef58",
}


@pytest.mark.parametrize("name", minis())
def test_the_values_are_proved(name: str) -> None:
    assert proved(name) == (minis()[name].value, minis()[name].random)


def in_order(known: str) -> str:
    """An information state whose first lines, the deal, are in rising order: plans have it in one order only."""
    lines = known.splitlines()
    dealt = next(at for at, line in enumerate(lines) if not line.startswith("* "))
    return "\n".join([*sorted(lines[:dealt]), *lines[dealt:]])


class Planned(Policy):  # type: ignore[misc]  # OpenSpiel has no types
    """Plans of `exact.best_team` as a policy of OpenSpiel's."""

    def __init__(self, game: Any, plans: list[exact.Plan]) -> None:
        super().__init__(game, [0, 1])
        self.plans = [{in_order(known): action for known, action in plan.items()} for plan in plans]

    def action_probabilities(self, state: Any, player_id: int | None = None) -> dict[int, float]:
        player = state.current_player() if player_id is None else player_id
        return {self.plans[player][in_order(exact.information(state.episode, player))]: 1.0}


@pytest.mark.parametrize("name", [name for name in minis() if mini(name).cooperative and (LONG or "duo" in name)])
def test_openspiel_finds_no_better_plan_for_either_seat(name: str) -> None:
    """The plans are worth what they should; and OpenSpiel's best response to one is worth no more."""
    chosen = minis()[name]
    value, plans = exact.best_team(exact.tree_of(mini(name), 2, chosen.options))
    game = spiel.load(mini(name), 2, **chosen.options)
    policy, root = Planned(game, plans), game.new_initial_state()
    assert expected_game_score.policy_value(root, [policy] * 2) == pytest.approx([float(value)] * 2)
    for seat in range(2):
        best = best_response.BestResponsePolicy(game, seat, policy, root)
        assert best.value(root) == pytest.approx(float(value))


def test_rivals_are_no_team() -> None:
    tree = exact.Tree([exact.Side(), exact.Side()], {(0, 0): [Fraction(1), Fraction(1), Fraction(0)]})
    with pytest.raises(ValueError, match="they are rivals, not a team"):
        exact.best_team(tree)


def test_the_whole_game_is_as_it_was() -> None:
    whole, small = game_named("silencio"), mini("mini-silencio-duo")
    assert (small.actions, small.observation, small.dtype) == (whole.actions, whole.observation, whole.dtype)
    assert whole.score_range(2) == (-28, 0)
    assert small.score_range(2) == (-8, 0)
    assert pickle.loads(pickle.dumps(small)) is small
    with pytest.raises(ValueError, match="There is no mini game 'mini-chess'"):
        mini("mini-chess")


def test_openspiels_cfr_finds_the_value_of_a_team() -> None:
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


DUELS = [name for name in minis() if not mini(name).cooperative]


@pytest.mark.parametrize("name", DUELS if LONG else DUELS[:1])
def test_openspiels_cfr_finds_the_value_of_a_duel(name: str) -> None:
    """What policies come to differs from the value by no more than both seats can gain: by theory, and so it is."""
    chosen = minis()[name]
    game = spiel.load(mini(name), 2, duel=True, **chosen.options)
    assert game.get_type().utility == pyspiel.GameType.Utility.ZERO_SUM
    assert pickle.loads(pickle.dumps(game)).get_type().short_name == game.get_type().short_name
    solver = cfr.CFRPlusSolver(game)
    for _ in range(200 if LONG else 4):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    found = expected_game_score.policy_value(game.new_initial_state(), [policy] * 2)
    gap = exploitability.nash_conv(game, policy)
    assert found[0] == -found[1]
    assert abs(found[0] - float(chosen.value)) <= gap < (0.05 if LONG else 2)


def test_a_team_is_no_duel() -> None:
    with pytest.raises(ValueError, match="Silencio is no duel"):
        spiel.load("silencio", 2, duel=True)
    assert "tacit_zombie_city_duel" in pyspiel.registered_names()


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
    assert exact.duel_value(tree) == Fraction(1, 5)


def test_what_is_too_large_or_forgotten_is_refused() -> None:
    with pytest.raises(ValueError, match="more than 50 nodes"):
        exact.tree_of(mini("mini-silencio-duo"), 2, {"unlit": "all"}, limit=50)
    side = exact.Side()
    side.follow("now", 0, [0, 1])
    with pytest.raises(ValueError, match="several pasts"):
        side.follow("now", 1, [0, 1])
