"""The games: one line each."""

from __future__ import annotations

from tacit.core.registry import register

GAMES = {
    "silencio": "tacit.games.silencio",
    "silver-and-gold": "tacit.games.silver_and_gold",
    "zombie-city": "tacit.games.zombie_city",
    "silent-planet": "tacit.games.silent_planet",
}
for _name, _module in GAMES.items():
    register(_name, _module)
