"""`tacit.Match` as type checkers see it: a game's name says which state and which view the match has.

Only type checkers read this file: `tacit.Match` is `tacit.core.match.Match`, which knows no game and cannot say this.
"""

from collections.abc import Mapping
from typing import Any, Literal, Self, TypedDict, Unpack, overload

from tacit.core import match
from tacit.core.chance import Chance
from tacit.core.game import Game, OptionValue
from tacit.core.match import State, View
from tacit.games.silencio import model as silencio
from tacit.games.silencio import view as silencio_view
from tacit.games.silent_planet import model as silent_planet
from tacit.games.silent_planet import view as silent_planet_view
from tacit.games.silver_and_gold import model as silver_and_gold
from tacit.games.silver_and_gold import view as silver_and_gold_view
from tacit.games.zombie_city import model as zombie_city
from tacit.games.zombie_city import view as zombie_city_view

Options = Mapping[str, OptionValue] | None

class Keywords(TypedDict, total=False):
    seed: int | None
    chance: Chance | None
    settle: bool
    tags: Mapping[str, str] | None
    deck: object
    rules_version: int | None

class Match(match.Match[State, View]):
    @overload
    def __init__(
        self: Match[silencio.State, silencio_view.View],
        game: Literal["silencio"],
        seats: int,
        options: Options = None,
        **keywords: Unpack[Keywords],
    ) -> None: ...
    @overload
    def __init__(
        self: Match[silver_and_gold.State, silver_and_gold_view.View],
        game: Literal["silver-and-gold"],
        seats: int,
        options: Options = None,
        **keywords: Unpack[Keywords],
    ) -> None: ...
    @overload
    def __init__(
        self: Match[zombie_city.State, zombie_city_view.View],
        game: Literal["zombie-city"],
        seats: int,
        options: Options = None,
        **keywords: Unpack[Keywords],
    ) -> None: ...
    @overload
    def __init__(
        self: Match[silent_planet.State, silent_planet_view.View],
        game: Literal["silent-planet"],
        seats: int,
        options: Options = None,
        **keywords: Unpack[Keywords],
    ) -> None: ...
    @overload
    def __init__(
        self: Match[Any, Any], game: str | Game, seats: int, options: Options = None, **keywords: Unpack[Keywords]
    ) -> None: ...
    def copy(self) -> Self: ...
    @classmethod
    def load(cls, text: str, *, chance: Chance | None = None, deck: object = None) -> Match[Any, Any]: ...
