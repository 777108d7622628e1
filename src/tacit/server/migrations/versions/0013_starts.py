"""When a match starts: once the maker says so, or once the last seat is taken."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("starts", sa.String(10), nullable=False, server_default="maker"))


def downgrade() -> None:
    op.drop_column("tables", "starts")
