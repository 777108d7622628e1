"""Queries about a state of Silver & Gold, and moves of cards."""

from __future__ import annotations

from tacit.core.bits import SIGN, count, lowest
from tacit.core.rulekit import rule
from tacit.games.silver_and_gold.deck import SIZES
from tacit.games.silver_and_gold.model import *
from tacit.games.silver_and_gold.shapes import FITS, MOST_PLACES, PLACES


# ------------------------------------------------------------------ cells
@rule
def free_now(s: State, seat: int, slot: int) -> int:
    """The cells of a seat's card that it has not crossed off, this turn included."""
    return s.free[seat, slot] & ~s.pending[seat, slot]


@rule
def can_cross(s: State, seat: int) -> bool:
    """Has the seat a free cell on either card?"""
    return (free_now(s, seat, 0) | free_now(s, seat, 1)) != 0


@rule
def fitting(shape: int, free: int) -> int:
    """G07: the set of the shape's places that lie wholly on these free cells."""
    row = 64 * shape
    return (
        FITS[row + (free & 15)]
        & FITS[row + 16 + ((free >> 4) & 15)]
        & FITS[row + 32 + ((free >> 8) & 15)]
        & FITS[row + 48 + (free >> 12)]
    )


@rule
def crossing(shape: int, action: int) -> int:
    """The cells that a decision of CROSS_OFF crosses off on its card."""
    choice = action & (A_SLOT - 1)
    return 1 << choice if choice < A_MARK else PLACES[MOST_PLACES * shape + choice - A_MARK]


@rule
def crossings_on(shape: int, free: int) -> int:
    """G07: the single cells and the places of the shape on these free cells of a card, as a word of the mask."""
    places = fitting(shape, free)
    word = free | ((places & 0x7FFFFFFFFFFF) << A_MARK)
    return word | SIGN if (places >> 47) != 0 else word


@rule
def choices(s: State, seat: int, slot: int) -> int:
    """G07, G08: what a seat that is not done may decide on one of its cards, as a word of the mask."""
    free = free_now(s, seat, slot)
    return free if s.bonus[seat] > 0 else crossings_on(s.shape, free)


# ------------------------------------------------------------------ texts (see `notation.encode_text`)
@rule
def decode_text(s: State, seat: int, code: int) -> int:
    """The decision that a text means; -1 if it means none now."""
    kind, card, more = code & 3, (code >> 2) & 63, code >> 8
    if kind == KEEP_TEXT:
        hand = s.hand[seat]
        if s.phase != KEEP or (hand >> card) & (hand >> more) & 1 == 0:
            return -1
        low, high = count(hand & ((1 << card) - 1)), count(hand & ((1 << more) - 1))
        return low * (5 - low) // 2 + high - 1
    if s.phase != CROSS_OFF or (kind == BONUS_TEXT) != (s.bonus[seat] > 0):
        return -1
    slot = 0 if s.card[seat, 0] == card else 1
    if s.card[seat, slot] != card:
        return -1
    if kind != MARK_TEXT:
        return A_SLOT * slot + more
    for place in range(MOST_PLACES):
        if PLACES[MOST_PLACES * s.shape + place] == more:
            return A_SLOT * slot + A_MARK + place
    return -1


# ------------------------------------------------------------------ the sheet
@rule
def palm_worth(s: State) -> int:
    """G09: what a palm scores now."""
    return worth_beside(s.display)


@rule
def worth_beside(cards: int) -> int:
    """G09: what a palm scores beside a display: 1 and the palms on its cards."""
    worth = 1
    while cards != 0:
        worth += count(PALMS[lowest(cards)])
        cards &= cards - 1
    return worth


@rule
def coins_now(s: State, seat: int) -> int:
    """G09: the coin fields filled, with this turn's crossings; beyond twelve a coin is lost."""
    coins = s.coins[seat]
    for slot in range(KEPT):
        if s.pending[seat, slot] != 0:
            coins += count(s.pending[seat, slot] & COINS[s.card[seat, slot]])
    return min(coins, COIN_FIELDS)


@rule
def palms_now(s: State, seat: int) -> int:
    """G09: the palm fields filled, with this turn's crossings; there are four."""
    palms = s.palms[seat]
    for slot in range(KEPT):
        if s.pending[seat, slot] != 0:
            palms += count(s.pending[seat, slot] & PALMS[s.card[seat, slot]])
    return min(palms, PALM_FIELDS)


# ------------------------------------------------------------------ points (G12)
@rule
def trophy_points(s: State, seat: int) -> int:
    return s.trophies[seat, 0] + s.trophies[seat, 1] + s.trophies[seat, 2]


@rule
def palm_points(s: State, seat: int) -> int:
    return s.palm[seat, 0] + s.palm[seat, 1] + s.palm[seat, 2] + s.palm[seat, 3]


@rule
def card_points(cards: int) -> int:
    """The values of completed cards."""
    points = 0
    for colour in range(COLOURS):
        points += SIZES[colour] * count(cards & COLOUR_CARDS[colour])
    return points


@rule
def seal_points(cards: int) -> int:
    """Each seal on a completed card counts for every completed card of its colour."""
    points = 0
    left = cards
    while left != 0:
        card = lowest(left)
        if SEALS[card] >= 0:
            points += SEAL_WORTH[card] * count(cards & COLOUR_CARDS[SEALS[card]])
        left &= left - 1
    return points


@rule
def points(s: State, seat: int) -> int:
    """A seat's points so far: unfinished cards give nothing."""
    done = s.completed[seat]
    return s.coins[seat] + trophy_points(s, seat) + palm_points(s, seat) + card_points(done) + seal_points(done)


# ------------------------------------------------------------------ moving cards
@rule
def leave_pool(s: State, card: int) -> None:
    """A card leaves the deck."""
    s.pool &= ~(1 << card)
    s.left -= 1


@rule
def lay_before(s: State, seat: int, card: int) -> None:
    """A seat gets a card, in its first empty slot."""
    slot = 0 if s.card[seat, 0] < 0 else 1
    s.card[seat, slot] = card
    s.free[seat, slot] = ISLANDS[card]
