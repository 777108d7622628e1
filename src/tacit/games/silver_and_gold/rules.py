"""The rules of Silver & Gold, G04–G13, in the order of play.

Beside it: `deck.py` (G02, G03), `shapes.py` (G01), `model.py` (the pieces), `board.py` (queries and moves of cards),
`knowledge.py` (who knows what, G14).
"""

from __future__ import annotations

from tacit.core.bits import count, nth
from tacit.core.chance import FRESH, below, pick
from tacit.core.clockwise import places_to, seat_after
from tacit.core.random_play import CHANCE
from tacit.core.rulekit import rule
from tacit.core.state_layout import Cells
from tacit.games.silver_and_gold.board import *
from tacit.games.silver_and_gold.deck import CARDS
from tacit.games.silver_and_gold.model import *
from tacit.games.silver_and_gold.shapes import EXPEDITIONS, SHAPES


# ------------------------------------------------------------------ the contract
@rule
def start(s: State) -> None:
    """G02, G05: all cards are in the deck."""
    s.pool = WHOLE_DECK
    s.left = CARDS
    s.starter = -1
    s.shape = -1
    for q in range(MAX_SEATS):
        s.card[q, 0] = -1
        s.card[q, 1] = -1
    shuffle_expeditions(s)
    s.phase = DEAL


@rule
def due(s: State) -> int:
    """The seats that may decide now, as a set; CHANCE; 0 when the match is over."""
    if s.phase == CROSS_OFF or s.phase == KEEP:
        return ((1 << s.seats) - 1) & ~s.done
    if s.phase == TAKE:
        return 1 << s.active
    return 0 if s.phase == OVER else CHANCE


@rule
def sealed(s: State) -> int:
    """G05, G07: while choices are sealed, the number of that moment; else 0."""
    if s.phase == KEEP:
        return 1
    return 2 + s.turn if s.phase == CROSS_OFF else 0


@rule
def chance(s: State, weights: Cells) -> int:
    """G05, G06, G10: a card of the deck, a seat, or an expedition card; all are equally likely."""
    if s.phase == REVEAL:
        total = 0
        for i in range(OUTCOMES):
            weights[i] = s.unseen[i] if i < SHAPES else 0
            total += weights[i]
        return total
    cards = (1 << s.seats) - 1 if s.phase == START else s.pool
    for i in range(OUTCOMES):
        weights[i] = (cards >> i) & 1
    return count(cards)


@rule
def roll(s: State, rng: Cells, weights: Cells) -> int:
    """Draw as `chance` says, without writing the weights."""
    if s.phase == REVEAL:
        return pick(s.unseen, below(rng, ROUND + 1 - s.turn % ROUND))
    if s.phase == START:
        return below(rng, s.seats)
    return nth(s.pool, below(rng, s.left))


@rule
def pool(s: State) -> int:
    """The deck that chance draws from, with a new number once cards return to it; the expeditions of this round."""
    if s.phase == REVEAL:
        return 2 + s.turn // ROUND
    if s.phase == START:
        return FRESH
    return 0 if s.phase == DEAL else 1


@rule
def legal(s: State, seat: int, mask: Cells) -> None:
    """Mark the legal decisions of a due seat."""
    if s.phase == CROSS_OFF:
        if (s.done >> seat) & 1 == 0:
            mask[0] |= choices(s, seat, 0)
            mask[1] |= choices(s, seat, 1)
    elif s.phase == KEEP:
        if (s.done >> seat) & 1 == 0:
            mask[0] |= (1 << len(PAIRS)) - 1
    elif s.phase == TAKE and seat == s.active:
        mask[0] |= s.display
        if s.left > 0:
            mask[0] |= 1 << A_DECK


@rule
def step(s: State, who: int, action: int) -> None:
    """Apply a decision or an outcome."""
    if s.phase == CROSS_OFF:
        step_cross_off(s, who, action)
    elif s.phase == REVEAL:
        step_reveal(s, action)
    elif s.phase == TAKE:
        step_take(s, who, action)
    elif s.phase == SHOW:
        step_show(s, action)
    elif s.phase == BLIND:
        step_blind(s, action)
    elif s.phase == DEAL:
        step_deal(s, action)
    elif s.phase == KEEP:
        step_keep(s, who, action)
    elif s.phase == START:
        step_start(s, action)


# ------------------------------------------------------------------ before the first turn (G05)
@rule
def step_deal(s: State, card: int) -> None:
    """G05: all four cards of seat 0, then of seat 1, …; then all choose."""
    leave_pool(s, card)
    s.hand[s.active] |= 1 << card
    if count(s.hand[s.active]) == DEALT:
        s.active += 1
        if s.active == s.seats:
            s.active = 0
            s.phase = KEEP


@rule
def step_keep(s: State, seat: int, pair: int) -> None:
    """G05: a seat keeps two of its four cards, sealed until all have chosen."""
    s.kept[seat] = pair + 1
    s.done |= 1 << seat
    if s.done == (1 << s.seats) - 1:
        open_hands(s)


@rule
def open_hands(s: State) -> None:
    """G05: the kept cards are laid open, the returned ones go back into the deck; the display is turned up."""
    for q in range(s.seats):
        first = nth(s.hand[q], PAIRS[s.kept[q] - 1][0])
        second = nth(s.hand[q], PAIRS[s.kept[q] - 1][1])
        lay_before(s, q, first)
        lay_before(s, q, second)
        s.pool |= s.hand[q] & ~(1 << first) & ~(1 << second)
        s.left += DEALT - KEPT
        s.hand[q] = 0
        s.kept[q] = 0
    s.done = 0
    s.phase = SHOW


@rule
def step_show(s: State, card: int) -> None:
    """G05, G10: a card is turned up on the display, until there are four or the deck is empty."""
    leave_pool(s, card)
    s.display |= 1 << card
    if s.left == 0 or count(s.display) == DISPLAY:
        if s.starter < 0:
            s.phase = START
        else:
            settle(s, places_to(s.starter, s.active, s.seats) + 1)


@rule
def step_start(s: State, seat: int) -> None:
    """G05: the starting player."""
    s.starter = seat
    s.phase = REVEAL


# ------------------------------------------------------------------ a turn: reveal (G06)
@rule
def shuffle_expeditions(s: State) -> None:
    """G01, G06: all eight expedition cards are unseen."""
    for shape in range(SHAPES):
        s.unseen[shape] = EXPEDITIONS[shape]


@rule
def step_reveal(s: State, shape: int) -> None:
    """G06: an expedition card is turned up. G10: a seat without cards has nothing to do."""
    s.unseen[shape] -= 1
    s.shape = shape
    s.phase = CROSS_OFF
    for q in range(s.seats):
        if not can_cross(s, q):
            s.done |= 1 << q
    open_seal_if_done(s)


# ------------------------------------------------------------------ a turn: cross off (G07–G09)
@rule
def step_cross_off(s: State, seat: int, action: int) -> None:
    """G07: the shape, or a single cell. G08: each cross symbol crossed gives one more cell, as long as there is one."""
    slot = action // A_SLOT
    cells = crossing(s.shape, action)
    if s.bonus[seat] > 0:
        s.bonus[seat] -= 1
    else:
        s.main[seat] = action + 1
    s.pending[seat, slot] |= cells
    s.bonus[seat] += count(cells & CROSSES[s.card[seat, slot]])
    if s.bonus[seat] > 0 and not can_cross(s, seat):
        s.bonus[seat] = 0
    if s.bonus[seat] == 0:
        s.done |= 1 << seat
        open_seal_if_done(s)


@rule
def open_seal_if_done(s: State) -> None:
    """G07: when the last seat is done, all crossings count; then the seats settle."""
    if s.done != (1 << s.seats) - 1:
        return
    s.done = 0
    for q in range(s.seats):
        count_symbols(s, q)
        for slot in range(KEPT):
            s.free[q, slot] &= ~s.pending[q, slot]
            s.pending[q, slot] = 0
    settle(s, 0)


@rule
def count_symbols(s: State, seat: int) -> None:
    """G09: coins fill the next coin fields, palms score and fill the next palm fields."""
    coins = coins_now(s, seat)
    s.rows[seat] = coins // COIN_ROW - s.coins[seat] // COIN_ROW
    s.coins[seat] = coins
    palms = palms_now(s, seat)
    while s.palms[seat] < palms:
        s.palm[seat, s.palms[seat]] = palm_worth(s)
        s.palms[seat] += 1


# ------------------------------------------------------------------ a turn: settle (G10, G11)
@rule
def settle(s: State, first: int) -> None:
    """G10: from the starting player clockwise each seat completely; `first` are settled already."""
    for r in range(first, s.seats):
        seat = seat_after(s.starter, r, s.seats)
        give_trophies(s, seat)
        s.takes = lay_aside(s, seat)
        s.active = seat
        if s.takes > 0 and s.turn < TURNS - 1 and (s.display | s.pool) != 0:
            s.phase = TAKE
            return
    end_turn(s)


@rule
def give_trophies(s: State, seat: int) -> None:
    """G10: for each coin row filled in this turn the highest trophy left; none left, nothing."""
    while s.rows[seat] > 0:
        row = s.coins[seat] // COIN_ROW - s.rows[seat]
        s.rows[seat] -= 1
        if s.given < TROPHIES:
            s.trophies[seat, row] = TROPHIES - s.given
            s.given += 1


@rule
def lay_aside(s: State, seat: int) -> int:
    """G10: completed cards are laid aside; how many."""
    cards = 0
    for slot in range(KEPT):
        if s.card[seat, slot] >= 0 and s.free[seat, slot] == 0:
            s.completed[seat] |= 1 << s.card[seat, slot]
            s.card[seat, slot] = -1
            cards += 1
    return cards


@rule
def step_take(s: State, seat: int, action: int) -> None:
    """G10: a card of the display, or blind the top card of the deck."""
    if action == A_DECK:
        s.phase = BLIND
        return
    s.display &= ~(1 << action)
    lay_before(s, seat, action)
    taken(s)


@rule
def step_blind(s: State, card: int) -> None:
    """G10: the blind card is kept."""
    leave_pool(s, card)
    lay_before(s, s.active, card)
    taken(s)


@rule
def taken(s: State) -> None:
    """G10: no refill between two takings; when nothing is left to take, the seat goes on with fewer cards."""
    s.takes -= 1
    if s.takes > 0 and (s.display | s.pool) != 0:
        s.phase = TAKE
        return
    s.takes = 0
    if s.left > 0 and count(s.display) < DISPLAY:
        s.phase = SHOW
    else:
        settle(s, places_to(s.starter, s.active, s.seats) + 1)


@rule
def end_turn(s: State) -> None:
    """G11: the starting player moves one seat clockwise. G06: after seven expeditions all eight are shuffled again."""
    s.takes = 0
    s.active = 0
    if s.turn == TURNS - 1:
        s.phase = OVER
        return
    s.turn += 1
    s.starter = seat_after(s.starter, 1, s.seats)
    s.shape = -1
    for q in range(s.seats):
        s.main[q] = 0
    if s.turn % ROUND == 0:
        shuffle_expeditions(s)
    s.phase = REVEAL


# ------------------------------------------------------------------ the end (G12, G13)
@rule
def score(s: State, out: Cells) -> None:
    """G12: each seat's points."""
    for q in range(s.seats):
        out[q] = points(s, q)


@rule
def rank(s: State, seat: int) -> int:
    """G13: points first, then completed grey, green, orange, purple cards: the highest rank wins."""
    value = points(s, seat)
    for back in range(COLOURS):
        value = 16 * value + count(s.completed[seat] & COLOUR_CARDS[COLOURS - 1 - back])
    return value


@rule
def winners(s: State) -> int:
    """G13: the set of the seats that win."""
    best = 0
    found = 0
    for q in range(s.seats):
        value = rank(s, q)
        if value > best:
            best = value
            found = 0
        if value == best:
            found |= 1 << q
    return found


@rule
def audit(s: State) -> int:
    """0 if every card is in exactly one place, the counts are right and the crossings lie on their islands."""
    found = s.pool | s.display
    cards = count(s.pool) + count(s.display)
    for q in range(s.seats):
        found |= s.hand[q] | s.completed[q]
        cards += count(s.hand[q]) + count(s.completed[q])
        for slot in range(KEPT):
            card = s.card[q, slot]
            if card >= 0:
                found |= 1 << card
                cards += 1
                if s.free[q, slot] & ~ISLANDS[card] != 0:
                    return 3
            elif s.free[q, slot] != 0:
                return 3
            if s.pending[q, slot] & ~s.free[q, slot] != 0:
                return 4
    if cards != count(WHOLE_DECK) or found != WHOLE_DECK:
        return 1
    if s.left != count(s.pool) or count(s.display) > DISPLAY:
        return 2
    return 0
