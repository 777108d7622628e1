"""The rules of Zombie City, Z01–Z22, in the order of play.

Beside it: `model.py` (the pieces), `zombies.py` (noise, hordes, attack and the end of a turn, Z13–Z22), `board.py`
(queries and moves), `audit.py` (no card is lost), `knowledge.py` (who knows what, Z23).
"""

from __future__ import annotations

from tacit.core.bits import count, lowest, mark, nth
from tacit.core.chance import FRESH, below
from tacit.core.random_play import CHANCE
from tacit.core.rulekit import inlined, rule
from tacit.core.state_layout import Cells
from tacit.games.zombie_city.board import *
from tacit.games.zombie_city.model import *
from tacit.games.zombie_city.zombies import *


# ------------------------------------------------------------------ the contract
@rule
def start(s: State) -> None:
    """Z01–Z04: both decks are whole, except the survivors that every shelter begins with."""
    s.living = (1 << s.seats) - 1
    s.pool = EVERY_CARD
    s.deck = CARDS
    s.backs = EVERY_BACK
    s.shows = NOTHING
    s.city = CARDS
    for seat in range(s.seats):
        s.people[seat] = FIRST_SURVIVORS[s.survivors]
        s.city -= FIRST_SURVIVORS[s.survivors]
    s.phase = DEAL


@rule
def due(s: State) -> int:
    """The seats that may decide now, as a set; CHANCE; 0 when the match is over."""
    if s.phase == MAIN or s.phase == ATTACK or s.phase == SEND:
        return 1 << s.active
    if s.phase == OVER:
        return 0
    if s.phase == ANSWER:
        return s.living & ~s.answered
    return CHANCE


@rule
def sealed(s: State) -> int:
    """Z04: until all have answered, nobody knows who redraws."""
    return 1 if s.phase == ANSWER else 0


@rule
def chance(s: State, weights: Cells) -> int:
    """Z01, Z04, Z19: a starting seat, a back, or a resource card; all are equally likely."""
    total = 0
    for outcome in range(OUTCOMES):
        weight = 0
        if s.phase == FIRST:
            weight = 1 if outcome < s.seats else 0
        elif s.phase == TURN:
            if outcome <= HORDE:
                weight = count(s.backs & BACK_FIELD[outcome])
        else:
            weight = count(s.pool & FIELD[outcome])
        weights[outcome] = weight
        total += weight
    return total


@inlined
def roll(s: State, rng: Cells, weights: Cells) -> int:
    """Draw as `chance` says, without writing the weights."""
    if s.phase == FIRST:
        return below(rng, s.seats)
    if s.phase == TURN:
        return back_of(nth(s.backs, below(rng, count(s.backs))))
    return kind_of(nth(s.pool, below(rng, s.deck)))


@rule
def pool(s: State) -> int:
    """The deck that chance draws from: 0 for the City deck; each renewal gives the resource deck a new number."""
    if s.phase == FIRST:
        return FRESH
    return 0 if s.phase == TURN else 1 + s.renewals


@inlined
def legal(s: State, seat: int, mask: Cells) -> None:
    """Mark the legal decisions of a due seat."""
    if s.phase == ANSWER:
        if not (s.answered >> seat) & 1:
            mark(mask, A_KEEP)
            mark(mask, A_REDRAW)
    elif seat != s.active:
        return
    elif s.phase == MAIN:
        legal_main(s, seat, mask)
    elif s.phase == ATTACK:
        legal_attack(s, seat, mask)
    elif s.phase == SEND:
        legal_send(s, seat, mask)


@rule
def step(s: State, who: int, action: int) -> None:
    """Apply a decision or an outcome."""
    then = STAY
    if s.phase == MAIN:
        s.last = action
        then = step_main(s, who, action)
    elif s.phase == ATTACK:
        s.last = action
        then = step_attack(s, who, action)
    elif s.phase == SEND:
        s.last = action
        then = step_send(s, who, action)
    elif s.phase == DRAW:
        then = step_draw(s, action)
    elif s.phase == TURN:
        then = step_turn(s, action)
    elif s.phase == DEAL:
        step_deal(s, action)
    elif s.phase == ANSWER:
        step_answer(s, who, action)
    elif s.phase == REDEAL:
        step_redeal(s, action)
    elif s.phase == FIRST:
        s.active = action
        s.phase = MAIN
    proceed(s, then)


@rule
def score(s: State, out: Cells) -> None:
    """Z21: the survivors. A seat that is out has none; the seat with the most wins."""
    for seat in range(s.seats):
        out[seat] = s.people[seat]


# ------------------------------------------------------------------ before the first turn (Z04)
@rule
def step_deal(s: State, kind: int) -> None:
    """Z04: three cards to seat 0, then three to seat 1, …; then all decide at once whether they keep them."""
    deal(s, s.taker, kind)
    if s.hand_len[s.taker] == HAND:
        s.taker += 1
        if s.taker == s.seats:
            s.taker = 0
            s.phase = ANSWER


@rule
def step_answer(s: State, seat: int, action: int) -> None:
    """Z04: nothing moves until all have answered; then every redrawing seat discards its hand before any draws."""
    s.answered |= 1 << seat
    if action == A_REDRAW:
        s.redraws |= 1 << seat
    if s.answered != s.living:
        return
    for q in range(s.seats):
        if (s.redraws >> q) & 1:
            left = s.hand[q]
            while left != 0:
                kind = kind_of(lowest(left))
                left = without_card(left, kind)
                s.thrown[q] = s.thrown[q] << 4 | kind
            throw_hand(s, q)
    redeal_from(s, 0)


@rule
def redeal_from(s: State, first: int) -> None:
    """Z04: the next redrawing seat, in seat order, draws; after the last one chance names the starting seat."""
    after = s.redraws >> first
    if after == 0:
        s.taker = 0
        s.phase = FIRST
    else:
        s.taker = first + lowest(after)
        s.phase = REDEAL


@rule
def step_redeal(s: State, kind: int) -> None:
    deal(s, s.taker, kind)
    if s.hand_len[s.taker] == HAND:
        redeal_from(s, s.taker + 1)


# ------------------------------------------------------------------ phase 1 (Z05, Z07–Z12, Z15)
@inlined
def legal_main(s: State, seat: int, mask: Cells) -> None:
    """Z05, Z15: discard or play, never both in one turn; `done` ends the phase and is always legal."""
    left = s.hand[seat] | 1 << NO_CARD
    uses, schemes = 0, 0
    for _ in range(HAND):
        uses |= USES[lowest(left)]
        schemes |= SCHEMES[lowest(left)]
        left = left & (left - 1) | 1 << NO_CARD
    may = DISCARDS if s.stage != PLAYING else 0
    if s.stage != DISCARDING:
        may |= plays(s, seat)
        if schemes != 0:
            mask[1] |= schemes & scheme_plays(s, seat)
    mask[0] |= uses & may | 1 << A_DONE


@inlined
def step_main(s: State, seat: int, action: int) -> int:
    """Z05: a card leaves the hand and does what it does; then noise may be made."""
    if action == A_DONE:
        return begin_attack(s, seat)
    s.stage = DISCARDING if action < A_NOISE else PLAYING
    kind = CARD_OF[action]
    leave_hand(s, seat, kind)
    if A_BARRICADE <= action < A_SACRIFICE:  # Z10: a barrier is laid; no noise yet
        s.barriers[seat] = with_card(s.barriers[seat], kind)
        return STAY
    s.discard = with_card(s.discard, kind)
    place = play(s, seat, action, kind)
    return STAY if place == NOTHING else make_noise(s, place, IN_MAIN)


@inlined
def play(s: State, seat: int, action: int, kind: int) -> int:
    """What a card that was discarded or played does; where noise is made then, or NOTHING."""
    if action < A_NOISE:
        return NOTHING
    if action < A_AXE:
        return seat
    if action < A_WALKIE:
        return play_weapon(s, seat, action)
    if action < A_BARRICADE:
        return play_rescue(s, seat, kind)
    if action == A_SACRIFICE:
        play_sacrifice(s, seat)
        return NOTHING
    zombie, q = (action - A_DRONE) // 6, (action - A_SABOTAGE) % 6  # a decision has a seat in each six numbers
    if action < A_DRONE:
        return play_scheme(s, seat, kind, q)
    if action < A_SURPRISE:  # Z11: one zombie flies to another seat, then noise is made there
        move_zombie(s, seat, q, zombie)
        return q
    play_surprise(s, seat, zombie - 3, q)
    return NOTHING


@rule
def play_weapon(s: State, seat: int, action: int) -> int:
    """Z07, Z08: zombies are killed; all weapons except the axe are loud."""
    if action == A_SNIPE_CITY:
        s.dead += 1 << (8 * s.shows)
        s.shows = NOTHING
        s.city -= 1
        return seat
    if action < A_REVOLVER:
        kill(s, seat, 1 << (8 * (action - A_AXE)))
        return NOTHING
    if action < A_SHOTGUN:
        kill(s, seat, 1 << (8 * (action - A_REVOLVER)))
    elif action < A_SNIPER:
        kill(s, seat, SHOTS[action - A_SHOTGUN])
    else:
        kill(s, seat, 1 << (8 * (action - A_SNIPER)))
    return seat


@rule
def play_rescue(s: State, seat: int, kind: int) -> int:
    """Z09: survivors come from the top of the City deck; their backs are never known (Z01)."""
    taken = min(2, s.city) if kind == FLARE else 1
    s.city -= taken
    s.people[seat] += taken
    return NOTHING if kind == WALKIE else seat


@rule
def play_sacrifice(s: State, seat: int) -> None:
    """Z11: a survivor is lost, even the last one, and all zombies go to other living seats, one `send` each."""
    s.people[seat] -= 1
    s.lost += 1
    s.resume = IN_MAIN
    s.cause = FLIGHT
    s.targets = others(s, seat)
    s.phase = SEND


@rule
def play_scheme(s: State, seat: int, kind: int, q: int) -> int:
    """Z11: sabotage, bribery, eviction."""
    if kind == BRIBERY:
        s.people[q] -= 1
        s.people[seat] += 1
        return NOTHING
    if kind == SABOTAGE:
        throw_barriers(s, q)
    else:
        crowd = s.zombies[seat]
        s.zombies[seat] = s.zombies[q]
        s.zombies[q] = crowd
        barriers = s.barriers[seat]
        s.barriers[seat] = s.barriers[q]
        s.barriers[q] = barriers
    return seat


@rule
def play_surprise(s: State, seat: int, zombie: int, q: int) -> None:
    """Z11: one zombie goes to another seat, then the top City card as a zombie, even if it showed a survivor."""
    move_zombie(s, seat, q, zombie)
    if s.shows != NOTHING:
        come_down(s, q)
    elif s.city > 0:
        s.resume = IN_MAIN
        s.place = q
        s.cause = AMBUSH
        s.phase = TURN
