"""Pausing and ending a match by common consent: what each person would agree to is kept silently, and is carried out
once all of them agree. Nobody is told who asked first, or who does not agree.
"""

from __future__ import annotations

import time

from tacit.server.models import SeatRow, TableRow
from tacit.server.protocol import Wished


def voters(row: TableRow) -> list[SeatRow]:
    """The people who decide: those who have not left, and for whom no bot sits in."""
    return [seat for seat in row.seats if seat.kind == "person" and not seat.left and seat.sitting_in is None]


def set_wish(seat: SeatRow, want: Wished, yes: bool) -> None:
    seat.wishes = sorted({*(seat.wishes or []), want} if yes else {*(seat.wishes or [])} - {want})


def is_paused(row: TableRow) -> bool:
    return bool(row.pauses) and len((row.pauses or [[]])[-1]) == 1


def resume(row: TableRow) -> None:
    """End the pause."""
    if row.pauses and is_paused(row):
        row.pauses[-1].append(time.time())


def carry_out_wishes(row: TableRow) -> None:
    """Do what all people at a running match agree to."""
    people = voters(row)
    if row.phase != "playing" or not people:
        return
    if all("end" in (seat.wishes or []) for seat in people):
        row.phase, row.ended = "over", "agreed"
    elif all("pause" in (seat.wishes or []) for seat in people) and not is_paused(row):
        row.pauses = [*(row.pauses or []), [time.time()]]
    else:
        return
    done: Wished = "pause" if row.ended is None else "end"
    for seat in row.seats:
        set_wish(seat, done, False)
