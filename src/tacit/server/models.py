"""The database schema, and its rows as structs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import msgspec
import sqlalchemy as sa

from tacit.core.game import OptionValue
from tacit.server.protocol import Aids, AtEnd, DeciderKind, Ending, Phase, Spectators, Starts, Visibility
from tacit.server.together_protocol import Drawn, Reaction

NewsKind = Literal["turn", "sat", "begun", "short", "over", "rematch", "invited", "looked", "acted"]

metadata = sa.MetaData()
tables = sa.Table(
    "tables",
    metadata,
    sa.Column("id", sa.String(40), primary_key=True),
    sa.Column("game", sa.String(40), nullable=False),
    sa.Column("rules_version", sa.Integer, nullable=False),
    sa.Column("options", sa.JSON, nullable=False),
    sa.Column("visibility", sa.String(10), nullable=False),
    sa.Column("spectators", sa.String(10), nullable=False),
    sa.Column("clock", sa.Integer),
    sa.Column("phase", sa.String(10), nullable=False),
    sa.Column("maker_hash", sa.String(64), nullable=False),
    sa.Column("made", sa.Float, nullable=False),
    sa.Column("next", sa.String(40)),
    sa.Column("revision", sa.Integer, nullable=False),
    sa.Column("attended", sa.Float),  # when somebody was last here while it gathered; none: when it was made
    sa.Column("deal", sa.String(60)),
    sa.Column("team", sa.Integer),  # which table of a duplicate match
    sa.Column("epoch", sa.Integer),  # of the secret that the chance of this match comes from; none: the system's
    sa.Column("salt", sa.String(64)),
    sa.Column("branched", sa.JSON),
    sa.Column("subject", sa.String(60)),
    sa.Column("delay_decisions", sa.Integer),
    sa.Column("delay_minutes", sa.Integer),
    sa.Column("reserve", sa.Integer),
    sa.Column("at_end", sa.String(10)),
    sa.Column("pauses", sa.JSON),
    sa.Column("ended", sa.String(10)),
    sa.Column("aids", sa.String(10), nullable=False, server_default="none"),
    sa.Column("starts", sa.String(10), nullable=False, server_default="maker"),
)
sa.Index("tables_lobby", tables.c.visibility, tables.c.phase, tables.c.made)
seats = sa.Table(
    "seats",
    metadata,
    sa.Column("table_id", sa.String(40), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("kind", sa.String(10), nullable=False),
    sa.Column("name", sa.String(40)),
    sa.Column("bot", sa.String(40)),
    sa.Column("key_hash", sa.String(64)),
    sa.Column("left", sa.Boolean, nullable=False),
    sa.Column("sitting_in", sa.String(40)),
    sa.Column("agreed", sa.JSON, nullable=False),
    sa.Column("muted", sa.JSON, nullable=False),
    sa.Column("client", sa.String(10)),
    sa.Column("player", sa.String(64)),
    sa.Column("stirred", sa.String(64)),
    sa.Column("lent", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("wishes", sa.JSON),
    sa.Column("prepared", sa.Integer),
    sa.Column("notes", sa.JSON),
    sa.Column("hints", sa.JSON),
    sa.Column("contributes", sa.Boolean, nullable=False, server_default=sa.false()),
)
steps = sa.Table(
    "steps",
    metadata,
    sa.Column("table_id", sa.String(40), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("sequence", sa.Integer, primary_key=True),
    sa.Column("seat", sa.Integer),
    sa.Column("ask", sa.Integer),
    sa.Column("lines", sa.Text, nullable=False),
    sa.Column("asks", sa.JSON, nullable=False),
    sa.Column("at", sa.Float, nullable=False),
    sa.Column("mark", sa.String(16), nullable=False),
    sa.Column("due", sa.Integer),  # the seats that are due after it, a bit for each; none: not known
    sa.Column("decider", sa.String(48)),
)
chat = sa.Table(
    "chat",
    metadata,
    sa.Column("table_id", sa.String(40), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("at", sa.Float, nullable=False),
    sa.Column("name", sa.String(40)),
    sa.Column("person", sa.String(16)),
)
rooms = sa.Table(
    "rooms",
    metadata,
    sa.Column("table_id", sa.String(40), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("revision", sa.Integer, nullable=False),
    sa.Column("state", sa.JSON, nullable=False),
)
deals = sa.Table(
    "deals",
    metadata,
    sa.Column("id", sa.String(60), primary_key=True),
    sa.Column("kind", sa.String(10), nullable=False),
    sa.Column("game", sa.String(40), nullable=False),
    sa.Column("rules_version", sa.Integer, nullable=False),
    sa.Column("options", sa.JSON, nullable=False),
    sa.Column("seats", sa.Integer, nullable=False),
    sa.Column("bot", sa.String(40), nullable=False),
    sa.Column("number", sa.Integer),
    sa.Column("duplicate", sa.String(40)),
    sa.Column("subject", sa.String(60), nullable=False),  # whose cards were seen first: a deal's name or a table's
    sa.Column("source", sa.String(40)),  # of a challenge: the table whose record begins the order
    sa.Column("epoch", sa.Integer, nullable=False),
    sa.Column("commitment", sa.String(64), nullable=False),
    sa.Column("opened", sa.Float, nullable=False),
    sa.Column("closes", sa.Float),
    sa.Column("maker_hash", sa.String(64)),
    sa.Column("bots_score", sa.Integer),
    sa.Column("best_score", sa.Integer),  # the best that the solver found
    sa.Column("best_exact", sa.Boolean),  # no other is better; null: it has not looked yet
    sa.Column("best_asked", sa.Float),  # when it was last asked to
)
sa.Index("deals_subject", deals.c.subject)
sa.Index("deals_duplicate", deals.c.duplicate, deals.c.number)
attempts = sa.Table(
    "attempts",
    metadata,
    sa.Column("deal", sa.String(60), primary_key=True),
    sa.Column("table_id", sa.String(40), primary_key=True),  # its table may be deleted: the result stays
    sa.Column("team", sa.Integer),
    sa.Column("names", sa.JSON, nullable=False),
    sa.Column("people", sa.Integer, nullable=False),
    sa.Column("started", sa.Float, nullable=False),
    sa.Column("finished", sa.Float),
    sa.Column("counted", sa.Boolean, nullable=False),
    sa.Column("reason", sa.String(20)),
    sa.Column("score", sa.Integer),
    sa.Column("scores", sa.JSON),
    sa.Column("result", sa.JSON),
    sa.Column("sat_in", sa.JSON),
    sa.Column("by", sa.JSON),
)
sa.Index("attempts_table", attempts.c.table_id)
sa.Index("attempts_listed", attempts.c.deal, attempts.c.counted, attempts.c.score, attempts.c.finished)
looks = sa.Table(
    "looks",
    metadata,
    sa.Column("subject", sa.String(60), primary_key=True),
    sa.Column("identity", sa.String(64), primary_key=True),
    sa.Column("table_id", sa.String(40), primary_key=True),
    sa.Column("kind", sa.String(10), nullable=False),  # played, watched, replayed, branched
    sa.Column("at", sa.Float, nullable=False),
)
sa.Index("looks_of_identity", looks.c.identity)
duplicates = sa.Table(
    "duplicates",
    metadata,
    sa.Column("id", sa.String(40), primary_key=True),
    sa.Column("title", sa.String(40)),
    sa.Column("teams", sa.Integer, nullable=False),
    sa.Column("maker_hash", sa.String(64), nullable=False),
    sa.Column("opened", sa.Float, nullable=False),
)
sa.Index("tables_deal", tables.c.deal, tables.c.team)
reach = sa.Table(
    "reach",
    metadata,
    sa.Column("player", sa.String(64), primary_key=True),
    sa.Column("everywhere", sa.Boolean, nullable=False),
    sa.Column("language", sa.String(2), nullable=False),
    sa.Column("quiet_from", sa.Integer),  # minutes after midnight in `zone`; none: no quiet hours
    sa.Column("quiet_to", sa.Integer),
    sa.Column("zone", sa.String(60), nullable=False),
)
reach_tables = sa.Table(  # where somebody chose otherwise than for all tables
    "reach_tables",
    metadata,
    sa.Column("player", sa.String(64), primary_key=True),
    sa.Column("table_id", sa.String(40), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("wanted", sa.Boolean, nullable=False),
)
channels = sa.Table(
    "channels",
    metadata,
    sa.Column("id", sa.String(24), primary_key=True),
    sa.Column("player", sa.String(64), nullable=False),
    sa.Column("kind", sa.String(10), nullable=False),
    sa.Column("address", sa.Text, nullable=False),
    sa.Column("secret", sa.JSON),  # of web push: the browser's; of Matrix: the token
    sa.Column("base", sa.String(200), nullable=False),  # the address of this server that its links begin with
    sa.Column("made", sa.Float, nullable=False),
    sa.Column("failures", sa.Integer, nullable=False),  # since something last arrived
)
sa.Index("channels_player", channels.c.player)
notices = sa.Table(  # the outbox; what was sent stays until its receiver has looked
    "notices",
    metadata,
    sa.Column("channel_id", sa.String(24), sa.ForeignKey("channels.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("table_id", sa.String(40), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("slot", sa.String(5), primary_key=True),  # "news"; "short": time is short, which comes once more
    sa.Column("kind", sa.String(10), nullable=False),
    sa.Column("seat", sa.Integer),  # of the receiver; none: an invitation
    sa.Column("who", sa.String(40)),  # the name of whoever sat down or invites
    sa.Column("made", sa.Float, nullable=False),
    sa.Column("due", sa.Float, nullable=False),  # not to be sent before
    sa.Column("claimed", sa.Float, nullable=False),  # until when a process is sending it
    sa.Column("attempts", sa.Integer, nullable=False),
    sa.Column("sent", sa.Float),
)
sa.Index("notices_due", notices.c.sent, notices.c.due)
sa.Index("notices_table", notices.c.table_id)
sa.Index("seats_player", seats.c.player)
people = sa.Table(  # those with a passkey; anybody else is their device
    "people",
    metadata,
    sa.Column("id", sa.String(64), primary_key=True),  # the identity of their first device
    sa.Column("name", sa.String(40)),  # that nobody else may take; two columns compare it (names.py)
    sa.Column("folded", sa.String(160), unique=True),
    sa.Column("skeleton", sa.String(400), unique=True),
    sa.Column("made", sa.Float, nullable=False),
)
devices = sa.Table(
    "devices",
    metadata,
    sa.Column("identity", sa.String(64), primary_key=True),  # the hash of its cookie
    sa.Column("person", sa.String(64), nullable=False),
    sa.Column("label", sa.String(60), nullable=False),
    sa.Column("added", sa.Float, nullable=False),
    sa.Column("removed", sa.Boolean, nullable=False),  # its cookie is nobody's any more
)
sa.Index("devices_person", devices.c.person)
passkeys = sa.Table(
    "passkeys",
    metadata,
    sa.Column("id", sa.String(1400), primary_key=True),  # WebAuthn's credential id, as all binary values in base64url
    sa.Column("person", sa.String(64), nullable=False),
    sa.Column("public_key", sa.Text, nullable=False),
    sa.Column("sign_count", sa.BigInteger, nullable=False),
    sa.Column("host", sa.String(255), nullable=False),  # WebAuthn's relying party id
    sa.Column("label", sa.String(60), nullable=False),
    sa.Column("made", sa.Float, nullable=False),
    sa.Column("used", sa.Float),
)
sa.Index("passkeys_person", passkeys.c.person)
challenges = sa.Table(  # of WebAuthn: each is answered once
    "challenges",
    metadata,
    sa.Column("id", sa.String(64), primary_key=True),
    sa.Column("identity", sa.String(64), nullable=False),
    sa.Column("made", sa.Float, nullable=False),
)
avoided = sa.Table(
    "avoided",
    metadata,
    sa.Column("person", sa.String(64), primary_key=True),
    sa.Column("other", sa.String(64), primary_key=True),
    sa.Column("at", sa.Float, nullable=False),
)
sa.Index("avoided_other", avoided.c.other)
invitations = sa.Table(
    "invitations",
    metadata,
    sa.Column("person", sa.String(64), primary_key=True),
    sa.Column("table_id", sa.String(40), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("by", sa.String(64), nullable=False),
    sa.Column("name", sa.String(40)),
    sa.Column("at", sa.Float, nullable=False),
)
shut_out = sa.Table(
    "shut_out",
    metadata,
    sa.Column("person", sa.String(64), primary_key=True),
    sa.Column("until", sa.Float, nullable=False),
    sa.Column("reason", sa.String(200), nullable=False),
    sa.Column("at", sa.Float, nullable=False),
)
results = sa.Table(
    "results",
    metadata,
    sa.Column("table_id", sa.String(40), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("finished", sa.Float, nullable=False),
    sa.Column("scores", sa.JSON, nullable=False),
    sa.Column("result", sa.JSON),
    sa.Column("by", sa.JSON, nullable=False),  # who finished each seat (attempts.py)
    sa.Column("baseline", sa.Integer),  # what bots on all seats reach with the same cards; none: not computed yet
)
reviews = sa.Table(
    "reviews",
    metadata,
    sa.Column("id", sa.String(80), primary_key=True),  # the table's name, or the digest of a record that was brought
    sa.Column("table_id", sa.String(40), sa.ForeignKey("tables.id", ondelete="CASCADE")),
    sa.Column("asked", sa.Float, nullable=False),
    sa.Column("state", sa.String(10), nullable=False),
    sa.Column("claimed", sa.Float, nullable=False),  # until when a process makes it
    sa.Column("version", sa.Integer, nullable=False),  # counts what was found so far
    sa.Column("review", sa.Text),  # that, as JSON
)
sa.Index("reviews_asked", reviews.c.asked)
sa.Index("reviews_table", reviews.c.table_id)
ratings = sa.Table(
    "ratings",
    metadata,
    sa.Column("person", sa.String(64), primary_key=True),
    sa.Column("game", sa.String(40), primary_key=True),
    sa.Column("mu", sa.Float, nullable=False),
    sa.Column("sigma", sa.Float, nullable=False),
    sa.Column("matches", sa.Integer, nullable=False),
)
server = sa.Table(
    "server",
    metadata,
    sa.Column("name", sa.String(40), primary_key=True),
    sa.Column("value", sa.LargeBinary, nullable=False),
)


class SeatRow(msgspec.Struct, gc=False):
    """A stored seat."""

    kind: str = "open"
    name: str | None = None
    bot: str | None = None
    key_hash: str | None = None
    left: bool = False  # by their own command; the table does not wait for them until they come back
    sitting_in: str | None = None
    agreed: list[int] = []
    muted: list[str] = []  # people, by keys.person_of
    client: str | None = None  # what the person's client says it is
    player: str | None = None  # who the person is at all tables (people.py)
    stirred: str | None = None  # what the person added to the chance
    lent: bool = False  # spectators may see with this seat's eyes
    wishes: list[str] | None = None  # what the person would agree to: pause, end; nobody else is told
    prepared: int | None = None  # how many questions the person had answered when they prepared the next answer
    notes: dict[str, str] | None = None  # what the person noted for themselves, by place; nobody else is told
    hints: list[int] | None = None  # the questions for which the person had a hint; the others learn it at the end
    contributes: bool = False  # the person agrees that this match goes into a dataset (people_dataset.py)

    @property
    def bot_now(self) -> str | None:
        """The bot that decides for it now; None if a client does."""
        return self.bot if self.kind == "bot" else self.sitting_in


class TableRow(msgspec.Struct):
    """A stored table. `revision` counts its changes: a change of an old revision is a conflict."""

    id: str
    game: str
    rules_version: int
    options: dict[str, OptionValue]
    visibility: Visibility
    spectators: Spectators
    clock: int | None
    phase: Phase
    maker_hash: str
    made: float
    seats: list[SeatRow]
    next: str | None = None
    revision: int = 0
    deal: str | None = None
    team: int | None = None
    epoch: int | None = None
    salt: str | None = None
    branched: dict[str, Any] | None = None  # {"table": name or null, "lines": the record until then}
    delay_decisions: int | None = None  # of delayed spectators: one of both
    delay_minutes: int | None = None
    subject: str | None = None  # of the cards that are played here, in `looks`; null: the table's own name
    reserve: int | None = None  # seconds beyond the clock's that a seat has for the whole match
    at_end: AtEnd | None = None  # what happens when a seat's time is over; null: a bot decides once
    pauses: list[list[float]] | None = None  # [from, to]; the last one may have no end yet
    ended: Ending | None = None  # before its time, and why
    aids: Aids = "none"
    starts: Starts = "maker"

    def copy(self) -> TableRow:
        """A copy for an edit, which may change these lists in place and replaces everything else: only what differs
        from the row before is stored.
        """
        seats = [msgspec.structs.replace(row, agreed=list(row.agreed), muted=list(row.muted)) for row in self.seats]
        pauses = self.pauses and [list(pause) for pause in self.pauses]
        return msgspec.structs.replace(self, options=dict(self.options), seats=seats, pauses=pauses)


class Ended(msgspec.Struct, frozen=True):
    """How a match ended. `by`: who finished each seat. `reason`: why it does not count as an attempt on a deal.
    `on_deal`: can it be one? `rated`: can it change a rating?
    """

    score: int
    scores: list[int]
    result: Any
    sat_in: list[str]
    by: list[DeciderKind | None]
    reason: str | None = None
    on_deal: bool = True
    rated: bool = True


class News(msgspec.Struct, frozen=True):
    """Something that a person may be told about, wherever they are: it names no card, hand or decision.

    `kind` "looked": they know of everything until now; "acted": they have also answered.
    """

    table: str
    player: str
    kind: NewsKind
    seat: int | None = None
    who: str | None = None
    due: float = 0.0  # not to be sent before


class Step(msgspec.Struct, gc=False):
    """A stored decision or signal: its lines in the record, chance included, and every seat's `ask` after it."""

    table: str
    sequence: int
    lines: list[str]
    asks: list[int]
    seat: int | None = None  # who decided; null: the start of the match
    ask: int | None = None  # the question that was answered; null: a signal
    over: bool = False
    at: float = 0.0
    mark: str = ""  # identifies our own write, if the connection broke before the answer to its commit; set by Store
    due: int | None = None  # the seats that are due after it, a bit for each
    decider: str | None = None  # who decided (deciders.py); null: chance, or a row from before this column
    ended: Ended | None = None  # of the step that ends the match; stored with the attempt and in `results`
    news: Sequence[News] = ()  # stored with it; set by Store

    @property
    def texts(self) -> list[str]:
        """The decisions of its seat."""
        mine = f"{self.seat} "
        return [line.removeprefix(mine) for line in self.lines if line.startswith(mine)]

    @property
    def undoes(self) -> bool:
        """Does it take a decision back?"""
        return bool(self.lines) and self.lines[0].startswith("- ")


class RoomRow(msgspec.Struct):
    """A stored review room. `revision` counts its changes."""

    leader: int
    step: int
    drawn: list[Drawn] = []
    reactions: list[Reaction] = []
    agreed: list[int] = []
    revision: int = 0


class ChatRow(msgspec.Struct, frozen=True):
    """A line of chat. It belongs to the person who wrote it: somebody else may have the seat by now."""

    number: int
    seat: int
    text: str
    name: str | None  # null: written before this was kept, when the seat may have been another's
    person: str | None
