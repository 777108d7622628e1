"""Every message between a client and the server. On the WebSocket a message is JSON with a `type`; over HTTP a command
is the body of `POST /api/tables/{table}/{command}`, and the event it causes is the answer.

docs/protocol.md explains them; schema.py makes the JSON Schema and the OpenAPI document from this file.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from tacit.core.game import OptionValue
from tacit.core.messages import Message

PROTOCOL = 1  # increased when a message changes its meaning; a page with another version gets `reload`

MAX_BYTES = 64 * 1024  # of one message from a client
MAX_RECORD = 512 * 1024  # of a message with a record
MAX_NAME = 24  # letters; checked again after Unicode normalization (names.py)
MAX_CHAT = 300
Name = Annotated[str, Meta(min_length=1, max_length=MAX_NAME)]
BotName = Annotated[str, Meta(min_length=1, max_length=40)]
Whole = Annotated[int, Meta(ge=-(2**53) + 1, le=2**53 - 1)]  # integers that JavaScript represents exactly
Seat = Annotated[int, Meta(ge=0, le=31)]
Key = Annotated[str, Meta(min_length=8, max_length=200)]
Text = Annotated[str, Meta(max_length=200)]
Texts = Annotated[list[Text], Meta(min_length=1, max_length=200)]
ChatText = Annotated[str, Meta(min_length=1, max_length=MAX_CHAT)]
Eyes = Annotated[str, Meta(pattern="^(public|open|[0-9]|[12][0-9]|3[01])$")]  # a seat; a spectator; all seats at once
Delay = Annotated[int, Meta(ge=1, le=200)]  # of delayed spectators, who have one of both: decisions or minutes
Clock = Annotated[int, Meta(ge=5, le=14 * 86_400)]
Reserve = Annotated[int, Meta(ge=60, le=60 * 86_400)]
AtEnd = Literal["bot", "pass", "end"]  # a bot sits in; the seat passes where it can; the match ends
Ending = Literal["agreed", "time"]  # why a match ended before its time
Wished = Literal["pause", "end"]
What = Literal["decision", "signal", "chance"]
Phase = Literal["gathering", "playing", "over"]
Visibility = Literal["open", "private"]  # open tables are in the lobby; a private one is reached only by its link
Starts = Literal["maker", "full"]  # when the maker says so; once the last seat is taken
Client = Literal["person", "program"]  # what the client says it is
DeciderKind = Literal["person", "program", "client", "bot", "clock"]  # client: it did not say; clock: time ran out
# known: a seat may ask what it can work out of hidden cards, and keep notes; hints: it may ask for hints, too.
Aids = Literal["none", "known", "hints"]
# Not allowed; anyone; anyone after the match; with the eyes of a seat that lends them; everything, but later.
Spectators = Literal["none", "public", "after", "seat", "delayed"]
DealKind = Literal["daily", "challenge", "duplicate"]
DealName = Annotated[str, Meta(min_length=1, max_length=60)]
Hex = Annotated[str, Meta(pattern="^[0-9a-f]{2,128}$")]


class Wire(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, gc=False):
    """The base of all messages: unknown fields are refused."""


def _tag(name: str) -> str:
    return "".join(f"-{c.lower()}" if c.isupper() else c for c in name).lstrip("-")


class Command(Wire, frozen=True, kw_only=True, tag_field="type", tag=_tag):
    """A message from a client. The answer repeats its `id`."""

    id: Whole | None = None


class Event(Wire, frozen=True, kw_only=True, tag_field="type", tag=_tag):
    """A message from the server."""


# ------------------------------------------------------------------ creating and joining a table (HTTP only)
class Chair(Wire, frozen=True, kw_only=True):
    """One seat of a new table: open for a person, or taken by a bot."""

    kind: Literal["open", "bot"] = "open"
    bot: BotName | None = None


class Create(Wire, frozen=True, kw_only=True):
    """Create a table. With a `name`, the maker gets the first seat that is not a bot's."""

    game: Annotated[str, Meta(max_length=40)]
    seats: Seat
    name: Name | None = None
    kind: Client | None = None  # who sits down: a person, or a program; null: not said
    options: dict[str, OptionValue] = {}
    chairs: list[Chair] = []
    visibility: Visibility = "private"
    spectators: Spectators = "none"
    delay_decisions: Delay | None = None
    delay_minutes: Delay | None = None
    clock: Clock | None = None  # seconds for each decision; null: no clock
    reserve: Reserve | None = None  # seconds beyond the clock's that each seat has for the whole match
    at_end: AtEnd | None = None  # when a seat's time is over; null: a bot decides once
    aids: Aids = "none"  # a table on a deal has none
    starts: Starts = "maker"
    deal: DealName | None = None  # play this deal: game, seats, options and bots must be its own


class Join(Wire, frozen=True, kw_only=True):
    """Claim a free seat with a name; without a number, the first free one."""

    name: Name
    seat: Seat | None = None
    kind: Client | None = None  # who sits down: a person, or a program; null: not said


class Enter(Wire, frozen=True, kw_only=True):
    """Open a seat on this device by its key; the answer sets a cookie."""

    key: Key


class Entered(Wire, frozen=True, kw_only=True):
    """A seat at a table. `key` is the capability for it: keep it secret. `link` opens the seat on another device."""

    table: str
    seat: int | None
    maker: bool
    key: str
    link: str
    invitation: str


# ------------------------------------------------------------------ commands
class Hello(Command, frozen=True, kw_only=True):
    """The first message on a WebSocket. Without a key the cookie is used; without a cookie you are a spectator. With
    `join` you claim a seat first, with `create` (at `/api/live`) you make the table; `joined` tells you its key.
    """

    protocol: Whole
    key: Key | None = None
    join: Join | None = None
    create: Create | None = None


class Act(Command, frozen=True, kw_only=True):
    """Decide. `ask` is the number of the open question, from `seen`. Several texts are applied all or none."""

    ask: Whole
    texts: Texts


class Decline(Command, frozen=True, kw_only=True):
    """Leave a race to the others: bots no longer wait for you. You may still act while the race is open."""

    ask: Whole


class Preview(Command, frozen=True, kw_only=True):
    """Ask what you would see after these decisions. Nothing changes."""

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


class Stir(Command, frozen=True, kw_only=True):
    """Add a text of your own to the chance of a match, before the start: so nobody can have chosen the cards."""

    text: Annotated[str, Meta(min_length=1, max_length=64)]


class Leave(Command, frozen=True, kw_only=True):
    """Before the start: give up the seat. During the match: be away at once; the seat stays yours."""


class Return(Command, frozen=True, kw_only=True):
    """Take your seat back from the bot that sits in for you."""


class SitIn(Command, frozen=True, kw_only=True):
    """Agree that a bot sits in for a person who is away. It does so once all others who are present agree."""

    seat: Seat
    bot: BotName | None = None


class Wish(Command, frozen=True, kw_only=True):
    """Say silently whether you would agree to pause or to end the match. It happens once all people agree; nobody is
    told who asked or who does not.
    """

    want: Wished
    answer: Literal["yes", "no"] = "yes"


class Resume(Command, frozen=True, kw_only=True):
    """Go on after a pause. Anyone at the table can."""


class Prepare(Command, frozen=True, kw_only=True):
    """Let the server answer your next question if only one decision is possible then. Nobody else is told."""

    answer: Literal["yes", "no"] = "yes"


class Chat(Command, frozen=True, kw_only=True):
    """Say something. In silent games only before and after the match."""

    text: ChatText


class Mute(Command, frozen=True, kw_only=True):
    """Mute or unmute the person on a seat; this follows the person to other seats."""

    seat: Seat
    chat: Literal["muted", "heard"] = "muted"


class Rematch(Command, frozen=True, kw_only=True):
    """Create a new table for the same people, after the match. Its name is `next` of the `table` message."""

    options: dict[str, OptionValue] = {}  # options that differ from this match


class Follow(Command, frozen=True, kw_only=True):
    """Go to the rematch's table with the same key. Over HTTP, the answer sets a cookie for that table."""


TableCommands = (
    Hello | Act | Decline | Preview | Signal | Claim | Arrange | Remove | Start | Stir | Leave | Return
    | SitIn | Wish | Resume | Prepare | Chat | Mute | Rematch | Follow
)  # fmt: skip


# ------------------------------------------------------------------ events
class Welcome(Event, frozen=True, kw_only=True):
    """The answer to `hello`. Sent again when your seat changes or you become the maker."""

    protocol: int
    software: str
    seat: int | None
    maker: bool
    notice: Message | None = None  # for the person, e.g. that a stored key is no longer valid


class Joined(Event, frozen=True, kw_only=True):
    """The answer to `join` and `create`: your key, and who you are on this server (header `Tacit-Player`)."""

    table: str
    seat: int | None
    key: str
    player: str


class Reload(Event, frozen=True, kw_only=True):
    """The page has another protocol version: reload it. The server then closes the socket."""

    protocol: int
    sentence: str


class Span(Wire, frozen=True, kw_only=True):
    """Who decided for a seat from step `first` to step `last` of the record (both included, counted from 1).

    `bot` is the bot's name where `kind` is `bot`, or `clock` (the bot that decided when time ran out).
    """

    first: int
    last: int
    kind: DeciderKind
    bot: str | None = None


class SeatInfo(Wire, frozen=True, kw_only=True):
    """Public information about a seat. Until the match is over, nothing here depends on it."""

    kind: Literal["open", "person", "bot"]
    name: str | None = None
    bot: str | None = None
    presence: Literal["here", "away", "left"] = "here"
    away_since: float | None = None  # seconds since 1970
    sitting_in: str | None = None  # the bot that sits in for the person
    agreed: list[int] = []  # the seats that agreed to a bot
    client: Client | None = None  # what the person's client says it is
    person: str | None = None  # identifies the person on any seat, also in `said`
    played: list[Span] = []  # once the match is over: who decided for this seat, and when
    lent: bool = False  # spectators see with this seat's eyes
    stirred: bool = False  # the person added a text of their own to the chance
    hints: int = 0  # once the match is over: how many hints the person asked for


class Opening(Wire, frozen=True, kw_only=True):
    """What a commitment was made to; docs/fair-deals.md says how a record is checked against it.

    `beginning` is the record of the match that a challenge was made of, if that one was not played on a deal.
    """

    key: Hex
    salt: Hex
    beginning: Annotated[str, Meta(max_length=MAX_RECORD)] | None = None


class TableDeal(Wire, frozen=True, kw_only=True):
    """The deal that a table plays, and whether the attempt counts (null before the start)."""

    deal: str
    kind: DealKind
    number: int | None = None  # of the daily, or within a duplicate match
    team: int | None = None  # which table of a duplicate match
    duplicate: str | None = None
    deals: int | None = None  # how many a duplicate match has
    counted: bool | None = None
    reason: Message | None = None  # why it does not count


class Branched(Wire, frozen=True, kw_only=True):
    """Where a match was played on from: a table of this server (null: a record that was brought), and the step."""

    table: str | None
    step: int


class Table(Event, frozen=True, kw_only=True):
    """The table without its match: who sits where. Sent when it changes."""

    table: str
    game: str
    options: dict[str, OptionValue]
    phase: Phase
    seats: list[SeatInfo]
    visibility: Visibility
    spectators: Spectators
    clock: int | None
    reserve: int | None = None
    at_end: AtEnd | None = None
    paused: float | None = None  # since when, in seconds since 1970
    ended: Ending | None = None  # if it ended before its time: there is no result
    silent: bool  # no chat while the match runs
    aids: Aids = "none"
    starts: Starts = "maker"
    grace: float  # seconds that a person must be away before a bot may sit in
    next: str | None = None  # the rematch
    result: Any = None  # once it is over
    deal: TableDeal | None = None
    branched: Branched | None = None
    commitment: str | None = None  # to the chance of this match; a table on a deal has the deal's
    delay_decisions: int | None = None
    delay_minutes: int | None = None
    opening: Opening | None = None  # once it is over, for its seats; of a deal, see the deal


class Seen(Event, frozen=True):
    """What a seat (or a spectator) sees of the match. Sent only when it changed.

    Keep the first `keep` lines heard so far and append `heard`. `offers`, `told` and `signal_offers` are the messages
    for `legal`, `heard` and `signals`.
    """

    seat: int | None
    ask: int | None  # the number of this seat's open question; null: none
    view: Any
    legal: list[str]
    offers: list[Message]
    signals: list[str]
    signal_offers: list[Message]
    keep: int
    heard: list[str]
    told: list[Message]
    deadline: float | None = None  # with a clock: when a bot decides for the seat
    undo: int | None = None  # the number with which `undo` takes the last decision back; null: it cannot be
    undo_offer: Message | None = None  # that decision
    eyes: int | None = None  # of a spectator: the seat whose eyes these are
    views: list[Any] | None = None  # of a delayed spectator: the view of each seat; `heard` is then the record
    race_until: float | None = None  # in a race: bots wait for this seat until then; null: no race, or declined
    reserve: float | None = None  # seconds of its reserve that this seat still has, at the beginning of the question
    wishes: list[Wished] = []  # what this seat would agree to; nobody else is told
    prepared: bool = False  # the server answers this seat's next question if only one decision is possible
    notes: dict[str, str] = {}  # what this seat has noted for itself, by place; nobody else is told
    hints_left: int | None = None  # hints that this seat may still ask for; null: the table has none
    contributes: bool = False  # this seat agrees that the match goes into a dataset; nobody else is told


class Previewed(Event, frozen=True, kw_only=True):
    """The answer to `preview`: the view after the decisions, and the lines that the seat would hear."""

    view: Any
    legal: list[str]
    offers: list[Message]
    heard: list[str]
    told: list[Message]
    id: int | None = None


class Done(Event, frozen=True, kw_only=True):
    """The command is done and stored. `again`: it was already done before, and nothing changed now."""

    id: int | None = None
    again: bool = False


class Refused(Event, frozen=True, kw_only=True):
    """The command was refused and changed nothing. The reason is a message and an English sentence."""

    reason: Message
    sentence: str
    id: int | None = None


class Said(Event, frozen=True, kw_only=True):
    """A chat message. It belongs to the person who wrote it, not to the seat."""

    number: int
    seat: int  # of the person at that time
    name: str | None  # of the person at that time; null: unknown
    person: str | None  # as in the seats of `table`
    text: str


class Removed(Event, frozen=True, kw_only=True):
    """You were removed from the table, or it was closed. The reason is a message and an English sentence. The server
    then closes the socket.
    """

    reason: Message
    sentence: str


TableEvents = Welcome | Joined | Reload | Table | Seen | Previewed | Done | Refused | Said | Removed


# ------------------------------------------------------------------ answers over HTTP only
class Bring(Wire, frozen=True, kw_only=True):
    """A record to replay. The server does not store it."""

    record: Annotated[str, Meta(max_length=MAX_RECORD)]
    eyes: Eyes = "public"
    step: Annotated[int, Meta(ge=0, le=1_000_000)] = 0
    decision: Text | None = None  # of the seat whose eyes these are: `Replayed.previewed` shows it


class Replayed(Wire, frozen=True, kw_only=True):
    """A match after some steps, as `eyes` see it: a seat, a spectator (`public`), or all seats at once (`open`).

    `heard` and `told` are the lines heard so far; with `open`, the record itself.
    """

    eyes: str
    step: int
    steps: int
    view: Any  # with `open`: the spectator's view
    views: list[Any] | None = None  # with `open`: the view of each seat
    heard: list[str]
    told: list[Message]
    result: Any = None  # if the match is over at this step
    previewed: Previewed | None = None  # what the seat would have seen after `decision`, by what it knew


class OutlineStep(Wire, frozen=True, kw_only=True):
    """One step of a match: who decided (null: chance), and the messages about it."""

    who: int | None
    what: What
    told: list[Message]


class OutlineSeat(Wire, frozen=True, kw_only=True):
    """Who sat on a seat and who decided for it, if the record says so."""

    name: str | None
    bot: str | None
    played: list[Span] = []


class Outline(Wire, frozen=True, kw_only=True):
    """All steps of a match, as `eyes` heard them."""

    eyes: str
    game: str
    rules_version: int
    options: dict[str, OptionValue]
    seats: list[OutlineSeat]
    date: str | None  # 2026-11-15
    steps: list[OutlineStep]
    result: Any = None
    branched: Branched | None = None
