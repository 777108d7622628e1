"""`steady` at Silver & Gold: legal, the same on every backend, blind to what is hidden, and strong."""

from __future__ import annotations

import random
from functools import cache
from itertools import product
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tacit import Match, game_named
from tacit.bots import Budget, CompiledBot, Dice, bot_named, bot_play
from tacit.bots.heard_events import HeardEvents, turn_of
from tacit.bots.silver_and_gold import steady, turns_needed
from tacit.core.bits import marked
from tacit.core.chance import stream
from tacit.core.rulekit import build
from tacit.games.silver_and_gold.deck import CARD_NAMES
from tacit.games.silver_and_gold.model import CROSS_OFF, KEEP, TAKE
from tacit.games.silver_and_gold.shapes import EXPEDITIONS, PLACES_OF
from tests.silver_and_gold.positions import dealt, run, with_cards

GAME = game_named("silver-and-gold")
NO_EVENTS = np.zeros(1, np.int64)


@pytest.fixture(scope="module")
def compiled() -> SimpleNamespace:
    return build(GAME.module, "cpu", drivers=[bot_play, steady])


def mask_of(k: Any, seat: int) -> list[int]:
    mask = [0] * GAME.words
    GAME.rules.legal(k, seat, mask)
    return mask


def decision(compiled: SimpleNamespace, k: Any, seat: int, mask: list[int], key: str = "bot") -> int:
    record = np.zeros(1, GAME.dtype)
    k.store(record[0])
    words = np.array(mask, np.int64)
    return int(compiled.choose(record[0], seat, NO_EVENTS, 0, words, np.array(stream(key), np.int64)))


def scores_of(compiled: SimpleNamespace, seats: int, matches: int, team: int, first: int = 0) -> Any:
    w = bot_play.workspace(GAME, seats, matches=matches)
    compiled.bot_matches(w, first, matches, team)
    return w.scores


@pytest.mark.parametrize(("seats", "random_share"), list(product((2, 3, 4), (0.0, 0.5, 1.0))))
def test_is_always_legal_also_where_random_play_leads(
    compiled: SimpleNamespace, seats: int, random_share: float
) -> None:
    dice = random.Random(seats)
    phases = set()
    for number in range(3):
        match = Match("silver-and-gold", seats, seed=number)
        while not match.over:
            seat = dice.choice(sorted(match.due))
            k = match.know(seat)
            mask = mask_of(k, seat)
            chosen = decision(compiled, k, seat, mask)
            assert 0 <= chosen < GAME.actions
            assert marked(mask, chosen)
            phases.add(k.phase)
            text = GAME.rules.show(k, seat, chosen)
            match.play(seat, dice.choice(match.legal(seat)) if dice.random() < random_share else text)
    assert {KEEP, CROSS_OFF, TAKE} == phases


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_decides_the_same_interpreted_and_compiled(compiled: SimpleNamespace, seats: int) -> None:
    dice = random.Random(seats)
    match = Match("silver-and-gold", seats, seed=seats)
    while not match.over:
        seat = dice.choice(sorted(match.due))
        k = match.know(seat)
        mask = mask_of(k, seat)
        chosen = steady.choose(k, seat, [0], 0, mask, stream("bot"))
        assert k == match.know(seat)  # it only looks
        assert chosen == decision(compiled, k, seat, mask)
        match.play(seat, dice.choice(match.legal(seat)) if dice.random() < 0.2 else GAME.rules.show(k, seat, chosen))


@pytest.mark.parametrize("seats", [2, 4])
def test_cannot_see_what_is_hidden(compiled: SimpleNamespace, seats: int) -> None:
    """Two worlds that a seat cannot tell apart: what it knows of each is the same, and so is its decision."""
    dice = random.Random(seats)
    different = 0
    for number in range(4):
        match = Match("silver-and-gold", seats, seed=number)
        while not match.over:
            seat = dice.choice(sorted(match.due))
            worlds = []
            for key in ("one", "other"):
                world = match.know(seat)
                GAME.rules.imagine(world, seat, stream(f"{key} {number}"))
                worlds.append(world)
            different += worlds[0] != worlds[1]
            chosen = set()
            for world in [*worlds, match.know(seat)]:
                k = GAME.know(world, seat)
                chosen.add(decision(compiled, k, seat, mask_of(k, seat)))
            assert len(chosen) == 1
            match.play(seat, dice.choice(match.legal(seat)))
    assert different > 20  # else nothing was hidden, and nothing was tested


def test_keeps_its_mind_whatever_the_generator(compiled: SimpleNamespace) -> None:
    match = Match("silver-and-gold", 2, seed=5)
    k = match.know(0)
    assert len({decision(compiled, k, 0, mask_of(k, 0), key) for key in "abcdefgh"}) == 1


@pytest.mark.parametrize(("seats", "least"), [(2, 118), (3, 115), (4, 113)])
def test_is_strong(compiled: SimpleNamespace, seats: int, least: int) -> None:
    """One-ply greedy seats have 87, 85 and 83 points."""
    assert scores_of(compiled, seats, 200, (1 << seats) - 1).mean() > least


def test_beats_random_seats(compiled: SimpleNamespace) -> None:
    scores = scores_of(compiled, 4, 100, 0b0100)
    assert (scores[:, 2] > scores[:, [0, 1, 3]].max(axis=1)).mean() > 0.95


def test_reads_its_cards_from_the_deck_that_is_played_with() -> None:
    """Where s7 is covered with crosses, each of which brings another, it is kept."""
    game = with_cards(s7="xx. xxx xxx")
    usual, other = bot_named(GAME, "steady"), bot_named(game, "steady")
    assert isinstance(usual, CompiledBot)
    assert isinstance(other, CompiledBot)
    assert other is not usual
    s7 = CARD_NAMES.index("s7")
    read, read_usually = (vars(bot.module)["symbols_of"].__globals__ for bot in (other, usual))
    assert read["CROSSES"][s7] == read["ISLANDS"][s7]
    assert read_usually["CROSSES"][s7] != read_usually["ISLANDS"][s7]
    kept = []
    for bot, rules in ((usual, GAME), (other, game)):
        match = dealt("p9 p10 g2 s7", "s8 s11", game=rules)
        kept.append(bot.decide(turn_of(match, 0, HeardEvents(match), Dice(stream("dice")), Budget())))
    assert ["s7" in text for text in kept] == [False, True]
    assert bot_named(game, "random") is not bot_named(GAME, "random")


# ------------------------------------------------------------------ how it thinks
def test_turns_needed_are_those_of_small_sets() -> None:
    assert turns_needed.turns_of(0) == 0
    assert turns_needed.turns_of(0b1) == turns_needed.TURN
    assert turns_needed.turns_of(0b11) == 1875  # one turn with the domino, one expedition of eight, else two
    assert turns_needed.turns_of(0b101) == 2 * turns_needed.TURN  # cells that do not touch
    assert turns_needed.turns_of(0b111) < turns_needed.turns_of(0b1011)  # a straight three, and three cells with a gap


def test_turns_needed_are_those_of_a_plain_reckoning() -> None:
    """Value iteration, set by set, with the shapes' places as the rules list them."""

    @cache
    def needed(free: int) -> float:
        if free == 0:
            return 0.0
        singles = [1 << cell for cell in range(16) if free >> cell & 1]
        after = [
            1 + min(needed(free & ~place) for place in [*singles, *places] if place & ~free == 0)
            for places in PLACES_OF
        ]
        value = 0.0
        for _ in range(300):
            here = [min(a, turns_needed.ELSEWHERE + value) for a in after]
            value = sum(n * h for n, h in zip(EXPEDITIONS, here, strict=True)) / sum(EXPEDITIONS)
        return value

    dice = random.Random(1)
    for _ in range(60):
        free = sum(1 << cell for cell in dice.sample(range(16), dice.randint(1, 7)))
        assert abs(turns_needed.turns_of(free) - turns_needed.TURN * needed(free)) <= 1


def last_turn(*free: int) -> Any:
    """The last turn of a match with p9 and s7, of which these cells are free; the expedition is I2."""
    match = run(dealt("p9 p10 g2 s7", "s8 s11"), "0 keep p9 s7", "1 keep s8 s11")
    k = match.know(0)
    k.phase, k.turn, k.shape, k.starter = CROSS_OFF, 27, 0, 0
    for slot in range(2):
        k.free[0, slot] = free[slot]
    return k


def test_completes_a_card_in_the_last_turn(compiled: SimpleNamespace) -> None:
    k = last_turn(0b0011_0011, 1 << 5)
    assert decision(compiled, k, 0, mask_of(k, 0)) == 64 + 5
