"""Who is who. A device is a person by itself; a passkey makes several devices one person.

A person is named by the hash of their first device's cookie. What every request needs to know (devices, whom somebody
avoids, kept names, who is shut out) is kept in memory, and read again when another process or `tacit admin` changed it.
"""

from __future__ import annotations

import time
from collections.abc import Sequence, Set
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from tacit.server.bus import Note
from tacit.server.errors import refuse
from tacit.server.keys import person_of
from tacit.server.models import (
    News,
    SeatRow,
    attempts,
    avoided,
    challenges,
    channels,
    chat,
    deals,
    devices,
    invitations,
    looks,
    passkeys,
    people,
    ratings,
    reach,
    reach_tables,
    seats,
    shut_out,
    tables,
)
from tacit.server.names import checked_name, skeleton
from tacit.server.notice_writes import post
from tacit.server.store import Store

CHANGED = Note("people")
NOBODY: Set[str] = frozenset()


class ShutOut(NamedTuple):
    """Until when somebody is shut out, and why."""

    until: float
    reason: str


class People:
    """The people of this server."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._persons: dict[str, str | None] = {}  # of a device: whose it is; None: it was removed
        self._avoids: dict[str, set[str]] = {}
        self._avoided_by: dict[str, set[str]] = {}
        self._kept: dict[str, str] = {}  # both forms by which a name is compared -> who keeps it
        self._shut_out: dict[str, ShutOut] = {}
        self._with_channels: set[str] = set()

    async def load(self) -> None:
        """Read what is kept in memory."""
        async with self.store.reading() as connection:
            own = (await connection.execute(sa.select(devices))).all()
            pairs = (await connection.execute(sa.select(avoided.c.person, avoided.c.other))).all()
            kept = (await connection.execute(sa.select(people).where(people.c.name.is_not(None)))).all()
            out = (await connection.execute(sa.select(shut_out))).all()
            reached = (await connection.execute(sa.select(channels.c.player).distinct())).scalars().all()
        avoids: dict[str, set[str]] = {}
        avoided_by: dict[str, set[str]] = {}
        for person, other in pairs:
            avoids.setdefault(person, set()).add(other)
            avoided_by.setdefault(other, set()).add(person)
        self._persons = {row.identity: None if row.removed else row.person for row in own}
        self._avoids, self._avoided_by = avoids, avoided_by
        self._kept = {form: row.id for row in kept for form in (f"folded {row.folded}", f"skeleton {row.skeleton}")}
        self._shut_out = {row.person: ShutOut(row.until, row.reason) for row in out}
        self._with_channels = set(reached)

    # -------------------------------------------------------------- what is in memory
    def of(self, identity: str) -> str:
        """The person of a device."""
        return self._persons.get(identity) or identity

    def with_passkey(self, identity: str) -> str | None:
        """The person of a device, if a passkey made it theirs."""
        return self._persons.get(identity)

    def is_removed(self, identity: str) -> bool:
        """Was this device removed by its person? Then its cookie is worth nothing."""
        return identity in self._persons and self._persons[identity] is None

    def avoids(self, person: str | None) -> Set[str]:
        """Whom somebody does not want to meet."""
        return self._avoids.get(person or "", NOBODY)

    def apart(self, person: str | None) -> Set[str]:
        """With whom somebody is never seated: whom they avoid, and who avoids them."""
        return self.avoids(person) | self._avoided_by.get(person or "", NOBODY)

    def may_have_channel(self, person: str) -> bool:
        """May somebody want to be reached? False is certain: only the one process of an SQLite says so, for no other
        can have added a channel meanwhile.
        """
        return self.store.postgres or person in self._with_channels

    def has_channel(self, person: str) -> None:
        """Somebody is about to have a channel."""
        self._with_channels.add(person)

    def need_welcome(self, person: str | None) -> None:
        """Refuse who is shut out, with the reason."""
        found = self._shut_out.get(person or "")
        if found is not None and time.time() < found.until:
            until = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(found.until))
            raise refuse("shut-out", 403, until=until, reason=found.reason)

    def need_name(self, name: str, person: str | None) -> None:
        """Refuse a name that somebody else keeps, or one that looks like it."""
        called = checked_name(name)
        forms = (f"folded {called.casefold()}", f"skeleton {skeleton(called)}")
        if any(self._kept.get(form, person) != person for form in forms):
            raise refuse("name.kept", name=called)

    def need_apart(self, row_seats: Sequence[SeatRow], person: str | None) -> None:
        """Refuse to seat somebody beside a person with whom they are never seated. Only the one who avoids is told so;
        the other learns neither why nor of whom.
        """
        players = {seat.player for seat in row_seats if seat.player}
        if players & self.avoids(person):
            raise refuse("seat.avoided")
        if players & self.apart(person):
            raise refuse("seat.not-now")

    def keep_apart(self, row_seats: list[SeatRow], first: str | None) -> None:
        """Free the seats of a rematch that would seat together who is never seated together; `first` stays."""
        sitting: list[str] = [first] if first else []
        for q, seat in enumerate(row_seats):
            if seat.player and seat.player != first:
                if self.apart(seat.player) & set(sitting):
                    row_seats[q] = SeatRow()
                else:
                    sitting.append(seat.player)

    # -------------------------------------------------------------- devices and names
    async def known(self, identity: str) -> str:
        """The person of a device, as the store has it: another process may have joined them a moment ago."""
        async with self.store.reading() as connection:
            query = sa.select(devices.c.person, devices.c.removed).where(devices.c.identity == identity)
            found = (await connection.execute(query)).one_or_none()
        if found is not None:
            self._persons[identity] = None if found.removed else found.person
        return self.of(identity)

    async def join(self, identity: str, person: str, label: str) -> list[str]:
        """A device becomes a person's. What it played as a guest becomes theirs, too; returns those tables."""
        async with self.store.reading() as connection:
            query = sa.select(devices.c.person).where(devices.c.identity == identity)
            guest = (await connection.execute(query)).first() is None and identity != person
            names = await tables_of(connection, identity) if guest else []

        def job(connection: sa.Connection) -> bool:
            row = {"person": person, "label": label, "added": time.time(), "removed": False}
            insert = self.store.insert(devices).values(row | {"identity": identity})
            connection.execute(insert.on_conflict_do_update(index_elements=["identity"], set_=row))
            if guest:
                self.has_channel(person)  # if the device has one
                _merge(connection, self.store, identity, person)
            return True

        await self.store.submit(job, CHANGED, *(Note("table", name) for name in names))
        await self.load()
        return names

    async def remove_device(self, person: str, identity: str) -> bool:
        """A device is no longer a person's; True if it was. What was played on it stays theirs."""

        def job(connection: sa.Connection) -> int:
            own = sa.and_(devices.c.identity == identity, devices.c.person == person)
            return connection.execute(sa.update(devices).where(own).values(removed=True)).rowcount

        done = await self.store.submit(job, CHANGED)
        await self.load()
        return bool(done)

    async def remove_passkey(self, person: str, name: str) -> bool:
        """A passkey opens nothing any more; True if it was this person's. With the last one goes the kept name."""

        def job(connection: sa.Connection) -> int:
            own = sa.and_(passkeys.c.id == name, passkeys.c.person == person)
            gone = connection.execute(sa.delete(passkeys).where(own)).rowcount
            left = sa.select(sa.func.count()).select_from(passkeys).where(passkeys.c.person == person)
            if not connection.execute(left).scalar():
                free = {"name": None, "folded": None, "skeleton": None}
                connection.execute(sa.update(people).where(people.c.id == person).values(free))
            return gone

        done = await self.store.submit(job, CHANGED)
        await self.load()
        return bool(done)

    async def keep_name(self, person: str, name: str | None) -> None:
        """Keep a name, so that nobody else can take it or one that looks like it; None gives it up. Refuses people
        without a passkey, and a name that another keeps.
        """
        called = checked_name(name) if name is not None else None
        if called is not None:
            self.need_name(called, person)

        def job(connection: sa.Connection) -> int | None:
            mine = sa.select(sa.func.count()).select_from(passkeys).where(passkeys.c.person == person)
            if called is not None and not connection.execute(mine).scalar():
                return 0
            values = {"name": called, "folded": called and called.casefold(), "skeleton": called and skeleton(called)}
            try:
                with connection.begin_nested():
                    return connection.execute(sa.update(people).where(people.c.id == person).values(values)).rowcount
            except IntegrityError:  # another was first, perhaps in another process
                return None

        done = await self.store.submit(job, CHANGED)
        await self.load()
        if done is None:
            raise refuse("name.kept", name=called)
        if not done and called is not None:
            raise refuse("passkey.first", 403)

    # -------------------------------------------------------------- others
    async def avoid(self, person: str, other: str, wish: bool) -> None:
        """Do not meet somebody any more, or again. The other is not told."""

        def job(connection: sa.Connection) -> bool:
            if wish:
                row = {"person": person, "other": other, "at": time.time()}
                connection.execute(self.store.insert(avoided).values(row).on_conflict_do_nothing())
                mutual = sa.or_(
                    sa.and_(invitations.c.person == person, invitations.c.by == other),
                    sa.and_(invitations.c.person == other, invitations.c.by == person),
                )
                connection.execute(sa.delete(invitations).where(mutual))
            else:
                own = sa.and_(avoided.c.person == person, avoided.c.other == other)
                connection.execute(sa.delete(avoided).where(own))
            return True

        await self.store.submit(job, CHANGED)
        await self.load()

    async def invite(self, person: str, table: str, by: str, name: str | None) -> None:
        """An invitation to a table that stands on a person's page until the match begins. Where one of the two avoids
        the other nothing happens, and nobody is told.
        """
        if person in self.apart(by):
            return

        def job(connection: sa.Connection) -> bool:
            row = {"person": person, "table_id": table, "by": by, "name": name, "at": time.time()}
            written = connection.execute(self.store.insert(invitations).values(row).on_conflict_do_nothing())
            if written.rowcount:
                post(connection, [News(table, person, "invited", None, name)])
            return True

        await self.store.submit(job)

    async def dismiss(self, person: str, table: str) -> None:
        """An invitation is not wanted."""

        def job(connection: sa.Connection) -> bool:
            here = sa.and_(invitations.c.person == person, invitations.c.table_id == table)
            connection.execute(sa.delete(invitations).where(here))
            return True

        await self.store.submit(job)

    # -------------------------------------------------------------- deletion
    async def delete(self, person: str) -> list[str]:
        """Forget a person: their names and words at all tables, devices, passkeys, ratings, lists. Matches stay. A
        shutting out stays until its end. Returns the tables at which they sat.
        """
        async with self.store.reading() as connection:
            names = await tables_of(connection, person)

        def job(connection: sa.Connection) -> bool:
            _forget_names(connection, person)
            connection.execute(sa.update(tables).where(tables.c.id.in_(names)).values(revision=tables.c.revision + 1))
            connection.execute(sa.update(deals).where(deals.c.maker_hash == person).values(maker_hash=None))
            own = sa.select(devices.c.identity).where(devices.c.person == person)
            connection.execute(sa.delete(challenges).where(challenges.c.identity.in_(own)))
            connection.execute(sa.update(devices).where(devices.c.person == person).values(removed=True, label="-"))
            for gone in (
                looks.c.identity == person, passkeys.c.person == person, people.c.id == person,
                ratings.c.person == person, sa.or_(avoided.c.person == person, avoided.c.other == person),
                sa.or_(invitations.c.person == person, invitations.c.by == person),
                reach.c.player == person, reach_tables.c.player == person, channels.c.player == person,
            ):  # fmt: skip
                connection.execute(sa.delete(_table_in(gone)).where(gone))
            return True

        await self.store.submit(job, CHANGED, *(Note("table", name) for name in names))
        await self.load()
        return names


async def tables_of(connection: AsyncConnection, person: str) -> list[str]:
    """The tables at which somebody sits or sat."""
    found = await connection.execute(sa.select(seats.c.table_id).where(seats.c.player == person).distinct())
    return list(found.scalars())


def _table_in(wanted: sa.ColumnElement[bool]) -> sa.Table:
    """The table that a condition is about."""
    return next(one.table for one in sa.sql.visitors.iterate(wanted) if isinstance(one, sa.Column))


def _merge(connection: sa.Connection, store: Store, old: str, new: str) -> None:
    """What one identity has becomes another's."""
    mine = sa.select(seats.c.table_id).where(seats.c.player == old)
    connection.execute(sa.update(tables).where(tables.c.id.in_(mine)).values(revision=tables.c.revision + 1))
    connection.execute(sa.update(seats).where(seats.c.player == old).values(player=new))
    connection.execute(sa.update(deals).where(deals.c.maker_hash == old).values(maker_hash=new))
    for column in (
        looks.c.identity, avoided.c.person, avoided.c.other, invitations.c.person, ratings.c.person, shut_out.c.person,
        reach.c.player, reach_tables.c.player,
    ):  # fmt: skip
        rows = [dict(row) for row in connection.execute(sa.select(column.table).where(column == old)).mappings()]
        if rows:  # what the other has already stays as it is
            insert = store.insert(column.table).on_conflict_do_nothing()
            connection.execute(insert, [row | {column.name: new} for row in rows])
            connection.execute(sa.delete(column.table).where(column == old))
    connection.execute(sa.update(invitations).where(invitations.c.by == old).values(by=new))
    connection.execute(sa.update(channels).where(channels.c.player == old).values(player=new))
    connection.execute(sa.delete(avoided).where(avoided.c.person == avoided.c.other))


def _forget_names(connection: sa.Connection, person: str) -> None:
    """A person's seats, results and words no longer say whose they are."""
    mine = connection.execute(sa.select(seats).where(seats.c.player == person)).all()
    for row in mine:
        for attempt in connection.execute(sa.select(attempts).where(attempts.c.table_id == row.table_id)).all():
            names = ["" if q == row.seat and name else name for q, name in enumerate(attempt.names)]
            here = sa.and_(attempts.c.deal == attempt.deal, attempts.c.table_id == attempt.table_id)
            connection.execute(sa.update(attempts).where(here).values(names=names))
        if row.key_hash:
            own = sa.and_(chat.c.table_id == row.table_id, chat.c.person == person_of(row.key_hash))
            connection.execute(sa.delete(chat).where(own))
    gone = {"name": None, "player": None, "notes": None, "contributes": False}
    connection.execute(sa.update(seats).where(seats.c.player == person).values(gone))
