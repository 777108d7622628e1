"""`learned` at Silent Planet: a network that imitated `coded` and then went its own way (docs/bots/learned.md)."""

from __future__ import annotations

from pathlib import Path

from tacit.bots.network.policy import choose_of
from tacit.core.registry import game_named

NAME, GAME = "learned", "silent-planet"
STYLE = "Lays its row by a code that it found itself, and reads its partners' rows by it."
ASSUMES = "That all others are `learned` too."
FILE = Path(__file__).with_name("learned.npz")

choose = choose_of(FILE, game_named(GAME))
