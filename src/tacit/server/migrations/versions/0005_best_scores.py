"""The best score of a deal, whether it is known that no other is better, and when it was asked for."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("deals", sa.Column("best_score", sa.Integer))
    op.add_column("deals", sa.Column("best_exact", sa.Boolean))
    op.add_column("deals", sa.Column("best_asked", sa.Float))


def downgrade() -> None:
    for name in ("best_asked", "best_exact", "best_score"):
        op.drop_column("deals", name)
