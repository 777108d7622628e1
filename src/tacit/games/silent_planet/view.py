"""A Silent Planet table as one seat sees it: everything that a page or a terminal draws.

First the structs; then the rule that writes what they depend on (core/fragments.py); then how they are made from that.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

import msgspec

from tacit.core.bits import LOCAL_CELLS, count, length, local_cells, lowest, members
from tacit.core.clockwise import seat_after
from tacit.core.fragments import Fragment, Fragments
from tacit.core.messages import Message
from tacit.core.random_play import CHANCE
from tacit.core.rulekit import rule
from tacit.core.state_layout import Cells
from tacit.games.silent_planet.board import (
    kind_at,
    known_row,
    number_of,
    places_of,
    pointer,
    spare,
    stands,
)
from tacit.games.silent_planet.model import *
from tacit.games.silent_planet.notation import KIND_NAMES, ending
from tacit.games.silent_planet.rules import due, signallers
from tacit.games.silent_planet.shown import asked, if_pointed, outlooked, why_closed, why_silent, why_unfit
from tacit.games.silent_planet.words import (
    ask,
    closed,
    cost_of_hints,
    happened,
    outlook,
    silence,
    tell,
    then,
    to_spare,
    unfit,
)

PHASE_WORDS = ("deal", "arrange", "start", "point", "over")
STATES = ("empty", "down", "hint", "team", "complete", "broken")
EMPTY, DOWN, HINT, IN_TEAM, COMPLETE, BROKEN = range(len(STATES))


class Place(msgspec.Struct, frozen=True, gc=False):
    """One place of a row; its number stays, also when the card is gone."""

    position: int  # from 1
    state: str  # one of STATES
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


# ------------------------------------------------------------------ what a view depends on
# A card that lies open is ten bits: its kind, its seat, its position. A place of a row begins with its state and the
# kind known there plus one.
CARD = 10
KNOWN = LOCAL_CELLS - 1  # where a bag is kept beside the cards turned up
SHIFT = 64  # added to the cards to spare, which may be less than 0
LISTS = 10  # where the keys of the lists begin
# The lists, each after its length: pointers of all seats but one; rows, each with the list of its places; kinds;
# past teams, each of at least two cards, since one alone cannot end a team.
VIEW_KEYS = LISTS + MAX_SEATS + (1 + (2 + PLACES) * MAX_SEATS) + (1 + KINDS) + (1 + MAX_SEATS * PLACES // 2)


@rule
def view_keys(k: State, seat: int, keys: Cells) -> int:
    """Write the key of each fragment, in the order of `fragments`; how many numbers these are."""
    n = k.seats
    cards = local_cells()  # those turned up, by their number; and the bag of those that the seat knows
    cards[KNOWN] = k.hand[seat] if seat >= 0 else 0
    keys[0] = n | (seat + 1) << 3 | k.phase << 6 | (due(k) & (CHANCE - 1)) << 9
    keys[1] = asked(k, seat)
    keys[2] = outlooked(k)
    keys[4] = k.settled
    write_arranging(k, seat, keys, 5)
    keys[8] = n | k.teams << 3 | (spare(k) + SHIFT if k.phase >= START else 0) << 6
    keys[9] = signals_key(k, seat)
    at = write_pointing(k, keys, LISTS)
    keys[at] = n
    at += 1
    for q in range(n):
        at = write_row(k, seat, q, cards, keys, at)
    keys[at] = KINDS
    at += 1
    for kind in range(KINDS):
        keys[at + kind] = kind | why_unfit(k.team, kind) << 3 | number_of(BAG - cards[KNOWN], kind) << 5
    at = write_past(k, cards, keys, at + KINDS)
    last = k.turned
    keys[3] = (k.turn + 1) | k.round << 3 if k.phase == POINT else 0
    keys[3] |= (k.first + 1) << 5 | ((k.ended >> last) & 1) << 8 | ((k.completed >> last) & 1) << 9 | cards[last] << 10
    keys[7] = several(cards, last_ended(k), last)
    return at


@rule
def write_arranging(k: State, seat: int, keys: Cells, at: int) -> None:
    """While rows are made: a seat's row, its hints, may it show more, how many seats there are; and its hand."""
    keys[at] = 0
    keys[at + 1] = 0
    if seat >= 0 and k.phase <= ARRANGE:
        done = 1 if k.hand[seat] == 0 and k.phase == ARRANGE and (k.ready >> seat) & 1 == 0 else 0
        keys[at] = k.row[seat] | places_of(k.hints, seat) << 36 | done << 45 | k.seats << 46
        keys[at + 1] = k.hand[seat]


@rule
def signals_key(k: State, seat: int) -> int:
    """P11: the seat plus one if it may signal now, or why it may not; and how the match has ended."""
    key = 1 << 5 | k.seats << 6 | k.teams << 9 if k.phase == OVER else 0
    if seat >= 0:
        key |= seat + 1 if (signallers(k) >> seat) & 1 else why_silent(k) << 3
    return key


@rule
def write_pointing(k: State, keys: Cells, at: int) -> int:
    """Of each decider its seat, the position where it pointed last (or 0), and did it in this round?"""
    keys[at] = k.seats - 1 if k.phase == POINT else 0
    for i in range(keys[at]):
        q = seat_after(k.turn, i + 1, k.seats)
        keys[at + i + 1] = q | (pointer(k.pointers, q) + 1) << 3 | ((k.pointed >> q) & 1) << 7
    return at + 1 + keys[at]


@rule
def last_ended(k: State) -> int:
    """The number of the last card before the present team's first."""
    return length(k.ended) - 1 if k.ended != 0 else 0


@rule
def write_row(k: State, seat: int, q: int, cards: Cells, keys: Cells, at: int) -> int:
    """Of a row whose it is, is it ready, is it in question, how many cards lie face down; and its places: of each what
    it is, and its position.

    Its cards turned up are noted in `cards`. While rows are made another's places are empty: nothing tells how far that
    seat is.
    """
    down, hints, begun = places_of(k.down, q), places_of(k.hints, q), last_ended(k)
    asked = k.phase == POINT and q == k.turn
    unknown = DOWN if k.phase >= START else EMPTY
    known = known_row(k, seat, q)
    keys[at] = q | ((k.ready >> q) & 1) << 3 | (1 if asked else 0) << 4 | count(down) << 5
    keys[at + 1] = PLACES
    for place in range(PLACES):
        key = unknown | (place + 1) << 6
        kind = (known >> (4 * place)) & 15  # plus one
        if kind != 0:
            number = (k.history[q] >> (HISTORY * place)) & 63
            state = DOWN
            if number > 0:
                cards[number] = (kind - 1) | q << 3 | (place + 1) << 6
                state = IN_TEAM
                if number <= begun:
                    state = COMPLETE if (k.completed >> (number + lowest(k.ended >> number))) & 1 else BROKEN
            elif (hints >> place) & 1:
                state = HINT
            cards[KNOWN] += 1 << (4 * (kind - 1))
            key = state | kind << 3 | (place + 1) << 6
        keys[at + 2 + place] = key
    if asked:
        write_pointers(k, seat, down, keys, at + 2)
    return at + 2 + PLACES


@rule
def write_pointers(k: State, seat: int, down: int, keys: Cells, at: int) -> None:
    """Of each place of the row in question, too, who points there in this round, and who did in an earlier one; can the
    seat do so, what that would bring, and why nobody can, in whose row.
    """
    deciding = due(k)
    can = down if seat >= 0 and (deciding >> seat) & 1 else 0
    last = can != 0 and deciding == 1 << seat  # its pointer would end the round
    for place in range(PLACES):
        if (down >> place) & 1 == 0:
            keys[at + place] |= why_closed(k, place) << 29 | k.turn << 31
        elif can != 0:
            keys[at + place] |= 1 << 22 | (if_pointed(k, seat, place) << 23 if last else 0)
    for q in range(k.seats):
        place = pointer(k.pointers, q)
        if place >= 0:
            keys[at + place] |= 1 << (q + (10 if (k.pointed >> q) & 1 else 16))


@rule
def write_past(k: State, cards: Cells, keys: Cells, at: int) -> int:
    """Of each team before the present one its cards, in the order in which they came, and is it complete?"""
    keys[at] = count(k.ended)
    at += 1
    begin = 0
    left = k.ended
    while left != 0:
        end = lowest(left)
        left &= left - 1
        keys[at] = several(cards, begin, end) | ((k.completed >> end) & 1) << (CARD * TEAM)
        begin = end
        at += 1
    return at


@rule
def several(cards: Cells, begin: int, end: int) -> int:
    """The cards after number `begin`, to number `end`; at most as many as a team has."""
    found = 0
    for number in range(begin, end):
        found |= cards[number + 1] << (CARD * (number - begin))
    return found


# ------------------------------------------------------------------ how a view is made
def fragments() -> Fragments:
    """The fields, in their order: those that change with every decision apart from those that hardly ever do."""
    row = Fragments(Row, [Fragment("seat ready turn down", _row), Fragment("places", _place, is_list=True)])
    return Fragments(
        View,
        [
            Fragment("seats you phase due", _head),
            Fragment("ask", ask),
            Fragment("outlook", outlook),
            Fragment("happened turn first round rounds", _turned_up),
            Fragment("pointing", _pointer, is_list=True),
            Fragment("settled", _settled),
            Fragment("rows", row, is_list=True),
            Fragment("arranging", _arranging, 2),
            Fragment("team team_kind team_size", _team),
            Fragment("fits", _fit, is_list=True),
            Fragment("past", _past, is_list=True),
            Fragment("teams needed spare spare_words out", _needed),
            Fragment("signals signals_left signal_limit why_no_signal result", _signals, is_signalled=True),
        ],
    )


def _head(key: int) -> tuple[int, int | None, str, list[int]]:
    you = (key >> 3 & 7) - 1
    return key & 7, None if you < 0 else you, PHASE_WORDS[key >> 6 & 7], [*members(key >> 9)]


def _turned_up(key: int) -> tuple[Message | None, int | None, int | None, int | None, int]:
    turn, round, first, what = (key & 7) - 1, key >> 3 & 3, (key >> 5 & 7) - 1, None
    if key >> 10:
        card = _card(key >> 10)
        what = happened(card.card, card.seat, card.position, bool(key >> 9 & 1), bool(key >> 8 & 1))
    return what, None if turn < 0 else turn, None if first < 0 else first, round or None, ROUNDS


def _pointer(key: int) -> Pointer:
    return Pointer(key & 7, key >> 3 & 15 or None, bool(key >> 7))


def _settled(settled: int) -> list[Pointer]:
    return [Pointer(q, pointer(settled, q) + 1, False) for q in range(MAX_SEATS) if pointer(settled, q) >= 0]


# ------------------------------------------------------------------ rows
def _row(key: int) -> tuple[int, bool, bool, int]:
    return key & 7, key >> 3 & 1 == 1, key >> 4 & 1 == 1, key >> 5


def _place(key: int) -> Place:
    position, card = key >> 6 & 15, key >> 3 & 7
    return Place(
        position,
        STATES[key & 7],
        KIND_NAMES[card - 1] if card else None,
        [*members(key >> 10 & 63)],
        [*members(key >> 16 & 63)],
        bool(key >> 22 & 1),
        then(key >> 23 & 63),
        closed(key >> 29 & 3, key >> 31, position - 1) if key >> 29 & 3 else None,
    )


def _arranging(key: int, hand: int) -> Arranging | None:
    if key == 0:
        return None
    row, hints, seats = key & (1 << 36) - 1, key >> 36 & ROW, key >> 46
    left = (HAND - TEAM) * seats - hints.bit_count()  # P04, P10: if nobody else shows any
    can_reveal = range(hints.bit_length() + 1, HAND + 1) if key >> 45 & 1 else ()
    return Arranging(
        _kinds(hand), _placed(row), _positions(hints), [*can_reveal], left, cost_of_hints(hints.bit_count(), left)
    )


@cache
def _positions(places: int) -> list[int]:
    return [i + 1 for i in members(places)]


@lru_cache(1 << 12)
def _kinds(bag: int) -> list[str]:
    return [name for kind, name in enumerate(KIND_NAMES) for _ in range(number_of(bag, kind))]


@lru_cache(1 << 12)
def _placed(row: int) -> list[str]:
    return [KIND_NAMES[kind] for i in range(PLACES) if (kind := kind_at(row, i)) >= 0]


# ------------------------------------------------------------------ teams
@cache
def _card(key: int) -> TeamCard:
    return TeamCard(KIND_NAMES[key & 7], key >> 3 & 7, key >> 6)


def _cards(key: int) -> tuple[str, list[TeamCard]]:
    """What the aliens of some cards are, machines aside (P08): any, same, different; neither. And the cards."""
    cards, team = [], 0
    while key:
        cards.append(_card(key & (1 << CARD) - 1))
        team += 1 << 4 * (key & 7)
        key >>= CARD
    if not stands(team):
        return "neither", cards
    aliens = [number_of(team, kind) for kind in range(ALIENS)]
    return "any" if sum(aliens) <= 1 else "same" if max(aliens) > 1 else "different", cards


def _team(key: int) -> tuple[list[TeamCard], str, int]:
    kind, cards = _cards(key)
    return cards, kind, TEAM


def _past(key: int) -> PastTeam:
    kind, cards = _cards(key & (1 << CARD * TEAM) - 1)
    return PastTeam(bool(key >> CARD * TEAM), kind, cards)


def _fit(key: int) -> Fit:
    kind, why = key & 7, key >> 3 & 3
    return Fit(KIND_NAMES[kind], why == 0, unfit(why, kind), key >> 5)


def _needed(key: int) -> tuple[int, int, int | None, Message | None, int]:
    seats, left = key & 7, (key >> 6) - SHIFT if key >> 6 else None
    return key >> 3 & 7, seats, left, None if left is None else to_spare(left), CARDS - HAND * seats


# ------------------------------------------------------------------ signals, and the end
def _signals(
    key: int, given: tuple[tuple[int, str], ...]
) -> tuple[list[Given], int, int, Message | None, dict[str, Any] | None]:
    """The signals of this occasion, and how many more the seat may give, or why none; then the result."""
    seat, result = (key & 7) - 1, ending(key >> 9, key >> 6 & 7) if key >> 5 & 1 else None
    left = 0 if seat < 0 else SIGNAL_LIMIT - sum(q == seat for q, _ in given)
    return [_given(q, text) for q, text in given], left, SIGNAL_LIMIT, silence(key >> 3 & 3), result


@cache
def _given(seat: int, text: str) -> Given:
    return Given(seat, text, tell(f"! {seat} {text}"))
