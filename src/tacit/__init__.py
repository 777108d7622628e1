"""tacit: four card games that live on what is not said, as exact and very fast rules."""

from typing import TYPE_CHECKING

from tacit.core.chance import Paired, Seeded, System
from tacit.core.errors import (
    BadDeck,
    BadOptions,
    BadRecord,
    DeckWarning,
    Finding,
    IllegalDecision,
    TacitError,
    UnknownGame,
)
from tacit.core.game import Game
from tacit.core.match import SeatView
from tacit.core.messages import Message, render
from tacit.core.registration import offer_to_gymnasium
from tacit.core.registry import game_named, game_names, register
from tacit.games import GAMES
from tacit.review import review

if TYPE_CHECKING:
    from tacit.typed_match import Match  # the same class, which knows the types of the games that are here
else:
    from tacit.core.match import Match

__version__ = "0.2.0"
__all__ = [
    "GAMES",
    "BadDeck",
    "BadOptions",
    "BadRecord",
    "DeckWarning",
    "Finding",
    "Game",
    "IllegalDecision",
    "Match",
    "Message",
    "Paired",
    "SeatView",
    "Seeded",
    "System",
    "TacitError",
    "UnknownGame",
    "game_named",
    "game_names",
    "register",
    "render",
    "review",
]

offer_to_gymnasium()
