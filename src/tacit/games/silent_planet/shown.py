"""What a seat is told of a state of Silent Planet, decided as numbers; `words.py` and `view.py` make words of them."""

from __future__ import annotations

from tacit.core.clockwise import seat_after
from tacit.core.rulekit import rule
from tacit.games.silent_planet.board import *
from tacit.games.silent_planet.model import *
from tacit.games.silent_planet.rules import due

# What is told, in the order of the words for it (words.py).
(
    ASK_WON, ASK_LOST, ASK_DEAL, ASK_START, ASK_OTHERS_ROWS, ASK_READY, ASK_BEGIN, ASK_PLACE,
    ASK_REVEAL, ASK_OWNER, ASK_OTHER, ASK_YOU, ASK_WAIT,
) = range(13)  # fmt: skip
LOOK_BEGIN, LOOK_LAST, LOOK_SAME, LOOK_AGAIN, LOOK_PLURALITY = range(1, 6)
THEN_UP, THEN_ROUND, THEN_MOST = range(1, 4)
UNFIT_AGAIN, UNFIT_OTHER = range(1, 3)
CLOSED_HINT, CLOSED_GONE = range(1, 3)
SILENT_NOW, SILENT_TWO, SILENT_OWNER = range(1, 4)


@rule
def asked(k: State, seat: int) -> int:
    """Whose decision it is and about what, for `ask`: four bits for the code, a row plus one, a round, cards and a
    position.
    """
    if k.phase == OVER:
        return ASK_WON if k.teams == k.seats else ASK_LOST
    if k.phase != POINT:
        return ASK_DEAL if k.phase == DEAL else ASK_START if k.phase == START else asked_to_arrange(k, seat)
    if seat == k.turn:
        return ASK_OWNER | k.round << 8
    about = (k.turn + 1) << 4 | k.round << 8
    if seat < 0:
        return ASK_OTHER | about
    if (due(k) >> seat) & 1:
        return ASK_YOU | about
    return ASK_WAIT | about | (pointer(k.pointers, seat) + 1) << 16


@rule
def asked_to_arrange(k: State, seat: int) -> int:
    """P03, P04: what a seat does while rows are made."""
    if seat < 0:
        return ASK_OTHERS_ROWS
    if (k.ready >> seat) & 1:
        return ASK_READY
    if k.row[seat] == 0:
        return ASK_BEGIN
    if k.hand[seat] != 0:
        return ASK_PLACE | size(k.hand[seat]) << 12 | (laid(k.row[seat]) + 1) << 16
    return ASK_REVEAL


@rule
def outlooked(k: State) -> int:
    """P07: what the pointers of this round come to so far, for `outlook`: three bits for the code, then its number; 0
    while no row is in question.
    """
    if k.phase != POINT:
        return 0
    at = -1
    differ = False
    for q in range(k.seats):
        if (k.pointed >> q) & 1:
            place = pointer(k.pointers, q)
            differ = differ or (at >= 0 and place != at)
            at = place
    if at < 0:
        return LOOK_BEGIN if k.round < ROUNDS else LOOK_LAST
    if not differ:
        return LOOK_SAME | (at + 1) << 3
    if k.round < ROUNDS:
        return LOOK_AGAIN | (k.round + 1) << 3
    return LOOK_PLURALITY | seat_after(k.turn, 1, k.seats) << 3


@rule
def if_pointed(k: State, seat: int, place: int) -> int:
    """P07: what pointing there would bring, for the one whose pointer ends the round; for `then`: two bits for the
    code, then its number.
    """
    pointers = with_pointer(k.pointers, seat, place)
    if agreed(k, pointers):
        return THEN_UP | (place + 1) << 2
    return THEN_ROUND | (k.round + 1) << 2 if k.round < ROUNDS else THEN_MOST | (chosen(k, pointers) + 1) << 2


@rule
def why_unfit(team: int, kind: int) -> int:
    """P08: why a card of this kind would break the team; 0 if it fits."""
    if stands(team + (1 << (4 * kind))):
        return 0
    return UNFIT_AGAIN if number_of(team, kind) != 0 else UNFIT_OTHER


@rule
def why_closed(k: State, place: int) -> int:
    """P04, P07: why a place of the row in question that does not lie face down cannot be pointed at."""
    return CLOSED_HINT if (places_of(k.hints, k.turn) >> place) & 1 else CLOSED_GONE


@rule
def why_silent(k: State) -> int:
    """P11: why a seat that is not among those who may signal may give no signal now."""
    if k.phase != POINT:
        return SILENT_NOW
    return SILENT_TWO if k.seats == 2 else SILENT_OWNER
