"""Every message between a client and the server, once. Over the WebSocket they travel as JSON with a `type`; over HTTP
a command is the body of `POST /api/tables/{table}/{command}`, and what the server would send is the answer.

docs/protocol.md explains them; schema.py makes the JSON Schema and the OpenAPI document from this file.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from tacit.core.game import OptionValue
from tacit.core.messages import Message

PROTOCOL = 1  # raised when a message changes its meaning; a page of another version is told to reload

MAX_BYTES = 64 * 1024  # of one message from a client
MAX_RECORD = 512 * 1024  # of a message that brings a record along
MAX_NAME = 24  # letters; counted again once accents are put together (names.py)
MAX_CHAT = 300
Name = Annotated[str, Meta(min_length=1, max_length=MAX_NAME)]
BotName = Annotated[str, Meta(min_length=1, max_length=40)]
Whole = Annotated[int, Meta(ge=-(2**53) + 1, le=2**53 - 1)]  # as far as JavaScript counts, too
Seat = Annotated[int, Meta(ge=0, le=31)]
Key = Annotated[str, Meta(min_length=8, max_length=200)]
Text = Annotated[str, Meta(max_length=200)]
Texts = Annotated[list[Text], Meta(min_length=1, max_length=200)]
ChatText = Annotated[str, Meta(min_length=1, max_length=MAX_CHAT)]
Eyes = Annotated[str, Meta(pattern="^(public|open|[0-9]|[12][0-9]|3[01])$")]  # a seat's; a spectator's; everyone's
Clock = Annotated[int, Meta(ge=5, le=86_400)]
What = Literal["decision", "signal", "chance"]
Phase = Literal["gathering", "playing", "over"]
Visibility = Literal["open", "private"]  # open tables stand in the lobby; a private one is found by its link alone
Client = Literal["person", "program"]  # what a client says of itself
DeciderKind = Literal["person", "program", "client", "bot", "clock"]  # client: it did not say; clock: time ran out
Spectators = Literal["none", "public", "after"]  # nobody; anyone, as the public sees it; anyone once it is over


class Wire(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What all messages share: no unknown fields."""


def _tag(name: str) -> str:
    return "".join(f"-{c.lower()}" if c.isupper() else c for c in name).lstrip("-")


class Command(Wire, frozen=True, kw_only=True, tag_field="type", tag=_tag):
    """From a client. `id`, where given, comes back with the answer."""

    id: Whole | None = None


class Event(Wire, frozen=True, kw_only=True, tag_field="type", tag=_tag):
    """From the server."""


# ------------------------------------------------------------------ making a table and coming to it (HTTP only)
class Chair(Wire, frozen=True, kw_only=True):
    """One seat of a new table: for a person to claim, or a bot's."""

    kind: Literal["open", "bot"] = "open"
    bot: BotName | None = None


class Create(Wire, frozen=True, kw_only=True):
    """Make a table. The maker sits on the first seat that is no bot's, unless `name` is missing."""

    game: Annotated[str, Meta(max_length=40)]
    seats: Seat
    name: Name | None = None
    kind: Client | None = None  # who sits down: a person, or a program; null: not said
    options: dict[str, OptionValue] = {}
    chairs: list[Chair] = []
    visibility: Visibility = "private"
    spectators: Spectators = "none"
    clock: Clock | None = None  # seconds a decision; without it the pace is relaxed


class Join(Wire, frozen=True, kw_only=True):
    """Claim a free seat with a name; without a number, the first one."""

    name: Name
    seat: Seat | None = None
    kind: Client | None = None  # who sits down: a person, or a program; null: not said


class Enter(Wire, frozen=True, kw_only=True):
    """Show a key on this device; a cookie keeps it."""

    key: Key


class Entered(Wire, frozen=True, kw_only=True):
    """A place at a table. `key` is the capability: who has it has the place. `link` carries it to another device."""

    table: str
    seat: int | None
    maker: bool
    key: str
    link: str
    invitation: str


# ------------------------------------------------------------------ commands
class Hello(Command, frozen=True, kw_only=True):
    """The first message on a WebSocket. Without a key the cookie counts, and without one a spectator comes."""

    protocol: Whole
    key: Key | None = None


class Act(Command, frozen=True, kw_only=True):
    """Decide. `ask` is the number of the open decision as `seen` gave it; a run of texts is applied all or nothing."""

    ask: Whole
    texts: Texts


class Decline(Command, frozen=True, kw_only=True):
    """Leave a race to the others ("not me"): the bots wait for you no longer. You may still act while it is open."""

    ask: Whole


class Preview(Command, frozen=True, kw_only=True):
    """What would I see after these? Nothing is committed."""

    texts: Texts


class Signal(Command, frozen=True, kw_only=True):
    """Give a signal, in games that have them."""

    text: Text


class Claim(Command, frozen=True, kw_only=True):
    """Move to another free seat, before the start."""

    seat: Seat


class Arrange(Command, frozen=True, kw_only=True):
    """The maker gives a free seat to a bot, or frees a bot's seat, before the start."""

    seat: Seat
    chair: Chair


class Remove(Command, frozen=True, kw_only=True):
    """The maker removes the person on a seat, before the start."""

    seat: Seat


class Start(Command, frozen=True, kw_only=True):
    """The maker begins the match. Free seats go to the bot named in `fill`; without one they are refused."""

    fill: BotName | None = None


class Leave(Command, frozen=True, kw_only=True):
    """Give the seat up (before the start), or go away from it at once (while the match runs: it stays yours)."""


class Return(Command, frozen=True, kw_only=True):
    """Take the seat back from the bot that sits in."""


class SitIn(Command, frozen=True, kw_only=True):
    """Agree that a bot sits in for someone who is away. It does when all the others who are here agree."""

    seat: Seat
    bot: BotName | None = None


class Chat(Command, frozen=True, kw_only=True):
    """Say something. In silent games before the match and after it, in others at any time."""

    text: ChatText


class Mute(Command, frozen=True, kw_only=True):
    """Hear the person on a seat no more, or again, wherever they sit."""

    seat: Seat
    chat: Literal["muted", "heard"] = "muted"


class Rematch(Command, frozen=True, kw_only=True):
    """A new table with the same people, after the match. Its name comes with the `table` message, as `next`."""

    options: dict[str, OptionValue] = {}  # those that are to be others than in this match


class Follow(Command, frozen=True, kw_only=True):
    """Go to the rematch's table with the same key (HTTP: the answer's cookie is for that table)."""


Commands = (
    Hello | Act | Decline | Preview | Signal | Claim | Arrange | Remove | Start | Leave | Return | SitIn | Chat | Mute
    | Rematch | Follow
)  # fmt: skip


# ------------------------------------------------------------------ events
class Welcome(Event, frozen=True, kw_only=True):
    """The answer to `hello`; again when your seat became another, or the table yours."""

    protocol: int
    software: str
    seat: int | None
    maker: bool
    notice: Message | None = None  # what should be said about it: that a kept key opens no seat any more


class Reload(Event, frozen=True, kw_only=True):
    """This page is of another version: load it again. The socket is closed after it."""

    protocol: int
    sentence: str


class Span(Wire, frozen=True, kw_only=True):
    """Who decided for a seat from one step of the record to another, both included, counted from 1 as a replay does.

    `bot` names the bot where `kind` is `bot`, and the one that decided because time ran out where it is `clock`.
    """

    first: int
    last: int
    kind: DeciderKind
    bot: str | None = None


class SeatInfo(Wire, frozen=True, kw_only=True):
    """What everyone may know of who sits on a seat. Nothing here depends on the match before it is over."""

    kind: Literal["open", "person", "bot"]
    name: str | None = None
    bot: str | None = None
    presence: Literal["here", "away", "left"] = "here"
    away_since: float | None = None  # seconds since 1970
    sitting_in: str | None = None  # the bot that sits in for the person
    agreed: list[int] = []  # the seats that agree to a bot
    client: Client | None = None  # what the person's client says it is
    person: str | None = None  # stays the same wherever this person sits; `said` has it too
    played: list[Span] = []  # once the match is over: who decided for this seat, and when


class Table(Event, frozen=True, kw_only=True):
    """The table but not the match: who sits where. Sent when it changes."""

    table: str
    game: str
    options: dict[str, OptionValue]
    phase: Phase
    seats: list[SeatInfo]
    visibility: Visibility
    spectators: Spectators
    clock: int | None
    silent: bool  # no chat while the match runs
    grace: float  # seconds someone must be away before a bot may sit in
    next: str | None = None  # the rematch
    result: Any = None  # once it is over


class Seen(Event, frozen=True, kw_only=True):
    """All that a seat (or a spectator) gets of the match. Sent when, and only when, it changed.

    Of what was heard, the first `keep` lines stand as they were told; `heard` follows them. `offers`, `told` and
    `signal_offers` put `legal`, `heard` and `signals` into words.
    """

    seat: int | None
    ask: int | None  # the number of this seat's open decision; null while it has none
    view: Any
    legal: list[str]
    offers: list[Message]
    signals: list[str]
    signal_offers: list[Message]
    keep: int
    heard: list[str]
    told: list[Message]
    deadline: float | None = None  # where a clock runs: when this decision is taken for the seat
    race_until: float | None = None  # in a race: until when bots wait for this seat; null: they do not, or it declined


class Previewed(Event, frozen=True, kw_only=True):
    """The answer to `preview`: the table as it would be, and the lines that would be heard."""

    view: Any
    legal: list[str]
    offers: list[Message]
    heard: list[str]
    told: list[Message]
    id: int | None = None


class Done(Event, frozen=True, kw_only=True):
    """The command was carried out and written down. `again`: it had been before, and nothing was done twice."""

    id: int | None = None
    again: bool = False


class Refused(Event, frozen=True, kw_only=True):
    """The command was refused and changed nothing; why, as a message and as an English sentence."""

    reason: Message
    sentence: str
    id: int | None = None


class Said(Event, frozen=True, kw_only=True):
    """Someone said something. It stays theirs, whoever sits on that seat later."""

    number: int
    seat: int  # where they sat when they said it
    name: str | None  # what they were called then; null: not known any more
    person: str | None  # as in the seats of `table`, for as long as they sit there
    text: str


class Removed(Event, frozen=True, kw_only=True):
    """You were removed from the table, or it was closed; why, as a message and as an English sentence. The socket is
    closed after it.
    """

    reason: Message
    sentence: str


Events = Welcome | Reload | Table | Seen | Previewed | Done | Refused | Said | Removed


# ------------------------------------------------------------------ what HTTP alone answers
class BotInfo(Wire, frozen=True, kw_only=True):
    """A bot that plays a game: how it plays, and what it takes for granted of the others (in English)."""

    name: str
    style: str
    assumes: str


class GameInfo(Wire, frozen=True, kw_only=True):
    """A game that can be played here."""

    game: str
    title: str
    rules_version: int
    min_seats: int
    max_seats: int
    options: dict[str, list[OptionValue]]
    silent: bool
    signals: list[str]
    bots: list[BotInfo]  # first the usual one


class Games(Wire, frozen=True, kw_only=True):
    protocol: int
    software: str
    games: list[GameInfo]


class LobbyTable(Wire, frozen=True, kw_only=True):
    """An open table in the lobby."""

    table: str
    game: str
    options: dict[str, OptionValue]
    phase: Phase
    seats: list[SeatInfo]
    spectators: Spectators
    clock: int | None


class Lobby(Wire, frozen=True, kw_only=True):
    tables: list[LobbyTable]


class Bring(Wire, frozen=True, kw_only=True):
    """A record that somebody brings to look at. Nothing of it is kept."""

    record: Annotated[str, Meta(max_length=MAX_RECORD)]
    eyes: Eyes = "public"
    step: Annotated[int, Meta(ge=0, le=1_000_000)] = 0


class Replayed(Wire, frozen=True, kw_only=True):
    """A match after some of its steps, from a seat's eyes, a spectator's (`public`), or everyone's at once (`open`).

    `heard` and `told` are all that those eyes had heard by then; open ones, the record itself.
    """

    eyes: str
    step: int
    steps: int
    view: Any  # with open eyes: a spectator's
    views: list[Any] | None = None  # with open eyes: each seat's own
    heard: list[str]
    told: list[Message]
    result: Any = None  # where the match is over at this step


class OutlineStep(Wire, frozen=True, kw_only=True):
    """One step of a match: who acted (null: chance), and what the eyes were told of it."""

    who: int | None
    what: What
    told: list[Message]


class OutlineSeat(Wire, frozen=True, kw_only=True):
    """Who sat on a seat, and who decided for it, where the record says so."""

    name: str | None
    bot: str | None
    played: list[Span] = []


class Outline(Wire, frozen=True, kw_only=True):
    """A whole match step by step, as some eyes were told it."""

    eyes: str
    game: str
    rules_version: int
    options: dict[str, OptionValue]
    seats: list[OutlineSeat]
    date: str | None  # 2026-11-15
    steps: list[OutlineStep]
    result: Any = None


class Health(Wire, frozen=True, kw_only=True):
    ok: bool
    software: str
    protocol: int
    database: str
    tables: int  # live in this process


COMMANDS: dict[str, type[Command]] = {
    str(kind.__struct_config__.tag): kind for kind in Command.__subclasses__() if kind is not Hello
}
