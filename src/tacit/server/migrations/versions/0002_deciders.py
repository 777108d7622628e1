"""Who decided each step; what a seat's client says it is; chat and mutes that belong to people, not to seats."""

from __future__ import annotations

import hashlib

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("steps", sa.Column("decider", sa.String(48)))
    op.add_column("seats", sa.Column("client", sa.String(10)))
    op.add_column("chat", sa.Column("name", sa.String(40)))
    op.add_column("chat", sa.Column("person", sa.String(16)))
    _name_the_authors()
    _mute_people()


def downgrade() -> None:
    op.execute(sa.text("UPDATE seats SET muted = '[]'"))
    for table, column in (("steps", "decider"), ("seats", "client"), ("chat", "name"), ("chat", "person")):
        op.drop_column(table, column)


chat = sa.table("chat", *map(sa.column, ("table_id", "number", "seat", "at", "name", "person")))
steps = sa.table("steps", *map(sa.column, ("table_id", "sequence", "at")))
seats = sa.table(
    "seats", sa.column("table_id"), sa.column("seat"), sa.column("name"), sa.column("key_hash"),
    sa.column("muted", sa.JSON),
)  # fmt: skip


def _person(key_hash: str | None) -> str | None:
    """As keys.person_of was when this was written."""
    return hashlib.sha256(f"person {key_hash}".encode()).hexdigest()[:16] if key_hash else None


def _name_the_authors() -> None:
    """Once a match has begun nobody changes seats, so what was said after that is its person's. What was said before
    may be somebody else's: it keeps no name.
    """
    connection = op.get_bind()
    lines = sa.select(chat.c.table_id, chat.c.number, seats.c.name, seats.c.key_hash).where(
        seats.c.table_id == chat.c.table_id,
        seats.c.seat == chat.c.seat,
        steps.c.table_id == chat.c.table_id,
        steps.c.sequence == 1,
        chat.c.at >= steps.c.at,
    )
    for table, number, name, key_hash in connection.execute(lines).all():
        here = sa.and_(chat.c.table_id == table, chat.c.number == number)
        connection.execute(sa.update(chat).where(here).values(name=name, person=_person(key_hash)))


def _mute_people() -> None:
    """Whoever sits on a muted seat now is the one who is muted."""
    connection = op.get_bind()
    found = connection.execute(sa.select(seats)).all()
    people = {(row.table_id, row.seat): _person(row.key_hash) for row in found}
    for row in found:
        if row.muted:
            muted = sorted({person for q in row.muted if (person := people.get((row.table_id, q)))})
            here = sa.and_(seats.c.table_id == row.table_id, seats.c.seat == row.seat)
            connection.execute(sa.update(seats).where(here).values(muted=muted))
