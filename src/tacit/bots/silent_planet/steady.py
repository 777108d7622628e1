"""`steady` plays Silent Planet as people do: rows rise, two cards are revealed, and the others' choices are read."""

from __future__ import annotations

from tacit.bots.silent_planet.planning import after, in_play, next_row, offers
from tacit.bots.silent_planet.rows import candidates, hints_for, likely, share
from tacit.bots.silent_planet.signals import followed, pointed_at, shown_by_others, signal, weighed
from tacit.core.bits import length, lowest
from tacit.core.rulekit import rule
from tacit.core.state_layout import Cells
from tacit.games.silent_planet.board import bag_of, number_of, open_row, places_of, spare
from tacit.games.silent_planet.model import A_POINT, A_READY, A_REVEAL, ARRANGE, KINDS, PLACES, TEAM, State

__all__ = ["choose", "signal"]
NAME = "steady"
GAME = "silent-planet"
STYLE = "Lays its row in rising order, reveals at most two cards, and reads much from what others reveal."
ASSUMES = "That the others lay their rows in rising order, machines at the right, and reveal the cards that help most."


@rule
def choose(k: State, seat: int, events: Cells, n: int, mask: Cells, rng: Cells) -> int:
    """A legal decision for what a seat knows."""
    if k.phase == ARRANGE:
        return arrange(k, seat)
    return point(k, seat, events, n)


@rule
def arrange(k: State, seat: int) -> int:
    """P03: the lowest card first; then what the convention reveals of the row, from left to right."""
    if k.hand[seat] != 0:
        kind = 0
        while number_of(k.hand[seat], kind) == 0:
            kind += 1
        return kind
    past = length(places_of(k.hints, seat))
    hints = (hints_for(k.row[seat]) >> past) << past
    return A_REVEAL + lowest(hints) if hints != 0 else A_READY


@rule
def reading(k: State, q: int) -> int:
    """Which rows another's row can be."""
    row = open_row(k, q)
    return candidates(row, places_of(k.hints, q), places_of(k.down, q), k.pool, bag_of(row))


@rule
def belief(k: State, q: int, found: int, place: int) -> int:
    """How likely each kind is in a face-down place of another's row that is read so."""
    row = open_row(k, q)
    return likely(found, row, places_of(k.down, q), k.pool, bag_of(row), place)


@rule
def point(k: State, seat: int, events: Cells, n: int) -> int:
    """P07: the place whose card is worth most; from the second round on, the one that most point at.

    Who has heard what others believe chooses again from the second round on, among the places pointed at.
    """
    q = k.turn + 0
    places = places_of(k.down, q)
    told = shown_by_others(k, seat, events, n)
    if k.round > 1:
        if not told:
            return A_POINT + followed(k, events, n, -1)
        places = pointed_at(k)
    s1, s2, s3, s4, d1, d2, d3, d4 = 0, 0, 0, 0, 0, 0, 0, 0
    r = q
    turns = 1 << (4 * q)  # four bits a row: how often it has had its turn
    for i in range(TEAM - 1):
        r = next_row(k, r)
        o = offers(k, seat, r)
        again = o[min((turns >> (4 * r)) & 15, 2)]
        turns += 1 << (4 * r)
        if i == 0:
            s1, d1 = again, o[0]
        elif i == 1:
            s2, d2 = again, o[0]
        elif i == 2:
            s3, d3 = again, o[0]
        else:
            s4, d4 = again, o[0]
    cards = in_play(k, seat)
    missing = k.seats - k.teams
    left = spare(k)
    found = reading(k, q)
    best, most = -1, -1
    for place in range(PLACES):
        if (places >> place) & 1 == 1:
            word = belief(k, q, found, place)
            if told:
                word = weighed(k, seat, place, word, events, n)
            value = 0
            for kind in range(KINDS):
                if share(word, kind) > 0:
                    value += share(word, kind) * after(
                        k.seats, missing, left, k.team, cards, kind, (s1, s2, s3, s4), (d1, d2, d3, d4)
                    )
            if value > most:
                best, most = place, value
    return A_POINT + best
