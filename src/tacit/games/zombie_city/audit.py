"""Checks that no card of Zombie City is lost or doubled."""

from __future__ import annotations

from tacit.core.bits import count
from tacit.core.rulekit import rule
from tacit.games.zombie_city.board import *
from tacit.games.zombie_city.model import *


@rule
def audit(s: State) -> int:
    """0 if every card of both decks is in exactly one place and every count is right."""
    if audit_resources(s) != 0:
        return audit_resources(s)
    people = s.lost
    crowd = s.row + s.dead
    for seat in range(s.seats):
        people += s.people[seat]
        crowd += s.zombies[seat]
        if s.people[seat] < 0 or s.zombies[seat] >> 24 != 0:
            return 4
    turned = size(crowd) + number(crowd, HORDE) + s.aside
    if s.city < 0 or s.city + people + turned != count(EVERY_BACK):
        return 5
    if s.shows != NOTHING:
        crowd += 1 << (8 * s.shows)
    if s.aside:
        crowd += ONE_HORDE
    for zombie in range(4):
        if count(s.backs & BACK_FIELD[zombie]) + number(crowd, zombie) != BACKS[zombie]:
            return 6
    unturned = s.city if s.shows == NOTHING else s.city - 1
    if unturned > count(s.backs) or not holds(s.zombies[s.active], s.attackers):
        return 7
    return 0


@rule
def audit_resources(s: State) -> int:
    """0 if every resource card is in exactly one place, and equal cards lie at the bottom of their fields."""
    if count(s.pool) != s.deck:
        return 1
    loose = gaps(s.pool) | gaps(s.discard)
    for seat in range(s.seats):
        loose |= gaps(s.hand[seat]) | gaps(s.barriers[seat])
        if count(s.hand[seat]) != s.hand_len[seat] or s.hand_len[seat] > HAND:
            return 1
    if loose != 0:
        return 2
    if not olds_are_right(s):
        return 8
    for kind in range(KINDS):
        n = count(s.pool & FIELD[kind]) + count(s.discard & FIELD[kind])
        for seat in range(s.seats):
            n += count(s.hand[seat] & FIELD[kind]) + count(s.barriers[seat] & FIELD[kind])
        if n != COPIES[kind]:
            return 3
    return 0


@rule
def olds_are_right(s: State) -> bool:
    """Does each hand hold its old cards, and are they all that are old?"""
    old = 0
    for seat in range(s.seats):
        old = with_all(old, s.olds[seat])
        if s.olds[seat] & ~s.hand[seat] != 0 or count(s.olds[seat]) != s.kept[seat]:
            return False
    return old == s.old


@rule
def gaps(cards: int) -> int:
    """The bits of a set that no lower bit of their field supports."""
    return cards & ~FIRSTS & ~(cards << 1)
