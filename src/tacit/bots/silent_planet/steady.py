"""`steady` plays Silent Planet as people do: rows rise, two cards are revealed, and the others' choices are read."""

from __future__ import annotations

from collections.abc import Sequence

from tacit.bots.silent_planet.planning import after, followed, in_play, next_row, offers
from tacit.bots.silent_planet.rows import SURE, candidates, hints_for, likely, share
from tacit.core.bits import length, lowest
from tacit.core.record import Cells
from tacit.core.rulekit import rule
from tacit.games.silent_planet.model import A_POINT, A_READY, A_REVEAL, ARRANGE, KINDS, PLACES, TEAM, State
from tacit.games.silent_planet.notation import KIND_NAMES
from tacit.games.silent_planet.rules import signallers
from tacit.games.silent_planet.table import bag_of, number_of, open_row, places_of, pointer, spare

NAME = "steady"
GAME = "silent-planet"
STYLE = "Lays its row in rising order, reveals at most two cards, reads much from what others reveal."
ASSUMES = "That the others lay their rows in rising order, machines at the right, and reveal the cards that help most."


@rule
def choose(k: State, seat: int, events: Cells, n: int, mask: Cells, rng: Cells) -> int:
    """A legal decision for what a seat knows."""
    if k.phase == ARRANGE:
        return arrange(k, seat)
    return point(k, seat)


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
def point(k: State, seat: int) -> int:
    """P07: the place whose card is worth most; from the second round on, the one that most point at."""
    q = k.turn + 0
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
    down = places_of(k.down, q)
    found = reading(k, q)
    best, most = -1, -1
    for place in range(PLACES):
        if (down >> place) & 1 == 1:
            word = belief(k, q, found, place)
            value = 0
            for kind in range(KINDS):
                if share(word, kind) > 0:
                    value += share(word, kind) * after(
                        k.seats, missing, left, k.team, cards, kind, s1, s2, s3, s4, d1, d2, d3, d4
                    )
            if value > most:
                best, most = place, value
    return A_POINT + followed(k, q, best)


# ------------------------------------------------------------------ signals, in plain Python
def signal(k: State, seat: int, given: Sequence[tuple[int, str]]) -> str | None:
    """P11: what `steady` would signal now: `fingers` for the kind it believes to be where it points, once a decision.

    `given` are the signals of this occasion as (seat, text). None if it may not signal, has not pointed yet, has
    signalled already, or holds no kind for more likely than not.
    """
    if not signallers(k) >> seat & 1 or any(q == seat for q, _ in given):
        return None
    place = pointer(k.pointers, seat)
    if place < 0:
        return None
    word = belief(k, k.turn, reading(k, k.turn), place)
    kind = max(range(KINDS), key=lambda kind: share(word, kind))
    return f"fingers {KIND_NAMES[kind]}" if 2 * share(word, kind) > SURE else None
