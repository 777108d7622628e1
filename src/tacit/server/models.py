"""The database schema, and its rows as structs."""

from __future__ import annotations

import msgspec
import sqlalchemy as sa

from tacit.core.game import OptionValue
from tacit.server.protocol import Phase, Spectators, Visibility

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

    def copy(self) -> TableRow:
        """A deep copy."""
        seats = [msgspec.structs.replace(row, agreed=list(row.agreed), muted=list(row.muted)) for row in self.seats]
        return msgspec.structs.replace(self, options=dict(self.options), seats=seats)


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


class ChatRow(msgspec.Struct, frozen=True):
    """A line of chat. It belongs to the person who wrote it: somebody else may have the seat by now."""

    number: int
    seat: int
    text: str
    name: str | None  # null: written before this was kept, when the seat may have been another's
    person: str | None
