"""Aids at a table: an option that all see, kept in the record; each seat is told what it alone can work out."""

from __future__ import annotations

import httpx

from tacit import Match, game_named
from tacit.core.outlook import outlook
from tests.server.harness import Api, Server


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
