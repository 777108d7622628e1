"""Steady Silencio: passes over as few cards as it can, and keeps a cheap card for everyone."""

from __future__ import annotations

from tacit.bots.silencio.hearing import guess, span
from tacit.bots.silencio.outlook import *
from tacit.core.bits import count, length, lowest, marked, nth
from tacit.core.record import Cells
from tacit.core.rulekit import rule
from tacit.games.silencio.model import *
from tacit.games.silencio.table import cards_left, cards_of, face_up, fitting, owned, row, row_ends, tavern_open

NAME = "steady"
GAME = "silencio"
STYLE = "Plays the card that passes over the fewest others, and keeps a cheap card for the next."
ASSUMES = "Partners who play the card that passes over the fewest others."

NEVER = -(1 << 40)
W = (0,) * (3 * WEIGHTS)


@rule
def choose(k: State, seat: int, events: Cells, n: int, mask: Cells, rng: Cells) -> int:
    """The decision of a seat that knows k."""
    return decide(k, seat, events, n, mask, W)


@rule
def decide(k: State, seat: int, events: Cells, n: int, mask: Cells, w: Cells) -> int:
    g = guess(k, seat, events, n)
    if k.phase == CLAIM:
        return A_CLAIM
    if k.phase == TURN or k.phase == CHOOSE:
        return decide_turn(k, seat, mask, w, g)
    if k.phase == LIGHT:
        return decide_light(k, seat, mask, w, g)
    if k.phase == SEND:
        return decide_send(k, seat, mask, w, g)
    if k.phase == EXCHANGE:
        return decide_exchange(k, seat, mask, w, g)
    if k.phase == LAY:
        return decide_lay(k, seat, mask, w, g)
    if k.phase == END:
        return decide_end(k, seat, mask, w, g)
    to = 1
    if k.phase == TRADE:
        to = (k.partner - seat) % k.seats
    elif k.phase == RETURN:
        to = (k.chosen - seat) % k.seats
    return decide_give(k, seat, mask, w, to, g)


# ------------------------------------------------------------------ playing
@rule
def no_green(k: State, seat: int, rows: int, mine: int, g: Guess) -> int:
    """How likely it is that nobody could play a green card on these rows, as a share of ONE."""
    n = length((rows >> (GREEN * RANKS)) & COLOUR)
    above = ((COLOUR >> n) << n) << (GREEN * RANKS)
    certain = mine | face_up(k) & ~rows
    for q in range(k.seats):
        if q != seat:
            certain |= k.hand[q]
    if certain & above & ~rows != 0:
        return 0
    unseen = k.pool & above
    left = ONE
    for r in range(3):
        left = (left * power(ONE - g[3 + r], count(unseen & ~g[r]))) >> 10
    return left


@rule
def play_value(
    k: State,
    seat: int,
    w: Cells,
    card: int,
    no_dark: int,
    mine: int,
    g: Guess,
) -> int:
    """How good it is to play this card now."""
    at = (k.seats - 2) * WEIGHTS
    bit = 1 << card
    colour = card // RANKS
    rows = k.rows | bit
    follows = card % RANKS == length(row(k, colour))
    mine &= ~bit
    up = face_up(k) & ~bit
    mode = FREE
    extra = 0
    if not follows and k.said == SAID_AVOID + colour and k.said_by != seat:
        extra -= w[at + AVOID]
    if follows:
        top_green = colour == GREEN and card % RANKS + 2 == TOP[k.seats]
        if mine != 0 and no_dark == 0 and not top_green:
            if colour == RED:
                extra -= w[at + D_RED]
            elif colour == BLUE:
                if k.oracle != 0:
                    extra -= w[at + D_BLUE]
            elif colour == YELLOW:
                mode = BLIND
                extra -= w[at + D_YELLOW]
            else:
                mode = ONLY_GREEN
                extra -= w[at + D_GREEN]
                stuck = no_green(k, seat, rows, mine, g)
                extra -= stuck * (cards_left(k) - 1) * w[at + DANGER] >> 10
    elif k.no_light == 0:
        if colour == RED:
            extra += w[at + L_RED]
        elif colour == BLUE:
            now = value(k, seat, w, rows, mine, up, 0, 0, FREE, g)
            got = best_take(k, seat, w, rows, mine, up, row_ends(k), g)
            if got >= 0:
                taken = value(k, seat, w, rows & ~(1 << got), mine | 1 << got, up, 0, 0, FREE, g)
                extra += max(0, (taken - now - w[at + TAKE]) * w[at + L_BLUE] >> 10)
        elif colour == YELLOW:
            if k.hand_len[seat] > 1:
                extra += w[at + L_YELLOW]
        else:
            extra += w[at + L_GREEN]
            if mine & ~fitting(k) != 0:
                extra += w[at + L_GREEN_DEAD]
    return extra + value(k, seat, w, rows, mine, up, 0, 0, mode, g)


@rule
def best_play(
    k: State,
    seat: int,
    w: Cells,
    cards: int,
    no_dark: int,
    mine: int,
    g: Guess,
) -> int:
    """The best of these cards to play."""
    best = NEVER
    chosen = -1
    while cards != 0:
        card = lowest(cards)
        cards &= cards - 1
        v = play_value(k, seat, w, card, no_dark, mine, g)
        if v > best:
            best = v
            chosen = card
    return chosen


@rule
def decide_turn(k: State, seat: int, mask: Cells, w: Cells, g: Guess) -> int:
    at = (k.seats - 2) * WEIGHTS
    cards = mask[0] & ((1 << CARDS) - 1)
    mine = owned(k, seat)
    up = face_up(k)
    now = value(k, seat, w, k.rows, mine, up, 0, 0, FREE, g)
    card = best_play(k, seat, w, cards, k.no_dark, mine, g)
    v = NEVER
    if card >= 0:
        v = play_value(k, seat, w, card, k.no_dark, mine, g)
        shrine = lit_shrine(mask, RED)
        if shrine >= 0 and k.no_dark == 0:
            other = best_play(k, seat, w, cards, 1, mine, g)
            gain = play_value(k, seat, w, other, 1, mine, g) - v
            if gain > threshold(k, w, T_RED, shrine):
                return shrine
    if marked(mask, A_DRAW):
        return A_DRAW
    if marked(mask, A_PASS):
        if card >= 0 and v > now:
            return card
        if card < 0:
            shrine = lit_shrine(mask, GREEN)
            if shrine >= 0:
                gain = best_swap(k, seat, w, mine, g) - now
                if gain > w[at + RESCUE]:
                    return shrine
            shrine = lit_shrine(mask, BLUE)
            if shrine >= 0:
                got = best_take(k, seat, w, k.rows, mine, up, row_ends(k), g)
                taken = value(k, seat, w, k.rows & ~(1 << got), mine | 1 << got, up, 0, 0, FREE, g)
                if taken - now > w[at + RESCUE]:
                    return shrine
        return A_PASS
    return card


@rule
def lit_shrine(mask: Cells, colour: int) -> int:
    """The decision that takes a colour's light effect from a shrine, the small one if it can; -1 if none can."""
    if marked(mask, A_SHRINE + colour):
        return A_SHRINE + colour
    return A_SHRINE_LARGE + colour if marked(mask, A_SHRINE_LARGE + colour) else -1


@rule
def threshold(k: State, w: Cells, which: int, shrine: int) -> int:
    """What a shrine must bring: more while much is still to come, and more from the large one."""
    at = (k.seats - 2) * WEIGHTS
    out = w[at + which] + w[at + T_STAGE] * cards_left(k)
    if shrine >= A_SHRINE_LARGE:
        out += w[at + T_LARGE]
    return out


# ------------------------------------------------------------------ light effects
@rule
def best_take(
    k: State,
    seat: int,
    w: Cells,
    rows: int,
    mine: int,
    up: int,
    ends: int,
    g: Guess,
) -> int:
    """The row end that is best taken back; -1 if there is none."""
    best = NEVER
    chosen = -1
    while ends != 0:
        card = lowest(ends)
        ends &= ends - 1
        v = value(k, seat, w, rows & ~(1 << card), mine | 1 << card, up, 0, 0, FREE, g)
        if v > best:
            best = v
            chosen = card
    return chosen


@rule
def best_show(k: State, seat: int, w: Cells, cards: int, mine: int, up: int, g: Guess) -> int:
    """The card that is best laid face up."""
    best = NEVER
    chosen = -1
    while cards != 0:
        card = lowest(cards)
        cards &= cards - 1
        v = value(k, seat, w, k.rows, mine, up | 1 << card, 0, 0, FREE, g)
        if v > best:
            best = v
            chosen = card
    return chosen


@rule
def swap_value(k: State, seat: int, w: Cells, mine: int, cards: int, g: Guess) -> int:
    """How good it is to own `mine` and to lay the best of `cards` into the Oracle."""
    best = NEVER
    up = face_up(k)
    while cards != 0:
        bit = cards & -cards
        cards &= cards - 1
        v = value(k, seat, w, k.rows, mine & ~bit, up & ~bit, 0, 0, FREE, g)
        if v > best:
            best = v
    return best


@rule
def best_swap(k: State, seat: int, w: Cells, mine: int, g: Guess) -> int:
    """How good the best exchange with the Oracle is for this seat."""
    best = NEVER
    oracle = k.oracle + 0
    while oracle != 0:
        bit = oracle & -oracle
        oracle &= oracle - 1
        best = max(best, swap_value(k, seat, w, mine | bit, mine | bit, g))
    return best


@rule
def others_gain(k: State, seat: int, w: Cells, r: int, g: Guess) -> int:
    """What an exchange is likely to bring a seat, counted clockwise."""
    q = (seat + r) % k.seats
    fits = fitting(k)
    if (k.hand[q] | k.up[q]) & ~fits != 0:
        dead = ONE
    else:
        dead = min(ONE, g[2 + r] * count(k.pool & ~fits & ~g[r - 1]))
    if k.oracle & fits == 0:
        return 0
    return w[(k.seats - 2) * WEIGHTS + OTHERS] * dead >> 10


@rule
def best_chosen(k: State, seat: int, w: Cells, mask: Cells, now: int, g: Guess) -> int:
    """The seat, counted clockwise, that is best let to make an exchange."""
    best = best_swap(k, seat, w, owned(k, seat), g) - now
    chosen = 0
    for r in range(1, k.seats):
        gain = others_gain(k, seat, w, r, g)
        if gain > best and cards_of(k, (seat + r) % k.seats) > 0:
            best = gain
            chosen = r
    return chosen


@rule
def decide_light(k: State, seat: int, mask: Cells, w: Cells, g: Guess) -> int:
    at = (k.seats - 2) * WEIGHTS
    mine = owned(k, seat)
    up = face_up(k)
    cards = mask[0] & ((1 << CARDS) - 1)
    skip = marked(mask, A_SKIP)
    now = value(k, seat, w, k.rows, mine, up, 0, 0, FREE, g)
    if k.effect == RED:
        return A_USE
    if k.effect == BLUE:
        got = best_take(k, seat, w, k.rows, mine, up, cards, g)
        taken = value(k, seat, w, k.rows & ~(1 << got), mine | 1 << got, up, 0, 0, FREE, g)
        return A_SKIP if skip and taken - now <= w[at + TAKE] else got
    if k.effect == YELLOW:
        card = best_show(k, seat, w, cards, mine, up, g)
        shown = value(k, seat, w, k.rows, mine, up | 1 << card, 0, 0, FREE, g)
        return A_SKIP if skip and shown - now <= w[at + SHOW] else card
    if k.rescue == 1:
        return A_SEAT + seat
    q = (seat + best_chosen(k, seat, w, mask, now, g)) % k.seats
    if marked(mask, A_SEAT + q):
        return A_SEAT + q
    return A_SKIP if skip else A_SEAT + lowest(mask[1] & 15)


@rule
def decide_exchange(k: State, seat: int, mask: Cells, w: Cells, g: Guess) -> int:
    at = (k.seats - 2) * WEIGHTS
    mine = owned(k, seat)
    now = value(k, seat, w, k.rows, mine, face_up(k), 0, 0, FREE, g)
    cards = mask[0] & ((1 << CARDS) - 1)
    best = NEVER
    chosen = -1
    while cards != 0:
        card = lowest(cards)
        cards &= cards - 1
        bit = 1 << card
        v = swap_value(k, seat, w, mine | bit, mine | bit, g)
        if v > best:
            best = v
            chosen = card
    if marked(mask, A_RENEW) and (chosen < 0 or best - now < w[at + RENEW]):
        return A_RENEW
    if chosen >= 0:
        return chosen
    return A_SEAT + lowest(mask[1] & 15)


@rule
def decide_lay(k: State, seat: int, mask: Cells, w: Cells, g: Guess) -> int:
    mine = owned(k, seat)
    up = face_up(k)
    cards = mask[0] & ((1 << CARDS) - 1)
    best = NEVER
    chosen = -1
    while cards != 0:
        card = lowest(cards)
        cards &= cards - 1
        bit = 1 << card
        v = value(k, seat, w, k.rows, mine & ~bit, up & ~bit, 0, 0, FREE, g)
        if v > best:
            best = v
            chosen = card
    return chosen


# ------------------------------------------------------------------ giving
@rule
def decide_send(k: State, seat: int, mask: Cells, w: Cells, g: Guess) -> int:
    mine = owned(k, seat)
    up = face_up(k)
    best = NEVER
    chosen = -1
    for i in range(count(k.oracle)):
        for r in range(1, k.seats):
            v = value(k, seat, w, k.rows, mine, up, 1 << nth(k.oracle, i), r, FREE, g)
            if v > best:
                best = v
                chosen = A_SEND + 4 * i + (seat + r) % k.seats
    return chosen


@rule
def decide_give(k: State, seat: int, mask: Cells, w: Cells, to: int, g: Guess) -> int:
    at = (k.seats - 2) * WEIGHTS
    mine = owned(k, seat)
    up = face_up(k)
    cards = mask[0] & ((1 << CARDS) - 1)
    best = NEVER
    chosen = -1
    while cards != 0:
        card = lowest(cards)
        cards &= cards - 1
        bit = 1 << card
        v = value(k, seat, w, k.rows, mine & ~bit, up & ~bit, bit, to, FREE, g)
        if v > best:
            best = v
            chosen = card
    return chosen


# ------------------------------------------------------------------ the end of a turn
@rule
def decide_end(k: State, seat: int, mask: Cells, w: Cells, g: Guess) -> int:
    mine = owned(k, seat)
    up = face_up(k)
    now = value(k, seat, w, k.rows, mine, up, 0, 0, FREE, g)
    best = 0
    chosen = A_END
    shrine = lit_shrine(mask, BLUE)
    if shrine >= 0:
        got = best_take(k, seat, w, k.rows, mine, up, row_ends(k), g)
        gain = value(k, seat, w, k.rows & ~(1 << got), mine | 1 << got, up, 0, 0, FREE, g) - now
        gain -= threshold(k, w, T_BLUE, shrine)
        if gain > best:
            best = gain
            chosen = shrine
    shrine = lit_shrine(mask, GREEN)
    if shrine >= 0:
        r = best_chosen(k, seat, w, mask, now, g)
        if r == 0:
            gain = best_swap(k, seat, w, mine, g) - now
        else:
            gain = others_gain(k, seat, w, r, g)
        gain -= threshold(k, w, T_GREEN, shrine)
        if gain > best:
            best = gain
            chosen = shrine
    shrine = lit_shrine(mask, YELLOW)
    if shrine >= 0:
        card = best_show(k, seat, w, k.hand[seat], mine, up, g)
        gain = value(k, seat, w, k.rows, mine, up | 1 << card, 0, 0, FREE, g) - now
        gain -= threshold(k, w, T_YELLOW, shrine)
        if gain > best:
            best = gain
            chosen = shrine
    if chosen == A_END and tavern_open(k):
        return speak(k, mask)
    return chosen


@rule
def speak(k: State, mask: Cells) -> int:
    """What to say at the open tavern: in which colour its cards are all high, the one in which that tells most."""
    best = 0
    chosen = A_END
    for colour in range(COLOURS):
        n = length(row(k, colour))
        low = span(colour, n, (TOP[k.seats] + 1) // 2 - 1)
        if marked(mask, A_HIGH + colour) and count(k.pool & low) > best:
            best = count(k.pool & low)
            chosen = A_HIGH + colour
    return chosen
