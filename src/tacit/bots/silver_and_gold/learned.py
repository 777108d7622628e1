"""`learned` at Silver & Gold: a network that learned by playing against itself (docs/bots/learned.md)."""

from __future__ import annotations

from pathlib import Path

from tacit.bots.network.policy import choose_of
from tacit.bots.silver_and_gold.symmetry import SYMMETRY
from tacit.core.registry import game_named

NAME, GAME = "learned", "silver-and-gold"
STYLE = "Sees at a glance where a shape pays, and which island it will finish next."
ASSUMES = "Rivals that play as well as it does."
FILE = Path(__file__).with_name("learned.npz")

choose = choose_of(FILE, game_named(GAME), SYMMETRY)
