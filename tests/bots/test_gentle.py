"""`gentle` decides as `steady` does, except for one random decision in four."""

from __future__ import annotations

import dataclasses

import pytest

from tacit.bots import Budget, CompiledBot, Dice, bot_named
from tacit.bots.heard_events import HeardEvents, turn_of
from tacit.core.chance import Seeded, stream
from tacit.core.game import Game
from tacit.core.match import Match
from tacit.core.registry import game_named
from tests.bots.test_search import at

TRIES = 400


def compiled(game: Game, name: str) -> CompiledBot:
    bot = bot_named(game, name)
    assert isinstance(bot, CompiledBot)
    return bot


@pytest.mark.parametrize("name", ["silencio", "silver-and-gold", "zombie-city", "silent-planet"])
def test_one_decision_in_four_is_a_whim(name: str) -> None:
    game = game_named(name)
    match, listener = at(game, 3, 40 if name == "silent-planet" else 8)
    seat = min(match.due)
    turn = turn_of(match, seat, listener, Dice(stream("")), Budget())
    gentle, steady = compiled(game, "gentle"), compiled(game, "steady")
    sound, legal, whims = steady.choose(turn), game.legal(turn.k, seat), []
    for i in range(TRIES):
        decided = gentle.choose(dataclasses.replace(turn, rng=Dice(stream(f"try {i}"))))
        assert decided in legal
        if decided != sound:
            whims.append(decided)
    expected = TRIES / 4 * (1 - 1 / len(legal))  # by lot it may decide as `steady` does
    assert abs(len(whims) - expected) < 4 * (TRIES * 3 / 16) ** 0.5
    assert len(set(whims)) > 1


def test_at_silent_planet_it_lays_its_row_and_signals_as_steady_does() -> None:
    game = game_named("silent-planet")
    gentle, steady = compiled(game, "gentle"), compiled(game, "steady")
    match = Match(game, 3, chance=Seeded(2))
    listener, given = HeardEvents(match), 0
    for i in range(200):
        if match.over:
            break
        seat = min(match.due)
        turn = turn_of(match, seat, listener, Dice(stream(f"turn {i}")), Budget())
        signal = gentle.signal(turn)
        assert signal == steady.signal(turn)
        given += signal is not None
        sound = steady.decide(dataclasses.replace(turn, rng=Dice(stream(f"turn {i}"))))
        if not sound.startswith("point"):
            assert gentle.decide(turn) == sound
        match.play(seat, sound)
    assert given > 3
