"""The games: one line each."""

from __future__ import annotations

from tacit.core.registry import register

GAMES = {
    "silencio": "tacit.games.silencio",
    "silver-and-gold": "tacit.games.silver_and_gold",
}
for _name, _module in GAMES.items():
    register(_name, _module)
