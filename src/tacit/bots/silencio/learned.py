"""`learned` at Silencio: a network that learned by playing billions of decisions with itself (docs/bots/learned.md)."""

from __future__ import annotations

from pathlib import Path

from tacit.bots.network.policy import choose_of
from tacit.core.registry import game_named

NAME, GAME = "learned", "silencio"
STYLE = "Remembers who played what, reads much from it, and seldom leaves a card."
ASSUMES = "Partners that play and read as it does."
FILE = Path(__file__).with_name("learned.npz")

choose = choose_of(FILE, game_named(GAME))
