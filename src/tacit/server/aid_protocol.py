"""The messages about aids: what a seat can work out, its own notes, hints. docs/aids.md explains them."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from tacit.core.messages import Message
from tacit.core.outlook import Outlook
from tacit.server.protocol import Command, Event, Whole

Place = Annotated[str, Meta(pattern="^[a-z]{1,12}( [0-9]{1,2}){0,2}$")]  # as in an `Outlook`: `hand 1`, `row 1 4`
NoteText = Annotated[str, Meta(max_length=60)]


class WorkOut(Command, frozen=True, kw_only=True):
    """Ask what you can work out of hidden cards, at a table with aids. Nothing changes."""


class Note(Command, frozen=True, kw_only=True):
    """Write something for yourself on a place with hidden cards, or on a row; an empty text removes it."""

    place: Place
    text: NoteText = ""


class Hint(Command, frozen=True, kw_only=True):
    """Ask what a strong bot would do for you, at a table with hints. `ask` is the number of the open question: asking
    again for the same question costs nothing.
    """

    ask: Whole


class WorkedOut(Event, frozen=True, kw_only=True):
    """The answer to `work-out`: for each hidden place the cards that can lie there, and how likely."""

    outlook: Outlook
    id: int | None = None


class Hinted(Event, frozen=True, kw_only=True):
    """The answer to `hint`: a decision, how it is offered, and why a bot would take it (null: the game gives no
    reasons). Both follow from what the seat knows.
    """

    ask: int
    text: str
    offer: Message
    why: Message | None
    left: int  # hints that the seat still has in this match
    id: int | None = None
