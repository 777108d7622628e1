"""`partner` at Silencio: a network that learned by playing beside other bots (docs/bots/learned.md)."""

from __future__ import annotations

from pathlib import Path

from tacit.bots.network.policy import choose_of
from tacit.core.registry import game_named

NAME, GAME = "partner", "silencio"
STYLE = "Plays to what the others are likely to do, and makes up for much that goes wrong."
ASSUMES = "Little: that partners mean well, whether they play like steady, with whims, or like it."
FILE = Path(__file__).with_name("partner.npz")

choose = choose_of(FILE, game_named(GAME))
