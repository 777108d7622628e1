"""Seats in clockwise order, computed without `%`: on a GPU a division costs as much as the rest of an observation."""

from __future__ import annotations

from tacit.core.rulekit import rule


@rule
def seat_after(seat: int, places: int, n: int) -> int:
    """The seat that sits a number of places (at most n) clockwise from one of n seats."""
    at = seat + places
    return at - n if at >= n else at


@rule
def places_to(seat: int, other: int, n: int) -> int:
    """How many places clockwise from one of n seats another sits; -1 (no seat) counts as the last."""
    places = other - seat
    return places + n if places < 0 else places


@rule
def seats_from(seats: int, seat: int, n: int) -> int:
    """A set of seats as counted clockwise from one of n: bit r is the seat r places on."""
    return ((seats >> seat) | (seats << (n - seat))) & ((1 << n) - 1)
