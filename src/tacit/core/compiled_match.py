"""A match that compiled rules play: for a server, which keeps many of them and shows each after every decision.

Its state is a record, as compiled rules have it. What interpreted rules read, the state and what each seat knows, is
made of that when somebody asks. A copy shares all of it: nothing is changed in place.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from sys import intern
from typing import Any, Self, cast

from tacit.core.compiled_play import CompiledPlay, loaded
from tacit.core.compiled_steps import ACTION, DUE, MOMENT, MUST_HEAR, OCCASION, TOTAL
from tacit.core.game import Game
from tacit.core.hearing import Hearing
from tacit.core.match import Match, State, View
from tacit.core.random_play import CHANCE, NOBODY
from tacit.core.seat_view import Sight


class CompiledMatch(Match[State, View]):
    """A match that compiled rules play; `playing` makes it of another one."""

    _play: CompiledPlay
    _due: int = 0
    _state: Any = None  # for interpreted rules; None where only the record is
    _record: bytes | None = None  # of the state; None where only the other is
    _draw: tuple[list[int], int] | None = None  # what chance may do, and the pool; None where that is not known yet

    @property  # a plain attribute of other matches
    def state(self) -> State:
        """The whole state, secrets and all. Do not change it."""
        if self._state is None:
            assert self._record is not None
            self._state = self.game.State().unpack(self._record)
        return self._state  # type: ignore[no-any-return]

    @state.setter
    def state(self, state: State) -> None:
        self._state, self._record, self._draw = state, None, None
        self._due = self.game.rules.due(state)

    def _packed(self) -> bytes:
        if self._record is None:
            packed = bytearray(self.game.dtype.itemsize)
            self._state.pack(packed)
            self._record = bytes(packed)
        return self._record

    def apply(self, who: int, action: int) -> None:
        """Apply one step by numbers, as `Match.apply` does."""
        self._apply_all([(who, action)], False)

    def settle(self) -> None:
        """Let chance act until a seat is due or the match is over."""
        if self._due == CHANCE:
            self._apply_all([], True)

    def _apply_all(self, steps: Sequence[tuple[int, int]], settle: bool | None) -> None:
        play = self._play
        settles = self._settles if settle is None else settle
        with play.lock:
            play.begin(self._packed(), self._hearings)
            try:
                for who, action in steps:
                    self._step(play, who, action)
                while settles and self._due == CHANCE:
                    self._step(play, CHANCE, self._next(play))
            finally:
                self._draw = play.draw() if self._due == CHANCE and play.facts[TOTAL] else None
                self._hear(play)

    def _step(self, play: CompiledPlay, who: int, action: int) -> None:
        """Make one of several steps."""
        facts = play.facts
        if facts[MUST_HEAR]:
            self._hear(play)
        text = play.step(who, action)
        self.lines.append(intern(f"* {text}" if who == CHANCE else f"{who} {text}"))
        self._steps.append((who, facts[ACTION]))
        self._due, moment, occasion = facts[DUE], facts[MOMENT], facts[OCCASION]
        if self._occasion != occasion:
            self._occasion, self._given = occasion, []
        if who == CHANCE or moment != self._moment:
            self._note_moment(moment)

    def _hear(self, play: CompiledPlay) -> None:
        """Take over the state that steps led to, and what seats have heard of them."""
        record = self._record = play.record()
        self._state = None
        for seat, lines, last, fallen, is_news in play.heard(self._hearings):
            hearing = self._hearings[seat]
            if is_news:
                self._hearings[seat] = CompiledHearing.after(hearing, lines, last, fallen, record)
            elif hearing.last:
                self._hearings[seat] = hearing = hearing.copy()
                hearing.last = []

    def signal(self, seat: int, text: str) -> None:
        """Give a signal, as `Match.signal` does."""
        self._hearings = {seat: hearing.copy() for seat, hearing in self._hearings.items()}  # others have them, too
        super().signal(seat, text)

    def _next(self, play: CompiledPlay) -> int:
        """What chance does after another step: an outcome, or -1 - the number that decides it."""
        total = play.facts[TOTAL]
        if not total:
            return self._drawn()
        below = getattr(self.source, "below", None)
        return -1 - below(total) if below is not None else self.source.draw(*play.draw())

    def _drawn(self) -> int:
        if self._draw is None:
            return super()._drawn()
        return self.source.draw(*self._draw)

    def hearing(self, seat: int | None) -> Hearing:
        """What a seat (None: a spectator) has heard, as `Match.hearing` does."""
        found = self._hearings.get(NOBODY if seat is None else seat)
        if found is not None:
            return found
        if not self.lines:
            number = self._seat(seat)
            self._hearings[number] = CompiledHearing.begun(self.game, number, self._packed())
        return super().hearing(seat)

    def copy(self) -> Self:
        """Another match at the same point; it shares the source of chance."""
        new = object.__new__(type(self))
        new._copy_facts(self)
        new._play, new._due, new._draw = self._play, self._due, self._draw
        new._state, new._record = self._state, self._record
        new._hearings = self._hearings.copy()
        return new

    @classmethod
    def of(cls, match: Match[State, View], play: CompiledPlay) -> Self:
        """A copy of another match."""
        new, state = object.__new__(cls), cast(Any, match.state)
        new._copy_facts(match)
        new._play, new.state = play, state.copy()
        new._hearings = {seat: hearing.copy() for seat, hearing in match._hearings.items()}
        return new

    def sights(self, seats: Iterable[int | None]) -> dict[int | None, Sight]:
        """What these seats (None: a spectator) see, encoded."""
        hearings = {seat: self.hearing(seat) for seat in seats}
        given, signals = self._given, self.game.signals
        seen = self._play.look(self._packed(), [hearing.seat for hearing in hearings.values()], given)
        made: dict[int | None, Sight] = {}
        for seat, hearing in hearings.items():
            one = seen[hearing.seat]
            hearing.decisions = one.decisions
            undo = None if seat is None or self.moment_began is None else self.undoable(seat)
            may: list[str] = []
            if signals and one.may_signal:
                may = self.game.signals_left(hearing.seat, given if one.is_occasion else [])
            made[seat] = Sight(one.view, list(one.decisions), hearing.lines, may, undo, one.asked)
        return made


class CompiledHearing(Hearing):
    """What a seat has heard of such a match; what it knows is worked out when somebody asks."""

    __slots__ = ("_known", "_record")
    _known: Any
    _record: bytes

    @classmethod
    def begun(cls, game: Game, seat: int, record: bytes) -> Self:
        """Nothing yet; the state is this."""
        new = object.__new__(cls)
        new.game, new.seat, new.last, new.lines, new.decisions = game, seat, [], [], None
        new._known, new._record = None, record
        return new

    @classmethod
    def after(cls, before: Hearing, heard: list[str], last: int, fallen: int, record: bytes) -> Self:
        """What was heard before, and lines of steps after which the state is this: how many of them came before the
        last step, and before the curtain fell (-1: it did not).
        """
        new = object.__new__(cls)
        new.game, new.seat, new.last = before.game, before.seat, heard[last:]
        new._known, new._record, new.decisions = None, record, None
        lines = before.lines
        if fallen >= 0:
            lines, heard = new.game.rules.curtain([*lines, *heard[:fallen]]), heard[fallen:]
        new.lines = [*lines, *heard]
        return new

    @property  # a plain attribute of other hearings
    def known(self) -> Any:
        """What it knows."""
        if self._known is None:
            self._known = self.game.know(self.game.State().unpack(self._record), self.seat)
        return self._known

    @known.setter
    def known(self, known: Any) -> None:
        self._known, self._record = known, b""

    def copy(self) -> Self:
        """An independent copy."""
        new = object.__new__(type(self))
        new.game, new.seat, new.decisions = self.game, self.seat, self.decisions
        new._known, new._record = self._known, self._record
        new.lines, new.last = self.lines, self.last
        return new


def playing(match: Match) -> Match:
    """A copy of a match to play on: by compiled rules, once those of its game are loaded."""
    play = None if isinstance(match, CompiledMatch) else loaded(match.game)
    return match.copy() if play is None else CompiledMatch.of(match, play)
