"""Mini games: the rules of a game over a handful of cards, small enough to be solved exactly.

A game declares them in its `minis.py`. Each is a `Game` with a name of its own that only research knows:
`mini("mini-silencio-duo")`. Its rules, decisions and observation are the game's; what differs are the cards and how
many are dealt. Everything that takes a `Game` takes it: `Batch`, the environments, `spiel.load`.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from tacit.core.game import Game
from tacit.core.registry import game_named
from tacit.core.rulekit import with_constants
from tacit.games import GAMES
from tacit.research import exact


@dataclass(frozen=True)
class Mini:
    """A mini game and its exact answers."""

    name: str
    game: str
    """The game whose rules it has."""
    seats: int
    options: dict[str, Any]
    """The options that its values are for."""
    constants: dict[str, Any]
    """What it has in place of the game's constants."""
    value: Fraction
    """What the best joint plan expects; in a game of rivals what seat 0 can be sure to have more than seat 1."""
    random: Fraction
    """The same of seats that decide at random."""


class MiniGame(Game):
    """A game that is pickled as a mini game, by its name."""

    def __reduce__(self) -> tuple[Any, ...]:
        return mini, (self.name,)


@cache
def minis() -> dict[str, Mini]:
    """All mini games by name."""
    found = {}
    for game, module in GAMES.items():
        if find_spec(f"{module}.minis") is not None:
            for name, about in import_module(f"{module}.minis").MINIS.items():
                values = {key: Fraction(about[key]) for key in ("value", "random")}
                found[name] = Mini(**{**about, **values}, name=name, game=game)
    return found


@cache
def mini(name: str) -> Game:
    """The mini game of this name; ValueError if there is none.

    >>> mini("mini-silencio-duo")
    Game('mini-silencio-duo')
    """
    if name not in minis():
        raise ValueError(f"There is no mini game {name!r}: there are {', '.join(minis())}.")
    chosen = minis()[name]
    module = game_named(chosen.game).module
    replaced = import_module(f"{GAMES[chosen.game]}.minis").REPLACED
    whole = ModuleType(module.__name__, module.__doc__)
    vars(whole).update(vars(module) | replaced)
    small: Any = with_constants(whole, {**chosen.constants, "NAME": name, "TITLE": f"{module.TITLE} ({name})"})
    small.MAX_SEATS = chosen.seats  # the rules keep theirs: the observation has cells for all seats
    return MiniGame(small)


def proved(name: str) -> tuple[Fraction, Fraction]:
    """What a mini game is worth and what random play comes to, found anew over its whole tree (`Mini.value`)."""
    chosen, game = minis()[name], mini(name)
    tree = exact.tree_of(game, chosen.seats, chosen.options)
    scores = exact.uniform_worth(tree)
    if game.cooperative:
        return exact.best_team(tree)[0], scores[0]
    return exact.duel_value(tree), scores[0] - scores[1]
