"""`Game`: one game's rules on every backend, its constants and its messages. What all other packages use a game by.

The members that a game's folder must have are declared in core/contract.py.
"""

from __future__ import annotations

import operator
import warnings
from collections.abc import Mapping, Sequence
from functools import cached_property
from types import ModuleType, SimpleNamespace
from typing import Any

from tacit.core import random_play
from tacit.core.bits import marks
from tacit.core.contract import (
    Contract,
    ContractError,
    Options,
    OptionValue,
    Signal,
    Terminal,
    gather,
    read_contract,
    read_terminal,
)
from tacit.core.errors import BadOptions, DeckWarning, Finding
from tacit.core.messages import Message, catalogue_home
from tacit.core.observation import Field
from tacit.core.rulekit import Backend, build, with_constants
from tacit.core.state_layout import PlainState, dtype_of, plain_state_class

__all__ = ["Contract", "ContractError", "Game", "OptionValue", "Signal", "json_word", "whole"]


def whole(value: Any) -> Any:
    """A whole number of any kind (NumPy's too) as an int; anything else as it is, for the check that refuses it."""
    if isinstance(value, bool):
        return value
    try:
        return operator.index(value)
    except TypeError:
        return value


class Game:
    """One game's rules on every backend, its constants and its messages. `tacit.game_named(name)` gives a game by name.

    In methods `s` is a whole state, `k` what a seat knows of it; a seat is its number, or NOBODY for a spectator.

    Args:
        module: A module or package that keeps the contract (docs/writing-a-game.md).

    Raises:
        ContractError: The module does not keep the contract; a sentence for each fault.

    Attributes:
        module: All members of the game's files in one module.
        rules: Every member of the contract, interpreted: `game.rules.due(state)`. `build` gives compiled rules.
        name: The name in records, commands and addresses: `silencio`.
        title: The name for people.
        rules_versions: The rules versions that can be played, oldest first.
        rules_version: The version of a new match.
        min_seats: The smallest number of seats.
        max_seats: The largest number of seats.
        options: Each option's possible values, the default first.
        actions: Decisions are numbers below this.
        outcomes: Outcomes of chance are numbers below this.
        fields: The fields of the observation tensor, in their order.
        observation: The observation tensor's length.
        observation_version: Rises when the tensor's fields or their meaning change.
        max_decisions: No match has more decisions.
        cooperative: Whether all seats share one score.
        silent: Whether talking is against the rules.
        divergent: Whether a GPU sorts its matches before it plays them.
        packed: Whether a GPU gathers its observations as bits.
        signals: All signals of the game, as they stand in the record; () if it has none.
        signal_limit: How many signals a seat may give on one occasion.
        words: The 64-bit words of a mask of decisions.
        dtype: The NumPy dtype of a state.
        State: The class of a state for interpreted rules.
        deck: The deck's name in records, where decks can be exchanged; else None.
        deck_text: The deck that was given in place of the game's own, in normal form; else None.
        exchanged: With such a deck: the game's own module, and the constants that differ.

    Examples:
        >>> from tacit import game_named
        >>> game = game_named("silencio")
        >>> game.title, game.min_seats, game.max_seats, game.cooperative
        ('Silencio', 2, 4, True)
        >>> game.options["tavern"]
        (False, True)
    """

    def __init__(self, module: Any) -> None:
        self.module: Any = gather(module)
        self.rules: Contract = read_contract(self.module)
        rules = self.rules
        self.name: str = rules.NAME
        self.title: str = rules.TITLE
        self.rules_versions: tuple[int, ...] = rules.RULES_VERSIONS
        self.rules_version: int = self.rules_versions[-1]
        self.min_seats: int = rules.MIN_SEATS
        self.max_seats: int = rules.MAX_SEATS
        self.options: Options = rules.OPTIONS
        self.actions: int = rules.ACTIONS
        self.outcomes: int = rules.OUTCOMES
        self.fields: tuple[Field, ...] = rules.FIELDS
        self.observation: int = sum(field.size for field in rules.FIELDS)
        self.observation_version: int = rules.OBSERVATION_VERSION
        self.max_decisions: int = rules.MAX_DECISIONS
        self.cooperative: bool = rules.COOPERATIVE
        self.silent: bool = rules.SILENT
        self.divergent: bool = rules.DIVERGENT
        self.packed: bool = rules.PACKED
        self.signals: tuple[str, ...] = rules.SIGNALS
        self.signal_limit: int = rules.SIGNAL_LIMIT
        self.words: int = (self.actions + 63) // 64
        self.dtype = dtype_of(rules.State)
        self.State: type[PlainState] = plain_state_class(self.dtype)
        self.deck: str | None = rules.DECK
        self.deck_text: str | None = None
        self.exchanged: tuple[Any, dict[str, object]] | None = None
        self._decks: dict[str, Game] = {}
        catalogue_home(self.name, module.__name__, rules.CATALOGUE)

    def __repr__(self) -> str:
        return f"Game({self.name!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled by its name, module and deck: the process that reads it has the game itself, or imports it."""
        from tacit.core.registry import restored_game

        return restored_game, (self.name, self.module.__name__, self.deck_text)

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        return self

    def build(self, backend: Backend) -> SimpleNamespace:
        """The rules and random play for a backend; compiled when first called, cached on disk."""
        return build(self.module, backend, drivers=[random_play])

    @cached_property
    def terminal(self) -> Terminal:
        """How the game is shown in a terminal. Imports rich when it is first read."""
        return read_terminal(self.module)

    def with_deck(self, deck: object) -> Game:
        """This game with another deck: a text, or what `read_deck` made of one.

        Raises BadDeck if the deck cannot be used, BadOptions if the game has no deck that can be exchanged. Warns
        (DeckWarning) where the deck departs from the game's figures.
        """
        if self.rules.read_deck is None or self.rules.deck_constants is None:
            raise BadOptions(Message("core.deck.none", {"game": self.title}))
        given = self.rules.read_deck(deck)
        if given.digest == self.deck:
            return self
        if given.digest not in self._decks:
            for finding in given.warnings:
                warnings.warn(str(finding), DeckWarning, stacklevel=3)
            constants = self.rules.deck_constants(given)
            game = Game(with_constants(self.module, constants))
            game.deck_text, game.exchanged = given.text, (self.module, constants)
            self._decks[given.digest] = game
        return self._decks[given.digest]

    def of_deck(self, module: ModuleType) -> ModuleType:
        """A copy of a module that reads this game's constants (a bot's), with those of the deck in use."""
        return module if self.exchanged is None else with_constants(module, self.exchanged[1], self.exchanged[0])

    def check_deck(self, text: str) -> list[Finding]:
        """All errors and warnings in a deck's text, by line; BadOptions if the game has no deck to exchange."""
        if self.rules.check_deck is None:
            raise BadOptions(Message("core.deck.none", {"game": self.title}))
        return self.rules.check_deck(text)

    def check(self, seats: object, options: object = None) -> dict[str, OptionValue]:
        """A match's options with defaults filled in; raises BadOptions if the seats or an option are impossible."""
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
        """The rules version of a match: the given one, the newest for None; raises BadOptions if it is not known."""
        if version is None:
            return self.rules_version
        if type(version) is not int or version not in self.rules_versions:
            known = ", ".join(str(v) for v in self.rules_versions)
            raise BadOptions(Message("core.rules.unknown", {"game": self.title, "given": str(version), "known": known}))
        return version

    def blank(
        self, seats: int, options: Mapping[str, OptionValue] | None = None, rules: int | None = None
    ) -> PlainState:  # fmt: skip
        """An empty state for `start`: only seats, options and (if there are several) the rules version are set."""
        return self.blank_of(seats, self.check(seats, options), self.check_rules(rules))

    def blank_of(self, seats: int, options: Mapping[str, OptionValue], rules: int) -> PlainState:
        """The same, of what was checked already."""
        state: Any = self.State()
        state.seats = seats
        if len(self.rules_versions) > 1:
            state.rules = rules
        for name, value in options.items():
            setattr(state, name, self.options[name].index(value))
        return state  # type: ignore[no-any-return]

    def legal(self, s: Any, seat: int) -> list[int]:
        """The legal decisions of a seat, as numbers."""
        mask = [0] * self.words
        self.rules.legal(s, seat, mask)
        return marks(mask, self.words)

    def chance(self, s: Any) -> list[int]:
        """The weight of each outcome."""
        weights = [0] * self.outcomes
        self.rules.chance(s, weights)
        return weights

    def occasion(self, s: Any) -> int:
        """What signals are about now: the limit holds for as long as this stays the same."""
        return self.rules.occasion(s)

    def may_signal(self, s: Any, seat: int, given: Sequence[Signal]) -> list[str]:
        """What a seat may signal, after the signals given on this occasion; [] for a spectator."""
        if seat < 0 or not self.rules.signallers(s) >> seat & 1:
            return []
        return self.signals_left(seat, given)

    def signals_left(self, seat: int, given: Sequence[Signal]) -> list[str]:
        """What a seat that may signal has left of it, after the signals given on this occasion."""
        return list(self.signals) if sum(q == seat for q, _ in given) < self.signal_limit else []

    def view(self, k: Any, seat: int, given: Sequence[Signal] = ()) -> Any:
        """The table as a seat sees it; `given` are the signals of this occasion."""
        return self.rules.view(k, seat, given) if self.signals else self.rules.view(k, seat)

    @staticmethod
    def question(view: Any) -> Message | None:
        """What a view asks its seat: its field `ask`, if it has one."""
        ask = getattr(view, "ask", None)
        return ask if isinstance(ask, Message) else None

    def best_score(self, seats: int) -> int | None:
        """The score that cannot be bettered, in a cooperative game that knows it."""
        return self.rules.best_score(seats) if self.rules.best_score is not None else None

    def score_range(self, seats: int) -> tuple[int, int] | None:
        """The least and the greatest score, if the game bounds them."""
        return self.rules.score_range(seats) if self.rules.score_range is not None else None

    def know(self, s: Any, seat: int) -> Any:
        """What a seat (or NOBODY) knows of a state, as a new state."""
        k = self.State()
        self.rules.know(s, seat, k)
        return k


def json_word(value: object) -> str:
    """An option's value as records write it."""
    return {True: "true", False: "false"}.get(value) or str(value) if isinstance(value, bool) else f"“{value}”"
