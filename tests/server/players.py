"""People who play deals over HTTP."""

from __future__ import annotations

import itertools
import random
from typing import Any

import httpx

from tests.server.harness import TRUST, Api, Person, Server, eventually, run

GAME, SEATS = "toy", 3


class Player(Api):
    """Somebody with a name of their own on the server, who plays over HTTP."""

    def __init__(self, url: str, name: str) -> None:
        super().__init__(url)
        self.name = name
        answer = httpx.post(f"{url}/api/player", timeout=30, verify=TRUST)
        self.player = {"Tacit-Player": answer.json()["player"]}

    def ask(self, path: str, key: str | None = None) -> httpx.Response:
        return self.get(path, key, headers=self.player)

    def send(self, path: str, key: str | None = None, **body: Any) -> httpx.Response:
        return self.post(path, key, self.player, **body)

    def sit(self, deal: dict[str, Any], people: int = 1, kind: str = "person") -> tuple[str, str]:
        """A table on a deal, with bots on the other seats: its name and the key."""
        chairs = [{"kind": "open"}] * people + [{"kind": "bot", "bot": deal["bot"]}] * (deal["seats"] - people)
        made = self.send(
            "/api/tables", game=deal["game"], seats=deal["seats"], name=self.name, chairs=chairs, deal=deal["deal"],
            kind=kind,
        )  # fmt: skip
        assert made.status_code == 201, made.text
        return made.json()["table"], made.json()["key"]

    def play(self, table: str, key: str, decisions: int = 10**6, seed: int = 1) -> dict[str, Any]:
        """Play some decisions, or to the end; the table afterwards."""
        rng = random.Random(seed)

        def decided() -> bool:
            nonlocal decisions
            if decisions == 0 or self.ask(f"/api/tables/{table}", key).json()["phase"] == "over":
                return True
            seen = self.ask(f"/api/tables/{table}/seen", key).json()
            if seen.get("ask") is not None:
                act = self.send(f"/api/tables/{table}/act", key, ask=seen["ask"], texts=[rng.choice(seen["legal"])])
                decisions -= act.status_code == 200
            return False

        eventually(decided)
        return dict(self.ask(f"/api/tables/{table}", key).json())

    def attempt(self, deal: dict[str, Any], seed: int = 1, **how: Any) -> tuple[str, dict[str, Any]]:
        """Play a whole attempt alone with bots."""
        table, key = self.sit(deal, **how)
        self.start(table, key)
        return table, self.play(table, key, seed=seed)

    def plain(self) -> tuple[str, str]:
        """A finished match without a deal."""
        table, keys = self.make(GAME, SEATS, spectators="public")
        self.start(table, keys[0])
        self.play(table, keys[0])
        return table, keys[0]


def refused(answer: httpx.Response) -> str:
    assert answer.status_code >= 400, answer.text
    return str(answer.json()["reason"]["code"]).removeprefix("server.")


def live(url: str, table: str, player: Player) -> str | None:
    """Why somebody is refused a WebSocket at a table; None if they are not."""

    async def work() -> str | None:
        person = await Person(url, table).connect(headers=player.player)
        first = await person.until(lambda: person.frames and person.frames[0])
        reason = first.get("reason") or {}
        return str(reason["code"]).removeprefix("server.") if first["type"] == "refused" else None

    return run(work())


def todays(player: Player, game: str = GAME) -> dict[str, Any]:
    daily = player.ask("/api/daily").json()
    return next(dict(deal) for deal in daily["deals"] if deal["game"] == game)


def dealt(server: Server, table: str) -> list[str]:
    """What chance did before the first decision."""
    return list(itertools.takewhile(lambda line: line.startswith("*"), server.lines(table)))
