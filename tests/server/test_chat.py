"""Chat: closed during a silent game; a message belongs to the person who wrote it."""

from __future__ import annotations

from typing import Any

import pytest

from tacit.server.live_table import LiveTable
from tests.server.harness import Api, Person, Server, config, run, serving


@pytest.fixture
def api(server: Server) -> Api:
    return Api(server.url)


def code(answer: Any) -> str:
    body = answer if isinstance(answer, dict) else answer.json()
    return str(body["reason"]["code"])


def lines(person: Person) -> list[tuple[str | None, str]]:
    return [(frame["name"], frame["text"]) for frame in person.frames if frame["type"] == "said"]


# ------------------------------------------------------------------ silence
@pytest.mark.parametrize("game", ["silencio", "silent-planet"])
def test_a_silent_game_is_silent_while_it_is_played(game: str, database: str) -> None:
    with serving(config(database)) as server:
        api = Api(server.url)
        table, keys = api.make(game, 2, people=2)
        path = f"/api/tables/{table}/chat"
        assert api.post(path, keys[0], text="Good luck!").status_code == 200
        api.start(table, keys[0])
        refused = api.post(path, keys[1], text="psst")
        assert (refused.status_code, code(refused)) == (403, "server.chat.silent")
        assert "before the match and after it" in refused.json()["sentence"]

        async def play() -> None:
            ada, ben = [await Person(server.url, table, key).connect() for key in keys]
            await ben.until(lambda: ben.seen)
            assert code(await ben.ask("chat", text="psst")) == "server.chat.silent"
            await ada.over()
            assert (await ada.ask("chat", text="Well played."))["type"] == "done"
            await ben.until(lambda: len(lines(ben)) == 2)
            assert lines(ben) == [("Guest 0", "Good luck!"), ("Guest 0", "Well played.")]

        run(play())
    with serving(config(database)) as server:  # and what was said is there after a restart

        async def look() -> None:
            ben = await Person(server.url, table, keys[1], choose=None).connect()
            await ben.until(lambda: len(lines(ben)) == 2)

        run(look())


def test_nobody_talks_into_a_silent_match_that_another_process_has_begun(
    postgres_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store decides, not what a process has heard of the start."""
    with serving(config(postgres_database)) as one, serving(config(postgres_database)) as two:
        table, keys = Api(one.url).make("silencio", 2, people=2)
        assert Api(two.url).post(f"/api/tables/{table}/chat", keys[1], text="Hello").status_code == 200
        monkeypatch.setattr(two.app.bus, "_on_note", lambda note: None)
        Api(one.url).start(table, keys[0])
        refused = Api(two.url).post(f"/api/tables/{table}/chat", keys[1], text="I hold the red 9")
        assert code(refused) == "server.chat.silent"
        assert "red 9" not in [line.text for line in one.app.tables.loaded[table].chat]


def test_what_is_said_in_a_silent_game_reaches_the_seats_alone(server: Server, api: Api) -> None:
    table, keys = api.make("silencio", 2, people=2, spectators="public")

    async def play() -> None:
        ada, ben = [await Person(server.url, table, key).connect() for key in keys]
        watcher = await Person(server.url, table, choose=None).connect()
        await watcher.until(lambda: watcher.last("table"))
        assert (await ada.ask("chat", text="unheard-of"))["type"] == "done"
        await ada.ask("start")
        await ben.over()
        await ada.ask("chat", text="unheard-of again")
        await ben.until(lambda: len(lines(ben)) == 2)
        await watcher.over()
        assert "unheard-of" not in "".join(watcher.raw)

    run(play())
    for path in ("", "/seen", "/record", "/replay", "/outline"):
        assert "unheard-of" not in api.get(f"/api/tables/{table}{path}").text


# ------------------------------------------------------------------ whose words they are
def test_words_stay_with_whoever_said_them(server: Server, api: Api) -> None:
    """Mallory talks and leaves, Ben takes the seat: the words are Mallory's, also for those who come later."""
    made = api.post("/api/tables", game="zombie-city", seats=3, name="Ada").json()
    table, ada_key = made["table"], made["key"]
    mallory = api.post(f"/api/tables/{table}/join", name="Mallory", seat=1).json()["key"]
    assert api.post(f"/api/tables/{table}/chat", mallory, text="I cheat.").status_code == 200
    assert api.post(f"/api/tables/{table}/leave", mallory).status_code == 200
    ben_key = api.post(f"/api/tables/{table}/join", name="Ben", seat=1).json()["key"]

    async def play(server: Server) -> None:
        ada = await Person(server.url, table, ada_key, choose=None).connect()
        ben = await Person(server.url, table, ben_key, choose=None).connect()
        assert (await ben.ask("chat", text="Hello."))["type"] == "done"
        await ada.until(lambda: len(lines(ada)) >= 2)
        assert lines(ada)[:2] == [("Mallory", "I cheat."), ("Ben", "Hello.")]
        seats = ada.last("table")["seats"]
        said = [frame for frame in ada.frames if frame["type"] == "said"]
        assert said[0]["person"] not in [seat["person"] for seat in seats]
        assert said[1]["person"] == seats[1]["person"]
        await ben.ask("claim", seat=2)  # Ben moves, and his words with him
        await ada.until(lambda: ada.last("table")["seats"][2]["name"] == "Ben")
        assert ada.last("table")["seats"][2]["person"] == said[1]["person"]

    run(play(server))


def test_a_mute_follows_the_person_not_the_seat(server: Server, api: Api) -> None:
    made = api.post("/api/tables", game="zombie-city", seats=4, name="Ada").json()
    table, ada_key = made["table"], made["key"]
    keys = [api.post(f"/api/tables/{table}/join", name=name).json()["key"] for name in ("Mallory", "Ben")]

    async def play() -> None:
        ada = await Person(server.url, table, ada_key, choose=None).connect()
        mallory, ben = [await Person(server.url, table, key, choose=None).connect() for key in keys]
        assert (await ada.ask("mute", seat=1))["type"] == "done"
        assert code(await ada.ask("mute", seat=3)) == "server.seat.not-person"
        await mallory.ask("claim", seat=3)
        await ben.ask("claim", seat=1)
        await mallory.ask("chat", text="still here")
        await ben.ask("chat", text="and I?")
        await ada.until(lambda: lines(ada))
        assert lines(ada) == [("Ben", "and I?")]
        await ada.ask("mute", seat=3, chat="heard")
        await mallory.ask("chat", text="sorry")
        await ada.until(lambda: lines(ada)[-1] == ("Mallory", "sorry"))

    run(play())


def test_nothing_of_a_key_is_in_the_mark_of_a_person(server: Server, api: Api) -> None:
    table, keys = api.make("toy", 2, people=2)
    live: LiveTable = server.app.tables.loaded[table]
    shown = api.get(f"/api/tables/{table}").text
    for key, seat_row in zip(keys, live.row.seats, strict=True):
        assert key not in shown
        assert seat_row.key_hash is not None
        assert seat_row.key_hash[:12] not in shown


def test_others_chat_and_mute(server: Server, api: Api) -> None:
    table, keys = api.make("zombie-city", 2, people=2, spectators="public")

    async def play() -> None:
        ada, ben = [await Person(server.url, table, key, choose=None).connect() for key in keys]
        watcher = await Person(server.url, table, choose=None).connect()
        assert (await ada.ask("chat", text="Hello\nthere "))["type"] == "done"
        await ben.until(lambda: ben.last("said"))
        assert (ben.last("said")["seat"], ben.last("said")["text"]) == (0, "Hello there")
        assert code(await ada.ask("chat", text="x" * 301)) == "server.unreadable"
        assert code(await ada.ask("chat", text="\ufb2c" * 200)) == "server.chat.long"
        assert code(await ada.ask("chat", text="\n")) == "server.chat.empty"
        assert code(await ada.ask("chat", text="\u3164\u2800")) == "server.chat.empty"
        assert code(await watcher.ask("chat", text="me too")) == "server.key.none"
        await ben.ask("mute", seat=0)
        await ada.ask("chat", text="Anyone?")
        await ben.ask("chat", text="No.")
        await ada.until(lambda: ada.last("said").get("text") == "No.")
        assert [text for _, text in lines(ben)] == ["Hello there", "No."]
        assert [text for _, text in lines(ada)] == ["Hello there", "Anyone?", "No."]
        assert not lines(watcher)
        again = await Person(server.url, table, keys[0], choose=None).connect()
        await again.until(lambda: again.last("said").get("text") == "No.")

    run(play())


def test_chat_is_one_plain_line(server: Server, api: Api) -> None:
    table, keys = api.make("zombie-city", 2, people=2)
    sent = "a\nb\u202e<b>" + "\u0301" * 40
    assert api.post(f"/api/tables/{table}/chat", keys[0], text=sent).status_code == 200

    async def listen() -> str:
        ben = await Person(server.url, table, keys[1], choose=None).connect()
        return str((await ben.until(lambda: ben.last("said")))["text"])

    assert run(listen()) == "a b <b>" + "\u0301" * 3
