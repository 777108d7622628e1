"""What is written about notices, inside the transaction of what they tell of: so a server that is killed loses none."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa

from tacit.server.deal_writes import insert
from tacit.server.models import News, channels, notices, reach, reach_tables

CLAIM_FOR = 60.0  # seconds that a process has to send what it claimed
FINAL = ("over", "rematch")  # replace what was not sent yet
WAYS = (  # asked with almost every change of a table: made once
    sa.select(channels.c.id, channels.c.player, sa.func.coalesce(reach.c.everywhere, True).label("everywhere"))
    .join(reach, reach.c.player == channels.c.player, isouter=True)
    .where(channels.c.player.in_(sa.bindparam("players", expanding=True)))
)


def post(connection: sa.Connection, news: Sequence[News]) -> None:
    """Put news into the outbox of everyone who wants them; at most one of a table until they have looked."""
    ways = _ways(connection, {one.player for one in news}) if news else []
    if not ways:
        return
    unwanted = _unwanted(connection, news)
    for one in news:
        mine = [way for way in ways if way.player == one.player]
        if one.kind in ("looked", "acted"):
            _forget(connection, one, [way.id for way in mine])
        else:
            wanted = unwanted.get((one.player, one.table))
            _add(connection, one, [way.id for way in mine if (way.everywhere if wanted is None else wanted)])


def _ways(connection: sa.Connection, players: set[str]) -> list[Any]:
    """The channels of these people, and whether they want the news of all tables."""
    return list(connection.execute(WAYS, {"players": sorted(players)}).all())


def _unwanted(connection: sa.Connection, news: Sequence[News]) -> dict[tuple[str, str], bool]:
    """Where these people chose otherwise than for all tables."""
    names = {one.table for one in news}
    query = sa.select(reach_tables).where(reach_tables.c.table_id.in_(sorted(names)))
    return {(row.player, row.table_id): row.wanted for row in connection.execute(query)}


def _forget(connection: sa.Connection, one: News, ids: Sequence[str]) -> None:
    """The receiver has looked: from now on they are told again. Who has not acted is still told that time is short."""
    mine = sa.delete(notices).where(notices.c.table_id == one.table, notices.c.channel_id.in_(ids))
    connection.execute(mine if one.kind == "acted" else mine.where(notices.c.slot == "news"))


def _add(connection: sa.Connection, one: News, ids: Sequence[str]) -> None:
    values = {
        "table_id": one.table, "slot": "short" if one.kind == "short" else "news", "kind": one.kind, "seat": one.seat,
        "who": one.who, "made": time.time(), "due": one.due or time.time(), "claimed": 0.0, "attempts": 0, "sent": None,
    }  # fmt: skip
    later = insert(connection, notices)
    changed = {name: later.excluded[name] for name in ("kind", "seat", "who", "made", "due")}
    unsent = notices.c.sent.is_(None)
    if one.kind == "short":  # of another question
        changed |= {"sent": None, "attempts": 0}
        statement = later.on_conflict_do_update(index_elements=list(notices.primary_key), set_=changed)
    elif one.kind in FINAL:
        statement = later.on_conflict_do_update(index_elements=list(notices.primary_key), set_=changed, where=unsent)
    else:
        statement = later.on_conflict_do_nothing()
    rows = [values | {"channel_id": id} for id in ids]
    if rows:
        connection.execute(statement, rows)


def claim(connection: sa.Connection, now: float, limit: int, kinds: Sequence[str]) -> list[Any]:
    """Take some notices that are due, to channels of these kinds; no other process takes them for a while."""
    due = (
        sa.select(notices.c.channel_id, notices.c.table_id, notices.c.slot)
        .join(channels, channels.c.id == notices.c.channel_id)
        .where(notices.c.sent.is_(None), notices.c.due <= now, notices.c.claimed < now, channels.c.kind.in_(kinds))
        .order_by(notices.c.due)
        .limit(limit)
        .with_for_update(of=notices, skip_locked=True)
    )
    taken = connection.execute(due).all()
    for key in taken:
        connection.execute(sa.update(notices).where(_is(key)).values(claimed=now + CLAIM_FOR))
    return [(row.channel_id, row.table_id, row.slot) for row in taken]


def _is(key: Sequence[str]) -> sa.ColumnElement[bool]:
    return sa.and_(notices.c.channel_id == key[0], notices.c.table_id == key[1], notices.c.slot == key[2])


def settle(connection: sa.Connection, key: Sequence[str], arrived: bool) -> None:
    """It is done with: it arrived, or it never will."""
    connection.execute(sa.update(notices).where(_is(key)).values(sent=time.time()))
    count = 0 if arrived else channels.c.failures + 1
    connection.execute(sa.update(channels).where(channels.c.id == key[0]).values(failures=count))


def postpone(connection: sa.Connection, key: Sequence[str], due: float, attempts: int) -> None:
    """Send it later."""
    connection.execute(sa.update(notices).where(_is(key)).values(due=due, claimed=0.0, attempts=attempts))
