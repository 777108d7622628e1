"""The HTTP handlers about oneself. Who asks is who the cookie says: no path names a person."""

from __future__ import annotations

import asyncio
import re
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import msgspec
import sqlalchemy as sa
from starlette.requests import Request
from starlette.responses import Response

from tacit.core.keyed_chance import derive
from tacit.server import faults
from tacit.server import you_protocol as you
from tacit.server.access import PLAYER, Access
from tacit.server.baselines import Baselines, Task
from tacit.server.config import Config
from tacit.server.deal_api import DealHandlers
from tacit.server.errors import RequestRefused, refuse
from tacit.server.history import (
    History,
    Played,
    acquaintance_name,
    days_in_a_row,
    deal_ratings,
    records_of,
)
from tacit.server.keys import hash_of, new_key
from tacit.server.models import devices, passkeys, people, results
from tacit.server.protocol import Done
from tacit.server.requests import address, answer, body, number
from tacit.server.table_service import TableService

if TYPE_CHECKING:
    from tacit.server.passkeys import Passkeys, Site

BROWSERS = ("Firefox", "Edg", "OPR", "SamsungBrowser", "Chrome", "Safari")  # the first that fits
SYSTEMS = ("Android", "iPhone", "iPad", "Windows", "Mac OS", "CrOS", "Linux")


class Asker(NamedTuple):
    """Who asks: the device's key, its identity, and its person."""

    player: str
    identity: str
    person: str


class YouHandlers(DealHandlers):
    """The handlers about oneself."""

    def __init__(self, tables: TableService, access: Access, config: Config) -> None:
        super().__init__(tables, access, config)
        self.people = tables.people
        self.history = History(tables.people)
        self.baselines = Baselines()
        self._measured: set[str] = set()  # matches that are, or were, compared with the bots' play

    @cached_property
    def passkeys(self) -> Passkeys:
        from tacit.server.passkeys import Passkeys  # its library takes 0.15 s to load (app.load_rest)

        return Passkeys(self.people)

    async def _asker(self, request: Request) -> Asker:
        """Who asks; a device without a cookie is somebody new."""
        player = self.access.player(request) or new_key()
        return Asker(player, hash_of(player), await self.people.known(hash_of(player)))

    def _done(self, request: Request, asker: Asker | None = None) -> Response:
        """The answer to what was done; with `asker`, their cookie again."""
        response = answer(Done())
        if asker is not None:
            self.access.set_player(response, asker.player, self.base(request).startswith("https:"))
        return response

    def _site(self, request: Request) -> Site:
        """Without a public URL, the site is the page's own: `check_origin` compared it with the Host header."""
        from tacit.server.passkeys import site_of

        return site_of(self.config.public_url or request.headers.get("origin") or self.base(request))

    # -------------------------------------------------------------- what is known
    async def you(self, request: Request) -> Response:
        """What this server knows of you."""
        asker = await self._asker(request)
        played = await self.history.played(asker.person)
        async with self.tables.store.reading() as connection:
            own = (await connection.execute(sa.select(passkeys).where(passkeys.c.person == asker.person))).all()
            here = sa.and_(devices.c.person == asker.person, sa.not_(devices.c.removed))
            listed = (await connection.execute(sa.select(devices).where(here))).all()
            name = (await connection.execute(sa.select(people.c.name).where(people.c.id == asker.person))).scalar()
        days, longest = days_in_a_row(played)
        known = await self.history.acquaintances(asker.person)
        try:
            self.people.need_welcome(asker.person)
            out = None
        except RequestRefused as refusal:
            out = refusal.message
        return answer(
            you.You(
                recognised=self.people.with_passkey(asker.identity) is not None, name=name,
                passkeys=[
                    you.Passkey(passkey=row.id, label=row.label, made=row.made, used=row.used) for row in own
                ],
                devices=[
                    you.Device(
                        device=row.identity[:16], label=row.label, added=row.added, here=row.identity == asker.identity
                    )
                    for row in listed
                ],
                matches=len(played), days=days, longest_days=longest, records=records_of(played),
                ratings=[*await self.history.seat_ratings(asker.person), *deal_ratings(played)],
                measuring=self._measure(played), people=list(known.values()), shut_out=out,
            )
        )  # fmt: skip

    async def my_matches(self, request: Request) -> Response:
        """Your matches, the newest first."""
        played = await self.history.played((await self._asker(request)).person)
        offset = number(request, "offset") or 0
        matches = await self.history.matches(played, offset)
        return answer(you.MyMatches(total=len(played), offset=offset, matches=matches))

    async def export_you(self, request: Request) -> Response:
        """All that is kept about you, as a file."""
        self.access.creation_limit.take(address(request))
        found = await self.history.export((await self._asker(request)).person)
        headers = {"Content-Disposition": 'attachment; filename="tacit-you.json"'}
        text = msgspec.json.format(msgspec.json.encode(found), indent=2)
        return Response(text, media_type="application/json", headers=headers)

    async def delete_you(self, request: Request) -> Response:
        """Delete all that is kept about you. Matches stay, without your name."""
        await body(request, you.Delete)
        asker = await self._asker(request)
        await self.tables.reload(await self.people.delete(asker.person))
        response = self._done(request)
        response.delete_cookie(PLAYER, path="/api", httponly=True, samesite="strict")
        return response

    # -------------------------------------------------------------- passkeys and devices
    async def begin_passkey(self, request: Request) -> Response:
        """Begin to make a passkey."""
        self.access.creation_limit.take(address(request))
        wish, site = await body(request, you.KeepName), self._site(request)
        asker = await self._asker(request)
        options = await self.passkeys.begin(asker.identity, asker.person, site, wish.name)
        response = answer(options)
        self.access.set_player(response, asker.player, self.base(request).startswith("https:"))
        return response

    async def finish_passkey(self, request: Request) -> Response:
        """Keep a new passkey; this device is yours by it."""
        given, asker = await body(request, you.PasskeyAnswer), await self._asker(request)
        await self.passkeys.finish(asker.identity, asker.person, self._site(request), given, label_of(request))
        await self.people.join(asker.identity, asker.person, label_of(request))
        return self._done(request, asker)

    async def begin_sign_in(self, request: Request) -> Response:
        """Begin to sign in with a passkey."""
        self.access.creation_limit.take(address(request))
        await body(request, you.SignIn)
        asker, site = await self._asker(request), self._site(request)
        response = answer(await self.passkeys.begin_sign_in(asker.identity, site))
        self.access.set_player(response, asker.player, self.base(request).startswith("https:"))
        return response

    async def finish_sign_in(self, request: Request) -> Response:
        """Sign in with a passkey; what this device played as a guest is yours from now on."""
        given, asker = await body(request, you.PasskeyAnswer), await self._asker(request)
        person = await self.passkeys.sign_in(asker.identity, self._site(request), given)
        await self.tables.reload(await self.people.join(asker.identity, person, label_of(request)))
        return self._done(request, asker)

    async def remove_passkey(self, request: Request) -> Response:
        """A passkey opens nothing any more. With the last one goes the kept name."""
        wish, asker = await body(request, you.RemovePasskey), await self._asker(request)
        if not await self.people.remove_passkey(asker.person, wish.passkey):
            raise refuse("passkey.none", 404)
        return self._done(request)

    async def remove_device(self, request: Request) -> Response:
        """A device is yours no longer. What was played on it stays yours."""
        wish, asker = await body(request, you.RemoveDevice), await self._asker(request)
        async with self.tables.store.reading() as connection:
            own = sa.select(devices.c.identity).where(devices.c.person == asker.person)
            found = [one for one in (await connection.execute(own)).scalars() if one[:16] == wish.device]
        if not found or not await self.people.remove_device(asker.person, found[0]):
            raise refuse("device.none", 404)
        return self._done(request)

    async def keep_name(self, request: Request) -> Response:
        """Keep a name, so that nobody else can take it or one that looks like it; null gives it up."""
        wish, asker = await body(request, you.KeepName), await self._asker(request)
        await self.people.keep_name(asker.person, wish.name)
        return self._done(request)

    # -------------------------------------------------------------- others
    async def _find(self, asker: Asker, name: str) -> str:
        """Somebody the asker played with, by the name that is for them alone."""
        known = [*await self.history.acquaintances(asker.person), *self.people.avoids(asker.person)]
        for other in known:
            if acquaintance_name(asker.person, other) == name:
                return other
        raise refuse("person.unknown", 404)

    async def avoid(self, request: Request) -> Response:
        """Do not meet somebody any more, or again. They are not told."""
        wish, asker = await body(request, you.Avoid), await self._asker(request)
        await self.people.avoid(asker.person, await self._find(asker, wish.person), wish.avoid)
        return self._done(request)

    async def invite(self, request: Request) -> Response:
        """Invite somebody you played with to your table. The answer does not tell whether they want to meet you."""
        wish, asker = await body(request, you.InvitePerson), await self._asker(request)
        self.access.creation_limit.take(address(request))
        self.people.need_welcome(asker.person)
        caller, _ = await self.access.caller_at(request, wish.table)
        name = caller.table.row.seats[caller.need_seat()].name
        other = await self._find(asker, wish.person)
        await self.people.invite(other, caller.table.row.id, asker.person, name)
        return self._done(request)

    async def invitations(self, request: Request) -> Response:
        """The invitations to you that stand."""
        person = self.access.person(request)
        found = await self.history.invitations(person) if person is not None else []
        return answer(you.Invitations(invitations=found))

    async def dismiss(self, request: Request) -> Response:
        """An invitation is not wanted."""
        wish, asker = await body(request, you.Dismiss), await self._asker(request)
        await self.people.dismiss(asker.person, wish.table)
        return self._done(request)

    # -------------------------------------------------------------- comparing with the bots' play
    def _measure(self, played: list[Played]) -> int:
        """Compare matches with the bots' play, in the background; how many are not compared yet."""
        todo = [one for one in played if one.measured and one.baseline is None]
        new = [one for one in todo if one.id not in self._measured]
        self._measured.update(one.id for one in new)
        if new:
            self.tables.spawn(self._measure_all(new))
        return len(todo)

    async def _measure_all(self, todo: list[Played]) -> None:
        for one in todo:
            try:
                await self._measure_one(one)
            except (RequestRefused, asyncio.IncompleteReadError, OSError) as error:
                faults.note("comparing a match", error)

    async def _measure_one(self, one: Played) -> None:
        store, deals = self.tables.store, self.tables.deals
        deal = await deals.rows.deal(one.deal) if one.deal else None
        known = deal is not None and store.secrets.knows(deal.epoch)
        key = store.secrets.deal_key(deal.epoch, deal.id)[0] if deal and known else derive(b"baseline", one.id)
        score = await self.baselines.compute(Task(str(await deals.match_of(one.id)), key.hex()))
        if score is not None:
            unset = sa.and_(results.c.table_id == one.id, results.c.baseline.is_(None))
            await store.submit(lambda connection: _set(connection, unset, score))


def _set(connection: sa.Connection, here: sa.ColumnElement[bool], score: int) -> bool:
    connection.execute(sa.update(results).where(here).values(baseline=score))
    return True


def label_of(request: Request) -> str:
    """What a device is, in a few words: `Firefox, Android`."""
    agent = request.headers.get("user-agent", "")
    found = [next((one for one in known if re.search(re.escape(one), agent)), "") for known in (BROWSERS, SYSTEMS)]
    names = {"Edg": "Edge", "OPR": "Opera", "SamsungBrowser": "Samsung", "Mac OS": "Mac", "CrOS": "ChromeOS"}
    return ", ".join(names.get(one, one) for one in found if one) or "?"
