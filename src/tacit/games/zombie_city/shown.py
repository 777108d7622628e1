"""What a seat is told of a state of Zombie City, decided as numbers; `words.py` and `view.py` make words of them."""

from __future__ import annotations

from tacit.core.bits import count
from tacit.core.rulekit import rule
from tacit.games.zombie_city.board import *
from tacit.games.zombie_city.model import *

# Why a card in a hand can do nothing now (Z05, Z07–Z11). The last is a regular zombie on top; after it, other zombies.
(USEFUL, MATCH_OVER, NOT_BEGUN, NOT_YOUR_TURN, NOT_NOW, HAS_DISCARDED, NO_WEAK, NO_ZOMBIE, NO_ZOMBIE_CITY, CITY_EMPTY,
 NO_SURVIVOR, NO_ZOMBIE_SEND, NO_SABOTAGE, NO_BRIBERY, NO_EVICTION, ZOMBIE_ON_TOP) = range(16)  # fmt: skip

# What a seat is asked, or told instead. From ASKED_OF_ONE on the active seat decides.
(ASK_OVER, ASK_ANSWERED, ASK_ANSWER, ASK_OTHERS_ANSWER, ASK_TURN, ASK_FIRST, ASK_DEAL, ASK_STAMPEDE, ASK_FLIGHT,
 ASK_FALL, ASK_ATTACK, ASK_MAIN, ASK_DISCARDING, ASK_PLAYING, ASK_EMPTY) = range(15)  # fmt: skip
ASKED_OF_ONE = ASK_STAMPEDE

# Z21, Z22: why a match is over.
LAST_STANDING, CLEARED, CAP = range(3)


# ------------------------------------------------------------------ questions
@rule
def asked(k: State, seat: int) -> int:
    """What a seat is asked: a code below 16; + 16 times one more than the active seat, or 0 for that seat itself; + 128
    times the number of attackers.
    """
    if k.phase == OVER:
        return ASK_OVER
    if k.phase == ANSWER:
        if seat < 0 or seat >= k.seats:
            return ASK_OTHERS_ANSWER
        return ASK_ANSWERED if (k.answered >> seat) & 1 else ASK_ANSWER
    if k.phase == TURN:
        return ASK_TURN
    if k.phase == FIRST:
        return ASK_FIRST
    if k.phase != MAIN and k.phase != ATTACK and k.phase != SEND:
        return ASK_DEAL
    who = 0 if seat == k.active else (k.active + 1) << 4
    if k.phase == SEND:
        return ASK_STAMPEDE + k.cause - STAMPEDE | who
    if k.phase == ATTACK:
        return ASK_ATTACK | who | unstopped(k) << 7
    return (ASK_EMPTY if k.hand_len[k.active] == 0 else ASK_MAIN + k.stage) | who


@rule
def waiting(k: State) -> int:
    """What is under way and waits, in fields of bits, each 0 where nothing does: answers still missing (3 bits); the
    final attack (1); in how many quiet turns the match ends (3); why a City card is turned (3), and for which shelter,
    or how many (3); zombies to be sent (7); a second horde (1); the attack that goes on, as one more than its seat (3),
    and how many attackers (7).
    """
    found = k.seats - count(k.answered) if k.phase == ANSWER else 0
    if k.phase != OVER and final_attack(k):
        found |= 1 << 3
        if k.quiet != 0 and k.shows != NOTHING and no_zombie(k):
            found |= (count(k.living) - k.quiet) << 4
    if k.phase == TURN:
        found |= k.cause << 7 | (k.turning if k.cause == STAMPEDE else k.place) << 10
    if k.phase == SEND:
        found |= size(k.row if k.cause == STAMPEDE else k.zombies[k.active]) << 13
    found |= k.aside << 20
    if k.resume == IN_ATTACK and k.attackers != 0:
        found |= (k.active + 1) << 21 | unstopped(k) << 24
    return found


# ------------------------------------------------------------------ why not
@rule
def why_none_playable(k: State, seat: int) -> int:
    """Z05: why a seat can play no card of its hand now; USEFUL if it may play."""
    if k.phase == OVER:
        return MATCH_OVER
    if k.phase < MAIN:
        return NOT_BEGUN
    if k.active != seat:
        return NOT_YOUR_TURN
    if k.phase != MAIN:
        return NOT_NOW
    return HAS_DISCARDED if k.stage == DISCARDING else USEFUL


@rule
def why_useless(k: State, seat: int, kind: int) -> int:
    """Z07–Z11: why a card in a seat's hand would do nothing now; USEFUL if it would do something."""
    crowd = k.zombies[seat]
    if kind in (AXE, REVOLVER):
        return USEFUL if kinds_in(crowd) & 3 else NO_WEAK
    if kind == SHOTGUN:
        return USEFUL if crowd != 0 else NO_ZOMBIE
    if kind == SNIPER:
        return USEFUL if crowd != 0 or k.shows != NOTHING else NO_ZOMBIE_CITY
    if kind < BARRICADE:
        if survivor_on_top(k):
            return USEFUL
        return CITY_EMPTY if k.city == 0 else ZOMBIE_ON_TOP + k.shows
    if kind < SABOTAGE:
        return USEFUL
    if kind >= SACRIFICE:
        if kind == SACRIFICE and k.people[seat] == 0:
            return NO_SURVIVOR
        return USEFUL if crowd != 0 else NO_ZOMBIE_SEND
    return USEFUL if scheme_plays(k, seat) & SCHEMES[BASE[kind]] else NO_SABOTAGE + kind - SABOTAGE


# ------------------------------------------------------------------ the next attack, and the end
@rule
def attack_now(k: State) -> int:
    """Z16: one more than those that still strike in the attack under way, on the active seat's shelter; 0 for none."""
    return unstopped(k) + 1 if k.phase == ATTACK or k.attackers != 0 else 0


@rule
def ending(s: State) -> int:
    """Z21, Z22: why the match is over."""
    if count(s.living) == 1:
        return LAST_STANDING
    return CLEARED if cleared(s) else CAP
