"""`learned` at Zombie City: a network that learned against itself and against `steady` (docs/bots/learned.md)."""

from __future__ import annotations

from pathlib import Path

from tacit.bots.network.policy import choose_of
from tacit.core.registry import game_named

NAME, GAME = "learned", "zombie-city"
STYLE = "Has met every kind of horde, and knows whom to send the next one to."
ASSUMES = "Rivals that play as well as it does, or like steady."
FILE = Path(__file__).with_name("learned.npz")

choose = choose_of(FILE, game_named(GAME))
