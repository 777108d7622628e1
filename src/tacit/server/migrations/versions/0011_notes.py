"""What a seat has noted for itself, and the questions for which it had a hint."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("seats", sa.Column("notes", sa.JSON))
    op.add_column("seats", sa.Column("hints", sa.JSON))


def downgrade() -> None:
    for name in ("hints", "notes"):
        op.drop_column("seats", name)
