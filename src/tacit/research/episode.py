"""`Episode`: one match whose decisions are numbers, interpreted. PettingZoo and OpenSpiel adapters use it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from copy import deepcopy
from typing import Any

import numpy as np

from tacit.core import events
from tacit.core.bits import lowest
from tacit.core.chance import Seeded
from tacit.core.contract import Signal
from tacit.core.events import EVENT_CAPACITY
from tacit.core.game import Game, OptionValue
from tacit.core.hearing import Hearing
from tacit.core.random_play import CHANCE
from tacit.core.registry import game_named
from tacit.core.rulekit import build
from tacit.research.histories import history_of, need_history
from tacit.research.observations import tensor
from tacit.research.signals import actions_of, may_signal, need_signals, with_signals


class Recall(Hearing):
    """What a seat has heard, and all that it recalls: its own decisions, and every line, also those withdrawn since.

    An own decision is recalled with a hash of what the seat observed when it decided. So two pasts that differ in a
    decision, a line or an observation differ in what is recalled: recall is perfect by construction.
    """

    __slots__ = ("recalled",)

    def __init__(self, game: Game, seat: int, state: Any) -> None:
        super().__init__(game, seat, state)
        self.recalled: list[str] = []

    def step(self, who: int, action: int, state: Any) -> None:
        own = None
        if who == self.seat:
            own = f"{who} {self.game.rules.show(self.known, who, action)}"
            observed = hashlib.sha256(tensor(self.game, self.known, who).tobytes()).hexdigest()
            self.recalled.append(f"{own} #{observed[:12]}")
        super().step(who, action, state)
        self.recalled += [line for line in self.last if line != own]

    def signal(self, line: str) -> None:
        super().signal(line)
        self.recalled.append(line)

    def copy(self) -> Recall:
        new = super().copy()
        new.recalled = self.recalled.copy()
        return new


class Episode:
    """A match whose decisions are numbers. Where several seats are due, the lowest decides first.

    With a seed, chance decides by itself; without one, `play` gets its outcomes too. What a seat observes or hears is
    computed from what it knows. With `signals`, signals are decisions too (`tacit.research.signals`); with `history`,
    the last so many decisions that each seat heard are kept (`tacit.research.histories`).
    """

    def __init__(
        self,
        game: str | Game,
        seats: int,
        options: Mapping[str, OptionValue] | None = None,
        *,
        seed: int | None = None,
        signals: bool = False,
        history: int = 0,
    ) -> None:
        self.game = game if isinstance(game, Game) else game_named(game)
        self.seats, self.options = seats, self.game.check(seats, options)
        self.state: Any = self.game.blank(seats, self.options)
        self.game.rules.start(self.state)
        self.source = None if seed is None else Seeded(seed)
        self.signals = need_signals(self.game, signals)
        self.given: list[Signal] = []  # the signals on the present occasion; replaced, never changed in place
        self.steps: list[tuple[int, int]] = []  # with the signals
        self.history_size = need_history(history)
        self.events = np.zeros((seats, EVENT_CAPACITY if history else 0), np.int64)
        self.noted = [0] * seats  # how many events each seat has
        self.hearings: dict[int, Recall] = {}  # of the seats that were asked what they heard
        self._settle()

    @property
    def now(self) -> int:
        """Who decides next: a seat, CHANCE, or -1 when the match is over."""
        due = self.game.rules.due(self.state)
        return CHANCE if due == CHANCE else lowest(due) if due else -1

    def legal(self, seat: int) -> list[int]:
        """The legal decisions of a seat; [] unless it decides next."""
        return self.choices(seat) if seat == self.now else []

    def choices(self, seat: int) -> list[int]:
        """What a seat may decide or signal, also where a lower one is asked first; [] unless it is due."""
        k = self.game.know(self.state, seat)
        legal = self.game.legal(k, seat)
        return legal + may_signal(self.game, k, seat, self.given) if self.signals and legal else legal

    def mask(self, seat: int) -> Any:
        """The legal decisions as an array of 0 and 1."""
        mask = np.zeros(actions_of(self.game, self.signals), np.int8)
        mask[self.legal(seat)] = 1
        return mask

    def observe(self, seat: int) -> Any:
        """A seat's observation tensor, as a new array."""
        observed = tensor(self.game, self.game.know(self.state, seat), seat)
        return with_signals(self.game, observed, seat, self.seats, self.given) if self.signals else observed

    def history(self, seat: int) -> Any:
        """The last decisions that a seat heard, as a new array."""
        return history_of(self.game, self.events[seat, : self.noted[seat]], seat, self.seats, self.history_size)

    def outcomes(self) -> list[tuple[int, float]]:
        """The possible outcomes of chance now, each with its probability."""
        weights = self.game.chance(self.state)
        total = sum(weights)
        return [(outcome, weight / total) for outcome, weight in enumerate(weights) if weight]

    def play(self, action: int) -> None:
        """Apply a legal decision of the seat `now`, or an outcome of chance; then, with a seed, let chance decide."""
        self.play_for(self.now, action)

    def play_for(self, seat: int, action: int) -> None:
        """The same for any seat that is due."""
        self._step(seat, action)
        self._settle()

    def scores(self) -> list[int]:
        """Every seat's score, when the match is over."""
        out = [0] * self.game.max_seats
        self.game.rules.score(self.state, out)
        return out[: self.seats]

    def show(self, who: int, action: int) -> str:
        """A decision or an outcome as text, from what the deciding seat knows; a signal as it is in the record."""
        if self._is_signal(who, action):
            return f"! {self.game.signals[action - self.game.actions]}"
        k = self.state if who == CHANCE else self.game.know(self.state, who)
        return str(self.game.rules.show(k, who, action))

    def heard(self, seat: int) -> list[str]:
        """The lines that a seat has heard so far, and still has."""
        return list(self._hearing(seat).lines)

    def recalled(self, seat: int) -> list[str]:
        """What a seat with perfect recall has heard and decided so far: with what it observes, all that it can know."""
        return list(self._hearing(seat).recalled)

    def _hearing(self, seat: int) -> Recall:
        if seat not in self.hearings:
            state: Any = self.game.blank(self.seats, self.options)
            self.game.rules.start(state)
            hearing = Recall(self.game, seat, state)
            for who, action in self.steps:
                if self._is_signal(who, action):
                    hearing.signal(self._line(who, action))
                    continue
                self.game.rules.step(state, who, action)
                hearing.step(who, action, state)
            self.hearings[seat] = hearing
        return self.hearings[seat]

    def copy(self) -> Episode:
        """A copy at the same point. Copies of a seeded episode share its generator."""
        new = object.__new__(Episode)
        new.__dict__ |= self.__dict__
        new.state, new.steps = self.state.copy(), list(self.steps)
        new.events, new.noted = self.events.copy(), list(self.noted)
        new.hearings = {seat: hearing.copy() for seat, hearing in self.hearings.items()}
        return new

    def __deepcopy__(self, memo: dict[int, Any]) -> Episode:
        new = self.copy()
        new.source = deepcopy(self.source)
        return new

    def imagine(self, seat: int, rng: Any) -> Episode:
        """An episode that fits what a seat knows (a determinization); `rng` is a generator of `core.chance`.

        It has no steps, and of the lines heard only this seat's: nothing in it depends on what the seat does not know.
        """
        new = object.__new__(Episode)
        new.__dict__ |= self.__dict__
        new.state, new.steps = self.game.know(self.state, seat), []
        new.events, new.noted = np.zeros_like(self.events), [0] * self.seats
        self.game.rules.imagine(new.state, seat, rng)
        new.hearings = {q: Recall(self.game, q, new.state) for q in range(self.seats)}
        new.hearings[seat].lines, new.hearings[seat].recalled = self.heard(seat), self.recalled(seat)
        return new

    def _settle(self) -> None:
        while self.source is not None and self.now == CHANCE:
            weights = self.game.chance(self.state)
            self._step(CHANCE, self.source.draw(weights, self.game.rules.pool(self.state)))

    def _step(self, who: int, action: int) -> None:
        self.steps.append((who, action))
        if self._is_signal(who, action):
            self.given = [*self.given, (who, self.game.signals[action - self.game.actions])]
            for hearing in self.hearings.values():
                hearing.signal(self._line(who, action))
            return
        if self.history_size:
            build(self.game.module, "py", drivers=[events]).note_events(
                self.state, who, action, self.events, self.noted
            )
        occasion = self.game.occasion(self.state)
        self.game.rules.step(self.state, who, action)
        if self.game.occasion(self.state) != occasion:
            self.given = []
        for hearing in self.hearings.values():
            hearing.step(who, action, self.state)

    def _is_signal(self, who: int, action: int) -> bool:
        return who != CHANCE and action >= self.game.actions

    def _line(self, who: int, action: int) -> str:
        """A signal as its line in the record."""
        return f"! {who} {self.game.signals[action - self.game.actions]}"
