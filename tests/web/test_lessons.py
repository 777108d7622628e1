"""Somebody who knows no rule goes through every lesson in a real browser, and then plays a first match to its end."""

from __future__ import annotations

import os
import random
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tacit import GAMES
from tacit.core.lessons import Learner, lesson_of
from tests.server.harness import Server
from tests.web import axe
from tests.web.conftest import PHONE, Guest, tap_something

Make = Callable[..., Guest]
LONG = "TACIT_LONG" in os.environ
SMALL = {**PHONE, "viewport": {"width": 360, "height": 640}}
WAYS = [("phone", SMALL), *([("desktop", {})] if LONG else [])]
FIRST = {("silencio", "phone")}  # first matches that are played to the end; the long run plays all
SEATS = "fetch(location.pathname.replace('/t/', '/api/tables/')).then((r) => r.json()).then((table) => table.seats)"
PATIENCE = 60_000  # milliseconds: a busy machine makes it slow, not red


def right_line(game: str, number: int) -> list[list[str]]:
    """The right decisions for each task of a step, if the first is made each time; whole shapes come first."""
    lesson = lesson_of(game)
    assert lesson is not None
    learner = Learner(lesson, number)
    line: list[list[str]] = []
    while not learner.done:
        seat, task = learner.step.seat, learner.step.tasks[learner.at]
        texts = [*learner.match.legal(seat), *(f"! {text}" for text in learner.match.signals(seat))]
        rights = [text for text in texts if task.reason(text) is None]
        line.append(sorted(rights, key=lambda text: text.startswith("cross")))
        assert learner.play(line[-1][0]) is None
    return line


def pieces(text: str) -> list[str]:
    """What is tapped for a decision of Silencio, Zombie City or Silent Planet, in that order; [] for a button."""
    verb, *rest = text.split(" ")
    if verb == "shrine":
        return ["shrine:large", f"effect:{rest[1]}"] if rest[0] == "large" else [f"shrine:{rest[0]}"]
    if verb in ("choose", "trade"):
        return [f"seat:{rest[0]}"]
    if verb == "use":
        return [f"barrier:{rest[0]}"]
    named = []
    for i, word in enumerate(rest):
        if word in ("regular", "fast", "strong"):
            named.append(f"zombie:{word}.{rest[:i].count(word)}")
        else:
            named.append(f"seat:{word}" if i and word.isdigit() else f"card:{word}")
    return named


class Newcomer:
    """Does what a step asks for, by taps."""

    def __init__(self, page: Page, touch: bool) -> None:
        self.page, self.touch = page, touch
        page.set_default_timeout(PATIENCE)

    def press(self, css: str) -> None:
        one = self.page.locator(css).locator("visible=true").first
        one.scroll_into_view_if_needed()
        (one.tap if self.touch else one.click)()

    def do(self, rights: list[str]) -> None:
        text = rights[0]
        if text.startswith("! "):
            self.press(f'[data-signal="{text[2:]}"]')
        elif text.startswith(("mark ", "cross ", "bonus ")):
            self.cross_off(rights)
        elif named := pieces(text):
            for piece in named:
                self.press(f'[data-piece="{piece}"]')
            self.again(f'[data-piece="{named[-1]}"]')
        else:
            self.press(f'[data-offer="{text}"]')
            self.again(f'[data-offer="{text}"]')

    def again(self, css: str) -> None:
        """The second tap, where there is one: a decision without alternative needs only one."""
        asked = self.page.locator("[data-ask]").get_attribute("data-ask")
        staged = self.page.locator("[data-confirm], .staged, [data-lesson-note]").first
        staged.wait_for(state="attached")
        if self.page.locator("[data-ask]").get_attribute("data-ask") == asked and self.page.locator(css).count():
            self.press("[data-confirm]" if self.page.locator("[data-confirm]").count() else css)

    def cross_off(self, rights: list[str]) -> None:
        """Silver & Gold: a tap on a cell lays the shape there, turned as it fits."""
        _, card, *cells = rights[0].split(" ")
        for cell in cells:
            self.press(f'[data-piece="cell:{card}:{cell}"]')
            staged = self.page.locator("[data-offer][data-confirm]").locator("visible=true").first
            if staged.get_attribute("data-offer") in rights:
                return self.press("[data-offer][data-confirm]")
        raise AssertionError(f"the shape cannot be laid: {rights[0]}")

    def lay_row(self) -> None:
        """Silent Planet: the hand comes sorted; the sixth card is shown as a hint, then Ready, twice."""
        self.press("[data-index='6']")
        self.press("[data-tool=flip]")
        self.press("[data-index='6']")
        self.press("[data-offer=ready]")
        self.press("[data-offer=ready]")


def first_match(page: Page, touch: bool) -> None:
    """With gentle bots, by tapping what can be tapped; the guide explains, and has fallen silent where it was read."""
    page.locator("main.table [data-layout]").wait_for()
    page.locator("[data-guide=open]").or_(page.locator("[data-again]")).first.wait_for()
    axe.check(page, "a first match")
    chance = random.Random(3)
    for _ in range(20_000):  # looks, not seconds: many more than a match needs
        if page.locator("[data-again]").count():
            break
        if not tap_something(page, chance, touch=touch):
            page.wait_for_timeout(30)  # the bots' turn
    read = page.evaluate("JSON.parse(localStorage.getItem('tacit-guide') ?? '[]')")
    assert read
    assert "gentle" in {seat["bot"] for seat in page.evaluate(SEATS)}
    expect(page.locator("[data-guide]")).to_have_count(0)
    expect(page.locator("[data-same-deal]")).to_be_visible(timeout=PATIENCE)
    axe.check(page, "the end of a first match")


@pytest.mark.parametrize("game", GAMES if LONG else ["silencio"])
@pytest.mark.parametrize(("way", "how"), WAYS, ids=[way for way, _ in WAYS])
def test_a_newcomer_finishes_the_lesson(
    game: str, way: str, how: dict[str, object], guests: Make, server: Server
) -> None:  # fmt: skip
    guest = guests(reduced_motion="reduce", **how)
    page, steps = guest.page, lesson_of(game).steps  # type: ignore[union-attr]
    page.set_default_timeout(PATIENCE)
    page.goto(server.url)
    page.locator(f'[data-newcomer] a[href="/learn/{game}"]').click()  # offered at the first visit
    newcomer = Newcomer(page, touch=way == "phone")
    for number, step in enumerate(steps):
        page.locator(f'main[data-step="{step.name}"] [data-layout]').wait_for()
        if number == 1:
            axe.check(page)
        line = right_line(game, number)
        if line[0][0].startswith("place "):
            newcomer.lay_row()
        else:
            for done, rights in enumerate(line):
                expect(page.locator("[data-ask]")).to_have_attribute("data-ask", str(done), timeout=PATIENCE)
                newcomer.do(rights)
        note = page.locator("[data-lesson-note]")
        expect(note).to_be_visible(timeout=PATIENCE)
        if number == 1:
            axe.check(page)
            page.reload()  # where one was is kept on the device
            page.locator(f'main[data-step="{step.name}"] [data-layout]').wait_for()
            page.locator("[data-steps]").click()
            page.locator("dialog .entry").nth(number + 1).click()
            continue
        page.locator("[data-next-step]").click()
    expect(page.locator("[data-lesson-over]")).to_be_visible(timeout=PATIENCE)
    if LONG or (game, way) in FIRST:
        page.locator("[data-first-match]").click()
        first_match(page, touch=way == "phone")
    page.goto(server.url)
    expect(page.locator(f'[data-game="{game}"] [data-learn]')).to_contain_text("done", timeout=PATIENCE)


def test_a_wrong_try_gets_a_reason_and_another_go(guests: Make, server: Server) -> None:
    """By keyboard alone; the reason and the end of a step are told to those who listen."""
    guest = guests(reduced_motion="reduce", **SMALL)
    page = guest.page
    page.set_default_timeout(PATIENCE)
    page.goto(f"{server.url}/learn/silencio")
    page.locator('[data-piece="card:r9"]').wait_for()
    for card, told in (("r9", ".ask [role=status]"), ("r6", "[data-lesson-note] [role=status]")):
        page.keyboard.press("ArrowRight")
        page.locator(f'[data-piece="card:{card}"]').focus()
        page.keyboard.press("Enter")
        page.locator("[data-confirm]").first.wait_for()
        page.keyboard.press("Enter")
        expect(page.locator(told)).to_be_visible(timeout=PATIENCE)
    expect(page.locator("[data-next-step]")).to_be_focused(timeout=PATIENCE)
    page.keyboard.press("Enter")
    expect(page.locator('main[data-step="dark"]')).to_be_visible(timeout=PATIENCE)
