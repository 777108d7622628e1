"""Looking at matches again, from any eyes: a seat's eyes show what that seat saw live, and not a line more."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from tacit import GAMES, Match
from tacit.core.errors import TacitError
from tacit.server import replays
from tests.server.harness import Api, Person, Server, run
from tests.server.pairs import pair_for


@pytest.fixture
def api(server: Server) -> Api:
    return Api(server.url)


def a_match(game: str, seats: int = 3) -> Match:
    """A finished match, with signals where the game has them."""
    chance = random.Random(5)
    match = Match(game, seats, seed=5, tags={"seat0": "Ada", "bot1": "random", "date": "2026-11-15"})
    while not match.over:
        for q in range(seats):
            if match.signals(q) and chance.random() < 0.2:
                match.signal(q, chance.choice(match.signals(q)))
        seat = chance.choice(sorted(match.due))
        match.play(seat, chance.choice(match.legal(seat)))
    return match


@pytest.mark.parametrize("game", [*GAMES, "toy"])
def test_a_brought_record_is_shown_from_every_eyes(game: str, api: Api) -> None:
    match = a_match(game)
    outlines = {}
    for eyes in ("0", "1", "2", "public", "open"):
        outline = api.post("/api/outline", record=str(match), eyes=eyes).json()
        assert (outline["game"], outline["date"], outline["result"]) == (game, "2026-11-15", match.result)
        assert [seat["name"] for seat in outline["seats"]] == ["Ada", None, None]
        assert [seat["bot"] for seat in outline["seats"]] == [None, "random", None]
        assert len(outline["steps"]) == len(match.lines)
        outlines[eyes] = outline["steps"]
    for line, step in zip(match.lines, outlines["open"], strict=True):
        assert step["told"][0]["code"] == match.game.rules.tell(line).code
        words = line.split()
        assert step["what"] == {"*": "chance", "!": "signal"}.get(words[0], "decision")
        who = None if words[0] == "*" else int(words[1] if words[0] == "!" else words[0])
        assert step["who"] == who
    again = Match(game, 3, match.options, settle=False)
    heard: dict[int | None, list[str]] = {q: again.see(q).heard for q in (0, 1, 2, None)}
    for number, line in enumerate(match.lines, 1):
        again.replay(line)
        for q, name in ((0, "0"), (1, "1"), (2, "2"), (None, "public")):
            now = again.see(q).heard
            if now[: len(heard[q])] == heard[q]:  # if no lines were withdrawn, a step has the lines heard since
                news = [again.game.rules.tell(text) for text in now[len(heard[q]) :]]
                assert outlines[name][number - 1]["told"] == plain(news)
            heard[q] = now
        if number % 29 == 0 or number == len(match.lines):
            for q, name in ((1, "1"), (None, "public"), (None, "open")):
                shown = api.post("/api/replay", record=str(match), eyes=name, step=number).json()
                assert (shown["step"], shown["steps"]) == (number, len(match.lines))
                assert shown["view"] == plain(again.see(q).view)
                assert shown["heard"] == (again.lines if name == "open" else again.see(q).heard)
                assert shown["views"] == (plain([again.see(s).view for s in range(3)]) if name == "open" else None)
                assert shown["result"] == again.result


@pytest.mark.parametrize("game", GAMES)
def test_open_eyes_are_told_all_that_everybody_was_told(game: str) -> None:
    replay = replays.Replay(str(a_match(game)))
    openly = [line for step in replay.told_openly for line in step]
    publicly = [line for step in replay.told[None] for line in step if "?" not in line]
    assert set(publicly) <= set(openly)
    decisions = [line for line in openly if line[0].isdecimal() and " row " not in line]
    assert len(decisions) == sum(line[0].isdecimal() for line in replay.whole.lines)  # each once


def plain(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


@pytest.mark.parametrize("game", ["silver-and-gold", "toy"])
def test_a_seats_eyes_show_what_it_saw_live_at_that_step(game: str, server: Server, api: Api) -> None:
    table, keys = api.make(game, 2, people=2, spectators="public")

    async def play() -> tuple[list[Person], Person]:
        people = [await Person(server.url, table, key).connect() for key in keys]
        watcher = await Person(server.url, table).connect()
        await watcher.until(lambda: watcher.last("table"))
        await people[0].ask("start")
        for person in (*people, watcher):
            await person.over()
        return people, watcher

    people, watcher = run(play())
    steps = server.stored(table)
    ends = [sum(len(step.lines) for step in steps[: n + 1]) for n in range(len(steps))]
    for eyes, person in (("0", people[0]), ("1", people[1]), ("public", watcher)):
        live = [frame for frame in person.frames if frame["type"] == "seen"]
        shown: list[Any] = []
        for end in ends:
            now = api.get(f"/api/tables/{table}/replay?eyes={eyes}&step={end}", keys[0]).json()
            if not shown or (now["view"], now["heard"]) != shown[-1]:
                shown.append((now["view"], now["heard"]))
        heard: list[str] = []
        seen: list[Any] = []
        for frame in live:
            heard = heard[: frame["keep"]] + frame["heard"]
            if not seen or (frame["view"], heard) != seen[-1]:
                seen.append((frame["view"], heard))
        assert shown == seen
    record = api.get(f"/api/tables/{table}/record", keys[0]).text
    brought = api.post("/api/outline", record=record, eyes="open").json()
    assert api.get(f"/api/tables/{table}/outline?eyes=open", keys[0]).json() == brought
    assert brought["date"] is not None


def test_broken_records_and_wrong_eyes_are_refused(api: Api) -> None:
    record = str(a_match("toy"))
    lines = record.splitlines()
    lines[8] = "0 dance"
    refused = api.post("/api/replay", record="\n".join(lines))
    assert refused.status_code == 400
    assert refused.json()["sentence"].startswith("Line 9")
    wrongs: list[dict[str, Any]] = [{"record": ""}, {"record": "\x00\n\x00"}, {"record": record, "eyes": "7"}]
    for wrong in wrongs:
        answer = api.post("/api/outline", **wrong)
        assert (answer.status_code, answer.json()["type"]) == (400, "refused")
    for eyes in ("x", "-1", "", "99", "Open"):
        assert api.post("/api/replay", record=record, eyes=eyes).json()["reason"]["code"] == "server.unreadable"
    large = api.post("/api/replay", record="#" * 600_000)
    assert (large.status_code, large.json()["reason"]["code"]) == (413, "server.too-large")
    table, keys = api.make("toy", 2, people=2)
    wrong_eyes = api.get(f"/api/tables/{table}/replay?eyes=x", keys[0])
    assert wrong_eyes.json()["reason"]["code"] == "server.replay.eyes"
    unfinished = "\n".join(record.splitlines()[:-3])
    assert api.post("/api/replay", record=unfinished, step=99).json()["result"] is None


def test_only_the_reels_looked_at_last_are_kept(server: Server, api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replays, "MAX_CACHED", 3)
    record = str(a_match("toy"))
    for number in range(5):
        assert api.post("/api/replay", record=f"{record}# {number}\n").status_code == 200
    assert len(server.app.api.replays.cached) == 3


def test_a_planted_leak_in_replays_is_found(server: Server, api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    """Were a seat shown another's eyes, the tests above would notice."""
    monkeypatch.setattr(replays.Replay, "seat", lambda self, eyes: 0)
    with pytest.raises(AssertionError):
        test_a_brought_record_is_shown_from_every_eyes("toy", api)
    with pytest.raises(AssertionError):
        test_a_seats_eyes_show_what_it_saw_live_at_that_step("toy", server, api)


# ------------------------------------------------------------------ a decision at a moment
def shown(replay: replays.Replay, step: int, text: str) -> bytes:
    try:
        return msgspec.json.encode(replay.at("1", step, text))
    except TacitError as error:
        return msgspec.json.encode(error.message)


@pytest.mark.parametrize("game", GAMES)
def test_a_decision_is_shown_by_what_its_seat_knew(game: str) -> None:
    """Two matches that look alike to seat 1: at each of its moments any decision, allowed or not, shows it the same."""
    pair = pair_for(game, 3, {}, 1, 0)
    one, two = (replays.Replay(str(match)) for match in pair.records)
    asked, told = 0, set()
    again = Match(game, 3, settle=False, seed=0)
    for step, line in enumerate(pair.records[0].lines):
        if 1 in again.due:
            legal = again.legal(1)
            for text in dict.fromkeys(
                [legal[0], legal[-1], *(other.partition(" ")[2] for other in pair.decisions()[:4])]
            ):
                found = shown(one, step, text)
                assert found == shown(two, step, text), (step, text)
                told.add(found)
                asked += 1
        again.replay(line)
    assert asked > 3
    assert len(told) > 3


def test_a_shown_decision_is_a_preview_and_needs_a_seats_eyes(server: Server, api: Api) -> None:
    match = a_match("silencio")
    step = next(i for i, line in enumerate(match.lines) if line.startswith("1 "))
    again = Match("silencio", 3, match.options, settle=False)
    for line in match.lines[:step]:
        again.replay(line)
    text = again.legal(1)[-1]
    asked: dict[str, Any] = {"record": str(match), "step": step, "decision": text}
    found = api.post("/api/replay", eyes="1", **asked).json()
    assert found["previewed"]["view"] == plain(again.preview(1, [text]).view)
    assert found["previewed"]["heard"]
    assert found["view"] == plain(again.see(1).view)
    for eyes in ("open", "public"):
        assert api.post("/api/replay", eyes=eyes, **asked).json()["reason"]["code"] == "server.replay.decision"
    wrong = api.post("/api/replay", eyes="1", **(asked | {"decision": "dance"}))
    assert (wrong.status_code, wrong.json()["type"]) == (409, "refused")
    table, keys = api.make("toy", 2, people=2)
    long = api.get(f"/api/tables/{table}/replay?eyes=0&decision={'x' * 201}", keys[0])
    assert long.status_code in (400, 409)
