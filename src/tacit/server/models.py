"""The database schema, and its rows as structs."""

from __future__ import annotations

from typing import Any

import msgspec
import sqlalchemy as sa

from tacit.core.game import OptionValue
from tacit.server.protocol import Aids, DealKind, Phase, Spectators, Visibility

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
    sa.Column("aids", sa.String(10), nullable=False, server_default="none"),
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
server = sa.Table(
    "server",
    metadata,
    sa.Column("name", sa.String(40), primary_key=True),
    sa.Column("value", sa.LargeBinary, nullable=False),
)


class SeatRow(msgspec.Struct):
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
    player: str | None = None  # the hash of the person's cookie, which is the same at all tables
    stirred: str | None = None  # what the person added to the chance


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
    subject: str | None = None  # of the cards that are played here, in `looks`; null: the table's own name
    aids: Aids = "none"

    def copy(self) -> TableRow:
        """A deep copy."""
        seats = [msgspec.structs.replace(row, agreed=list(row.agreed), muted=list(row.muted)) for row in self.seats]
        return msgspec.structs.replace(self, options=dict(self.options), seats=seats)


class Ended(msgspec.Struct, frozen=True):
    """How an attempt on a deal ended. `reason`: why it no longer counts."""

    score: int
    scores: list[int]
    result: Any
    sat_in: list[str]
    reason: str | None = None


class Step(msgspec.Struct, frozen=True):
    """A stored decision or signal: its lines in the record, chance included, and every seat's `ask` after it."""

    table: str
    sequence: int
    lines: list[str]
    asks: list[int]
    seat: int | None = None  # who decided; null: the start of the match
    ask: int | None = None  # the question that was answered; null: a signal
    over: bool = False
    at: float = 0.0
    mark: str = ""  # identifies our own write, if the connection broke before the answer to its commit
    due: int | None = None  # the seats that are due after it, a bit for each
    decider: str | None = None  # who decided (deciders.py); null: chance, or a row from before this column
    ended: Ended | None = None  # of the step that ends an attempt on a deal; stored with the attempt


class DealRow(msgspec.Struct, frozen=True):
    """A stored deal. Its order is not stored: it follows from the secret of its epoch and from its name."""

    id: str
    kind: DealKind
    game: str
    rules_version: int
    options: dict[str, OptionValue]
    seats: int
    bot: str
    subject: str
    epoch: int
    commitment: str
    opened: float
    closes: float | None = None
    number: int | None = None
    duplicate: str | None = None
    source: str | None = None
    maker_hash: str | None = None
    bots_score: int | None = None


class AttemptRow(msgspec.Struct, frozen=True):
    """A stored attempt on a deal: made when its match begins, completed with the step that ends it."""

    table_id: str
    deal: str
    team: int | None
    names: list[str | None]  # of the person on each seat; null: a bot's
    people: int
    started: float
    counted: bool
    reason: str | None = None
    finished: float | None = None
    score: int | None = None
    scores: list[int] | None = None
    result: Any = None
    sat_in: list[str] | None = None


class DuplicateRow(msgspec.Struct, frozen=True):
    """A stored duplicate match; its deals name it."""

    id: str
    title: str | None
    teams: int
    maker_hash: str
    opened: float


class ChatRow(msgspec.Struct, frozen=True):
    """A line of chat. It belongs to the person who wrote it: somebody else may have the seat by now."""

    number: int
    seat: int
    text: str
    name: str | None  # null: written before this was kept, when the seat may have been another's
    person: str | None
