"""Silent Planet in the browser: a whole match of a phone by touch, a keyboard alone, and a bot."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.server.harness import Server
from tests.web.conftest import PHONE, Guest, Seats

GAME = "silent-planet"
STEP = 0.02


def view(guest: Guest) -> dict[str, Any]:
    """The table as this guest was last shown it."""
    return next((frame["view"] for frame in reversed(guest.frames) if frame["type"] == "seen"), {})


def wait(page: Page, what: Callable[[], bool], why: str, seconds: float = 60) -> None:
    end = time.time() + seconds
    while not what():
        assert time.time() < end, why
        page.wait_for_timeout(STEP * 1000)


def row(page: Page) -> str:
    """The row as it is being made, from left to right; hints are followed by an exclamation mark."""
    read = "cards => cards.map(c => [+c.dataset.index, c.dataset.kind, !!c.querySelector('.eye')])"
    cards = page.locator("[data-card]").evaluate_all(read)
    return "".join(kind + ("!" if shown else "") for _, kind, shown in sorted(cards))


def becomes(page: Page, order: str) -> None:
    """A finger's tap is a click only a moment later."""
    wait(page, lambda: row(page) == order, f"the row does not become {order}")


def drag(page: Page, place: int, to: int, held: str) -> None:
    """Drag a card by touch; the row is as `held` while the finger is still down, and after."""
    finger = page.context.new_cdp_session(page)
    boxes = [page.locator(f"[data-index='{n}']").bounding_box() for n in (place, to)]
    (x0, y0), (x1, y1) = [(b["x"] + b["width"] / 2, b["y"] + b["height"] / 2) for b in boxes if b]
    finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x0, "y": y0}]})
    for i in range(1, 7):
        at = {"x": x0 + (x1 - x0) * i / 6, "y": y0 + (y1 - y0) * i / 6 - 10}
        finger.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [at]})
    page.locator(".hole").wait_for()
    assert page.locator(".flying").count() == 1
    becomes(page, held)
    page.wait_for_timeout(200)  # it rests before it is lifted: Chromium takes the next tap for the end of a fling
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    finger.detach()
    page.locator(".flying").wait_for(state="detached")
    becomes(page, held)


def fits(page: Page) -> None:
    width = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert width <= 0, f"{width} px too wide"


def focus(page: Page, css: str) -> None:
    """Go to something with Tab alone."""
    for _ in range(60):
        if page.evaluate(f"!!document.activeElement?.matches('{css}')"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not lead to {css}")


def arrange_by_touch(guest: Guest) -> str:
    """By drag, by tap and tap, with the tools; left and come back to; taken back and made final."""
    page = guest.page
    page.locator(".strip").wait_for()
    hand = row(page)
    last = hand[8]
    drag(page, 9, 1, last + hand[:8])
    page.locator("[data-index='1']").tap()
    page.locator("[data-index='5']").tap()
    order = hand[:4] + last + hand[4:8]
    becomes(page, order)
    page.locator("[data-index='2']").tap()
    page.locator("[data-tool=flip]").tap()
    page.locator("[data-index='2']").tap()
    page.locator("[data-tool=right]").tap()
    page.locator("[data-index='3']").tap()  # puts it down
    order = order[0] + order[2] + order[1] + "!" + order[3:]
    becomes(page, order)
    fits(page)
    page.reload()
    page.locator(".strip").wait_for()
    assert row(page) == order, "what was staged is lost with a reload"
    ready = page.locator("[data-offer=ready]")
    ready.tap()
    wait(page, lambda: "Yes" in ready.inner_text(), "a tap on Ready asks nothing")
    page.locator(".pane").first.tap()
    wait(page, lambda: "Yes" not in ready.inner_text(), "a tap elsewhere does not take it back")
    ready.tap()
    ready.tap()
    page.locator(".strip").wait_for(state="detached")
    return order


def arrange_by_keyboard(guest: Guest) -> str:
    page = guest.page
    page.locator(".strip").wait_for()
    hand = row(page)
    focus(page, "[data-card]")
    for key in ("Home", "Space", "ArrowRight", "ArrowRight", "Escape"):
        page.keyboard.press(key)
    assert row(page) == hand, "Escape does not put the card back"
    for key in ("Space", "ArrowRight", "ArrowRight", "Space", "h", "End", "Enter", "1", "Enter"):
        page.keyboard.press(key)
    order = hand[8] + hand[1] + hand[2] + hand[0] + "!" + hand[3:8]
    assert row(page) == order
    page.keyboard.press("s")
    kinds = sorted(hand)
    assert row(page).replace("!", "") == "".join(kinds)
    assert row(page).count("!") == 1
    order = row(page)
    fits(page)
    focus(page, "[data-offer=ready]")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    page.locator(".strip").wait_for(state="detached")
    return order


def points(guest: Guest, chance: random.Random, *, touch: bool) -> None:
    """Point where others point already, or anywhere: the first tap shows, the second does."""
    page, seen = guest.page, view(guest)
    pointed = [one["position"] for one in seen["pointing"] if one["now"]]
    down = [p["position"] for p in seen["rows"][seen["turn"]]["places"] if p["state"] == "down"]
    place = f"[data-piece='card:{pointed[0] if pointed else chance.choice(down)}']"
    page.locator(f"button{place}.can").wait_for()
    if touch:
        page.locator(place).tap()
        page.locator(f"{place}.picked").wait_for()
        assert page.locator(".hand.maybe").count() == 1
        page.locator(place).tap()
    else:
        focus(page, "[data-piece]")
        for _ in range(9):
            if page.evaluate(f'document.activeElement.matches("{place}")'):
                break
            page.keyboard.press("ArrowRight" if chance.random() < 0.7 else "ArrowLeft")
        page.keyboard.press("Enter")
        page.locator(".point.picked").wait_for()
        page.keyboard.press("Enter")
    wait(page, lambda: answered(guest, seen), "the pointing was not taken")


def answered(guest: Guest, before: dict[str, Any]) -> bool:
    """Whether this guest's pointing has been taken: it is not asked the same any more."""
    now = view(guest)
    same = (now["turn"], now["round"], len(now["past"]), now["team"]) == (
        before["turn"],
        before["round"],
        len(before["past"]),
        before["team"],
    )
    return not same or before["you"] not in now["due"]


def keeps_secrets(guest: Guest, seat: int, others: dict[int, str]) -> None:
    """No frame tells a card that lies face down in another's row, nor anything about how others make theirs."""
    for frame in guest.frames:
        if frame["type"] not in ("seen", "previewed"):
            continue
        for one in frame["view"]["rows"]:
            if one["seat"] == seat:
                continue
            for place in one["places"]:
                assert place["state"] != "down" or place["card"] is None
                assert frame["view"]["phase"] != "arrange" or place["state"] == "empty"
        for line in frame["heard"]:
            assert not any(line.startswith(f"{other} {verb} ") for other in others for verb in ("place", "reveal"))
            assert not any(line.startswith(f"* deal {other} ") and line[-1] != "?" for other in others)


@pytest.mark.long  # test_keyboard.py plays its beginning and its end
def test_a_match_by_touch_and_by_keyboard(server: Server, guests: Callable[..., Guest]) -> None:
    seats = Seats(server.url, GAME, people=2, bots=1)
    phone, keys = guests(**PHONE), guests(color_scheme="dark")
    phone.sit(seats.table, seats.keys[0])
    keys.sit(seats.table, seats.keys[1])
    rows = [arrange_by_touch(phone), arrange_by_keyboard(keys)]
    wait(phone.page, lambda: view(phone).get("phase") == "point", "the rows are not shown")
    for seat, made in enumerate(rows):
        placed = [line.split(" ")[2] for line in server.lines(seats.table) if line.startswith(f"{seat} place ")]
        shown = [line.split(" ")[2] for line in server.lines(seats.table) if line.startswith(f"{seat} reveal ")]
        assert "".join(placed) == made.replace("!", "")
        assert [int(p) for p in shown] == [made.index("!")]

    chance, end = random.Random(3), time.time() + 600
    signalled = False
    while not view(phone)["result"]:
        assert time.time() < end, "the match does not end"
        if 0 in view(phone)["due"]:
            if view(phone)["turn"] == 2 and not signalled:
                phone.page.locator("[data-signal=fingers]").tap()
                phone.page.locator("[data-signal='fingers 3']").tap()
                wait(keys.page, lambda: any(s["signal"] == "fingers 3" for s in view(keys)["signals"]), "not signalled")
                keys.page.locator(".sig").wait_for()
                focus(keys.page, "[data-signal=nod]")
                keys.page.keyboard.press("Enter")
                wait(phone.page, lambda: len(view(phone)["signals"]) == 2, "the nod was not seen")
                signalled = True
            fits(phone.page)
            points(phone, chance, touch=True)
        elif 1 in view(keys)["due"]:
            points(keys, chance, touch=False)
        else:
            phone.page.wait_for_timeout(STEP * 1000)
    assert signalled
    for guest in (phone, keys):
        guest.page.locator(".end").wait_for()
        assert f"{view(guest)['teams']} of 3 teams" in guest.page.locator(".end").inner_text()
        fits(guest.page)
    keeps_secrets(phone, 0, {1: rows[1]})
    keeps_secrets(keys, 1, {0: rows[0]})
