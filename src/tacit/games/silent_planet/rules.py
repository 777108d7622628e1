"""The rules of Silent Planet, P01–P11, in the order of play.

Beside it: `model.py` (the pieces), `board.py` (queries), `knowledge.py` (who knows what, P05 and P12).
"""

from __future__ import annotations

from tacit.core.bits import count, length
from tacit.core.chance import FRESH, below
from tacit.core.clockwise import seat_after
from tacit.core.random_play import CHANCE
from tacit.core.rulekit import rule
from tacit.core.state_layout import Cells
from tacit.games.silent_planet.board import *
from tacit.games.silent_planet.model import *


# ------------------------------------------------------------------ the contract
@rule
def start(s: State) -> None:
    """P01: all 55 cards are in the deck."""
    s.pool = BAG
    s.first = -1
    s.turn = -1
    s.phase = DEAL


@rule
def due(s: State) -> int:
    """The seats that may decide now, as a set; CHANCE; 0 when the match is over."""
    if s.phase == POINT:
        return deciders(s) & ~s.pointed
    if s.phase == ARRANGE:
        return ((1 << s.seats) - 1) & ~s.ready
    if s.phase == OVER:
        return 0
    return CHANCE


@rule
def chance(s: State, weights: Cells) -> int:
    """P02, P06: a card of the pool, each as likely; or the first seat, each as likely."""
    if s.phase == START:
        for seat in range(OUTCOMES):
            weights[seat] = 1 if seat < s.seats else 0
        return s.seats
    for kind in range(KINDS):
        weights[kind] = number_of(s.pool, kind)
    return CARDS - s.dealt


@rule
def roll(s: State, rng: Cells, weights: Cells) -> int:
    """Draw as `chance` says, without writing the weights."""
    if s.phase == START:
        return below(rng, s.seats)
    return drawn(s.pool, below(rng, CARDS - s.dealt))


@rule
def drawn(bag: int, at: int) -> int:
    """The kind of a bag's card number `at`, when its cards lie in the order of their kinds."""
    kind = 0
    while at >= bag & 15:
        at -= bag & 15
        bag >>= 4
        kind += 1
    return kind


@rule
def pool(s: State) -> int:
    """The deck that chance draws from; FRESH for the choice of the first seat."""
    return FRESH if s.phase == START else 0


@rule
def sealed(s: State) -> int:
    """P03: while rows are made, no seat can see or count what another does."""
    return 1 if s.phase == ARRANGE else 0


@rule
def legal(s: State, seat: int, mask: Cells) -> None:
    """Mark the legal decisions of a due seat."""
    if s.phase == POINT:
        if ((deciders(s) & ~s.pointed) >> seat) & 1:
            mask[0] |= places_of(s.down, s.turn) << A_POINT
    elif s.phase == ARRANGE and not (s.ready >> seat) & 1:
        legal_arrange(s, seat, mask)


@rule
def step(s: State, who: int, action: int) -> None:
    """Apply a decision or an outcome."""
    if s.phase == POINT:
        step_point(s, who, action - A_POINT)
    elif s.phase == ARRANGE:
        step_arrange(s, who, action)
    elif s.phase == DEAL:
        step_deal(s, action)
    else:
        step_start(s, action)


# ------------------------------------------------------------------ rows (P02–P04)
@rule
def step_deal(s: State, kind: int) -> None:
    """P02: nine to each, all of seat 0's first; the rest leaves the game unseen."""
    s.pool -= 1 << (4 * kind)
    s.hand[s.dealt // HAND] += 1 << (4 * kind)
    s.dealt += 1
    if s.dealt == HAND * s.seats:
        s.phase = ARRANGE


@rule
def legal_arrange(s: State, seat: int, mask: Cells) -> None:
    """P03: nine cards from left to right; then hints in rising order, none to all nine; then ready."""
    if s.hand[seat] != 0:
        for kind in range(KINDS):
            if number_of(s.hand[seat], kind) > 0:
                mask[0] |= 1 << (A_PLACE + kind)
        return
    past = length(places_of(s.hints, seat))
    mask[0] |= (((((1 << HAND) - 1) >> past) << past) << A_REVEAL) | 1 << A_READY


@rule
def step_arrange(s: State, seat: int, action: int) -> None:
    """P03: a seat places, reveals or is ready; when the last one is, all hints are shown at once."""
    if action < A_REVEAL:
        s.row[seat] |= (action + 1) << (4 * laid(s.row[seat]))
        s.hand[seat] -= 1 << (4 * action)
    elif action < A_READY:
        s.hints |= 1 << (PLACES * seat + action - A_REVEAL)
    else:
        s.ready |= 1 << seat
        if s.ready == (1 << s.seats) - 1:
            show_rows(s)


@rule
def show_rows(s: State) -> None:
    """P04, P10: what is not a hint is in play; the match may be lost already."""
    for seat in range(s.seats):
        s.down |= ((1 << HAND) - 1) << (PLACES * seat)
    s.down &= ~s.hints
    s.phase = OVER if spare(s) < 0 else START


# ------------------------------------------------------------------ turns (P06, P07)
@rule
def step_start(s: State, seat: int) -> None:
    """P06: the seat drawn is first, or the next that has a face-down card."""
    s.first = seat
    s.phase = POINT
    take_turn(s, seat)


@rule
def take_turn(s: State, seat: int) -> None:
    """P06: a seat without a face-down card is skipped. There is one with such a card, or the match would be over."""
    while places_of(s.down, seat) == 0:
        seat = seat_after(seat, 1, s.seats)
    s.turn = seat
    s.round = 1


@rule
def step_point(s: State, seat: int, place: int) -> None:
    """P07: when all have pointed, the card they agree on is turned up; after the third round the chosen one is."""
    s.pointers = with_pointer(s.pointers, seat, place)
    s.pointed |= 1 << seat
    if s.pointed != deciders(s):
        return
    if agreed(s, s.pointers):
        turn_up(s, place)
    elif s.round == ROUNDS:
        turn_up(s, chosen(s, s.pointers))
    else:
        s.round += 1
        s.pointed = 0


# ------------------------------------------------------------------ teams and the end (P08–P10)
@rule
def turn_up(s: State, place: int) -> None:
    """P08: a card joins the team, which breaks, is complete, or goes on; then P10 and, if it goes on, P09."""
    s.turned += 1
    s.settled = s.pointers
    s.pointers = 0
    s.pointed = 0
    s.down &= ~(1 << (PLACES * s.turn + place))
    s.history[s.turn] |= s.turned << (HISTORY * place)
    s.team += 1 << (4 * kind_at(s.row[s.turn], place))
    complete = stands(s.team) and size(s.team) == TEAM
    if complete or not stands(s.team):
        s.ended |= 1 << s.turned
        s.team = 0
    if complete:
        s.completed |= 1 << s.turned
        s.teams += 1
    if s.teams == s.seats or spare(s) < 0:
        s.phase = OVER
    else:
        take_turn(s, seat_after(s.turn, 1, s.seats))


@rule
def score(s: State, out: Cells) -> None:
    """P10: the teams completed; all seats share them, and as many as there are seats are a win."""
    for seat in range(s.seats):
        out[seat] = s.teams


# ------------------------------------------------------------------ silence (P11)
@rule
def signallers(s: State) -> int:
    """P11: who may signal now: the deciders while pointing goes on, if there are at least two."""
    return deciders(s) if s.phase == POINT and s.seats > 2 else 0


@rule
def occasion(s: State) -> int:
    """P11: what signals are about: this row, until a card of it is turned up."""
    return s.turned + 1 if s.phase == POINT else 0


# ------------------------------------------------------------------ every card in one place
@rule
def audit(s: State) -> int:
    """0 if every card is in exactly one place and every count is right."""
    bag = s.pool
    team = 0
    last = length(s.ended) - 1  # the card that ended a team last; those turned up after it are the team
    turned = 0
    for seat in range(s.seats):
        bag += s.hand[seat] + bag_of(s.row[seat])
        if (places_of(s.down, seat) & places_of(s.hints, seat)) != 0:
            return 1
        if s.phase >= START and laid(s.row[seat]) != HAND:
            return 2
        for place in range(HAND):
            number = (s.history[seat] >> (HISTORY * place)) & 63
            if number > 0:
                turned += 1
            if number > max(last, 0):
                team += 1 << (4 * kind_at(s.row[seat], place))
            shown = ((places_of(s.down, seat) | places_of(s.hints, seat)) >> place) & 1
            if s.phase >= START and shown == (1 if number > 0 else 0):
                return 3
    if bag != BAG or size(s.pool) != CARDS - s.dealt:
        return 4
    if turned != s.turned or team != s.team or not stands(s.team) or count(s.completed) != s.teams:
        return 5
    return 0
