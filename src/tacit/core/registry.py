"""The registry of games by name. A game's module is imported when the game is first asked for."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from tacit.core.errors import UnknownGame
from tacit.core.game import Game
from tacit.core.messages import Message

_modules: dict[str, str] = {}
_games: dict[str, Game] = {}


def register(name: str, module: str) -> None:
    """Register a game: its name, and the module or package that keeps the contract (core/contract.py)."""
    _modules[name] = module


def game_names() -> list[str]:
    """The names of all games, in the order in which they were registered."""
    return list(_modules)


def game_named(name: str) -> Game:
    """The game of that name; raises UnknownGame, or ContractError if its module has faults."""
    if not isinstance(name, str) or name not in _modules:
        raise UnknownGame(Message("core.game.unknown", {"name": str(name)[:40], "names": ", ".join(_modules)}))
    if name not in _games:
        _games[name] = Game(import_module(_modules[name]))
    return _games[name]


def game_of(view: Any) -> Game:
    """The game that a view is of; raises UnknownGame if it is of none that is registered."""
    home = type(view).__module__
    for name, module in _modules.items():
        if home == module or home.startswith(f"{module}."):
            return game_named(name)
    raise UnknownGame(Message("core.game.unknown", {"name": home[:40], "names": ", ".join(_modules)}))
