"""Silent Planet's pieces: cards, the state, and the numbers that decisions and outcomes have."""

from __future__ import annotations

from typing import Annotated, Protocol

from tacit.core.state_layout import Cells

NAME, TITLE, RULES_VERSIONS = "silent-planet", "Silent Planet", (1,)
RULES = tuple(f"P{n:02}" for n in range(1, 13))
MIN_SEATS, MAX_SEATS = 2, 6
OPTIONS: dict[str, tuple[bool | str, ...]] = {}
SILENT = True
COOPERATIVE = True

# A kind of card is 0–4 for the aliens 1–5, and the machine. Cards of a kind are alike, so a bag of cards is six counts
# of four bits; a row is nine places of four bits, each a kind plus one, or 0 where the card is not known or not laid.
KINDS, MACHINE, ALIENS = 6, 5, 5
CARDS = 55
BAG = 15 | 12 << 4 | 9 << 8 | 6 << 12 | 4 << 16 | 9 << 20
SINGLE, SEVERAL = 0x11111, 0xEEEEE  # of the aliens' counts in a bag: the lowest bits, and those set from two on
PLACES = 9  # in a row; the places of all rows are bits 9 * seat + place, in clockwise order
ROW = (1 << PLACES) - 1
HAND = PLACES  # cards of each seat; a row is laid from its first place on
TEAM = 5
ROUNDS = 3
HISTORY = 6  # bits for the number that a card turned up has, 1–54

# What happens now. Chance acts in DEAL and START.
DEAL, ARRANGE, START, POINT, OVER = range(5)
PHASES = 5

# Decisions: place a card of a kind, reveal or point at a place, be ready. Outcomes: a kind dealt, or the first seat.
A_PLACE, A_REVEAL, A_READY, A_POINT = 0, 6, 15, 16
ACTIONS, OUTCOMES = 25, 6
# Each seat places nine cards and is ready; each card is revealed (one decision) or at last pointed at (three rounds of
# at most five deciders).
MAX_DECISIONS = MAX_SEATS * (PLACES + 1) + MAX_SEATS * PLACES * ROUNDS * (MAX_SEATS - 1)

# P11. What a decider may signal, and how often in one decision.
SIGNALS = ("nod", "shake", "shrug", "fingers 1", "fingers 2", "fingers 3", "fingers 4", "fingers 5", "fingers x")
SIGNAL_LIMIT = 3


class State(Protocol):
    """A match, or what one seat knows of it."""

    seats: Annotated[int, "i1"]
    phase: Annotated[int, "i1"]
    dealt: Annotated[int, "i1"]  # cards dealt so far, to all seats together
    ready: Annotated[int, "i1"]  # set of the seats that are ready
    first: Annotated[int, "i1"]  # the seat that chance drew; -1 before
    turn: Annotated[int, "i1"]  # whose row is pointed at; -1 before the first turn
    round: Annotated[int, "i1"]  # of pointing, from 1
    pointed: Annotated[int, "i1"]  # set of the deciders that have pointed in this round
    teams: Annotated[int, "i1"]  # completed
    turned: Annotated[int, "i1"]  # cards turned up so far
    pointers: Annotated[int, "i4"]  # four bits a seat: the place it pointed at last in this turn, plus one
    settled: Annotated[int, "i4"]  # the pointers that turned up the last card; all have seen them
    team: Annotated[int, "i4"]  # the current team, a bag
    pool: Annotated[int, "i4"]  # the cards not dealt, a bag; in knowledge: every card whose place is unknown
    hand: Annotated[Cells, "i4", 6]  # cards still to be placed, a bag; in knowledge: only one's own
    down: Annotated[int, "i8"]  # set of the places whose card lies face down
    hints: Annotated[int, "i8"]  # set of the places revealed (P04); in knowledge while rows are made: one's own
    ended: Annotated[int, "i8"]  # set of the numbers of the cards turned up that ended a team …
    completed: Annotated[int, "i8"]  # … and of those that completed it
    row: Annotated[Cells, "i8", 6]  # each card as it was placed; it stays here when it is turned up
    history: Annotated[Cells, "i8", 6]  # six bits a place: as which card of the match it was turned up, from 1
