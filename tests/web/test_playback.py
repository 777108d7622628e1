"""The pace: what bots do is told line by line, nothing delays one's own decision, and the pace is remembered."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect

from tests.server.harness import Server
from tests.web.conftest import Guest, Seats
from tests.web.positions import positions, table_at
from tests.web.test_seats import ByHand

Make = Callable[..., Guest]


def decide(page: Any) -> None:
    page.locator("[data-offer]").first.click()
    if page.locator("[data-offer].ask").count():
        page.locator("[data-offer].ask").click()


def test_moves_are_told_one_by_one_until_somebody_reaches_for_the_table(guests: Make, server: Server) -> None:
    seats = Seats(server.url, "zombie-city", people=1, bots=3)
    guest = guests(pace="step")
    page = guest.sit(seats.table, seats.keys[0])
    strip = page.locator(".event-strip")
    strip.wait_for()
    for _ in range(40):  # until bots have acted and something waits
        if page.locator("[data-step]").count():
            break
        if page.locator("[data-offer]").count():
            decide(page)
        page.wait_for_timeout(50)
    told = strip.inner_text()
    page.wait_for_timeout(1500)
    assert strip.inner_text() == told  # step by step: it stands
    page.locator("[data-step]").click()
    expect(strip).not_to_have_text(told)
    # A tap on the board shows it as it is now, and a decision can be made at once.
    page.locator("[data-region=board]").click(position={"x": 5, "y": 5})
    expect(page.locator("[data-skip]")).to_have_count(0)
    expect(page.locator("[data-step]")).to_have_count(0)


def test_the_pace_is_chosen_in_the_bar_and_remembered(guests: Make, server: Server) -> None:
    seats = Seats(server.url, "silencio", people=1, bots=2)
    guest = guests()
    page = guest.sit(seats.table, seats.keys[0])
    page.locator("[data-pace=instant]").click()
    page.locator("[data-choose-pace=slow]").click()
    expect(page.locator("[data-pace]")).to_have_attribute("data-pace", "slow")
    assert json.loads(page.evaluate("localStorage['tacit-settings']"))["pace"] == "slow"
    page.reload()
    expect(page.locator("[data-pace]")).to_have_attribute("data-pace", "slow")


def test_what_happened_since_ones_last_turn_can_be_seen_again(guests: Make, server: Server) -> None:
    """A tap on the strip lists the moves, and a tap on one tells it once more."""
    table = table_at(server, "zombie-city", 3, positions("zombie-city", 3)["main"])
    page = guests(pace="quick").sit(table.table, table.keys[0])
    strip = page.locator(".event-strip")
    strip.wait_for()
    expect(strip).to_contain_text("discards")  # the last thing that matters: not that cards were drawn after it
    people = ByHand(server.url, table)
    while people.decide(0):
        pass
    page.locator(".event-strip.telling").wait_for()
    page.locator("[data-skip]").click()
    expect(page.locator("[data-skip]")).to_have_count(0)
    page.locator("[data-since]").click()
    again = page.locator("dialog li button").first
    told = again.inner_text()
    again.click()
    expect(page.locator(".event-strip.telling")).to_contain_text(told.split()[0])
