"""Silver & Gold's pieces: the deck as constant arrays, the state, and the numbers that decisions and outcomes have."""

from __future__ import annotations

from importlib import resources
from typing import Annotated, Protocol

from tacit.core.rulekit import constant_array
from tacit.core.state_layout import Cells, Grid
from tacit.games.silver_and_gold.deck import CARDS, COIN, COPIES, CROSS, PALM, SIZES, Card, Deck, read_deck

NAME, TITLE, RULES_VERSIONS = "silver-and-gold", "Silver & Gold", (1,)
RULES = tuple(f"G{n:02}" for n in range(1, 15))
MIN_SEATS, MAX_SEATS = 2, 4
PACKED = True  # measured on a GPU: docs/benchmarks.md
COLOURS = 4
CELLS = 16  # the cell in column x and row y is bit 4 * y + x of a set of cells

DEALT, KEPT, DISPLAY = 4, 2, 4
ROUNDS, ROUND = 4, 7
TURNS = ROUNDS * ROUND
TROPHIES = 6  # worth 6, 5, …, 1
COIN_ROW, COIN_FIELDS, PALM_FIELDS = 4, 12, 4
WHOLE_DECK = (1 << CARDS) - 1
COLOUR_CARDS = tuple(
    ((1 << COPIES[c]) - 1) << sum(COPIES[:c]) for c in range(COLOURS)
)  # the set of each colour's cards
# The two of four dealt cards that are kept, by their places among the four: in the order of the cards.
PAIRS = ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))


def deck_constants(deck: Deck) -> dict[str, object]:
    """G03: the constants below, as a deck has them; other rules follow from them alone."""
    return {
        "DECK": deck.digest,
        "OPTIONS": {"deck": (deck.digest,)},
        "ISLANDS": constant_array(card.cells() for card in deck.cards),
        "CROSSES": constant_array(card.cells(CROSS) for card in deck.cards),
        "COINS": constant_array(card.cells(COIN) for card in deck.cards),
        "PALMS": constant_array(card.cells(PALM) for card in deck.cards),
        "PICTURES": tuple(tuple(row.ljust(4, ".") for row in (*card.rows, *[""] * 4)[:4]) for card in deck.cards),
        "SEALS": constant_array(-1 if card.seal is None else card.seal[0] for card in deck.cards),
        "SEAL_WORTH": constant_array(0 if card.seal is None else card.seal[1] for card in deck.cards),
        "SEALED": constant_array(
            sum(1 << card.number for card in deck.cards if card.seal == (colour, worth))
            for colour in range(COLOURS)
            for worth in (1, 2)
        ),
        "FRONTS": constant_array(
            [
                *(card.cells() | card.cells(CROSS) << CELLS | card.cells(COIN) << 2 * CELLS for card in deck.cards),
                0,
            ]
        ),
        "RESTS": constant_array([*(_rest(card) for card in deck.cards), 0]),
    }


def _rest(card: Card) -> int:
    """What `FRONTS` has not: palms, then the colour, then the seals of each colour, worth 1 and 2."""
    rest = card.cells(PALM) | 1 << CELLS + card.colour
    if card.seal is not None:
        rest |= 1 << CELLS + COLOURS + 2 * card.seal[0] + card.seal[1] - 1
    return rest


_own = deck_constants(read_deck(resources.files(__package__).joinpath("islands.deck").read_text("ascii")))
DECK: str = _own["DECK"]  # type: ignore[assignment]
OPTIONS: dict[str, tuple[str, ...]] = _own["OPTIONS"]  # type: ignore[assignment]
ISLANDS: memoryview = _own["ISLANDS"]  # type: ignore[assignment]  # each card's cells
CROSSES: memoryview = _own["CROSSES"]  # type: ignore[assignment]  # those of them with a cross, a coin, a palm
COINS: memoryview = _own["COINS"]  # type: ignore[assignment]
PALMS: memoryview = _own["PALMS"]  # type: ignore[assignment]
SEALS: memoryview = _own["SEALS"]  # type: ignore[assignment]  # the seal's colour, or -1
SEAL_WORTH: memoryview = _own["SEAL_WORTH"]  # type: ignore[assignment]
SEALED: memoryview = _own["SEALED"]  # type: ignore[assignment]  # the set of cards with each seal, worth 1 and 2
# Each card as two sets of tensor cells; the last entry (index -1) is for no card.
FRONTS: memoryview = _own["FRONTS"]  # type: ignore[assignment]
RESTS: memoryview = _own["RESTS"]  # type: ignore[assignment]
PICTURES: tuple[tuple[str, ...], ...] = _own["PICTURES"]  # type: ignore[assignment]  # four rows of four signs, for people

# The phases. Chance decides in DEAL, SHOW, START, REVEAL and BLIND; in KEEP and CROSS_OFF all choose at once.
(DEAL, KEEP, SHOW, START, REVEAL, CROSS_OFF, TAKE, BLIND, OVER) = range(9)
PHASES = 9

# Decisions. KEEP: a pair of PAIRS. TAKE: a card, or A_DECK. CROSS_OFF: 64 a slot, first its 16 single cells (a bonus,
# too), then the 48 places of the shape.
A_DECK, A_SLOT, A_MARK = CARDS, 64, 16
ACTIONS, OUTCOMES = 2 * A_SLOT, CARDS
KEEP_TEXT, MARK_TEXT, CROSS_TEXT, BONUS_TEXT, TAKE_TEXT = range(5)  # what a text says, where it is a number
DEAL_TEXT, SHOW_TEXT, START_TEXT, EXPEDITION_TEXT, BLIND_TEXT = range(5, 10)  # and of the outcomes of chance
# Each mark, cross and bonus uses up a cell of a card, and no card comes to the table twice: at most 520 of them,
# whatever the deck's symbols; each taking uses up a card; and each of four seats keeps once.
MAX_DECISIONS = sum(copies * size for copies, size in zip(COPIES, SIZES, strict=True)) + CARDS + MAX_SEATS


class State(Protocol):
    """A match, or what one seat knows of it.

    While a turn's crossings are sealed (CROSS_OFF), `free` and the sheets are as they were when the turn began: what
    a seat has crossed off since is in its own `pending`, and counts when the seal is opened.
    """

    seats: Annotated[int, "i1"]
    deck: Annotated[int, "i1"]  # option: always 0, since the deck is in the constants
    phase: Annotated[int, "i1"]
    turn: Annotated[int, "i1"]  # 0–27
    starter: Annotated[int, "i1"]  # -1 before there is one
    active: Annotated[int, "i1"]  # DEAL: who gets the card; TAKE, BLIND, SHOW: who settles
    takes: Annotated[int, "i1"]  # TAKE, BLIND: cards that the active seat still takes
    shape: Annotated[int, "i1"]  # the expedition; -1 between turns
    done: Annotated[int, "i1"]  # set of the seats that are done, while choices are sealed
    left: Annotated[int, "i1"]  # cards in the deck
    given: Annotated[int, "i1"]  # trophies that are gone
    unseen: Annotated[Cells, "i1", 6]  # expedition cards of each shape that did not come up in this round
    pool: Annotated[int, "i8"]  # the deck's cards; in knowledge: every card whose place is unknown
    display: Annotated[int, "i8"]
    hand: Annotated[Cells, "i8", 4]  # the four dealt cards, until all have chosen: a secret
    kept: Annotated[Cells, "i1", 4]  # the pair chosen of them and 1 more, 0 before: sealed
    completed: Annotated[Cells, "i8", 4]
    card: Annotated[Grid, "i1", 4, 2]  # the two cards of each seat, -1 for none
    free: Annotated[Grid, "i4", 4, 2]  # their free cells
    pending: Annotated[Grid, "i4", 4, 2]  # cells crossed off in this turn: sealed
    bonus: Annotated[Cells, "i2", 4]  # cells still to cross off for cross symbols: sealed
    main: Annotated[Cells, "i2", 4]  # the mark or cross of this turn and 1 more, 0 before: sealed, then open
    rows: Annotated[Cells, "i1", 4]  # coin rows filled in this turn whose trophies are still to come
    coins: Annotated[Cells, "i1", 4]
    trophies: Annotated[Grid, "i1", 4, 3]  # points of each coin row's trophy
    palms: Annotated[Cells, "i1", 4]  # palm fields filled
    palm: Annotated[Grid, "i1", 4, 4]  # their points
