"""`search`: reproducible, honest about what it knows, within its budget, and never surer than its playouts."""

from __future__ import annotations

import dataclasses
import importlib
import os
import time
from typing import Any, ClassVar

import numpy as np
import pytest

from tacit.arena.python_match import play_python_match
from tacit.bots import Budget, CompiledBot, Turn, bot_named
from tacit.bots.heard_events import HeardEvents, turn_of
from tacit.bots.search.searcher import Search, Searcher, drivers
from tacit.bots.turn import dice_for
from tacit.core.chance import Seeded
from tacit.core.game import Game
from tacit.core.match import Match
from tacit.core.registry import game_named
from tacit.core.rulekit import build
from tests.bots.test_framework import cannot_cheat
from tests.silver_and_gold.positions import all_of

LONG = "TACIT_LONG" in os.environ
QUICK = [
    ("zombie-city", 3)
]  # compiling a search takes from 10 s to a minute: the others have their turn in the long run
GAMES = QUICK + ([("silencio", 3), ("silver-and-gold", 2), ("silent-planet", 3)] if LONG else [])


def tuning(game: str) -> Any:
    return importlib.import_module(f"tacit.bots.{game.replace('-', '_')}.search")


def at(game: Game, seats: int, decisions: int, seed: int = 5) -> tuple[Match, HeardEvents]:
    """A match after a number of decisions by `steady`, where a seat has a choice."""
    match = Match(game, seats, chance=Seeded(seed))
    listener, steady = HeardEvents(match), bot_named(game, "steady")
    while True:
        seat = min(match.due)
        if decisions <= 0 and len(match.legal(seat)) > 2:
            return match, listener
        match.play(seat, steady.decide(turn(match, listener)))
        decisions -= 1


def turn(match: Match, listener: HeardEvents, budget: Budget = Budget(playouts=60)) -> Turn:  # noqa: B008
    seat = min(match.due)
    return turn_of(match, seat, listener, dice_for([1, 2], len(match.steps), seat), budget)


@pytest.mark.parametrize(("name", "seats"), GAMES)
def test_the_same_generator_and_playouts_give_the_same_decision(name: str, seats: int) -> None:
    match, listener = at(game_named(name), seats, 12)
    found = [Search(match.game, tuning(name), seats) for _ in range(2)]
    texts = {one.decide(turn(match, listener)) for one in found}
    assert len(texts) == 1
    assert texts <= set(match.legal(min(match.due)))
    assert found[0].playouts == found[1].playouts >= 60


@pytest.mark.parametrize(("name", "seats"), GAMES)
def test_it_searches_worlds_that_its_seat_cannot_tell_from_the_truth(name: str, seats: int) -> None:
    """What it believes the world to be gives its seat exactly the knowledge it has, card by card."""
    match, _ = at(game_named(name), seats, 15)
    seat, game = min(match.due), match.game
    search = Search(game, tuning(name), seats)
    match.know(seat).store(search.work.known[0])
    search.work.rng[:] = [7, 7, 7, 7]
    search.rules.imagine_all(search.work, seat, 0, 40)
    different = set()
    for world in search.work.worlds[:40]:
        state = game.State().load(world)
        assert game.rules.audit(state) == 0
        seen = game.know(state, seat)
        assert seen == match.know(seat)
        different.add(world.tobytes())
    assert len(different) > 1


@pytest.mark.parametrize(("name", "seats"), GAMES)
def test_it_cannot_cheat(name: str, seats: int) -> None:
    cannot_cheat(name, "search", Budget(playouts=30))


@pytest.mark.long  # it compiles Silencio's search
def test_worlds_live_through_what_is_heard() -> None:
    """In Silencio the worlds of one decision go on to the next, where they fit what was heard since."""
    game = game_named("silencio")
    match, listener = at(game, 3, 6)
    mine, steady = min(match.due), bot_named(game, "steady")
    search, lived = Search(game, tuning("silencio"), 3), 0
    while not match.over and lived < 4:
        if min(match.due) != mine:
            match.play(min(match.due), steady.decide(turn(match, listener)))
            continue
        before = search.kept
        now = turn(match, listener)
        text = search.decide(now)
        if len(now.legal) > 1:
            known = np.zeros(1, game.dtype)
            now.k.store(known[0])
            for world in search.work.worlds:
                assert game.know(game.State().load(world), mine) == now.k
            lived += bool(before) and bool((search.work.beliefs > 0).sum() >= 5)
        match.play(mine, text)
    assert lived >= 2


def test_where_more_playouts_make_it_no_stronger_it_makes_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    tuned = tuning("zombie-city")
    match, listener = at(game_named("zombie-city"), 3, 12)
    few = Search(match.game, tuned, 3)
    expected = few.decide(turn(match, listener, Budget(playouts=90)))
    monkeypatch.setattr(tuned, "SEARCH", dataclasses.replace(tuned.SEARCH, max_playouts=90))
    plenty = Search(match.game, tuned, 3)
    assert plenty.decide(turn(match, listener, Budget(playouts=90_000))) == expected
    assert plenty.playouts == few.playouts < 300


def test_it_does_not_think_longer_than_it_may() -> None:
    game = game_named("zombie-city")
    match, listener = at(game, 2, 10)
    now = turn(match, listener, Budget(milliseconds=40))
    maker = tuning("zombie-city").Search
    maker.warm_up(now)
    bot: Searcher = maker()
    bot.decide(now)
    started = time.process_time()
    bot.decide(now)
    assert time.process_time() - started < 0.2


def test_until_it_is_compiled_its_policy_decides() -> None:
    game = game_named("zombie-city")
    match, listener = at(game, 2, 10)

    class Cold(tuning("zombie-city").Search):  # type: ignore[misc]
        warm: ClassVar[frozenset[str | None]] = frozenset()

    now = turn(match, listener, Budget(milliseconds=40))
    again = turn(match, listener, Budget(milliseconds=40))
    bot = Cold()
    assert bot.decide(now) == bot_named(game, "steady").decide(again)
    assert bot.search is None


@pytest.mark.long  # it compiles Silencio's search
def test_a_team_that_searches_leaves_fewer_cards() -> None:
    game, deals = game_named("silencio"), 60
    left = {
        name: -sum(
            play_python_match(game, {}, deal, [name] * 3, Budget(playouts=800)).scores[0] for deal in range(deals)
        )
        for name in ("steady", "search")
    }
    assert left["search"] <= left["steady"]


def test_with_another_deck_it_reckons_with_that_decks_cards() -> None:
    """Its policy and its judgement read the islands that are on the table, and so do its rules."""
    own = game_named("silver-and-gold")
    game = all_of("$")
    match, listener = at(game, 2, 4)
    assert turn(match, listener).deck == game.deck_text is not None
    assert turn(*at(own, 2, 4)).deck is None
    coins, islands = (build(g.module, "py", drivers=drivers(g, tuning(g.name))) for g in (game, own))
    assert coins.standing(match.state, 0, 0) > islands.standing(match.state, 0, 0)
    seat, words = min(match.due), [1, 2, 3, 4]
    mask = [0] * game.words
    coins.legal(match.state, seat, mask)
    expected = bot_named(game, "steady").decide(turn(match, listener))
    assert game.rules.show(match.state, seat, coins.choose(match.know(seat), seat, [], 0, mask, words)) == expected


@pytest.mark.long  # it compiles the search of Silver & Gold for another deck
def test_it_plays_with_another_deck() -> None:
    game = all_of("$")
    tuning(game.name).Search.warm_up(turn(*at(game, 2, 0)))
    told = play_python_match(game, {}, 3, ["search", "steady"], Budget(playouts=60))
    assert told.faults == []


def test_it_signals_as_its_policy_does_where_it_may() -> None:
    game = game_named("silent-planet")
    match, listener = at(game, 3, 40)
    steady, told = bot_named(game, "steady"), Budget(milliseconds=1)
    assert isinstance(steady, CompiledBot)
    signals: set[str] = set()
    while not match.over:
        now = turn(match, listener, told)
        seat, signal = min(match.due), steady.signal(now)
        asked = dataclasses.replace(now, signals=tuple(match.signals(seat)))
        bot = tuning(game.name).Search()
        if signal is not None and match.signals(seat):
            signals.add(signal)
            assert bot.decide(asked) == f"! {signal}"
        assert bot.decide(now) in match.legal(seat)
        match.play(seat, steady.decide(turn(match, listener)))
    assert len(signals) > 1
