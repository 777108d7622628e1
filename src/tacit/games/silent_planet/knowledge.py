"""Who knows what in Silent Planet (P05, P12): the only way out of a state."""

from __future__ import annotations

from tacit.core.bits import count, spread
from tacit.core.chance import below
from tacit.core.clockwise import places_to, seat_after, seats_from
from tacit.core.events import HIDDEN, UNHEARD
from tacit.core.rulekit import rule
from tacit.core.state_layout import Cells
from tacit.games.silent_planet.board import *
from tacit.games.silent_planet.model import *
from tacit.games.silent_planet.rules import drawn


@rule
def know(s: State, seat: int, k: State) -> None:
    """Fill an empty record with what a seat, or a spectator, knows."""
    know_public(s, k)
    bag = 0
    for q in range(s.seats):
        k.row[q] = known_row(s, seat, q)
        bag += bag_of(k.row[q])
    if seat >= 0:
        k.hand[seat] = s.hand[seat]
        bag += s.hand[seat]
    k.pool = BAG - bag
    if s.phase == ARRANGE:
        # Sealed: how far others are and what they reveal is theirs until all are ready.
        if seat >= 0:
            k.hints = s.hints & (ROW << (PLACES * seat))
    else:
        k.hints = s.hints


@rule
def know_public(s: State, k: State) -> None:
    """P12: what lies open; of a seat that makes its row, only whether it is ready."""
    k.seats = s.seats
    k.phase = s.phase
    k.dealt = s.dealt
    k.ready = s.ready
    k.first = s.first
    k.turn = s.turn
    k.round = s.round
    k.pointed = s.pointed
    k.teams = s.teams
    k.turned = s.turned
    k.pointers = s.pointers
    k.settled = s.settled
    k.team = s.team
    k.down = s.down
    k.ended = s.ended
    k.completed = s.completed
    for q in range(s.seats):
        k.history[q] = s.history[q]


@rule
def overhear(s: State, seat: int, who: int, action: int) -> int:
    """What a seat hears of a step about to be made: the action, HIDDEN or UNHEARD.

    P03: how another makes its row is UNHEARD, until the last one that is ready shows all rows.
    """
    if s.phase == DEAL:
        return action if seat == s.dealt // HAND else HIDDEN
    if s.phase == ARRANGE and seat != who:
        return HIDDEN if action == A_READY and s.ready | (1 << who) == (1 << s.seats) - 1 else UNHEARD
    return action


@rule
def imagine(k: State, seat: int, rng: Cells) -> None:
    """Deal the cards of unknown place to the others, the rest is out of the game; all are equally likely.

    While rows are made, a seat that is ready has made one, any of them; the others have not begun.
    """
    unseen = size(k.pool)
    for q in range(k.seats):
        if q == seat:
            continue
        has = min(max(k.dealt - HAND * q, 0), HAND)
        if k.phase == DEAL or (k.phase == ARRANGE and not (k.ready >> q) & 1):
            for _ in range(has):
                kind = drawn(k.pool, below(rng, unseen))
                unseen -= 1
                k.pool -= 1 << (4 * kind)
                k.hand[q] += 1 << (4 * kind)
            continue
        for place in range(HAND):
            if kind_at(k.row[q], place) < 0:
                kind = drawn(k.pool, below(rng, unseen))
                unseen -= 1
                k.pool -= 1 << (4 * kind)
                k.row[q] |= (kind + 1) << (4 * place)
        if k.phase == ARRANGE:
            k.hints |= below(rng, 1 << HAND) << (PLACES * q)


@rule
def faces(row: int) -> int:
    """A row as a set: six members a place, of which one is the kind that is known there."""
    found = 0
    for place in range(PLACES):
        kind = kind_at(row, place)
        if kind >= 0:
            found |= 1 << (KINDS * place + kind)
    return found


@rule
def observe(k: State, seat: int, out: Cells) -> None:
    """Write the tensor of FIELDS (observation.py), in their order, from a seat's knowledge."""
    n = k.seats
    at = 0
    unseen = BAG - k.hand[seat]
    for r in range(MAX_SEATS):
        row = known_row(k, seat, seat_after(seat, r, n)) if r < n else 0
        unseen -= bag_of(row)
        at = spread(out, at, faces(row), PLACES * KINDS)
    for r in range(MAX_SEATS):
        at = spread(out, at, places_of(k.down, seat_after(seat, r, n)) if r < n else 0, PLACES)
    for r in range(MAX_SEATS):
        # Others' hints are sealed while rows are made; one's own are one's own.
        shown = r < n and (r == 0 or k.phase >= START)
        at = spread(out, at, places_of(k.hints, seat_after(seat, r, n)) if shown else 0, PLACES)
    for r in range(MAX_SEATS):
        place = pointer(k.pointers, seat_after(seat, r, n)) if r < n else -1
        at = spread(out, at, 1 << place if place >= 0 else 0, PLACES)
    at = spread(out, at, seats_from(k.pointed, seat, n), MAX_SEATS)
    at = spread(out, at, seats_from(k.ready, seat, n), MAX_SEATS)
    at = spread(out, at, 1 << places_to(seat, k.turn, n) if k.turn >= 0 else 0, MAX_SEATS)
    at = spread(out, at, 1 << places_to(seat, k.first, n) if k.first >= 0 else 0, MAX_SEATS)
    at = spread(out, at, (1 << k.round) >> 1, ROUNDS)
    at = spread(out, at, 1 << k.phase, PHASES)
    at = spread(out, at, 1 << (n - MIN_SEATS), 5)
    for kind in range(KINDS):
        out[at + kind] = number_of(k.hand[seat], kind)
        out[at + KINDS + kind] = number_of(k.team, kind)
        out[at + 2 * KINDS + kind] = number_of(unseen, kind)
    at += 3 * KINDS
    for r in range(MAX_SEATS):
        out[at + r] = count(places_of(k.down, seat_after(seat, r, n))) if r < n else 0
    at += MAX_SEATS
    out[at] = k.teams
    out[at + 1] = spare(k) if k.phase >= START else (HAND - TEAM) * n
