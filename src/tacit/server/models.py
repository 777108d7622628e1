"""What is stored: the tables of the database, and their rows as the server works with them."""

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
    """Who sits on a seat, as it is stored."""

    kind: str = "open"
    name: str | None = None
    bot: str | None = None
    key_hash: str | None = None
    left: bool = False  # the person said so; until they come back nobody need wait for them
    sitting_in: str | None = None
    agreed: list[int] = []
    muted: list[str] = []  # people, by keys.person_of
    client: str | None = None  # what the person's client says it is


class TableRow(msgspec.Struct):
    """A table, as it is stored. `revision` counts its changes: who changes an old one must look again."""

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
    chairs: list[SeatRow]
    next: str | None = None
    revision: int = 0

    def copy(self) -> TableRow:
        """Another one, equal to this."""
        chairs = [msgspec.structs.replace(c, agreed=list(c.agreed), muted=list(c.muted)) for c in self.chairs]
        return msgspec.structs.replace(self, options=dict(self.options), chairs=chairs)


class Step(msgspec.Struct, frozen=True):
    """What one decision brought: its lines in the record, chance included, and every seat's `ask` after it."""

    table: str
    sequence: int
    lines: list[str]
    asks: list[int]
    seat: int | None = None  # who decided; nobody: the start
    ask: int | None = None  # which question was answered; none: a signal
    over: bool = False
    at: float = 0.0
    mark: str = ""  # tells our own write from another's, when a connection broke and we do not know its fate
    due: int | None = None  # the seats that are due after it, a bit for each
    decider: str | None = None  # who decided (deciders.py); null: nobody, or written before this was kept


class ChatRow(msgspec.Struct, frozen=True):
    """A line of chat. It belongs to the person who wrote it: the seat may be somebody else's by now."""

    number: int
    seat: int
    text: str
    name: str | None  # null: written before this was kept, when the seat may have been another's
    person: str | None
