"""The effects of Silencio, S12–S20: what played cards and shrines do, and how the turn goes on after them."""

from __future__ import annotations

from tacit.core.bits import count, mark, nth
from tacit.core.clockwise import seat_after
from tacit.core.rulekit import rule
from tacit.core.state_layout import Cells
from tacit.games.silencio.board import *
from tacit.games.silencio.model import *


# ------------------------------------------------------------------ dark and light effects (S12–S17, S19, S20)
@rule
def dark_effect(s: State, colour: int) -> None:
    """S12, S14, S16, S17, S19: a dark effect counts even if it can do nothing."""
    if s.darks < 3:
        s.darks += s.tavern
    if colour == RED:
        s.no_light = 1
    elif colour == YELLOW:
        s.duty = 1
    elif colour == GREEN:
        s.only_green = 1
    elif s.oracle != 0:
        s.phase = SEND
        return
    go_on(s)


@rule
def legal_send(s: State, seat: int, mask: Cells) -> None:
    """S14: any Oracle card to any other seat."""
    for i in range(count(s.oracle)):
        for q in range(s.seats):
            if q != seat:
                mark(mask, A_SEND + 4 * i + q)


@rule
def step_send(s: State, action: int) -> None:
    """S14: the card is given openly; then a new one is turned up."""
    card = nth(s.oracle, (action - A_SEND) // 4)
    s.oracle &= ~(1 << card)
    join_openly(s, (action - A_SEND) % 4, card)
    s.turning = 1
    go_on(s)


@rule
def light_effect(s: State, seat: int, colour: int, forced: int) -> None:
    """S07, S20: a light effect is offered if it can do something; a shrine's must be used (red: at once)."""
    if not possible(s, seat, colour):
        go_on(s)
    elif forced == 1 and colour == RED:
        s.no_dark = 1
        go_on(s)
    else:
        s.effect = colour
        s.forced = forced
        s.phase = LIGHT


@rule
def legal_light(s: State, seat: int, mask: Cells) -> None:
    """S12, S13, S15, S18, S21: how the offered light effect can be used."""
    if s.effect == RED:
        mark(mask, A_USE)
    elif s.effect == BLUE:
        mask[0] |= rescuing_takes(s) if s.rescue == 1 else row_ends(s)
    elif s.effect == YELLOW:
        mask[0] |= s.hand[seat]
    elif s.rescue == 1:
        mark(mask, A_SEAT + seat)
    else:
        for q in range(s.seats):
            if may_exchange(s, q):
                mark(mask, A_SEAT + q)
    if s.forced == 0:
        mark(mask, A_SKIP)


@rule
def step_light(s: State, seat: int, action: int) -> None:
    if action == A_SKIP:
        go_on(s)
    elif action == A_USE:
        s.no_dark = 1
        go_on(s)
    elif s.effect == BLUE:
        s.rows &= ~(1 << action)
        s.dark &= ~(1 << action)
        join_openly(s, seat, action)
        go_on(s)
    elif s.effect == YELLOW:
        leave(s, seat, action)
        s.up[seat] |= 1 << action
        go_on(s)
    else:
        s.chosen = action - A_SEAT
        s.decider = s.chosen
        s.phase = EXCHANGE


# ------------------------------------------------------------------ an exchange (S18)
@rule
def legal_exchange(s: State, seat: int, mask: Cells) -> None:
    """S18, S21: the chosen seat decides which exchange it makes."""
    if s.rescue == 1:
        mask[0] |= rescuing_exchanges(s, seat)
        return
    mask[0] |= s.oracle
    if cards_of(s, seat) > 0:
        for q in range(s.seats):
            if q != seat:
                mark(mask, A_SEAT + q)
    if s.oracle != 0 or s.deck > 0:
        mark(mask, A_RENEW)


@rule
def step_exchange(s: State, seat: int, action: int) -> None:
    if action < CARDS:
        s.oracle &= ~(1 << action)
        join_openly(s, seat, action)
        s.phase = LAY
    elif action == A_RENEW:
        s.gone |= s.oracle
        s.oracle = 0
        s.turning = s.seats
        go_on(s)
    else:
        s.partner = action - A_SEAT
        s.phase = TRADE


@rule
def step_trade(s: State, seat: int, card: int) -> None:
    """S18: the chosen seat gives its partner a card …"""
    hand_over(s, seat, s.partner, card)
    s.decider = s.partner
    s.phase = RETURN


@rule
def step_return(s: State, seat: int, card: int) -> None:
    """S18: … and the partner gives one back; it may be the same card."""
    hand_over(s, seat, s.chosen, card)
    go_on(s)


@rule
def legal_lay(s: State, seat: int, mask: Cells) -> None:
    """S18, S21: any own card goes into the Oracle; in a rescue one that leaves a playable card."""
    mine = owned(s, seat)
    if s.rescue == 1:
        keep = mine & playable(s)
        if keep & (keep - 1) == 0:
            mine &= ~keep
    mask[0] |= mine


@rule
def step_lay(s: State, seat: int, card: int) -> None:
    leave(s, seat, card)
    s.oracle |= 1 << card
    go_on(s)


# ------------------------------------------------------------------ after an effect: the end of a turn (S05, S08)
@rule
def go_on(s: State) -> None:
    """After an effect, or a part of it: the Oracle is filled; then back to the start window or on to the end window."""
    s.decider = s.active
    if s.turning > 0 and s.deck > 0:
        s.phase = ORACLE
        return
    s.turning = 0
    s.rescue = 0
    s.forced = 0
    if s.stage == BEFORE:
        s.phase = TURN
    else:
        end_window(s)


@rule
def end_window(s: State) -> None:
    """S08: the turn ends by itself when the end window offers nothing."""
    offers = tavern_open(s)
    if s.stage == PLAYED and s.shrined == 0:
        for colour in range(COLOURS):
            if possible(s, s.active, colour) and s.lit & ((1 << colour) | (1 << LARGE)) != 0:
                offers = True
    if offers:
        s.phase = END
    else:
        next_turn(s)


@rule
def next_turn(s: State) -> None:
    """S05: the next seat clockwise takes its turn."""
    s.active = seat_after(s.active, 1, s.seats)
    s.decider = s.active
    s.stage = BEFORE
    s.shrined = 0
    s.drawn = 0
    s.phase = TURN
