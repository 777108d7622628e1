"""Silencio with open cards: the rules that guide the solver (the hooks of `tacit.analysis.beam`)."""

from __future__ import annotations

from tacit.core.bits import count, length
from tacit.core.rulekit import rule
from tacit.core.state_layout import Cells
from tacit.games.silencio.board import cards_left, fitting, owned, row
from tacit.games.silencio.model import (
    A_SEAT,
    A_SHRINE,
    A_SHRINE_LARGE,
    A_STUCK,
    ACTIONS,
    BEFORE,
    BLUE,
    BLUES,
    CARDS,
    COLOUR,
    COLOURS,
    END,
    EXCHANGE,
    GREEN,
    GREENS,
    LARGE,
    LAY,
    LIGHT,
    PASSING,
    PUBLIC,
    RANKS,
    TURN,
    YELLOW,
    State,
)

CARDS_MASK = (1 << CARDS) - 1
SEARCHED = -1  # in `stuck`: this turn began within the search
# What positions are judged by, found by trial on deals of their own: a card left; one that no longer fits; a blue one
# that must follow directly (S14); nobody with a green card where one is due (S17); the cards that a seat must pass over
# in its next turn, by how far that is; the shrines still lit, in the order of the colours and the large one.
LEFT, DEAD, DIRECT_BLUE, STUCK = 20, 65, 8, 400
FORCED = (48, 16, 23, 14)
LIT = (1, 17, 8, 6, 42)


@rule
def all_owned(s: State) -> int:
    """The cards of all seats."""
    cards = 0
    for seat in range(s.seats):
        cards |= owned(s, seat)
    return cards


@rule
def passed_over(s: State, mine: int, everyones: int) -> int:
    """The fewest cards of anybody that playing one of `mine` leaves behind; -1 if none of them fits."""
    least = -1
    for colour in range(COLOURS):
        first = colour * RANKS
        n = length((s.rows >> first) & COLOUR)
        fit = ((mine >> first) & COLOUR) >> n
        if fit != 0:
            below = ((everyones >> first) & COLOUR) >> n & ((fit & -fit) - 1)
            if least < 0 or count(below) < least:
                least = count(below)
    return least


@rule
def outlook(s: State, out: Cells) -> int:
    """How good a position between two turns is; 0 for no cards and no shrines."""
    everyones = all_owned(s)
    fit = fitting(s)
    live = everyones & fit
    value = -LEFT * cards_left(s) - DEAD * count(everyones & ~fit)
    for shrine in range(LARGE + 1):
        value += LIT[shrine] * ((s.lit >> shrine) & 1)
    next_blue = 1 << length(row(s, BLUE))  # one place beyond the last blue card
    blues = (live >> (BLUE * RANKS)) & COLOUR
    value -= DIRECT_BLUE * count(blues & (blues << 1 | next_blue))
    bound = s.only_green
    if bound == 1 and live & GREENS == 0:
        return value - STUCK
    for r in range(s.seats):
        q = (s.active + r) % s.seats
        cost = passed_over(s, owned(s, q) & GREENS if bound == 1 else owned(s, q), everyones)
        if cost >= 0:
            bound = 0
            value -= FORCED[r] * cost
    return value


@rule
def ceiling(s: State) -> int:
    """S11: cards below the end of their row stay, where no blue effect can lower a row and too few green ones come.

    An exchange (S18) rids all hands of at most one such card; each needs a green card played or a shrine.
    """
    fit = fitting(s)
    somewhere = (all_owned(s) | s.oracle | s.pool) & fit
    if somewhere & BLUES != 0 or s.lit & (1 << BLUE | 1 << LARGE) != 0:
        return 0
    exchanges = count(somewhere & GREENS) + ((s.lit >> GREEN) & 1)
    return -max(0, count(all_owned(s) & ~fit) - exchanges)


@rule
def turn_over(s: State) -> bool:
    """A turn begins, or a card has been passed on (S05)."""
    return s.phase == PASSING or (s.phase == TURN and s.stage == BEFORE and s.shrined == 0)


@rule
def without(mask: Cells, first: int, n: int) -> None:
    """Take n decisions out of a mask, from `first` on."""
    for action in range(first, first + n):
        mask[action >> 6] &= ~(1 << (action & 63))


@rule
def narrow(s: State, seat: int, mask: Cells) -> None:
    """Leave out the tavern (S23), and one of the two equal ways to trade hidden cards (S18)."""
    without(mask, A_STUCK, ACTIONS - A_STUCK)
    if s.phase == EXCHANGE and s.up[seat] == 0 and s.stuck == SEARCHED:
        for q in range(seat):
            if owned(s, q) != 0:
                without(mask, A_SEAT + q, 1)


@rule
def cheap(s: State, cards: int, everyones: int) -> int:
    """Of these cards those that leave behind at most one more of anybody's than they must."""
    least = passed_over(s, cards, everyones)
    kept = 0
    while cards != 0:
        bit = cards & -cards
        cards &= cards - 1
        if passed_over(s, bit, everyones) <= least + 1:
            kept |= bit
    return kept


@rule
def hurry(s: State, seat: int, mask: Cells) -> None:
    """Shrines, row ends and exchanges only for cards that no longer fit; no trades, and no plays that cost much."""
    everyones = all_owned(s)
    fit = fitting(s)
    dead = everyones & ~fit
    cards = mask[0] & CARDS_MASK
    if s.phase == TURN or s.phase == END:
        if s.phase == TURN:
            mask[0] &= ~CARDS_MASK | cheap(s, cards, everyones)
        free = s.phase == TURN and passed_over(s, cards, everyones) == 0
        idle = s.phase == TURN and cards == 0  # a shrine may be the only way to play
        for colour in range(COLOURS):
            if not idle and (free or dead == 0 or (colour != BLUE and colour != GREEN)):
                without(mask, A_SHRINE + colour, 1)
                without(mask, A_SHRINE_LARGE + colour, 1)
    elif s.phase == LIGHT and s.effect == BLUE:
        useful = 0
        for colour in range(COLOURS):
            if dead & (COLOUR << (colour * RANKS)) != 0:
                useful |= cards & (COLOUR << (colour * RANKS))
        if useful != 0 or s.forced == 0:
            mask[0] &= ~CARDS_MASK | useful
    elif s.phase == LIGHT and s.effect == GREEN and s.forced == 0:
        for q in range(s.seats):
            if owned(s, q) & dead == 0:
                without(mask, A_SEAT + q, 1)
    elif s.phase == LIGHT and s.effect == YELLOW and s.forced == 0:
        useful = 0
        while cards != 0:
            bit = cards & -cards
            cards &= cards - 1
            if passed_over(s, bit, everyones) == 0:
                useful |= bit
        mask[0] &= ~CARDS_MASK | useful
    elif s.phase == EXCHANGE and s.oracle & fit != 0:
        mask[0] &= ~CARDS_MASK | fit
        without(mask, A_SEAT, s.seats)
    elif s.phase == LAY and cards & dead != 0:
        mask[0] &= ~CARDS_MASK | dead


@rule
def forget(s: State) -> None:
    """Who knows what, what was said or proved, what lies dark or is out of the game: nothing of it binds anybody."""
    for q in range(PUBLIC + 1):
        s.known[q] = 0
    for q in range(s.seats):
        s.lacks[q] = 0
        s.holds[q] = 0
        s.counted[q] = 0
        s.counted_of[q] = 0
    s.said = 0
    s.said_by = 0
    s.dark = 0
    s.gone = 0
    if turn_over(s):
        s.stuck = SEARCHED
    if s.phase == TURN:
        s.starter = 0
        s.effect = 0
        s.partner = 0
        s.chosen = 0
