"""What one seat gets of a match."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic

import msgspec

from tacit.core.messages import Message

if TYPE_CHECKING:
    from typing_extensions import TypeVar  # with a default: `Match` and `SeatView` alone are of any game
else:
    from typing import TypeVar as _TypeVar

    def TypeVar(name: str, **_: object) -> _TypeVar:
        return _TypeVar(name)


_encode = msgspec.json.Encoder().encode
State = TypeVar("State", default=Any)
View = TypeVar("View", default=Any)


class SeatView(msgspec.Struct, Generic[View], frozen=True, gc=False):
    """What one seat (or a spectator) gets of a match; all of it follows from what that seat knows.

    A type checker knows which view: `Match("silencio", 3).see(0)` is a `SeatView[tacit.games.silencio.view.View]`.
    """

    view: View
    """The table as the seat sees it: a frozen msgspec struct of the game (`tacit.games.*.view.View`)."""
    legal: list[str]
    """What the seat may decide now, as the record writes it; [] when it is not due."""
    heard: list[str]
    """Every line that the seat was told so far, in order; what is hidden from it reads `?`."""
    signals: list[str] = []
    """What the seat may signal now; [] in a game without signals."""
    undo: str | None = None
    """The seat's last decision, if it may take it back now (`Match.undo`)."""

    def _repr_html_(self) -> str:
        """For notebooks: what the seat sees, and no more."""
        from tacit.core.notebook import of_seat

        return of_seat(self)


class Sight(msgspec.Struct, frozen=True, gc=False):
    """The same for a server, with the view as JSON. Of the hundreds of objects that a view is made of none stays in
    memory: to compare, free or collect them later would take longer than to make them.
    """

    view: msgspec.Raw
    legal: list[str]
    heard: list[str]
    signals: list[str] = []
    undo: str | None = None
    asked: str | None = None  # the code of what the view asks the seat

    @classmethod
    def of(cls, seen: SeatView) -> Sight:
        """What was seen, encoded."""
        ask = getattr(seen.view, "ask", None)
        asked = ask.code if isinstance(ask, Message) else None
        return cls(msgspec.Raw(_encode(seen.view)), seen.legal, seen.heard, seen.signals, seen.undo, asked)

    def asks_as(self, other: Sight) -> bool:
        """Is the seat asked the same? It follows from what it sees alone: so the number of its question, which rises
        with this, tells nothing else.
        """
        return self.legal == other.legal and self.asked == other.asked
