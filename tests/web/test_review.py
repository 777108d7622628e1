"""The review of a match on the page: from the end of a match, from a file; how it fills in, and what can be stepped."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tacit import Match
from tacit.server import reviews
from tests.server.harness import Server
from tests.web import axe, overflow
from tests.web.conftest import PHONE, Guest
from tests.web.positions import table_at
from tests.web.test_replay import RECORDS, bring

SLOW = 60_000  # milliseconds: a busy machine


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where the engine's stand-in looks for its "go"."""
    monkeypatch.setattr(reviews, "COMMAND", (sys.executable, "-m", "tests.server.stub_review", str(tmp_path)))
    expect.set_options(timeout=SLOW)
    yield tmp_path
    expect.set_options(timeout=5_000)  # Playwright's own


def test_a_match_is_reviewed_from_its_end(guests: Callable[..., Guest], server: Server, folder: Path) -> None:
    """One tap; it fills in; the sentence, the curve, a key moment, the open truth, the line that wins, the way back."""
    record = RECORDS["silencio"].read_text()
    seats = table_at(server, "silencio", Match.load(record).seats, record)
    guest = guests(**PHONE)
    page = guest.sit(seats.table, seats.keys[0])
    page.set_default_timeout(SLOW)
    page.locator("[data-review]").click()
    expect(page.locator("[data-state]")).to_have_attribute("data-state", "working")
    page.locator("[data-curve]").wait_for()  # before the rest is there
    assert page.locator("[data-summary]").count() == 0
    (folder / "go").touch()
    expect(page.locator("[data-summary]")).to_contain_text("cost 1.6 cards")
    expect(page.locator("[data-state]")).to_have_attribute("data-state", "ready")
    before = page.locator("figcaption").inner_text()
    page.get_by_label("Moment of the curve").press("ArrowLeft")
    expect(page.locator("figcaption")).not_to_have_text(before)
    axe.both(page, "the overview")

    page.locator("[data-moment='0']").click()
    told = page.locator("[data-moment-text]")
    expect(told).to_contain_text("A slip")
    expect(page.locator("[data-show=better]")).to_have_attribute("aria-pressed", "true")
    page.locator("[data-show=made]").press("Enter")
    expect(page.locator("[data-show=made]")).to_have_attribute("aria-pressed", "true")
    assert page.locator("[data-unknown]").count() == 0  # as that seat saw it
    page.get_by_role("switch", name="All hands open").click()
    expect(page.get_by_role("switch")).to_have_attribute("aria-checked", "true")
    expect(page.locator("[data-truth]")).to_contain_text("brings 2 more")
    expect(page.locator("[data-unknown]")).to_contain_text("could")
    axe.both(page, "a key moment")
    page.locator("[data-next-moment]").click()
    expect(told).to_contain_text("Bad luck")
    expect(page.get_by_role("switch")).to_have_attribute("aria-checked", "false")  # as that seat saw it
    page.keyboard.press("ArrowRight")
    expect(told).to_contain_text("A matter of convention")
    page.go_back()
    page.locator("[data-summary]").wait_for()

    page.locator("[data-proof]").click()
    page.locator(".controls").wait_for()
    at = page.locator(".count").inner_text()
    page.get_by_role("button", name="One step on").click()
    expect(page.locator(".count")).not_to_have_text(at)
    page.locator("[data-overview]").click()
    page.locator("[data-summary]").wait_for()
    page.reload()  # kept
    expect(page.locator("[data-summary]")).to_contain_text("cost 1.6 cards")


def test_a_record_is_dropped_and_a_review_that_fails_is_tried_again(
    guests: Callable[..., Guest], server: Server, folder: Path
) -> None:  # fmt: skip
    """On a desktop, in German, of a game in which everybody plays for themselves."""
    (folder / "go").write_text("fail")
    record = folder / "match.tacit"  # the server keeps reviews: none has been made of this one
    record.write_text(
        re.sub(r"^options .*", rf'\g<0>\ntag event "{folder.name}"', RECORDS["zombie-city"].read_text(), flags=re.M)
    )
    guest = guests(locale="de")
    page = guest.page
    page.set_default_timeout(SLOW)
    page.goto(f"{guest.url}/review")
    page.set_input_files("input[type=file]", record)
    expect(page.locator("[data-state]")).to_have_attribute("data-state", "failed")
    axe.check(page, "failed")
    (folder / "go").write_text("on")
    page.get_by_role("button", name="Noch einmal").click()
    expect(page.locator("[data-account]").first).to_contain_text("Zombies")
    page.locator(".sides button").nth(1).click()
    expect(page.locator(".sides button").nth(1)).to_have_attribute("aria-pressed", "true")
    axe.check(page, "in German")
    bring(page, guest.url, record)  # the replay of the same record leads there, too
    page.locator("[data-review]").click()
    page.locator("[data-account]").first.wait_for()
    page.goto(f"{guest.url}/review/no-such-table-1")
    page.get_by_role("alert").wait_for()


LONG = "TACIT_LONG" in os.environ
DRAWN = ("silencio", "silver-and-gold")  # the first slip of the record looks different on the board
SIZES = [(360, 640), (1280, 720), *([(390, 844), (844, 390)] if LONG else [])]


def test_a_key_moment_shows_both_decisions_and_fits(
    guests: Callable[..., Guest], server: Server, folder: Path
) -> None:  # fmt: skip
    """On each size words stay within their edges, and the board and the words share the page; long: in every game."""
    (folder / "go").touch()
    page = guests(color_scheme="dark", locale="de").page
    page.set_default_timeout(SLOW)
    for game in RECORDS if LONG else ["silver-and-gold"]:
        page.set_viewport_size({"width": SIZES[0][0], "height": SIZES[0][1]})
        page.goto(f"{server.url}/review")
        page.set_input_files("input[type=file]", RECORDS[game])
        expect(page.locator("[data-state]")).to_have_attribute("data-state", "ready")
        overflow.check(page, f"{game}: the overview")
        page.locator("[data-moment='0']").click()
        for which in ("made", "better"):
            before = page.locator(".board main").inner_html()
            page.locator(f"[data-show={which}]").click()
            expect(page.locator(f"[data-show={which}]")).to_have_attribute("aria-pressed", "true")
            if game in DRAWN:
                page.wait_for_function("was => document.querySelector('.board main').innerHTML !== was", arg=before)
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            where = f"{game} {width} × {height}"
            overflow.check(page, where)
            board, words = page.locator(".board main").bounding_box(), page.locator(".panel-below").bounding_box()
            assert board is not None, where
            assert words is not None, where
            assert board["height"] >= 0.4 * height, where
            assert words["y"] + words["height"] <= height + 1, where
