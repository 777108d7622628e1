"""Recognised: a passkey in a real browser (Chromium's virtual authenticator), on two devices; one's own page."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect

from tests.server.harness import Api, Server
from tests.web import axe, overflow
from tests.web.conftest import Guest
from tests.web.test_deals import NARROW, in_german_on_a_phone, named

Make = Callable[..., Guest]


def with_authenticator(guest: Guest, server: Server, credentials: list[dict[str, Any]] | None = None) -> Any:
    """A browser with a platform authenticator, on the page's name: browsers make no passkeys for a bare address."""
    guest.url = f"http://localhost:{server.port}"
    device = guest.context.new_cdp_session(guest.page)
    device.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True,
        "isUserVerified": True, "automaticPresenceSimulation": True,
    }  # fmt: skip
    name = device.send("WebAuthn.addVirtualAuthenticator", {"options": options})["authenticatorId"]
    for one in credentials or []:
        device.send("WebAuthn.addCredential", {"authenticatorId": name, "credential": one})
    return lambda: device.send("WebAuthn.getCredentials", {"authenticatorId": name})["credentials"]


def test_a_passkey_carries_somebody_to_another_device(guests: Make, server: Server) -> None:
    ada = named(guests(), "Ada")
    made = with_authenticator(ada, server)
    page = ada.page
    page.goto(f"{ada.url}/")
    page.locator("[data-you]").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("You")
    expect(page.locator("[data-identity]")).to_contain_text("You play as a guest")
    expect(page.locator("[data-matches]")).to_contain_text("None yet")
    axe.check(page)
    page.locator("[data-make-passkey]").click()
    expect(page.locator("[data-identity]")).to_contain_text("You are recognised")
    page.locator("[data-keep-name]").fill("Ada Lovelace")
    page.locator("[data-keep-name]").press("Enter")
    expect(page.locator("[data-kept-name]")).to_contain_text("Ada Lovelace")
    wish = {"game": "silencio", "seats": 2, "name": "Ada Lovelace", "kind": "person"}
    make = "async (body) => (await (await fetch('/api/tables', {method: 'POST', body})).json()).table"
    table = page.evaluate(make, json.dumps(wish))
    ben = Api(ada.url).post(f"/api/tables/{table}/join", name="Ben", headers={"Tacit-Player": "device-of-ben-012345"})
    taken = Api(ada.url).post("/api/tables", game="silencio", seats=2, name="ADA LOVELACE")
    assert taken.json()["reason"]["code"] == "server.name.kept"
    page.evaluate(f"fetch('/api/tables/{table}/start', {{method: 'POST', body: '{{}}'}})")

    phone = guests(**NARROW)  # the same passkey, as the cloud of a phone's maker would bring it
    with_authenticator(phone, server, made())
    phone.page.goto(f"{phone.url}/you")
    phone.page.locator("[data-sign-in]").click()
    expect(phone.page.locator("[data-kept-name]")).to_contain_text("Ada Lovelace")
    expect(phone.page.locator("[data-device]")).to_have_count(2)
    expect(phone.page.locator("[data-matches]")).to_contain_text("Silencio with Ben")
    overflow.check(phone.page)
    axe.both(phone.page)
    phone.page.locator("[data-matches]").locator(f"a[href='/t/{table}']").click()  # her seat is here, too
    phone.page.locator("[data-piece], [data-offer]").first.wait_for()

    page.goto(f"{ada.url}/you")  # one tap invites them again; it stands on their home page
    with page.expect_download() as coming:
        page.locator("[data-export]").click()
    assert [one["id"] for one in json.loads(coming.value.path().read_text())["matches"]] == [table]
    page.locator("[data-invite]").click()
    page.wait_for_url("**/t/*")
    friend = guests()
    friend.context.set_extra_http_headers({"Tacit-Player": "device-of-ben-012345"})
    friend.page.goto(server.url)
    expect(friend.page.locator("main")).to_contain_text("Ada invites you")
    friend.page.locator("[data-dismiss]").click()
    expect(friend.page.locator("[data-invitation]")).to_have_count(0)
    in_german_on_a_phone(guests, ada, "/you")

    page.goto(f"{ada.url}/you")
    page.locator("[data-avoid]").click()
    expect(page.locator("main [role=status]")).to_contain_text("Nobody is told")
    removed = page.locator("[data-device]").filter(has_not_text="this one")
    removed.locator("[data-remove-device]").click()
    expect(page.locator("[data-device]")).to_have_count(1)
    phone.page.goto(f"{phone.url}/you")
    expect(phone.page.locator("[data-identity]")).to_contain_text("You play as a guest")
    page.locator("[data-delete]").click()
    page.locator("[data-delete]").click()
    expect(page.locator("[data-identity]")).to_contain_text("You play as a guest")
    expect(page.locator("[data-people]")).to_contain_text("Nobody yet")
    seats = Api(ada.url).get(f"/api/tables/{table}").json()["seats"]
    assert [seat["name"] for seat in seats] == [None, "Ben"]
    assert ben.status_code == 201
