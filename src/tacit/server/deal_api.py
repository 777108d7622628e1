"""The HTTP handlers about deals; api.py has the others. docs/protocol.md describes each."""

from __future__ import annotations

import asyncio
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from tacit.server import deal_protocol, duplicates, protocol
from tacit.server.access import Access
from tacit.server.checking import checked, loaded
from tacit.server.config import Config
from tacit.server.deal_tables import DealTables
from tacit.server.errors import RequestRefused, refuse
from tacit.server.keys import new_key, same
from tacit.server.protocol import MAX_BYTES, MAX_RECORD
from tacit.server.requests import address, answer, body, language, number, origin
from tacit.server.seating import Caller
from tacit.server.table_service import TableService


class Seated(NamedTuple):
    """Who got a seat where; `player` if they had no name on this server before."""

    table: str
    seat: int | None
    maker: bool
    key: str
    player: str | None = None


class DealHandlers:
    """The handlers about deals, and what they share with the others."""

    def __init__(self, tables: TableService, access: Access, config: Config) -> None:
        self.tables, self.access, self.config = tables, access, config
        self.deal_tables = DealTables(tables)

    def base(self, request: Request) -> str:
        """The address that people use."""
        return (self.config.public_url or origin(request)).rstrip("/")

    def entered(self, request: Request, seated: Seated, status: int = 200) -> Response:
        """The answer to whoever got a seat: its key, also as a cookie."""
        base = self.base(request)
        invitation, secure = f"{base}/t/{seated.table}", base.startswith("https:")
        # The key stands behind "#": browsers do not send that part, so no log has it.
        entered = protocol.Entered(
            table=seated.table, seat=seated.seat, maker=seated.maker, key=seated.key,
            link=f"{invitation}#{seated.key}", invitation=invitation,
        )  # fmt: skip
        response = answer(entered, status)
        self.access.set_cookie(response, seated.table, seated.key, secure)
        if seated.player is not None:
            self.access.set_player(response, seated.player, secure)
        return response

    async def player(self, request: Request) -> Response:
        """Who you are on this server; a cookie keeps it."""
        player = self.access.player(request) or new_key()
        response = answer(deal_protocol.Player(player=player))
        self.access.set_player(response, player, self.base(request).startswith("https:"))
        return response

    async def _caller_who_may_look(self, request: Request, name: str) -> tuple[Caller, list[str]]:
        """Who asks about a finished match, and by which identities; refused to whoever may not see its replay."""
        caller, stale = await self.access.caller_at(request, name)
        who = self.access.who(request, caller.key_hash)
        try:
            await self.tables.deals.need_look(caller, who)
        except RequestRefused as refusal:
            raise stale or refusal from None
        return caller, who

    async def caller_afterwards(self, request: Request) -> Caller:
        """Who asks about the finished match of a path: someone who sat there, or a spectator where it has them."""
        caller, who = await self._caller_who_may_look(request, request.path_params["table"])
        if caller.seat is None and caller.table.over:
            await self.tables.deals.look(caller.table, who, "replayed")
        return caller

    # -------------------------------------------------------------- deals
    async def daily(self, request: Request) -> Response:
        """The deals of today, or of an earlier day."""
        return answer(await self.tables.deals.daily(number(request, "day"), self.access.who(request)))

    async def deal(self, request: Request) -> Response:
        """A deal: what is played, until when, and your own attempt."""
        deal = await self.tables.deals.need(request.path_params["deal"])
        return answer(await self.tables.deals.info(deal, self.access.who(request)))

    async def results(self, request: Request) -> Response:
        """The results of a deal, for those who have finished it."""
        deal = await self.tables.deals.need(request.path_params["deal"])
        offset = number(request, "offset") or 0
        return answer(await self.tables.deals.results(deal, self.access.who(request), offset))

    async def close_deal(self, request: Request) -> Response:
        """Close a challenge that you made. Its cards are public once nobody plays it any more."""
        await body(request, deal_protocol.Close)
        deal = await self.tables.deals.need(request.path_params["deal"])
        who = self.access.who(request)
        await self.deal_tables.close(deal, who)
        return answer(await self.tables.deals.info(await self.tables.deals.need(deal.id), who))

    async def challenge(self, request: Request) -> Response:
        """Let others play the deal of this finished match."""
        wish = await body(request, deal_protocol.Challenge)
        self.access.creation_limit.take(address(request))
        caller, _ = await self.access.caller(request)
        deal = await self.deal_tables.challenge(caller, wish, self.access.person(request))
        info = await self.tables.deals.info(deal, self.access.who(request, caller.key_hash))
        return answer(deal_protocol.Challenged(link=f"{self.base(request)}/d/{deal.id}", deal=info), 201)

    # -------------------------------------------------------------- duplicate matches
    async def duplicate(self, request: Request) -> Response:
        """Make tables that play the same deals."""
        wish = await body(request, deal_protocol.NewDuplicate)
        for _ in range(wish.tables):
            self.access.creation_limit.take(address(request))
        name, key = await self.deal_tables.duplicate(wish, address(request))
        made = deal_protocol.MadeDuplicate(duplicate=name, key=key, link=f"{self.base(request)}/m/{name}")
        return answer(made, 201)

    async def standing(self, request: Request) -> Response:
        """A duplicate match: its tables and its standing."""
        return answer(await self._standing(request))

    async def printed_standing(self, request: Request) -> Response:
        """The standing of a duplicate match, to print, in the reader's language."""
        text = duplicates.printed(await self._standing(request), language(request))
        return Response(text, media_type="text/plain; charset=utf-8")

    async def close_duplicate(self, request: Request) -> Response:
        """Close a duplicate match that you made, with its key."""
        await body(request, deal_protocol.Close)
        deals = self.tables.deals
        found = await deals.rows.duplicate(request.path_params["duplicate"])
        if found is None:
            raise refuse("deal.unknown", 404)
        if not any(same(one, found.maker_hash) for one in self.access.who(request)):
            raise refuse("deal.maker", 403)
        await deals.close([deal.id for deal in await deals.rows.of_duplicate(found.id)])
        return answer(await self._standing(request))

    async def _standing(self, request: Request) -> deal_protocol.Duplicate:
        name = request.path_params["duplicate"]
        return await duplicates.standing(self.tables.deals, name, self.access.who(request))

    # -------------------------------------------------------------- play from here; checking
    async def branch(self, request: Request) -> Response:
        """Play on from a moment of a finished match or of a record that you bring."""
        wish = await body(request, deal_protocol.Branch, MAX_RECORD)
        self.access.creation_limit.take(address(request))
        source = (await self._caller_who_may_look(request, wish.table))[0].table if wish.table is not None else None
        player = self.access.player(request) or new_key()
        row, key = await self.deal_tables.branch(wish, source, self.access.person_of(player), address(request))
        return self.entered(request, Seated(row.id, wish.seat, True, key, player), 201)

    async def check(self, request: Request) -> Response:
        """Check what chance did in a record that you bring."""
        wish = await body(request, deal_protocol.Check, 2 * MAX_RECORD + MAX_BYTES)
        self.access.creation_limit.take(address(request))
        match = await asyncio.to_thread(loaded, wish.record)
        opening, name = wish.opening, match.tags.get("deal")
        if opening is None and name is not None:
            deal = await self.tables.deals.rows.deal(name)
            opening = await self.tables.deals.opening(deal) if deal is not None else None
        return answer(await asyncio.to_thread(checked, match, opening))
