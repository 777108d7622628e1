"""Whose request it is: behind proxies, by `--proxies`; and how people reach the server, by `--public-url`."""

from __future__ import annotations

import subprocess
import sys

import httpx
import pytest

from tacit.core.errors import TacitError
from tacit.server.config import Config
from tacit.server.limits import Networks
from tacit.server.serve import checked, checked_url
from tests.server.harness import ROOT, TRUST, Server, config, serving

LIMIT = (3.0, 0.001)  # requests of an address, and no more


def statuses(server: Server, *forwarded: str | list[str]) -> list[int]:
    """What requests get that a proxy on this machine says to come from these."""
    found = []
    for one in forwarded:
        headers = [("X-Forwarded-For", value) for value in ([one] if isinstance(one, str) else one)]
        found.append(httpx.get(server.url + "/healthz", headers=headers, verify=TRUST).status_code)
    return found


def test_each_person_behind_a_trusted_proxy_has_an_own_rate(sqlite_database: str) -> None:
    with serving(config(sqlite_database, talk_limit=LIMIT)) as server:
        assert statuses(server, *["192.0.2.1"] * 4) == [200, 200, 200, 429]
        assert statuses(server, "192.0.2.2") == [200]


def test_what_the_client_writes_itself_does_not_count(sqlite_database: str) -> None:
    """The proxy adds to the right; the first from the right that is no trusted proxy is who asks."""
    with serving(config(sqlite_database, talk_limit=LIMIT, proxies="127.0.0.1, 10.0.0.0/8")) as server:
        forged = [f"203.0.113.{n}, 192.0.2.1, 10.1.2.3" for n in range(4)]
        assert statuses(server, *forged) == [200, 200, 200, 429]
        assert statuses(server, ["203.0.113.9", "192.0.2.1"]) == [429]  # in two headers
        assert statuses(server, "192.0.2.1, 203.0.113.9") == [200]


def test_nobody_else_is_believed(sqlite_database: str) -> None:
    with serving(config(sqlite_database, talk_limit=LIMIT, proxies="10.0.0.0/8")) as server:
        assert statuses(server, *[f"192.0.2.{n}" for n in range(4)]) == [200, 200, 200, 429]


def test_networks() -> None:
    some = Networks("127.0.0.0/8, ::1,10.1.2.3/16, 2001:db8::/32")
    for host in ("127.0.0.1", "127.9.9.9", "::1", "10.1.0.9", "2001:db8:1::1", "::ffff:127.0.0.1"):
        assert host in some
    for host in ("128.0.0.1", "::2", "10.2.0.9", "", "unix", "127.0.0.1, 1", "nan"):
        assert host not in some
    assert "127.0.0.1" not in Networks("")


@pytest.mark.parametrize("listed", ["x", "10.0.0.0/33", "*", "127.0.0.1 10.0.0.1", "10.0.0.256", "http://10.0.0.1"])
def test_what_is_no_network_is_refused_with_a_sentence(listed: str) -> None:
    with pytest.raises(TacitError, match="--proxies"):
        checked(Config(proxies=f"127.0.0.1,{listed}"))


@pytest.mark.parametrize(
    ("given", "url"),
    [
        ("https://cards.example", "https://cards.example"),
        ("https://Cards.example/", "https://cards.example"),
        ("http://192.0.2.7:8000", "http://192.0.2.7:8000"),
        ("http://[2001:db8::1]:8000", "http://[2001:db8::1]:8000"),
    ],
)
def test_a_public_url_is_scheme_and_host(given: str, url: str) -> None:
    assert checked_url(given) == url


@pytest.mark.parametrize(
    "given",
    ["", "cards.example", "cards.example:443", "//cards.example", "ftp://cards.example", "https://", "https:///t",
     "https://cards.example/games", "https://cards.example?x", "https://cards.example#x", "https://me@cards.example",
     "https://cards.example:99999", "https://cards.example:0", "https://cards.example:", "https://cards example",
     "https://cards.example\r\nX: y", "javascript:alert(1)", "https://[::1", "https://<b>"],
)  # fmt: skip
def test_what_is_no_public_url_is_refused_with_a_sentence(given: str) -> None:
    with pytest.raises(TacitError, match="is not a public URL"):
        checked_url(given)


def test_the_command_says_what_is_wrong_and_starts_nothing() -> None:
    for option, value in (("--public-url", "cards.example"), ("--proxies", "my-proxy"), ("--port", "70000")):
        command = [sys.executable, "-m", "tacit", "serve", option, value]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
        assert done.returncode != 0
        assert value in done.stderr
        assert "Traceback" not in done.stderr
