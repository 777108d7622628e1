"""What zombies do in Zombie City: noise, hordes and the attack, Z13–Z18; and how a turn ends after it, Z19–Z22."""

from __future__ import annotations

from tacit.core.bits import count
from tacit.core.rulekit import rule
from tacit.core.state_layout import Cells
from tacit.games.zombie_city.board import *
from tacit.games.zombie_city.model import *


# ------------------------------------------------------------------ noise and hordes (Z13, Z14)
@rule
def make_noise(s: State, place: int, resume: int) -> None:
    """Z13: one noise, one step: the zombie that shows comes, or the top card is turned."""
    s.resume = resume
    if survivor_on_top(s):
        s.place = place
        s.cause = NOISE
        s.phase = TURN
        return
    if s.shows != NOTHING:
        come_down(s, place)
    go_on(s)


@rule
def step_turn(s: State, zombie: int) -> None:
    """Z11, Z13, Z14: a back comes up: it stays on the deck, goes to the shelter it is for, or joins a horde's row."""
    s.backs = without_back(s.backs, zombie)
    if s.cause == STAMPEDE:
        s.city -= 1
        s.turning -= 1
        if zombie == HORDE:
            s.aside = 1
        else:
            s.row += 1 << (8 * zombie)
        if s.turning == 0:
            serve(s)
    elif zombie == HORDE:
        s.city -= 1
        s.aside = 1
        go_on(s)
    elif s.cause == NOISE and zombie != FAST:
        s.shows = zombie
        go_on(s)
    else:
        s.city -= 1
        s.zombies[s.place] += 1 << (8 * zombie)
        go_on(s)


@rule
def serve(s: State) -> None:
    """Z14: the seats that get a zombie each: clockwise from the active seat's left, itself last, as many as zombies."""
    s.targets = 0
    seat = s.active
    for _ in range(size(s.row)):
        seat = left_of(s, seat)
        s.targets |= 1 << seat
    if s.row == 0:
        go_on(s)
    else:
        s.cause = STAMPEDE
        s.phase = SEND


@rule
def go_on(s: State) -> None:
    """Z14: after noise, an ambush or sendings: resolve a waiting horde, then resume the turn."""
    if s.aside:
        s.aside = 0
        s.dead += ONE_HORDE
        s.turning = min(count(s.living), s.city)
        if s.turning > 0:
            s.cause = STAMPEDE
            s.phase = TURN
            return
    s.cause = NO_CAUSE
    s.place = 0
    s.targets = 0
    if s.resume == IN_MAIN:
        s.phase = MAIN
    elif s.resume == IN_ATTACK:
        attack(s)
    else:
        end_attack(s)


@rule
def legal_send(s: State, seat: int, mask: Cells) -> None:
    """Z11, Z14, Z18: any zombie that is still to be sent, to any seat that may still get one."""
    kinds = kinds_in(s.row if s.cause == STAMPEDE else s.zombies[seat])
    for zombie in range(3):
        if (kinds >> zombie) & 1:
            mask[1] |= s.targets << (A_SEND - 64 + 6 * zombie)


@rule
def step_send(s: State, seat: int, action: int) -> None:
    zombie = (action - A_SEND) // 6
    q = (action - A_SEND) % 6
    if s.cause == STAMPEDE:
        s.row -= 1 << (8 * zombie)
        s.zombies[q] += 1 << (8 * zombie)
        s.targets &= ~(1 << q)
        if s.row == 0:
            go_on(s)
        return
    move_zombie(s, seat, q, zombie)
    if s.zombies[seat] == 0:
        if s.cause == FALL:
            end_turn(s)
        else:
            go_on(s)


# ------------------------------------------------------------------ phase 2: the attack (Z16–Z18)
@rule
def begin_attack(s: State, seat: int) -> None:
    """Z16: all zombies that are in the shelter now attack."""
    s.attackers = s.zombies[seat]
    s.stopped = 0
    attack(s)


@rule
def attack(s: State) -> None:
    """Z16, Z17: while an attacker is neither killed nor stopped, barriers may be used; without any they strike."""
    if unstopped(s) == 0:
        end_attack(s)
    elif s.barriers[s.active] != 0:
        s.phase = ATTACK
    else:
        strike(s)


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
def step_attack(s: State, seat: int, action: int) -> None:
    if action == A_BRACE:
        strike(s)
    elif action == A_USE_BARRICADE:
        use_up(s, seat, BARRICADE)
        s.stopped += 1
        attack(s)
    elif action == A_USE_ALARM:
        use_up(s, seat, ALARM)
        s.attackers = 0
        make_noise(s, seat, AFTER_ATTACK)
    else:
        use_mines(s, seat, BLASTS[action - A_USE_MINES])


@rule
def use_mines(s: State, seat: int, part: int) -> None:
    """Z16, Z17: one or two zombies die, attackers of their type first; then noise."""
    use_up(s, seat, MINES)
    kill(s, seat, part)
    for zombie in range(3):
        s.attackers -= min(number(part, zombie), number(s.attackers, zombie)) << (8 * zombie)
    make_noise(s, seat, IN_ATTACK)


@rule
def strike(s: State) -> None:
    """Z17: every attacker still living and not stopped costs a survivor. The zombies stay."""
    losses = min(unstopped(s), s.people[s.active])
    s.people[s.active] -= losses
    s.lost += losses
    end_attack(s)


@rule
def end_attack(s: State) -> None:
    """Z18: a seat without survivors at the end of its phase 2 is out, with or without an attack."""
    s.attackers = 0
    s.stopped = 0
    if s.people[s.active] == 0:
        fall(s)
    else:
        begin_draw(s)


@rule
def fall(s: State) -> None:
    """Z18, Z21: hand and barriers are discarded, zombies go to the neighbours; a single seat left has won at once."""
    seat = s.active
    s.living &= ~(1 << seat)
    throw_hand(s, seat)
    throw_barriers(s, seat)
    if s.living & (s.living - 1) == 0:
        s.phase = OVER
    elif s.zombies[seat] == 0:
        end_turn(s)
    else:
        s.cause = FALL
        s.targets = (1 << left_of(s, seat)) | (1 << right_of(s, seat))
        s.phase = SEND


# ------------------------------------------------------------------ phase 3 and the end of a turn (Z06, Z19–Z22)
@rule
def begin_draw(s: State) -> None:
    """Z06, Z20: the hand is filled up to three, but not in the final attack."""
    if final_attack(s) or s.hand_len[s.active] == HAND:
        end_turn(s)
    else:
        renew(s)
        s.phase = DRAW


@rule
def renew(s: State) -> None:
    """Z19: when a card must be drawn and the deck is empty, all discards become the deck."""
    if s.deck == 0:
        s.pool = s.discard
        s.deck = count(s.discard)
        s.discard = 0
        s.renewals += 1
        remember_old(s)


@rule
def step_draw(s: State, kind: int) -> None:
    deal(s, s.active, kind)
    if s.hand_len[s.active] == HAND:
        end_turn(s)
    else:
        renew(s)


@rule
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
