"""Messages for taking back, lending one's eyes, giving a match to research, and review rooms (docs/together.md)."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from tacit.server.protocol import Command, Event, Seat, Whole, Wire

StepNumber = Annotated[int, Meta(ge=0, le=1_000_000)]  # steps of the record that were made
PieceName = Annotated[str, Meta(min_length=1, max_length=80)]  # a piece of the board, as the page names it
Sign = Literal["like", "heart", "laugh", "wow", "think"]


class Undo(Command, frozen=True, kw_only=True):
    """Take back your last decision, while nobody was told of it. `ask` is the number in `seen.undo`."""

    ask: Whole


class Lend(Command, frozen=True, kw_only=True):
    """Let spectators see with your eyes, or no longer, at a table whose spectators see with a seat's eyes."""

    eyes: Literal["lent", "own"] = "lent"


class Contribute(Command, frozen=True, kw_only=True):
    """Say whether this match may go into a dataset for research, without names. It does if all people here agree;
    nobody is told who does. It holds for this match alone, and can be taken back.
    """

    answer: Literal["yes", "no"] = "yes"


class OpenRoom(Command, frozen=True, kw_only=True):
    """Open the review room, after the match. Whoever opens it leads; where it is open nothing changes."""


class Lead(Command, frozen=True, kw_only=True):
    """Whoever leads the room hands the lead to a seat. Your own seat: take it, if the leader is not here."""

    seat: Seat


class Go(Command, frozen=True, kw_only=True):
    """Whoever leads takes everybody to a moment of the match."""

    step: StepNumber


class Mark(Command, frozen=True, kw_only=True):
    """Mark a piece at a moment, with `to` draw an arrow to another piece; the same again removes it. Without a piece,
    all that you drew at this moment is removed.
    """

    step: StepNumber
    piece: PieceName | None = None
    to: PieceName | None = None


class React(Command, frozen=True, kw_only=True):
    """Say with a sign what you think of a moment; the same again takes it back."""

    step: StepNumber
    sign: Sign


class Agree(Command, frozen=True, kw_only=True):
    """Let the others in the room see with your seat's eyes, or no longer. Once all people agree, hands are open."""

    hands: Literal["open", "closed"] = "open"


class Drawn(Wire, frozen=True, kw_only=True):
    """A mark on a piece, or an arrow from it to another, and the seat that drew it."""

    seat: int
    step: int
    piece: str
    to: str | None = None


class Reaction(Wire, frozen=True, kw_only=True):
    """A seat's sign at a moment."""

    seat: int
    step: int
    sign: Sign


class Room(Event, frozen=True, kw_only=True):
    """The review room, once it is open. Sent when it changes."""

    leader: int  # the seat that leads
    step: int  # where everybody is
    drawn: list[Drawn]
    reactions: list[Reaction]
    agreed: list[int]  # the seats whose people opened their hands
    open: bool  # all people agreed: all hands are open
