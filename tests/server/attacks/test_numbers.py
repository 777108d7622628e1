"""Numbers from outside are finite and bounded: NaN in the event loop's timers let bots of other tables pause."""

from __future__ import annotations

import asyncio

import httpx
import pytest
from click.testing import CliRunner

from tacit.cli import main
from tests.server.attacks.bystander import Bystander, allowed
from tests.server.attacks.conftest import QUIET, Start
from tests.server.harness import TRUST, Api, Server, run

ODD = ("nan", "NaN", "-nan", "inf", "-inf", "1e999", "-1", "1e-400", "0x10", "١", "1_0", "", "x", "9" * 400)


def test_nan_in_wait_holds_up_nobody(attacked: Start) -> None:
    server = attacked(bot_delay=(0.01, 0.02))
    api = Api(server.url)
    table, keys = api.make("toy", 2, people=2)
    api.start(table, keys[0])
    path = f"{server.url}/api/tables/{table}/seen"
    bearer = {"Authorization": f"Bearer {keys[0]}"}
    known = {"If-None-Match": api.get(f"/api/tables/{table}/seen", keys[0]).headers["etag"]}
    bot_moves: list[float] = []

    async def bots_answer() -> None:
        """Another table: its bot is due at once, and answers when its timer rings."""
        clock = asyncio.get_running_loop().time
        for _ in range(3):
            began = clock()
            other, own = await asyncio.to_thread(api.make, "toy", 2, people=1)
            await asyncio.to_thread(api.start, other, own[0])
            while not (await asyncio.to_thread(api.get, f"/api/tables/{other}/seen", own[0])).json()["heard"][2:]:
                await asyncio.sleep(0.01)
            bot_moves.append(clock() - began)

    async def play() -> None:
        async with Bystander(server.url) as bystander, httpx.AsyncClient(verify=TRUST, timeout=120) as client:
            with bystander.phase("quiet"):
                await asyncio.sleep(QUIET)
                await bots_answer()
            with bystander.phase("attack"):
                waits = [
                    asyncio.create_task(client.get(path, params={"wait": wait}, headers=bearer | known))
                    for wait in ODD * 4
                ]
                await asyncio.sleep(0.3)
                await bots_answer()
                statuses = {wait: (await task).status_code for wait, task in zip(ODD * 4, waits, strict=True)}
        felt = bystander.report()
        print(f"  a bot's answer: {[round(seconds, 2) for seconds in bot_moves]} s (three quiet, three during it)")
        assert {statuses[odd] for odd in ODD if odd not in ("", "1e-400")} == {400}
        assert max(bot_moves[3:]) < allowed(max(bot_moves[:3]), 5)
        for probe, quiet in felt["quiet"].items():
            assert not felt["attack"][probe].failed
            assert felt["attack"][probe].p50 < allowed(quiet.p50)

    run(play())


@pytest.mark.parametrize("number", ["nan", "inf", "-inf", "1e999", "-1", "1e9", "x"])
@pytest.mark.parametrize("command", ["admin prune --tables", "bench rules --seconds", "bench server --rate"])
def test_numbers_of_the_command_line_are_finite(command: str, number: str) -> None:
    done = CliRunner().invoke(main, [*command.split(), number])
    assert done.exit_code == 2
    assert "Invalid value" in done.output


@pytest.mark.parametrize("number", ["1" + "0" * 30, "18446744073709551616", "-9007199254740993", "1e400", "1.5"])
def test_numbers_in_messages_are_bounded(number: str, server: Server) -> None:
    table, keys = Api(server.url).make("toy", 2, people=2)
    Api(server.url).start(table, keys[0])
    for body in (f'{{"ask": {number}, "texts": ["bid 1"]}}', f'{{"ask": 1, "texts": ["bid 1"], "id": {number}}}'):
        headers = {"Authorization": f"Bearer {keys[0]}"}
        answer = httpx.post(f"{server.url}/api/tables/{table}/act", content=body, headers=headers, verify=TRUST)
        assert (answer.status_code, answer.json()["reason"]["code"]) == (400, "server.unreadable")
