"""The registry of bots, by game and name. A bot's module is imported when it is first used.

A distribution that is installed offers its bots as entry points of the group `tacit.bots`: `"silencio/eager" =
"my_bots:Eager"`, or `"*/eager"` for a bot that plays every game.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, Literal, Protocol

from tacit.bots.turn import Turn
from tacit.core.errors import TacitError
from tacit.core.game import Game
from tacit.core.messages import Message, catalogue_home
from tacit.core.rulekit import is_rule

EVERY_GAME = "*"
NETWORK_FILE = ".npz"
LANGUAGE_MODEL = "llm:"
catalogue_home("bots", "tacit.bots")
# One line for each bot: game, name, module (or module:class). A game's bots are in order of strength.
BOTS: list[tuple[str, str, str]] = [
    (EVERY_GAME, "random", "tacit.bots.every_game.random"),
    ("silencio", "gentle", "tacit.bots.silencio.gentle"),
    ("silencio", "steady", "tacit.bots.silencio.steady"),
    ("silencio", "search", "tacit.bots.silencio.search:Search"),
    ("silencio", "partner", "tacit.bots.silencio.partner"),
    ("silencio", "learned", "tacit.bots.silencio.learned"),
    ("silencio", "master", "tacit.bots.silencio.master:Master"),
    ("silver-and-gold", "gentle", "tacit.bots.silver_and_gold.gentle"),
    ("silver-and-gold", "steady", "tacit.bots.silver_and_gold.steady"),
    ("silver-and-gold", "learned", "tacit.bots.silver_and_gold.learned"),
    ("silver-and-gold", "search", "tacit.bots.silver_and_gold.search:Search"),
    ("silver-and-gold", "master", "tacit.bots.silver_and_gold.master:Master"),
    ("zombie-city", "gentle", "tacit.bots.zombie_city.gentle"),
    ("zombie-city", "steady", "tacit.bots.zombie_city.steady"),
    ("zombie-city", "search", "tacit.bots.zombie_city.search:Search"),
    ("zombie-city", "learned", "tacit.bots.zombie_city.learned"),
    ("zombie-city", "master", "tacit.bots.zombie_city.master:Master"),
    ("silent-planet", "gentle", "tacit.bots.silent_planet.gentle"),
    ("silent-planet", "steady", "tacit.bots.silent_planet.steady"),
    ("silent-planet", "search", "tacit.bots.silent_planet.search:Search"),
    ("silent-planet", "partner", "tacit.bots.silent_planet.partner:Partner"),
    ("silent-planet", "learned", "tacit.bots.silent_planet.learned"),
    ("silent-planet", "master", "tacit.bots.silent_planet.master:Master"),
    ("silent-planet", "coded", "tacit.bots.silent_planet.coded"),
]
# Modules that guide the solver of `tacit.analysis`; games without one are searched by their score alone.
CLAIRVOYANCE = {
    "silencio": "tacit.bots.silencio.clairvoyance",
    "silent-planet": "tacit.bots.silent_planet.clairvoyance",
}
# What a review values matches by: the score, as cards left or as points; in other games the chance to win.
REVIEW_UNITS: dict[str, Literal["cards", "points"]] = {"silencio": "cards", "silver-and-gold": "points"}
# What a step of `steady` costs in a playout, beside one of Silencio's.
PLAYOUT_COSTS = {"silver-and-gold": 5.5, "silent-planet": 3.0, "zombie-city": 0.2}
# The bots that play by networks, and their files beside this one. Where a file is missing, so is the bot.
NETWORKS: dict[tuple[str, str], tuple[str, ...]] = {
    ("silencio", "partner"): ("silencio/partner.npz", "silencio/learned.npz"),
    ("silencio", "learned"): ("silencio/learned.npz",),
    ("silencio", "master"): ("silencio/learned.npz",),
    ("silver-and-gold", "learned"): ("silver_and_gold/learned.npz",),
    ("silver-and-gold", "master"): tuple(f"silver_and_gold/{name}.npz" for name in ("learned", "lead", "value")),
    ("zombie-city", "learned"): ("zombie_city/learned.npz",),
    ("zombie-city", "master"): ("zombie_city/learned.npz",),
    ("silent-planet", "partner"): ("silent_planet/partner.npz",),
    ("silent-planet", "learned"): ("silent_planet/learned.npz",),
    ("silent-planet", "master"): ("silent_planet/learned.npz",),
}
_targets: dict[str, dict[str, str]] = {}
_bots: dict[tuple[str, str | None, str], Bot] = {}  # by game, deck and name


class Bot(Protocol):
    """A bot as the registry returns it.

    A bot in Python is a class with `decide` and the constants NAME, STYLE and ASSUMES; each seat of each match gets a
    new instance (`fresh`). A compiled bot is a module with the rule `choose` and the same constants.
    """

    name: str
    style: str
    assumes: str
    compiled: bool

    def decide(self, turn: Turn) -> str: ...
    def fresh(self) -> Bot: ...


class UnknownBot(TacitError):
    """The game has no such bot."""


class PythonBot:
    """A bot that is a class with `decide(turn) -> str`."""

    compiled = False

    def __init__(self, maker: type[Any]) -> None:
        self.maker = maker
        self.name: str = maker.NAME
        self.style: str = maker.STYLE
        self.assumes: str = maker.ASSUMES
        self.instance: Any = None
        if hasattr(maker, "warm_up"):  # it compiles rules of its own
            self.warm_up: Callable[[Turn], None] = maker.warm_up

    @property
    def warm(self) -> bool:
        """Has it nothing left to compile?"""
        return bool(getattr(self.maker, "warm", False))

    def fresh(self) -> PythonBot:
        new = PythonBot(self.maker)
        new.instance = self.maker()
        return new

    def decide(self, turn: Turn) -> str:
        if self.instance is None:
            self.instance = self.maker()
        return self.instance.decide(turn)  # type: ignore[no-any-return]  # the runner checks the answer


def register_bot(game: str, name: str, target: str) -> None:
    """Register a bot: the game's name (or "*"), the bot's name, and "package.module" or "package.module:Class"."""
    _targets.setdefault(game, {})[name] = target
    for key in [key for key in _bots if key[2] == name]:
        del _bots[key]


def missing_networks(home: Path = Path(__file__).parent) -> list[tuple[str, str, str]]:
    """The bots that are left out because a network's file is not installed: game, name and each such file."""
    return [
        (game, name, file) for (game, name), files in NETWORKS.items() for file in files if not (home / file).exists()
    ]


_missing = {(game, name) for game, name, _ in missing_networks()}
for _game, _name, _target in BOTS:
    if (_game, _name) not in _missing:
        register_bot(_game, _name, _target)


@cache
def _find_installed() -> None:
    """Register the bots that installed distributions offer; a name that is taken stays whose it is."""
    for found in entry_points(group="tacit.bots"):
        game, _, name = found.name.partition("/")
        if name and name not in _targets.get(game, {}):
            register_bot(game, name, found.value)


def bot_names(game: Game) -> list[str]:
    """The names of the bots of a game: its own, then those that play every game."""
    _find_installed()
    return list(_targets.get(game.name, {}) | _targets.get(EVERY_GAME, {}))


def every_game_bots() -> list[str]:
    """The names of the bots that play every game."""
    return list(_targets.get(EVERY_GAME, {}))


def usual_bot(game: Game) -> str:
    """The default bot of a game: `steady`, or `random` if it has no `steady`."""
    return "steady" if "steady" in bot_names(game) else "random"


def target_of(game: Game, name: str) -> str:
    """The module (or module:class) of a bot, or the file of a network.

    A name with a dot or colon, or of a module, is itself one.
    """
    _find_installed()
    known = _targets.get(EVERY_GAME, {}) | _targets.get(game.name, {})
    if name in known:
        return known[name]
    if "." in name or ":" in name or (name.isidentifier() and find_spec(name) is not None):
        return name
    raise UnknownBot(
        Message("bots.unknown", {"name": name[:40], "game": game.title, "names": ", ".join(bot_names(game))})
    )


def bot_named(game: Game, name: str) -> Bot:
    """The bot with that name, at "package.module:Class", of a network's file (.npz), or a language model (`llm:NAME`).

    Raises UnknownBot if there is none, BadNetwork if a file cannot be used.
    """
    if (game.name, game.deck, name) not in _bots:
        _bots[game.name, game.deck, name] = _load(game, name, target_of(game, name))
    return _bots[game.name, game.deck, name]


def _load(game: Game, name: str, target: str) -> Bot:
    from tacit.bots.compiled import CompiledBot

    if target.startswith(LANGUAGE_MODEL):
        from tacit.bots.language import LanguageBot

        return LanguageBot(game, target.removeprefix(LANGUAGE_MODEL))
    if target.endswith(NETWORK_FILE):
        from tacit.bots.network.policy import network_module

        return CompiledBot(game, network_module(Path(target), game), str(Path(target).resolve()))
    module_name, _, class_name = target.partition(":")
    try:
        module: ModuleType = import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module_name}.".startswith(f"{error.name}."):
            raise  # the module exists; one of its imports does not
        raise UnknownBot(Message("bots.module", {"name": name, "module": module_name})) from error
    found: Any = getattr(module, class_name, None) if class_name else module
    missing = [n for n in ("NAME", "STYLE", "ASSUMES") if not hasattr(found, n)]
    compiled = is_rule(getattr(found, "choose", None))
    if not compiled and not (isinstance(found, type) and callable(getattr(found, "decide", None))):
        missing.append("choose (a rule) or decide (in a class)")
    if missing:
        raise UnknownBot(Message("bots.contract", {"target": target, "missing": ", ".join(missing)}))
    games: Any = getattr(found, "GAMES", (getattr(found, "GAME", EVERY_GAME),))
    if EVERY_GAME not in games and game.name not in games:
        raise UnknownBot(Message("bots.game", {"name": name, "game": game.title}))
    return CompiledBot(game, found, target) if compiled else PythonBot(found)
