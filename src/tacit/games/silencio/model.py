"""Silencio's pieces: cards, the state, and the numbers that decisions and outcomes have."""

from __future__ import annotations

from typing import Annotated, Protocol

from tacit.core.state_layout import Cells

NAME, TITLE, RULES_VERSIONS = "silencio", "Silencio", (1, 2)
RULES = tuple(f"S{n:02}" for n in range(1, 27))
MIN_SEATS, MAX_SEATS = 2, 4
OPTIONS: dict[str, tuple[bool | str, ...]] = {"tavern": (False, True), "unlit": ("none", "large", "small", "all")}
UNLIT_NONE, UNLIT_LARGE, UNLIT_SMALL, UNLIT_ALL = range(4)
SILENT = True
COOPERATIVE = True
DIVERGENT = True  # measured on a GPU: docs/benchmarks.md

# A card is colour * 12 + rank - 2. A set of cards is a 48-bit integer; a row is a set too, since its cards only rise.
RED, BLUE, YELLOW, GREEN = range(4)
COLOURS, RANKS, CARDS = 4, 12, 48
COLOUR = (1 << RANKS) - 1  # the cards of one colour, shifted down to bit 0
EVERY_CARD = (1 << CARDS) - 1
GREENS = COLOUR << (GREEN * RANKS)
BLUES = COLOUR << (BLUE * RANKS)
REDS = COLOUR << (RED * RANKS)
# The cards that are at least 1, 2, 4 and 8 ranks below the highest of their colour.
BELOW_1, BELOW_2, BELOW_4, BELOW_8 = (
    sum((COLOUR >> ranks) << (colour * RANKS) for colour in range(COLOURS)) for ranks in (1, 2, 4, 8)
)
TOP = (0, 0, 8, 10, 13)  # the highest rank, by number of seats
HAND = (0, 0, 6, 6, 5)  # cards dealt to each
LARGE = 4  # the large shrine's number; a small shrine has its colour's
PUBLIC = 4  # the index in `known` of what spectators know too

# The phases. Chance decides in DEAL, ORACLE and DRAW, the decider in the others (CLAIM: every seat). CHOOSE,
# after an unplayable card was drawn, is of version 1: since version 2 the seat takes a normal turn.
(DEAL, ORACLE, CLAIM, PASSING, TURN, DRAW, CHOOSE, LIGHT, SEND, EXCHANGE, TRADE, RETURN, LAY, END, OVER) = range(15)
PHASES = 15

# The stages of a turn.
BEFORE, PLAYED, PASSED = range(3)

# Decisions. A card's or a seat's number means what the phase asks for: play, give, take, show or exchange that card;
# choose or trade with that seat. A_SEND + 4 * i + seat sends the i-th Oracle card to a seat.
A_CARD, A_SEND, A_SEAT = 0, 48, 64
A_CLAIM, A_DRAW, A_PASS, A_USE, A_SKIP, A_RENEW, A_END = range(68, 75)
A_SHRINE, A_SHRINE_LARGE, A_STUCK, A_HIGH, A_AVOID = 75, 79, 83, 84, 88
ACTIONS, OUTCOMES = 92, CARDS
# Blue cards never leave their row, so at most 12 + 2 cards are ever taken back: at most 62 plays, each in a turn of at
# most 15 decisions. Between two plays, or around one of 5 shrines taken without a play, are at most 3 passes of 3
# decisions.
MAX_DECISIONS = 62 * 15 + (62 + 5) * 9 + 5 * 15 + 24

# Public statements at the tavern, as `said` remembers the last one.
NOTHING_SAID, SAID_STUCK, SAID_HIGH, SAID_AVOID = 0, 1, 2, 6


class State(Protocol):
    """A match, or what one seat knows of it."""

    seats: Annotated[int, "i1"]
    rules: Annotated[int, "i1"]  # the rules version this match is played by
    tavern: Annotated[int, "i1"]  # option: 0 or 1
    unlit: Annotated[int, "i1"]  # option: UNLIT_…
    phase: Annotated[int, "i1"]
    starter: Annotated[int, "i1"]  # who claimed the start; -1 before
    active: Annotated[int, "i1"]  # whose turn it is
    decider: Annotated[int, "i1"]  # who decides now (DEAL: who gets the card)
    stage: Annotated[int, "i1"]  # BEFORE, PLAYED, PASSED
    effect: Annotated[int, "i1"]  # LIGHT: the colour whose light effect is offered
    forced: Annotated[int, "i1"]  # LIGHT: it comes from a shrine and cannot be declined
    rescue: Annotated[int, "i1"]  # the shrine was taken by a seat that could not play (S21); that seat's secret
    partner: Annotated[int, "i1"]  # TRADE, RETURN: with whom the chosen seat trades
    chosen: Annotated[int, "i1"]  # EXCHANGE … LAY: the seat that makes the exchange
    turning: Annotated[int, "i1"]  # ORACLE: cards still to be turned up
    passes: Annotated[int, "i1"]  # in a row
    shrined: Annotated[int, "i1"]  # a shrine was taken in this turn
    no_dark: Annotated[int, "i1"]  # red light: the next card creates no dark effect
    no_light: Annotated[int, "i1"]  # red dark: the next card creates no light effect
    duty: Annotated[int, "i1"]  # yellow dark: the next hand card played is a random one
    only_green: Annotated[int, "i1"]  # green dark: the next card must be green
    darks: Annotated[int, "i1"]  # dark effects towards the opening of the tavern; 3: it is open
    said: Annotated[int, "i1"]  # the last statement at the tavern; then who made it, and its number
    said_by: Annotated[int, "i1"]
    stuck: Annotated[int, "i1"]
    drawn: Annotated[int, "i1"]  # the unplayable card drawn in this turn, plus 1; 0: none
    lit: Annotated[int, "i1"]  # set of the lit shrines
    deck: Annotated[int, "i1"]  # cards in the deck
    hand_len: Annotated[Cells, "i1", 4]  # hidden cards of each seat
    pool: Annotated[int, "i8"]  # the deck's cards; in knowledge: every card whose place is unknown
    rows: Annotated[int, "i8"]  # cards in the rows, and which of them lie dark
    dark: Annotated[int, "i8"]
    oracle: Annotated[int, "i8"]
    gone: Annotated[int, "i8"]  # out of the game
    hand: Annotated[Cells, "i8", 4]  # hidden cards; in knowledge of others: those the seat knows
    up: Annotated[Cells, "i8", 4]  # face-up cards
    known: Annotated[Cells, "i8", 5]  # the cards in others' hidden hands that a seat (or the PUBLIC) knows
    # What passes, draws, shrines and statements prove to all of a seat's hidden cards, until one of them moves unseen:
    lacks: Annotated[Cells, "i8", 4]  # it holds none of these,
    holds: Annotated[Cells, "i8", 4]  # at least one of these (empty: nothing is proved); bit CARDS + c: a high c,
    counted: Annotated[Cells, "i8", 4]  # and of these (empty: nothing is proved) …
    counted_of: Annotated[Cells, "i1", 4]  # … exactly so many
