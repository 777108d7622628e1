"""What a search that sees every card knows of Silencio: rules that fill the hooks of `tacit.analysis.beam`."""

from __future__ import annotations

from tacit.core.bits import count, length, lowest
from tacit.core.record import Cells
from tacit.core.rulekit import rule
from tacit.games.silencio.model import (
    A_SEAT,
    A_SHRINE,
    A_SHRINE_LARGE,
    A_STUCK,
    ACTIONS,
    BEFORE,
    BLUE,
    BLUES,
    COLOUR,
    COLOURS,
    END,
    EXCHANGE,
    GREEN,
    GREENS,
    LARGE,
    LIGHT,
    PASSING,
    PUBLIC,
    RANKS,
    TURN,
    State,
)
from tacit.games.silencio.table import cards_left, fitting, owned, playable

# What a card left, a dead card and the cards that a seat must pass over are thought to cost, and shrines to be worth.
LEFT, DEAD, FORCED, STUCK = 20, 45, 40, 400
SEARCHED = -1  # in `stuck`: this turn began within the search
LIT = (4, 30, 4, 20, 30)  # red, blue, yellow, green, large


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
    """Cards left, cards that no longer fit, what the next turns must pass over, and the shrines still lit."""
    everyones = all_owned(s)
    fit = fitting(s)
    value = -LEFT * cards_left(s) - DEAD * count(everyones & ~fit)
    lit = s.lit
    while lit != 0:
        value += LIT[lowest(lit)]
        lit &= lit - 1
    bound = s.only_green
    if bound == 1 and everyones & fit & GREENS == 0:
        return value - STUCK
    for r in range(s.seats):
        q = (s.active + r) % s.seats
        mine = owned(s, q) & GREENS if bound == 1 else owned(s, q)
        cost = passed_over(s, mine, everyones)
        if cost >= 0:
            bound = 0
            value -= FORCED * cost * (8 - r) // 8
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
    return s.phase == PASSING or s.phase == TURN and s.stage == BEFORE and s.shrined == 0


@rule
def narrow(s: State, seat: int, mask: Cells) -> None:
    """Nobody needs the tavern (S23); and a trade (S18) of hidden cards is the same whichever of the two was chosen."""
    for action in range(A_STUCK, ACTIONS):
        mask[action >> 6] &= ~(1 << (action & 63))
    if s.phase == EXCHANGE and s.up[seat] == 0 and s.stuck == SEARCHED:
        for q in range(seat):
            if owned(s, q) != 0:
                mask[A_SEAT >> 6] &= ~(1 << ((A_SEAT & 63) + q))


@rule
def hurry(s: State, seat: int, mask: Cells) -> None:
    """Shrines and exchanges are for getting rid of cards that no longer fit; trades are left out."""
    dead = all_owned(s) & ~fitting(s)
    if s.phase == TURN or s.phase == END:
        stuck = s.only_green == 1 and all_owned(s) & playable(s) == 0
        for action in range(A_SHRINE, A_SHRINE_LARGE + COLOURS):
            colour = (action - A_SHRINE) % COLOURS
            if (dead == 0 and not stuck) or (colour != BLUE and colour != GREEN):
                mask[action >> 6] &= ~(1 << (action & 63))
    elif s.phase == LIGHT and s.effect == GREEN:
        for q in range(s.seats):
            if owned(s, q) & dead == 0 and s.forced == 0:
                mask[A_SEAT >> 6] &= ~(1 << ((A_SEAT & 63) + q))
    elif s.phase == EXCHANGE and s.oracle != 0:
        for q in range(s.seats):
            mask[A_SEAT >> 6] &= ~(1 << ((A_SEAT & 63) + q))


@rule
def forget(s: State) -> None:
    """Who knows what, what was said, what lies dark or is out of the game: nothing of it binds anybody."""
    for q in range(PUBLIC + 1):
        s.known[q] = 0
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
