"""TCP connections that say nothing, or something very slowly: newcomers are let in all the same."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import statistics
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from tacit.server.connections import BoundedReads
from tests.server.attacks.bystander import Bystander, allowed
from tests.server.attacks.clients import ended, silent
from tests.server.attacks.conftest import ATTACK, QUIET, Attacked, Start
from tests.server.harness import Api, eventually, run

DESCRIPTORS = 256
BEGUN = b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: "
CHUNKED = b"POST /api/tables HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
BODY = b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Length: 50\r\n\r\n{"


@pytest.mark.parametrize(
    "said",
    [
        pytest.param(b"", id="nothing", marks=pytest.mark.long),
        pytest.param(BEGUN, id="half a head"),
        pytest.param(BODY, id="half a body", marks=pytest.mark.long),
    ],
)
def test_silent_connections_shut_nobody_out(said: bytes, attacked: Start) -> None:
    server = attacked(descriptors=DESCRIPTORS)

    async def play() -> None:
        async with Bystander(server.url) as bystander:
            with bystander.phase("quiet"):
                await asyncio.sleep(QUIET)
            with bystander.phase("attack"):
                context = silent(server.address, 300, said)
                made = await asyncio.to_thread(context.__enter__)
                try:
                    for _ in range(int(ATTACK / 0.3)):
                        await asyncio.sleep(0.3)
                        for one in made[::7]:  # a byte now and then, as slowloris does
                            if said == BEGUN and not ended(one):
                                one.send(b"x")
                finally:
                    context.__exit__(None, None, None)
        felt = bystander.report()
        print(f"  the log has {len(server.logged()):,} bytes")
        assert len(server.logged()) < 20_000
        for probe, quiet in felt["quiet"].items():
            assert felt["attack"][probe].failed <= felt["attack"][probe].count // 20  # a silent one may be pushed out
            assert felt["attack"][probe].p99 < allowed(quiet.p99, 1.0)

    run(play())


@pytest.mark.parametrize(
    "said", [pytest.param(b"", id="nothing", marks=pytest.mark.long), pytest.param(BEGUN, id="half a head")]
)
def test_who_is_late_with_a_request_is_let_go(said: bytes, attacked: Start) -> None:
    server = attacked()
    with silent(server.address, 3, said) as made:
        began = time.monotonic()

        def all_gone() -> bool:
            for one in made:
                if said and not ended(one):
                    one.setblocking(True)
                    with contextlib.suppress(OSError):
                        one.send(b"y")  # slowly, but never silent for long
            return all(map(ended, made))

        eventually(all_gone, 60)
        assert time.monotonic() - began > 5  # a slow phone has some time


def test_an_address_has_so_many_connections_and_no_more(attacked: Start) -> None:
    """Where it is no proxy's. The longest silent gives way to the next."""
    server = attacked(connections=(20, 1000), proxies="")
    with silent(server.address, 50) as made:
        eventually(lambda: sum(map(ended, made)) >= 30)
        assert all(map(ended, made[:30]))
        assert Api(server.url).get("/healthz").status_code == 200
        assert server.logged().count("connections.full") < 5
    with silent(server.address, 50, b"") as made, socket.create_connection(server.address) as one:
        one.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n")
        one.settimeout(30)
        assert one.recv(100).startswith(b"HTTP/1.1 200")


def test_answers_on_a_kept_connection_come_at_once(standing: Attacked) -> None:
    """Without TCP_NODELAY each waits for the client's acknowledgement, 40 ms."""
    times = []
    with socket.create_connection(standing.address) as one:
        one.settimeout(30)
        for _ in range(40):
            began = time.perf_counter()
            one.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
            data = b""
            while b"}" not in data:
                data += one.recv(4096)
            times.append(time.perf_counter() - began)
    print(
        f"\n  a request on a kept connection: p50 {statistics.median(times) * 1e3:.1f} ms, best {min(times) * 1e3:.1f}"
    )
    assert statistics.quantiles(times[1:], n=4)[0] < 0.03


@pytest.mark.parametrize("path", ["POST /api/tables", "GET /api/lobby"])
def test_a_body_that_breaks_the_protocol_is_answered_once_and_is_no_fault(path: str, attacked: Start) -> None:
    """Before our answer or after it: `POST` waits for the body, `GET` does not."""
    server = attacked()
    head = f"{path} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n".encode()
    for together in (False, True):
        with socket.create_connection(server.address) as client:
            client.settimeout(20)
            client.sendall(head)
            if not together:
                time.sleep(0.2)
            client.sendall(b"no size\r\n")
            answer = b""
            with contextlib.suppress(ConnectionError):
                while more := client.recv(1 << 16):
                    answer += more
        assert answer.count(b"HTTP/1.1 ") == 1
    assert Api(server.url).get("/api/lobby").status_code == 200
    assert "Exception" not in server.logged()
    assert "rror" not in server.logged()


@pytest.mark.parametrize(
    ("begun", "more"),
    [
        pytest.param(b"GET /", b"x" * 1000, id="a path"),
        pytest.param(BEGUN, b"x" * 1000, id="a header"),
        pytest.param(b"GET / HTTP/1.1\r\nHost: x\r\n", b"X: y\r\n" * 200, id="headers"),
        pytest.param(CHUNKED + b"0\r\n", b"X: y\r\n" * 200, id="trailers"),
        pytest.param(CHUNKED + b"5;", b"x" * 1000, id="an extension of a chunk"),
    ],
)
def test_what_comes_beside_a_body_has_an_end(begun: bytes, more: bytes, standing: Attacked) -> None:
    with socket.create_connection(standing.address) as client:
        client.settimeout(20)
        client.sendall(begun)
        with pytest.raises(ConnectionError):  # not TimeoutError: it is refused, not merely left unread
            client.sendall(more * 10_000)
    assert Api(standing.url).get("/api/lobby").status_code == 200


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        pytest.param(b"Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\nSec-WebSocket-Version: 13", 101, id="fine"),
        pytest.param(b"Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\nSec-WebSocket-Version: 8", 426, id="old"),
        pytest.param(b"Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==", 426, id="no version"),
        pytest.param(b"Sec-WebSocket-Version: 13", 400, id="no key"),
        pytest.param(b"Sec-WebSocket-Key: MDEyMw==\r\nSec-WebSocket-Version: 13", 400, id="short key"),
        pytest.param(b"Sec-WebSocket-Key: ????\r\nSec-WebSocket-Version: 13", 400, id="no base64"),
    ],
)
def test_a_handshake_is_answered_as_the_protocol_wants_it(headers: bytes, status: int, standing: Attacked) -> None:
    with socket.create_connection(standing.address) as client:
        client.settimeout(20)
        start = (
            b"GET /api/tables/x/live HTTP/1.1\r\nHost: x\r\nConnection: keep-alive, Upgrade\r\nUpgrade: websocket\r\n"
        )
        client.sendall(start + headers + b"\r\n\r\n")
        answer = client.recv(4096)
    assert answer.startswith(b"HTTP/1.1 %d " % status)
    assert (b"Sec-WebSocket-Accept: BACScCJPNqyz+UBoqMH89VmURoA=\r\n" in answer) == (status == 101)
    assert (b"Sec-WebSocket-Version: 13\r\n" in answer) == (status == 426)


KEY = b"Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\nSec-WebSocket-Version: 13\r\n"
ASKED = b"Connection: Upgrade\r\nUpgrade: websocket\r\n"


@pytest.mark.parametrize(
    ("head", "status"),
    [
        pytest.param(b"GET /api/live HTTP/1.1\r\nHost: x\r\n" + ASKED + KEY, 101, id="fine"),
        pytest.param(b"GET /api/%6cive HTTP/1.1\r\nHost: x\r\n" + ASKED + KEY, 101, id="an escape"),
        pytest.param(b"GET /api/live HTTP/1.1\r\nHost: x\r\n" + ASKED.upper() + KEY, 101, id="capitals"),
        pytest.param(b"GET /api/nothing HTTP/1.1\r\nHost: x\r\n" + ASKED + KEY, 403, id="no such path"),
        pytest.param(
            b"GET /api/live HTTP/1.1\r\nHost: x\r\nOrigin: http://y\r\n" + ASKED + KEY, 403, id="a foreign page"
        ),
        pytest.param(b"POST /api/live HTTP/1.1\r\nHost: x\r\n" + ASKED + KEY, 400, id="no GET"),
        pytest.param(b"GET /api/live HTTP/1.1\r\nHost: x\r\n" + ASKED + KEY + KEY, 426, id="two versions"),
        pytest.param(
            b"GET /api/live HTTP/1.1\r\nHost: x\r\n" + ASKED + b"Upgrade: h2c\r\n" + KEY, 404, id="two wishes"
        ),
        pytest.param(b"GET /api/live HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n" + KEY, 404, id="not connected"),
        pytest.param(
            b"GET /api/live HTTP/1.1\r\nHost: x\r\nUp grade: websocket\r\n" + ASKED + KEY, 400, id="no header"
        ),
        pytest.param(b"GET /api/lobby HTTP/1.1\r\nHost: x\r\nUser-Agent: websocket\r\n", 200, id="a plain request"),
    ],
)
def test_a_handshake_is_answered_alike_whole_and_in_pieces(head: bytes, status: int, standing: Attacked) -> None:
    """In pieces uvicorn reads it."""
    answers = []
    for pieces in ([head + b"\r\n"], [head[:20], head[20:] + b"\r\n"], [head[:-1], head[-1:] + b"\r\n"]):
        with socket.create_connection(standing.address) as client:
            client.settimeout(20)
            for number, piece in enumerate(pieces):
                time.sleep(0.05 * bool(number))
                client.sendall(piece)
            answers.append(client.recv(4096))
    assert {answer.split(b" ")[1] for answer in answers} == {b"%d" % status}
    assert {answer.partition(b"\r\n\r\n")[2] for answer in answers} == {answers[0].partition(b"\r\n\r\n")[2]}


def test_servers_in_one_process_read_into_buffers_of_their_own() -> None:
    """Two event loops that shared a buffer would now and then hand one client's request to the other's connection."""
    here = BoundedReads().get_buffer(-1)
    with ThreadPoolExecutor(1) as thread:
        there = thread.submit(lambda: BoundedReads().get_buffer(-1)).result()
    here[:1], there[:1] = b"a", b"b"
    assert bytes(here[:1]) == b"a"
