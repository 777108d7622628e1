"""Queries about a state of Zombie City, and moves of cards and zombies."""

from __future__ import annotations

from tacit.core.bits import count, length, lowest
from tacit.core.rulekit import inlined, rule
from tacit.games.zombie_city.model import *


# ------------------------------------------------------------------ sets of cards
@rule
def kind_of(card: int) -> int:
    """The kind in whose field a bit lies."""
    return count(FIRSTS & ((2 << card) - 1)) - 1


@rule
def back_of(card: int) -> int:
    """The kind of zombie in whose field a bit lies."""
    return count(BACK_FIRSTS & ((2 << card) - 1)) - 1


@rule
def has(cards: int, kind: int) -> bool:
    return (cards >> BASE[kind]) & 1 == 1


@rule
def with_card(cards: int, kind: int) -> int:
    """The set with one more card of a kind."""
    return cards | ((cards & FIELD[kind]) << 1) | (1 << BASE[kind])


@rule
def without_card(cards: int, kind: int) -> int:
    """The set with one card of a kind less."""
    here = cards & FIELD[kind]
    return cards ^ here ^ ((here >> 1) & FIELD[kind])


@rule
def with_all(cards: int, more: int) -> int:
    """Two sets put together."""
    while more != 0:
        field = FIELD_OF[lowest(more)]
        cards |= (cards & field) << 1 | field & -field
        more &= more - 1
    return cards


@rule
def without_all(cards: int, less: int) -> int:
    """A set less another that it contains."""
    while less != 0:
        field = FIELD_OF[lowest(less)]
        here = cards & field
        cards ^= here ^ ((here >> 1) & field)
        less &= less - 1
    return cards


@rule
def without_back(backs: int, zombie: int) -> int:
    """The backs with one of a kind less."""
    here = backs & BACK_FIELD[zombie]
    return backs ^ here ^ ((here >> 1) & BACK_FIELD[zombie])


# ------------------------------------------------------------------ crowds
@rule
def number(crowd: int, zombie: int) -> int:
    """The number of zombies of a kind in a crowd."""
    return (crowd >> (8 * zombie)) & 255


@rule
def size(crowd: int) -> int:
    """The number of zombies in a crowd (regular, fast and strong)."""
    return (crowd & 255) + ((crowd >> 8) & 255) + ((crowd >> 16) & 255)


@rule
def holds(crowd: int, part: int) -> bool:
    """Does a crowd contain `part`? (Counts are below 128, so a borrow clears the top bit of a byte.)"""
    return ((crowd | 0x808080) - part) & 0x808080 == 0x808080


@rule
def kinds_in(crowd: int) -> int:
    """The kinds of zombies in a crowd, as a set."""
    kinds = 1 if crowd & 255 else 0
    if crowd & (255 << 8):
        kinds |= 2
    if crowd & (255 << 16):
        kinds |= 4
    return kinds


# ------------------------------------------------------------------ seats
@rule
def others(s: State, seat: int) -> int:
    """Z12: the living other seats, as a set."""
    return s.living & ~(1 << seat)


@rule
def left_of(s: State, seat: int) -> int:
    """The nearest living seat on the left."""
    above = s.living >> (seat + 1)
    return seat + 1 + lowest(above) if above != 0 else lowest(s.living)


@rule
def right_of(s: State, seat: int) -> int:
    """The nearest living seat on the right."""
    under = s.living & ((1 << seat) - 1)
    return length(under if under != 0 else s.living) - 1


# ------------------------------------------------------------------ the City deck
@rule
def survivor_on_top(s: State) -> bool:
    """Z09: can a survivor be taken?"""
    return s.city > 0 and s.shows == NOTHING


@rule
def final_attack(s: State) -> bool:
    """Z20: no survivor shows on the City deck and none lies below."""
    return s.city == 0 or (s.city == 1 and s.shows != NOTHING)


@rule
def no_zombie(s: State) -> bool:
    """Z21: does no shelter hold one?"""
    for seat in range(s.seats):
        if s.zombies[seat] != 0:
            return False
    return True


@rule
def cleared(s: State) -> bool:
    """Z21: at the end of a turn: is no zombie left, or was the one that shows on the City deck left alone for a round?

    In version 1 the one on the City deck does not count.
    """
    if s.quiet == 0:
        return False
    return s.rules == 1 or s.shows == NOTHING or s.quiet >= count(s.living)


@rule
def unstopped(s: State) -> int:
    """Z16, Z17: attackers neither killed nor stopped."""
    return max(size(s.attackers) - s.stopped, 0)


# ------------------------------------------------------------------ what a card can do (Z07)
@rule
def plays(s: State, seat: int) -> int:
    """Z07–Z11, Z15: what cards that name no seat could do now, as a word of the mask."""
    found = LAYING | weapon_plays(s, seat)
    if s.expert:
        found |= NOISES
    if survivor_on_top(s):
        found |= RESCUES
    if s.people[seat] > 0 and s.zombies[seat] != 0:
        found |= 1 << A_SACRIFICE
    return found


@rule
def weapon_plays(s: State, seat: int) -> int:
    """Z08: what weapons could kill now, as a word of the mask."""
    crowd = s.zombies[seat]
    kinds = kinds_in(crowd)
    shots = kinds >> STRONG  # the shotgun's first way: one strong
    if number(crowd, REGULAR) + number(crowd, FAST) == 1:
        shots |= (kinds & 3) << 1
    for way in range(3, 6):
        if holds(crowd, SHOTS[way]):
            shots |= 1 << way
    found = (kinds & 3) << A_AXE | (kinds & 3) << A_REVOLVER | shots << A_SHOTGUN | kinds << A_SNIPER
    return found | 1 << A_SNIPE_CITY if s.shows != NOTHING else found


@rule
def scheme_plays(s: State, seat: int) -> int:
    """Z11, Z12: the seats that schemes could be played against now, as a word of the mask."""
    barred, haunted, rich = 0, 0, 0
    for q in range(s.seats):
        barred |= (1 if s.barriers[q] != 0 else 0) << q
        haunted |= (1 if s.zombies[q] != 0 else 0) << q
        rich |= (1 if s.people[q] >= 2 else 0) << q
    targets = others(s, seat)
    swapped = barred | haunted  # an eviction does something if either of the two has a barrier or a zombie
    if (swapped >> seat) & 1:
        swapped = targets
    kinds = kinds_in(s.zombies[seat])
    sent = (targets if kinds & 1 else 0) | (targets << 6 if kinds & 2 else 0) | (targets << 12 if kinds & 4 else 0)
    found = targets & barred | (targets & rich) << (A_BRIBERY - 64) | (targets & swapped) << (A_EVICTION - 64)
    return found | sent << (A_DRONE - 64) | sent << (A_SURPRISE - 64)


# ------------------------------------------------------------------ moves
@inlined
def leave_hand(s: State, seat: int, kind: int) -> None:
    """A card leaves a hand, seen by all. If it may be old or new, nobody can tell any longer which hand has which."""
    if s.kept[seat] > 0:
        if s.kept[seat] == s.hand_len[seat] or not new_left(s, kind):
            s.old = without_card(s.old, kind)
            s.olds[seat] = without_card(s.olds[seat], kind)
            s.kept[seat] -= 1
        elif has(s.old, kind):
            forget_old(s)
    s.hand[seat] = without_card(s.hand[seat], kind)
    s.hand_len[seat] -= 1


@rule
def new_left(s: State, kind: int) -> bool:
    """Z19: is a card of this kind, of those that came out of the renewed deck or are still in it, not seen again?"""
    seen = count(s.discard & FIELD[kind]) + count(s.old & FIELD[kind])
    for q in range(s.seats):
        seen += count(s.barriers[q] & FIELD[kind])
    return seen < COPIES[kind]


@rule
def remember_old(s: State) -> None:
    """Z19: the discards become the deck: all hands are old."""
    s.old = 0
    for q in range(s.seats):
        s.old = with_all(s.old, s.hand[q])
        s.olds[q] = s.hand[q]
        s.kept[q] = s.hand_len[q]


@rule
def forget_old(s: State) -> None:
    s.old = 0
    for q in range(s.seats):
        s.olds[q] = 0
        s.kept[q] = 0


@rule
def use_up(s: State, seat: int, kind: int) -> None:
    """A barrier goes from a shelter to the discards."""
    s.barriers[seat] = without_card(s.barriers[seat], kind)
    s.discard = with_card(s.discard, kind)


@rule
def throw_hand(s: State, seat: int) -> None:
    """A whole hand goes to the discards; if it is part old and part new, all see it, but not which is which."""
    if s.kept[seat] == s.hand_len[seat]:
        s.old = without_all(s.old, s.olds[seat])
        s.olds[seat] = 0
        s.kept[seat] = 0
    elif s.kept[seat] > 0:
        forget_old(s)
    s.discard = with_all(s.discard, s.hand[seat])
    s.hand[seat] = 0
    s.hand_len[seat] = 0


@rule
def throw_barriers(s: State, seat: int) -> None:
    """All barriers of a shelter go to the discards, without effect."""
    s.discard = with_all(s.discard, s.barriers[seat])
    s.barriers[seat] = 0


@rule
def deal(s: State, seat: int, kind: int) -> None:
    """A card of the resource deck comes into a hand."""
    s.pool = without_card(s.pool, kind)
    s.deck -= 1
    s.hand[seat] = with_card(s.hand[seat], kind)
    s.hand_len[seat] += 1


@rule
def kill(s: State, seat: int, part: int) -> None:
    """Zombies in a shelter leave the game."""
    s.zombies[seat] -= part
    s.dead += part


@rule
def move_zombie(s: State, giver: int, receiver: int, zombie: int) -> None:
    s.zombies[giver] -= 1 << (8 * zombie)
    s.zombies[receiver] += 1 << (8 * zombie)


@rule
def come_down(s: State, seat: int) -> None:
    """The zombie that shows on the City deck goes to a shelter; the card below is not turned."""
    s.zombies[seat] += 1 << (8 * s.shows)
    s.shows = NOTHING
    s.city -= 1
