"""Deals, attempts and looks in the database: what is read and written about them outside a table's own transactions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec
import sqlalchemy as sa

from tacit.server.deal_rows import AttemptRow, DealRow, DuplicateRow
from tacit.server.deal_writes import LATE_AFTER, insert, note_looks, why_uncounted
from tacit.server.models import TableRow, attempts, deals, duplicates, looks, seats, tables
from tacit.server.store import Store

FINISHED = attempts.c.finished.is_not(None)


class TeamTable(NamedTuple):
    """The last table of a team in a duplicate match."""

    team: int
    table: str
    deal: str
    phase: str
    names: list[str | None]


class DealStore:
    """The queries about deals. `who` are identities: hashes of cookies and of keys."""

    def __init__(self, store: Store) -> None:
        self.store = store

    # -------------------------------------------------------------- deals
    async def deal(self, name: str) -> DealRow | None:
        return next(iter(await self._deals(deals.c.id == name)), None)

    async def of_duplicate(self, name: str) -> list[DealRow]:
        return await self._deals(deals.c.duplicate == name)

    async def _deals(self, wanted: sa.ColumnElement[bool]) -> list[DealRow]:
        async with self.store.reading() as connection:
            found = await connection.execute(sa.select(deals).where(wanted).order_by(deals.c.number))
            return [DealRow(**row) for row in found.mappings()]

    async def add(self, *rows: DealRow) -> None:
        """New deals; those that are there already stay as they are."""
        values = [msgspec.structs.asdict(row) for row in rows]
        await self.store.submit(
            lambda connection: connection.execute(insert(connection, deals).on_conflict_do_nothing(), values)
        )

    async def add_challenge(self, row: DealRow, source: TableRow, attempt: AttemptRow, who: Sequence[str]) -> None:
        """A deal made of a finished match, which is the first attempt on it."""

        def job(connection: sa.Connection) -> bool:
            connection.execute(sa.insert(deals), msgspec.structs.asdict(row))
            connection.execute(sa.insert(attempts), msgspec.structs.asdict(attempt))
            note_looks(connection, row.subject, who, source.id, "played")
            return True

        await self.store.submit(job)

    async def close(self, names: Sequence[str], at: float) -> None:
        def job(connection: sa.Connection) -> bool:
            still = sa.or_(deals.c.closes.is_(None), deals.c.closes > at)
            connection.execute(sa.update(deals).where(deals.c.id.in_(names), still).values(closes=at))
            return True

        await self.store.submit(job)

    async def set_bots_score(self, name: str, score: int) -> None:
        def job(connection: sa.Connection) -> bool:
            unset = sa.and_(deals.c.id == name, deals.c.bots_score.is_(None))
            connection.execute(sa.update(deals).where(unset).values(bots_score=score))
            return True

        await self.store.submit(job)

    async def ask_for_best(self, name: str, now: float, again_after: float) -> bool:
        """Note that the best score of a deal is looked for from now on; False if somebody else does."""

        def job(connection: sa.Connection) -> bool:
            idle = sa.or_(deals.c.best_asked.is_(None), deals.c.best_asked < now - again_after)
            asked = sa.update(deals).where(deals.c.id == name, deals.c.best_exact.is_(None), idle)
            return connection.execute(asked.values(best_asked=now)).rowcount == 1

        return await self.store.submit(job)

    async def set_best(self, name: str, score: int | None, exact: bool) -> None:
        """Keep what the solver found."""

        def job(connection: sa.Connection) -> bool:
            found = {"best_score": score, "best_exact": exact}
            connection.execute(sa.update(deals).where(deals.c.id == name).values(found))
            return True

        await self.store.submit(job)

    async def is_revealed(self, deal: DealRow, now: float) -> bool:
        """Are the cards of a deal public? It is closed, nobody plays it any more, and what it was made of is public."""
        if deal.closes is None or now < deal.closes:
            return False
        if now < deal.closes + LATE_AFTER:
            async with self.store.reading() as connection:
                running = sa.select(attempts.c.table_id).where(attempts.c.deal == deal.id, sa.not_(FINISHED)).limit(1)
                if (await connection.execute(running)).first() is not None:
                    return False
        if deal.subject == deal.id or deal.subject == deal.source:
            return True
        first = await self.deal(deal.subject)
        return first is None or await self.is_revealed(first, now)

    # -------------------------------------------------------------- attempts
    async def attempt(self, deal: str, table: str) -> AttemptRow | None:
        return next(iter(await self._attempts(attempts.c.deal == deal, attempts.c.table_id == table)), None)

    async def mine(self, deal: str, who: Sequence[str]) -> list[AttemptRow]:
        """The attempts of these people on a deal, the counted one first."""
        subject = sa.select(deals.c.subject).where(deals.c.id == deal).scalar_subquery()
        here = sa.and_(looks.c.subject == subject, looks.c.identity.in_(who), looks.c.kind == "played")
        async with self.store.reading() as connection:
            mine = (await connection.execute(sa.select(looks.c.table_id).where(here))).scalars().all()
        # In two queries: in one, SQLite looks at every attempt on the deal.
        return await self._attempts(attempts.c.deal == deal, attempts.c.table_id.in_(mine)) if mine else []

    async def finished(self, deals_: Sequence[str]) -> list[AttemptRow]:
        """All finished attempts on some deals."""
        return await self._attempts(attempts.c.deal.in_(deals_), FINISHED)

    async def listed(self, deal: str, offset: int, limit: int) -> list[AttemptRow]:
        """Some finished attempts on a deal: counted ones first, the best first."""
        return await self._attempts(attempts.c.deal == deal, FINISHED, offset=offset, limit=limit)

    async def _attempts(
        self, *wanted: sa.ColumnElement[bool], offset: int = 0, limit: int | None = None
    ) -> list[AttemptRow]:  # fmt: skip
        query = sa.select(attempts).where(*wanted)
        query = query.order_by(attempts.c.counted.desc(), attempts.c.score.desc(), attempts.c.finished)
        async with self.store.reading() as connection:
            found = await connection.execute(query.offset(offset).limit(limit))
            return [AttemptRow(**row) for row in found.mappings()]

    async def distribution(self, deal: str) -> tuple[dict[int, int], int]:
        """How many counted attempts ended with each score, and how many attempts are finished at all."""
        here = sa.and_(attempts.c.deal == deal, FINISHED)
        number = sa.func.count()
        query = sa.select(attempts.c.counted, attempts.c.score, number).where(here).group_by(
            attempts.c.counted, attempts.c.score
        )  # fmt: skip
        async with self.store.reading() as connection:
            found = (await connection.execute(query)).all()
        return {score: n for counted, score, n in found if counted}, sum(n for _, _, n in found)

    async def counts(self, names: Sequence[str]) -> dict[str, int]:
        """How many attempts on each of these deals are finished."""
        query = sa.select(attempts.c.deal, sa.func.count()).where(attempts.c.deal.in_(names), FINISHED)
        async with self.store.reading() as connection:
            found = await connection.execute(query.group_by(attempts.c.deal))
            return {row[0]: row[1] for row in found}

    async def daily_numbers(self, who: Sequence[str]) -> set[int]:
        """The numbers of the dailies that these people have finished so that it counts."""
        query = (
            sa.select(deals.c.number)
            .join(attempts, attempts.c.deal == deals.c.id)
            .join(looks, looks.c.table_id == attempts.c.table_id)
            .where(looks.c.identity.in_(who), looks.c.kind == "played", deals.c.kind == "daily")
            .where(attempts.c.counted, FINISHED)
            .distinct()
        )
        async with self.store.reading() as connection:
            return {number for number in (await connection.execute(query)).scalars() if number is not None}

    # -------------------------------------------------------------- looks
    async def look(self, subject: str, who: Sequence[str], table: str, kind: str) -> None:
        """These people see cards of a subject at a table."""

        def job(connection: sa.Connection) -> bool:
            note_looks(connection, subject, who, table, kind)
            return True

        await self.store.submit(job)

    async def why_uncounted(self, deal: DealRow, who: Sequence[str]) -> str | None:
        async with self.store.reading() as connection:
            return await connection.run_sync(why_uncounted, deal, who)

    async def is_playing(self, subject: str, who: Sequence[str]) -> bool:
        """Is somebody of these people in the middle of an attempt on these cards?"""
        query = (
            sa.select(attempts.c.table_id)
            .join(looks, looks.c.table_id == attempts.c.table_id)
            .where(looks.c.subject == subject, looks.c.identity.in_(who), looks.c.kind == "played")
            .where(sa.not_(FINISHED))
        )
        return await self._exists(query)

    async def has_finished_with(self, table: str, who: Sequence[str]) -> bool:
        """Has somebody of these people finished a deal on which this table is an attempt too?"""
        other = attempts.alias()
        query = (
            sa.select(attempts.c.table_id)
            .join(looks, looks.c.table_id == attempts.c.table_id)
            .join(other, other.c.deal == attempts.c.deal)
            .where(looks.c.identity.in_(who), looks.c.kind == "played", FINISHED, other.c.table_id == table)
        )
        return await self._exists(query)

    async def _exists(self, query: sa.Select[Any]) -> bool:
        async with self.store.reading() as connection:
            return (await connection.execute(query.limit(1))).first() is not None

    # -------------------------------------------------------------- duplicate matches
    async def duplicate(self, name: str) -> DuplicateRow | None:
        async with self.store.reading() as connection:
            found = await connection.execute(sa.select(duplicates).where(duplicates.c.id == name))
            row = found.mappings().one_or_none()
            return None if row is None else DuplicateRow(**row)

    async def add_duplicate(self, row: DuplicateRow) -> None:
        await self.store.submit(
            lambda connection: connection.execute(sa.insert(duplicates), msgspec.structs.asdict(row))
        )

    async def team_tables(self, names: Sequence[str]) -> list[TeamTable]:
        """Every table of these deals, in the order of its deal and its team, with its people's names."""
        people = sa.select(seats.c.table_id, seats.c.seat, seats.c.name, seats.c.kind).where(
            seats.c.table_id.in_(sa.select(tables.c.id).where(tables.c.deal.in_(names)))
        )
        query = sa.select(tables.c.id, tables.c.team, tables.c.deal, tables.c.phase).where(tables.c.deal.in_(names))
        async with self.store.reading() as connection:
            found = (await connection.execute(query.order_by(tables.c.made))).all()
            seated: dict[str, list[str | None]] = {}
            for table, _, name, kind in await connection.execute(people.order_by(seats.c.table_id, seats.c.seat)):
                seated.setdefault(table, []).append(name if kind == "person" else None)
        return [TeamTable(r.team, r.id, r.deal, r.phase, seated.get(r.id, [])) for r in found if r.team is not None]
