"""What people are told of wherever they are: each depends on what the receiver's seat sees, or on who sits where."""

from __future__ import annotations

import time

from tacit.server.deciders import Attempt
from tacit.server.live_table import LiveTable
from tacit.server.models import News, SeatRow, TableRow

PRESENT_DELAY = 25.0  # seconds that somebody who is connected has to see it on the page


def of_step(table: LiveTable, attempt: Attempt) -> list[News]:
    """Whose turn it is now, and whether it is over. `table` is as before the step."""
    step, found = attempt.step, []
    for seat, row in enumerate(table.row.seats):
        if not _reachable(table, row):
            continue
        assert row.player is not None
        if seat == step.seat and step.ask is not None and table.bot_for(seat) is None:
            found.append(News(step.table, row.player, "acted", seat))
        if step.over:
            found.append(News(step.table, row.player, "over", seat, due=_due(table, seat)))
        elif step.asks[seat] != table.asks[seat] and attempt.views[seat].legal and table.bot_for(seat) is None:
            if seat != step.seat:
                found.append(News(step.table, row.player, "turn", seat, due=_due(table, seat)))
            short = table.clock.short_at(seat, step.at)
            if short is not None:
                found.append(News(step.table, row.player, "short", seat, due=short))
    return found


def of_change(table: LiveTable, row: TableRow, attempt: Attempt | None, by: str | None) -> list[News]:
    """Who sat down, that the match begins or has ended, that there is a rematch. `table` is as before the change; `by`
    is the hash of the key of whoever made it, who is not told.
    """
    old, found = table.row, []
    known = {seat.key_hash for seat in old.seats}
    came = [seat for seat in row.seats if seat.kind == "person" and seat.key_hash not in known]
    for seat, mine in enumerate(row.seats):
        if not _reachable(table, mine) or mine.key_hash == by or mine in came:
            continue
        assert mine.player is not None
        kind, who = None, None
        if attempt is not None:
            kind = "turn" if attempt.views[seat].legal else "begun"
        elif row.ended != old.ended:
            kind = "over"
        elif row.next != old.next:
            kind = "rematch"
        elif came and row.phase == "gathering":
            kind, who = "sat", came[0].name
        if kind is not None:
            found.append(News(row.id, mine.player, kind, seat, who, _due(table, seat)))  # type: ignore[arg-type]
    return found


def _reachable(table: LiveTable, row: SeatRow) -> bool:
    return row.kind == "person" and row.player is not None and not row.left and table.may_have_channel(row.player)


def _due(table: LiveTable, seat: int) -> float:
    """Who is connected sees it on the page: they are told only if they go before they have looked."""
    return time.time() + (PRESENT_DELAY if table.presence.is_present(seat) else 0.0)
