"""Who knows what in Zombie City (Z23): the only way out of a state."""

from __future__ import annotations

from tacit.core.bits import copy_cells, count, nth, rest_of, spread, with_one
from tacit.core.chance import below
from tacit.core.clockwise import places_to, seat_after, seats_from
from tacit.core.events import HIDDEN
from tacit.core.random_play import NOBODY
from tacit.core.rulekit import constant_array, rule
from tacit.core.state_layout import Cells
from tacit.games.zombie_city.board import *
from tacit.games.zombie_city.model import *


@rule
def know(s: State, seat: int, k: State) -> None:
    """Fill an empty record with what a seat, or a spectator, knows."""
    know_public(s, k)
    if seat != NOBODY:
        k.hand[seat] = s.hand[seat]
        k.olds[seat] = s.olds[seat]
    k.redraws = told_redraws(s, seat)
    k.pool = unseen(s, seat)


@rule
def know_public(s: State, k: State) -> None:
    """Z23: what lies open."""
    k.seats = s.seats
    k.rules = s.rules
    k.survivors = s.survivors
    k.expert = s.expert
    k.phase = s.phase
    k.active = s.active
    k.taker = s.taker
    k.living = s.living
    k.answered = s.answered
    k.stage = s.stage
    k.cause = s.cause
    k.place = s.place
    k.resume = s.resume
    k.turning = s.turning
    k.aside = s.aside
    k.targets = s.targets
    k.stopped = s.stopped
    k.city = s.city
    k.shows = s.shows
    k.lost = s.lost
    k.deck = s.deck
    k.renewals = s.renewals
    k.last = s.last
    k.quiet = s.quiet
    k.turns = s.turns
    k.row = s.row
    k.attackers = s.attackers
    k.dead = s.dead
    k.discard = s.discard
    k.backs = s.backs
    k.old = s.old
    copy_cells(k.people, s.people)
    copy_cells(k.hand_len, s.hand_len)
    copy_cells(k.zombies, s.zombies)
    copy_cells(k.barriers, s.barriers)
    copy_cells(k.thrown, s.thrown)
    copy_cells(k.kept, s.kept)


@rule
def told_redraws(s: State, seat: int) -> int:
    """Z04: while answers are sealed a seat knows its own; then all do."""
    if s.phase != ANSWER:
        return s.redraws
    return s.redraws & (1 << seat) if seat != NOBODY else 0


@rule
def unseen(s: State, seat: int) -> int:
    """Z23: the cards that a seat sees neither among the discards, nor in a shelter, nor in its hand."""
    seen = s.discard
    for q in range(s.seats):
        if s.barriers[q] != 0:
            seen = with_all(seen, s.barriers[q])
    return rest_of(seen, 0 if seat == NOBODY else s.hand[seat], FIELD)


@rule
def overhear(s: State, seat: int, who: int, action: int) -> int:
    """What a seat hears of a step about to be made: all but others' new cards and sealed answers."""
    if s.phase == ANSWER:
        return action if seat == who else HIDDEN
    if s.phase == DRAW:
        return action if seat == s.active else HIDDEN
    if s.phase == DEAL or s.phase == REDEAL:
        return action if seat == s.taker else HIDDEN
    return action


@rule
def imagine(k: State, seat: int, rng: Cells) -> None:
    """Deal the unseen cards to the other hands, the rest is the deck; every card is as likely to be anywhere.

    What was in hands when the deck was renewed (Z19) is still there, as long as that can be told. Of the City deck
    nothing is to be imagined: it is a count, and its backs are drawn when they are turned. A sealed answer of another
    seat is one of the two.
    """
    old = k.old if seat == NOBODY else without_all(k.old, k.olds[seat])
    k.pool = without_all(k.pool, old)
    for q in range(k.seats):
        if q != seat:
            for i in range(k.hand_len[q]):
                if i < k.kept[q]:
                    kind = kind_of(nth(old, below(rng, count(old))))
                    old = without_card(old, kind)
                    k.olds[q] = with_card(k.olds[q], kind)
                else:
                    kind = kind_of(nth(k.pool, below(rng, count(k.pool))))
                    k.pool = without_card(k.pool, kind)
                k.hand[q] = with_card(k.hand[q], kind)
            if k.phase == ANSWER and (k.answered >> q) & 1:
                k.redraws |= below(rng, 2) << q


PER_SEAT = constant_array((1 << 16) // max(1, seats) + 1 for seats in range(MAX_SEATS + 1))


@rule
def put_crowd(out: Cells, at: int, crowd: int, kinds: int) -> int:
    """A crowd as a count a kind."""
    for zombie in range(kinds):
        out[at + zombie] = number(crowd, zombie)
    return at + kinds


@rule
def observe(k: State, seat: int, out: Cells) -> None:
    """Write the tensor of FIELDS (observation.py), in their order, from a seat's knowledge."""
    n = k.seats
    at = spread(out, 0, k.hand[seat], CARDS)
    at = spread(out, at, k.discard, CARDS)
    at = spread(out, at, k.backs, CARDS)
    laid = 0
    for r in range(n):
        laid |= (k.barriers[seat_after(seat, r, n)] >> BASE[BARRICADE]) << (BARRIERS * r)
    at = spread(out, at, laid, 6 * BARRIERS)
    seats = seats_from(k.living, seat, n) | seats_from(k.answered, seat, n) << 6
    seats |= seats_from(told_redraws(k, seat), seat, n) << 12 | seats_from(k.targets, seat, n) << 18
    flags = (1 if final_attack(k) else 0) | k.expert << 1 | k.aside << 2
    at = spread(out, at, seats | flags << 24, 27)
    ones = with_one(0, 0, k.phase, PHASES)
    ones = with_one(ones, PHASES, k.stage, 3)
    ones = with_one(ones, PHASES + 3, k.cause, CAUSES)
    ones = with_one(ones, PHASES + CAUSES + 3, k.resume, 3)
    ones = with_one(ones, PHASES + CAUSES + 6, k.shows if k.shows != NOTHING else 3, 4)
    ones = with_one(ones, PHASES + CAUSES + 10, places_to(seat, k.active, n), 6)
    ones = with_one(ones, PHASES + CAUSES + 16, places_to(seat, k.place, n), 6)
    ones = with_one(ones, PHASES + CAUSES + 22, places_to(seat, k.taker, n), 6)
    ones = with_one(ones, PHASES + CAUSES + 28, n - 2, 5)
    ones = with_one(ones, PHASES + CAUSES + 33, k.survivors, 3)
    at = spread(out, at, ones, PHASES + CAUSES + 36)
    for r in range(6):
        out[at + r] = k.people[seat_after(seat, r, n)] if r < n else 0
        out[at + 6 + r] = k.hand_len[seat_after(seat, r, n)] if r < n else 0
    at += 12
    for r in range(6):
        at = put_crowd(out, at, k.zombies[seat_after(seat, r, n)] if r < n else 0, 3)
    at = put_crowd(out, at, k.row, 3)
    at = put_crowd(out, at, k.attackers, 3)
    at = put_crowd(out, at, k.dead, 4)
    out[at] = k.city
    out[at + 1] = k.deck
    out[at + 2] = k.turning
    out[at + 3] = k.stopped
    out[at + 4] = k.lost
    out[at + 5] = k.renewals
    rounds = (k.turns * PER_SEAT[n]) >> 16  # k.turns // n, without a division
    out[at + 6] = rounds
    out[at + 7] = k.turns - rounds * n
    out[at + 8] = k.quiet
    out[at + 9] = k.rules
