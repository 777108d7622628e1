"""The shell: home, invitations, gathering, going and coming back, rematch, languages, and what everybody needs."""

from __future__ import annotations

import json
import re
import statistics
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute, expect

from tests.server.harness import TRUST, Process, Server, config
from tests.web import axe, overflow
from tests.web.conftest import PATIENCE, PHONE, Guest, Seats, play_to_the_end
from tests.web.positions import positions, table_at

NARROW = PHONE | {"viewport": {"width": 360, "height": 740}}
Make = Callable[..., Guest]


def decide(page: Page) -> None:
    """One decision, by its button: the first press shows, the second does."""
    only = page.locator("[data-offer]").count() == 1  # what is forced takes one press
    page.locator("[data-offer]").first.click()
    if not only:
        page.locator("[data-offer].ask").click()


def invite(guest: Guest, game: str, name: str) -> str:
    """A table with an invitation, as the maker sees it; its link."""
    page = guest.page
    page.goto(guest.url)
    page.locator(f'[data-game="{game}"] [data-invite]').click()
    page.locator("dialog [data-name]").fill(name)
    page.locator("dialog form button").click()
    link = page.locator("dialog .linkbox input").input_value()
    return f"http://{link}"


def join(guest: Guest, link: str, name: str) -> Page:
    guest.page.goto(link)
    guest.page.locator("main [data-name]").fill(name)
    guest.page.locator("main form button").click()
    expect(guest.page.locator("main [data-name]")).to_have_count(0)
    return guest.page


def test_from_home_to_a_table_and_back(guests: Make) -> None:
    guest = guests()
    page = guest.page
    sizes: dict[str, int] = {}

    def note(response: Any) -> None:
        if re.search(r"\.(js|css)$", response.url):
            sizes[response.url] = int(response.request.sizes()["responseBodySize"])

    page.on("requestfinished", lambda request: note(request.response()))
    page.goto(guest.url)
    expect(page.get_by_role("heading", level=1)).to_have_text("Four games about what is not said.")
    page.wait_for_load_state("networkidle")
    assert len(sizes) > 2
    assert sum(sizes.values()) < 150 * 1024, sizes
    page.locator("[data-strength] label", has=page.locator("[value=gentle]")).click()  # beside Play now
    with page.expect_request("**/api/tables") as wish:
        page.locator('[data-game="silencio"] [data-play]').click()
    chairs = json.loads(wish.value.post_data or "")["chairs"]
    assert {chair["bot"] for chair in chairs if chair["kind"] == "bot"} == {"gentle"}
    page.wait_for_url("**/t/*")
    page.locator("main.table").wait_for()
    expect(page).to_have_title(re.compile("Silencio"))
    page.go_back()
    expect(page.locator("[data-play]").first).to_be_visible()
    expect(page.get_by_text("Silencio with bots")).to_be_visible()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.wait_for_timeout(1500)
    assert len(asked) < 8, asked  # the page asks now and then, not all the time
    resume = page.locator(".resume")
    resume.first.click()  # it is our turn sooner or later: all begin at once
    page.locator("main.table").wait_for()
    page.goto(f"{guest.url}/nothing/here")
    page.get_by_role("link", name="To the games").click()
    expect(page.locator("[data-play]").first).to_be_visible()


def test_a_click_is_drawn_at_once(guests: Make, server: Server) -> None:
    """From the click that decides to the next picture, over the server and back."""
    seats = Seats(server.url, "silencio", people=1, bots=1)
    guest = guests()
    page = guest.sit(seats.table, seats.keys[0])
    page.locator("main.table").wait_for()
    page.evaluate(
        """() => {
          window.drawn = []
          addEventListener('click', () => performance.mark('click'), true)
          const note = () => requestAnimationFrame(() => {
            if (!performance.getEntriesByName('click').length) return
            window.drawn.push(performance.measure('drawn', 'click').duration)
            performance.clearMarks('click')
          })
          const all = { subtree: true, childList: true, characterData: true }
          new MutationObserver(note).observe(document.querySelector('main'), all)
        }"""
    )
    for _ in range(6):
        target = page.locator("[data-piece].can:visible, [data-offer]:visible").first
        if target.count():
            target.click()
        page.wait_for_timeout(60)
    drawn: list[float] = page.evaluate("window.drawn")
    assert len(drawn) >= 3
    print("click to drawn, milliseconds:", [round(one) for one in drawn])
    assert statistics.median(drawn) < 200, drawn  # 100 on a machine that does nothing else


def test_friends_come_by_the_link(guests: Make) -> None:
    ada, ben, cleo = guests(), guests(**PHONE), guests()
    link = invite(ada, "silver-and-gold", "Ada")
    page = join(ben, link, "Ben")
    expect(ada.page.locator("dialog .here b")).to_have_text("2 of 3 here")
    ada.page.locator('dialog a[href^="/t/"]').click()
    expect(ada.page.locator('[data-seat="1"]')).to_contain_text("Ben")
    expect(page.locator("[data-start]")).to_have_count(0)  # only the maker starts
    page.locator('[data-seat="2"]').get_by_role("button", name="Sit here").tap()
    expect(page.locator('[data-seat="2"]')).to_contain_text("you")
    expect(ada.page.locator('[data-seat="2"]')).to_contain_text("Ben")
    # A name that is taken is refused with a sentence, and nothing is lost.
    cleo.page.goto(link)
    cleo.page.locator("main [data-name]").fill("Ben")
    cleo.page.locator("main form button").click()
    expect(cleo.page.get_by_role("alert")).to_contain_text("already called Ben")
    cleo.page.locator("main [data-name]").fill("Cleo")
    cleo.page.locator("main form button").click()
    expect(ada.page.locator('[data-seat="1"]')).to_contain_text("Cleo")
    remove = ada.page.locator('[data-remove="1"]')
    remove.click()
    expect(remove).to_have_text("Really remove?")
    remove.click()
    expect(cleo.page.locator("main [data-name]")).to_be_visible()  # she may sit down again
    ada.page.get_by_role("combobox").select_option("random")
    expect(page.locator('[data-seat="1"]')).to_contain_text("Bot")
    ada.page.locator("[data-start]").click()
    for guest in (ada, ben):
        guest.page.locator("main.table").wait_for()
    # Silver & Gold is not silent: they talk.
    ada.page.locator("[data-chat]").click()
    ada.page.locator("dialog input").fill("Good luck!")
    ada.page.locator("dialog form button").click()
    expect(page.locator("[data-chat]")).to_have_attribute("aria-label", "Talk, 1 new line")
    page.locator("[data-chat]").tap()
    expect(page.locator("dialog ol")).to_contain_text("Good luck!")


def test_two_tabs_and_the_keyboard(guests: Make, server: Server) -> None:
    """Two tabs of one seat follow each other; one of them is played without a mouse."""
    seats = Seats(server.url, "toy", people=2, bots=0)
    guest = guests()
    page = guest.sit(seats.table, seats.keys[0])
    page.locator("[data-offer]").first.wait_for()
    expect(page).to_have_title("● Your turn · toy · tacit")
    expect(page.locator("[data-narrator]")).to_contain_text("Bid a card.")
    other = guest.tab()
    other.goto(f"{guest.url}/t/{seats.table}")
    expect(other.locator("[data-offer]")).to_have_count(2)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    focused = page.evaluate("document.activeElement.dataset.offer")
    assert focused == page.locator("[data-offer]").nth(1).get_attribute("data-offer")
    page.keyboard.press("Enter")
    expect(page.locator("[data-offer].ask")).to_have_count(1)
    expect(page.locator("[data-narrator]")).to_contain_text("Press again")
    page.keyboard.press("Escape")
    expect(page.locator("[data-offer].ask")).to_have_count(0)
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    for tab in (page, other):
        expect(tab.locator("[data-offer]")).to_have_count(0)
        expect(tab).to_have_title("toy · tacit")


def test_somebody_goes_and_comes_back_and_plays_again(guests: Make, server: Server) -> None:
    """Away, a bot that sits in, the seat taken back, the result, the rematch."""
    seats = Seats(server.url, "toy", people=2, bots=0)
    ada, ben = guests(), guests()
    page = ada.sit(seats.table, seats.keys[0])
    ben.sit(seats.table, seats.keys[1]).locator("main.table").wait_for()
    ben.page.goto("about:blank")
    notice = page.locator('[data-notice="away"]')
    expect(notice).to_contain_text("Ben is away")
    notice.get_by_role("button", name="Let a bot sit in").click()
    expect(notice).to_contain_text("A bot sits in for Ben")
    ben.page.goto(f"{ben.url}/t/{seats.table}")
    ben.page.get_by_role("button", name="Take your seat back").click()
    expect(ben.page.locator('[data-notice="replaced"]')).to_have_count(0)
    play_to_the_end(page, ben.page)
    for one in (page, ben.page):
        expect(one.locator("[data-again]")).to_have_text("Play again")
    page.locator("[data-again]").click()
    expect(page.locator("[data-start]")).to_be_visible()
    again = ben.page.locator("[data-again]")
    expect(again).to_have_text("Join the rematch")
    again.click()
    expect(ben.page.get_by_text("You have a seat")).to_be_visible()
    expect(page.get_by_text("Everyone is here.")).to_be_visible()
    page.locator("[data-start]").click()
    for one in (page, ben.page):
        one.locator("[data-offer]").first.wait_for()


def test_the_server_dies_and_play_goes_on(browser: Browser, built: Path, tmp_path: Path) -> None:
    """The server is killed and restarted under an open page: the page reconnects, and play goes on."""
    setup = config(f"sqlite:///{tmp_path}/tacit.db", bot_delay=(0.0, 0.02))
    first = Process(setup).wait()
    context = browser.new_context(locale="en-GB", viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    second: Process | None = None
    try:
        seats = Seats(first.url, "toy", people=1, bots=1)
        page.goto(f"{first.url}/t/{seats.table}#{seats.keys[0]}")
        page.locator("[data-offer]").first.wait_for()
        page.evaluate("window.same = true")
        first.kill()
        expect(page.locator('[data-notice="lost"]')).to_be_visible()
        expect(page.locator("[data-offer]")).to_have_count(0)  # nothing glows that cannot be done
        second = Process(setup, first.port).wait()
        expect(page.locator('[data-notice="lost"]')).to_have_count(0)
        play_to_the_end(page)
        assert page.evaluate("window.same") is True, "the page was loaded anew"
        page.locator("[data-again]").click()  # alone with bots, the next match begins at once
        page.locator("[data-offer]").first.wait_for()
        assert page.evaluate("window.same") is True
    finally:
        context.close()
        for process in (first, second):
            if process is not None:
                process.kill()


def test_settings_hold_at_once_and_stay(guests: Make) -> None:
    guest = guests(locale="nl-NL")
    page = guest.page
    page.goto(f"{guest.url}/settings")
    expect(page.get_by_role("heading", level=1)).to_have_text("Instellingen")
    page.get_by_text("Deutsch", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Einstellungen")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    page.get_by_text("dunkel", exact=True).click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert ground == "rgb(20, 22, 28)"
    page.get_by_text("groß", exact=True).click()
    page.locator("input[autocomplete=nickname]").fill("Mira")
    page.locator("input[autocomplete=nickname]").blur()
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("Einstellungen")
    expect(page.locator("html")).to_have_attribute("data-cards", "large")
    kept = json.loads(page.evaluate("localStorage.getItem('tacit-settings')"))
    assert (kept["name"], kept["theme"], kept["sound"]) == ("Mira", "dark", "off")
    page.goto(guest.url)
    page.locator("[data-language]").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Vier spellen over wat niet gezegd wordt.")


def test_a_new_table_is_made_as_wished_and_remembered(guests: Make, server: Server) -> None:
    guest = guests(**PHONE)
    page = guest.page
    page.goto(f"{guest.url}/new/silencio")
    page.locator("fieldset").first.get_by_text("2", exact=True).tap()
    page.locator("[data-name]").fill("Ada")
    page.locator('[data-chair="1"]').select_option("")
    page.get_by_role("group", name="Tavern").get_by_text("yes").tap()
    page.get_by_text("anybody").tap()
    page.get_by_text("1 minute").tap()
    page.get_by_role("button", name="Set up the table").tap()
    page.locator("[data-start]").wait_for()
    made = httpx.get(f"{server.url}/api/tables/{page.url.rsplit('/', 1)[1]}", verify=TRUST).json()
    wanted = (made["options"]["tavern"], made["visibility"], made["clock"], len(made["seats"]))
    assert wanted == (True, "open", 60, 2)
    watcher = guests()
    watcher.page.goto(watcher.url)
    watcher.page.get_by_text("Ada’s Silencio").wait_for()
    page.goto(f"{guest.url}/new/silencio")
    expect(page.locator("[data-name]")).to_have_value("Ada")
    expect(page.locator('[data-chair="1"]')).to_have_value("")
    assert page.get_by_role("group", name="Tavern").locator("input:checked").get_attribute("value") == "true"


def test_the_guide_the_clock_and_the_watcher(guests: Make, server: Server) -> None:
    """A note explains the open decision until it is dismissed; a clock runs where one was wished; others may watch."""
    seats = Seats(server.url, "silencio", people=1, bots=1, clock=60, spectators="public")
    guest, watcher = guests(), guests()
    page = guest.sit(seats.table, seats.keys[0])
    note = page.locator("[data-guide=open]")  # one line that opens
    expect(note).to_be_visible()
    expect(page.locator("[data-clock]")).to_have_text(re.compile(r"1:00|0:5\d"))
    note.click()
    page.locator("[data-guide=off]").click()
    expect(note).to_have_count(0)
    page.locator("[data-menu]").click()
    page.get_by_role("button", name="Explain each decision").click()
    expect(note).to_be_visible()
    note.click()
    page.locator("[data-guide=done]").click()
    expect(note).to_have_count(0)
    page.reload()
    page.locator("main.table").wait_for()
    expect(note).to_have_count(0)
    watcher.page.goto(f"{watcher.url}/t/{seats.table}")
    expect(watcher.page.locator("header .chip")).to_have_text("watching")
    assert watcher.page.locator("[data-piece].can, [data-offer]").count() == 0


def test_a_drawing_that_fails_does_not_end_the_match(guests: Make, server: Server) -> None:
    """Where a game's table cannot be drawn the match goes on in plain sentences, and the error is heard of."""
    seats = Seats(server.url, "silencio", people=1, bots=1)
    guest = guests()
    broken = "export default { table() { throw new Error('smudged') }, mark: null, paths: () => [] }"
    guest.page.route("**/assets/ui-*.js", lambda route: route.fulfill(body=broken, content_type="text/javascript"))
    page = guest.sit(seats.table, seats.keys[0])
    page.locator(".plain [data-offer]").first.wait_for()
    decide(page)
    page.wait_for_timeout(100)
    assert guest.errors
    assert all("smudged" in error for error in guest.errors)
    guest.errors.clear()


PAGES = [
    "/", "/new/silencio", "/new/zombie-city", "/settings", "/rules/silent-planet", "/nothing/here", "/t/unknown",
    "/replay",
]  # fmt: skip


def test_every_page_can_be_used_by_everybody(guests: Make) -> None:
    """axe-core finds nothing on any page or sheet, in the light and in the dark."""
    guest = guests(**PHONE, reduced_motion="reduce")
    page = guest.page
    for path in PAGES:
        page.goto(guest.url + path)
        page.locator("main h1, main label.drop").first.wait_for()
        axe.both(page)
    invite(guest, "silencio", "Ada")
    axe.both(page, "the invitation")
    page.locator('dialog a[href^="/t/"]').click()
    page.locator("[data-start]").wait_for()
    axe.both(page, "gathering")
    page.locator("[data-menu]").click()
    axe.both(page, "the menu")
    page.get_by_role("button", name="Settings").click()
    page.locator("dialog fieldset").first.wait_for()
    axe.both(page, "settings in the table")


def test_offline_is_shown_and_moves_nothing(guests: Make, server: Server) -> None:
    seats = Seats(server.url, "silencio", people=1, bots=1)
    guest = guests(**NARROW)
    page = guest.sit(seats.table, seats.keys[0])
    page.locator("[data-region='own'] [data-piece]").first.wait_for()
    before = page.locator("main.table").bounding_box()
    guest.context.set_offline(True)
    expect(page.locator('[data-notice="offline"]')).to_be_visible()
    assert page.locator("main.table").bounding_box() == before
    guest.context.set_offline(False)
    expect(page.locator('[data-notice="offline"]')).to_have_count(0)


def test_a_late_answer_is_shown_and_nothing_is_sent_twice(guests: Make, server: Server) -> None:
    table = table_at(server, "zombie-city", 3, positions("zombie-city", 3)["answer"], people=3)
    guest = guests(**NARROW)
    acts: list[dict[str, Any]] = []
    held: list[Callable[[], None]] = []
    late = True

    def between(page: WebSocketRoute) -> None:
        to = page.connect_to_server()

        def up(frame: str | bytes) -> None:
            command = json.loads(frame)
            acts.extend([command] if command["type"] == "act" else [])
            to.send(frame)

        def down(frame: str | bytes) -> None:
            if acts and late:
                held.append(lambda: page.send(frame))
            else:
                page.send(frame)

        page.on_message(up)
        to.on_message(down)

    guest.page.route_web_socket(re.compile("^wss?:"), between)
    page = guest.sit(table.table, table.keys[0])
    page.locator("[data-offer]").first.wait_for()
    decide(page)
    notice = page.locator('[data-notice="slow"]')
    expect(notice).to_be_visible()
    expect(page.locator("[data-offer]:enabled")).to_have_count(0)  # it is on its way
    page.keyboard.press("Enter")
    late = False
    for send in held:
        send()
    expect(notice).to_have_count(0)
    expect(page.locator("[data-offer]")).to_have_count(0)
    assert len({json.dumps(act, sort_keys=True) for act in acts}) == 1, acts


@pytest.mark.parametrize("language", ["de-DE", pytest.param("nl-NL", marks=pytest.mark.long)])
def test_long_words_fit_a_narrow_phone(guests: Make, language: str) -> None:
    guest = guests(**NARROW, locale=language)
    page = guest.page
    for path in PAGES:
        page.goto(guest.url + path)
        page.locator("main h1, main label.drop").first.wait_for()
        page.wait_for_load_state("networkidle")
        overflow.check(page)
    invite(guest, "silver-and-gold", "Bartholomäus der Achtzehnte")
    overflow.check(page, "the invitation")
    page.locator('dialog a[href^="/t/"]').click()
    page.locator("[data-start]").wait_for()
    overflow.check(page, "gathering")
    page.locator("[data-menu]").click()
    overflow.check(page, "the menu")


def test_it_can_be_installed(server: Server, built: Path) -> None:
    index = httpx.get(server.url, verify=TRUST).text
    manifest = re.search(r'rel="manifest" href="([^"]+)"', index)
    assert manifest
    told = httpx.get(server.url + manifest[1], verify=TRUST).json()
    for icon in [*(one["src"] for one in told["icons"]), "/icons/apple-touch-icon.png", "/favicon.svg"]:
        answer = httpx.get(server.url + icon, verify=TRUST)
        assert (answer.status_code, answer.headers["content-type"].split("/")[0]) == (200, "image"), icon
    assert f'content="{server.url}/icons/preview.png"' in index
    table = httpx.get(server.url + "/rules/silencio", verify=TRUST).text
    assert "/icons/preview-silencio.png" in table
