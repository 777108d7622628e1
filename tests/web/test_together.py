"""Taking back by tap and key, watching with a seat's eyes and with a delay, a review room of three browsers."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.server.harness import Api, Server
from tests.web import axe
from tests.web.conftest import PHONE, Guest, Seats
from tests.web.positions import position_where, positions, starting_from, table_at

PATIENT = 60_000  # milliseconds, however busy the machine


def decide(page: Page) -> None:
    """The first decision that is offered as a button, whole."""
    offer = page.locator("[data-offer]").first
    offer.click()
    if page.locator("[data-confirm]").count():
        page.locator("[data-confirm]").first.click()


def test_a_decision_is_taken_back_by_tap_and_by_key(guests: Callable[..., Guest], server: Server) -> None:
    record = position_where("zombie-city", 2, lambda match: match.due == {0, 1})
    table = table_at(server, "zombie-city", 2, record, people=2)
    phone = guests(**PHONE, reduced_motion="reduce").sit(table.table, table.keys[0])
    undo = phone.locator("[data-undo]")
    expect(phone.locator("[data-offer]").first).to_be_visible(timeout=PATIENT)
    expect(undo).to_have_count(0)
    decide(phone)
    expect(undo).to_be_visible(timeout=PATIENT)
    axe.both(phone, "something can be taken back")
    undo.tap()
    expect(phone.locator("[data-offer]").first).to_be_visible(timeout=PATIENT)
    expect(undo).to_have_count(0)
    decide(phone)
    expect(undo).to_be_visible(timeout=PATIENT)
    phone.keyboard.press("u")
    expect(phone.locator("[data-offer]").first).to_be_visible(timeout=PATIENT)
    decide(phone)
    expect(undo).to_be_visible(timeout=PATIENT)
    other = guests().sit(table.table, table.keys[1])
    expect(other.locator("[data-offer]").first).to_be_visible(timeout=PATIENT)
    decide(other)  # the last seat has answered: now it stands
    expect(undo).to_have_count(0, timeout=PATIENT)


def test_spectators_see_with_lent_eyes_or_later(guests: Callable[..., Guest], server: Server) -> None:
    with starting_from(positions("zombie-city", 3)["main"]):
        seats = Seats(server.url, "zombie-city", people=3, bots=0, spectators="seat")
    watcher = guests().page
    watcher.goto(f"{server.url}/t/{seats.table}")
    expect(watcher.locator("[data-watching]")).to_have_text("watching", timeout=PATIENT)
    ada = guests(**PHONE).sit(seats.table, seats.keys[0])
    ada.locator("[data-menu]").click()
    ada.get_by_role("button", name="Let spectators see with your eyes").click()
    expect(ada.locator("[data-lent]")).to_be_visible(timeout=PATIENT)
    expect(watcher.locator("[data-watching]")).to_have_text("with Ada’s eyes", timeout=PATIENT)
    own = "[data-region=own] [data-piece]"
    hand = "all => all.map(one => one.dataset.piece)"
    assert watcher.locator(own).evaluate_all(hand) == ada.locator(own).evaluate_all(hand) != []
    expect(watcher.locator("[data-offer], [data-piece].can")).to_have_count(0)  # they decide nothing

    later = Seats(server.url, "zombie-city", people=2, bots=0, spectators="delayed", delay_decisions=2)
    watcher.goto(f"{server.url}/t/{later.table}")
    expect(watcher.locator("[data-watching]")).to_have_text("2 decisions later", timeout=PATIENT)
    api, shown = Api(server.url), watcher.locator("main.table")
    expect(shown).to_be_visible(timeout=PATIENT)
    before = shown.inner_text()
    for key in later.keys:
        seen = api.get(f"/api/tables/{later.table}/seen", key).json()
        assert api.post(f"/api/tables/{later.table}/act", key, ask=seen["ask"], texts=["keep"]).status_code == 200
    expect(shown).not_to_have_text(before, use_inner_text=True, timeout=PATIENT)  # the deal, not yet the answers
    expect(watcher.locator("[data-watching]")).to_be_visible()


def test_a_review_room_of_three_browsers(guests: Callable[..., Guest], server: Server) -> None:
    record = positions("zombie-city", 3)["over"]
    table = table_at(server, "zombie-city", 3, record, people=3)
    phone = {**PHONE, "viewport": {"width": 360, "height": 640}, "color_scheme": "dark"}
    made = [guests(), guests(), guests(**phone)]
    pages = [guest.sit(table.table, key) for guest, key in zip(made, table.keys, strict=True)]
    ada, ben, cleo = pages
    for page in pages:
        expect(page.locator("[data-room]")).to_be_visible(timeout=PATIENT)
        page.locator("[data-room]").click()
        expect(page).to_have_url(re.compile(f"/room/{table.table}$"))
        expect(page.locator("[data-following=true]")).to_be_visible(timeout=PATIENT)
    count = [page.locator(".controls .count") for page in pages]
    ada.keyboard.press("End")  # she came first, and leads
    at = count[0].inner_text()
    for one in count[1:]:
        expect(one).to_have_text(at, timeout=PATIENT)
    axe.both(cleo, "the room")

    ben.keyboard.press("ArrowLeft")  # off to look for himself, and back
    expect(ben.locator("[data-following=false]")).to_be_visible(timeout=PATIENT)
    expect(count[1]).not_to_have_text(at)
    expect(count[0]).to_have_text(at)
    ben.locator("[data-follow]").click()
    expect(count[1]).to_have_text(at, timeout=PATIENT)

    ben.locator("[data-draw]").click()  # a mark by mouse, an arrow by keyboard
    city, cleos = (ben.locator(f"main [data-piece='{piece}']") for piece in ("city", "seat:2"))  # Ada sees them too
    city.click()
    city.focus()
    ben.keyboard.press("a")
    cleos.focus()
    ben.keyboard.press("a")
    for page in pages[:2]:
        expect(page.locator("[data-mark]")).to_have_count(1, timeout=PATIENT)
        expect(page.locator("[data-arrow]")).to_have_count(1, timeout=PATIENT)
    cleo.locator("[data-sign=wow]").tap()
    expect(ada.locator("[data-sign=wow] b")).to_have_text("1", timeout=PATIENT)
    ada.locator("[data-chat]").click()
    ada.locator("dialog input").fill("There we lost")
    ada.locator("dialog form button").click()
    ada.keyboard.press("Escape")
    cleo.locator("[data-chat]").tap()
    expect(cleo.locator("dialog").get_by_text("There we lost")).to_be_visible(timeout=PATIENT)
    cleo.keyboard.press("Escape")

    for page in pages:  # hands open once all agree
        page.locator("[data-people]").click()
        expect(page.locator("[data-eyes=open]")).to_have_count(0)
        page.locator("[data-agree]").click()
    for page in pages:
        expect(page.locator("[data-eyes=open]")).to_have_attribute("aria-pressed", "true", timeout=PATIENT)
    axe.both(cleo, "the people of the room")
    ada.locator("[data-hand='2']").click()  # Cleo leads now
    expect(cleo.locator("dialog")).to_contain_text("leads", timeout=PATIENT)
    for page in pages:
        page.keyboard.press("Escape")
    expect(cleo.locator(".strip p")).to_have_text("You lead: all go where you go.", timeout=PATIENT)
    cleo.get_by_role("button", name="One step back").tap()
    expect(count[0]).to_have_text(count[2].inner_text(), timeout=PATIENT)
    ada.reload()  # the room is where it was
    expect(count[0]).to_have_text(count[2].inner_text(), timeout=PATIENT)
