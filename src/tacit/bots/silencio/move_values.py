"""The value of single moves for a seat, and the best of several.

A rating packs a value and a choice into one number (`rated`, `worth`, `choice`).
"""

from __future__ import annotations

from tacit.bots.silencio.evaluation import (
    BLIND,
    FREE,
    ONE,
    ONLY_GREEN,
    Belief,
    Position,
    highest_value,
    power,
    value,
    weight,
)
from tacit.bots.silencio.inference import LOWEST
from tacit.bots.silencio.weights import (
    AVOID,
    D_BLUE,
    D_GREEN,
    D_RED,
    D_YELLOW,
    DANGER,
    L_BLUE,
    L_GREEN,
    L_GREEN_DEAD,
    L_RED,
    L_YELLOW,
    OTHERS,
    TAKE,
)
from tacit.core.bits import count, length, lowest
from tacit.core.rulekit import rule
from tacit.games.silencio.board import (
    cards_left,
    cards_of,
    face_up,
    fitting,
    owned,
    playable,
    row,
    row_ends,
    up_to_last,
)
from tacit.games.silencio.model import BLUE, COLOUR, GREEN, RANKS, RED, SAID_AVOID, TOP, YELLOW, State

NEVER = -(1 << 40)  # lower than any value
NONE = (NEVER << 6) + 63  # the rating of nothing


@rule
def rated(v: int, choice: int) -> int:
    """A rating: a value and a choice below 64 in one number. Of equal values the lower choice has the higher rating."""
    return (v << 6) + 63 - choice


@rule
def worth(rating: int) -> int:
    """The value of a rating."""
    return rating >> 6


@rule
def choice(rating: int) -> int:
    """The choice of a rating."""
    return 63 - (rating & 63)


@rule
def floor_for(best: int, choice: int) -> int:
    """The value that a choice must exceed to be rated higher than `best`."""
    return (best - 63 + choice) >> 6


@rule
def no_green_probability(k: State, seat: int, rows: int, mine: int, g: Belief) -> int:
    """The probability that no seat can play a green card on these rows, as a share of ONE."""
    n = length((rows >> (GREEN * RANKS)) & COLOUR)
    above = ((COLOUR >> n) << n) << (GREEN * RANKS)
    certain = mine | face_up(k) & ~rows
    for q in range(k.seats):
        if q != seat:
            certain |= k.hand[q]
    if certain & above & ~rows != 0:
        return 0
    left = ONE
    for r in range(3):
        left = (left * power(ONE - g[3 + r], count(g[r] & above))) >> 10
    return left


@rule
def next_mode(k: State) -> int:
    """What the next seat may play after a turn that leaves the duty to draw pending (S16)."""
    return BLIND if k.duty == 1 and k.rules >= 2 else FREE


@rule
def play_value(k: State, seat: int, card: int, no_dark: int, g: Belief, floor: int) -> int:
    """The value of playing this card now if it is higher than `floor`, else any number that is not."""
    bit = 1 << card
    colour = card // RANKS
    rows = k.rows | bit
    follows = card % RANKS == length(row(k, colour))
    mine = owned(k, seat) & ~bit
    at = (rows, mine, face_up(k) & ~bit)
    as_own = owned(k, seat) & bit != 0 or k.rules == 1  # S07, S16
    mode = FREE if as_own else next_mode(k)
    extra = 0
    if not follows and k.said == SAID_AVOID + colour and k.said_by != seat:
        extra -= weight(k, AVOID)
    if follows:
        top_green = colour == GREEN and card % RANKS + 2 == TOP[k.seats]
        if not (as_own and mine == 0) and no_dark == 0 and not top_green:
            if colour == RED:
                extra -= weight(k, D_RED)
            elif colour == BLUE:
                if k.oracle != 0:
                    extra -= weight(k, D_BLUE)
            elif colour == YELLOW:
                mode = BLIND
                extra -= weight(k, D_YELLOW)
            else:
                mode = ONLY_GREEN
                extra -= weight(k, D_GREEN)
                stuck = no_green_probability(k, seat, rows, mine, g)
                extra -= stuck * (cards_left(k) - 1) * weight(k, DANGER) >> 10
    elif k.no_light == 0:
        if colour == RED:
            extra += weight(k, L_RED)
        elif colour == BLUE:
            now = value(k, seat, at, 0, 0, FREE, g, NEVER)
            enough = now + weight(k, TAKE)
            taken = best_take(k, seat, at, row_ends(k), g, enough)
            extra += max(0, (worth(taken) - enough) * weight(k, L_BLUE) >> 10)
            if mode == FREE:
                return extra + now
        elif colour == YELLOW:
            if k.hand_len[seat] > 1:
                extra += weight(k, L_YELLOW)
        else:
            extra += weight(k, L_GREEN)
            if mine & ~fitting(k) != 0:
                extra += weight(k, L_GREEN_DEAD)
    return extra + value(k, seat, at, 0, 0, mode, g, floor - extra)


@rule
def best_play(k: State, seat: int, cards: int, no_dark: int, g: Belief, floor: int) -> int:
    """The best of these cards to play, as a rating; if its value is not higher than `floor`, any rating that is not.

    Those that follow directly are valued first: mostly one of them is the best, so that others need not be valued.
    """
    best = rated(floor, 0)
    direct = direct_cards(k)
    while cards != 0:
        card = lowest(cards & direct if cards & direct != 0 else cards)
        cards &= ~(1 << card)
        best = max(best, rated(play_value(k, seat, card, no_dark, g, floor_for(best, card)), card))
    return best


@rule
def direct_cards(k: State) -> int:
    """The cards that follow directly: those that cause dark effects."""
    under = up_to_last(k)
    return (under << 1 | LOWEST) & ~under


@rule
def draw_value(k: State, seat: int, others: int, g: Belief) -> int:
    """The value of drawing: a card that fits is played, else the best of the own cards and `others` (S16)."""
    can = playable(k)
    free = worth(best_play(k, seat, can & owned(k, seat) | others, k.no_dark, g, NEVER))
    total = 0
    left = k.hand[seat]
    while left != 0:
        card = lowest(left)
        left &= left - 1
        total += play_value(k, seat, card, k.no_dark, g, NEVER) if (can >> card) & 1 == 1 else free
    return total // k.hand_len[seat]


@rule
def best_take(k: State, seat: int, at: Position, cards: int, g: Belief, floor: int) -> int:
    """The best of these row ends to take back, as a rating above `floor` or any that is not."""
    rows, mine, up = at
    best = rated(floor, 0)
    while cards != 0:
        card = lowest(cards)
        cards &= cards - 1
        after = (rows & ~(1 << card), mine | 1 << card, up)
        best = max(best, rated(value(k, seat, after, 0, 0, FREE, g, floor_for(best, card)), card))
    return best


@rule
def best_show(k: State, seat: int, cards: int, g: Belief, floor: int) -> int:
    """The best of these cards to lay face up, as a rating above `floor` or any that is not."""
    own, up = owned(k, seat), face_up(k)
    best = rated(floor, 0)
    most = highest_value(k, seat, (k.rows, own, up), g)
    while cards != 0:
        card = lowest(cards)
        cards &= cards - 1
        enough = floor_for(best, card)
        if most > enough:
            best = max(best, rated(value(k, seat, (k.rows, own, up | 1 << card), 0, 0, FREE, g, enough), card))
    return best


@rule
def best_gift(k: State, seat: int, mine: int, cards: int, to: int, g: Belief, floor: int) -> int:
    """The best of `cards` to give away from `mine`, to a seat, counted clockwise, or to the Oracle (0): as a rating
    above `floor` or any that is not. Lost cards are valued first."""
    up = face_up(k)
    best = rated(floor, 0)
    lost = up_to_last(k)
    most = highest_value(k, seat, (k.rows, mine, up), g)
    while cards != 0:
        card = lowest(cards & lost if cards & lost != 0 else cards)
        bit = 1 << card
        cards &= ~bit
        enough = floor_for(best, card)
        if most + (ONE if to == 0 and bit & lost != 0 else 0) > enough:  # the Oracle takes a lost card
            after = (k.rows, mine & ~bit, up & ~bit)
            best = max(best, rated(value(k, seat, after, bit if to > 0 else 0, to, FREE, g, enough), card))
    return best


@rule
def best_oracle_card(k: State, seat: int, cards: int, g: Belief, floor: int) -> int:
    """The best of these Oracle cards to take in an exchange, as a rating above `floor` or any that is not; the best
    card to return follows. To take a card and return it is the same with every card: only the first is valued so."""
    best = rated(floor, 0)
    first = cards & -cards
    own = owned(k, seat)
    most = highest_value(k, seat, (k.rows, own, face_up(k)), g)  # an exchange rids a seat of one lost card at most
    if most + (ONE if own & up_to_last(k) != 0 else 0) <= floor:
        return best
    while cards != 0:
        card = lowest(cards)
        cards &= cards - 1
        mine = own | 1 << card
        given = own | first & mine
        best = max(best, rated(worth(best_gift(k, seat, mine, given, 0, g, floor_for(best, card))), card))
    return best


@rule
def others_gain(k: State, seat: int, r: int, g: Belief) -> int:
    """The expected gain of an exchange by another seat, counted clockwise."""
    q = (seat + r) % k.seats
    fits = fitting(k)
    if (k.hand[q] | k.up[q]) & ~fits != 0:
        dead = ONE
    else:
        dead = min(ONE, g[2 + r] * count(g[r - 1] & ~fits))
    if k.oracle & fits == 0:
        return 0
    return weight(k, OTHERS) * dead >> 10


@rule
def best_exchanger(k: State, seat: int, now: int, g: Belief, floor: int) -> int:
    """The best seat, counted clockwise, for an exchange, rated by its gain: above `floor` or any that is not."""
    best = rated(floor, 0)
    for r in range(1, k.seats):
        if cards_of(k, (seat + r) % k.seats) > 0:
            best = max(best, rated(others_gain(k, seat, r, g), r))
    own = worth(best_oracle_card(k, seat, k.oracle, g, floor_for(best, 0) + now))
    return max(best, rated(own - now, 0))
