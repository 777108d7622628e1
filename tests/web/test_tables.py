"""Tables of a match under way: axe-core, light and dark, on a phone and at a desk; German on the smallest phone."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tacit import GAMES, game_named
from tests.server.harness import Server
from tests.web import axe, overflow
from tests.web.conftest import DESKTOP, PHONE, Guest, Seats, tap_something
from tests.web.positions import positions, table_at

SIZES = {"phone": PHONE, "desktop": DESKTOP}
# One game at each size: the tables of the others are read in their own tests. In the long run all games at both.
ONES = [("silencio", "phone"), ("silent-planet", "desktop")]
EVERY = [(game, size) for game in GAMES for size in SIZES]
TABLES = [
    pytest.param(game, SIZES[size], id=f"{game}-{size}")
    for game, size in (EVERY if "TACIT_LONG" in os.environ else ONES)
]


@pytest.mark.parametrize(("game", "size"), TABLES)
def test_axe_finds_nothing_at_a_table(
    game: str, size: dict[str, Any], guests: Callable[..., Guest], server: Server
) -> None:
    """In the middle of a match of the most seats, with something picked, and at its end."""
    seats = game_named(game).max_seats
    guest, records = guests(**size, reduced_motion="reduce"), positions(game, seats)
    fullest = max(records, key=lambda phase: (phase != "over", len(records[phase])))
    table = table_at(server, game, seats, records[fullest])
    page = guest.sit(table.table, table.keys[0])
    page.locator("[data-piece].can, [data-offer]").first.click()
    axe.both(page, f"{game}, {fullest}")
    table = table_at(server, game, seats, records["over"])
    guest.sit(table.table, table.keys[0]).locator("[data-again]").wait_for()
    axe.both(page, f"{game}, over")


def test_axe_finds_nothing_in_the_sheets_of_a_table(guests: Callable[..., Guest], server: Server) -> None:
    table = table_at(server, "zombie-city", 3, positions("zombie-city", 3)["main"])
    page = guests(**PHONE, reduced_motion="reduce").sit(table.table, table.keys[0])
    page.locator(".event-strip .line").click()  # the log
    for name in ("the log", "the menu", "the rules", "pace"):
        page.locator("dialog[open]").wait_for()
        axe.both(page, name)
        page.keyboard.press("Escape")
        expect(page.locator("dialog[open]")).to_have_count(0)
        if name == "the log":
            page.locator("[data-menu]").click()
        elif name == "the menu":
            page.locator("[data-menu]").click()
            page.get_by_role("button", name="Rules").click()
        elif name == "the rules":
            page.locator("[data-pace]").click()


@pytest.mark.parametrize("game", ["silencio", pytest.param("silent-planet", marks=pytest.mark.long)])
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
