"""The `table` message: who sits at a table, and what everybody may know of it. Decisions and lines in words."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Protocol, cast

import msgspec

from tacit.core.game import Game
from tacit.core.keyed_chance import commitment
from tacit.core.match import Match, SeatView
from tacit.core.messages import Message
from tacit.server import protocol
from tacit.server.attempts import branched_from, reason_message, salt_of
from tacit.server.clocks import Clock
from tacit.server.deal_rows import DealRow
from tacit.server.keys import person_of
from tacit.server.models import TableRow
from tacit.server.presence import Presence
from tacit.server.subscriber import encode

MAX_WORDS = 1 << 14  # of one game


class Describable(Protocol):
    """What of a live table its `table` message is made from."""

    row: TableRow
    deal: DealRow | None
    deals: int | None
    clock: Clock
    counts: tuple[bool, str | None] | None
    match: Match | None
    silent: bool
    grace: float
    presence: Presence

    @property
    def phase(self) -> protocol.Phase: ...

    @property
    def is_delayed(self) -> bool: ...

    @property
    def played(self) -> list[list[protocol.Span]]: ...

    def match_key(self) -> bytes | None: ...


def table_info(table: Describable, seated: bool) -> protocol.Table:
    """The `table` message. It has nothing of the match before the match is over; at a table on a deal nothing for
    strangers, who may be about to play the deal; where spectators are delayed nothing that happens meanwhile.
    """
    row = table.row
    over = table.match is not None and table.match.over and (seated or row.deal is None)
    key = table.match_key() if row.deal is None else None
    return protocol.Table(
        table=row.id,
        game=row.game,
        options=row.options,
        phase=table.phase,
        seats=seat_infos(table, over, seated),
        visibility=row.visibility,
        spectators=row.spectators,
        delay_decisions=row.delay_decisions,
        delay_minutes=row.delay_minutes,
        clock=row.clock,
        reserve=row.reserve,
        at_end=row.at_end,
        paused=table.clock.paused if seated or not table.is_delayed else None,
        ended=row.ended,
        silent=table.silent,
        aids=row.aids,
        starts=row.starts,
        grace=table.grace,
        next=row.next,
        result=table.match.result if over and table.match is not None else None,
        deal=_deal_info(table),
        branched=branched_from(row),
        commitment=_commitment(table, key),
        opening=protocol.Opening(key=key.hex(), salt=salt_of(row).hex()) if key and over and seated else None,
    )


def _commitment(table: Describable, key: bytes | None) -> str | None:
    """What was promised about the chance of this match: of its deal, or of its own key."""
    if table.deal is not None:
        return table.deal.commitment
    return None if key is None else commitment(key, salt_of(table.row))


def _deal_info(table: Describable) -> protocol.TableDeal | None:
    if table.deal is None:
        return None
    counted, reason = table.counts or (None, None)
    return protocol.TableDeal(
        deal=table.deal.id, kind=table.deal.kind, number=table.deal.number, team=table.row.team,
        duplicate=table.deal.duplicate, deals=table.deals, counted=counted, reason=reason_message(reason),
    )  # fmt: skip


def seat_infos(table: Describable, over: bool, seated: bool = True) -> list[protocol.SeatInfo]:
    """Who sits where; delayed spectators are not told who is here, who left and for whom a bot decides."""
    infos = [_seat_info(table, q) for q in range(len(table.row.seats))]
    if over:
        told = zip(infos, table.played, table.row.seats, strict=True)
        infos = [msgspec.structs.replace(one, played=p, hints=len(row.hints or [])) for one, p, row in told]
    if not seated and table.is_delayed and table.phase == "playing":
        hidden: dict[str, Any] = {"presence": "here", "away_since": None, "sitting_in": None, "agreed": []}
        infos = [msgspec.structs.replace(one, **hidden) for one in infos]
    return infos


def _seat_info(table: Describable, seat: int) -> protocol.SeatInfo:
    row = table.row.seats[seat]
    away = table.presence.away_since[seat] if row.kind == "person" else None
    return protocol.SeatInfo(
        kind=row.kind,  # type: ignore[arg-type]
        name=row.name,
        bot=row.bot,
        presence="left" if row.left else "away" if away is not None else "here",
        away_since=away.wall if away is not None else None,
        sitting_in=row.sitting_in,
        agreed=row.agreed,
        client=row.client,  # type: ignore[arg-type]
        person=person_of(row.key_hash) if row.key_hash else None,
        lent=row.lent,
        stirred=row.stirred is not None,
    )


class Words(dict[str, Message]):
    """Messages, encoded, by the texts that `say` puts into words: the same ones are sent again and again."""

    def __init__(self, say: Callable[[str], Message]) -> None:
        self.say = say

    def __missing__(self, text: str) -> Message:
        if len(self) >= MAX_WORDS:
            self.clear()
        words = self[text] = cast(Message, msgspec.Raw(encode(self.say(text))))
        return words


@lru_cache(64)
def offers_of(game: Game) -> Words:
    """Decisions of a game in words."""
    return Words(game.rules.offer)


@lru_cache(64)
def tellings_of(game: Game) -> Words:
    """Heard lines of a game in words."""
    return Words(game.rules.tell)


def previewed(game: Game, view: SeatView, keep: int, id: int | None) -> protocol.Previewed:
    """The `previewed` message, without the first `keep` lines heard."""
    heard, offers, tellings = view.heard[keep:], offers_of(game), tellings_of(game)
    return protocol.Previewed(
        view=view.view,
        legal=view.legal,
        offers=[offers[text] for text in view.legal],
        heard=heard,
        told=[tellings[line] for line in heard],
        id=id,
    )
