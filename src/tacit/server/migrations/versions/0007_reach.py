"""Notices and where they go; clocks of days with a reserve, pauses, matches that end early, prepared answers."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("reserve", sa.Integer))
    op.add_column("tables", sa.Column("at_end", sa.String(10)))
    op.add_column("tables", sa.Column("pauses", sa.JSON))
    op.add_column("tables", sa.Column("ended", sa.String(10)))
    op.add_column("seats", sa.Column("wishes", sa.JSON))
    op.add_column("seats", sa.Column("prepared", sa.Integer))
    op.create_table(
        "reach",
        sa.Column("player", sa.String(64), primary_key=True),
        sa.Column("everywhere", sa.Boolean, nullable=False),
        sa.Column("language", sa.String(2), nullable=False),
        sa.Column("quiet_from", sa.Integer),
        sa.Column("quiet_to", sa.Integer),
        sa.Column("zone", sa.String(60), nullable=False),
    )
    of_table = sa.ForeignKey("tables.id", ondelete="CASCADE")
    op.create_table(
        "reach_tables",
        sa.Column("player", sa.String(64), primary_key=True),
        sa.Column("table_id", sa.String(40), of_table, primary_key=True),
        sa.Column("wanted", sa.Boolean, nullable=False),
    )
    op.create_table(
        "channels",
        sa.Column("id", sa.String(24), primary_key=True),
        sa.Column("player", sa.String(64), nullable=False),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("secret", sa.JSON),
        sa.Column("base", sa.String(200), nullable=False),
        sa.Column("made", sa.Float, nullable=False),
        sa.Column("failures", sa.Integer, nullable=False),
    )
    op.create_index("channels_player", "channels", ["player"])
    op.create_table(
        "notices",
        sa.Column("channel_id", sa.String(24), sa.ForeignKey("channels.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("table_id", sa.String(40), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("slot", sa.String(5), primary_key=True),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("seat", sa.Integer),
        sa.Column("who", sa.String(40)),
        sa.Column("made", sa.Float, nullable=False),
        sa.Column("due", sa.Float, nullable=False),
        sa.Column("claimed", sa.Float, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("sent", sa.Float),
    )
    op.create_index("notices_due", "notices", ["sent", "due"])
    op.create_index("notices_table", "notices", ["table_id"])


def downgrade() -> None:
    for name in ("notices", "channels", "reach_tables", "reach"):
        op.drop_table(name)
    for name in ("prepared", "wishes"):
        op.drop_column("seats", name)
    for name in ("ended", "pauses", "at_end", "reserve"):
        op.drop_column("tables", name)
