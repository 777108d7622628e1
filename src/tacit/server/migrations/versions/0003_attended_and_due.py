"""When somebody was last at a table that gathers people, and which seats are due after a step."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("attended", sa.Float))
    op.add_column("steps", sa.Column("due", sa.Integer))


def downgrade() -> None:
    op.drop_column("steps", "due")
    op.drop_column("tables", "attended")
