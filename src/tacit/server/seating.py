"""Who may do what at a table, and who may sit where. Each function returns what was asked for, or refuses."""

from __future__ import annotations

import time
from typing import Any

import msgspec

from tacit.bots import bot_names
from tacit.core.game import Game, OptionValue
from tacit.core.match import Match
from tacit.core.registry import game_named
from tacit.server import protocol
from tacit.server.deal_rows import DealRow
from tacit.server.errors import refuse
from tacit.server.keys import hash_of, new_table_name, same
from tacit.server.live_table import LiveTable
from tacit.server.models import SeatRow, TableRow
from tacit.server.names import checked_name


class Caller(msgspec.Struct, frozen=True):
    """Who gives a command or looks: at a table, and what their key opens there."""

    table: LiveTable
    key_hash: str | None
    seat: int | None
    maker: bool

    def need_seat(self) -> int:
        if self.seat is None:
            raise refuse("key.none", 403)
        return self.seat

    def need_maker(self) -> None:
        if not self.maker:
            raise refuse("key.maker", 403)

    def seat_in(self, row: TableRow) -> int:
        """The seat that the caller's key opens in this row, which may be newer than the table's when they came."""
        for q, seat_row in enumerate(row.seats):
            if self.key_hash is not None and same(self.key_hash, seat_row.key_hash):
                return q
        raise refuse("key.none", 403)


def need_match(table: LiveTable) -> Match:
    """The match of a table; refused before its start, or if its rules version is unknown."""
    trouble = table.trouble()
    if trouble is not None:
        raise trouble
    if table.match is None:
        raise refuse("phase.not-started")
    return table.match


def need_running(table: LiveTable) -> None:
    """Refuse if decisions cannot be made now: before the start, in a pause, after an early end."""
    need_match(table)
    if table.row.ended is not None:
        raise refuse("phase.over")
    if not table.running:
        raise refuse("paused")


def checked_clock(game: Game, wish: protocol.Create) -> tuple[int | None, protocol.AtEnd | None]:
    """The reserve and the end of time that somebody wishes for; refused without a clock, and where an absent player
    would decide the match for the others.
    """
    if wish.clock is None and (wish.reserve is not None or wish.at_end is not None):
        raise refuse("clock.none", 400)
    if wish.at_end == "end" and (not game.cooperative or wish.deal is not None):
        raise refuse("clock.end", 400)
    return wish.reserve, wish.at_end


def need_gathering(row: TableRow) -> None:
    if row.phase != "gathering":
        raise refuse("phase.started")


def start(row: TableRow) -> None:
    """The match of a row begins."""
    row.phase = "playing"
    if row.deal is None and row.branched is None:
        row.rules_version = game_named(row.game).rules_version


def starts_now(row: TableRow) -> bool:
    """Does the match of a row begin by itself: is the last seat taken at a table that starts then?"""
    gathers = row.phase == "gathering" and row.starts == "full"
    return gathers and all(seat_row.kind != "open" for seat_row in row.seats)


def need_chat(table: LiveTable) -> None:
    if not table.may_chat:
        raise refuse("chat.silent", 403, game=table.game.title)


def seat_row_at(row: TableRow, seat: int) -> SeatRow:
    if not 0 <= seat < len(row.seats):
        raise refuse("seat.unknown", 400, seat=seat)
    return row.seats[seat]


def free_seat(seats: list[SeatRow], wanted: int | None) -> int:
    """The wanted seat, or the first free one."""
    if wanted is None:
        for q, seat_row in enumerate(seats):
            if seat_row.kind == "open":
                return q
        raise refuse("seat.full")
    if not 0 <= wanted < len(seats):
        raise refuse("seat.unknown", 400, seat=wanted)
    if seats[wanted].kind != "open":
        raise refuse("seat.taken")
    return wanted


def need_same(deal: DealRow, game: Game, wish: protocol.Create) -> dict[str, OptionValue]:
    """The options of a table on a deal; refused if it is another game, or other seats or options than the deal's."""
    same_game = (game.name, wish.seats) == (deal.game, deal.seats)
    if same_game and (not wish.options or game.check(wish.seats, wish.options) == deal.options):
        return deal.options
    raise refuse("deal.other", 400, game=game_named(deal.game).title, seats=deal.seats)


def need_delay(wish: protocol.Create) -> None:
    """Refuse unless delayed spectators have a delay of decisions or of minutes, and nobody else has one."""
    given = [delay for delay in (wish.delay_decisions, wish.delay_minutes) if delay is not None]
    if len(given) != (wish.spectators == "delayed"):
        raise refuse("table.delay", 400)


def new_row(game: Game, options: dict[str, OptionValue], seats: list[SeatRow], **more: Any) -> TableRow:
    """A new table that gathers people."""
    return TableRow(
        id=new_table_name(), game=game.name, rules_version=game.rules_version, options=options, phase="gathering",
        made=time.time(), seats=seats, **more,
    )  # fmt: skip


def new_person(name: str, key: str, player: str | None, client: str | None) -> SeatRow:
    """A person's seat; refuses a name that is none."""
    return SeatRow("person", checked_name(name), key_hash=hash_of(key), client=client, player=player)


def new_seat_row(game: Game, chair: protocol.Chair, deal: DealRow | None = None) -> SeatRow:
    """A seat as a client wants it: open, or a bot's. On a deal all bots are of one kind."""
    if chair.kind == "open":
        return SeatRow()
    if chair.bot is None:
        raise refuse("table.bot-name", 400)
    if deal is not None and chair.bot != deal.bot:
        raise refuse("deal.bot", 400, name=deal.bot)
    return SeatRow("bot", None, checked_bot(game, chair.bot))


def checked_bot(game: Game, name: str) -> str:
    names = bot_names(game)
    if name not in names:
        raise refuse("bot.unknown", 400, name=name, game=game.title, names=", ".join(names))
    return name


def caller_by_key(table: LiveTable, key: str) -> Caller | None:
    """What a key opens at a table; None if nothing."""
    key_hash = hash_of(key)
    seat, maker = table.seat_of(key_hash), table.is_maker(key_hash)
    return Caller(table, key_hash, seat, maker) if seat is not None or maker else None


def caller_by_person(table: LiveTable, person: str | None) -> Caller | None:
    """The seat of a person, on any of their devices."""
    for q, seat_row in enumerate(table.row.seats):
        if person is not None and seat_row.key_hash is not None and seat_row.player == person:
            return Caller(table, seat_row.key_hash, q, table.is_maker(seat_row.key_hash))
    return None
