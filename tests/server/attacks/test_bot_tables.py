"""One address with many tables of bots that think: the bots of others answered by lot."""

from __future__ import annotations

import re
import time

import httpx

from tests.server.attacks.conftest import LONG, Start
from tests.server.attacks.test_lobby import AWAY, from_address
from tests.server.harness import Api

TABLES = 28
SECONDS = 40.0 if LONG else 8.0


def all_bots(client: httpx.Client, game: str, bot: str) -> None:
    """A table at which bots play alone."""
    wish = {"game": game, "seats": 3, "chairs": [{"kind": "bot", "bot": bot}] * 3}
    made = client.post("/api/tables", json=wish).json()
    bearer = {"Authorization": f"Bearer {made['key']}"}
    assert client.post(f"/api/tables/{made['table']}/start", json={}, headers=bearer).status_code == 200


def counted(url: str, game: str) -> tuple[int, int]:
    """How often the bots of a game thought, and how often they had no time to."""
    text = Api(url).get("/metrics").text

    def figure(name: str) -> int:
        found = re.search(rf'^{name}{{game="{game}"}} (\S+)$', text, re.MULTILINE)
        return int(float(found[1])) if found else 0

    return figure("tacit_bot_seconds_count"), figure("tacit_bot_late_total")


def test_the_bots_of_others_still_have_time_to_think(attacked: Start) -> None:
    server = attacked(bot_delay=(0.7, 0.9))
    with from_address(server.url, AWAY) as mallory, from_address(server.url, "127.0.0.1") as ada:
        for _ in range(TABLES):
            all_bots(mallory, "silencio", "ponders")
        all_bots(ada, "silent-planet", "steady")
        time.sleep(SECONDS)
    thought, late = counted(server.url, "silent-planet")
    others, others_late = counted(server.url, "silencio")
    print(f"\n  the bystander's bots thought {thought} times and were late {late} times;", end=" ")
    print(f"those of {TABLES} other tables {others} and {others_late}")
    assert thought >= 3
    assert late <= 0.2 * (thought + late)
    assert others_late > 0  # or it was no attack
