"""Deals, attempts on them, who has seen which cards, duplicate matches; the chance of a match comes from a secret."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("deal", sa.String(60)))
    op.add_column("tables", sa.Column("team", sa.Integer))
    op.add_column("tables", sa.Column("epoch", sa.Integer))
    op.add_column("tables", sa.Column("salt", sa.String(64)))
    op.add_column("tables", sa.Column("branched", sa.JSON))
    op.add_column("tables", sa.Column("subject", sa.String(60)))
    op.add_column("seats", sa.Column("player", sa.String(64)))
    op.add_column("seats", sa.Column("stirred", sa.String(64)))
    op.create_index("tables_deal", "tables", ["deal", "team"])
    op.create_table(
        "deals",
        sa.Column("id", sa.String(60), primary_key=True),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("rules_version", sa.Integer, nullable=False),
        sa.Column("options", sa.JSON, nullable=False),
        sa.Column("seats", sa.Integer, nullable=False),
        sa.Column("bot", sa.String(40), nullable=False),
        sa.Column("number", sa.Integer),
        sa.Column("duplicate", sa.String(40)),
        sa.Column("subject", sa.String(60), nullable=False),
        sa.Column("source", sa.String(40)),
        sa.Column("epoch", sa.Integer, nullable=False),
        sa.Column("commitment", sa.String(64), nullable=False),
        sa.Column("opened", sa.Float, nullable=False),
        sa.Column("closes", sa.Float),
        sa.Column("maker_hash", sa.String(64)),
        sa.Column("bots_score", sa.Integer),
    )
    op.create_index("deals_subject", "deals", ["subject"])
    op.create_index("deals_duplicate", "deals", ["duplicate", "number"])
    op.create_table(
        "attempts",
        sa.Column("deal", sa.String(60), primary_key=True),
        sa.Column("table_id", sa.String(40), primary_key=True),
        sa.Column("team", sa.Integer),
        sa.Column("names", sa.JSON, nullable=False),
        sa.Column("people", sa.Integer, nullable=False),
        sa.Column("started", sa.Float, nullable=False),
        sa.Column("finished", sa.Float),
        sa.Column("counted", sa.Boolean, nullable=False),
        sa.Column("reason", sa.String(20)),
        sa.Column("score", sa.Integer),
        sa.Column("scores", sa.JSON),
        sa.Column("result", sa.JSON),
        sa.Column("sat_in", sa.JSON),
    )
    op.create_index("attempts_table", "attempts", ["table_id"])
    op.create_index("attempts_listed", "attempts", ["deal", "counted", "score", "finished"])
    op.create_table(
        "looks",
        sa.Column("subject", sa.String(60), primary_key=True),
        sa.Column("identity", sa.String(64), primary_key=True),
        sa.Column("table_id", sa.String(40), primary_key=True),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )
    op.create_index("looks_of_identity", "looks", ["identity"])
    op.create_table(
        "duplicates",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("title", sa.String(40)),
        sa.Column("teams", sa.Integer, nullable=False),
        sa.Column("maker_hash", sa.String(64), nullable=False),
        sa.Column("opened", sa.Float, nullable=False),
    )


def downgrade() -> None:
    for name in ("duplicates", "looks", "attempts", "deals"):
        op.drop_table(name)
    op.drop_index("tables_deal", "tables")
    for name in ("stirred", "player"):
        op.drop_column("seats", name)
    for name in ("subject", "branched", "salt", "epoch", "team", "deal"):
        op.drop_column("tables", name)
