"""Notices on the page: a webhook is added after its test message arrived; the browser's leave is asked for by a tap."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from tacit.server.limits import Networks
from tests.server.harness import Server
from tests.server.mailbox import mailbox
from tests.web.conftest import Guest


def test_a_webhook_is_tested_added_and_removed(guests: Callable[..., Guest], server: Server) -> None:
    server.app.tables.notices.outbound.allowed = Networks("127.0.0.0/8")
    page = guests(viewport={"width": 360, "height": 640}, locale="nl").page
    with mailbox() as box:
        page.goto(f"{server.url}/settings")
        reach = page.locator("[data-reach]")
        expect(reach.locator("[data-push='off']")).to_be_visible()  # nothing was asked
        reach.locator("summary").click()
        reach.locator("select").select_option("json")
        reach.locator("input[type=url]").fill(f"{box.url}/hook")
        box.status = lambda path: 500
        reach.locator("form button").click()
        expect(reach.get_by_role("alert")).to_contain_text("500")
        box.status = lambda path: 201
        reach.locator("form button").click()
        channel = reach.locator("[data-channel=json]")
        expect(channel).to_contain_text("127.0.0.1")
        assert box.got[-1].json["text"] == "Hier hoor je van je tafels."
        reach.locator("input[type=checkbox]").nth(1).check()
        expect(reach.locator("input[type=time]").first).to_have_value("22:00")
        channel.get_by_role("button").last.click()
        expect(channel).to_have_count(0)
