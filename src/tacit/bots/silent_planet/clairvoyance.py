"""Silent Planet with open cards: the rules that guide the solver (the hooks of `tacit.analysis.beam`).

With open cards only the kinds of the cards face down in each row matter, not their places, and all deciders can point
at the same card at once.
"""

from __future__ import annotations

from tacit.core.bits import length, lowest
from tacit.core.rulekit import rule
from tacit.core.state_layout import Cells
from tacit.games.silent_planet.board import kind_at, number_of, places_of, pointer, size, spare, stands
from tacit.games.silent_planet.model import (
    A_POINT,
    A_REVEAL,
    ALIENS,
    ARRANGE,
    KINDS,
    MACHINE,
    PLACES,
    POINT,
    ROW,
    TEAM,
    State,
)

SEARCHED = -1  # in `settled`: this turn began within the search
TEAM_DONE, SPARE, JOINED, FITTING = 1000, 40, 12, 5


@rule
def face_down(s: State, seat: int) -> int:
    """The cards that are, or will be, face down in a row, as a bag: before rows are shown, all but the hints."""
    bag = s.hand[seat]
    places = places_of(s.down, seat)
    if s.phase == ARRANGE:
        places = ((1 << ((length(s.row[seat]) + 3) // 4)) - 1) & ~places_of(s.hints, seat)
    while places != 0:
        bag += 1 << (4 * kind_at(s.row[seat], lowest(places)))
        places &= places - 1
    return bag


@rule
def all_down(s: State) -> int:
    """The cards face down in all rows and those in the team, ten bits a kind."""
    total = 0
    for seat in range(s.seats):
        bag = face_down(s, seat)
        for kind in range(KINDS):
            total += number_of(bag, kind) << (10 * kind)
    for kind in range(KINDS):
        total += number_of(s.team, kind) << (10 * kind)
    return total


@rule
def can_make(cards: int, teams: int) -> bool:
    """Could this many teams be made of these cards (ten bits a kind), in any order?"""
    for different in range(teams + 1):
        machines = (cards >> (10 * MACHINE)) & 1023
        same = teams - different
        rests = 0  # five bits for each number of cards that a kind has beyond its whole teams: how many kinds
        for kind in range(ALIENS):
            n = ((cards >> (10 * kind)) & 1023) - different
            if n < 0:
                machines += n
                n = 0
            same -= n // TEAM
            rests += 1 << (5 * (n % TEAM))
        rest = TEAM - 1
        while same > 0 and machines >= 0:  # fill up the kinds that lack the fewest; at last teams of machines alone
            while rest > 0 and (rests >> (5 * rest)) & 31 == 0:
                rest -= 1
            if rest > 0:
                rests -= 1 << (5 * rest)
            machines -= TEAM - rest
            same -= 1
        if machines >= 0:
            return True
    return False


@rule
def ceiling(s: State) -> int:
    """P08, P10: the teams that the cards could make in any order."""
    cards = all_down(s)
    missing = s.seats - s.teams
    while missing > 0 and not can_make(cards, missing):
        missing -= 1
    return s.teams + missing


@rule
def outlook(s: State, out: Cells) -> int:
    """Teams, cards to spare, and in how many of the next turns the team can grow."""
    value = TEAM_DONE * s.teams + JOINED * size(s.team)
    if s.phase == ARRANGE:
        hints = s.hints
        while hints != 0:
            value -= SPARE
            hints &= hints - 1
        return value
    value += SPARE * spare(s)
    seat = s.turn + 0
    for _ in range(TEAM - size(s.team)):
        bag = face_down(s, seat)
        fits = 0
        for kind in range(KINDS):
            if number_of(bag, kind) > 0 and stands(s.team + (1 << (4 * kind))):
                fits += 1
        value += FITTING * min(fits, 3)
        seat = (seat + 1) % s.seats
    return value


@rule
def turn_over(s: State) -> bool:
    """A turn begins; or a seat, and none before it, is yet to make its row."""
    if s.phase == ARRANGE:
        return s.row[lowest(((1 << s.seats) - 1) & ~s.ready)] == 0
    return s.phase == POINT and s.pointed == 0 and s.round == 1


@rule
def narrow(s: State, seat: int, mask: Cells) -> None:
    """One seat after the other; of cards alike the first; and all point where the first one does."""
    if s.phase == ARRANGE:
        if seat != lowest(((1 << s.seats) - 1) & ~s.ready):
            mask[0] = 0
        elif s.hand[seat] != 0:
            mask[0] &= -mask[0]
        else:
            firsts = first_of_each(s.row[seat], (mask[0] >> A_REVEAL) & ROW)
            mask[0] &= ~(ROW << A_REVEAL) | firsts << A_REVEAL
    elif s.settled == SEARCHED:
        due = ((1 << s.seats) - 1) & ~(1 << s.turn) & ~s.pointed
        if seat != lowest(due):
            mask[0] = 0
        elif s.pointed == 0:
            mask[0] = first_of_each(s.row[s.turn], (mask[0] >> A_POINT) & ROW) << A_POINT
        else:
            mask[0] = 1 << (A_POINT + pointer(s.pointers, lowest(s.pointed)))


@rule
def first_of_each(row: int, places: int) -> int:
    """Of these places of a row the first with each kind."""
    kinds = 0
    firsts = 0
    for place in range(PLACES):
        if (places >> place) & 1:
            bit = 1 << kind_at(row, place)
            if kinds & bit == 0:
                firsts |= 1 << place
            kinds |= bit
    return firsts


@rule
def forget(s: State) -> None:
    """When which card was turned up, and who pointed where: nothing of it binds anybody. Nor do cards that lie open."""
    for seat in range(s.seats):
        s.history[seat] = 0
    s.ended = 0
    s.completed = 0
    s.turned = 0
    if s.phase == POINT:
        s.hints = 0
        s.first = 0
        for seat in range(s.seats):
            open_places = ROW & ~places_of(s.down, seat)
            while open_places != 0:
                s.row[seat] &= ~(15 << (4 * lowest(open_places)))
                open_places &= open_places - 1
    if turn_over(s):
        s.settled = SEARCHED
