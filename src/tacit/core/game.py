"""What a game is: a module (or package) that keeps the contract, wrapped so that everything else can use it.

The names a game's module must have are listed in CONSTANTS, RULES and PLAIN; docs/writing-a-game.md explains each.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from types import ModuleType, SimpleNamespace
from typing import Any

from tacit.core import random_play
from tacit.core.bits import marks
from tacit.core.errors import BadOptions, DeckWarning
from tacit.core.messages import Message, catalogue_home
from tacit.core.rulekit import Backend, build, exchange, is_rule
from tacit.core.state_layout import Plain, dtype_of, plain

CONSTANTS = [
    "NAME",
    "TITLE",
    "RULES_VERSIONS",
    "MIN_SEATS",
    "MAX_SEATS",
    "OPTIONS",
    "ACTIONS",
    "OUTCOMES",
    "OBSERVATION",
    "MAX_DECISIONS",
    "State",
]
RULES = ["start", "due", "legal", "chance", "pool", "step", "score", "know", "imagine", "observe", "audit"]
PLAIN = ["show", "parse", "hear", "refuse", "tell", "offer", "view", "result"]
SIGNALLING = ["SIGNALS", "SIGNAL_LIMIT", "signallers", "occasion", "refuse_signal"]  # all, or none of them
REMEMBERED = 8192  # texts of a game whose words are kept
OptionValue = bool | int | str
Signal = tuple[int, str]  # who gave it, and its words


class Game:
    """One game's rules, on every backend, with its constants and its words."""

    def __init__(self, module: Any) -> None:
        missing = [n for n in CONSTANTS + RULES + PLAIN if not hasattr(module, n)]
        missing += [n for n in RULES if hasattr(module, n) and not is_rule(getattr(module, n))]
        if any(hasattr(module, n) for n in SIGNALLING):
            missing += [n for n in SIGNALLING if not hasattr(module, n)]
        if missing:
            raise TypeError(f"{module.__name__} does not keep the contract of a game: {', '.join(missing)}.")
        self.module = module
        self.name: str = module.NAME
        self.title: str = module.TITLE
        self.rules_versions: tuple[int, ...] = module.RULES_VERSIONS  # oldest first
        self.rules_version: int = self.rules_versions[-1]  # of a new match
        self.min_seats: int = module.MIN_SEATS
        self.max_seats: int = module.MAX_SEATS
        self.options: Mapping[str, tuple[OptionValue, ...]] = module.OPTIONS
        self.actions: int = module.ACTIONS
        self.outcomes: int = module.OUTCOMES
        self.observation: int = module.OBSERVATION
        self.max_decisions: int = module.MAX_DECISIONS
        self.cooperative: bool = getattr(module, "COOPERATIVE", False)  # all seats share one score
        self.signals: tuple[str, ...] = getattr(module, "SIGNALS", ())
        self.signal_limit: int = getattr(module, "SIGNAL_LIMIT", 0)
        self.words: int = (self.actions + 63) // 64
        self.dtype = dtype_of(module.State)
        self.State: type[Plain] = plain(self.dtype)
        if len(self.rules_versions) > 1 and "rules" not in (self.dtype.names or ()):
            raise TypeError(f"{module.__name__} has several rules versions, but its State has no field `rules`.")
        self.deck: str | None = getattr(
            module, "DECK", None
        )  # the deck's name in records, where decks can be exchanged
        self.deck_text: str | None = None  # the deck that was given in place of the game's own, in normal form
        self.exchanged: tuple[Any, dict[str, object]] | None = None  # then: the game's own module, and what differs
        self._decks: dict[str, Game] = {}
        catalogue_home(self.name, module.__name__)

    def __repr__(self) -> str:
        return f"Game({self.name!r})"

    @cached_property
    def rules(self) -> SimpleNamespace:
        """The interpreted rules, and the module's plain functions beside them."""
        named = {n: getattr(self.module, n) for n in RULES + PLAIN}
        for name in ("offer", "tell"):  # of a text alone, and the same texts come again and again
            named[name] = lru_cache(REMEMBERED)(named[name])
        return SimpleNamespace(**named)

    def build(self, backend: Backend) -> SimpleNamespace:
        """The rules and the random-play driver for a backend; compiled when first called, cached on disk."""
        return build(self.module, backend, drivers=[random_play])

    def with_deck(self, deck: object) -> Game:
        """This game with another deck: a text, or what the game makes of one; BadDeck if it cannot be played with.

        Where the deck departs from the game's figures, that is said as a DeckWarning.
        """
        if self.deck is None:
            raise BadOptions(Message("core.deck.none", {"game": self.title}))
        given = self.module.read_deck(deck)
        if given.digest == self.deck:
            return self
        if given.digest not in self._decks:
            for finding in given.warnings:
                warnings.warn(str(finding), DeckWarning, stacklevel=3)
            constants = self.module.deck_constants(given)
            game = Game(exchange(self.module, constants))
            game.deck_text, game.exchanged = given.text, (self.module, constants)
            self._decks[given.digest] = game
        return self._decks[given.digest]

    def of_deck(self, module: ModuleType) -> ModuleType:
        """A module that reads this game's cards, a bot's: as it is with the deck that is played with."""
        return module if self.exchanged is None else exchange(module, self.exchanged[1], self.exchanged[0])

    def check(self, seats: object, options: object = None) -> dict[str, OptionValue]:
        """The whole options for a match, defaults filled in; BadOptions if seats or options are impossible."""
        if type(seats) is not int:
            raise BadOptions(Message("core.seats.number", {"given": repr(seats)}))
        if not self.min_seats <= seats <= self.max_seats:
            params = {"game": self.title, "least": self.min_seats, "most": self.max_seats, "given": seats}
            raise BadOptions(Message("core.seats.range", params))
        options = {} if options is None else options
        if not isinstance(options, Mapping):
            raise BadOptions(Message("core.options.form", {"given": repr(options)}))
        for name in options:
            if name not in self.options:
                names = ", ".join(self.options) or "none"
                raise BadOptions(Message("core.options.unknown", {"game": self.title, "name": name, "names": names}))
        whole: dict[str, OptionValue] = {}
        for name, values in self.options.items():
            given = options.get(name, values[0])
            if name == "deck" and self.deck is not None and isinstance(given, str) and given != self.deck:
                code = "missing" if self.deck_text is None else "differs"
                raise BadOptions(Message(f"core.deck.{code}", {"wanted": given[:20], "given": self.deck}))
            if not any(given == v and type(given) is type(v) for v in values):
                listed = " or ".join(json_word(v) for v in values)
                params = {"name": name, "values": listed, "given": json_word(given)}
                raise BadOptions(Message("core.options.value", params))
            whole[name] = given
        return whole

    def check_rules(self, version: object = None) -> int:
        """The rules version of a match: the given one, or for None the newest; BadOptions if it is not known here."""
        if version is None:
            return self.rules_version
        if type(version) is not int or version not in self.rules_versions:
            known = ", ".join(str(v) for v in self.rules_versions)
            raise BadOptions(Message("core.rules.unknown", {"game": self.title, "given": str(version), "known": known}))
        return version

    def blank(
        self, seats: int, options: Mapping[str, OptionValue] | None = None, rules: int | None = None
    ) -> Plain:  # fmt: skip
        """An empty state whose seats, options and (where the game has several) rules version are set, for `start`."""
        state: Any = self.State()
        state.seats = seats
        version = self.check_rules(rules)
        if len(self.rules_versions) > 1:
            state.rules = version
        for name, value in self.check(seats, options).items():
            setattr(state, name, self.options[name].index(value))
        return state  # type: ignore[no-any-return]

    def legal(self, s: Any, seat: int) -> list[int]:
        """The legal decisions of a seat, as numbers."""
        mask = [0] * self.words
        self.rules.legal(s, seat, mask)
        return marks(mask, self.words)

    def chance(self, s: Any) -> list[int]:
        """The weights of the outcomes."""
        weights = [0] * self.outcomes
        self.rules.chance(s, weights)
        return weights

    def occasion(self, s: Any) -> int:
        """What signals are about now: the limit holds for as long as this stays the same."""
        return self.module.occasion(s) if self.signals else 0

    def may_signal(self, s: Any, seat: int, given: Sequence[Signal]) -> list[str]:
        """What a seat may signal, after the signals given on this occasion; [] for a spectator."""
        if not self.signals or seat < 0 or not self.module.signallers(s) >> seat & 1:
            return []
        return list(self.signals) if sum(q == seat for q, _ in given) < self.signal_limit else []

    def know(self, s: Any, seat: int) -> Any:
        """What a seat (or NOBODY) knows of a state, as a new record."""
        k = self.State()
        self.rules.know(s, seat, k)
        return k


def json_word(value: object) -> str:
    """An option's value as it stands in a record."""
    return {True: "true", False: "false"}.get(value) or str(value) if isinstance(value, bool) else f"“{value}”"
