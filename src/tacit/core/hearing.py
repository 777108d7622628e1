"""What one seat hears of a match, line by line: the one implementation, for matches, episodes and replays."""

from __future__ import annotations

from sys import intern
from typing import Any, Self

from tacit.core.events import HIDDEN
from tacit.core.game import Game
from tacit.core.random_play import CHANCE


class Hearing:
    """What a seat (or NOBODY) has heard so far, and what it knows after the last step.

    Everything is computed from the seat's knowledge. Call `step` after each step and `signal` for each signal.
    """

    __slots__ = ("decisions", "game", "known", "last", "lines", "seat")

    def __init__(self, game: Game, seat: int, state: Any) -> None:
        self.game, self.seat = game, seat
        self.known: Any = game.know(state, seat)  # replaced by each step that tells it anything, never changed
        self.lines: list[str] = []  # all lines that the seat still has; replaced, never changed: copies share it
        self.last: list[str] = []  # those of the last step or signal
        self.decisions: dict[str, int] | None = None  # the seat's legal decisions by text, once somebody asked

    def step(self, who: int, action: int, state: Any) -> None:
        """Hear the step (who, action) that led to `state`."""
        game, before = self.game, self.known
        known = game.know(state, self.seat)
        # Seats and matches hear the same few hundred lines: interned, each is in memory once.
        self.last = [*map(intern, game.rules.hear(before, who, action, known))]
        if not self.last and known == before:
            return  # a sealed choice of another seat: nothing is new to this one
        self.known, self.decisions = known, None
        kept = game.rules.curtain(self.lines) if game.rules.curtain_falls(before, known) else self.lines
        self.lines = [*kept, *self.last]

    def overheard(self, outcome: int, line: str, state: Any) -> list[str]:
        """What it hears of an outcome of the first deal, which is about to be made; `line` is the record's."""
        assert self.game.rules.overhear is not None
        told = self.game.rules.overhear(state, self.seat, CHANCE, outcome)
        return [line] if told == outcome else [intern(f"{line.rpartition(' ')[0]} ?")] if told == HIDDEN else []

    def dealt(self, heard: list[str], state: Any) -> None:
        """The first deal, of which it heard these lines, has led to `state`."""
        self.known, self.decisions = self.game.know(state, self.seat), None
        self.lines, self.last = [*self.lines, *heard], heard[-1:]

    def signal(self, line: str) -> None:
        """Hear a signal, given as its line in the record."""
        self.last = [line]
        self.lines = [*self.lines, line]

    def legal(self) -> dict[str, int]:
        """The numbers of the seat's legal decisions by their texts; {} for a spectator or a seat that is not due."""
        if self.decisions is None:
            known, seat, show = self.known, self.seat, self.game.rules.show
            is_due = seat >= 0 and self.game.rules.due(known) >> seat & 1
            actions = self.game.legal(known, seat) if is_due else ()
            self.decisions = {show(known, seat, action): action for action in actions}
        return self.decisions

    def copy(self) -> Self:
        """An independent copy."""
        new = object.__new__(type(self))
        new.game, new.seat, new.known, new.decisions = self.game, self.seat, self.known, self.decisions
        new.lines, new.last = self.lines, self.last
        return new
