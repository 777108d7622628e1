"""What each cell of Silver & Gold's tensor says, in the order in which `observe` writes them; the range of scores."""

from __future__ import annotations

from tacit.core.observation import RELATIVE_SEATS, Field, name_product
from tacit.games.silver_and_gold.deck import CARD_NAMES, CARDS, COLOUR_WORDS, COPIES, SIZES
from tacit.games.silver_and_gold.model import COIN_FIELDS, PALM_FIELDS, TROPHIES
from tacit.games.silver_and_gold.notation import CELL_NAMES
from tacit.games.silver_and_gold.shapes import SHAPE_NAMES
from tacit.games.silver_and_gold.view import PHASE_WORDS

SEATS, CARD = RELATIVE_SEATS[:4], ("card 1", "card 2")
ISLAND = (
    *CELL_NAMES,
    *(f"{symbol} {cell}" for symbol in ("cross", "coin", "palm") for cell in CELL_NAMES),
    *COLOUR_WORDS,
    *(f"seal {colour} {points}" for colour in COLOUR_WORDS for points in (1, 2)),
)

FIELDS = (
    Field("hand", "set", "The four dealt cards, until all have chosen.", ISLAND, tuple("1234")),
    Field("cards", "set", "Each seat's two cards.", ISLAND, name_product(SEATS, CARD)),
    Field("free", "set", "Their free cells; others' as they lie open.", CELL_NAMES, name_product(SEATS, CARD)),
    Field("pending", "set", "What you crossed off in this turn.", CELL_NAMES, CARD),
    Field("display", "set", "The cards on display.", ISLAND, tuple("1234")),
    Field("pool", "set", "Cards that may be in the deck; at first: in a hand.", CARD_NAMES),
    Field("phase", "one", "What happens now.", PHASE_WORDS),
    Field("shape", "one", "The expedition.", SHAPE_NAMES),
    Field("starter", "one", "The starting seat.", SEATS),
    Field("active", "one", "Who takes a card, or is dealt one.", SEATS),
    Field("done", "set", "Seats that have made their sealed choice.", SEATS),
    Field("seats", "one", "How many seats there are.", ("2", "3", "4")),
    Field("unseen", "number", "Expeditions that did not come up in this round.", SHAPE_NAMES),
    Field("completed", "number", "Completed cards by colour.", COLOUR_WORDS, SEATS),
    Field("seals", "number", "Worth of the seals on completed cards, by the seal's colour.", COLOUR_WORDS, SEATS),
    Field("coins", "number", "Coin fields filled.", SEATS),
    Field("rows", "number", "Coin rows filled in this turn whose trophies are still to come.", SEATS),
    Field("trophies", "number", "Points of trophies.", SEATS),
    Field("palms", "number", "Palm fields filled.", SEATS),
    Field("palm", "number", "Their points (127 stands for more).", SEATS),
    Field("bonus", "number", "Cells you still cross off for cross symbols."),
    Field("kept", "number", "The pair you chose, from 1; 0 before."),
    Field("takes", "number", "Cards that the active seat still takes."),
    Field("turn", "number", "Turns played, 0 to 27."),
    Field("left", "number", "Cards in the deck."),
    Field("given", "number", "Trophies that are gone."),
    Field("palms_shown", "number", "Palms on the display."),
)  # fmt: skip


def score_range(seats: int) -> tuple[int, int]:
    """G12: bounds, not reached: every coin, trophy and palm, every card completed and each with a seal for all."""
    cards = sum(copies * size for copies, size in zip(COPIES, SIZES, strict=True))
    palms = PALM_FIELDS * (1 + 4 * 16)
    return 0, COIN_FIELDS + sum(range(1, TROPHIES + 1)) + palms + cards + CARDS * 2 * max(COPIES)
