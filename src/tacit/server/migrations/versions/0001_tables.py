"""TableService, seats, steps, chat, and what the server keeps for itself."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def _of_table() -> sa.Column[str]:
    return sa.Column("table_id", sa.String(40), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True)


def upgrade() -> None:
    op.create_table(
        "tables",
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
    )
    op.create_index("tables_lobby", "tables", ["visibility", "phase", "made"])
    op.create_table(
        "seats",
        _of_table(),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("name", sa.String(40)),
        sa.Column("bot", sa.String(40)),
        sa.Column("key_hash", sa.String(64)),
        sa.Column("left", sa.Boolean, nullable=False),
        sa.Column("sitting_in", sa.String(40)),
        sa.Column("agreed", sa.JSON, nullable=False),
        sa.Column("muted", sa.JSON, nullable=False),
    )
    op.create_table(
        "steps",
        _of_table(),
        sa.Column("sequence", sa.Integer, primary_key=True),
        sa.Column("seat", sa.Integer),
        sa.Column("ask", sa.Integer),
        sa.Column("lines", sa.Text, nullable=False),
        sa.Column("asks", sa.JSON, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("mark", sa.String(16), nullable=False),
    )
    op.create_table(
        "chat",
        _of_table(),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )
    op.create_table(
        "server",
        sa.Column("name", sa.String(40), primary_key=True),
        sa.Column("value", sa.LargeBinary, nullable=False),
    )


def downgrade() -> None:
    for name in ("server", "chat", "steps", "seats", "tables"):
        op.drop_table(name)
