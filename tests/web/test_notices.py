"""Notices on the page: web push and webhooks, each after its test message arrived; nothing is asked before a tap."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser as Chromium
from playwright.sync_api import BrowserType, expect

from tacit.server.limits import Networks
from tests.server.harness import Server
from tests.server.mailbox import Browser, mailbox
from tests.web import chromium
from tests.web.conftest import FLAGS, Guest


@pytest.fixture(scope="module")
def browser(chromiums: BrowserType) -> Iterator[Chromium]:
    """A whole Chromium: its shell refuses notices before anybody is asked."""
    path = chromium.own(*chromium.WHOLE)
    running = chromiums.launch(executable_path=path, channel=None if path else "chromium", args=FLAGS)
    yield running
    running.close()


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


# Chromium has no push service here: it subscribes to the test's mailbox. Worker, leave and page are the real ones.
SUBSCRIBES = """
Object.defineProperty(PushManager.prototype, 'subscribe', { value: async () => ({ toJSON: () => (%s) }) })
Object.defineProperty(PushManager.prototype, 'getSubscription', { value: async () => null })
"""


def test_this_device_is_told_once_its_browser_may(guests: Callable[..., Guest], server: Server) -> None:
    server.app.tables.notices.outbound.allowed = Networks("127.0.0.0/8")
    receiver = Browser()
    refused = guests().page
    refused.goto(f"{server.url}/settings")
    refused.locator("[data-reach]").get_by_role("button").first.click()  # a browser that answers no for its person
    expect(refused.locator("[data-push='denied']")).to_be_visible()
    guest = guests(permissions=["notifications"])
    page = guest.page
    with mailbox() as box:
        page.goto(f"{server.url}/settings")
        reach = page.locator("[data-reach]")
        reach.get_by_role("button").first.click()
        expect(reach.get_by_role("alert")).to_contain_text("could not set this up", timeout=60_000)  # no push service
        made = json.dumps({"endpoint": f"{box.url}/push", "keys": receiver.keys})
        page.add_init_script(SUBSCRIBES % made)
        page.reload()
        reach.get_by_role("button").first.click()
        expect(reach.locator("[data-push='on']")).to_be_visible(timeout=60_000)
        assert receiver.read(box.got[-1].body)["body"] == "This is where you will hear from your tables."
        page.reload()
        expect(reach.locator("[data-push='on']")).to_be_visible()
        reach.get_by_role("button").first.click()
        expect(reach.locator("[data-push='off']")).to_be_visible()
