"""Signals of `steady` in Silent Planet (P11): which it gives, and how it uses those it hears.

Signals are the last events (`core.events`): those about the row in question. Without any, nothing here changes a
decision.
"""

from __future__ import annotations

from tacit.bots.silent_planet.row_convention import FIELD, SURE, candidates, likely, share
from tacit.core.events import event_actor, event_signal
from tacit.core.rulekit import rule
from tacit.core.state_layout import Cells
from tacit.games.silent_planet.board import bag_of, open_row, places_of, pointer, stands
from tacit.games.silent_planet.model import KINDS, PLACES, SIGNALS, State
from tacit.games.silent_planet.rules import signallers

NOD, SHAKE, SHRUG, FINGERS = (SIGNALS.index(text) for text in ("nod", "shake", "shrug", "fingers 1"))
NOTHING = -1
SAID = 900  # of SURE: the assumed belief of a seat that shows a kind
BREAKS, HOLDS = 800, 200  # of SURE: shake at a card that breaks the team with BREAKS if another does with HOLDS


# ------------------------------------------------------------------ hearing
@rule
def signalled(events: Cells, n: int, q: int) -> int:
    """The last signal of a seat about this row; NOTHING if it gave none."""
    at = n - 1
    while at >= 0 and event_signal(events[at]) >= 0:
        if event_actor(events[at]) == q:
            return int(event_signal(events[at]))
        at -= 1
    return NOTHING


@rule
def shown_by_others(k: State, seat: int, events: Cells, n: int) -> bool:
    """Has another seat shown by its fingers which kind it believes to be where it points?"""
    for q in range(k.seats):
        if n > 0 and q != seat and pointer(k.pointers, q) >= 0 and signalled(events, n, q) >= FINGERS:
            return True
    return False


@rule
def common_belief(k: State, seat: int, q: int, place: int) -> int:
    """The probability of each kind in a place of another's row by common knowledge alone."""
    row = open_row(k, q)
    pool = k.pool + bag_of(k.row[seat]) - bag_of(open_row(k, seat))
    down = places_of(k.down, q)
    found = candidates(row, places_of(k.hints, q), down, pool, bag_of(row))
    return likely(found, row, down, pool, bag_of(row), place)


@rule
def weighed(k: State, seat: int, place: int, word: int, events: Cells, n: int) -> int:
    """The belief about a place of the current row, updated by what others who point at it show.

    A seat that shows a kind has private evidence beside common knowledge: its odds over the common odds are the
    likelihood ratio. Own private evidence is independent, so the odds multiply.
    """
    for g in range(k.seats):
        kind = signalled(events, n, g) - FINGERS
        if g == seat or kind < 0 or pointer(k.pointers, g) != place:
            continue
        known = min(max(share(common_belief(k, seat, k.turn, place), kind), 1), SURE - 1)
        before = share(word, kind)
        if known < SAID and 0 < before < SURE:  # else it is no news, or this seat knows for certain
            grown = before * SAID * (SURE - known)
            now = SURE * grown // (grown + (SURE - before) * (SURE - SAID) * known)
            new = now << (FIELD * kind)
            for other in range(KINDS):
                if other != kind:
                    new |= (share(word, other) * (SURE - now) // (SURE - before)) << (FIELD * other)
            word = new
    return word


@rule
def votes(k: State, events: Cells, n: int, place: int, first: int) -> int:
    """The votes for a place: two for each seat that points at it, one if that seat shrugs.

    For the leading place (`first`), a nod of a seat that does not point at it counts two, a shake minus two.
    """
    out = 0
    for q in range(k.seats):
        said = signalled(events, n, q) if n > 0 else NOTHING
        if pointer(k.pointers, q) == place:
            out += 1 if said == SHRUG else 2
        elif place == first and said == NOD:
            out += 2
        elif place == first and said == SHAKE:
            out -= 2
    return out


@rule
def leading(k: State, events: Cells, n: int, first: int) -> int:
    """P07: the place with the most votes, ties to the nearest seat left of the owner; -1 if no seat points."""
    best, most = -1, -100
    for i in range(1, k.seats):
        at = pointer(k.pointers, (k.turn + i) % k.seats)
        if at >= 0 and votes(k, events, n, at, first) > most:
            best, most = at, votes(k, events, n, at, first)
    return best


@rule
def followed(k: State, events: Cells, n: int, mine: int) -> int:
    """From the second round on, the leading place; before, the own choice."""
    if k.round == 1:
        return mine
    lead = leading(k, events, n, leading(k, events, 0, -1))
    return lead if lead >= 0 else mine


@rule
def pointed_at(k: State) -> int:
    """The places that any seat points at."""
    places = 0
    for q in range(k.seats):
        if pointer(k.pointers, q) >= 0:
            places |= 1 << pointer(k.pointers, q)
    return places


# ------------------------------------------------------------------ giving
@rule
def breaking(k: State, word: int) -> int:
    """The probability that a card breaks the team."""
    out = 0
    for kind in range(KINDS):
        if not stands(k.team + (1 << (4 * kind))):
            out += share(word, kind)
    return out


@rule
def signal(k: State, seat: int, events: Cells, n: int) -> int:
    """P11: the signal that `steady` gives before it points, or NOTHING; each at most once for a decision.

    Before it has pointed, it shakes its head at a leading card that very likely breaks the team if another does not.
    When it has pointed and is asked again, it shows the kind that it believes to be there, or shrugs.
    """
    said = signalled(events, n, seat)
    if (signallers(k) >> seat) & 1 == 0 or said >= SHRUG:
        return NOTHING
    q = k.turn + 0
    row = open_row(k, q)
    known = bag_of(row)
    down = places_of(k.down, q)
    found = candidates(row, places_of(k.hints, q), down, k.pool, known)
    place = pointer(k.pointers, seat)
    if place >= 0:
        word = likely(found, row, down, k.pool, known, place)
        for kind in range(KINDS):
            if 2 * share(word, kind) > SURE:
                return FINGERS + kind
        return SHRUG
    lead = leading(k, events, 0, -1)
    if lead < 0 or said != NOTHING:
        return NOTHING
    if breaking(k, likely(found, row, down, k.pool, known, lead)) >= BREAKS:
        for other in range(PLACES):
            if (down >> other) & 1 == 1 and breaking(k, likely(found, row, down, k.pool, known, other)) <= HOLDS:
                return SHAKE
    return NOTHING
