"""Tables of a match under way: axe-core, light and dark, on a phone and at a desk; German on the smallest phone."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from tests.server.harness import Server
from tests.web import axe, overflow
from tests.web.conftest import DESKTOP, PHONE, Guest, Seats, tap_something


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
@pytest.mark.parametrize("game", ["silencio", "silent-planet"])
def test_no_grave_violation_at_a_table(
    game: str, size: dict[str, Any], guests: Callable[..., Guest], server: Server
) -> None:
    guest, seats = guests(**size), Seats(server.url, game, people=1, bots=2)
    page = guest.sit(seats.table, seats.keys[0])
    chance = random.Random(3)
    page.locator("[data-piece], [data-offer]").first.wait_for()
    axe.both(page, f"{game}, beginning")
    for _ in range(10):
        tap_something(page, chance)
        page.wait_for_timeout(30)
    axe.both(page, f"{game}, later")


@pytest.mark.parametrize("game", ["silencio", "silent-planet"])
def test_german_fits_the_smallest_phone(game: str, guests: Callable[..., Guest], server: Server) -> None:
    guest = guests(**PHONE | {"viewport": {"width": 360, "height": 740}}, locale="de")
    seats = Seats(server.url, game, people=1, bots=2)
    page = guest.sit(seats.table, seats.keys[0])
    chance = random.Random(4)
    page.locator("[data-piece], [data-offer]").first.wait_for()
    for _ in range(12):
        overflow.check(page, f"{game}: {page.locator('.dock').inner_text()[:80]}")
        tap_something(page, chance, touch=True)
        page.wait_for_timeout(40)
