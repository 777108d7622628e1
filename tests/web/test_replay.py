"""The replay: a finished match and a record that somebody brings, from any seat's eyes, without spoilers."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Page, expect

from tacit import GAMES
from tests.server.harness import ROOT, TRUST, Server
from tests.web import axe, overflow
from tests.web.conftest import PHONE, SOME_GAMES, Guest, Seats

GOLDEN = ROOT / "tests" / "golden"
RECORDS = {game: sorted((GOLDEN / game).glob("*.tacit"))[0] for game in GAMES}


def bring(page: Page, url: str, record: Path) -> None:
    page.goto(f"{url}/replay")
    page.set_input_files("input[type=file]", record)
    page.locator(".controls").wait_for()


def step(page: Page) -> tuple[int, int]:
    now, last = re.findall(r"\d+", page.locator(".count").inner_text())
    return int(now), int(last)


def play_to_the_end(url: str, seats: Seats) -> None:
    """The first decision on the list, again and again."""
    head = {"Authorization": f"Bearer {seats.keys[0]}"}
    with httpx.Client(base_url=f"{url}/api/tables/{seats.table}", headers=head, verify=TRUST) as http:
        end = time.time() + 60
        while seats.phase(url) != "over":
            assert time.time() < end, "the match does not end"
            seen = http.get("/seen").json()
            if seen.get("ask") is not None:
                http.post("/act", json={"ask": seen["ask"], "texts": seen["legal"][:1]})
            else:
                time.sleep(0.01)


def marks(page: Page) -> int:
    return page.locator(".track .mark").count()


@pytest.mark.parametrize("game", SOME_GAMES)
def test_a_record_is_stepped_scrubbed_and_seen_by_anyone(
    game: str, guests: Callable[..., Guest], server: Server
) -> None:
    guest = guests()
    page = guest.page
    bring(page, guest.url, RECORDS[game])
    first, last = step(page)
    assert first < last
    assert marks(page) == 0  # what comes is not told
    page.keyboard.press("ArrowRight")
    expect(page.locator(".count")).not_to_contain_text(f"{first} ")
    assert step(page)[0] > first
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("End")
    expect(page.locator(".count")).to_contain_text(f"{last} ")
    at_end = marks(page)
    page.keyboard.press("Home")
    expect(page.locator(".count")).to_contain_text("0 ")
    assert marks(page) == 0
    page.keyboard.press("Shift+ArrowRight")  # to the next mark, though it is not shown yet
    if at_end:
        expect(page.locator(".track .mark")).to_have_count(1)
    page.get_by_role("button", name="Key moments").click()
    page.get_by_label("Show what is still to come").check()
    page.keyboard.press("Escape")
    assert marks(page) == at_end
    page.get_by_label("Moment", exact=True).fill(str(last // 2))
    expect(page.locator(".count")).to_contain_text(f"{last // 2} ")
    eyes = page.get_by_role("group", name="Through whose eyes")
    eyes.get_by_role("button").nth(1).click()
    expect(eyes.get_by_role("button").nth(1)).to_have_attribute("aria-pressed", "true")
    page.get_by_role("switch", name="Open").click()
    expect(page.get_by_role("switch", name="Open")).to_have_attribute("aria-checked", "true")
    assert step(page)[0] == last // 2  # other eyes, the same moment
    assert marks(page) == at_end  # and the same turning points
    assert page.locator("[data-piece].can, [data-offer]").count() == 0  # nothing can be decided
    axe.both(page)


def test_a_broken_record_says_where_it_stops(guests: Callable[..., Guest], tmp_path: Path) -> None:
    page = guests().page
    lines = RECORDS["silencio"].read_text().splitlines()
    bad = tmp_path / "bad.tacit"
    bad.write_text("\n".join([*lines[:12], "0 play r99", *lines[13:]]))
    page.goto(f"{guests().url}/replay")
    page.set_input_files("input[type=file]", bad)
    expect(page.get_by_role("alert")).to_contain_text("Line 13")
    good = RECORDS["silencio"]
    page.set_input_files("input[type=file]", good)  # and nothing is lost by it
    page.locator(".controls").wait_for()


def test_a_finished_match_has_a_link_to_a_moment(guests: Callable[..., Guest], server: Server) -> None:
    """The link carries step and eyes, never open hands; it works on another device, in German on a small phone."""
    seats = Seats(server.url, "silencio", people=1, bots=2, spectators="after")
    guest = guests(permissions=["clipboard-read", "clipboard-write"])
    page = guest.sit(seats.table, seats.keys[0])
    page.locator("[data-piece], [data-offer]").first.wait_for()
    page.goto(f"{guest.url}/replay/{seats.table}")
    expect(page.get_by_role("alert")).to_be_visible()  # a match still running has no replay
    play_to_the_end(guest.url, seats)
    page.goto(guest.url)
    expect(page.get_by_role("region", name="Your matches")).to_contain_text(re.compile(r"\bcards? left\b"))
    page.goto(f"{guest.url}/replay/{seats.table}")
    page.locator(".controls").wait_for()
    expect(page.locator(".eye")).to_contain_text(["Ada", "Alder", "Heron"])  # named as at the table
    page.get_by_label("Moment", exact=True).fill("40")
    page.get_by_role("switch", name="Open").click()
    expect(page.get_by_role("switch", name="Open")).to_have_attribute("aria-checked", "true")
    page.get_by_role("button", name="Share moment").click()
    expect(page.locator(".told")).not_to_be_empty()
    link = str(page.evaluate("navigator.clipboard.readText()"))
    assert "step=40" in link
    assert "open" not in link
    other = guests(**PHONE | {"viewport": {"width": 360, "height": 740}}, locale="de")
    other.page.goto(link)
    other.page.locator(".controls").wait_for()
    assert step(other.page)[0] == 40
    overflow.check(other.page)
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the record").click()
    assert download.value.path().read_text().startswith("tacit 1")
