"""The probability that each seat wins, estimated at the beginning of a turn (a conditional logit model).

A seat's logit, in thousandths, is a sum of weights; its win probability is the softmax over the living seats.
`benchmarks/fit_zombie_city_win_chance.py` fitted the weights to matches between `steady` bots.
"""

from __future__ import annotations

import math

from tacit.bots.zombie_city.evaluation import count_of, is_final_attack, unanswered_zombies
from tacit.bots.zombie_city.win_chance_weights import WEIGHTS
from tacit.core.rulekit import constant_array, rule
from tacit.core.state_layout import Cells
from tacit.games.zombie_city.board import number, size
from tacit.games.zombie_city.model import *

STAGES, CROWDED, WALKING, OPEN_HALVES = 4, 8, 7, 12
AGE = 14  # City cards of one stage of the match
# Where each kind of weight begins. Survivors by stage; zombies; those that the hand cannot answer, in halves; …
PEOPLE = 0
ZOMBIES = PEOPLE + STAGES * CROWDED
STRONG_ONES = ZOMBIES + WALKING
OPEN = STRONG_ONES + 1
BARRIERS = OPEN + OPEN_HALVES
CARDS_FREE = BARRIERS + 3  # … each card in hand while a survivor is on top of the City, and while a zombie is …
CARDS_BLOCKED = CARDS_FREE + KINDS
MOVES = CARDS_BLOCKED + KINDS  # … who is about to move, with how many open zombies …
LAST_PEOPLE = MOVES + 1 + OPEN_HALVES  # … and the final attack
LAST_OPEN = LAST_PEOPLE + CROWDED
LAST_ZOMBIES = LAST_OPEN + OPEN_HALVES
SIZE = LAST_ZOMBIES + WALKING

SURE = 1000  # a match that is won
FINE = 16  # thousandths of a logit in one place of POWERS
LEAST = 511
POWERS = constant_array(round((1 << 20) * math.exp(-FINE * i / 1000)) for i in range(LEAST + 1))


@rule
def seat_logit(s: State, q: int, w: Cells, at: int) -> int:
    """A living seat's logit: the sum of the weights, from w[at] on, that apply to it."""
    people = min(max(s.people[q], 0), CROWDED - 1)
    zombies = min(size(s.zombies[q]), WALKING - 1)
    cards = s.hand[q] + 0
    open_ = min(unanswered_zombies(s.zombies[q], cards, s.shows, s.city) // 50, OPEN_HALVES - 1)
    found = w[at + PEOPLE + CROWDED * min(s.city // AGE, STAGES - 1) + people]
    found += w[at + ZOMBIES + zombies] + w[at + OPEN + open_]
    found += w[at + STRONG_ONES] * number(s.zombies[q], STRONG)
    for barrier in range(3):
        found += w[at + BARRIERS + barrier] * count_of(s.barriers[q], BARRICADE + barrier)
    first = at + (CARDS_FREE if s.shows == NOTHING else CARDS_BLOCKED)
    for kind in range(KINDS):
        found += w[first + kind] * count_of(cards, kind)
    if s.active == q:
        found += w[at + MOVES] + w[at + MOVES + 1 + open_]
    if is_final_attack(s.city, s.shows):
        found += w[at + LAST_PEOPLE + people] + w[at + LAST_OPEN + open_] + w[at + LAST_ZOMBIES + zombies]
    return found


@rule
def win_chance(s: State, seat: int) -> int:
    """The probability that a seat wins, in thousandths."""
    if (s.living >> seat) & 1 == 0:
        return 0
    at = 0 if s.seats == 2 else SIZE
    own = seat_logit(s, seat, WEIGHTS, at)
    total = 1 << 20
    for q in range(s.seats):
        if q != seat and (s.living >> q) & 1 == 1:
            ahead = seat_logit(s, q, WEIGHTS, at) - own
            if ahead > 0:
                total += (1 << 40) // POWERS[min(ahead // FINE, LEAST)]
            else:
                total += POWERS[min(-ahead // FINE, LEAST)]
    return (SURE << 20) // total
