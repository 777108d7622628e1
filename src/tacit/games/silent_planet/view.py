"""A Silent Planet table as one seat sees it: everything that a page or a terminal draws."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import msgspec

from tacit.core.bits import members
from tacit.core.game import Signal
from tacit.core.messages import Message
from tacit.games.silent_planet.board import (
    bag_of,
    kind_at,
    known_row,
    number_of,
    places_of,
    pointer,
    spare,
    stands,
)
from tacit.games.silent_planet.model import *
from tacit.games.silent_planet.notation import KIND_NAMES, result
from tacit.games.silent_planet.rules import due, signallers
from tacit.games.silent_planet.words import (
    ask,
    cost_of_hints,
    happened,
    hints_leave,
    if_pointed,
    outlook,
    refuse_signal,
    tell,
    to_spare,
    why_not_pointed,
    why_unfit,
)

PHASE_WORDS = ("deal", "arrange", "start", "point", "over")


class Place(msgspec.Struct, frozen=True):
    """One place of a row; its number stays, also when the card is gone."""

    position: int  # from 1
    state: str  # empty, down, hint, team, complete, broken
    card: str | None  # what the viewer knows to lie or to have lain here
    pointers: list[int]  # the seats that point here in this round
    faded: list[int]  # the seats whose last pointer, of an earlier round, was here
    can_point: bool  # by you, now
    then: Message | None  # what pointing here would bring, where that is certain
    why_not: Message | None  # why nobody can point here, in the row in question


class Row(msgspec.Struct, frozen=True):
    seat: int
    ready: bool
    turn: bool  # it is the row in question
    down: int  # cards face down
    places: list[Place]


class TeamCard(msgspec.Struct, frozen=True):
    card: str
    seat: int
    position: int


class Fit(msgspec.Struct, frozen=True):
    """What a card of a kind would do to the team."""

    card: str
    fits: bool
    why_not: Message | None
    unseen: int  # cards of this kind whose place you do not know


class PastTeam(msgspec.Struct, frozen=True):
    complete: bool  # or broken
    kind: str  # any, same, different; neither: that broke it
    cards: list[TeamCard]  # in the order in which they came


class Pointer(msgspec.Struct, frozen=True):
    """What one decider does."""

    seat: int
    position: int | None  # where it pointed last in this turn
    now: bool  # it has pointed in this round


class Arranging(msgspec.Struct, frozen=True):
    """Your row while you make it."""

    hand: list[str]  # still to be placed
    placed: list[str]
    hints: list[int]  # positions chosen
    can_reveal: list[int]
    spare: int  # cards that can be lost if nobody shows more hints; each hint is one of them
    cost: Message


class Given(msgspec.Struct, frozen=True):
    seat: int
    signal: str
    words: Message


class View(msgspec.Struct, frozen=True):
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
    you = seat if 0 <= seat < k.seats else None
    pointing, asked = k.phase == POINT, due(k)
    turned = _turned(k)
    return View(
        seats=k.seats,
        you=you,
        phase=PHASE_WORDS[k.phase],
        due=[q for q in range(k.seats) if asked >> q & 1] if asked < 64 else [],
        ask=ask(k, seat),
        outlook=outlook(k),
        happened=happened(k),
        turn=k.turn if pointing else None,
        first=None if k.first < 0 else k.first,
        round=k.round if pointing else None,
        rounds=ROUNDS,
        pointing=[_pointer(k, (k.turn + i) % k.seats) for i in range(1, k.seats)] if pointing else [],
        settled=[Pointer(q, pointer(k.settled, q) + 1, False) for q in range(k.seats) if pointer(k.settled, q) >= 0],
        rows=[_row(k, seat, q) for q in range(k.seats)],
        arranging=None if you is None or k.phase > ARRANGE else _arranging(k, you),
        team=turned[(k.ended.bit_length() - 1 if k.ended else 0) :],
        team_kind=_kind_of(k.team),
        team_size=TEAM,
        fits=_fits(k, seat),
        past=_past(k, turned),
        teams=k.teams,
        needed=k.seats,
        spare=None if k.phase < START else spare(k),
        spare_words=to_spare(k),
        out=CARDS - HAND * k.seats,
        signals=[Given(q, text, tell(f"! {q} {text}")) for q, text in given],
        signals_left=_signals_left(k, seat, given),
        signal_limit=SIGNAL_LIMIT,
        why_no_signal=None if you is None or signallers(k) >> you & 1 else refuse_signal(k, seat),
        result=result(k) if k.phase == OVER else None,
    )


def _number(k: State, seat: int, place: int) -> int:
    """As which card of the match the one in this place was turned up; 0 if it was not."""
    return (k.history[seat] >> HISTORY * place) & 63


def _turned(k: State) -> list[TeamCard]:
    """The cards turned up, in their order."""
    found = []
    for seat in range(k.seats):
        for place in range(PLACES):
            number = _number(k, seat, place)
            if number:
                found.append((number, TeamCard(KIND_NAMES[kind_at(k.row[seat], place)], seat, place + 1)))
    return [card for _, card in sorted(found, key=lambda pair: pair[0])]


def _past(k: State, turned: list[TeamCard]) -> list[PastTeam]:
    past, begin = [], 0
    for end in members(k.ended):
        cards = turned[begin:end]
        team = sum(1 << 4 * KIND_NAMES.index(card.card) for card in cards)
        past.append(PastTeam(bool(k.completed >> end & 1), _kind_of(team), cards))
        begin = end
    return past


def _row(k: State, viewer: int, q: int) -> Row:
    making = k.phase < START
    still = _still(
        q, k.ready >> q & 1, places_of(k.down, q), known_row(k, viewer, q), k.history[q], k.ended, k.completed,
        places_of(k.hints, q) if q == viewer or not making else 0, making, making and (k.phase == DEAL or q != viewer),
    )  # fmt: skip
    if k.phase != POINT or q != k.turn:
        return still
    can = places_of(k.down, q) if viewer >= 0 and due(k) >> viewer & 1 else 0
    places = [_asked(k, viewer, place, bool(can >> place.position - 1 & 1)) for place in still.places]
    return Row(q, still.ready, True, still.down, places)


@lru_cache(4096)  # most rows are as they were before the decision
def _still(
    q: int, ready: int, down: int, known: int, history: int, ended: int, completed: int, hints: int, making: bool,
    unseen: bool,
) -> Row:  # fmt: skip
    """A row at which nobody points, as far as it is known. `making`: rows are being made; `unseen`: and not for us."""
    places = []
    for place in range(PLACES):
        kind = kind_at(known, place)
        number = history >> HISTORY * place & 63
        # While rows are made another's place is empty: nothing tells how far that seat is.
        state = "empty" if unseen or (making and kind < 0) else "down"
        if number > (ended.bit_length() - 1 if ended else 0):
            state = "team"
        elif number:
            end = min(e for e in members(ended) if e >= number)
            state = "complete" if completed >> end & 1 else "broken"
        elif hints >> place & 1:
            state = "hint"
        card = None if kind < 0 else KIND_NAMES[kind]
        places.append(Place(place + 1, state, card, [], [], False, None, None))
    return Row(q, bool(ready), False, down.bit_count(), places)


def _asked(k: State, viewer: int, still: Place, can: bool) -> Place:
    """A place of the row in question: who points at it, and what pointing there would bring."""
    place = still.position - 1
    at = [p for p in range(k.seats) if pointer(k.pointers, p) == place]
    return Place(
        position=still.position,
        state=still.state,
        card=still.card,
        pointers=[p for p in at if k.pointed >> p & 1],
        faded=[p for p in at if not k.pointed >> p & 1],
        can_point=can,
        then=if_pointed(k, viewer, place) if can else None,
        why_not=why_not_pointed(k, place),
    )


def _pointer(k: State, q: int) -> Pointer:
    place = pointer(k.pointers, q)
    return Pointer(q, None if place < 0 else place + 1, bool(k.pointed >> q & 1))


def _arranging(k: State, you: int) -> Arranging:
    hints = places_of(k.hints, you)
    done = k.hand[you] == 0 and k.phase == ARRANGE and not k.ready >> you & 1
    return Arranging(
        hand=[name for kind, name in enumerate(KIND_NAMES) for _ in range(number_of(k.hand[you], kind))],
        placed=[KIND_NAMES[kind_at(k.row[you], i)] for i in range(PLACES) if kind_at(k.row[you], i) >= 0],
        hints=[i + 1 for i in members(hints)],
        can_reveal=[i + 1 for i in range(hints.bit_length(), HAND)] if done else [],
        spare=hints_leave(k, you),
        cost=cost_of_hints(k, you),
    )


def _kind_of(team: int) -> str:
    """P08: what the aliens of a team are, machines aside."""
    aliens = [number_of(team, kind) for kind in range(ALIENS)]
    if not stands(team):
        return "neither"
    if sum(aliens) <= 1:
        return "any"
    return "same" if max(aliens) > 1 else "different"


def _fits(k: State, seat: int) -> list[Fit]:
    seen = sum(bag_of(known_row(k, seat, q)) for q in range(k.seats)) + (k.hand[seat] if seat >= 0 else 0)
    return [
        Fit(name, stands(k.team + (1 << 4 * kind)), why_unfit(k.team, kind), number_of(BAG - seen, kind))
        for kind, name in enumerate(KIND_NAMES)
    ]


def _signals_left(k: State, seat: int, given: Sequence[Signal]) -> int:
    if seat < 0 or not signallers(k) >> seat & 1:
        return 0
    return SIGNAL_LIMIT - sum(q == seat for q, _ in given)
