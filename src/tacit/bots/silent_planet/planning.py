"""What a card would be worth: how likely the team is completed after it, and what a team and spare cards are worth."""

from __future__ import annotations

import numpy as np

from tacit.bots.silent_planet.rows import FIELD, SURE, candidates, likely, share
from tacit.core.bits import count
from tacit.core.rulekit import rule
from tacit.games.silent_planet.model import (
    ALIENS,
    KINDS,
    MACHINE,
    MAX_SEATS,
    PLACES,
    SEVERAL,
    SINGLE,
    TEAM,
    State,
)
from tacit.games.silent_planet.table import bag_of, kind_at, open_row, places_of, size, spare, stands

WORTH = 1 << 20  # of a match that is won
MACHINE_SHARE = 850  # of SURE: what a machine is worth in the place of the alien one wants


def prospects() -> np.ndarray:
    """The chance to win with n seats when so many teams are missing and so many cards can be lost."""
    table = np.zeros((MAX_SEATS + 1, MAX_SEATS + 1, 32), np.int64)
    for seats in range(2, MAX_SEATS + 1):
        for missing in range(seats + 1):
            for left in range(32):
                x = 0.9 + 0.5 * left - 0.9 * missing
                table[seats, missing, left] = WORTH if missing == 0 else int(WORTH / (1 + np.exp(-x)))
    return table


PROSPECTS = prospects()


@rule
def prospect(seats: int, missing: int, left: int) -> int:
    if missing == 0:
        return WORTH
    if left < 0:
        return 0
    return PROSPECTS[seats, missing, min(left, 31)] + 0


# ------------------------------------------------------------------ what the next rows can give
@rule
def put(word: int, kind: int, value: int) -> int:
    """A word of six fields with one of them changed."""
    return (word & ~(1023 << (FIELD * kind))) | value << (FIELD * kind)


@rule
def offers(k: State, seat: int, q: int) -> tuple[int, int, int]:
    """For each kind, how likely the best place of a row, the second and the third give it, as three words of six.

    A machine counts for an alien, a little less. One's own row is read as the others read it, and then looked at.
    """
    pool = k.pool
    row = open_row(k, q)
    down = places_of(k.down, q)
    if q == seat:
        pool += bag_of(k.row[q]) - bag_of(row)
    known = bag_of(row)
    found = candidates(row, places_of(k.hints, q), down, pool, known)
    a1, a2, a3 = 0, 0, 0  # as it is read
    b1, b2, b3 = 0, 0, 0  # as it is, as far as I know
    for place in range(PLACES):
        if (down >> place) & 1 == 0:
            continue
        word = likely(found, row, down, pool, known, place)
        machine = share(word, MACHINE)
        for kind in range(KINDS):
            value = share(word, kind)
            if kind != MACHINE:
                value += machine * MACHINE_SHARE // SURE
            truth = value
            if q == seat:
                mine = kind_at(k.row[q], place)
                truth = SURE if mine == kind else (MACHINE_SHARE if mine == MACHINE else 0)
            if value > share(a1, kind):
                a3, b3 = put(a3, kind, share(a2, kind)), put(b3, kind, share(b2, kind))
                a2, b2 = put(a2, kind, share(a1, kind)), put(b2, kind, share(b1, kind))
                a1, b1 = put(a1, kind, value), put(b1, kind, truth)
            elif value > share(a2, kind):
                a3, b3 = put(a3, kind, share(a2, kind)), put(b3, kind, share(b2, kind))
                a2, b2 = put(a2, kind, value), put(b2, kind, truth)
            elif value > share(a3, kind):
                a3, b3 = put(a3, kind, value), put(b3, kind, truth)
    return b1, b2, b3


@rule
def next_row(k: State, q: int) -> int:
    """P06: whose turn comes after q's."""
    q = (q + 1) % k.seats
    for _ in range(MAX_SEATS):
        if places_of(k.down, q) == 0:
            q = (q + 1) % k.seats
    return q


# ------------------------------------------------------------------ completing a team
@rule
def same_kind(kind: int, rows: int, s1: int, s2: int, s3: int, s4: int) -> int:
    """How likely the next rows all give one kind."""
    chance = SURE
    if rows > 0:
        chance = chance * share(s1, kind) // SURE
    if rows > 1:
        chance = chance * share(s2, kind) // SURE
    if rows > 2:
        chance = chance * share(s3, kind) // SURE
    if rows > 3:
        chance = chance * share(s4, kind) // SURE
    return chance


@rule
def all_different(used: int, rows: int, d1: int, d2: int, d3: int, d4: int) -> int:
    """How likely the next rows give kinds that are all different and not used, or machines; the best way to try."""
    best = 0
    for a in range(KINDS):
        if (used >> a) & 1 == 1:
            continue
        pa = share(d1, a)
        if pa <= best:
            continue
        if rows == 1:
            best = pa
            continue
        ua = used | (1 << a) & 31
        for b in range(KINDS):
            if (ua >> b) & 1 == 1:
                continue
            pb = pa * share(d2, b) // SURE
            if pb <= best:
                continue
            if rows == 2:
                best = pb
                continue
            ub = ua | (1 << b) & 31
            for c in range(KINDS):
                if (ub >> c) & 1 == 1:
                    continue
                pc = pb * share(d3, c) // SURE
                if pc <= best:
                    continue
                if rows == 3:
                    best = pc
                    continue
                uc = ub | (1 << c) & 31
                for d in range(KINDS):
                    if (uc >> d) & 1 == 0:
                        best = max(best, pc * share(d4, d) // SURE)
    return best


@rule
def kinds_in(team: int) -> int:
    """The aliens of a team, as a set."""
    kinds = 0
    for kind in range(ALIENS):
        if (team >> (4 * kind)) & 15 > 0:
            kinds |= 1 << kind
    return kinds


@rule
def completion(
    team: int, rows: int, s1: int, s2: int, s3: int, s4: int, d1: int, d2: int, d3: int, d4: int
) -> int:  # fmt: skip
    """How likely a team that stands is completed by the next rows."""
    kinds = kinds_in(team)
    best = 0
    if team & SEVERAL == 0:
        best = all_different(kinds, rows, d1, d2, d3, d4)
    if kinds & (kinds - 1) == 0:
        for kind in range(ALIENS):
            if kinds == 0 or (kinds >> kind) & 1 == 1:
                best = max(best, same_kind(kind, rows, s1, s2, s3, s4))
    return best


@rule
def after(
    k: State, kind: int, s1: int, s2: int, s3: int, s4: int, d1: int, d2: int, d3: int, d4: int
) -> int:  # fmt: skip
    """The worth of the match once a card of this kind has been turned up."""
    team = k.team + (1 << (4 * kind))
    n = size(team)
    missing = k.seats - k.teams
    left = spare(k)
    if not stands(team):
        return prospect(k.seats, missing, left - n)
    if n == TEAM:
        return prospect(k.seats, missing - 1, left)
    chance = completion(team, TEAM - n, s1, s2, s3, s4, d1, d2, d3, d4)
    lost = max(n + 1, 3)
    fails = prospect(k.seats, missing, left - lost)
    return fails + (prospect(k.seats, missing - 1, left) - fails) * chance // SURE
