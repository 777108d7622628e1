"""The table of Silver & Gold as one seat (or a spectator) sees it: everything that a page or a terminal draws.

G06: it holds the current expedition only, crossed cells without their turns, and no weights of chance.
"""

from __future__ import annotations

from typing import Any

import msgspec

from tacit.core.bits import count, members
from tacit.core.messages import Message
from tacit.games.silver_and_gold.board import (
    card_points,
    coins_now,
    fitting,
    free_now,
    palm_worth,
    palms_now,
    seal_points,
    trophy_points,
)
from tacit.games.silver_and_gold.deck import CARD_COLOURS, CARD_NAMES, COLOUR_WORDS, SIZES
from tacit.games.silver_and_gold.model import *
from tacit.games.silver_and_gold.notation import cell_names, pair_names, result
from tacit.games.silver_and_gold.rules import due
from tacit.games.silver_and_gold.shapes import SHAPE_NAMES, SHAPE_PICTURES
from tacit.games.silver_and_gold.words import ask, brings, completing, pending, shape_words, why_no_place

PHASE_WORDS = ("deal", "keep", "show", "start", "reveal", "cross", "take", "blind", "over")


class Seal(msgspec.Struct, frozen=True):
    colour: str
    points: int  # for each completed card of that colour


class Island(msgspec.Struct, frozen=True):
    """A treasure card."""

    card: str
    colour: str
    value: int
    seal: Seal | None
    rows: tuple[str, ...]  # four of four signs: . no cell, o plain, x cross, $ coin, ^ palm


class Held(msgspec.Struct, frozen=True):
    """A card before a seat, as far as it is crossed off."""

    island: Island
    slot: int  # which of its two places it lies in
    crossed: list[str]  # cells, row by row
    fresh: list[str]  # those of them that you crossed off in this turn, while it is sealed
    left: int  # free cells
    places: int  # yours: where the shape can be crossed off now
    why_not: Message | None  # yours: why it cannot


class Points(msgspec.Struct, frozen=True):
    coins: int
    trophies: int
    palms: int
    cards: int
    seals: int
    total: int


class Seat(msgspec.Struct, frozen=True):
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


class Shape(msgspec.Struct, frozen=True):
    name: str
    words: Message
    rows: tuple[str, ...]  # a picture of o and .


class View(msgspec.Struct, frozen=True):
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
    deciders = due(k)
    return View(
        seats=k.seats,
        you=you,
        phase=PHASE_WORDS[k.phase],
        due=[q for q in range(k.seats) if deciders >> q & 1] if deciders < 64 else [],
        round=k.turn // ROUND + 1,
        turn=k.turn % ROUND + 1,
        rounds=ROUNDS,
        turns=ROUND,
        starter=None if k.starter < 0 else k.starter,
        active=k.active if k.phase in (TAKE, BLIND) else None,
        shape=None if k.shape < 0 else Shape(SHAPE_NAMES[k.shape], shape_words(k.shape), SHAPE_PICTURES[k.shape]),
        display=[island(c) for c in members(k.display)],
        deck=k.left,
        palm_worth=palm_worth(k),
        trophies=list(range(TROPHIES - k.given, 0, -1)),
        table=[_seat(k, q, q == you) for q in range(k.seats)],
        hand=[] if you is None else [island(c) for c in members(k.hand[you])],
        kept=[] if you is None or not k.kept[you] else pair_names(k.hand[you], k.kept[you] - 1),
        bonus=0 if you is None else k.bonus[you],
        takes=k.takes if k.phase in (TAKE, BLIND) else 0,
        brings=[] if you is None or k.phase != CROSS_OFF else brings(k, you),
        pending=pending(k),
        ask=ask(k, seat),
        result=result(k) if k.phase == OVER else None,
    )


def island(card: int) -> Island:
    """A treasure card as it is printed."""
    seal = None if SEALS[card] < 0 else Seal(COLOUR_WORDS[SEALS[card]], SEAL_WORTH[card])
    colour = CARD_COLOURS[card]
    return Island(CARD_NAMES[card], COLOUR_WORDS[colour], SIZES[colour], seal, PICTURES[card])


def _seat(k: State, q: int, own: bool) -> Seat:
    """A seat's place. Of this turn's crossings, as long as they are sealed, only one's own show."""
    sealed = own and k.phase == CROSS_OFF
    coins = coins_now(k, q) if sealed else k.coins[q]
    palms = [k.palm[q, i] for i in range(k.palms[q])]
    if sealed:
        palms += [palm_worth(k)] * (palms_now(k, q) - k.palms[q])
    done = k.completed[q] | (completing(k, q) if sealed else 0)
    rows = k.coins[q] // COIN_ROW - k.rows[q]
    points = (coins, trophy_points(k, q), sum(palms), card_points(done), seal_points(done))
    return Seat(
        seat=q,
        starts=q == k.starter,
        done=bool(k.done >> q & 1),
        cards=[_held(k, q, slot, own) for slot in range(KEPT) if k.card[q, slot] >= 0],
        coins=coins,
        to_trophy=None if coins == COIN_FIELDS else COIN_ROW - coins % COIN_ROW,
        trophies=[k.trophies[q, row] for row in range(rows)],
        palms=palms,
        completed=[island(c) for c in members(k.completed[q])],
        points=Points(*points, total=sum(points)),
    )


def _held(k: State, q: int, slot: int, own: bool) -> Held:
    sealed = own and k.phase == CROSS_OFF
    card, free = k.card[q, slot], free_now(k, q, slot) if sealed else k.free[q, slot]
    asked = sealed and not k.main[q]
    return Held(
        island=island(card),
        slot=slot,
        crossed=cell_names(ISLANDS[card] & ~free),
        fresh=cell_names(k.pending[q, slot]) if sealed else [],
        left=count(free),
        places=count(fitting(k.shape, free)) if asked else 0,
        why_not=why_no_place(k, q, slot) if sealed else None,
    )
