"""Reviews of finished matches."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "reviews",
        sa.Column("id", sa.String(80), primary_key=True),
        sa.Column("table_id", sa.String(40), sa.ForeignKey("tables.id", ondelete="CASCADE")),
        sa.Column("asked", sa.Float, nullable=False),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("claimed", sa.Float, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("review", sa.Text),
    )
    op.create_index("reviews_asked", "reviews", ["asked"])
    op.create_index("reviews_table", "reviews", ["table_id"])


def downgrade() -> None:
    op.drop_table("reviews")
