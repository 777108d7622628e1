"""Aids at a table: an option that all see, kept in the record; each seat is told what it alone can work out. Notes and
hints: nobody else is told, and they are there on every device, in every process and after a restart.
"""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from tacit import GAMES, Match, game_named
from tacit.core.messages import Message, render
from tacit.core.outlook import outlook
from tacit.server.hints import MAX_HINTS, hint_bot, hint_for
from tests.server.harness import Api, Person, Server, config, run, serving
from tests.server.pairs import pair_for

LANGUAGES = ("en", "de", "nl")


def test_a_seat_is_told_what_it_can_work_out_where_the_table_has_aids(server: Server) -> None:
    api = Api(server.url)
    name, keys = api.make("silencio", 2, people=2, aids="known", visibility="open")
    table = f"/api/tables/{name}"
    assert reason(api.post(f"{table}/work-out", keys[0])) == "server.phase.not-started"
    api.start(name, keys[0])
    assert [one["aids"] for one in api.get("/api/lobby").json()["tables"] if one["table"] == name] in ([], ["known"])
    told = [api.post(f"{table}/work-out", key).json() for key in keys]
    assert [one["type"] for one in told] == ["worked-out", "worked-out"]
    places = [[place["place"] for place in one["outlook"]["places"]] for one in told]
    assert places == [["hand 1", "deck"], ["hand 0", "deck"]]
    assert reason(api.post(f"{table}/work-out")) == "server.key.none"
    assert [api.post(f"{table}/work-out", key).json() for key in keys] == told

    bare, others = api.make("silencio", 2)
    api.start(bare, others[0])
    assert reason(api.post(f"/api/tables/{bare}/work-out", others[0])) == "server.aids.none"
    assert reason(api.post("/api/tables", game="silencio", seats=2, aids="all")) == "server.unreadable"


def everybody(person: Person) -> bool:
    """Does a client know that both people are here?"""
    return all(seat["presence"] == "here" for seat in person.last("table")["seats"])


def reason(answer: httpx.Response) -> str:
    assert answer.json()["type"] == "refused"
    return str(answer.json()["reason"]["code"])


def test_what_is_told_follows_from_what_the_seat_knows() -> None:
    """Two matches that differ only in what seat 0 does not see."""
    game = game_named("silencio")
    match = Match(game, 3, seed=4)
    other = match.game.know(match.state, 0)
    game.rules.imagine(other, 0, [5, 6, 7, 8])
    assert other != match.state
    assert outlook(game, game.know(other, 0), 0) == match.outlook(0)


def test_notes_and_hints_are_the_seats_own_on_every_device_in_every_process_and_after_a_restart(database: str) -> None:
    """What others are sent while one writes and asks: nothing. After a restart, and in another process, it is there."""
    secret = "surely a low green"
    with serving(config(database)) as first:
        api = Api(first.url)
        name, keys = api.make("toy", 2, people=2, aids="hints", spectators="public")
        api.start(name, keys[0])
        table = f"/api/tables/{name}"

        async def play() -> None:
            ada = await Person(first.url, name, keys[0], choose=None).connect()
            phone = await Person(first.url, name, keys[0], choose=None).connect()
            ben = await Person(first.url, name, keys[1], choose=None).connect()
            eve = await Person(first.url, name, None, choose=None).connect()
            others = (ben, eve)
            seen = await ada.asked()
            for other in others:
                await other.until(lambda one=other: one.seen and everybody(one))  # type: ignore[misc]
                await other.ask("preview", texts=["nothing"])  # everything sent before comes before its answer
            counts = [len(other.frames) for other in others]
            assert (seen["notes"], seen["hints_left"]) == ({}, MAX_HINTS)
            assert (await ada.ask("note", place="hand 1", text=f"  {secret} "))["type"] == "done"
            hint = await ada.ask("hint", ask=seen["ask"])
            assert (hint["type"], hint["left"]) == ("hinted", MAX_HINTS - 1)
            assert hint["text"] in seen["legal"]
            assert (await ada.ask("hint", ask=seen["ask"])) | {"id": 0} == hint | {"id": 0}  # costs nothing again
            await phone.until(lambda: phone.seen["notes"] == {"hand 1": secret})
            await phone.until(lambda: phone.seen["hints_left"] == MAX_HINTS - 1)
            for other, count in zip(others, counts, strict=True):
                await other.ask("preview", texts=["nothing"])
                assert len(other.frames) == count + 1
                assert secret not in "".join(other.raw)
                assert other.seen["notes"] == {}
                assert other.last("table")["seats"][0]["hints"] == 0  # until it is over
            for person in (ada, phone, *others):
                await person.close()

        run(play())
        ask = api.get(f"{table}/seen", keys[0]).json()["ask"]
        told = api.post(f"{table}/hint", keys[0], ask=ask).json()
        if database.startswith("postgres"):
            with serving(config(database)) as second:
                there = Api(second.url)
                assert there.get(f"{table}/seen", keys[0]).json()["notes"] == {"hand 1": secret}
                assert there.post(f"{table}/hint", keys[0], ask=ask).json() == told
        for place in ("hand", "hand 1 2 3", "Hand 1", "../x", "hand one", ""):
            expected = "server.unreadable" if place != "hand" else ""
            answer = api.post(f"{table}/note", keys[0], place=place, text="x").json()
            assert answer["type"] == "done" if not expected else answer["reason"]["code"] == expected
        assert reason(api.post(f"{table}/note", None, place="deck", text="x")) == "server.key.none"
        assert api.post(f"{table}/note", keys[0], place="hand").json()["type"] == "done"  # removed
    with serving(config(database)) as again:
        api = Api(again.url)
        mine, theirs = (api.get(f"{table}/seen", key).json() for key in keys)
        assert (mine["notes"], mine["hints_left"]) == ({"hand 1": secret}, MAX_HINTS - 1)
        assert (theirs["notes"], theirs["hints_left"]) == ({}, MAX_HINTS)
        assert api.post(f"{table}/hint", keys[0], ask=ask).json() == told
        for path in (table, f"{table}/seen", f"{table}/outline?eyes=public"):
            assert secret not in api.get(path, keys[1]).text


def test_three_hints_a_match_are_counted_in_the_result(server: Server) -> None:
    api = Api(server.url)
    name, keys = api.make("silver-and-gold", 2, people=1, aids="hints")  # it has choices enough in every deal
    table = f"/api/tables/{name}"
    hinted: list[str] = []

    async def play() -> None:
        ada = await Person(server.url, name, keys[0], choose=None).connect()
        await ada.ask("start")
        number = 0
        while ada.phase != "over":
            await ada.until(lambda n=number: ada.phase == "over" or (ada.seen.get("ask") or 0) > n)  # type: ignore[misc]
            seen = ada.seen
            if ada.phase == "over":
                break
            number = seen["ask"]
            answer = await ada.ask("hint", ask=number)
            hinted.append(answer["reason"]["code"] if answer["type"] == "refused" else "hint")
            if answer["type"] == "hinted":
                assert all(
                    render(message_of(answer[field]), language) for field in ("offer", "why") for language in LANGUAGES
                )
            await ada.ask("act", ask=number, texts=seen["legal"][:1])
        assert (await ada.ask("hint", ask=number))["reason"]["code"] == "server.act.stale"
        assert ada.last("table")["seats"][0]["hints"] == MAX_HINTS
        await ada.close()

    run(play())
    assert hinted.count("hint") == MAX_HINTS
    assert set(hinted) <= {"hint", "server.hint.only", "server.hint.spent"}
    assert "server.hint.spent" in hinted
    record = api.get(f"{table}/record", keys[0]).text
    assert 'tag aids "hints"' in record
    assert f'tag hints0 "{MAX_HINTS}"' in record
    deal = api.post(f"{table}/challenge", keys[0]).json()["deal"]["deal"]
    listed = api.get(f"/api/deals/{deal}/results", keys[0]).json()
    assert "server.uncounted.aids" in str(listed)


def message_of(one: Any) -> Any:
    """A message of a message's JSON."""
    return Message(one["code"], {k: message_of(v) for k, v in one["params"].items()}) if isinstance(one, dict) else one


def test_no_hints_where_the_table_has_none_or_plays_a_deal(server: Server) -> None:
    api = Api(server.url)
    name, keys = api.make("toy", 2, people=2, aids="known")
    api.start(name, keys[0])
    assert reason(api.post(f"/api/tables/{name}/hint", keys[0], ask=1)) == "server.hint.none"
    assert api.post(f"/api/tables/{name}/note", keys[0], place="hand 1", text="low").json()["type"] == "done"
    daily = api.get("/api/daily").json()["deals"][0]
    wish = {"game": daily["game"], "seats": daily["seats"], "deal": daily["deal"], "name": "Ada", "aids": "hints"}
    made = api.post("/api/tables", **wish).json()
    assert api.get(f"/api/tables/{made['table']}", made["key"]).json()["aids"] == "none"
    assert reason(api.post(f"/api/tables/{made['table']}/hint", made["key"], ask=1)) == "server.aids.none"
    assert reason(api.post(f"/api/tables/{made['table']}/note", made["key"], place="deck")) == "server.aids.none"


def test_hints_come_from_bots_that_sit_with_strangers() -> None:
    found = {game: hint_bot(game_named(game)) for game in GAMES}
    assert found == {
        "silencio": "partner",
        "silver-and-gold": "learned",
        "zombie-city": "learned",
        "silent-planet": "steady",
    }


@pytest.mark.parametrize("game", GAMES)
def test_a_hint_and_its_reason_follow_from_what_the_seat_knows(game: str) -> None:
    """Two matches that look alike to seat 1 and differ in hidden cards: the same hint, word for word."""
    pair = pair_for(game, 3, {}, 1, 0)
    one, two = pair.records
    assert one.lines != two.lines
    looked = 0
    matches = [Match(game, 3, settle=False) for _ in range(2)]
    for lines in zip(one.lines, two.lines, strict=True):
        for match, line in zip(matches, lines, strict=True):
            match.replay(line)
        if 1 in matches[0].due and len(matches[0].legal(1)) > 1 and looked < 6:
            first, second = (hint_for(match, 1) for match in matches)
            assert first == second
            looked += 1
    assert looked
