"""Queries about a state of Silencio, and moves of cards with the marks of who knows them (S25)."""

from __future__ import annotations

from tacit.core.bits import count
from tacit.core.rulekit import rule
from tacit.games.silencio.model import *


# ------------------------------------------------------------------ queries
@rule
def row(s: State, colour: int) -> int:
    """One row as a set of places, 0 for rank 2 and so on; its `length` is the place that follows directly."""
    return (s.rows >> (colour * RANKS)) & COLOUR


@rule
def up_to(cards: int) -> int:
    """The cards of each colour up to its highest in a set: all ranks below are filled in, in steps of 1, 2, 4, 8."""
    cards |= (cards >> 1) & BELOW_1
    cards |= (cards >> 2) & BELOW_2
    cards |= (cards >> 4) & BELOW_4
    return cards | ((cards >> 8) & BELOW_8)


@rule
def up_to_last(s: State) -> int:
    """The cards of each colour up to the last of its row."""
    return up_to(s.rows)


@rule
def fitting(s: State) -> int:
    """S06: the cards that are higher than the last of their row."""
    return EVERY_CARD & ~up_to_last(s)


@rule
def playable(s: State) -> int:
    """S06, S17: the cards that can be played now, no matter who owns them."""
    if s.only_green == 1:
        return fitting(s) & GREENS
    return fitting(s)


@rule
def must_draw(s: State, seat: int) -> bool:
    """S16: must this seat draw? It needs a playable card, and a hidden one that chance can pick."""
    return s.duty == 1 and s.hand[seat] != 0 and playable(s) & owned(s, seat) != 0


@rule
def whole_deck(s: State) -> int:
    """S01: the cards used with this number of seats."""
    ranks = COLOUR >> (RANKS + 1 - TOP[s.seats])
    return ranks | ranks << RANKS | ranks << 2 * RANKS | ranks << 3 * RANKS


@rule
def face_up(s: State) -> int:
    return s.up[0] | s.up[1] | s.up[2] | s.up[3]


@rule
def owned(s: State, seat: int) -> int:
    """S15: face-up cards are their owner's hand cards too."""
    return s.hand[seat] | s.up[seat]


@rule
def decode_text(s: State, seat: int, code: int) -> int:
    """The decision that a text means (`notation.encode_text`); -1 if it means none now."""
    card, to = code & 63, code >> 6
    if s.phase != SEND or (s.oracle >> card) & 1 == 0 or to >= s.seats:
        return -1
    return A_SEND + 4 * count(s.oracle & ((1 << card) - 1)) + to


@rule
def cards_of(s: State, seat: int) -> int:
    """How many cards a seat owns; everybody can count them."""
    return s.hand_len[seat] + count(s.up[seat])


@rule
def cards_left(s: State) -> int:
    """S11: all cards owned, hidden and face up."""
    left = 0
    for seat in range(s.seats):
        left += cards_of(s, seat)
    return left


@rule
def row_ends(s: State) -> int:
    """S13: the last cards of the red, yellow and green rows."""
    cards = up_to_last(s)
    return cards & ~((cards >> 1) & BELOW_1) & ~BLUES


@rule
def may_exchange(s: State, seat: int) -> bool:
    """S18: can this seat make one of the three exchanges?"""
    return s.oracle != 0 or s.deck > 0 or cards_of(s, seat) > 0


@rule
def possible(s: State, seat: int, colour: int) -> bool:
    """S13, S15, S18, S20: can this colour's light effect do something for the seat now?"""
    if colour == BLUE:
        return row_ends(s) != 0
    if colour == YELLOW:
        return s.hand_len[seat] > 0
    return True  # red always; green too: while the match lasts, somebody owns a card and can trade it


@rule
def rescuing_takes(s: State) -> int:
    """S21: the row ends that a seat could take and then play; a card fits again where it lay."""
    return row_ends(s) & GREENS if s.only_green == 1 else row_ends(s)


@rule
def rescuing_exchanges(s: State, seat: int) -> int:
    """S21: the Oracle cards that a seat without a playable card could take and then play: it must lay another one."""
    return s.oracle & playable(s) if owned(s, seat) != 0 else 0


@rule
def rescues(s: State, seat: int, colour: int) -> bool:
    """S21: would this light effect, by the seat's own choices alone, give it a card to play?"""
    if colour == BLUE:
        return rescuing_takes(s) != 0
    return colour == GREEN and rescuing_exchanges(s, seat) != 0


@rule
def high_place(s: State) -> int:
    """S23: the place of the lowest rank above (top + 1) / 2."""
    return (TOP[s.seats] + 1) // 2 - 1


@rule
def high_cards(s: State, colour: int) -> int:
    """S23: the cards of a colour above (top + 1) / 2."""
    place = high_place(s)
    return ((COLOUR >> place) << place) << (colour * RANKS)


@rule
def tavern_open(s: State) -> bool:
    """S23: may statements be made?"""
    return s.tavern == 1 and s.darks >= 3


# ------------------------------------------------------------------ cards that move, and the marks on them (S25)
@rule
def leave(s: State, seat: int, card: int) -> None:
    """A card leaves a seat's cards in sight of all; marks on its other cards stay."""
    bit = 1 << card
    if s.up[seat] & bit:
        s.up[seat] &= ~bit
    else:
        s.hand[seat] &= ~bit
        s.hand_len[seat] -= 1
        for q in range(PUBLIC + 1):
            s.known[q] &= ~bit
        if s.holds[seat] & bit:
            s.holds[seat] &= ~EVERY_CARD  # it may have been the one
        if high_cards(s, card // RANKS) & bit:
            s.holds[seat] &= ~(1 << (CARDS + card // RANKS))
        if s.counted[seat] & bit:
            s.counted_of[seat] -= 1


@rule
def join_openly(s: State, seat: int, card: int) -> None:
    """A card joins a hidden hand in sight of all: all others know it."""
    bit = 1 << card
    s.hand[seat] |= bit
    s.hand_len[seat] += 1
    for q in range(PUBLIC + 1):
        if q != seat and (q < s.seats or q == PUBLIC):
            s.known[q] |= bit
    s.lacks[seat] &= ~bit
    if s.counted[seat] & bit:
        s.counted_of[seat] += 1


@rule
def hand_over(s: State, giver: int, receiver: int, card: int) -> None:
    """S05, S18, S25: one card goes from a seat's cards into another's hidden hand."""
    bit = 1 << card
    if s.up[giver] & bit:
        leave(s, giver, card)
        join_openly(s, receiver, card)
        return
    for q in range(PUBLIC + 1):
        if q != giver and q != receiver:
            s.known[q] &= ~s.hand[giver]  # it cannot know which card went
    # What both lack, the receiver still lacks; how many of some set each holds is not known any more.
    s.lacks[receiver] &= s.lacks[giver]
    s.holds[giver] = 0
    s.counted[giver] = 0
    s.counted[receiver] = 0
    s.counted_of[giver] = 0
    s.counted_of[receiver] = 0
    leave(s, giver, card)
    s.hand[receiver] |= bit
    s.hand_len[receiver] += 1
    s.known[giver] |= bit


# ------------------------------------------------------------------ what a decision proves to all (S09, S16, S21, S23)
@rule
def prove_holding(s: State, seat: int, cards: int, shown: int) -> None:
    """The seat can use one of these cards: a hidden one, unless one of those that are shown would do.

    This takes the place of what it could use before, since rows only grow; what it said stands beside it.
    """
    if cards & shown == 0:
        s.holds[seat] = (s.holds[seat] & ~EVERY_CARD) | cards


@rule
def prove_high(s: State, seat: int, colour: int) -> None:
    """S23: the seat has cards of the colour, all of them high; one of them is hidden, unless a face-up one is high."""
    high = high_cards(s, colour)
    s.lacks[seat] |= (COLOUR << (colour * RANKS)) & ~high
    if high & s.up[seat] == 0:
        s.holds[seat] |= 1 << (CARDS + colour)


@rule
def proved(s: State, seat: int) -> bool:
    """Do a seat's hidden cards agree with all that it has proved?"""
    mine = s.hand[seat]
    holds = s.holds[seat] & EVERY_CARD
    if mine & s.lacks[seat] != 0 or (holds != 0 and mine & holds == 0):
        return False
    for colour in range(COLOURS):
        if (s.holds[seat] >> (CARDS + colour)) & 1 and mine & high_cards(s, colour) == 0:
            return False
    return count(mine & s.counted[seat]) == s.counted_of[seat]
