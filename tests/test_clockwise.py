"""Seats around a table: as a division would have it."""

from __future__ import annotations

from tacit.core.clockwise import places_to, seat_after


def test_seats_are_counted_clockwise() -> None:
    for n in range(2, 7):
        for seat in range(n):
            assert [seat_after(seat, places, n) for places in range(n + 1)] == [
                (seat + places) % n for places in range(n + 1)
            ]
            assert [places_to(seat, other, n) for other in range(-1, n)] == [
                (other - seat) % n for other in range(-1, n)
            ]
