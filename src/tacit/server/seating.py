"""Who sits where: questions about a table's seats, and what may be put on them. Each answers or refuses."""

from __future__ import annotations

import msgspec

from tacit.bots import bot_names
from tacit.core.game import Game
from tacit.core.match import Match
from tacit.server import protocol
from tacit.server.errors import refuse
from tacit.server.keys import same
from tacit.server.live_table import LiveTable
from tacit.server.models import SeatRow, TableRow


class Place(msgspec.Struct, frozen=True):
    """Who asks: a live table, and what their key opens there."""

    live: LiveTable
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


def running_match(live: LiveTable) -> Match:
    trouble = live.trouble()
    if trouble is not None:
        raise trouble
    if live.match is None:
        raise refuse("phase.not-started")
    return live.match


def gathering(row: TableRow) -> None:
    if row.phase != "gathering":
        raise refuse("phase.started")


def need_chat(live: LiveTable) -> None:
    if not live.chatting:
        raise refuse("chat.silent", 403, game=live.game.title)


def chair_at(row: TableRow, seat: int) -> SeatRow:
    if not 0 <= seat < len(row.chairs):
        raise refuse("seat.unknown", 400, seat=seat)
    return row.chairs[seat]


def own_seat(place: Place, row: TableRow) -> int:
    """The seat that the caller's key opens in this row, which may be newer than the one they came by."""
    for q, chair in enumerate(row.chairs):
        if place.key_hash is not None and same(place.key_hash, chair.key_hash):
            return q
    raise refuse("key.none", 403)


def free_seat(chairs: list[SeatRow], seat: int | None) -> int:
    """The wished seat, or the first free one."""
    if seat is None:
        for q, chair in enumerate(chairs):
            if chair.kind == "open":
                return q
        raise refuse("seat.full")
    if not 0 <= seat < len(chairs):
        raise refuse("seat.unknown", 400, seat=seat)
    if chairs[seat].kind != "open":
        raise refuse("seat.taken")
    return seat


def new_chair(game: Game, chair: protocol.Chair) -> SeatRow:
    if chair.kind == "open":
        return SeatRow()
    if chair.bot is None:
        raise refuse("table.bot-name", 400)
    return SeatRow("bot", None, checked_bot(game, chair.bot))


def checked_bot(game: Game, name: str) -> str:
    names = bot_names(game)
    if name not in names:
        raise refuse("bot.unknown", 400, name=name, game=game.title, names=", ".join(names))
    return name
