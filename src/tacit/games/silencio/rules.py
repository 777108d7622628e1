"""The rules of Silencio, S01–S23, in the order of play.

Beside it: `model.py` (the pieces), `effects.py` (what played cards and shrines do, S12–S20), `board.py` (queries and
moves of cards), `knowledge.py` (who knows what, S24–S25).
"""

from __future__ import annotations

from tacit.core.bits import count, length, lowest, mark, nth
from tacit.core.chance import FRESH, below
from tacit.core.clockwise import seat_after
from tacit.core.random_play import CHANCE
from tacit.core.rulekit import rule
from tacit.core.state_layout import Cells
from tacit.games.silencio.board import *
from tacit.games.silencio.effects import *
from tacit.games.silencio.model import *


# ------------------------------------------------------------------ the contract
@rule
def start(s: State) -> None:
    """S01–S03: the deck for this number of seats; all shrines are lit, except those of the option `unlit`."""
    s.pool = whole_deck(s)
    s.deck = count(s.pool)
    s.lit = 31
    if s.unlit == UNLIT_LARGE or s.unlit == UNLIT_ALL:
        s.lit &= 15
    if s.unlit == UNLIT_SMALL or s.unlit == UNLIT_ALL:
        s.lit &= 16
    s.starter = -1
    s.phase = DEAL


@rule
def due(s: State) -> int:
    """The seats that may decide now, as a set; CHANCE; 0 when the match is over."""
    if s.phase == OVER:
        return 0
    if s.phase == DEAL or s.phase == ORACLE or s.phase == DRAW:
        return CHANCE
    if s.phase == CLAIM:
        return (1 << s.seats) - 1
    return 1 << s.decider


@rule
def chance(s: State, weights: Cells) -> int:
    """S03, S14, S16, S18: a card of the deck, or one of the drawing seat's hidden cards; all are equally likely."""
    cards = drawn_from(s)
    for c in range(CARDS):
        weights[c] = (cards >> c) & 1
    return count(cards)


@rule
def roll(s: State, rng: Cells, weights: Cells) -> int:
    """Draw as `chance` says, without writing the weights."""
    return nth(drawn_from(s), below(rng, count(drawn_from(s))))


@rule
def drawn_from(s: State) -> int:
    return s.hand[s.active] if s.phase == DRAW else s.pool


@rule
def pool(s: State) -> int:
    """Where chance draws from: the one deck, or a hand, which has no order."""
    return FRESH if s.phase == DRAW else 0


@rule
def legal(s: State, seat: int, mask: Cells) -> None:
    """Mark the legal decisions of a due seat."""
    if s.phase == CLAIM:
        mark(mask, A_CLAIM)
    elif seat != s.decider or s.phase == DEAL or s.phase == ORACLE or s.phase == DRAW or s.phase == OVER:
        return
    elif s.phase == TURN:
        legal_turn(s, seat, mask)
    elif s.phase == CHOOSE:
        mask[0] |= playable(s) & (owned(s, seat) | face_up(s))
    elif s.phase == LIGHT:
        legal_light(s, seat, mask)
    elif s.phase == SEND:
        legal_send(s, seat, mask)
    elif s.phase == EXCHANGE:
        legal_exchange(s, seat, mask)
    elif s.phase == LAY:
        legal_lay(s, seat, mask)
    elif s.phase == END:
        legal_end(s, seat, mask)
    else:  # PASSING, TRADE, RETURN
        mask[0] |= owned(s, seat)


@rule
def step(s: State, who: int, action: int) -> None:
    """Apply a decision or an outcome."""
    if s.phase == DEAL:
        step_deal(s, action)
    elif s.phase == ORACLE:
        step_oracle(s, action)
    elif s.phase == CLAIM:
        step_claim(s, who)
    elif s.phase == PASSING:
        step_passing(s, who, action)
    elif s.phase == TURN:
        step_turn(s, who, action)
    elif s.phase == DRAW:
        step_draw(s, action)
    elif s.phase == CHOOSE:
        play(s, who, action)
    elif s.phase == LIGHT:
        step_light(s, who, action)
    elif s.phase == SEND:
        step_send(s, action)
    elif s.phase == EXCHANGE:
        step_exchange(s, who, action)
    elif s.phase == TRADE:
        step_trade(s, who, action)
    elif s.phase == RETURN:
        step_return(s, who, action)
    elif s.phase == LAY:
        step_lay(s, who, action)
    elif s.phase == END:
        step_end(s, who, action)


# ------------------------------------------------------------------ before the first turn (S03–S05)
@rule
def step_deal(s: State, card: int) -> None:
    """S03: seat 0's whole hand, then seat 1's, …; then one Oracle card a seat."""
    s.pool &= ~(1 << card)
    s.deck -= 1
    s.hand[s.decider] |= 1 << card
    s.hand_len[s.decider] += 1
    if s.hand_len[s.decider] == HAND[s.seats]:
        s.decider += 1
        if s.decider == s.seats:
            s.decider = 0
            s.turning = s.seats
            s.phase = ORACLE


@rule
def step_oracle(s: State, card: int) -> None:
    """S03, S14, S18: an Oracle card is turned up; after the last one the match goes on."""
    s.pool &= ~(1 << card)
    s.deck -= 1
    s.oracle |= 1 << card
    s.turning -= 1
    if s.starter < 0:
        if s.turning == 0:
            s.phase = CLAIM
    else:
        go_on(s)


@rule
def step_claim(s: State, seat: int) -> None:
    """S04: the first seat to claim begins."""
    s.starter = seat
    s.active = seat
    s.decider = seat
    s.phase = PASSING


@rule
def step_passing(s: State, seat: int, card: int) -> None:
    """S05: each passes one card to its left, beginning with the starting player; then turns begin."""
    left = seat_after(seat, 1, s.seats)
    hand_over(s, seat, left, card)
    s.decider = left
    if left == s.starter:
        s.phase = TURN


# ------------------------------------------------------------------ a turn (S06–S10, S16)
@rule
def legal_turn(s: State, seat: int, mask: Cells) -> None:
    """S06, S08, S09, S16, S21: play, draw or pass; this is the start window too: shrine and tavern."""
    can = playable(s)
    own = can & owned(s, seat)
    reach = own | can & face_up(s)
    if must_draw(s, seat):
        mark(mask, A_DRAW)
        if s.rules >= 2:
            mask[0] |= reach & ~own
    else:
        mask[0] |= reach
    if own == 0 and (reach == 0 or s.shrined == 0):
        mark(mask, A_PASS)
    if s.shrined == 0:
        for colour in range(COLOURS):
            if possible(s, seat, colour) if reach != 0 else rescues(s, seat, colour):
                legal_shrines(s, colour, mask)
    legal_tavern(s, seat, mask)


@rule
def step_turn(s: State, seat: int, action: int) -> None:
    if action < CARDS:
        play(s, seat, action)
    elif action == A_DRAW:
        prove_holding(s, seat, playable(s), s.up[seat])
        s.phase = DRAW
    elif action == A_PASS:
        s.lacks[seat] |= playable(s)
        step_pass(s)
    elif action >= A_STUCK:
        say(s, seat, action)
    else:
        s.passes = 0  # S10
        s.drawn = 0
        s.rescue = 1 if playable(s) & (owned(s, seat) | face_up(s)) == 0 else 0
        if not rescues(s, seat, (action - A_SHRINE) % COLOURS):
            prove_holding(s, seat, playable(s), face_up(s))
        take_shrine(s, seat, action)


@rule
def step_draw(s: State, card: int) -> None:
    """S16: the drawn card is played if it can be. If not, all have seen it, and the seat takes a normal turn.

    In version 1 the start window is not open again: the seat only chooses a card.
    """
    s.duty = 0
    if playable(s) & (1 << card):
        play(s, s.active, card)
    else:
        leave(s, s.active, card)
        join_openly(s, s.active, card)
        s.drawn = card + 1
        s.phase = TURN if s.rules >= 2 else CHOOSE


@rule
def step_pass(s: State) -> None:
    """S09, S10: the pass that makes as many in a row as there are seats ends the match."""
    s.passes += 1
    s.stage = PASSED
    if s.passes == s.seats:
        s.phase = OVER
    else:
        end_window(s)


@rule
def play(s: State, seat: int, card: int) -> None:
    """S06, S07, S10, S12, S16, S19: a card goes into its row, dark if it follows directly, and creates its effect.

    Another seat's face-up card leaves the duty to draw pending and is never the seat's last card (version 1: it counts
    as an own card).
    """
    colour = card // RANKS
    follows = card % RANKS == length(row(s, colour))
    owner = seat
    for q in range(s.seats):
        if s.up[q] & (1 << card):
            owner = q
    if s.rules == 1 and s.duty == 1 and owner != seat:
        s.lacks[seat] |= playable(s)  # or it would have had to draw
    leave(s, owner, card)
    s.rows |= 1 << card
    if follows:
        s.dark |= 1 << card
    no_dark = s.no_dark
    no_light = s.no_light
    s.no_dark = 0
    s.no_light = 0
    as_own = owner == seat or s.rules == 1
    if as_own:
        s.duty = 0
    if colour == GREEN:
        s.only_green = 0
    s.passes = 0
    s.stage = PLAYED
    if cards_left(s) == 0:
        s.phase = OVER
    elif follows:
        top_green = colour == GREEN and card % RANKS + 2 == TOP[s.seats]
        if (as_own and cards_of(s, seat) == 0) or no_dark == 1 or top_green:
            go_on(s)
        else:
            dark_effect(s, colour)
    elif no_light == 1:
        go_on(s)
    else:
        light_effect(s, seat, colour, 0)


@rule
def legal_end(s: State, seat: int, mask: Cells) -> None:
    """S08, S21, S23: in the end window shrine and tavern are offered; no shrine where the seat passed."""
    if s.stage == PLAYED and s.shrined == 0:
        for colour in range(COLOURS):
            if possible(s, seat, colour):
                legal_shrines(s, colour, mask)
    legal_tavern(s, seat, mask)
    mark(mask, A_END)


@rule
def step_end(s: State, seat: int, action: int) -> None:
    if action == A_END:
        next_turn(s)
    elif action >= A_STUCK:
        say(s, seat, action)
    else:
        take_shrine(s, seat, action)


# ------------------------------------------------------------------ shrines and tavern (S20–S23)
@rule
def legal_shrines(s: State, colour: int, mask: Cells) -> None:
    """S20: the shrines that give a colour's light effect: its small one, and the large one."""
    if s.lit & (1 << colour):
        mark(mask, A_SHRINE + colour)
    if s.lit & (1 << LARGE):
        mark(mask, A_SHRINE_LARGE + colour)


@rule
def take_shrine(s: State, seat: int, action: int) -> None:
    """S20: the shrine goes out and gives its light effect; the large one gives that of the chosen colour."""
    s.shrined = 1
    if action >= A_SHRINE_LARGE:
        s.lit &= ~(1 << LARGE)
        light_effect(s, seat, action - A_SHRINE_LARGE, 1)
    else:
        s.lit &= ~(1 << (action - A_SHRINE))
        light_effect(s, seat, action - A_SHRINE, 1)


@rule
def legal_tavern(s: State, seat: int, mask: Cells) -> None:
    """S23: the statements that the seat may make at the open tavern."""
    if not tavern_open(s):
        return
    mark(mask, A_STUCK)
    high = high_place(s)
    for colour in range(COLOURS):
        mine = (owned(s, seat) >> (colour * RANKS)) & COLOUR
        if mine != 0 and lowest(mine) >= high:
            mark(mask, A_HIGH + colour)
        mark(mask, A_AVOID + colour)


@rule
def say(s: State, seat: int, action: int) -> None:
    """S23: one statement; then the tavern closes and the count starts at 0."""
    s.darks = 0
    s.said_by = seat
    s.stuck = 0
    if action == A_STUCK:
        s.said = SAID_STUCK
        s.counted[seat] = whole_deck(s) & ~fitting(s)
        s.counted_of[seat] = count(s.hand[seat] & s.counted[seat])
        s.stuck = s.counted_of[seat] + count(s.up[seat] & s.counted[seat])
    elif action >= A_AVOID:
        s.said = SAID_AVOID + action - A_AVOID
    else:
        colour = action - A_HIGH
        s.said = SAID_HIGH + colour
        prove_high(s, seat, colour)
    if s.phase == END:
        end_window(s)


# ------------------------------------------------------------------ the end
@rule
def score(s: State, out: Cells) -> None:
    """S11: the cards left, as a loss that all seats share."""
    for seat in range(s.seats):
        out[seat] = -cards_left(s)


@rule
def audit(s: State) -> int:
    """0 if every card of the deck is in exactly one place, every count is right and no hand belies what it proved."""
    total = whole_deck(s)
    union = s.pool | s.rows | s.oracle | s.gone
    n = count(s.pool) + count(s.rows) + count(s.oracle) + count(s.gone)
    hidden = 0
    for seat in range(s.seats):
        union |= s.hand[seat] | s.up[seat]
        hidden |= s.hand[seat]
        n += count(s.hand[seat]) + count(s.up[seat])
        if count(s.hand[seat]) != s.hand_len[seat] or s.known[seat] & s.hand[seat] != 0:
            return 1
        if not proved(s, seat):
            return 4
    if union != total or n != count(total) or count(s.pool) != s.deck or s.dark & ~s.rows != 0:
        return 2
    for q in range(PUBLIC + 1):
        if s.known[q] & ~hidden != 0:
            return 3
    return 0
