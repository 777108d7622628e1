"""The browser's console stays empty, also where the answer is no: an unknown, a closed, a full table, a taken name."""

from __future__ import annotations

from collections.abc import Callable

import httpx
from playwright.sync_api import Page, expect

from tacit import Match
from tests.server.harness import TRUST, Server
from tests.web.conftest import Guest, Seats
from tests.web.positions import table_at
from tests.web.test_replay import RECORDS, bring

Make = Callable[..., Guest]


GONE = """() => localStorage.setItem('tacit-tables', JSON.stringify(
  [{ table: 'nobody-knows-it', game: 'silencio', key: null, seat: 0, phase: 'playing' }]))"""


def listening(guest: Guest) -> list[str]:
    said: list[str] = []
    guest.page.on("console", lambda line: said.append(f"{guest.page.url}: {line.text} {line.location.get('url')}"))
    return said


def test_the_console_stays_empty(guests: Make, server: Server) -> None:
    guest = guests()
    page, said = guest.page, listening(guest)

    def visit(path: str) -> Page:
        page.goto(guest.url + path)
        page.locator("main h1, main [data-name], main [role=alert]").first.wait_for()
        if path == "/":  # what one played is asked for later
            page.wait_for_load_state("networkidle")
        return page

    for path in ("/", "/new/silencio", "/settings", "/rules/silencio", "/nothing/here"):
        visit(path)
    # A match, its end, and the replay of a record.
    match = Seats(server.url, "silencio", people=1, bots=1)
    guest.sit(match.table, match.keys[0]).locator("[data-piece].can, [data-offer]").first.click()
    record = RECORDS["silencio"].read_text()
    over = table_at(server, "silencio", Match.load(record).seats, record)
    guest.sit(over.table, over.keys[0]).locator("[data-again]").wait_for()
    bring(page, guest.url, RECORDS["silencio"])
    # What is not there, not for us, or wrong.
    visit("/t/nobody-knows-it")
    visit("/t/nobody-knows-it#withakey")
    visit("/replay/nobody-knows-it")
    visit(f"/replay/{match.table}")  # still running
    visit(f"/t/{match.table}#wrongkey")
    page.evaluate(GONE)
    visit("/")  # among one's matches is one that is gone
    closed = Seats(server.url, "silencio", people=1, bots=1, spectators="none")
    expect(visit(f"/t/{closed.table}").locator("[data-wait]")).to_be_visible()
    with httpx.Client(base_url=server.url, verify=TRUST) as http:
        small = http.post("/api/tables", json={"game": "silencio", "seats": 2, "name": "Ada"}).json()
    visit(f"/t/{small['table']}")
    page.locator("main [data-name]").fill("Ada")
    page.locator("main form button").click()
    expect(page.get_by_role("alert")).to_contain_text("already called Ada")
    assert not said, "\n".join(said)
