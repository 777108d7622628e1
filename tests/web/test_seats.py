"""Who sits where, as the page tells it: a bot that finished for somebody, and talk where silence is not the rule."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.server.harness import TRUST, Server
from tests.web.conftest import DESKTOP, PHONE, Guest, Seats
from tests.web.positions import near_the_end, starting_from, table_at

Make = Callable[..., Guest]
SLOW = 60_000  # milliseconds that a full machine may take to draw
SHOTS = os.environ.get("TACIT_SHOTS")  # a folder: then somebody looks


def shot(page: Page, name: str) -> None:
    if SHOTS:
        page.wait_for_timeout(6000)  # the scoring counts up
        page.screenshot(path=str(Path(SHOTS) / f"{name}.png"))


class ByHand:
    """The people of a table, over HTTP."""

    def __init__(self, url: str, seats: Seats) -> None:
        self.table, self.keys, self.path = seats.table, seats.keys, f"{url}/api/tables/{seats.table}"

    def do(self, seat: int, command: str, /, **fields: object) -> httpx.Response:
        head = {"Authorization": f"Bearer {self.keys[seat]}"}
        return httpx.post(f"{self.path}/{command}", json=fields, headers=head, verify=TRUST, timeout=30)

    def decide(self, seat: int) -> bool:
        """One decision, if there is one to take."""
        head = {"Authorization": f"Bearer {self.keys[seat]}"}
        seen = httpx.get(f"{self.path}/seen", headers=head, verify=TRUST, timeout=30).json()
        if seen["ask"] is None:
            return False
        return self.do(seat, "act", ask=seen["ask"], texts=seen["legal"][-1:]).status_code == 200

    def over(self) -> bool:
        return bool(httpx.get(self.path, verify=TRUST, timeout=30).json()["phase"] == "over")


def finished_by_a_bot(server: Server, game: str) -> Seats:
    """Ben decides for a while and leaves; a bot plays on in his place to the end."""
    seats = table_at(server, game, 3, near_the_end(game, 3, 12), people=2)
    people = ByHand(server.url, seats)
    made = {0: 0, 1: 0}
    while min(made.values()) < 3 and not people.over():
        for seat in made:
            made[seat] += people.decide(seat)
    assert people.do(1, "leave").status_code == 200
    assert people.do(0, "sit-in", seat=1, bot="steady").status_code == 200
    while not people.over():
        people.decide(0)
    return seats


@pytest.mark.parametrize("game", [pytest.param("silver-and-gold", marks=pytest.mark.long), "zombie-city"])
def test_a_result_says_who_finished_it(game: str, guests: Make, server: Server) -> None:
    seats = finished_by_a_bot(server, game)
    for how, name in ((DESKTOP, "desktop"), (PHONE, "phone")):
        page = guests(**how).sit(seats.table, seats.keys[0])
        note = page.locator("[data-played] li")
        expect(note).to_contain_text("played by Steady", timeout=SLOW)
        expect(note).to_contain_text("Ben, from move ")
        shot(page, f"{game}-{name}")
    first = int(note.inner_text().split("move ")[1].split()[0])

    german = guests(locale="de-DE").sit(seats.table, seats.keys[0])
    says = f"Ben, ab Zug {first} gespielt von Bedacht"
    expect(german.locator("[data-played] li")).to_have_text(says, timeout=SLOW)

    page = guests().sit(seats.table, seats.keys[0])
    page.locator("[data-played]").wait_for()
    ben = page.locator(".eye", has_text="Ben")
    for step, text in ((first - 1, "Ben"), (first, "Ben · Steady")):
        page.goto(f"{server.url}/replay/{seats.table}?eyes=public&step={step}")
        expect(ben).to_have_text(text, timeout=SLOW)
    page.goto(f"{server.url}/replay/{seats.table}?eyes=public&step=999999")
    expect(page.locator("[data-played] li")).to_contain_text(f"Ben, from move {first} on", timeout=SLOW)
    shot(page, f"{game}-replay")


def test_a_bot_that_sits_in_stands_on_the_plate(guests: Make, server: Server) -> None:
    seats = Seats(server.url, "silencio", people=2, bots=1)
    people = ByHand(server.url, seats)
    page = guests().sit(seats.table, seats.keys[0])
    plate = page.locator(".seat", has_text="Ben")
    expect(plate).not_to_contain_text("Steady")
    assert people.do(1, "leave").status_code == 200
    assert people.do(0, "sit-in", seat=1, bot="steady").status_code == 200
    expect(plate).to_contain_text("Ben · Steady", timeout=SLOW)
    shot(page, "silencio-plate")


def test_people_talk_before_a_silent_match_and_after_it(guests: Make, server: Server) -> None:
    ada, ben = guests(), guests(**PHONE)
    with httpx.Client(base_url=server.url, verify=TRUST) as http:
        made = http.post("/api/tables", json={"game": "silencio", "seats": 2, "name": "Ada"}).json()
        table = made["table"]
        other = http.post(f"/api/tables/{table}/join", json={"name": "Ben"}).json()
    seats = Seats.__new__(Seats)
    seats.table, seats.keys = table, [made["key"], other["key"]]
    people = ByHand(server.url, seats)
    pages = [ada.sit(table, seats.keys[0]), ben.sit(table, seats.keys[1])]
    pages[0].locator("[data-chat]").click()
    pages[0].locator("dialog input").fill("Good luck!")
    pages[0].locator("dialog form button").click()
    expect(pages[1].locator("[data-chat]")).to_have_attribute("aria-label", "Talk, 1 new line", timeout=SLOW)
    pages[1].locator("[data-chat]").tap()
    expect(pages[1].locator("dialog ol")).to_contain_text("Ada Good luck!")
    with starting_from(near_the_end("silencio", 2, 3)):
        assert people.do(0, "start").status_code == 200
    for page in pages:  # the match begins, and the sheet closes by itself
        page.locator("main.table").wait_for()
        expect(page.locator("[data-chat]")).to_have_count(0)
        expect(page.locator("dialog[open]")).to_have_count(0)
    while not people.over():
        people.decide(0)
        people.decide(1)
    for page in pages:
        expect(page.locator("[data-chat]")).to_be_visible(timeout=SLOW)
    pages[1].locator("[data-chat]").tap()
    pages[1].locator("dialog input").fill("Once more?")
    pages[1].locator("dialog form button").tap()
    pages[0].locator("[data-chat]").click()
    expect(pages[0].locator("dialog ol")).to_contain_text("Ben Once more?", timeout=SLOW)
    shot(pages[0], "silencio-after")
