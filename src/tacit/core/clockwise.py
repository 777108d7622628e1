"""Seats in a circle, without a division: on a GPU one takes as long as the rest of what is said of a seat."""

from __future__ import annotations

from tacit.core.rulekit import rule


@rule
def seat_after(seat: int, places: int, n: int) -> int:
    """The seat so many places clockwise from one of n seats, for at most n places."""
    at = seat + places
    return at - n if at >= n else at


@rule
def places_to(seat: int, other: int, n: int) -> int:
    """How many places clockwise from a seat another one of the n sits; -1 (nobody) counts as the last seat."""
    places = other - seat
    return places + n if places < 0 else places
