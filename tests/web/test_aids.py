"""Aids on the page: marks that open what one knows, notes that are there again, a hint; the same deal in one tap."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.server.harness import Server
from tests.web import axe
from tests.web.conftest import PHONE, SOME_GAMES, Guest, Seats
from tests.web.positions import positions, starting_from, table_at

Make = Callable[..., Guest]
SMALL = {**PHONE, "viewport": {"width": 360, "height": 640}}
PATIENCE = 60_000  # milliseconds: a busy machine makes it slow, not red
# Where seat 0 has a choice, and a hidden place that a tap can open.
MOMENTS = {
    "silencio": ("turn", '[data-place="deck"]', "deck"),
    "silver-and-gold": ("cross", '[data-place="deck"]', "deck"),
    "zombie-city": ("main", '[data-place="draw"]', "deck"),
    "silent-planet": ("point", '.row:not(.mine) [data-state="down"]', "row [12] [1-9]"),
}


@pytest.fixture
def no_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bots of these tables never act, so that positions stay as they are."""
    monkeypatch.setattr("tacit.server.bot_seats.BotSeats.update", lambda *_: None)


@pytest.mark.parametrize("game", SOME_GAMES)
def test_a_mark_opens_what_one_knows_with_notes_and_a_hint(
    game: str, guests: Make, server: Server, no_bots: None
) -> None:
    phase, spot, place = MOMENTS[game]
    with starting_from(positions(game, 3)[phase]):
        seats = Seats(server.url, game, people=1, bots=2, aids="hints")
    guest = guests(**SMALL, reduced_motion="reduce")
    page = guest.sit(seats.table, seats.keys[0])
    page.set_default_timeout(PATIENCE)
    page.locator("[data-layout]").wait_for()
    expect(page.locator(".marks [data-mark]").first).to_be_attached(timeout=PATIENCE)
    page.locator(spot).locator("visible=true").first.click(position={"x": 3, "y": 3})
    opened = page.locator("dialog details[data-known][open]")
    expect(page.locator("[data-how=exact], [data-how=sampled]")).to_be_visible(timeout=PATIENCE)
    expect(opened).to_have_attribute("data-known", re.compile(place))
    expect(opened.locator(".chances li").first).to_contain_text("%")
    page.locator("[data-hint]").click()
    expect(page.locator("[data-hinted] p")).to_have_count(2, timeout=PATIENCE)
    expect(page.locator("[data-hint]")).to_contain_text("2 left", timeout=PATIENCE)
    if game in ("silencio", "silent-planet"):  # a list of hands, and one of cards
        axe.both(page, f"{game}, aids")
    opened.locator("[data-note]").fill("  low? ")
    opened.locator("[data-note]").press("Enter")
    expect(opened.locator("summary").first).to_contain_text("low?", timeout=PATIENCE)
    page.keyboard.press("Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)
    page.reload()
    page.locator("[data-layout]").wait_for()
    page.keyboard.press("k")
    expect(page.locator("dialog details[data-known] .mine")).to_have_text("low?", timeout=PATIENCE)
    expect(page.locator("[data-hint]")).to_contain_text("2 left", timeout=PATIENCE)


def test_a_table_without_aids_has_no_marks_and_its_end_gives_the_same_deal_in_one_tap(
    guests: Make, server: Server
) -> None:
    guest = guests(**SMALL, reduced_motion="reduce")
    table = table_at(server, "silencio", 3, positions("silencio", 3)["turn"])
    page = guest.sit(table.table, table.keys[0])
    page.set_default_timeout(PATIENCE)
    page.locator("[data-layout]").wait_for()
    expect(page.locator("[data-aids], .marks")).to_have_count(0)
    table = table_at(server, "silencio", 3, positions("silencio", 3)["over"])
    guest.sit(table.table, table.keys[0]).locator("[data-same-deal]").click()
    expect(page.locator("[data-to-challenge]")).to_be_visible(timeout=PATIENCE)
    axe.check(page, "the same deal")
