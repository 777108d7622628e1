"""What is written about attempts on deals, inside the transaction that begins or ends their match.

So a server that is killed loses no attempt: it is there exactly if its match is.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from typing import Any

import msgspec
import sqlalchemy as sa

from tacit.server.attempts import names_of
from tacit.server.database import insert_of
from tacit.server.deal_rows import AttemptRow, DealRow
from tacit.server.models import Ended, TableRow, attempts, deals, looks

LATE_AFTER = 2 * 3600.0  # seconds after the close of a deal in which a running attempt can still be finished


def insert(connection: sa.Connection, table: sa.Table) -> Any:
    """An INSERT of the dialect, which knows ON CONFLICT."""
    return insert_of(connection.dialect.name, table)


def identities(row: TableRow) -> list[str]:
    """The people at a table, by cookie and by key."""
    people = [seat for seat in row.seats if seat.kind == "person"]
    return sorted({one for seat in people for one in (seat.player, seat.key_hash) if one})


def note_looks(connection: sa.Connection, subject: str, who: Collection[str], table: str, kind: str) -> None:
    """These people see, or may see, cards of a subject at a table."""
    values = {"subject": subject, "table_id": table, "kind": kind, "at": time.time()}
    rows = [values | {"identity": one} for one in who]
    if rows:
        connection.execute(insert(connection, looks).on_conflict_do_nothing(), rows)


def why_uncounted(connection: sa.Connection, deal: DealRow, who: Sequence[str], table: str = "") -> str | None:
    """Why an attempt of these people that begins now would not count; None if it would."""
    closes = connection.execute(sa.select(deals.c.closes).where(deals.c.id == deal.id)).scalar()
    if closes is not None and time.time() >= closes:
        return "earlier" if deal.kind == "daily" else "closed"
    mine = sa.and_(looks.c.subject == deal.subject, looks.c.identity.in_(who), looks.c.table_id != table)
    kinds = set(connection.execute(sa.select(looks.c.kind).where(mine).distinct()).scalars())
    return "again" if "played" in kinds else "seen" if kinds else None


def begin_attempt(connection: sa.Connection, row: TableRow, deal: DealRow) -> None:
    """The match of a table on a deal begins. Others of these people's attempts on it that still run count no more."""
    # Locked: of two attempts of one person that begin at once, in two processes, one sees the other.
    connection.execute(sa.select(deals.c.id).where(deals.c.subject == deal.subject).with_for_update()).all()
    who, people = identities(row), [seat for seat in row.seats if seat.kind == "person"]
    reason = why_uncounted(connection, deal, who, row.id)
    if not people:
        reason = "nobody"
    elif any(seat.client == "program" for seat in people):
        reason = reason or "program"
    mine = sa.select(looks.c.table_id).where(
        looks.c.subject == deal.subject, looks.c.identity.in_(who), looks.c.kind == "played"
    )
    running = sa.and_(attempts.c.table_id.in_(mine), attempts.c.finished.is_(None), attempts.c.counted)
    connection.execute(sa.update(attempts).where(running).values(counted=False, reason="again"))
    note_looks(connection, deal.subject, who, row.id, "played")
    attempt = AttemptRow(
        table_id=row.id, deal=deal.id, team=row.team, names=names_of(row), people=len(people),
        started=time.time(), counted=reason is None, reason=reason,
    )  # fmt: skip
    connection.execute(sa.insert(attempts), msgspec.structs.asdict(attempt))


def end_attempt(connection: sa.Connection, table: str, ended: Ended) -> None:
    """The match of a table on a deal is over."""
    query = sa.select(attempts.c.deal, attempts.c.reason, deals.c.closes).join(deals, deals.c.id == attempts.c.deal)
    query = query.where(attempts.c.table_id == table, attempts.c.finished.is_(None))
    for deal, reason, closes in connection.execute(query).all():
        late = "late" if closes is not None and time.time() > closes + LATE_AFTER else None
        why = reason or ended.reason or late
        values = {
            "finished": time.time(), "score": ended.score, "scores": ended.scores, "result": ended.result,
            "sat_in": ended.sat_in, "by": ended.by, "counted": why is None, "reason": why,
        }  # fmt: skip
        here = sa.and_(attempts.c.deal == deal, attempts.c.table_id == table)
        connection.execute(sa.update(attempts).where(here).values(values))
