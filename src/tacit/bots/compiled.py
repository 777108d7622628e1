"""A bot that is a module with the rule `choose`: run interpreted for single decisions, compiled for many."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from tacit.bots import paired_play
from tacit.bots.turn import Turn
from tacit.core.bits import mark
from tacit.core.events import HEARS_ALL
from tacit.core.game import Game
from tacit.core.rulekit import Backend, build


class CompiledBot:
    """A module's `choose` for one game. It keeps nothing between decisions, so one serves every seat and match."""

    compiled = True

    def __init__(self, game: Game, module: Any, target: str = "") -> None:
        self.game, self.target = game, target or getattr(module, "__name__", "")
        self.module: Any = game.of_deck(module) if getattr(module, "GAME", None) == game.name else module
        self.name: str = module.NAME
        self.style: str = module.STYLE
        self.assumes: str = module.ASSUMES
        self.hears: int = getattr(module, "HEARS", HEARS_ALL)
        self.warm = False

    def fresh(self) -> CompiledBot:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled by its game and module (or network's file): the process that reads it loads it anew."""
        from tacit.bots.registry import bot_named

        return bot_named, (self.game, self.target)

    def __deepcopy__(self, memo: dict[int, Any]) -> CompiledBot:
        return self

    def build(self, backend: Backend) -> SimpleNamespace:
        """The rules of the bot, the game and `paired_play`; compiled when first called, cached on disk."""
        return build(self.game.module, backend, drivers=[self.module, paired_play])

    def decide(self, turn: Turn) -> str:
        """The decision; interpreted until `warm_up` was called, so that it never waits for a compiler."""
        action = self.choose_compiled(turn) if self.warm else self.choose(turn)
        if action not in self.game.legal(turn.k, turn.seat):
            return f"decision number {action}"  # which is no decision; the runner sees to it
        return str(self.game.rules.show(turn.k, turn.seat, action))

    def warm_up(self, turn: Turn) -> None:
        """Compile the bot, by a decision that does not count; from then on it decides compiled."""
        self.choose_compiled(turn)
        self.warm = True
        self.signal(turn)

    def signal(self, turn: Turn) -> str | None:
        """What the bot signals before it decides, by its module's rule `signal`; None for nothing, or no such rule."""
        if not hasattr(self.module, "signal"):
            return None
        events = np.zeros(max(len(turn.events), 1), np.int64)
        events[: len(turn.events)] = turn.events
        if self.warm:
            states = np.zeros(1, self.game.dtype)
            turn.k.store(states[0])
            which = self.build("cpu").signal_at(states, turn.seat, events, len(turn.events))
        else:
            which = self.module.signal(turn.k.copy(), turn.seat, events.tolist(), len(turn.events))
        return self.game.signals[which] if 0 <= which < len(self.game.signals) else None

    def choose(self, turn: Turn) -> int:
        """The decision as a number."""
        mask = [0] * self.game.words
        for action in self.game.legal(turn.k, turn.seat):
            mark(mask, action)
        events = [int(e) for e in turn.events]
        return int(self.module.choose(turn.k.copy(), turn.seat, events, len(events), mask, turn.rng.words))

    def choose_compiled(self, turn: Turn) -> int:
        """The decision as a number, by compiled rules."""
        states = np.zeros(1, self.game.dtype)
        turn.k.store(states[0])
        mask = np.zeros(self.game.words, np.int64)
        for action in self.game.legal(turn.k, turn.seat):
            mark(mask, action)
        events = np.zeros(max(len(turn.events), 1), np.int64)
        events[: len(turn.events)] = turn.events
        words = np.array(turn.rng.words, np.int64)
        return int(self.build("cpu").choose_at(states, turn.seat, events, len(turn.events), mask, words))
