"""What a seat is told of a state of Silencio, decided as numbers; `words.py` and `view.py` make words of them."""

from __future__ import annotations

from tacit.core.bits import length
from tacit.core.rulekit import rule
from tacit.games.silencio.board import *
from tacit.games.silencio.model import *

# What a seat is asked, or hears of another's question, in the order of QUESTIONS (words.py); the last by colour.
(Q_OVER, Q_CHANCE, Q_CLAIM_YOU, Q_CLAIM_OTHER, Q_CHOOSE, Q_TURN, Q_DRAW, Q_DRAW_OTHERS, Q_STUCK, Q_OTHERS, Q_PASSING,
 Q_SEND, Q_EXCHANGE, Q_GIVE, Q_RETURN, Q_LAY, Q_TAVERN, Q_END, Q_SHRINE, Q_LIGHT) = range(20)  # fmt: skip


@rule
def question(k: State, seat: int) -> int:
    """What a seat is asked, or hears of another's question, as a number; `ask` has the words."""
    if k.phase == OVER:
        return Q_OVER
    if k.phase == CLAIM:
        return Q_CLAIM_YOU if seat >= 0 else Q_CLAIM_OTHER
    code, drawn, to = Q_CHANCE, 0, 0
    if k.phase == LIGHT:
        code = Q_LIGHT + k.effect
    elif k.phase == CHOOSE or (k.phase == TURN and k.drawn > 0):
        code, drawn = Q_CHOOSE, k.drawn
    elif k.phase == TURN:
        code = _turn_question(k, seat) if seat == k.decider else Q_TURN
    elif k.phase == END:
        code = Q_TAVERN if k.stage == PASSED else Q_END if k.tavern == 1 else Q_SHRINE
    elif k.phase == PASSING:
        code, to = Q_PASSING, (k.decider + 1) % k.seats + 1
    elif k.phase == SEND:
        code = Q_SEND
    elif k.phase == EXCHANGE:
        code = Q_EXCHANGE
    elif k.phase == TRADE:
        code, to = Q_GIVE, k.partner + 1
    elif k.phase == RETURN:
        code, to = Q_RETURN, k.chosen + 1
    elif k.phase == LAY:
        code = Q_LAY
    if code == Q_CHANCE:
        return Q_CHANCE
    who = 0 if seat == k.decider else k.decider + 1
    return code | who << 5 | drawn << 8 | to << 14


@rule
def _turn_question(k: State, seat: int) -> int:
    own = playable(k) & owned(k, seat)
    others = playable(k) & face_up(k) & ~own
    if must_draw(k, seat):
        return Q_DRAW_OTHERS if others != 0 and k.rules >= 2 else Q_DRAW
    if own != 0:
        return Q_TURN
    if others == 0:
        return Q_STUCK
    return Q_TURN if k.shrined == 1 else Q_OTHERS


@rule
def dark_end(k: State, colour: int) -> int:
    """The dark card that still lies at the end of a row, plus 1; 0 if there is none."""
    here = row(k, colour)
    last = colour * RANKS + length(here) - 1
    if here == 0 or (k.dark >> last) & 1 == 0:
        return 0
    taken = (k.known[PUBLIC] | face_up(k)) >> (last + 1) & 1  # the card itself may have been taken back from the row
    return 0 if taken == 1 and (last + 1) % RANKS != 0 else last + 1


# ------------------------------------------------------------------ what a card would do, or why it cannot be played
NOT_GREEN = -1  # instead of the card that keeps another out of its row: only green ones can be played


@rule
def fits_nowhere(k: State, number: int) -> int:
    """S06, S17: what keeps a card that cannot be played out of its row: the row's last card, or NOT_GREEN."""
    if k.only_green == 1 and (GREENS >> number) & 1 == 0:
        return NOT_GREEN
    return number // RANKS * RANKS + length(row(k, number // RANKS)) - 1


# What playing a card would bring, in the order of EFFECTS (words.py): light and dark effects by colour, then others.
E_DARK = COLOURS
E_SKIPPED, E_NOTHING, E_LAST, E_TOP_GREEN = range(2 * COLOURS, 2 * COLOURS + 4)


@rule
def landing(k: State, seat: int, number: int) -> int:
    """How a playable card would lie now, 1 light or 2 dark, and 4 times the number of what it would bring (EFFECTS)."""
    colour = number // RANKS
    if number % RANKS != length(row(k, colour)):
        effect = colour
        if k.no_light == 1:
            effect = E_SKIPPED
        elif (colour == YELLOW and k.hand_len[seat] - ((k.hand[seat] >> number) & 1) == 0) or (
            colour == BLUE and row_ends(k) == 0
        ):
            effect = E_NOTHING
        return 1 + 4 * effect
    own = (owned(k, seat) >> number) & 1
    effect = E_DARK + colour
    if cards_of(k, seat) == own and (own == 1 or k.rules == 1):
        effect = E_LAST
    elif k.no_dark == 1:
        effect = E_SKIPPED
    elif colour == GREEN and number % RANKS + 2 == TOP[k.seats]:
        effect = E_TOP_GREEN
    elif colour == BLUE and k.oracle == 0:
        effect = E_NOTHING
    return 2 + 4 * effect
