"""What zombies do in Zombie City: noise, hordes and the attack, Z13–Z18; and how a turn ends after it, Z19–Z22."""

from __future__ import annotations

from tacit.core.bits import count
from tacit.core.rulekit import inlined, rule
from tacit.core.state_layout import Cells
from tacit.games.zombie_city.board import *
from tacit.games.zombie_city.model import *

# What follows from a decision or an outcome. Rules return it, and `proceed` does it: so compiled code has each of these
# once, not wherever a rule ends with it. A GPU waits for instructions more than for anything else.
STAY, GO_ON, FIGHT, END_ATTACK, END_TURN = range(5)


@inlined
def proceed(s: State, then: int) -> None:
    """Let what follows happen, and what follows from that."""
    if then == GO_ON:
        then = go_on(s)
    if then == FIGHT:
        then = attack(s)
    if then == END_ATTACK:
        then = end_attack(s)
    if then == END_TURN:
        end_turn(s)


# ------------------------------------------------------------------ noise and hordes (Z13, Z14)
@inlined
def make_noise(s: State, place: int, resume: int) -> int:
    """Z13: one noise, one step: the zombie that shows comes, or the top card is turned."""
    s.resume = resume
    if survivor_on_top(s):
        s.place = place
        s.cause = NOISE
        s.phase = TURN
        return STAY
    if s.shows != NOTHING:
        come_down(s, place)
    return GO_ON


@inlined
def step_turn(s: State, zombie: int) -> int:
    """Z11, Z13, Z14: a back comes up: it stays on the deck, goes to the shelter it is for, or joins a horde's row."""
    s.backs = without_back(s.backs, zombie)
    if s.cause == STAMPEDE:
        s.city -= 1
        s.turning -= 1
        if zombie == HORDE:
            s.aside = 1
        else:
            s.row += 1 << (8 * zombie)
        return serve(s) if s.turning == 0 else STAY
    if s.cause == NOISE and zombie != FAST and zombie != HORDE:
        s.shows = zombie
        return GO_ON
    s.city -= 1
    if zombie == HORDE:
        s.aside = 1
    else:
        s.zombies[s.place] += 1 << (8 * zombie)
    return GO_ON


@rule
def serve(s: State) -> int:
    """Z14: the seats that get a zombie each: clockwise from the active seat's left, itself last, as many as zombies."""
    s.targets = 0
    seat = s.active
    for _ in range(size(s.row)):
        seat = left_of(s, seat)
        s.targets |= 1 << seat
    if s.row == 0:
        return GO_ON
    s.cause = STAMPEDE
    s.phase = SEND
    return STAY


@inlined
def go_on(s: State) -> int:
    """Z14: after noise, an ambush or sendings: resolve a waiting horde, then resume the turn."""
    if s.aside:
        s.aside = 0
        s.dead += ONE_HORDE
        s.turning = min(count(s.living), s.city)
        if s.turning > 0:
            s.cause = STAMPEDE
            s.phase = TURN
            return STAY
    s.cause = NO_CAUSE
    s.place = 0
    s.targets = 0
    if s.resume == IN_MAIN:
        s.phase = MAIN
        return STAY
    return FIGHT if s.resume == IN_ATTACK else END_ATTACK


@rule
def legal_send(s: State, seat: int, mask: Cells) -> None:
    """Z11, Z14, Z18: any zombie that is still to be sent, to any seat that may still get one."""
    kinds = kinds_in(s.row if s.cause == STAMPEDE else s.zombies[seat])
    for zombie in range(3):
        if (kinds >> zombie) & 1:
            mask[1] |= s.targets << (A_SEND - 64 + 6 * zombie)


@rule
def step_send(s: State, seat: int, action: int) -> int:
    zombie = (action - A_SEND) // 6
    q = (action - A_SEND) % 6
    if s.cause == STAMPEDE:
        s.row -= 1 << (8 * zombie)
        s.zombies[q] += 1 << (8 * zombie)
        s.targets &= ~(1 << q)
        return GO_ON if s.row == 0 else STAY
    move_zombie(s, seat, q, zombie)
    if s.zombies[seat] != 0:
        return STAY
    return END_TURN if s.cause == FALL else GO_ON


# ------------------------------------------------------------------ phase 2: the attack (Z16–Z18)
@rule
def begin_attack(s: State, seat: int) -> int:
    """Z16: all zombies that are in the shelter now attack."""
    s.attackers = s.zombies[seat]
    s.stopped = 0
    return FIGHT


@inlined
def attack(s: State) -> int:
    """Z16, Z17: while an attacker is neither killed nor stopped, barriers may be used; without any they strike."""
    if unstopped(s) == 0:
        return END_ATTACK
    if s.barriers[s.active] != 0:
        s.phase = ATTACK
        return STAY
    return strike(s)


@rule
def legal_attack(s: State, seat: int, mask: Cells) -> None:
    """Z16: any own barrier, or none."""
    mask[0] |= 1 << A_BRACE
    if has(s.barriers[seat], BARRICADE):
        mask[0] |= 1 << A_USE_BARRICADE
    if has(s.barriers[seat], ALARM):
        mask[0] |= 1 << A_USE_ALARM
    if has(s.barriers[seat], MINES):
        for way in range(len(BLASTS)):
            if holds(s.zombies[seat], BLASTS[way]):
                mask[0] |= 1 << (A_USE_MINES + way)


@rule
def step_attack(s: State, seat: int, action: int) -> int:
    if action == A_BRACE:
        return strike(s)
    use_up(s, seat, BARRICADE if action == A_USE_BARRICADE else ALARM if action == A_USE_ALARM else MINES)
    if action == A_USE_BARRICADE:
        s.stopped += 1
        return FIGHT
    if action == A_USE_ALARM:
        s.attackers = 0
    else:
        blast(s, seat, BLASTS[action - A_USE_MINES])
    return make_noise(s, seat, AFTER_ATTACK if action == A_USE_ALARM else IN_ATTACK)


@rule
def blast(s: State, seat: int, part: int) -> None:
    """Z16, Z17: one or two zombies die, attackers of their type first."""
    kill(s, seat, part)
    for zombie in range(3):
        s.attackers -= min(number(part, zombie), number(s.attackers, zombie)) << (8 * zombie)


@rule
def strike(s: State) -> int:
    """Z17: every attacker still living and not stopped costs a survivor. The zombies stay."""
    losses = min(unstopped(s), s.people[s.active])
    s.people[s.active] -= losses
    s.lost += losses
    return END_ATTACK


@inlined
def end_attack(s: State) -> int:
    """Z18: a seat without survivors at the end of its phase 2 is out, with or without an attack."""
    s.attackers = 0
    s.stopped = 0
    return fall(s) if s.people[s.active] == 0 else begin_draw(s)


@rule
def fall(s: State) -> int:
    """Z18, Z21: hand and barriers are discarded, zombies go to the neighbours; a single seat left has won at once."""
    seat = s.active
    s.living &= ~(1 << seat)
    throw_hand(s, seat)
    throw_barriers(s, seat)
    if s.living & (s.living - 1) == 0:
        s.phase = OVER
        return STAY
    if s.zombies[seat] == 0:
        return END_TURN
    s.cause = FALL
    s.targets = (1 << left_of(s, seat)) | (1 << right_of(s, seat))
    s.phase = SEND
    return STAY


# ------------------------------------------------------------------ phase 3 and the end of a turn (Z06, Z19–Z22)
@rule
def begin_draw(s: State) -> int:
    """Z06, Z20: the hand is filled up to three, but not in the final attack."""
    if final_attack(s) or s.hand_len[s.active] == HAND:
        return END_TURN
    renew(s)
    s.phase = DRAW
    return STAY


@rule
def renew(s: State) -> None:
    """Z19: when a card must be drawn and the deck is empty, all discards become the deck."""
    if s.deck == 0:
        s.pool = s.discard
        s.deck = count(s.discard)
        s.discard = 0
        s.renewals += 1
        remember_old(s)


@inlined
def step_draw(s: State, kind: int) -> int:
    deal(s, s.active, kind)
    if s.hand_len[s.active] == HAND:
        return END_TURN
    renew(s)
    return STAY


@inlined
def end_turn(s: State) -> None:
    """Z06, Z21, Z22: the match ends here if the final attack is beaten or time is up; else the next living seat."""
    s.cause = NO_CAUSE
    s.targets = 0
    s.stage = UNDECIDED
    s.turns += 1
    s.quiet = s.quiet + 1 if final_attack(s) and no_zombie(s) else 0
    if cleared(s) or s.turns == TURNS * s.seats:
        s.phase = OVER
    else:
        s.active = left_of(s, s.active)
        s.phase = MAIN
