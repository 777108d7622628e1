"""WebSocket frames: pings, pieces of messages, and answers that nobody reads."""

from __future__ import annotations

import asyncio

import pytest

from tacit.server.config import Config
from tests.server.attacks.bystander import Bystander, allowed
from tests.server.attacks.clients import CONTINUED, PING, PONG, TEXT, close_code, frame, open_socket, send_for
from tests.server.attacks.conftest import ATTACK, QUIET, Attacked, Start, Until
from tests.server.harness import Api, run

MB = 1 << 20
POLICY = 1008


async def attack(server: Attacked, data: bytes, again: int, read: bool, seconds: float = ATTACK) -> tuple[int, int]:
    """Some sockets at once send bytes as fast as 2 MB/s each, and come again whenever they are cut off; how many
    sockets it took, and how many bytes could be sent.
    """
    api = Api(server.url)
    table, keys = await asyncio.to_thread(api.make, "toy", 2, people=2)
    until, opened, sent = Until(seconds), 0, 0

    async def one() -> None:
        nonlocal opened, sent
        while until.left:
            await asyncio.sleep(0.01)
            try:
                made = await asyncio.to_thread(open_socket, server.address, table, keys[0])
            except OSError:  # too often
                continue
            opened += 1
            try:
                sent += await send_for(made, data, until.left, 2 * MB, read)
            finally:
                made.close()

    await asyncio.gather(*(one() for _ in range(again)))
    return opened, sent


@pytest.mark.parametrize(
    ("kind", "read"),
    [
        pytest.param(frame(PING), "read", id="empty pings", marks=pytest.mark.long),
        pytest.param(frame(PING, b"x" * 125), "unread", id="pings whose answers nobody reads"),
        pytest.param(frame(PONG), "read", id="pongs", marks=pytest.mark.long),
        pytest.param(frame(CONTINUED), "unread", id="pieces"),
    ],
)
def test_floods_of_frames_hold_up_nobody(kind: bytes, read: str, attacked: Start) -> None:
    server = attacked(talk_limit=Config().talk_limit)
    data = kind * (8192 // len(kind))
    if kind[0] == CONTINUED:
        data = frame(TEXT & 0x0F, b"") + data

    async def play() -> None:
        async with Bystander(server.url) as bystander:
            with bystander.phase("quiet"):
                await asyncio.sleep(QUIET)
            memory, busy = server.memory(), server.processor_time()
            with bystander.phase("attack"):
                opened, sent = await attack(server, data, 2, read == "read")
            cost = (server.processor_time() - busy) / (sent / MB)
        felt = bystander.report()
        grown = (server.memory() - memory) / MB
        print(
            f"  {opened} sockets sent {sent / MB:.1f} MB; memory grew by {grown:.1f} MB; {cost:.2f} s of processor a MB"
        )
        assert any(f"socket.{what}" in server.logged() for what in ("pings", "fragments")), "nobody was cut off"
        assert grown < 30
        assert cost < 1.2  # parsing all of it takes 3, on whatever machine; it also serves the bystander meanwhile
        for probe, quiet in felt["quiet"].items():
            assert not felt["attack"][probe].failed
            assert felt["attack"][probe].p50 < allowed(quiet.p50)

    run(play())


@pytest.mark.parametrize(
    "data",
    [frame(PING, b"x" * 100) * 100, frame(PONG) * 100, frame(0x01, b"") + frame(CONTINUED) * 1000],
    ids=["pings", "pongs", "pieces"],
)
def test_who_sends_too_many_frames_is_told_so_with_a_close_code(data: bytes, standing: Attacked) -> None:
    api = Api(standing.url)
    table, keys = api.make("toy", 2, people=2)
    with open_socket(standing.address, table, keys[0]) as made:
        made.sendall(data)
        assert close_code(made) == POLICY


def test_some_pings_and_pieces_are_fine(standing: Attacked) -> None:
    api = Api(standing.url)
    table, keys = api.make("toy", 2, people=2)
    message = b'{"type": "return", "id": 77}'
    pieces = frame(0x01, message[:1]) + b"".join(frame(CONTINUED, bytes((c,))) for c in message[1:-1])
    with open_socket(standing.address, table, keys[0]) as made:
        made.sendall(frame(PING, b"here?") * 20 + pieces + frame(0x80, message[-1:]))
        data = b""
        while b'"id":77' not in data:
            data += made.recv(4096)
        assert data.count(b"\x8a\x05here?") == 20


def test_answers_that_nobody_reads_are_bounded(attacked: Start) -> None:
    """Commands whose answers are not read: what waits for the client is bounded, and then it is cut off."""
    server = attacked()
    api = Api(server.url)
    table, keys = api.make("toy", 2, people=2)
    command = frame(TEXT, b'{"type": "return", "id": 7}'.ljust(120)) * 60
    before = server.memory()

    async def play() -> None:
        async with Bystander(server.url) as bystander:
            with bystander.phase("quiet"):
                await asyncio.sleep(QUIET)
            with bystander.phase("attack"):
                made = [await asyncio.to_thread(open_socket, server.address, table, keys[0], 4096) for _ in range(4)]
                sent = await asyncio.gather(*(send_for(one, command, ATTACK, 4 * MB, False) for one in made))
        felt = bystander.report()
        grown = (server.memory() - before) / MB
        print(f"  {sum(sent) / MB:.1f} MB were sent and no answer read; memory grew by {grown:.1f} MB")
        for one in made:
            one.close()
        assert grown < 60
        assert not felt["attack"]["newcomer"].failed  # how long it takes is for the rate of messages, which is off here

    run(play())
