"""A match is not killed by a lost connection: bots sit in by agreement, people come back, clocks decide."""

from __future__ import annotations

import time
from typing import Any

from tests.server.harness import Api, Person, config, run, serving


def test_a_bot_sits_in_by_agreement_and_the_person_comes_back(sqlite_database: str) -> None:
    with serving(config(sqlite_database, grace=3600.0)) as server:
        api = Api(server.url)
        table, keys = api.make("silencio", 3, people=3)
        api.start(table, keys[0])

        async def play() -> None:
            ada, ben, cleo = [await Person(server.url, table, key, choose=None).connect() for key in keys]

            def seat(who: Person) -> dict[str, Any]:
                found: dict[str, Any] = who.last("table")["seats"][2]
                return found

            await ada.until(lambda: ada.last("table") and seat(ada)["presence"] == "here")
            assert (await ada.ask("sit-in", seat=2))["reason"]["code"] == "server.sit-in.here"
            assert (await ada.ask("sit-in", seat=0))["reason"]["code"] == "server.sit-in.own"
            await cleo.close()
            await ada.until(lambda: seat(ada)["presence"] == "away")
            assert seat(ada)["away_since"] is not None
            soon = await ada.ask("sit-in", seat=2)
            assert soon["reason"]["code"] == "server.sit-in.grace"
            server.app.tables.loaded[table].grace = 0.0  # an hour later
            assert (await ada.ask("sit-in", seat=2, bot="nobody"))["reason"]["code"] == "server.bot.unknown"
            assert (await ada.ask("sit-in", seat=2))["type"] == "done"
            assert seat(ada)["agreed"] == [0]
            assert seat(ada)["sitting_in"] is None  # Ben has not agreed
            assert (await ben.ask("sit-in", seat=2))["type"] == "done"
            assert seat(ben)["sitting_in"] == "steady"
            await ada.until(lambda: seat(ada)["sitting_in"] == "steady")
            assert (await ben.ask("sit-in", seat=2))["reason"]["code"] == "server.sit-in.already"
            # The match goes on without Cleo …
            ada.choose = ben.choose = lambda seen: seen["legal"][:1]
            for person in (ada, ben):
                if person.seen["ask"] is not None:
                    await person.send("act", ask=person.seen["ask"], texts=person.seen["legal"][:1])
            await ada.until(lambda: any(line.startswith("2 ") for line in server.lines(table)))
            # … and she takes her seat back.
            back = await Person(server.url, table, keys[2], choose=None).connect()
            assert (await back.ask("return"))["type"] == "done"
            await back.until(lambda: seat(back)["sitting_in"] is None)
            assert (await back.ask("return"))["reason"]["code"] == "server.return.not-away"
            back.choose = lambda seen: seen["legal"][:1]
            if back.seen.get("ask") is not None:
                await back.send("act", ask=back.seen["ask"], texts=back.seen["legal"][:1])
            for person in (ada, ben, back):
                await person.over()
                await person.close()

        run(play())


def test_who_leaves_need_not_be_waited_for_and_deciding_brings_them_back(sqlite_database: str) -> None:
    with serving(config(sqlite_database, grace=3600.0, bot_delay=(30.0, 30.0))) as server:
        api = Api(server.url)
        table, keys = api.make("toy", 2, people=2)
        api.start(table, keys[0])

        async def play() -> None:
            ada, ben = [await Person(server.url, table, key, choose=None).connect() for key in keys]
            seen = await ben.asked()
            assert (await ben.ask("leave"))["type"] == "done"
            await ada.until(lambda: ada.last("table") and ada.last("table")["seats"][1]["presence"] == "left")
            assert (await ada.ask("sit-in", seat=1))["type"] == "done"
            await ben.until(lambda: ben.last("table")["seats"][1]["sitting_in"] == "random")
            assert (await ben.ask("act", ask=seen["ask"], texts=seen["legal"][:1]))["type"] == "done"
            seat = ben.last("table")["seats"][1]
            assert (seat["sitting_in"], seat["presence"]) == (None, "here")
            for person in (ada, ben):
                await person.close()

        run(play())


def test_a_clock_decides_and_never_ends_the_match(sqlite_database: str) -> None:
    with serving(config(sqlite_database)) as server:
        api = Api(server.url)
        table, keys = api.make("toy", 2, people=2, clock=5)

        async def play() -> None:
            ada, ben = [await Person(server.url, table, key, choose=None).connect() for key in keys]
            await ben.until(lambda: ben.last("table"))
            server.app.tables.loaded[table].row.clock = 1  # five seconds are long for a test
            before = time.time()
            await ada.ask("start")
            seen = await ada.asked()
            assert before < seen["deadline"] - 1 <= time.time()
            await ada.over()
            await ben.over()
            for person in (ada, ben):
                await person.close()

        run(play())


def test_a_bot_answers_after_the_same_time_whatever_it_has_to_decide(sqlite_database: str) -> None:
    """Sealed choices of any size come after one delay: in Silent Planet a whole row is one answer."""
    with serving(config(sqlite_database, bot_delay=(0.3, 0.3))) as server:
        api = Api(server.url)
        table, keys = api.make("silent-planet", 2, people=1)
        api.start(table, keys[0])

        async def play() -> None:
            ada = await Person(server.url, table, keys[0]).connect()
            await ada.until(lambda: sum(line.startswith("1 ") for line in server.lines(table)) > 12)
            await ada.close()

        run(play())
        steps = server.stored(table)
        for step in steps:
            if step.seat == 1 and step.ask is not None:
                opened = max(other.at for other in steps if other.sequence < step.sequence and other.asks[1] == step.ask
                             and (other.sequence == 1 or steps[other.sequence - 2].asks[1] != step.ask))  # fmt: skip
                assert step.at - opened > 0.29
        assert any(sum(line.startswith("1 ") for line in step.lines) > 1 for step in steps)  # and all at once
