"""People: devices and passkeys of an identity, whom it avoids, invitations, shutting out; results and ratings."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("seats_player", "seats", ["player"])
    op.add_column("attempts", sa.Column("by", sa.JSON))
    op.create_table(
        "people",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("name", sa.String(40)),
        sa.Column("folded", sa.String(160), unique=True),
        sa.Column("skeleton", sa.String(400), unique=True),
        sa.Column("made", sa.Float, nullable=False),
    )
    op.create_table(
        "devices",
        sa.Column("identity", sa.String(64), primary_key=True),
        sa.Column("person", sa.String(64), nullable=False),
        sa.Column("label", sa.String(60), nullable=False),
        sa.Column("added", sa.Float, nullable=False),
        sa.Column("removed", sa.Boolean, nullable=False),
    )
    op.create_index("devices_person", "devices", ["person"])
    op.create_table(
        "passkeys",
        sa.Column("id", sa.String(1400), primary_key=True),
        sa.Column("person", sa.String(64), nullable=False),
        sa.Column("public_key", sa.Text, nullable=False),
        sa.Column("sign_count", sa.BigInteger, nullable=False),
        sa.Column("host", sa.String(255), nullable=False),
        sa.Column("label", sa.String(60), nullable=False),
        sa.Column("made", sa.Float, nullable=False),
        sa.Column("used", sa.Float),
    )
    op.create_index("passkeys_person", "passkeys", ["person"])
    op.create_table(
        "challenges",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("identity", sa.String(64), nullable=False),
        sa.Column("made", sa.Float, nullable=False),
    )
    op.create_table(
        "avoided",
        sa.Column("person", sa.String(64), primary_key=True),
        sa.Column("other", sa.String(64), primary_key=True),
        sa.Column("at", sa.Float, nullable=False),
    )
    op.create_index("avoided_other", "avoided", ["other"])
    op.create_table(
        "invitations",
        sa.Column("person", sa.String(64), primary_key=True),
        sa.Column("table_id", sa.String(40), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("by", sa.String(64), nullable=False),
        sa.Column("name", sa.String(40)),
        sa.Column("at", sa.Float, nullable=False),
    )
    op.create_table(
        "shut_out",
        sa.Column("person", sa.String(64), primary_key=True),
        sa.Column("until", sa.Float, nullable=False),
        sa.Column("reason", sa.String(200), nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )
    op.create_table(
        "results",
        sa.Column("table_id", sa.String(40), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("finished", sa.Float, nullable=False),
        sa.Column("scores", sa.JSON, nullable=False),
        sa.Column("result", sa.JSON),
        sa.Column("by", sa.JSON, nullable=False),
        sa.Column("baseline", sa.Integer),
    )
    op.create_table(
        "ratings",
        sa.Column("person", sa.String(64), primary_key=True),
        sa.Column("game", sa.String(40), primary_key=True),
        sa.Column("mu", sa.Float, nullable=False),
        sa.Column("sigma", sa.Float, nullable=False),
        sa.Column("matches", sa.Integer, nullable=False),
    )


def downgrade() -> None:
    for name in (
        "ratings", "results", "shut_out", "invitations", "avoided", "challenges", "passkeys", "devices", "people",
    ):  # fmt: skip
        op.drop_table(name)
    op.drop_column("attempts", "by")
    op.drop_index("seats_player", "seats")
