"""Which aids a table is played with."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("aids", sa.String(10), nullable=False, server_default="none"))


def downgrade() -> None:
    op.drop_column("tables", "aids")
