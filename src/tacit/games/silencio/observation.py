"""What each cell of Silencio's tensor says, in the order in which `observe` writes them; the range of scores."""

from __future__ import annotations

from tacit.core.observation import RELATIVE_SEATS, Field
from tacit.games.silencio.model import COLOURS, TOP
from tacit.games.silencio.notation import CARD_NAMES, COLOUR_WORDS
from tacit.games.silencio.view import PHASE_WORDS

SEATS = RELATIVE_SEATS[:4]
SAID = ("nothing", "stuck", *(f"high {c}" for c in COLOUR_WORDS), *(f"avoid {c}" for c in COLOUR_WORDS))
FLAGS = ("no dark effect", "no light effect", "random card", "only green", "shrine taken", "forced", "rescue", "tavern")

OBSERVATION_VERSION = 2
FIELDS = (
    Field("hand", "set", "Your hidden cards.", CARD_NAMES),
    Field("known", "set", "Cards you know in the hidden hands of others.", CARD_NAMES, SEATS[1:]),
    Field("up", "set", "Face-up cards.", CARD_NAMES, SEATS),
    Field("seen", "set", "Your hidden cards that another seat, or everyone, knows.", CARD_NAMES, (*SEATS[1:], "all")),
    Field("oracle", "set", "Cards at the Oracle.", CARD_NAMES),
    Field("rows", "set", "Cards in the rows.", CARD_NAMES),
    Field("dark", "set", "Those of them that lie dark.", CARD_NAMES),
    Field("gone", "set", "Cards out of the game.", CARD_NAMES),
    Field("drawn", "one", "The card drawn in vain in this turn.", CARD_NAMES),
    Field("lit", "set", "Lit shrines.", (*COLOUR_WORDS, "large")),
    Field(
        "flags", "set",
        "What the next card may not bring or must be; whether a shrine was taken in this turn, the effect cannot be "
        "declined, you took it because you could not play; whether the tavern is in play.", FLAGS,
    ),
    Field("phase", "one", "What happens now.", PHASE_WORDS),
    Field("stage", "one", "How far the turn has come.", ("before", "played", "passed")),
    Field("effect", "one", "The colour whose light effect is, or was last, offered.", COLOUR_WORDS),
    Field("decider", "one", "Who is asked now.", SEATS),
    Field("active", "one", "Whose turn it is.", SEATS),
    Field("starter", "one", "Who claimed the start.", (*SEATS, "nobody")),
    Field("partner", "one", "With whom the chosen seat trades.", SEATS),
    Field("chosen", "one", "The seat that makes the exchange.", SEATS),
    Field("said", "one", "The last statement at the tavern.", SAID),
    Field("said_by", "one", "Who made it.", SEATS),
    Field("seats", "one", "How many seats there are.", ("2", "3", "4")),
    Field("hand_len", "number", "Hidden cards of each seat.", SEATS),
    Field("deck", "number", "Cards in the deck."),
    Field("darks", "number", "Dark effects towards the opening of the tavern."),
    Field("passes", "number", "Passes in a row."),
    Field("stuck", "number", "The number told with the statement “stuck”."),
    Field("turning", "number", "Oracle cards still to be turned up."),
    Field("unseen", "number", "Cards whose place you do not know."),
    Field("rules", "number", "The rules version."),
)  # fmt: skip


def score_range(seats: int) -> tuple[int, int]:
    """S11: at worst every card of the deck is left, at best none."""
    return -COLOURS * (TOP[seats] - 1), 0
