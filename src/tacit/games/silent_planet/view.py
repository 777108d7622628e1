"""A Silent Planet table as one seat sees it: everything that a page or a terminal draws."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any

import msgspec

from tacit.core.bits import members
from tacit.core.game import Signal
from tacit.core.messages import Message
from tacit.core.random_play import CHANCE
from tacit.games.silent_planet.board import (
    bag_of,
    kind_at,
    number_of,
    places_of,
    pointer,
    spare,
    stands,
    turned_up,
)
from tacit.games.silent_planet.model import *
from tacit.games.silent_planet.notation import KIND_NAMES, result
from tacit.games.silent_planet.rules import due, signallers
from tacit.games.silent_planet.words import (
    ask,
    cost_of_hints,
    happened,
    if_pointed,
    outlook,
    refuse_signal,
    tell,
    to_spare,
    unfit_words,
    why_not_pointed,
    why_unfit,
)

PHASE_WORDS = ("deal", "arrange", "start", "point", "over")


class Place(msgspec.Struct, frozen=True, gc=False):
    """One place of a row; its number stays, also when the card is gone."""

    position: int  # from 1
    state: str  # empty, down, hint, team, complete, broken
    card: str | None  # what the viewer knows to lie or to have lain here
    pointers: list[int]  # the seats that point here in this round
    faded: list[int]  # the seats whose last pointer, of an earlier round, was here
    can_point: bool  # by you, now
    then: Message | None  # what pointing here would bring, where that is certain
    why_not: Message | None  # why nobody can point here, in the row in question


class Row(msgspec.Struct, frozen=True, gc=False):
    seat: int
    ready: bool
    turn: bool  # it is the row in question
    down: int  # cards face down
    places: list[Place]


class TeamCard(msgspec.Struct, frozen=True, gc=False):
    card: str
    seat: int
    position: int


class Fit(msgspec.Struct, frozen=True, gc=False):
    """What a card of a kind would do to the team."""

    card: str
    fits: bool
    why_not: Message | None
    unseen: int  # cards of this kind whose place you do not know


class PastTeam(msgspec.Struct, frozen=True, gc=False):
    complete: bool  # or broken
    kind: str  # any, same, different; neither: that broke it
    cards: list[TeamCard]  # in the order in which they came


class Pointer(msgspec.Struct, frozen=True, gc=False):
    """What one decider does."""

    seat: int
    position: int | None  # where it pointed last in this turn
    now: bool  # it has pointed in this round


class Arranging(msgspec.Struct, frozen=True, gc=False):
    """Your row while you make it."""

    hand: list[str]  # still to be placed
    placed: list[str]
    hints: list[int]  # positions chosen
    can_reveal: list[int]
    spare: int  # cards that can be lost if nobody shows more hints; each hint is one of them
    cost: Message


class Given(msgspec.Struct, frozen=True, gc=False):
    seat: int
    signal: str
    words: Message


class View(msgspec.Struct, frozen=True, gc=False):
    seats: int
    you: int | None
    phase: str
    due: list[int]
    ask: Message
    outlook: Message | None  # what the pointers of this round come to so far
    happened: Message | None  # the card turned up last, and what became of the team
    turn: int | None  # whose row is in question
    first: int | None
    round: int | None
    rounds: int
    pointing: list[Pointer]
    settled: list[Pointer]  # where all pointed when the last card was turned up
    rows: list[Row]
    arranging: Arranging | None
    team: list[TeamCard]
    team_kind: str  # any, same, different: what the team's aliens are so far
    team_size: int
    fits: list[Fit]
    past: list[PastTeam]
    teams: int
    needed: int
    spare: int | None  # cards that can still be lost; None before the rows are shown
    spare_words: Message | None
    out: int  # cards out of the game unseen
    signals: list[Given]  # given about this row
    signals_left: int
    signal_limit: int
    why_no_signal: Message | None
    result: dict[str, Any] | None


def view(k: State, seat: int, given: Sequence[Signal] = ()) -> View:
    """What a seat sees, after the signals given about the row in question; from its knowledge alone."""
    seats, phase, turn = k.seats, k.phase, k.turn
    you = seat if 0 <= seat < seats else None
    pointing, asked = phase == POINT, due(k)
    # What lies open is the same for all seats: what is made from it alone is worked out once for them.
    rows = tuple([_turned_up(k.row[q], places_of(k.down, q)) for q in range(seats)]) if phase >= START else (0,) * seats
    last, team, past = _teams(tuple([k.history[q] for q in range(seats)]), rows, k.ended, k.completed)
    left = spare(k) if phase >= START else None
    return View(  # by place, in the order of the fields: by name it would take six times as long
        seats,
        you,
        PHASE_WORDS[phase],
        [*members(asked)] if asked < CHANCE else [],
        ask(k, seat),
        outlook(k.pointers, k.pointed, k.round, turn, seats) if pointing else None,
        last,
        turn if pointing else None,
        None if k.first < 0 else k.first,
        k.round if pointing else None,
        ROUNDS,
        _pointing(k.pointers, k.pointed, turn, seats) if pointing else [],
        _settled(k.settled, seats),
        [_row(k, seat, q, k.row[q] if q == seat else rows[q]) for q in range(seats)],
        None if you is None or phase > ARRANGE else _arranging(k, you),
        team,
        _kind_of(k.team),
        TEAM,
        _fits(k.team, _unseen(k, seat, rows)),
        past,
        k.teams,
        seats,
        left,
        None if left is None else to_spare(left),
        CARDS - HAND * seats,
        [Given(q, text, tell(f"! {q} {text}")) for q, text in given],
        _signals_left(k, seat, given),
        SIGNAL_LIMIT,
        None if you is None or signallers(k) >> you & 1 else refuse_signal(k, seat),
        result(k) if phase == OVER else None,
    )


_turned_up, _bag_of = lru_cache(4096)(turned_up), lru_cache(4096)(bag_of)


# ------------------------------------------------------------------ the team and those before it
@lru_cache(1024)
def _teams(
    history: tuple[int, ...], rows: tuple[int, ...], ended: int, completed: int
) -> tuple[Message | None, list[TeamCard], list[PastTeam]]:  # fmt: skip
    """What the card turned up last did, the present team, and those before it; the cards of each in their order.

    `history` says as which card of the match each place was turned up, `rows` which cards lie open.
    """
    found = {}
    for seat, row in enumerate(rows):
        for place in range(PLACES):
            number = history[seat] >> HISTORY * place & 63
            if number:
                found[number] = TeamCard(KIND_NAMES[kind_at(row, place)], seat, place + 1)
    turned = [found[number] for number in sorted(found)]
    past, begin = [], 0
    for end in members(ended):
        cards = turned[begin:end]
        team = sum(1 << 4 * KIND_NAMES.index(card.card) for card in cards)
        past.append(PastTeam(bool(completed >> end & 1), _kind_of(team), cards))
        begin = end
    if not turned:
        return None, [], past
    last, n = turned[-1], len(turned)
    message = happened(last.card, last.seat, last.position, bool(completed >> n & 1), bool(ended >> n & 1))
    return message, turned[begin:], past


@lru_cache(1024)
def _kind_of(team: int) -> str:
    """P08: what the aliens of a team are, machines aside."""
    aliens = [number_of(team, kind) for kind in range(ALIENS)]
    if not stands(team):
        return "neither"
    if sum(aliens) <= 1:
        return "any"
    return "same" if max(aliens) > 1 else "different"


def _unseen(k: State, seat: int, rows: tuple[int, ...]) -> int:
    """The bag of cards whose place a seat does not know; `rows` are what lies open."""
    bag = BAG - (k.hand[seat] if seat >= 0 else 0)
    for q, row in enumerate(rows):
        bag -= _bag_of(k.row[q] if q == seat else row)
    return bag


def _fits(team: int, unseen: int) -> list[Fit]:
    return [_fit(kind, why, unseen >> 4 * kind & 15) for kind, why in enumerate(_unfit(team))]


@lru_cache(1024)
def _unfit(team: int) -> tuple[str | None, ...]:
    return tuple([why_unfit(team, kind) for kind in range(KINDS)])


@cache
def _fit(kind: int, why: str | None, unseen: int) -> Fit:
    return Fit(KIND_NAMES[kind], why is None, None if why is None else unfit_words(why, kind), unseen)


# ------------------------------------------------------------------ rows
def _row(k: State, viewer: int, q: int, known: int) -> Row:
    """A row, of which the viewer knows these cards."""
    making, down = k.phase < START, places_of(k.down, q)
    hints = places_of(k.hints, q) if q == viewer or not making else 0
    unseen = making and (k.phase == DEAL or q != viewer)
    still = _still(q, k.ready >> q & 1, down, known, k.history[q], k.ended, k.completed, hints, making, unseen)
    return _in_question(k, viewer, still, down) if k.phase == POINT and q == k.turn else still


@lru_cache(4096)  # most rows are as they were before the decision
def _still(
    q: int, ready: int, down: int, known: int, history: int, ended: int, completed: int, hints: int, making: bool,
    unseen: bool,
) -> Row:  # fmt: skip
    """A row at which nobody points, as far as it is known. `making`: rows are being made; `unseen`: and not for us."""
    places = []
    begun = ended.bit_length() - 1 if ended else 0  # the number of the card before the present team's first
    for place in range(PLACES):
        kind = kind_at(known, place)
        number = history >> HISTORY * place & 63
        # While rows are made another's place is empty: nothing tells how far that seat is.
        state = "empty" if unseen or (making and kind < 0) else "down"
        if number > begun:
            state = "team"
        elif number:
            end = min(e for e in members(ended) if e >= number)
            state = "complete" if completed >> end & 1 else "broken"
        elif hints >> place & 1:
            state = "hint"
        places.append(_place(place + 1, state, None if kind < 0 else KIND_NAMES[kind]))
    return Row(q, bool(ready), False, down.bit_count(), places)


@cache
def _place(position: int, state: str, card: str | None) -> Place:
    return Place(position, state, card, [], [], False, None, None)


def _in_question(k: State, viewer: int, still: Row, down: int) -> Row:
    """The row in question: who points at each place, and what pointing there would bring."""
    asked = due(k)
    can = down if viewer >= 0 and asked >> viewer & 1 else 0
    last = can if can and asked == 1 << viewer else 0  # places whose pointer would end the round
    at = [0] * PLACES  # who points there
    for q in range(k.seats):
        place = pointer(k.pointers, q)
        if place >= 0:
            at[place] |= 1 << q
    pointed = k.pointed
    places = [
        Place(
            place + 1,
            one.state,
            one.card,
            [*members(at[place] & pointed)] if at[place] else [],
            [*members(at[place] & ~pointed)] if at[place] else [],
            can >> place & 1 == 1,
            if_pointed(k, viewer, place) if last >> place & 1 else None,
            why_not_pointed(k, place),
        )
        for place, one in enumerate(still.places)
    ]
    return Row(still.seat, still.ready, True, still.down, places)


@lru_cache(1024)
def _pointing(pointers: int, pointed: int, turn: int, seats: int) -> list[Pointer]:
    found = []
    for i in range(1, seats):
        q = (turn + i) % seats
        place = pointer(pointers, q)
        found.append(Pointer(q, None if place < 0 else place + 1, bool(pointed >> q & 1)))
    return found


@lru_cache(1024)
def _settled(settled: int, seats: int) -> list[Pointer]:
    return [Pointer(q, pointer(settled, q) + 1, False) for q in range(seats) if pointer(settled, q) >= 0]


# ------------------------------------------------------------------ one's own
def _arranging(k: State, you: int) -> Arranging:
    done = k.hand[you] == 0 and k.phase == ARRANGE and not k.ready >> you & 1
    return _arranged(k.hand[you], k.row[you], places_of(k.hints, you), done, k.seats)


@lru_cache(1024)
def _arranged(hand: int, row: int, hints: int, done: bool, seats: int) -> Arranging:
    left = (HAND - TEAM) * seats - hints.bit_count()  # P04, P10: if nobody else shows any
    return Arranging(
        hand=[name for kind, name in enumerate(KIND_NAMES) for _ in range(number_of(hand, kind))],
        placed=[KIND_NAMES[kind_at(row, i)] for i in range(PLACES) if kind_at(row, i) >= 0],
        hints=[i + 1 for i in members(hints)],
        can_reveal=[i + 1 for i in range(hints.bit_length(), HAND)] if done else [],
        spare=left,
        cost=cost_of_hints(hints.bit_count(), left),
    )


def _signals_left(k: State, seat: int, given: Sequence[Signal]) -> int:
    if seat < 0 or not signallers(k) >> seat & 1:
        return 0
    return SIGNAL_LIMIT - sum(q == seat for q, _ in given)
