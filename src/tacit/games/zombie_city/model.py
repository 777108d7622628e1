"""Zombie City's pieces: cards, zombies, the state, and the numbers that decisions and outcomes have."""

from __future__ import annotations

from itertools import accumulate
from typing import Annotated, Protocol

from tacit.core.rulekit import constant_array
from tacit.core.state_layout import Cells

NAME, TITLE, RULES_VERSIONS = "zombie-city", "Silenz: Zombie City", (1, 2)
RULES = tuple(f"Z{n:02}" for n in range(1, 24))
MIN_SEATS, MAX_SEATS = 2, 6
OPTIONS: dict[str, tuple[bool | int, ...]] = {"survivors": (2, 1, 3), "expert": (False, True)}
FIRST_SURVIVORS = (2, 1, 3)  # by the option's index
SILENT = False
DIVERGENT = True  # measured on a GPU: docs/benchmarks.md

# Z02: the resource cards. A set of them is a 55-bit integer in which each kind has a field as wide as it has copies,
# filled from the bottom: n copies are the field's n lowest bits. Equal cards are thus alike, and a set is counted,
# drawn from and compared like any set of numbers.
(AXE, SHOTGUN, REVOLVER, SNIPER, WALKIE, FLARE, MEGAPHONE, BARRICADE, ALARM, MINES, SABOTAGE, BRIBERY, EVICTION,
 SACRIFICE, DRONE, SURPRISE) = range(16)  # fmt: skip
KINDS, CARDS = 16, 55
COPIES = (3, 6, 4, 2, 4, 3, 4, 4, 2, 2, 2, 2, 2, 2, 6, 7)
BASE = tuple(end - n for end, n in zip(accumulate(COPIES), COPIES, strict=True))
FIELD = tuple(((1 << n) - 1) << base for n, base in zip(COPIES, BASE, strict=True))
FIELD_OF = constant_array(field for field, n in zip(FIELD, COPIES, strict=True) for _ in range(n))  # by card
FIRSTS = sum(1 << base for base in BASE)  # the lowest bit of every field
EVERY_CARD = (1 << CARDS) - 1
LOUD = sum(1 << kind for kind in (SHOTGUN, REVOLVER, SNIPER, FLARE, MEGAPHONE, ALARM, MINES, SABOTAGE, EVICTION))  # ♪
LOUD_KINDS = 9
BARRIERS = COPIES[BARRICADE] + COPIES[ALARM] + COPIES[MINES]  # cards that are laid in a shelter
HAND = 3

# Z01: the backs of the City cards, as a set in the same layout.
REGULAR, FAST, STRONG, HORDE = range(4)
BACKS = (23, 18, 12, 2)
BACK_BASE = (0, 23, 41, 53)
BACK_FIELD = tuple(((1 << n) - 1) << base for n, base in zip(BACKS, BACK_BASE, strict=True))
BACK_FIRSTS = sum(1 << base for base in BACK_BASE)
EVERY_BACK = sum(BACK_FIELD)
NOTHING = -1  # what the City deck shows while a survivor lies on top, or nothing at all

# A crowd of zombies is an integer with a byte a kind: how many there are of it.
ONE_REGULAR, ONE_FAST, ONE_STRONG, ONE_HORDE = 1, 1 << 8, 1 << 16, 1 << 24
# What one shotgun or one load of mines can kill, in the order of the decisions.
SHOTS = (ONE_STRONG, ONE_REGULAR, ONE_FAST, 2 * ONE_REGULAR, ONE_REGULAR + ONE_FAST, 2 * ONE_FAST)
BLASTS = (
    ONE_REGULAR, ONE_FAST, ONE_STRONG,
    2 * ONE_REGULAR, ONE_REGULAR + ONE_FAST, ONE_REGULAR + ONE_STRONG,
    2 * ONE_FAST, ONE_FAST + ONE_STRONG, 2 * ONE_STRONG,
)  # fmt: skip

# What happens now. Chance acts in DEAL, REDEAL, FIRST, TURN and DRAW; ANSWER asks all seats, the rest the active one.
DEAL, ANSWER, REDEAL, FIRST, MAIN, TURN, SEND, ATTACK, DRAW, OVER = range(10)
PHASES = 10

# Z05: what the active seat has begun in its phase 1.
UNDECIDED, DISCARDING, PLAYING = range(3)

# Why a City card is turned, or why zombies are sent.
NO_CAUSE, NOISE, AMBUSH, STAMPEDE, FLIGHT, FALL = range(6)  # Z13, Z11 surprise, Z14, Z11 sacrifice, Z18
CAUSES = 6

# Where the turn goes on after noise and hordes.
IN_MAIN, IN_ATTACK, AFTER_ATTACK = range(3)

# Decisions. The first word of a mask holds those that name no seat, the second those that do: a kind of zombie and a
# seat are 6 * kind + seat. A sending has the number of the drone's decision with the same zombie and seat.
A_DISCARD, A_NOISE = 0, 16
A_AXE, A_REVOLVER, A_SHOTGUN, A_SNIPER, A_SNIPE_CITY = 25, 27, 29, 35, 38
A_WALKIE, A_FLARE, A_MEGAPHONE, A_BARRICADE, A_ALARM, A_MINES, A_SACRIFICE, A_DONE = range(39, 47)
A_USE_BARRICADE, A_USE_ALARM, A_BRACE, A_USE_MINES, A_KEEP, A_REDRAW = 47, 48, 49, 50, 59, 60
A_SABOTAGE, A_BRIBERY, A_EVICTION, A_DRONE, A_SURPRISE = 64, 70, 76, 82, 100
A_SEND = A_DRONE
# The cards that the decisions of MAIN discard or play, in their order; 0 for A_DONE and what is no decision of MAIN.
CARD_OF = constant_array(
    [
        *range(KINDS), *(kind for kind in range(KINDS) if LOUD >> kind & 1), *[AXE] * 2, *[REVOLVER] * 2,
        *[SHOTGUN] * 6, *[SNIPER] * 4, WALKIE, FLARE, MEGAPHONE, BARRICADE, ALARM, MINES, SACRIFICE,
        *[0] * (A_SABOTAGE - A_DONE), *[SABOTAGE] * 6, *[BRIBERY] * 6, *[EVICTION] * 6, *[DRONE] * 18, *[SURPRISE] * 18,
    ]
)  # fmt: skip
DISCARDS, NOISES = (1 << A_NOISE) - 1, (1 << A_AXE) - (1 << A_NOISE)
RESCUES, LAYING = (1 << A_BARRICADE) - (1 << A_WALKIE), (1 << A_SACRIFICE) - (1 << A_BARRICADE)
NO_CARD = CARDS  # one more than any card has: an empty place in a hand
ACTIONS, OUTCOMES = 118, KINDS


def decisions_by_card(first: int, end: int) -> list[int]:
    """By card: the decisions from `first` on that discard or play it, as a word of a mask; none of NO_CARD."""
    by_kind = [sum(1 << (a - first) for a in range(first, end) if CARD_OF[a] == kind) for kind in range(KINDS)]
    return [*(by_kind[kind] for kind in range(KINDS) for _ in range(COPIES[kind])), 0]


USES, SCHEMES = (constant_array(decisions_by_card(*part)) for part in ((0, A_DONE), (A_SABOTAGE, ACTIONS)))
TURNS = 60  # Z22: a seat
# At most 60 turns a seat are played, with at most three cards, `done`, `brace` and (each was a card before) three
# barriers: 8 decisions. A sacrifice costs a survivor and sends zombies; of the 55 City cards a are survivors and b
# zombies, so all sacrifices send at most a * b <= 27 * 28. Five seats that fall send at most 53 each, the two hordes
# 6 each, and every seat answers once.
MAX_DECISIONS = 8 * TURNS * MAX_SEATS + 27 * 28 + 5 * 53 + 2 * 6 + MAX_SEATS


class State(Protocol):
    """A match, or what one seat knows of it."""

    seats: Annotated[int, "i1"]
    rules: Annotated[int, "i1"]  # the rules version this match is played by
    survivors: Annotated[int, "i1"]  # option: index into FIRST_SURVIVORS
    expert: Annotated[int, "i1"]  # option: 0 or 1
    phase: Annotated[int, "i1"]
    active: Annotated[int, "i1"]  # whose turn it is
    taker: Annotated[int, "i1"]  # DEAL, REDEAL: who gets the card
    living: Annotated[int, "i1"]  # set of the seats that are not out
    answered: Annotated[int, "i1"]  # Z04: set of the seats that have answered, and of those that redraw (sealed)
    redraws: Annotated[int, "i1"]
    stage: Annotated[int, "i1"]  # UNDECIDED, DISCARDING, PLAYING
    cause: Annotated[int, "i1"]  # TURN, SEND: why
    place: Annotated[int, "i1"]  # TURN: the shelter that the noise or the ambush is for
    resume: Annotated[int, "i1"]  # where the turn goes on afterwards
    turning: Annotated[int, "i1"]  # STAMPEDE: City cards still to be turned
    aside: Annotated[int, "i1"]  # 1: a second horde waits
    targets: Annotated[int, "i1"]  # SEND: set of the seats that zombies may still be sent to
    stopped: Annotated[int, "i1"]  # attackers stopped by barricades in this attack
    city: Annotated[int, "i1"]  # cards in the City deck, the one that shows a zombie included
    shows: Annotated[int, "i1"]  # the zombie on top of it, or NOTHING
    lost: Annotated[int, "i1"]  # survivors that have left the game
    deck: Annotated[int, "i1"]  # resource cards in the deck
    renewals: Annotated[int, "i1"]  # how often the discards became the deck
    last: Annotated[int, "i1"]  # the last open decision: two that change nothing else must not look alike
    quiet: Annotated[int, "i1"]  # Z21: turns in a row that ended in the final attack with no zombie in any shelter
    turns: Annotated[int, "i2"]  # played to their end
    row: Annotated[int, "i4"]  # STAMPEDE: the crowd turned up and not yet sent
    attackers: Annotated[int, "i4"]  # the crowd that attacks and still lives
    dead: Annotated[int, "i4"]  # the crowd that has left the game, hordes included
    people: Annotated[Cells, "i1", 6]  # survivors in each shelter
    hand_len: Annotated[Cells, "i1", 6]
    thrown: Annotated[Cells, "i2", 6]  # Z04: the three cards of a hand thrown away for a new one, four bits each
    zombies: Annotated[Cells, "i4", 6]  # the crowd in each shelter
    pool: Annotated[int, "i8"]  # the deck's cards; in knowledge: every card whose place is unknown
    discard: Annotated[int, "i8"]
    backs: Annotated[int, "i8"]  # all backs that were never turned
    hand: Annotated[Cells, "i8", 6]  # in knowledge: the seat's own only
    barriers: Annotated[Cells, "i8", 6]
    # When the discards become the deck, all other cards but the barriers are in hands: what they are is known to all,
    # until a card leaves a hand that may be one of them or one drawn since.
    old: Annotated[int, "i8"]  # those that are still in hands, all together,
    kept: Annotated[Cells, "i1", 6]  # how many each hand has,
    olds: Annotated[Cells, "i8", 6]  # and which; in knowledge: the seat's own only
