"""The HTTP handlers about notices; api.py has the others. docs/notices.md describes each."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from tacit.server import notice_protocol, protocol
from tacit.server.deal_api import DealHandlers
from tacit.server.errors import refuse
from tacit.server.requests import answer, body


class NoticeHandlers(DealHandlers):
    """The handlers about notices. They are about whoever the cookie (or the header) says."""

    def _player(self, request: Request) -> str:
        person = self.access.person(request)
        if person is None:
            raise refuse("notices.nobody", 403)
        return person

    async def notices(self, request: Request) -> Response:
        """Where you want to be reached."""
        return answer(await self.tables.notices.settings(self._player(request)))

    async def choose_notices(self, request: Request) -> Response:
        """Notices of all tables or of some, their language, and quiet hours."""
        wish = await body(request, notice_protocol.Reach)
        player = self._player(request)
        await self.tables.notices.choose(player, wish)
        return answer(await self.tables.notices.settings(player))

    async def add_channel(self, request: Request) -> Response:
        """Another way to reach you. A test message goes there first."""
        wish = await body(request, notice_protocol.NewChannel)
        player = self._player(request)
        added = await self.tables.notices.add(player, wish, self.base(request))
        return answer(await self.tables.notices.settings(player, added), 201)

    async def remove_channel(self, request: Request) -> Response:
        """Be reached there no more."""
        await body(request, notice_protocol.OneChannel)
        player = self._player(request)
        await self.tables.notices.remove(player, request.path_params["channel"])
        return answer(await self.tables.notices.settings(player))

    async def test_channel(self, request: Request) -> Response:
        """Send a test message there."""
        await body(request, notice_protocol.OneChannel)
        await self.tables.notices.test(self._player(request), request.path_params["channel"])
        return answer(protocol.Done())

    async def table_notices(self, request: Request) -> Response:
        """Notices of this table: wanted, not wanted, or as for all tables."""
        wish = await body(request, notice_protocol.TableNotices)
        player, (caller, _) = self._player(request), await self.access.caller(request)
        caller.need_seat()
        await self.tables.notices.choose_table(player, caller.table.row.id, wish.wanted)
        return answer(await self.tables.notices.settings(player))
