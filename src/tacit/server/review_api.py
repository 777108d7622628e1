"""The HTTP handlers about reviews of finished matches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from starlette.requests import Request
from starlette.responses import Response

from tacit.core.match import Match
from tacit.server.access import Access
from tacit.server.config import Config
from tacit.server.deal_api import DealHandlers
from tacit.server.deals import subject_of
from tacit.server.errors import refuse
from tacit.server.limits import RateLimit
from tacit.server.protocol import MAX_RECORD, Bring
from tacit.server.replays import ReplayCache
from tacit.server.requests import address, answer, body, seconds
from tacit.server.review_protocol import BringReview
from tacit.server.reviews import Reviews, Wanted
from tacit.server.table_service import TableService

B = TypeVar("B", Bring, BringReview)


class ReviewHandlers(DealHandlers):
    """The handlers about reviews, and what they share with those about replays."""

    def __init__(self, tables: TableService, access: Access, config: Config) -> None:
        super().__init__(tables, access, config)
        self.replays = ReplayCache()
        self.reviews = Reviews(tables.store, tables.spawn)
        self._review_limit = RateLimit(*config.review_limit)

    async def review(self, request: Request) -> Response:
        """The review of a finished match, as far as it is made. Asking for it begins it."""
        caller = await self.caller_afterwards(request)
        table = caller.table
        table.record()  # refused before the match is over
        who = self.access.who(request, caller.key_hash)
        assert table.match is not None
        await self._need_review(table.match, who, subject_of(table))
        wanted = Wanted(table.row.id, table.text(names=False), table.row.id)
        return await self._looked(request, wanted, request.query_params.get("after", ""), seconds(request, "wait"))

    async def review_brought(self, request: Request) -> Response:
        """The review of a finished match whose record you bring, as far as it is made."""
        wish = await self.brought(request, BringReview)
        match = await self.replays.match(wish.record)
        deal = await self.tables.deals.rows.deal(match.tags.get("deal", ""))
        await self._need_review(match, self.access.who(request), deal.subject if deal is not None else None)
        return await self._looked(request, Wanted.brought(wish.record), wish.after, wish.wait)

    async def brought(self, request: Request, kind: type[B]) -> B:
        """The message with a record that somebody brings."""
        brought = await body(request, kind, MAX_RECORD)
        if not self.replays.has(brought.record):
            self.access.creation_limit.take(address(request))  # replaying it takes a while; a second look does not
        return brought

    async def _looked(self, request: Request, wanted: Wanted, after: str, wait: float) -> Response:
        def begin() -> None:
            self._review_limit.take(address(request))

        with self.access.subscriber_limit.join(address(request)):
            return answer(await self.reviews.look(wanted, after, wait, begin))

    async def _need_review(self, match: Match, who: Sequence[str], subject: str | None) -> None:
        """Refuse a match that has not been played to its end, and whoever plays its cards just now, or on from it."""
        if not match.over:
            raise refuse("review.unfinished")
        if subject is not None and await self.tables.deals.rows.is_playing(subject, who):
            raise refuse("deal.playing", 403)
        if await self.reviews.plays_on(who, match.lines):
            raise refuse("review.playing", 403)
