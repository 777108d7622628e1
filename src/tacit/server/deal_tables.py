"""Making tables and deals of others: challenges, duplicate matches, and playing on from a moment of a match."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence

import msgspec

from tacit.core.errors import TacitError
from tacit.core.match import Match
from tacit.core.registry import game_named
from tacit.server import deal_protocol
from tacit.server.attempts import attempt_result, names_of
from tacit.server.deal_rows import AttemptRow, DealRow, DuplicateRow
from tacit.server.deals import subject_of
from tacit.server.errors import RequestRefused, refuse
from tacit.server.keys import hash_of, new_key, new_table_name, same
from tacit.server.live_table import LiveTable
from tacit.server.models import SeatRow, TableRow
from tacit.server.names import checked_name
from tacit.server.seating import Caller, new_row, new_seat_row
from tacit.server.table_service import TableService


class DealTables:
    """What makes new deals and tables of them."""

    def __init__(self, tables: TableService) -> None:
        self.tables, self.deals, self.store = tables, tables.deals, tables.store

    # -------------------------------------------------------------- challenges
    async def challenge(self, caller: Caller, wish: deal_protocol.Challenge, player: str | None) -> DealRow:
        """A deal made of a finished match, by somebody who sat there. Its first attempt is that match."""
        caller.need_seat()
        table = caller.table
        if not table.over or table.match is None:
            raise refuse("phase.not-over")
        row, match = table.row, table.match
        made = self.deals.new_deal(f"challenge-{new_table_name()}", table.game, match.seats, match.options)
        bots = [seat.bot for seat in row.seats if seat.bot is not None]
        now = time.time()
        deal = msgspec.structs.replace(
            made, kind="challenge", rules_version=match.rules_version, subject=subject_of(table), source=row.id,
            bot=bots[0] if bots else made.bot, maker_hash=player or caller.key_hash,
            closes=None if wish.hours is None else now + wish.hours * 3600.0,
        )  # fmt: skip
        ended = attempt_result(match, row, table.played)
        reason = ended.reason or ("aids" if row.aids != "none" else None)  # on the deal itself there are none
        people = [seat for seat in row.seats if seat.kind == "person"]
        attempt = AttemptRow(
            table_id=row.id, deal=deal.id, team=None, names=names_of(row), people=len(people),
            started=row.made, finished=now, counted=reason is None, reason=reason, score=ended.score,
            scores=ended.scores, result=ended.result, sat_in=ended.sat_in, by=ended.by,
        )  # fmt: skip
        who = {one for seat in people for one in (seat.player, seat.key_hash) if one} | ({player} if player else set())
        await self.deals.rows.add_challenge(deal, row, attempt, sorted(who))
        return deal

    async def close(self, deal: DealRow, who: Sequence[str]) -> None:
        """Its maker closes a deal."""
        if deal.maker_hash is None or not any(same(one, deal.maker_hash) for one in who):
            raise refuse("deal.maker", 403)
        await self.deals.close([deal.id])

    # -------------------------------------------------------------- duplicate matches
    async def duplicate(self, wish: deal_protocol.NewDuplicate, address: str) -> tuple[str, str]:
        """Tables that play the same deals: the name of the duplicate match, and the key that closes it."""
        game = game_named(wish.game)
        options = game.check(wish.seats, wish.options)
        title = checked_name(wish.title) if wish.title is not None else None
        name, key = new_table_name(), new_key()
        deals = []
        for number in range(1, wish.deals + 1):
            deal = self.deals.new_deal(f"duplicate-{name}-{number}", game, wish.seats, options)
            maker = hash_of(key)
            deals.append(
                msgspec.structs.replace(deal, kind="duplicate", number=number, duplicate=name, maker_hash=maker)
            )
        await self.deals.rows.add_duplicate(DuplicateRow(name, title, wish.tables, hash_of(key), time.time()))
        await self.deals.rows.add(*deals)
        for team in range(wish.tables):
            row = new_row(
                game, options, [SeatRow() for _ in range(wish.seats)], visibility="private", spectators="none",
                clock=wish.clock, maker_hash=hash_of(key),
            )  # fmt: skip
            row.deal, row.subject, row.team = deals[0].id, deals[0].subject, team
            await self.tables.open_table(row, address)
        return name, key

    # -------------------------------------------------------------- play from here
    async def branch(
        self, wish: deal_protocol.Branch, source: LiveTable | None, player: str | None, address: str
    ) -> tuple[TableRow, str]:  # fmt: skip
        """A table that goes on from a moment of a finished match or of a record: its row and the maker's key."""
        record = source.record() if source is not None else wish.record
        if record is None:
            raise refuse("branch.what", 400)
        try:
            match = await asyncio.to_thread(_played_until, record, wish.step)
        except TacitError as error:
            raise RequestRefused(error.message, 400) from error
        if match.over:
            raise refuse("branch.over", 400)
        if wish.chairs and len(wish.chairs) != match.seats:
            raise refuse("table.chairs", 400, seats=match.seats, given=len(wish.chairs))
        if not 0 <= wish.seat < match.seats:
            raise refuse("seat.unknown", 400, seat=wish.seat)
        game, key = match.game, new_key()
        seats = [new_seat_row(game, chair) for chair in wish.chairs] or [SeatRow() for _ in range(match.seats)]
        seats[wish.seat] = self.tables.new_person(wish.name, key, player, wish.kind)
        row = new_row(
            game, match.options, seats, visibility=wish.visibility, spectators="none", clock=None,
            maker_hash=hash_of(key),
        )  # fmt: skip
        row.rules_version = match.rules_version
        row.branched = {"table": source.row.id if source is not None else None, "lines": match.lines}
        row.subject = subject_of(source) if source is not None else None
        await self.tables.open_table(row, address)
        if source is not None:
            await self.deals.rows.look(subject_of(source), [*filter(None, (player, hash_of(key)))], row.id, "branched")
        return row, key


def _played_until(record: str, step: int) -> Match:
    """The match of a record after some lines, at a moment when a seat or chance is due."""
    whole = Match.load(record)
    match = Match(whole.game, whole.seats, whole.options, settle=False, rules_version=whole.rules_version)
    for line in whole.lines[:step]:
        match.replay(line)
    return match
