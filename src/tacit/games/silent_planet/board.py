"""Queries about a state of Silent Planet, and bags of cards."""

from __future__ import annotations

from tacit.core.bits import count, length
from tacit.core.clockwise import seat_after
from tacit.core.rulekit import constant_array, rule
from tacit.games.silent_planet.model import *

# The four bits of each place in a set of places, as a row has them.
NIBBLES = constant_array(sum(15 << 4 * p for p in range(PLACES) if places >> p & 1) for places in range(1 << PLACES))


# ------------------------------------------------------------------ bags and rows
@rule
def number_of(bag: int, kind: int) -> int:
    """How many cards of a kind a bag holds."""
    return (bag >> (4 * kind)) & 15


@rule
def size(bag: int) -> int:
    """How many cards a bag holds."""
    n = 0
    for kind in range(KINDS):
        n += (bag >> (4 * kind)) & 15
    return n


@rule
def kind_at(row: int, place: int) -> int:
    """The kind of the card in a place of a row; -1 if none is known there."""
    return ((row >> (4 * place)) & 15) - 1


@rule
def bag_of(row: int) -> int:
    """The cards of a row that are known, as a bag."""
    bag = 0
    for place in range(PLACES):
        bag += (1 << (4 * ((row >> (4 * place)) & 15))) >> 4
    return bag


@rule
def nibbles(places: int) -> int:
    """The bit mask of a set of places in a row."""
    return NIBBLES[places]


@rule
def laid(row: int) -> int:
    """P03: how many cards a seat that is making its row has placed; they are placed from left to right."""
    return (length(row) + 3) // 4


# ------------------------------------------------------------------ the table
@rule
def places_of(places: int, seat: int) -> int:
    """One seat's share of a set of places."""
    return (places >> (PLACES * seat)) & ROW


@rule
def open_row(s: State, seat: int) -> int:
    """P12: what everyone knows of a row: hints and cards turned up; nothing before all are ready."""
    if s.phase == DEAL or s.phase == ARRANGE:
        return 0
    return turned_up(s.row[seat], places_of(s.down, seat))


@rule
def turned_up(row: int, down: int) -> int:
    """A row without the cards in the places that are face down."""
    return row & ~nibbles(down)


@rule
def known_row(s: State, seat: int, owner: int) -> int:
    """P05: a seat knows its own row; of others it knows what is open."""
    return s.row[owner] if seat == owner else open_row(s, owner)


@rule
def deciders(s: State) -> int:
    """P07: in a seat's turn all others decide, also those without cards."""
    return ((1 << s.seats) - 1) & ~(1 << s.turn)


@rule
def pointer(pointers: int, seat: int) -> int:
    """The place a seat points at; -1 if it does not."""
    return ((pointers >> (4 * seat)) & 15) - 1


@rule
def with_pointer(pointers: int, seat: int, place: int) -> int:
    """The pointers after a seat has pointed at a place."""
    return (pointers & ~(15 << (4 * seat))) | (place + 1) << (4 * seat)


@rule
def spare(s: State) -> int:
    """P10: the cards that can still be lost: those face down and in the team, less five for each missing team."""
    return count(s.down) + size(s.team) - TEAM * (s.seats - s.teams)


@rule
def stands(team: int) -> bool:
    """P08: are a team's aliens all the same or all different? Machines aside; none or one alone counts as both."""
    if team & SEVERAL == 0:
        return True
    kinds = (team | team >> 1 | team >> 2 | team >> 3) & SINGLE
    return kinds & (kinds - 1) == 0


@rule
def agreed(s: State, pointers: int) -> bool:
    """P07: do all deciders point at the same card?"""
    at = pointer(pointers, seat_after(s.turn, 1, s.seats))
    for i in range(2, s.seats):
        if pointer(pointers, seat_after(s.turn, i, s.seats)) != at:
            return False
    return True


@rule
def chosen(s: State, pointers: int) -> int:
    """P07: the place with the most pointers; among equals the one that the decider nearest to the left points at."""
    votes = 0  # four bits a place
    for i in range(1, s.seats):
        votes += 1 << (4 * pointer(pointers, seat_after(s.turn, i, s.seats)))
    best = -1
    most = 0
    for i in range(1, s.seats):  # from the left on: an equal that comes later takes nothing away
        at = pointer(pointers, seat_after(s.turn, i, s.seats))
        n = (votes >> (4 * at)) & 15
        if n > most:
            best = at
            most = n
    return best
