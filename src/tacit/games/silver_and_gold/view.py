"""The table of Silver & Gold as one seat (or a spectator) sees it: everything that a page or a terminal draws.

G06: it holds the current expedition only, crossed cells without their turns, and no weights of chance.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

import msgspec

from tacit.core.bits import count, members
from tacit.core.messages import Message
from tacit.core.random_play import CHANCE
from tacit.games.silver_and_gold.board import (
    card_points,
    coins_now,
    fitting,
    palm_worth,
    palms_now,
    seal_points,
    trophy_points,
    worth_beside,
)
from tacit.games.silver_and_gold.deck import CARD_COLOURS, CARD_NAMES, COLOUR_WORDS, SIZES
from tacit.games.silver_and_gold.model import *
from tacit.games.silver_and_gold.notation import cell_names, pair_names, result
from tacit.games.silver_and_gold.rules import due
from tacit.games.silver_and_gold.shapes import SHAPE_NAMES, SHAPE_PICTURES
from tacit.games.silver_and_gold.words import ask, brings, completing, pending, shape_words, why_no_place

SLOTS = range(KEPT)
PHASE_WORDS = ("deal", "keep", "show", "start", "reveal", "cross", "take", "blind", "over")


class Seal(msgspec.Struct, frozen=True, gc=False):
    colour: str
    points: int  # for each completed card of that colour


class Island(msgspec.Struct, frozen=True, gc=False):
    """A treasure card."""

    card: str
    colour: str
    value: int
    seal: Seal | None
    rows: tuple[str, ...]  # four of four signs: . no cell, o plain, x cross, $ coin, ^ palm


class Held(msgspec.Struct, frozen=True, gc=False):
    """A card before a seat, as far as it is crossed off."""

    island: Island
    slot: int  # which of its two places it lies in
    crossed: list[str]  # cells, row by row
    fresh: list[str]  # those of them that you crossed off in this turn, while it is sealed
    left: int  # free cells
    places: int  # yours: where the shape can be crossed off now
    why_not: Message | None  # yours: why it cannot


class Points(msgspec.Struct, frozen=True, gc=False):
    coins: int
    trophies: int
    palms: int
    cards: int
    seals: int
    total: int


class Seat(msgspec.Struct, frozen=True, gc=False):
    """A seat's place: your own with what you crossed off in this turn, another's as it lies open."""

    seat: int
    starts: bool
    done: bool  # with its sealed choice
    cards: list[Held]
    coins: int  # fields filled, of twelve
    to_trophy: int | None  # coins still wanting for the next trophy; None when all three rows are full
    trophies: list[int]  # points of each full row's trophy; 0 where none was left
    palms: list[int]  # points of each palm field filled, of four
    completed: list[Island]
    points: Points


class Shape(msgspec.Struct, frozen=True, gc=False):
    name: str
    words: Message
    rows: tuple[str, ...]  # a picture of o and .


class View(msgspec.Struct, frozen=True, gc=False):
    seats: int
    you: int | None
    phase: str
    due: list[int]
    round: int  # from 1
    turn: int  # in the round, from 1
    rounds: int
    turns: int
    starter: int | None
    active: int | None  # who takes cards now
    shape: Shape | None  # the expedition
    display: list[Island]
    deck: int
    palm_worth: int  # what a palm scores now
    trophies: list[int]  # those left, the highest first
    table: list[Seat]
    hand: list[Island]  # before the first turn: the cards dealt to you
    kept: list[str]  # those of them that you chose to keep
    bonus: int  # cells you must cross off for cross symbols
    takes: int  # cards that the active seat still takes
    brings: list[Message]  # what your crossings of this turn bring, so far
    pending: list[Message]
    ask: Message
    result: dict[str, Any] | None


def view(k: State, seat: int) -> View:
    """What a seat sees; from its knowledge (from the state itself it would be the same)."""
    you = seat if 0 <= seat < k.seats else None
    deciders, phase, turn = due(k), k.phase, k.turn
    settling = phase in (TAKE, BLIND)
    own = you if phase == CROSS_OFF else None
    return View(  # by place, in the order of the fields: by name it would take six times as long
        k.seats,
        you,
        PHASE_WORDS[phase],
        [*members(deciders)] if deciders < CHANCE else [],
        turn // ROUND + 1,
        turn % ROUND + 1,
        ROUNDS,
        ROUND,
        None if k.starter < 0 else k.starter,
        k.active if settling else None,
        None if k.shape < 0 else SHAPES_SHOWN[k.shape],
        _islands(k.display),
        k.left,
        _worth_beside(k.display),
        [*range(TROPHIES - k.given, 0, -1)],
        [_own_seat(k, q) if q == own else _seat(k, q) for q in range(k.seats)],
        [] if you is None else _islands(k.hand[you]),
        [] if you is None or not k.kept[you] else pair_names(k.hand[you], k.kept[you] - 1),
        0 if you is None else k.bonus[you],
        k.takes if settling else 0,
        [] if own is None or not k.main[own] else brings(k, own),
        pending(k),
        ask(k, seat),
        result(k) if phase == OVER else None,
    )


SHAPES_SHOWN = [
    Shape(name, shape_words(shape), SHAPE_PICTURES[shape]) for shape, name in enumerate(SHAPE_NAMES)
]  # fmt: skip


@cache
def island(card: int) -> Island:
    """A treasure card as it is printed."""
    seal = None if SEALS[card] < 0 else Seal(COLOUR_WORDS[SEALS[card]], SEAL_WORTH[card])
    colour = CARD_COLOURS[card]
    return Island(CARD_NAMES[card], COLOUR_WORDS[colour], SIZES[colour], seal, PICTURES[card])


@lru_cache(4096)
def _islands(cards: int) -> list[Island]:
    return [island(card) for card in members(cards)]


_worth_beside = lru_cache(4096)(worth_beside)


def _seat(k: State, q: int) -> Seat:
    """A seat's place as it lies open."""
    card, free = k.card, k.free
    cards = [_held(card[q, slot], slot, free[q, slot]) for slot in SLOTS if card[q, slot] >= 0]
    palms = [k.palm[q, i] for i in range(k.palms[q])] if k.palms[q] else []
    return _sheet(k, q, cards, k.coins[q], palms, k.completed[q])


def _own_seat(k: State, q: int) -> Seat:
    """One's own place while this turn's crossings are sealed: with those that one has made."""
    card, free, pending, shape = k.card, k.free, k.pending, k.shape
    asked = (k.main[q] == 0, k.bonus[q] > 0, k.done >> q & 1 == 1)
    cards = [
        _crossed(card[q, slot], slot, free[q, slot], pending[q, slot], shape, *asked)
        for slot in SLOTS
        if card[q, slot] >= 0
    ]
    palms = [k.palm[q, i] for i in range(k.palms[q])] if k.palms[q] else []
    if not k.main[q]:
        return _sheet(k, q, cards, k.coins[q], palms, k.completed[q])
    palms += [palm_worth(k)] * (palms_now(k, q) - k.palms[q])
    return _sheet(k, q, cards, coins_now(k, q), palms, k.completed[q] | completing(k, q))


def _sheet(k: State, q: int, cards: list[Held], coins: int, palms: list[int], done: int) -> Seat:
    """A seat's place with these cards, coins and palms, where the cards that are `done` score."""
    rows = k.coins[q] // COIN_ROW - k.rows[q]
    return Seat(
        q,
        q == k.starter,
        k.done >> q & 1 == 1,
        cards,
        coins,
        None if coins == COIN_FIELDS else COIN_ROW - coins % COIN_ROW,
        [k.trophies[q, row] for row in range(rows)] if rows else [],
        palms,
        _islands(k.completed[q]),
        _points(coins, trophy_points(k, q), sum(palms), done),
    )


@lru_cache(4096)
def _points(coins: int, trophies: int, palms: int, done: int) -> Points:
    cards, seals = card_points(done), seal_points(done)
    return Points(coins, trophies, palms, cards, seals, coins + trophies + palms + cards + seals)


@lru_cache(4096)  # most cards are as they were before the decision
def _held(card: int, slot: int, free: int) -> Held:
    """A card that lies open."""
    return Held(island(card), slot, cell_names(ISLANDS[card] & ~free), [], count(free), 0, None)


def _crossed(card: int, slot: int, before: int, fresh: int, shape: int, asked: bool, bonus: bool, done: bool) -> Held:
    """One's own card while the turn is sealed: with `fresh`, the cells crossed off since."""
    free = before & ~fresh
    crossed, places = cell_names(ISLANDS[card] & ~free), fitting(shape, free)
    why_not = why_no_place(shape, card, free, bonus, done) if bonus or done or not places else None
    fits = count(places) if asked else 0
    return Held(island(card), slot, crossed, cell_names(fresh) if fresh else [], count(free), fits, why_not)
