"""The same deal for all: the daily, a challenge, a duplicate match, playing on from a moment, checking a record."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
from playwright.sync_api import Page, expect

from tests.server.harness import TRUST, Server
from tests.web import axe, overflow
from tests.web.conftest import PHONE, Guest

Make = Callable[..., Guest]
NARROW = {**PHONE, "viewport": {"width": 360, "height": 740}}


def play(url: str, table: str, key: str) -> None:
    """Decide for a seat, the first decision on the list each time, until the match is over."""
    at, head = f"/api/tables/{table}", {"Authorization": f"Bearer {key}"}
    with httpx.Client(base_url=url, headers=head, verify=TRUST) as http:
        end = time.time() + 90
        while True:
            assert time.time() < end, "the match does not end"
            seen = http.get(f"{at}/seen").json()
            if seen.get("ask") is not None:
                http.post(f"{at}/act", json={"ask": seen["ask"], "texts": seen["legal"][:1]})
            elif http.get(at).json()["phase"] == "over":
                return
            else:
                time.sleep(0.01)  # the bots' turn


def finish(guest: Guest) -> str:
    """Play the table that is open in a browser to its end, with the key that this browser has; its name."""
    guest.page.wait_for_url("**/t/*")
    table = guest.page.url.rsplit("/", 1)[1]
    saved = guest.page.evaluate("JSON.parse(localStorage['tacit-tables'])")
    guest.page.goto("about:blank")  # drawing every state of a quick match takes longer than playing it
    play(guest.url, table, next(one["key"] for one in saved if one["table"] == table))
    guest.page.goto(f"{guest.url}/t/{table}")
    expect(guest.page.locator("[data-again]")).to_be_visible(timeout=30_000)
    return table


def named(guest: Guest, name: str) -> Guest:
    """A guest who has a name already."""
    chosen = f"localStorage['tacit-settings'] = JSON.stringify({{pace: 'instant', name: '{name}'}})"
    guest.context.add_init_script(f"try {{ {chosen} }} catch {{}}")
    return guest


def in_german_on_a_phone(make: Make, guest: Guest, *paths: str) -> None:
    """The same person on a phone of 360 px, in German: every word fits, and a screen reader finds nothing wrong."""
    phone = make(**NARROW, locale="de-DE", storage_state=guest.context.storage_state())
    phone.page.add_init_script("localStorage['tacit-settings'] = JSON.stringify({language: 'de', pace: 'instant'})")
    for path in paths:
        phone.page.goto(guest.url + path)
        phone.page.locator("main:not([aria-busy])").first.wait_for()
        expect(phone.page.locator("[aria-busy=true]")).to_have_count(0)
        overflow.check(phone.page, path)
        axe.check(phone.page, path)


def silencio(page: Page) -> Any:
    return page.locator("[data-deal$=silencio]")


def test_the_daily_is_played_counted_and_shared(guests: Make, server: Server, tmp_path: Path) -> None:
    guest = guests(permissions=["clipboard-read", "clipboard-write"])
    page = guest.page
    page.goto(guest.url)
    page.locator("[data-today]").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Today’s deal")
    for game in ("Silencio", "Silver & Gold", "Silenz: Zombie City", "Silent Planet"):
        expect(page.get_by_role("heading", name=game)).to_be_visible()
    axe.check(page)
    page.locator("[data-name]").fill("Ada")
    expect(silencio(page).locator("[data-counts]")).to_have_text("This attempt would count.")
    silencio(page).locator("[data-alone]").click()
    page.wait_for_url("**/t/*")
    page.locator("[data-piece], [data-offer]").first.wait_for()

    other = guest.tab()  # while it is played nothing of others' results is shown
    other.goto(f"{guest.url}/daily")
    expect(silencio(other).locator("[data-go-on]")).to_be_visible()
    deal = silencio(other).get_attribute("data-deal")
    other.goto(f"{guest.url}/d/{deal}")
    expect(other.locator("[data-hidden]")).to_contain_text("Finish first")
    expect(other.locator("[data-team]")).to_have_count(0)

    finish(guest)
    page.locator("[data-results]").click()
    expect(page.locator("[data-mine]")).to_contain_text("Place 1 of 1")
    expect(page.locator("[data-team]")).to_contain_text("Ada")
    text = page.locator("[data-share-text]").inner_text()
    assert re.fullmatch(r"tacit · Today’s deal No\. \d+ · Silencio · \d+ cards? left · ●●●●", text), text
    page.evaluate("delete Navigator.prototype.share")  # a device without a share sheet copies
    page.locator("[data-share]").click()
    expect(page.locator("[data-share]")).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == f"{text}\n{guest.url}/d/{deal}"
    with page.expect_download() as coming:
        page.locator("[data-picture]").click()
    coming.value.save_as(tmp_path / "card.png")
    assert (tmp_path / "card.png").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    axe.both(page)

    page.get_by_text("Play these cards once more").click()
    expect(page.locator("details [data-counts=false]")).to_contain_text("played these cards before")
    page.goto(guest.url)
    expect(page.locator("[data-today]")).to_contain_text(re.compile(r"1 of \d played"))
    expect(page.locator("[data-today]")).to_contain_text("1 day in a row")
    in_german_on_a_phone(guests, guest, "/daily", f"/d/{deal}", "/d/nothing-at-all", "/daily/99999")


def test_the_daily_is_played_as_a_table_of_friends(guests: Make, server: Server) -> None:
    """Two people, one team: one attempt, which counts for both."""
    ada, ben = named(guests(), "Ada"), named(guests(**NARROW), "Ben")
    ada.page.goto(f"{ada.url}/daily")
    ada.page.locator("[data-deal$=silent-planet] [data-friends]").click()
    ada.page.wait_for_url("**/t/*")
    table = ada.page.url.rsplit("/", 1)[1]
    ben.page.goto(f"{ben.url}/t/{table}")
    ben.page.locator("main form button").click()
    expect(ada.page.get_by_text("Ben").first).to_be_visible()
    ada.page.locator("[data-start]").click()
    ada.page.locator("[data-piece], [data-offer]").first.wait_for(timeout=30_000)
    keys = [key_of(guest.page, table)["Authorization"].removeprefix("Bearer ") for guest in (ada, ben)]
    for guest in (ada, ben):
        guest.page.goto("about:blank")
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda key: play(ada.url, table, key), keys))
    for guest in (ada, ben):
        guest.page.goto(f"{ada.url}/t/{table}")
        guest.page.locator("[data-results]").click(timeout=30_000)
        expect(guest.page.locator("[data-team]")).to_have_count(1)
        expect(guest.page.locator("[data-team]")).to_contain_text("Ada, Ben")
        expect(guest.page.locator("[data-mine]")).to_contain_text("Place 1 of 1")
        guest.page.get_by_text("Play these cards once more").click()
        expect(guest.page.locator("details [data-counts=false]")).to_contain_text("played these cards before")


def test_a_challenge_of_two(guests: Make, server: Server) -> None:
    ada, ben = named(guests(), "Ada"), named(guests(**NARROW), "Ben")
    ada.page.goto(ada.url)
    ada.page.locator("[data-game=silencio] [data-play]").click()
    first = finish(ada)
    ada.page.locator("[data-share]").click()
    ada.page.locator("[data-challenge]").click()
    link = ada.page.locator("[data-to-challenge]").get_attribute("href") or ""

    ben.page.goto(link)
    expect(ben.page.locator("[data-counts=true]")).to_be_visible()
    expect(ben.page.locator("[data-hidden]")).to_be_visible()
    ben.page.goto(f"{ben.url}/compare/{first}/{first}")  # no way around
    expect(ben.page.get_by_role("alert")).to_contain_text("side by side")
    ben.page.goto(link)
    ben.page.locator("[data-alone]").click()
    second = finish(ben)
    ben.page.locator("[data-results]").click()
    expect(ben.page.locator("[data-team]")).to_have_count(2)
    ben.page.locator(f"[data-team='{first}'] [data-compare]").click()
    expect(ben.page.get_by_role("button", name="Ada")).to_have_attribute("aria-pressed", "false")

    ada.page.goto(link)
    expect(ada.page.locator(f"[data-team='{second}']")).to_contain_text("Ben")
    ada.page.locator(f"[data-team='{second}'] [data-compare]").click()
    expect(ada.page.locator(".pane")).to_have_count(2)
    count = ada.page.locator(".count")
    before = count.inner_text()
    ada.page.keyboard.press("ArrowRight")
    expect(count).not_to_have_text(before)
    ada.page.keyboard.press("End")
    expect(ada.page.locator(".pane").nth(0)).to_contain_text("Over.")
    expect(ada.page.locator(".pane").nth(1)).to_contain_text("Over.")
    axe.check(ada.page, skip=["landmark-unique"])  # two boards of the same game have the same regions
    in_german_on_a_phone(guests, ada, link.removeprefix(ada.url))

    ada.page.goto(link)
    ada.page.locator("[data-close]").click()
    ada.page.locator("[data-close]").click()
    expect(ada.page.get_by_text("Closed.")).to_be_visible()


def test_a_duplicate_match_of_three_tables(guests: Make, server: Server) -> None:
    host = guests()
    page = host.page
    page.goto(f"{host.url}/m?game=silencio")
    page.get_by_label("Title").fill("Club evening")
    page.locator("[data-choose=deals]").select_option("1")
    page.locator("[data-choose=seats]").select_option("2")
    axe.both(page)
    page.locator("form [type=submit]").click()
    page.wait_for_url("**/m/*")
    expect(page.locator("[data-team]")).to_have_count(3)
    expect(page.locator("[data-hidden]")).to_be_visible()
    path = page.url.removeprefix(host.url)
    tables = httpx.get(f"{host.url}/api/duplicates/{path[3:]}", verify=TRUST).json()["tables"]
    for name, one in zip(("Ben", "Cleo", "Dan"), tables, strict=True):
        with httpx.Client(base_url=f"{host.url}/api/tables/{one['table']}", verify=TRUST) as http:
            key = http.post("/join", json={"name": name, "kind": "person"}).json()["key"]
            head = {"Authorization": f"Bearer {key}"}
            started = http.post("/start", json={"fill": "steady"}, headers=head)
            assert started.status_code == 200, started.text
        play(host.url, one["table"], key)
    standing = page.get_by_role("table", name="In all")
    expect(standing.get_by_role("row")).to_have_count(4, timeout=30_000)  # it is live
    expect(standing).to_contain_text("Cleo")
    expect(page.get_by_role("table", name="Deal 1")).to_contain_text("Dan")
    axe.both(page)
    in_german_on_a_phone(guests, host, path, "/m", "/m/nothing-at-all")
    page.emulate_media(media="print")
    expect(page.locator("[data-print]")).to_be_hidden()
    expect(standing).to_be_visible()
    page.emulate_media(media="screen")
    page.locator("[data-close]").click()
    page.locator("[data-close]").click()
    expect(page.locator("[data-close]")).to_have_count(0)


def test_playing_on_from_a_moment_and_checking_it(guests: Make, server: Server, tmp_path: Path) -> None:
    guest = named(guests(), "Ada")
    page = guest.page
    page.goto(guest.url)
    page.locator("[data-game=silencio] [data-play]").click()
    table = finish(guest)

    page.locator("[data-share]").click()  # the cards were fixed before the match, and it can be checked
    page.locator("[data-proof] summary").click()
    page.locator("[data-check]").click()
    expect(page.locator("[data-verdict]")).to_have_attribute("data-verdict", "fair")
    record = httpx.get(f"{guest.url}/api/tables/{table}/record", headers=key_of(page, table), verify=TRUST).text
    first, second = re.findall(r"(?m)^\* deal 0 .*$", record)[:2]
    other = record.replace(f"{first}\n{second}\n", f"{second}\n{first}\n", 1)  # as legal, but not what was promised
    (tmp_path / "other.tacit").write_text(other)
    page.set_input_files("input[type=file]", tmp_path / "other.tacit")
    expect(page.locator("[data-verdict]")).to_have_attribute("data-verdict", "wrong")
    (tmp_path / "no.tacit").write_text("not a record")
    page.set_input_files("input[type=file]", tmp_path / "no.tacit")
    expect(page.get_by_role("alert")).to_be_visible()
    axe.both(page)

    page.goto(f"{guest.url}/replay/{table}?eyes=0&step=30")
    page.locator("[data-take]").click()
    axe.check(page)
    page.locator("[data-take-over] label", has_text="Alder").click()
    page.locator("[data-take-over] [type=submit]").click()
    page.wait_for_url("**/t/*")
    page.locator("[data-menu]").click()
    expect(page.locator("[data-origin=branch] a")).to_have_attribute("href", f"/replay/{table}?step=30")
    page.keyboard.press("Escape")
    branch = finish(guest)
    text = httpx.get(f"{guest.url}/api/tables/{branch}/record", headers=key_of(page, branch), verify=TRUST).text
    assert f'tag branched "{table} 30"' in text  # the record says so, too
    page.goto(f"{guest.url}/replay/{branch}?eyes=0&step=29")
    expect(page.locator("[data-branched]")).to_have_count(0)
    page.locator("[data-branch]").click()
    expect(page.locator("[data-branched]")).to_contain_text("Played on from here")
    page.locator("[data-moments]").click()
    expect(page.locator("[data-origin=branch] a")).to_have_attribute("href", f"/replay/{table}?step=30")
    page.keyboard.press("Escape")
    in_german_on_a_phone(guests, guest, "/check", f"/check?table={branch}", f"/replay/{table}")


def test_words_of_ones_own_are_added_before_the_start(guests: Make, server: Server) -> None:
    guest = named(guests(**NARROW), "Ada")
    page = guest.page
    wish = {"game": "silencio", "seats": 2, "name": "Ada"}
    made = httpx.post(f"{guest.url}/api/tables", json=wish, verify=TRUST).json()
    guest.sit(made["table"], made["key"])
    page.locator("[data-stir] summary").click()
    page.get_by_label("Your words").fill("blue elephants")
    page.get_by_role("button", name="Add").click()
    expect(page.locator("[data-stirred]")).to_contain_text("Ada")
    axe.check(page)
    overflow.check(page)


def key_of(page: Page, table: str) -> dict[str, str]:
    saved = page.evaluate("JSON.parse(localStorage['tacit-tables'])")
    return {"Authorization": f"Bearer {next(one['key'] for one in saved if one['table'] == table)}"}
