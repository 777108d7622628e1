"""The same deal for many: the daily, challenges, duplicate matches, play from here; what counts, and who sees what."""

from __future__ import annotations

import asyncio
import datetime
import json
import os
import statistics
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
import sqlalchemy as sa

from tacit import Match, game_named
from tacit.server import best_scores
from tacit.server import deals as deals_module
from tacit.server.attempts import attempt_result
from tacit.server.best_scores import best_of, is_wanted
from tacit.server.database import new_engine
from tacit.server.deal_rows import AttemptRow, DealRow
from tacit.server.models import SeatRow, attempts
from tacit.server.protocol import Span
from tacit.server.seating import new_row
from tests.server.harness import Api, Process, Server, config, eventually, serving
from tests.server.players import GAME, SEATS, Player, dealt, live, refused, todays


# ------------------------------------------------------------------ the daily
def test_a_daily_counts_once_for_each_person(server: Server) -> None:
    ada, ben = Player(server.url, "Ada"), Player(server.url, "Ben")
    deal = todays(ada)
    assert deal["would_count"]
    assert deal["opening"] is None
    assert refused(ada.ask(f"/api/deals/{deal['deal']}/results")) == "deal.hidden"
    first, over = ada.attempt(deal)
    assert over["deal"]["counted"] is True
    assert over["commitment"] == deal["commitment"]
    second, again = ada.attempt(deal, seed=2)
    assert again["deal"]["counted"] is False
    assert again["deal"]["reason"]["code"] == "server.uncounted.again"
    assert dealt(server, first) == dealt(server, second)
    assert refused(ben.ask(f"/api/deals/{deal['deal']}/results")) == "deal.hidden"  # he has not played yet
    ben.attempt(deal, seed=3)
    results = ben.ask(f"/api/deals/{deal['deal']}/results").json()
    assert results["counted"] == 2
    assert results["total"] == 3
    assert sum(bar["count"] for bar in results["distribution"]) == 2
    assert results["mine"]["counted"]
    assert results["share"].startswith(f"tacit daily {deal['number']} · ")
    assert [team["counted"] for team in results["teams"]] == [True, True, False]
    assert results["teams"][0]["place"] == 1
    eventually(lambda: ben.ask(f"/api/deals/{deal['deal']}/results").json()["bots"] is not None)
    assert ada.ask("/api/daily").json()["streak"] == 1
    assert todays(ada)["mine"]["table"] == first
    assert refused(ada.ask("/api/daily?day=0")) == "daily.day"
    assert refused(ada.ask(f"/api/daily?day={deal['number'] + 1}")) == "daily.day"


def test_a_daily_is_the_same_after_a_restart_and_another_one_tomorrow(
    sqlite_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    with serving(config(sqlite_database)) as server:
        ada = Player(server.url, "Ada")
        deal = todays(ada)
        table, key = ada.sit(deal)
        ada.start(table, key)
        first = dealt(server, table)
        ada.play(table, key, decisions=1)
    with serving(config(sqlite_database)) as server:
        ada.url = server.url
        over = ada.play(table, key)
        assert over["deal"]["counted"] is True
        _, again = ada.attempt(deal)
        assert dealt(server, again["table"]) == first
        today = deals_module.today_number()
        monkeypatch.setattr(deals_module, "today_number", lambda: today + 1)
        tomorrow = todays(ada)
        assert tomorrow["deal"] != deal["deal"]
        assert dealt(server, ada.attempt(tomorrow)[0]) != first
        assert ada.ask("/api/daily").json()["streak"] == 2


def test_what_an_attempt_may_be(server: Server) -> None:
    ada, ben = Player(server.url, "Ada"), Player(server.url, "Ben")
    deal = todays(ada)
    game: dict[str, Any] = {"game": GAME, "seats": SEATS, "name": "Ada"}
    assert refused(ada.send("/api/tables", **game, deal="no-such-deal")) == "deal.unknown"
    assert refused(ada.send("/api/tables", **(game | {"game": "silencio"}), deal=deal["deal"])) == "deal.other"
    bots = [{"kind": "open"}, {"kind": "bot", "bot": "gentle"}, {"kind": "open"}]
    assert "bot" in refused(ada.send("/api/tables", **game, deal=deal["deal"], chairs=bots))
    watched = ada.send("/api/tables", **game, deal=deal["deal"], spectators="public").json()
    assert ada.ask(f"/api/tables/{watched['table']}").json()["spectators"] == "none"
    assert refused(ada.send(f"/api/tables/{watched['table']}/stir", watched["key"], text="mine")) == "stir.deal"
    _, by_program = ben.attempt(deal, kind="program")
    assert by_program["deal"]["reason"]["code"] == "server.uncounted.program"


def test_two_attempts_at_once_do_not_both_count(server: Server) -> None:
    ada = Player(server.url, "Ada")
    deal = todays(ada)
    first, second = ada.sit(deal), ada.sit(deal)
    ada.start(*first)
    ada.start(*second)  # a scout for the first
    assert ada.play(*second)["deal"]["counted"] is False
    assert ada.play(*first)["deal"]["counted"] is False


def test_what_a_bot_finished_is_not_ranked(server: Server) -> None:
    ada = Player(server.url, "Ada")
    ben = Player(server.url, "Ben")
    deal = todays(ada)
    table, key = ada.sit(deal, people=2)
    joined = ben.send(f"/api/tables/{table}/join", name="Ben", kind="person").json()
    ada.start(table, key)
    ben.send(f"/api/tables/{table}/leave", joined["key"])
    ada.ask(f"/api/tables/{table}/seen?wait=0.1", key)
    assert ada.send(f"/api/tables/{table}/sit-in", key, seat=joined["seat"], bot=deal["bot"]).status_code == 200
    over = ada.play(table, key)
    results = ada.ask(f"/api/deals/{deal['deal']}/results").json()
    assert results["mine"]["sat_in"] == [deal["bot"]]
    assert over["deal"]["counted"] is (not results["cooperative"])  # for herself she finished it


@pytest.mark.parametrize("cooperative", [True, False])
def test_what_a_bot_finished_is_marked_in_every_kind_of_game(
    cooperative: bool, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    """Where all share a score it is not ranked at all; otherwise those are who played to the end themselves."""
    game = game_named(GAME)
    monkeypatch.setattr(game, "cooperative", cooperative)
    match = Match(game, 2, seed=1)
    while not match.over:
        seat = min(match.due)
        match.play(seat, match.legal(seat)[0])
    row = new_row(
        game, match.options, [SeatRow(kind="person"), SeatRow(kind="person")], visibility="private", spectators="none",
        clock=None, maker_hash="",
    )  # fmt: skip
    person, bot = Span(first=1, last=4, kind="person"), Span(first=5, last=8, kind="bot", bot="steady")
    whole, left, back = [person], [person, bot], [person, bot, Span(first=9, last=9, kind="person")]
    assert attempt_result(match, row, [whole, back]).reason is None
    assert attempt_result(match, row, [whole, back]).sat_in == ["steady"]
    assert attempt_result(match, row, [whole, left]).reason == ("bot" if cooperative else None)
    assert attempt_result(match, row, [left, left]).reason == "bot"


def test_who_has_seen_the_cards_is_known_by_cookie_key_and_team(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    first_day = deals_module.DAY_ZERO - datetime.timedelta(days=10)
    monkeypatch.setattr(deals_module, "DAY_ZERO", first_day)  # so that there are earlier days
    ada, ben, cleo, dan = (Player(server.url, name) for name in ("Ada", "Ben", "Cleo", "Dan"))
    deal = todays(ada)
    path = f"/api/deals/{deal['deal']}"
    table, key = ada.sit(deal)
    ada.start(table, key)
    for door in ("seen", "record", "outline", "replay?step=3"):  # a table on a deal has no spectators
        assert refused(ben.ask(f"/api/tables/{table}/{door}")) in ("spectators.none", "deal.hidden")
    assert live(server.url, table, ben) == "spectators.none"
    over = ada.play(table, key)
    assert over["deal"]["counted"] is True
    # A team is counted once for each of its people.
    team, keys = ada.sit(deal, people=2)
    joined = cleo.send(f"/api/tables/{team}/join", name="Cleo", kind="person").json()
    ada.start(team, keys)
    with ThreadPoolExecutor(2) as pool:
        ended = list(pool.map(lambda who, one: who.play(team, one), (ada, cleo), (keys, joined["key"])))
    assert ended[0]["deal"]["reason"]["code"] == "server.uncounted.again"
    assert cleo.ask(path).json()["reason"]["code"] == "server.uncounted.again"  # her own attempt would be a second one
    # Without the cookie the key of the seat tells who it is; without the key the cookie does.
    assert Api(server.url).get(path, key).json()["reason"]["code"] == "server.uncounted.again"
    with httpx.Client(base_url=server.url) as browser:
        browser.post("/api/player")
        assert browser.get(path).json()["would_count"]
        chairs = [{"kind": "open"}] + [{"kind": "bot", "bot": deal["bot"]}] * (SEATS - 1)
        wish = {"game": GAME, "seats": SEATS, "name": "Eve", "chairs": chairs, "deal": deal["deal"]}
        seated = browser.post("/api/tables", json=wish).json()
        Api(server.url).start(seated["table"], seated["key"])
        assert browser.get(path).json()["reason"]["code"] == "server.uncounted.again"
    # A challenge made of an attempt has the same cards.
    challenge = ada.send(f"/api/tables/{table}/challenge", key).json()["deal"]
    _, third = dan.attempt(challenge)
    assert third["deal"]["counted"] is True
    assert dan.ask(path).json()["reason"]["code"] == "server.uncounted.again"
    # Options are never mixed; an earlier day is not counted.
    wish = {"game": GAME, "seats": SEATS, "name": "Ben", "deal": deal["deal"]}
    assert refused(ben.send("/api/tables", **wish, options={"low": True})) == "deal.other"
    earlier = ben.ask(f"/api/daily?day={deal['number'] - 1}").json()["deals"]
    _, late = ben.attempt(next(one for one in earlier if one["game"] == GAME))
    assert late["deal"]["reason"]["code"] == "server.uncounted.earlier"
    assert ben.ask(path).json()["would_count"]


# ------------------------------------------------------------------ the best score
def test_the_best_score_is_found_once_and_told_as_what_it_is(
    database: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:  # fmt: skip
    """Another process finds it (here one that writes down what it was asked), and the store keeps it."""
    asked = tmp_path / "asked"
    script = "import sys; open(sys.argv[1], 'a').write(sys.stdin.read()); print('{\"score\": 7, \"exact\": true}')"
    monkeypatch.setattr(best_scores, "COMMAND", (sys.executable, "-c", script, str(asked)))
    monkeypatch.setattr(game_named(GAME), "cooperative", True)
    chosen = msgspec.structs.replace(config(database), compile=True)  # the solver is compiled
    with serving(chosen) as server:
        ada, ben = Player(server.url, "Ada"), Player(server.url, "Ben")
        deal = todays(ada)
        path = f"/api/deals/{deal['deal']}/results"
        assert refused(ada.ask(path)) == "deal.hidden"
        assert not asked.exists()  # nothing is looked for, and nothing told, before somebody has finished
        ada.attempt(deal)
        assert ada.ask(path).json()["best_is"] in ("searching", "possible")
        eventually(lambda: ada.ask(path).json()["best_is"] == "possible")
        assert ada.ask(path).json()["best"] == 7
        assert refused(ben.ask(path)) == "deal.hidden"
    with serving(chosen) as server:  # kept: a new process does not ask again
        ada.url = server.url
        assert ada.ask(path).json()["best"] == 7
    question = json.loads(asked.read_text())  # one line: one question
    assert question["game"] == GAME
    assert len(question["key"]) == 64


def test_what_is_said_of_the_best_score() -> None:
    game = game_named("silencio")  # at best no card is left: 0
    deal = DealRow(
        id="d", kind="daily", game="silencio", rules_version=1, options={}, seats=3, bot="steady", subject="d", epoch=1,
        commitment="", opened=0.0,
    )  # fmt: skip
    exact = msgspec.structs.replace(deal, best_score=-2, best_exact=True)
    found = msgspec.structs.replace(deal, best_score=-5, best_exact=False)
    nothing = msgspec.structs.replace(deal, best_exact=False)
    assert best_of(deal, game, [-9], True) == (None, "searching")
    assert best_of(deal, game, [-9], False) == (-9, "found")
    assert best_of(deal, game, [-9, 0], True) == (0, "possible")  # somebody has reached it: nothing to look for
    assert best_of(exact, game, [-9], True) == (-2, "possible")
    assert best_of(found, game, [-9], True) == (-5, "found")
    assert best_of(found, game, [-3], True) == (-3, "found")
    assert best_of(nothing, game, [], True) == (None, "unknown")
    assert [is_wanted(one, game, [-9]) for one in (deal, exact, found, nothing)] == [True, False, False, False]
    assert not is_wanted(deal, game, [-9, 0])
    versus = game_named("zombie-city")
    assert best_of(deal, versus, [3, 5], True) == (5, "reached")
    assert best_of(deal, versus, [], True) == (None, "unknown")
    assert not is_wanted(deal, versus, [3])


# ------------------------------------------------------------------ challenges
@pytest.fixture
def either(database: str) -> Iterator[Server]:
    """A server on SQLite, and one on PostgreSQL."""
    with serving(config(database)) as running:
        yield running


def test_a_challenge_deals_the_cards_of_a_match_and_hides_it_from_who_plays_it(either: Server) -> None:
    server = either
    ada, ben, eve, dan = (Player(server.url, name) for name in ("Ada", "Ben", "Eve", "Dan"))
    source, key = ada.plain()
    assert dan.ask(f"/api/tables/{source}/seen").status_code == 200  # he watches
    assert refused(ben.send(f"/api/tables/{source}/challenge")) == "key.none"
    assert eve.ask(f"/api/tables/{source}/replay?eyes=open&step=3").status_code == 200  # she looks: public spectators
    made = ada.send(f"/api/tables/{source}/challenge", key).json()
    deal = made["deal"]
    assert made["link"].endswith(f"/d/{deal['deal']}")
    assert deal["finished"] == 1
    for somebody in (eve, dan):
        seen = somebody.ask(f"/api/deals/{deal['deal']}").json()
        assert not seen["would_count"]
        assert seen["reason"]["code"] == "server.uncounted.seen"
    table, mine = ben.sit(deal)
    ben.start(table, mine)
    assert dealt(server, table) == dealt(server, source)
    for door in ("replay?eyes=open&step=9", "outline", "record", "seen"):  # while he plays, nothing of it
        assert refused(ben.ask(f"/api/tables/{source}/{door}")) == "deal.playing"
    assert live(server.url, source, ben) == "deal.playing"
    assert refused(ben.ask(f"/api/deals/{deal['deal']}/results")) == "deal.hidden"
    assert refused(ben.send("/api/branch", table=source, step=3, name="Ben")) == "deal.playing"
    assert ben.play(table, mine)["deal"]["counted"] is True
    results = ben.ask(f"/api/deals/{deal['deal']}/results").json()
    assert {team["table"] for team in results["teams"]} == {source, table}
    assert ben.ask(f"/api/tables/{source}/outline?eyes=open").status_code == 200
    assert live(server.url, source, ben) is None
    assert ada.ask(f"/api/tables/{table}/outline?eyes=open").status_code == 200  # she has finished it too
    assert refused(eve.ask(f"/api/tables/{table}/outline?eyes=open")) == "deal.hidden"
    assert (
        "result" not in eve.ask(f"/api/tables/{table}").json() or not eve.ask(f"/api/tables/{table}").json()["result"]
    )
    assert refused(ben.send(f"/api/deals/{deal['deal']}/close")) == "deal.maker"
    record = ben.ask(f"/api/tables/{table}/record", mine).text
    assert ben.send("/api/check", record=record).json()["verdict"] == "unknown"
    closed = ada.send(f"/api/deals/{deal['deal']}/close").json()
    assert closed["opening"]["beginning"]
    assert eve.ask(f"/api/tables/{table}/outline?eyes=open").status_code == 200
    assert ben.send("/api/check", record=record).json()["verdict"] == "fair"
    assert ben.send("/api/check", record=record, opening=closed["opening"]).json()["verdict"] == "fair"
    forged = closed["opening"] | {"key": "00" * 32}
    assert ben.send("/api/check", record=record, opening=forged).json()["verdict"] == "wrong"
    assert eve.attempt(deal)[1]["deal"]["reason"]["code"] == "server.uncounted.closed"


# ------------------------------------------------------------------ duplicate matches
def test_a_duplicate_match_of_three_tables(either: Server) -> None:
    server = either
    host = Player(server.url, "Host")
    made = host.send("/api/duplicates", game=GAME, seats=SEATS, tables=3, deals=2, title="Club").json()
    path = f"/api/duplicates/{made['duplicate']}"
    tables = [table["table"] for table in host.ask(path).json()["tables"]]
    assert len(tables) == 3
    people = [Player(server.url, name) for name in ("Ada", "Ben", "Cleo")]
    keys = []
    for player, table in zip(people, tables, strict=True):
        joined = player.send(f"/api/tables/{table}/join", name=player.name, kind="person").json()
        assert joined["maker"]  # who comes first may start
        keys.append(joined["key"])
        assert player.send(f"/api/tables/{table}/start", keys[-1], fill="random").status_code == 200
    assert dealt(server, tables[0]) == dealt(server, tables[1]) == dealt(server, tables[2])
    people[0].play(tables[0], keys[0])
    assert people[0].ask(path).json()["deals"][0]["shown"]
    for other in (people[1], host):
        deal = other.ask(path).json()["deals"][0]
        assert not deal["shown"]
        assert deal["rows"] == []
        assert deal["finished"] == 1
        assert not other.ask(f"/api/tables/{tables[0]}").json().get("result")
        assert refused(other.ask(f"/api/deals/{deal['deal']}/results")) == "deal.hidden"
        assert refused(other.ask(f"/api/tables/{tables[0]}/record")) == "deal.hidden"
    for q in (1, 2):
        people[q].play(tables[q], keys[q], seed=q)
    match = host.ask(path).json()  # all have finished: everyone may see it
    rows = match["deals"][0]["rows"]
    assert len(rows) == 3
    assert rows[0]["place"] == 1
    if match["cooperative"]:
        assert sum(row["points"] for row in rows) == 6
    assert [row["points"] for row in match["total"]] == [row["points"] for row in rows]
    for language, words in (("en", "Table 1"), ("de", "Gesamtstand"), ("nl", "Totaalstand")):
        text = host.ask(f"{path}/print?language={language}").text
        assert text.startswith("Club\n")
        assert words in text
        assert "Cleo" in text
    by_browser = httpx.get(f"{server.url}{path}/print", headers={"Accept-Language": "xx, nl-BE;q=0.9, de;q=0.8"})
    assert "Totaalstand" in by_browser.text
    assert people[0].ask(f"/api/tables/{tables[0]}").json()["deal"]["deals"] == 2
    assert people[0].send(f"/api/tables/{tables[0]}/rematch", keys[0]).status_code == 200
    following = people[0].ask(f"/api/tables/{tables[0]}", keys[0]).json()["next"]
    assert people[0].ask(f"/api/tables/{following}").json()["deal"]["number"] == 2
    assert refused(host.send(f"{path}/close")) == "deal.maker"
    assert host.send(f"{path}/close", made["key"]).json()["open"] is False


# ------------------------------------------------------------------ play from here
def test_a_match_is_played_on_from_a_moment(server: Server) -> None:
    ada, ben = Player(server.url, "Ada"), Player(server.url, "Ben")
    source, key = ada.plain()
    record = ada.ask(f"/api/tables/{source}/record", key).text
    lines = Match.load(record).lines
    step = next(i for i, line in enumerate(lines) if not line.startswith("*")) + 1
    wish: dict[str, Any] = {
        "step": step,
        "name": "Ada",
        "chairs": [{"kind": "open"}] + [{"kind": "bot", "bot": "random"}] * 2,
    }
    assert refused(ada.send("/api/branch", step=1, name="Ada")) == "branch.what"
    assert refused(ada.send("/api/branch", **(wish | {"step": 10**6}), table=source)) == "branch.over"
    origins: list[dict[str, Any]] = [{"table": source}, {"record": record}]
    for origin in origins:
        made = ada.send("/api/branch", **wish, **origin)  # by her cookie alone: she sat there
        assert made.status_code == 201, made.text
        table, mine = made.json()["table"], made.json()["key"]
        ada.start(table, mine)
        over = ada.play(table, mine)
        assert over["branched"] == {"table": origin.get("table"), "step": step}
        again = ada.ask(f"/api/tables/{table}/record", mine).text
        assert Match.load(again).lines[:step] == lines[:step]
        assert ada.ask(f"/api/tables/{table}/outline", mine).json()["branched"] == over["branched"]
        assert f'tag branched "{origin.get("table", "record")} {step}"' in again
        assert ada.send("/api/check", record=again).json()["verdict"] == "fair"
    challenge = ada.send(f"/api/tables/{source}/challenge", key).json()["deal"]
    open_branch = ada.send("/api/branch", step=step, name="Ada", table=source).json()
    ben.send(f"/api/tables/{open_branch['table']}/join", name="Ben")  # sees cards of the match
    assert ben.ask(f"/api/deals/{challenge['deal']}").json()["reason"]["code"] == "server.uncounted.seen"


def test_only_who_may_see_the_replay_plays_on_from_it(server: Server) -> None:
    ada, ben = Player(server.url, "Ada"), Player(server.url, "Ben")
    deal = todays(ada)
    table, _ = ada.attempt(deal)
    assert refused(ben.send("/api/branch", table=table, step=2, name="Ben")) == "deal.hidden"
    running, key = ada.sit(deal)
    ada.start(running, key)
    assert refused(ada.send("/api/branch", table=running, step=2, name="Ada")) == "record.not-over"


# ------------------------------------------------------------------ processes, kills, size
def test_a_killed_server_loses_no_attempt(sqlite_database: str) -> None:
    chosen = config(sqlite_database)
    process = Process(chosen).wait()
    try:
        ada = Player(process.url, "Ada")
        deal = todays(ada)
        table, key = ada.sit(deal)
        ada.start(table, key)
        ada.play(table, key, decisions=1)
    finally:
        process.kill()
    with serving(chosen) as server:
        ada.url = server.url
        assert todays(ada)["mine"] | {"reason": None} == todays(ada)["mine"]
        assert todays(ada)["mine"]["phase"] == "playing"
        assert ada.play(table, key)["deal"]["counted"] is True
        assert ada.ask(f"/api/deals/{deal['deal']}/results").json()["counted"] == 1


def test_two_processes_on_postgres_deal_and_count_alike(postgres_database: str) -> None:
    chosen = config(postgres_database)
    with serving(chosen) as one, serving(chosen) as two:
        ada = Player(one.url, "Ada")
        deal = todays(ada)
        first, second = ada.sit(deal), ada.sit(deal)
        ada.start(*first)
        before = dealt(one, first[0])
        ada.url = two.url
        assert ada.play(*first)["deal"]["counted"] is True  # begun in one process, finished in the other
        ada.start(*second)
        assert dealt(two, second[0]) == before
        assert ada.play(*second)["deal"]["counted"] is False
        ada.url = one.url
        assert ada.ask(f"/api/deals/{deal['deal']}/results").json()["counted"] == 1
        ben = Player(one.url, "Ben")
        both = [ben.sit(deal), ben.sit(deal)]
        urls = (one.url, two.url)
        with ThreadPoolExecutor(2) as pool:  # at once, in both processes
            list(pool.map(lambda url, table: Api(url).start(*table), urls, both))
        assert not all(ben.play(*table)["deal"]["counted"] for table in both)


def test_ten_thousand_attempts_are_listed(either: Server) -> None:
    """Over HTTP, on both databases. With TACIT_LONG in less than 50 ms, which needs a machine of one's own."""
    ada = Player(either.url, "Ada")
    deal = todays(ada)
    ada.attempt(deal)
    rows = [
        AttemptRow(
            table_id=f"t{i}", deal=deal["deal"], team=None, names=["Someone", None, None], people=1, started=0.0,
            finished=1.0 + i, counted=i % 10 > 0, score=i % 37, scores=[1, 2, 3], result={}, sat_in=[],
        )
        for i in range(10_000)
    ]  # fmt: skip

    async def fill() -> None:
        engine = new_engine(either.app.store.url)
        async with engine.begin() as connection:
            await connection.execute(sa.insert(attempts), [msgspec.structs.asdict(row) for row in rows])
        await engine.dispose()

    asyncio.run(fill())
    path = f"/api/deals/{deal['deal']}/results"
    took = []
    with httpx.Client(base_url=either.url, headers=ada.player) as http:  # as a page does, on one connection
        for _ in range(21):
            began = time.perf_counter()
            results = http.get(path).json()
            took.append(time.perf_counter() - began)
    median = statistics.median(took)
    print(f"\n  10,001 attempts are listed in {1000 * median:.1f} ms (the median of {len(took)})")
    assert results["total"] == 10_001
    assert results["counted"] == 9_001
    assert len(results["teams"]) == 100
    assert "TACIT_LONG" not in os.environ or median < 0.05
