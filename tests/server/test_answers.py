"""Answers that are stale, doubled, late, crossing, in a run or unreadable; two tabs; coming back."""

from __future__ import annotations

import asyncio
from typing import Any

from tests.server.harness import Api, Person, Server, run


async def sitting(server: Server, game: str, seats: int) -> tuple[str, list[Person]]:
    """A begun match with a person on every seat, who do nothing by themselves."""
    api = Api(server.url)
    table, keys = api.make(game, seats, people=seats)
    api.start(table, keys[0])
    return table, [await Person(server.url, table, key, choose=None).connect() for key in keys]


async def close(people: list[Person]) -> None:
    for person in people:
        await person.close()


def test_a_doubled_answer_is_done_once(server: Server) -> None:
    async def play() -> None:
        table, (ada, ben) = await sitting(server, "toy", 2)
        seen = await ada.asked()
        answer = {"ask": seen["ask"], "texts": seen["legal"][:1]}
        first, second = await asyncio.gather(ada.ask("act", **answer), ada.ask("act", **answer))
        assert (first["type"], first["again"]) == ("done", False)
        assert (second["type"], second["again"]) == ("done", True)
        other = await ada.ask("act", ask=seen["ask"], texts=[seen["legal"][1]])
        assert other["reason"]["code"] == "server.act.stale"
        assert sum(line.startswith("0 ") for line in server.lines(table)) == 1
        await close([ada, ben])

    run(play())


def test_a_late_answer_changes_nothing(server: Server) -> None:
    async def play() -> None:
        table, people = await sitting(server, "toy", 2)
        old = [await person.asked() for person in people]
        for person, seen in zip(people, old, strict=True):
            assert (await person.ask("act", ask=seen["ask"], texts=seen["legal"][:1]))["type"] == "done"
        now = await people[0].asked(after=old[0]["ask"])
        before = server.lines(table)
        late = await people[0].ask("act", ask=old[0]["ask"], texts=now["legal"][:1])
        assert late["reason"]["code"] == "server.act.stale"
        early = await people[0].ask("act", ask=now["ask"] + 1, texts=now["legal"][:1])
        assert early["reason"]["code"] == "server.act.stale"
        assert server.lines(table) == before
        await close(people)

    run(play())


def test_crossing_answers_to_sealed_questions_all_count(server: Server) -> None:
    """Nobody's answer makes another's stale, and nothing of it shows in the other's number."""

    async def play() -> None:
        _table, people = await sitting(server, "toy", 3)
        asked = [await person.asked() for person in people]
        answers = await asyncio.gather(
            *(p.ask("act", ask=s["ask"], texts=s["legal"][:1]) for p, s in zip(people, asked, strict=True))
        )
        assert [answer["type"] for answer in answers] == ["done"] * 3
        assert len({s["ask"] for s in asked}) == 1
        await close(people)

    run(play())


def test_an_answer_of_a_seat_that_is_not_asked_is_refused(server: Server) -> None:
    async def play() -> None:
        _table, people = await sitting(server, "toy", 2)
        seen = await people[0].asked()
        await people[0].ask("act", ask=seen["ask"], texts=seen["legal"][:1])
        for ask in (0, seen["ask"], seen["ask"] + 1, -1):
            refused = await people[0].ask("act", ask=ask, texts=seen["legal"][1:])
            assert refused["reason"]["code"] == "server.act.stale"
        await close(people)

    run(play())


def test_a_run_of_decisions_is_applied_all_or_nothing(server: Server) -> None:
    async def play() -> None:
        table, people = await sitting(server, "silent-planet", 2)
        run: list[str] = []
        who = people[0]
        while len(run) < 3:  # a seat that arranges: its next choices are known from previews
            asked = await who.asked()
            run = []
            legal = asked["legal"]
            while legal and len(run) < 3:
                run.append(legal[0])
                legal = (await who.ask("preview", texts=run))["legal"]
            if len(run) < 3:
                answer = await who.ask("act", ask=asked["ask"], texts=run[:1])
                assert answer["type"] == "done", answer
                who = people[1 - people.index(who)] if not who.seen["legal"] else who
        before = server.lines(table)
        refused = await who.ask("act", ask=asked["ask"], texts=[*run, "nonsense"])
        assert refused["reason"]["code"] == "core.batch.refused"
        assert refused["sentence"].startswith("Decision 4 of 4, “nonsense”:")
        assert server.lines(table) == before
        assert (await who.ask("act", ask=asked["ask"], texts=run))["type"] == "done"
        own = [f"{people.index(who)} {text}" for text in run]
        assert server.lines(table)[len(before) : len(before) + 3] == own
        again = await who.ask("act", ask=asked["ask"], texts=run)
        assert (again["type"], again["again"]) == ("done", True)
        await close(people)

    run(play())


def test_illegal_and_unreadable_messages_are_refused_with_a_sentence(server: Server) -> None:
    async def play() -> None:
        table, people = await sitting(server, "silencio", 2)
        ada = people[0]
        seen = await ada.asked()
        before = server.lines(table)
        refused = await ada.ask("act", ask=seen["ask"], texts=["dance"])
        assert refused["sentence"] == "“dance” is not a decision in Silencio."
        wrong: list[dict[str, Any]] = [{"texts": ["claim"]}, {"ask": "1", "texts": ["claim"]}, {"ask": 1, "texts": []}]
        assert ada.socket is not None
        for fields in wrong:
            count = len(ada.frames)
            await ada.send("act", **fields)
            await ada.until(lambda count=count: len(ada.frames) > count)  # type: ignore[misc]
            assert ada.frames[-1]["reason"]["code"] == "server.unreadable"
        for text in ("", "{", "[]", '{"type":"dance"}', '{"type":"leave","x":1}', "\x00", "1" * 60_000):
            count = len(ada.frames)
            await ada.socket.send(text)
            await ada.until(lambda count=count: len(ada.frames) > count)  # type: ignore[misc]
            assert ada.frames[-1]["type"] == "refused"
            assert ada.frames[-1]["sentence"].endswith(".")
        assert server.lines(table) == before
        await close(people)

    run(play())


def test_two_tabs_of_a_seat_follow_along(server: Server) -> None:
    async def play() -> None:
        table, people = await sitting(server, "toy", 2)
        second = await Person(server.url, table, people[0].key, choose=None).connect()
        seen = await second.asked()
        await second.ask("act", ask=seen["ask"], texts=seen["legal"][:1])
        await people[0].until(lambda: people[0].seen["ask"] is None)
        bens = await people[1].asked()
        await people[1].ask("act", ask=bens["ask"], texts=bens["legal"][:1])
        for tab in (people[0], second):
            await tab.asked(after=seen["ask"])
        assert people[0].seen["view"] == second.seen["view"]
        assert people[0].seen["ask"] == second.seen["ask"]
        await close([*people, second])

    run(play())


def test_coming_back_resumes_exactly(server: Server) -> None:
    async def play() -> None:
        table, people = await sitting(server, "silencio", 2)
        for _ in range(6):
            for person in people:
                if person.seen and person.seen["legal"]:
                    await person.ask("act", ask=person.seen["ask"], texts=person.seen["legal"][:1])
        live = server.app.tables.loaded[table]
        await people[0].until(lambda: people[0].seen and people[0].heard == live.views[0].heard)
        heard, last = people[0].heard, people[0].seen
        await people[0].close()
        again = await Person(server.url, table, people[0].key, choose=None).connect()
        await again.until(lambda: again.seen)
        assert again.seen["heard"] == heard
        assert again.seen["keep"] == 0
        assert [again.seen[f] for f in ("view", "ask", "legal")] == [last[f] for f in ("view", "ask", "legal")]
        await close([again, people[1]])

    run(play())


def test_a_page_of_another_version_is_told_to_reload(server: Server) -> None:
    async def play() -> None:
        table, people = await sitting(server, "toy", 2)
        old = await Person(server.url, table, people[0].key).connect(protocol=0)
        assert old.task is not None
        await old.task
        assert [frame["type"] for frame in old.frames] == ["reload"]
        await close(people)
        refused = Api(server.url).get(f"/api/tables/{table}", headers={"Tacit-Protocol": "0"})
        assert refused.status_code == 426

    run(play())
