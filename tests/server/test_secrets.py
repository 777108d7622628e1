"""Nobody gets more than their seat sees: every frame and every HTTP body of whole matches is compared with a fresh
replay of the record so far, and nothing comes when nothing changed.
"""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import pytest

from tacit import GAMES, Match
from tacit.server.live import Listener, Live, question, see_all
from tacit.server.protocol import SeatInfo, Table
from tests.server.harness import Api, Person, Server, config, run, serving

FIELDS = {"type", "seat", "ask", "view", "legal", "offers", "signals", "signal_offers", "keep", "heard", "told",
          "deadline"}  # fmt: skip


def plain(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


def told(match: Match, seat: int | None) -> dict[str, Any]:
    """What a seat should be told after a record, but for what it has heard before."""
    sight = match.see(seat)
    rules = match.game.rules
    return {
        "view": plain(sight.view),
        "legal": sight.legal,
        "offers": plain([rules.offer(text) for text in sight.legal]),
        "signals": sight.signals,
        "signal_offers": plain([rules.offer(text) for text in sight.signals]),
        "heard": sight.heard,
    }


def expected(head: str, steps: list[list[str]], seat: int | None) -> list[dict[str, Any]]:
    """All that a listener is told in a match, in order: what changes for the seat, and nothing else."""
    found: list[dict[str, Any]] = []
    text = head
    for lines in steps:
        text += "".join(line + "\n" for line in lines)
        now = told(Match.load(text), seat)
        if not found or now != found[-1]:
            found.append(now)
    return found


def received(person: Person) -> list[dict[str, Any]]:
    """What a listener was told, put together as a client does."""
    found: list[dict[str, Any]] = []
    heard: list[str] = []
    for frame in person.frames:
        if frame["type"] == "seen":
            assert set(frame) <= FIELDS
            assert len(frame["told"]) == len(frame["heard"])
            heard = heard[: frame["keep"]] + frame["heard"]
            kept = {f: frame[f] for f in ("view", "legal", "offers", "signals", "signal_offers")}
            found.append(kept | {"heard": heard})
    return found


@pytest.mark.parametrize(
    ("game", "options"),
    [
        *((game, {}) for game in GAMES),
        ("silencio", {"tavern": True, "unlit": "all"}),
        ("zombie-city", {"expert": True}),
        ("toy", {}),
    ],
)
def test_a_listener_gets_what_its_seat_sees_and_only_when_it_changes(
    game: str, options: dict[str, Any], sqlite_database: str
) -> None:
    with serving(config(sqlite_database)) as server:
        whole_match(game, options, server)


def whole_match(game: str, options: dict[str, Any], server: Server) -> None:
    """Play one, and compare everything that anyone got."""
    api = Api(server.url)
    table, keys = api.make(game, 3, people=2, spectators="public", options=options)
    bodies: list[tuple[int, dict[str, Any]]] = []

    async def play() -> None:
        people = [await Person(server.url, table, key).connect() for key in keys]
        watcher = await Person(server.url, table).connect()
        everyone = [*people, watcher]
        await people[0].ask("start")
        while people[0].phase != "over":
            for seat, key in enumerate(keys):
                answer = await asyncio.to_thread(api.get, f"/api/tables/{table}/seen", key)
                bodies.append((seat, answer.json()))
            await asyncio.sleep(0.02)
        for person in everyone:
            await person.over()
        record = (await asyncio.to_thread(api.get, f"/api/tables/{table}/record", keys[0])).text
        steps = [step.lines for step in await asyncio.to_thread(server.stored, table)]
        head = "".join(line + "\n" for line in record.splitlines()[:4] if not line.startswith("tag"))
        assert "".join("".join(lines) for lines in steps) in record.replace("\n", "")
        for eyes, person in [(0, people[0]), (1, people[1]), (None, watcher)]:
            right = expected(head, steps, eyes)
            assert received(person) == right
            for other, body in bodies:
                if other == eyes:
                    assert {f: body[f] for f in right[0]} in right
        # Nobody's key is told to anybody, and tables tell nothing of the match before it is over.
        for person in everyone:
            whole = "".join(person.raw)
            assert not any(key in whole for key in keys)
            for frame in person.frames:
                assert frame["type"] in {"welcome", "table", "seen", "done", "refused"}
                if frame["type"] == "table":
                    assert set(frame) <= {*Table.__struct_fields__, "type"}
                    assert all(set(seat) <= set(SeatInfo.__struct_fields__) for seat in frame["seats"])
                    assert frame["result"] is None or frame["phase"] == "over"
                if frame["type"] == "refused":
                    assert frame["reason"]["code"] == "server.act.stale"
            await person.close()

    run(play())


@pytest.mark.parametrize("game", [*GAMES, "toy"])
def test_the_number_of_a_question_follows_from_what_its_seat_sees(game: str, server: Server) -> None:
    """The stored numbers move when the seat decided or was asked something else, and at no other time."""
    api = Api(server.url)
    table, keys = api.make(game, 3, people=1)

    async def play() -> None:
        ada = await Person(server.url, table, keys[0]).connect()
        await ada.ask("start")
        await ada.over()
        await ada.close()

    run(play())
    match = Match(game, 3, settle=False)
    before: dict[int | None, Any] = {}
    asks: list[int] = []
    for step in server.stored(table):
        for line in step.lines:
            match.replay(line)
        now = see_all(match)
        if before:
            for q in range(3):
                moved = q == step.seat or question(before[q]) != question(now[q])
                assert step.asks[q] == asks[q] + moved
        before, asks = now, step.asks


def test_a_sealed_choice_sends_nothing_but_that_it_was_made(server: Server) -> None:
    """In the toy game who is done is visible, what was bid is not: whatever was bid, the others get the same bytes."""
    api = Api(server.url)
    table, keys = api.make("toy", 2, people=2)
    api.start(table, keys[0])

    async def play() -> None:
        ada = await Person(server.url, table, keys[0], choose=None).connect()
        ben = await Person(server.url, table, keys[1], choose=None).connect()
        seen = await ada.asked()
        await ben.asked()
        count = len(ben.frames)
        for text in seen["legal"]:
            await ada.ask("preview", texts=[text])
        refused = await ada.ask("act", ask=seen["ask"], texts=["bid 0"])
        assert refused["type"] == "refused"
        await asyncio.sleep(0.05)
        assert len(ben.frames) == count  # neither trying nor being refused shows
        await ada.ask("act", ask=seen["ask"], texts=seen["legal"][:1])
        await ben.until(lambda: len(ben.frames) > count)
        assert len(ben.frames) == count + 1
        assert ben.frames[-1]["view"]["done"] == [0]
        assert seen["legal"][0].split()[1] not in str(ben.frames[-1]["heard"])
        assert ben.frames[-1]["ask"] == ben.frames[-2]["ask"]
        for person in (ada, ben):
            await person.close()

    run(play())


@pytest.mark.parametrize("leak", ["spectators see a hand", "every change is sent to all", "a number moves with others"])
def test_planted_leaks_are_found(leak: str, sqlite_database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests above would notice."""
    if leak == "spectators see a hand":
        monkeypatch.setattr(Live, "sight", lambda self, seat: self.sights.get(seat or 0))
    elif leak == "every change is sent to all":
        tell = Listener.tell_sight

        def always(self: Listener, live: Live) -> None:
            self.ask = -1  # as if it had changed
            tell(self, live)

        monkeypatch.setattr(Listener, "tell_sight", always)
    else:
        monkeypatch.setattr("tacit.server.live.question", lambda sight: object())
    with serving(config(sqlite_database)) as server, pytest.raises(AssertionError):
        test_the_number_of_a_question_follows_from_what_its_seat_sees(
            "toy", server
        ) if "number" in leak else whole_match("toy", {}, server)
