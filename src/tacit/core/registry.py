"""The registry of games by name. A game's module is imported when the game is first asked for.

A distribution that is installed offers its games as entry points of the group `tacit.games`: name = module.
"""

from __future__ import annotations

import warnings
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

from tacit.core.errors import DeckWarning, UnknownGame
from tacit.core.game import Game
from tacit.core.messages import Message

_modules: dict[str, str] = {}
_games: dict[str, Game] = {}


def register(name: str, module: str) -> None:
    """Register a game: its `name`, and the `module` or package that keeps the contract (core/contract.py)."""
    _modules[name] = module


@cache
def _find_installed() -> None:
    """Register the games that installed distributions offer; a name that is taken stays whose it is."""
    for found in entry_points(group="tacit.games"):
        _modules.setdefault(found.name, found.value)


def game_names() -> list[str]:
    """The names of all games: ours, those that were registered, and those of installed distributions."""
    _find_installed()
    return list(_modules)


def game_named(name: str) -> Game:
    """The game of that `name`; raises UnknownGame, or ContractError if its module has faults."""
    if not isinstance(name, str) or (name not in _modules and name not in game_names()):
        raise UnknownGame(Message("core.game.unknown", {"name": str(name)[:40], "names": ", ".join(_modules)}))
    if name not in _games:
        _games[name] = Game(import_module(_modules[name]))
    return _games[name]


def restored_game(name: str, module: str, deck: str | None) -> Game:
    """The game that was pickled under this name: the registered one, or else that of the module, registered now."""
    if name not in game_names():
        register(name, module)
    game = game_named(name)
    if deck is None:
        return game
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeckWarning)  # whoever made the deck was told
        return game.with_deck(deck)


def game_of(view: Any) -> Game:
    """The game that a view is of; raises UnknownGame if it is of none that is registered."""
    home = type(view).__module__
    for name, module in _modules.items():
        if home == module or home.startswith(f"{module}."):
            return game_named(name)
    raise UnknownGame(Message("core.game.unknown", {"name": home[:40], "names": ", ".join(_modules)}))
