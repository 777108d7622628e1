"""Nobody gets more than their seat sees: every frame and every HTTP body of whole matches is compared with a fresh
replay of the record so far, searched for cards that its receiver cannot know, and nothing comes when nothing changed.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

import httpx
import msgspec
import pytest

from tacit import GAMES, Match, game_named
from tacit.core import compiled_play
from tacit.core.game import Game
from tacit.core.seat_view import Sight
from tacit.server.live_table import LiveTable
from tacit.server.protocol import SeatInfo, Table
from tacit.server.subscriber import Subscriber
from tacit.server.watching import as_spectator
from tests.server.canary import Leak, Moments, nothing_named
from tests.server.harness import TRUST, Api, Person, Server, config, run, serving

SEATS = 3
FIELDS = {"type", "seat", "ask", "view", "legal", "offers", "signals", "signal_offers", "keep", "heard", "told",
          "deadline", "undo", "undo_offer", "eyes", "views", "race_until", "reserve", "wishes", "prepared",
          "notes", "hints_left", "contributes"}  # fmt: skip


def plain(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


def told(match: Match, seat: int | None) -> dict[str, Any]:
    """What a seat should be sent after a record, except lines heard before."""
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


def expected(game: str, options: dict[str, Any], steps: list[list[str]], seat: int | None) -> list[tuple[int, Any]]:
    """All that a listener is told in a match, each after which step: what changes for the seat, and nothing else."""
    found: list[tuple[int, Any]] = []
    match = Match(game, SEATS, options, settle=False)
    for number, lines in enumerate(steps):
        for line in lines:
            match.replay(line)
        now = told(match.copy(), seat)  # nobody has listened to the match itself, so all is heard afresh
        if not found or now != found[-1][1]:
            found.append((number, now))
    return found


def received(person: Person) -> list[dict[str, Any]]:
    """What a client was sent, put together as a client does."""
    found: list[dict[str, Any]] = []
    heard: list[str] = []
    for frame in person.frames:
        if frame["type"] == "seen":
            assert set(frame) <= FIELDS
            assert (frame["reserve"], frame["wishes"], frame["prepared"]) == (None, [], False)  # nobody wished anything
            assert (frame["notes"], frame["hints_left"], frame["contributes"]) == ({}, None, False)
            assert len(frame["told"]) == len(frame["heard"])
            heard = heard[: frame["keep"]] + frame["heard"]
            kept = {f: frame[f] for f in ("view", "legal", "offers", "signals", "signal_offers")}
            found.append(kept | {"heard": heard})
    return found


@pytest.mark.parametrize(
    ("game", "options", "views"),
    [
        *((game, {}, views) for game in GAMES for views in ("compiled", "interpreted")),
        ("silencio", {"tavern": True, "unlit": "all"}, "compiled"),
        ("zombie-city", {"expert": True}, "compiled"),
        ("toy", {}, "interpreted"),
    ],
)
def test_a_listener_gets_what_its_seat_sees_and_only_when_it_changes(
    game: str, options: dict[str, Any], views: str, sqlite_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiled_play, "_loaded", {})
    if views == "compiled":
        compiled_play.load(game_named(game))
    with serving(config(sqlite_database)) as server:
        heard = whole_match(game, options, server)
    compare(heard)
    assert scan(heard) > 20


@pytest.mark.parametrize("game", [*GAMES, "toy"])
def test_the_scan_finds_a_game_that_lets_everyone_see_everything(
    game: str, sqlite_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Were `know` to hand out the truth, a replay would leak as the server does and look the same; canaries sing."""
    with monkeypatch.context() as patch:
        patch.setattr(compiled_play, "_loaded", {})
        patch.setattr(Game, "know", lambda self, s, seat: s.copy())
        with serving(config(sqlite_database)) as server:
            heard = whole_match(game, {}, server)
        with pytest.raises(Leak):
            scan(heard)


class Heard(msgspec.Struct):
    """All that anyone got of a match over the wire, and its record."""

    game: str
    options: dict[str, Any]
    steps: list[list[str]]
    people: dict[int | None, Person]
    right: dict[int | None, list[tuple[int, Any]]]  # what each should have been sent, after which step
    keys: list[str]
    bodies: list[tuple[int | None, dict[str, Any]]]  # of HTTP: whose, and what


def whole_match(game: str, options: dict[str, Any], server: Server) -> Heard:
    """Two people and a bot play, someone watches; sockets and HTTP are listened to."""
    api = Api(server.url)
    table, keys = api.make(game, SEATS, people=2, spectators="public", options=options)
    bodies: list[tuple[int | None, dict[str, Any]]] = []

    async def play() -> dict[int | None, Person]:
        people: dict[int | None, Person] = {q: await Person(server.url, table, keys[q]).connect() for q in (0, 1)}
        people[None] = await Person(server.url, table).connect()
        await people[0].ask("start")
        async with httpx.AsyncClient(base_url=f"{server.url}/api/tables/{table}", verify=TRUST) as client:
            while people[0].phase != "over":
                for seat, key in ((0, keys[0]), (1, keys[1]), (None, None)):
                    headers = {"Authorization": f"Bearer {key}"} if key else {}
                    body = (await client.get("/seen", headers=headers)).json()
                    bodies.append((seat, body))
                    if body.get("ask") is not None and key:
                        wish = {"texts": [body["legal"][-1]]}
                        previewed = await client.post("/preview", json=wish, headers=headers)
                        if previewed.status_code == 200:  # else they went on, and it repeats the card that we named
                            bodies.append((seat, previewed.json()))
                    record = await client.get("/record", headers=headers)
                    if record.status_code != 200:  # it is over by now
                        bodies.append((seat, record.json()))
                await asyncio.sleep(0.03)
        for person in people.values():
            await person.over()
        return people

    people = run(play())
    stored = [step.lines for step in server.stored(table)]
    assert [line for lines in stored for line in lines] == server.lines(table)
    right = {eyes: expected(game, options, stored, eyes) for eyes in people}
    return Heard(game, options, stored, people, right, keys, bodies)


def compare(heard: Heard) -> None:
    """Every client was sent what a replay of the record shows it, in order, and nothing else."""
    for eyes, person in heard.people.items():
        right = [now for _, now in heard.right[eyes]]
        assert received(person) == right
        for other, body in heard.bodies:
            if other == eyes and body["type"] == "seen":
                assert {f: body[f] for f in right[0]} in right
    # Nobody's key is told to anybody, and tables tell nothing of the match before it is over.
    for person in heard.people.values():
        whole = "".join(person.raw)
        assert not any(key in whole for key in heard.keys)
        for frame in person.frames:
            assert frame["type"] in {"welcome", "table", "seen", "done", "refused"}
            if frame["type"] == "table":
                assert set(frame) <= {*Table.__struct_fields__, "type"}
                assert all(set(seat) <= set(SeatInfo.__struct_fields__) for seat in frame["seats"])
                assert frame["result"] is None or frame["phase"] == "over"
            if frame["type"] == "refused":
                assert frame["reason"]["code"] == "server.act.stale"


def scan(heard: Heard) -> int:
    """No card is named to anyone who cannot know where it is; how many messages were looked at."""
    looked = 0
    for eyes, person in heard.people.items():
        moments = Moments(heard.game, SEATS, heard.options, heard.steps, eyes)
        right = heard.right[eyes]
        frames = [frame for frame in person.frames if frame["type"] == "seen"]
        since = 0
        for (step, _), frame in zip(right, frames, strict=True):
            moments.scan(frame, step, since)
            since, looked = step, looked + 1
        for frame in person.frames:
            if frame["type"] != "seen" and frame.get("phase") != "over":
                nothing_named(heard.game, frame)
        looked += scan_bodies(heard, eyes, moments, right)
    return looked


def scan_bodies(heard: Heard, eyes: int | None, moments: Moments, right: list[tuple[int, Any]]) -> int:
    """The same for what HTTP answered, previews among it."""
    at, looked = 0, 0
    for other, body in heard.bodies:
        if other != eyes:
            continue
        looked += 1
        if body["type"] == "seen":
            at = next(step for step, now in right if all(now[f] == body[f] for f in now))
            moments.scan(body, at, 0)
        elif body["type"] == "previewed":  # made at that moment, or, when others were quick, soon after it
            for step in range(at, len(heard.steps)):
                with contextlib.suppress(Leak):
                    moments.scan(body, step, at)
                    break
            else:
                moments.scan(body, at, at)
        else:
            assert body["type"] == "refused"
            nothing_named(heard.game, body)
    return looked


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
        now: dict[int | None, Any] = {q: match.see(q) for q in range(match.seats)}
        if before:
            for q in range(3):
                decided = q == step.seat and step.ask is not None  # and not a signal
                moved = decided or asked(before[q]) != asked(now[q])
                assert step.asks[q] == asks[q] + moved
        before, asks = now, step.asks


def asked(seen: Any) -> object:
    return seen.legal, Sight.of(seen).asked


def test_a_sealed_choice_sends_nothing_but_that_it_was_made(server: Server) -> None:
    """In the toy game who is done is visible, what was bid is not: the others get the same bytes for every bid."""
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
        await ben.ask("preview", texts=seen["legal"][:1])  # everything sent before comes before its answer
        count += 1
        assert len(ben.frames) == count  # neither trying nor being refused shows
        await ada.ask("act", ask=seen["ask"], texts=seen["legal"][:1])
        await ben.until(lambda: len(ben.frames) > count)
        assert len(ben.frames) == count + 1
        assert ben.frames[-1]["view"]["done"] == [0]
        assert seen["legal"][0].split()[1] not in str(ben.frames[-1]["heard"])
        assert ben.frames[-1]["ask"] == ben.frames[-3]["ask"]
        for person in (ada, ben):
            await person.close()

    run(play())


@pytest.mark.parametrize("leak", ["spectators see a hand", "every change is sent to all", "a number moves with others"])
def test_planted_leaks_are_found(leak: str, sqlite_database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests above would notice."""
    if leak == "spectators see a hand":
        monkeypatch.setattr(LiveTable, "view", lambda self, seat: self.views.get(seat or 0))
    elif leak == "every change is sent to all":
        publish = LiveTable.publish_view

        def always(self: LiveTable, subscriber: Subscriber) -> None:
            subscriber.asked = (-1, None, None)  # as if it had changed
            publish(self, subscriber)

        monkeypatch.setattr(LiveTable, "publish_view", always)
    else:
        monkeypatch.setattr(Sight, "asks_as", lambda self, other: False)
    with serving(config(sqlite_database)) as server:
        if "number" in leak:
            with pytest.raises(AssertionError):
                test_the_number_of_a_question_follows_from_what_its_seat_sees("toy", server)
        else:
            heard = whole_match("toy", {}, server)
            with pytest.raises(AssertionError):
                compare(heard)


def test_whoever_looks_over_a_shoulder_is_sent_nothing_when_only_the_question_changes() -> None:
    """What is compared before something is sent has nothing of the question either: else the moment would tell."""
    before = Sight(msgspec.Raw(b"{}"), ["a", "b"], ["0 x"], [], None, "ask")
    after = Sight(msgspec.Raw(b"{}"), ["a"], ["0 x"], ["nod"], "b", "other")
    assert before != after
    assert as_spectator(before) == as_spectator(after)
    assert as_spectator(before) != as_spectator(msgspec.structs.replace(before, view=msgspec.Raw(b"[]")))
