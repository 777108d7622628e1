"""Looks of one position: a seat would observe them, and a network that is asked about all judges them alike."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tacit import Match, game_named
from tacit.bots.network.policy import NetworkPolicy
from tacit.bots.silver_and_gold import learned
from tacit.bots.silver_and_gold.symmetry import SYMMETRY
from tacit.core.game import Game

GAME = game_named("silver-and-gold")
EXCHANGED = [(False, False), (False, True), (True, False), (True, True)]  # one's own cards, the rivals'


def observed(game: Game, k: Any, seat: int) -> Any:
    cells = np.zeros(game.observation, np.int8)
    game.rules.observe(k, seat, cells)
    return cells


def exchanged(match: Match, seat: int, own: bool, others: bool) -> Any:
    """What a seat knows, with the two cards of some seats in the other order."""
    k = match.know(seat)
    for other in range(match.seats):
        if own if other == seat else others:
            for grid in (k.card, k.free, k.pending):
                grid[other, 0], grid[other, 1] = grid[other, 1], grid[other, 0]
    return k


def positions(seats: int, seed: int) -> Any:
    match, rng = Match(GAME, seats, seed=seed), np.random.default_rng(seed)
    while not match.over:
        seat = min(match.due)
        yield match, seat
        match.play(seat, str(rng.choice(match.legal(seat))))


@pytest.mark.parametrize("seats", [2, 4])
def test_a_look_is_what_a_seat_would_observe(seats: int) -> None:
    different = 0
    for match, seat in positions(seats, 5):
        cells = observed(GAME, match.know(seat), seat)
        legal = GAME.legal(match.know(seat), seat)
        for way, (own, others) in enumerate(EXCHANGED):
            k = exchanged(match, seat, own, others)
            look = cells[SYMMETRY.cells[way]]
            assert (observed(GAME, k, seat) == look).all()
            numbers = SYMMETRY.decisions[way, cells[SYMMETRY.switch], legal]
            assert sorted(numbers) == sorted(GAME.legal(k, seat))
            different += int((look != cells).any())
    assert different > 100


def test_the_order_of_cards_changes_no_decision() -> None:
    network = NetworkPolicy(learned.FILE, GAME, SYMMETRY)
    none = np.zeros((1, 0), np.int64)
    for match, seat in list(positions(3, 8))[::9]:
        cells = observed(GAME, match.know(seat), seat)
        wanted = network.logits(cells[None], none)[0]
        for way in range(len(EXCHANGED)):
            said = network.logits(cells[SYMMETRY.cells[way]][None], none)[0]
            numbers = SYMMETRY.decisions[way, cells[SYMMETRY.switch]]
            assert (said[numbers] == wanted[: GAME.actions]).all()
            assert (said[GAME.actions :] == wanted[GAME.actions :]).all()


def test_the_mean_over_looks_is_the_same_compiled() -> None:
    from tacit.bots.network.compiled_network import compiled_evaluate

    network = NetworkPolicy(learned.FILE, GAME, SYMMETRY)
    header, _ = network.loaded
    evaluate = compiled_evaluate(network.key(), *network.loaded, SYMMETRY)
    seen = np.stack([observed(GAME, match.know(seat), seat) for match, seat in list(positions(2, 3))[::7]])
    tokens = np.zeros((len(seen), 1), np.int64)
    wanted = np.zeros((len(seen), GAME.actions + header.values), np.int64)
    evaluate(seen, tokens, wanted, len(seen))
    assert (wanted == network.logits(seen, tokens)).all()
