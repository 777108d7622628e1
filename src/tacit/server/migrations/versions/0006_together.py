"""Delayed spectators, seats that lend their eyes, review rooms."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("delay_decisions", sa.Integer))
    op.add_column("tables", sa.Column("delay_minutes", sa.Integer))
    op.add_column("seats", sa.Column("lent", sa.Boolean, nullable=False, server_default=sa.false()))
    op.create_table(
        "rooms",
        sa.Column("table_id", sa.String(40), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("state", sa.JSON, nullable=False),
    )


def downgrade() -> None:
    op.drop_table("rooms")
    op.drop_column("seats", "lent")
    op.drop_column("tables", "delay_minutes")
    op.drop_column("tables", "delay_decisions")
