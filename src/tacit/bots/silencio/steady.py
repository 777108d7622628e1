"""`steady` at Silencio: passes over as few cards as it can, and keeps a cheap card for everyone.

The convention in words that people can follow: docs/bots/silencio.md.
"""

from __future__ import annotations

from tacit.bots.silencio.evaluation import FREE, Belief, Position, value, weight
from tacit.bots.silencio.inference import belief, span
from tacit.bots.silencio.move_values import (
    NEVER,
    NONE,
    best_exchanger,
    best_gift,
    best_oracle_card,
    best_play,
    best_show,
    best_take,
    choice,
    direct_cards,
    draw_value,
    floor_for,
    next_mode,
    rated,
    worth,
)
from tacit.bots.silencio.weights import (
    D_BLUE,
    D_RED,
    RENEW,
    RESCUE,
    SHOW,
    T_BLUE,
    T_GREEN,
    T_LARGE,
    T_RED,
    T_STAGE,
    T_YELLOW,
    TAKE,
)
from tacit.core.bits import count, length, local_cells, lowest, marked, nth, only
from tacit.core.events import HEARS_DECISIONS
from tacit.core.rulekit import rule
from tacit.core.state_layout import Cells
from tacit.games.silencio.board import cards_left, face_up, owned, row, row_ends, tavern_open
from tacit.games.silencio.model import (
    A_CLAIM,
    A_DRAW,
    A_END,
    A_HIGH,
    A_PASS,
    A_RENEW,
    A_SEAT,
    A_SEND,
    A_SHRINE,
    A_SHRINE_LARGE,
    A_SKIP,
    A_USE,
    BLUE,
    BLUES,
    CARDS,
    CHOOSE,
    CLAIM,
    COLOURS,
    END,
    EXCHANGE,
    GREEN,
    LAY,
    LIGHT,
    RED,
    REDS,
    RETURN,
    SEND,
    TOP,
    TRADE,
    TURN,
    YELLOW,
    State,
)

NAME = "steady"
GAME = "silencio"
STYLE = "Plays the card that skips the fewest others, leaves the next seat a cheap one, and takes back a bad jump."
ASSUMES = "That everyone skips as few cards as they can."
HEARS = HEARS_DECISIONS

EVERY_CARD = (1 << CARDS) - 1


@rule
def at_once(mask: Cells, rng: Cells) -> int:
    """The only legal decision; -1 where there are several."""
    return only(mask)


@rule
def choose(k: State, seat: int, events: Cells, n: int, mask: Cells, rng: Cells) -> int:
    """The decision of a seat that knows k."""
    return choose_with(k, seat, events, n, mask, rng, local_cells())


@rule
def choose_with(k: State, seat: int, events: Cells, n: int, mask: Cells, rng: Cells, memory: Cells) -> int:
    """The decision; `memory` keeps what the events told it so far."""
    forced = only(mask)
    if forced >= 0:
        return forced
    if k.phase == CLAIM:
        return A_CLAIM
    if k.phase == LIGHT and k.effect == RED:
        return A_USE
    g = belief(k, seat, events, n, memory)
    if k.phase == TURN or k.phase == CHOOSE:
        return decide_turn(k, seat, mask, g)
    if k.phase == LIGHT:
        return decide_light(k, seat, mask, g)
    if k.phase == SEND:
        return decide_send(k, seat, g)
    if k.phase == EXCHANGE:
        return decide_exchange(k, seat, mask, g)
    if k.phase == END:
        return decide_end(k, seat, mask, g)
    # What remains is to give a card away: to the left before the first turn, to a seat in a trade, or to the Oracle.
    to = 1
    if k.phase == LAY:
        to = 0
    elif k.phase == TRADE:
        to = (k.partner - seat) % k.seats
    elif k.phase == RETURN:
        to = (k.chosen - seat) % k.seats
    return choice(best_gift(k, seat, owned(k, seat), mask[0] & EVERY_CARD, to, g, NEVER))


@rule
def position(k: State, seat: int) -> Position:
    """The position as it is."""
    return k.rows, owned(k, seat), face_up(k)


# ------------------------------------------------------------------ a turn
@rule
def decide_turn(k: State, seat: int, mask: Cells, g: Belief) -> int:
    """The best card; before it the red shrine if that avoids a bad dark effect; without a card, a shrine or a pass."""
    cards = mask[0] & EVERY_CARD
    if marked(mask, A_DRAW):
        return decide_draw(k, seat, cards, g)
    best = NONE
    if cards != 0:
        best = best_play(k, seat, cards, k.no_dark, g, NEVER)
        shrine = lit_shrine(mask, RED)
        if shrine >= 0 and k.no_dark == 0:
            price = threshold(k, T_RED, shrine)
            enough = worth(best) + price
            if worth(best_play(k, seat, gaining_without_dark(k, cards, price), 1, g, enough)) > enough:
                return shrine
    if not marked(mask, A_PASS):
        return choice(best)
    now = value(k, seat, position(k, seat), 0, 0, next_mode(k), g, NEVER)
    if cards != 0:
        return choice(best) if worth(best) > now else A_PASS
    return decide_stuck(k, seat, mask, now, g)


@rule
def gaining_without_dark(k: State, cards: int, least: int) -> int:
    """Of these cards, those that may gain more than `least` without dark effects; others are worth what they were."""
    if least < 0:
        return cards
    cards &= direct_cards(k)
    if weight(k, D_RED) <= least:
        cards &= ~REDS
    return cards & ~BLUES if weight(k, D_BLUE) <= least else cards


@rule
def decide_draw(k: State, seat: int, others: int, g: Belief) -> int:
    """Draw, unless one of the others' face-up cards has a higher value than a draw."""
    if others == 0:
        return A_DRAW
    best = best_play(k, seat, others, k.no_dark, g, NEVER)
    return choice(best) if worth(best) > draw_value(k, seat, others, g) else A_DRAW


@rule
def decide_stuck(k: State, seat: int, mask: Cells, now: int, g: Belief) -> int:
    """No card can be played: use a shrine that gives one if the gain is large enough, else pass."""
    enough = weight(k, RESCUE) + now
    shrine = lit_shrine(mask, GREEN)
    if shrine >= 0 and worth(best_oracle_card(k, seat, k.oracle, g, enough)) > enough:
        return shrine
    shrine = lit_shrine(mask, BLUE)
    if shrine >= 0 and worth(best_take(k, seat, position(k, seat), row_ends(k), g, enough)) > enough:
        return shrine
    return A_PASS


@rule
def decide_end(k: State, seat: int, mask: Cells, g: Belief) -> int:
    """The shrine with the largest gain above its threshold; else something to say; else the end of the turn."""
    at = position(k, seat)
    now = value(k, seat, at, 0, 0, FREE, g, NEVER)
    best = 0
    chosen = A_END
    shrine = lit_shrine(mask, BLUE)
    if shrine >= 0:
        price = now + threshold(k, T_BLUE, shrine)
        gain = worth(best_take(k, seat, at, row_ends(k), g, best + price)) - price
        if gain > best:
            best = gain
            chosen = shrine
    shrine = lit_shrine(mask, GREEN)
    if shrine >= 0:
        price = threshold(k, T_GREEN, shrine)
        gain = worth(best_exchanger(k, seat, now, g, best + price)) - price
        if gain > best:
            best = gain
            chosen = shrine
    shrine = lit_shrine(mask, YELLOW)
    if shrine >= 0:
        price = now + threshold(k, T_YELLOW, shrine)
        gain = worth(best_show(k, seat, k.hand[seat], g, best + price)) - price
        if gain > best:
            best = gain
            chosen = shrine
    if chosen == A_END and tavern_open(k):
        return speak(k, mask)
    return chosen


@rule
def speak(k: State, mask: Cells) -> int:
    """What to say at the open tavern: the colour in which all own cards are high and that excludes most low cards."""
    best = 0
    chosen = A_END
    for colour in range(COLOURS):
        n = length(row(k, colour))
        low = span(colour, n, (TOP[k.seats] + 1) // 2 - 1)
        if marked(mask, A_HIGH + colour) and count(k.pool & low) > best:
            best = count(k.pool & low)
            chosen = A_HIGH + colour
    return chosen


@rule
def lit_shrine(mask: Cells, colour: int) -> int:
    """The decision that uses a colour's light effect from a shrine, preferably the small one; -1 if none can."""
    if marked(mask, A_SHRINE + colour):
        return A_SHRINE + colour
    return A_SHRINE_LARGE + colour if marked(mask, A_SHRINE_LARGE + colour) else -1


@rule
def threshold(k: State, which: int, shrine: int) -> int:
    """The minimum gain for using a shrine: higher early in the match and for the large one."""
    out = weight(k, which) + weight(k, T_STAGE) * cards_left(k)
    if shrine >= A_SHRINE_LARGE:
        out += weight(k, T_LARGE)
    return out


# ------------------------------------------------------------------ effects
@rule
def decide_light(k: State, seat: int, mask: Cells, g: Belief) -> int:
    """How to use a light effect but red's; skipped if its gain is too small and skipping is allowed."""
    at = position(k, seat)
    cards = mask[0] & EVERY_CARD
    skip = marked(mask, A_SKIP)
    now = NEVER
    if skip or (k.effect == GREEN and k.rescue == 0):
        now = value(k, seat, at, 0, 0, FREE, g, NEVER)
    if k.effect == BLUE:
        enough = now + weight(k, TAKE) if skip else NEVER
        taken = best_take(k, seat, at, cards, g, enough)
        return choice(taken) if worth(taken) > enough else A_SKIP
    if k.effect == YELLOW:
        enough = now + weight(k, SHOW) if skip else NEVER
        shown = best_show(k, seat, cards, g, enough)
        return choice(shown) if worth(shown) > enough else A_SKIP
    q = seat if k.rescue == 1 else (seat + choice(best_exchanger(k, seat, now, g, NEVER))) % k.seats
    if marked(mask, A_SEAT + q):
        return A_SEAT + q
    return A_SKIP if skip else A_SEAT + lowest(mask[1] & 15)


@rule
def decide_send(k: State, seat: int, g: Belief) -> int:
    """Which Oracle card to send to which seat."""
    at = position(k, seat)
    best = NONE
    for i in range(count(k.oracle)):
        for r in range(1, k.seats):
            floor = floor_for(best, 4 * i + r)
            best = max(best, rated(value(k, seat, at, 1 << nth(k.oracle, i), r, FREE, g, floor), 4 * i + r))
    return A_SEND + choice(best) // 4 * 4 + (seat + choice(best) % 4) % k.seats


@rule
def decide_exchange(k: State, seat: int, mask: Cells, g: Belief) -> int:
    """The best exchange with the Oracle; a new Oracle if the gain is too small. It never asks for a trade."""
    best = best_oracle_card(k, seat, mask[0] & EVERY_CARD, g, NEVER)
    # A card taken and returned brings nothing, so that no exchange brings less.
    if marked(mask, A_RENEW) and (best == NONE or weight(k, RENEW) > 0):
        now = value(k, seat, position(k, seat), 0, 0, FREE, g, NEVER)
        if worth(best) - now < weight(k, RENEW):
            return A_RENEW
    return choice(best) if best != NONE else A_SEAT + lowest(mask[1] & 15)
