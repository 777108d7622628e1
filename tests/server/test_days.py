"""Matches that last days: clocks with a reserve, pauses and ends that all agree to, prepared answers; nobody tells."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tacit import Match
from tacit.core.registry import game_named
from tacit.server.bot_seats import BotSeats, Job
from tacit.server.clocks import Clock
from tacit.server.config import Config
from tacit.server.deciders import Decision
from tacit.server.live_table import LiveTable
from tacit.server.metrics import Metrics
from tacit.server.models import Step, TableRow
from tacit.server.seating import new_person, new_row
from tests.server.harness import Api, Person, Server, eventually, run

HOUR = 3600.0


def row_of_two(**more: Any) -> TableRow:
    seats = [new_person(name, f"the key of {name}", None, "person") for name in ("Ada", "Ben")]
    row = new_row(game_named("silencio"), {}, seats, visibility="private", spectators="none", maker_hash="", **more)
    return row


# ------------------------------------------------------------------ clocks
def test_a_reserve_is_used_by_slow_answers_and_not_by_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Computed from stored steps alone, so a restart changes nothing."""
    now = 1_790_000_000.0
    monkeypatch.setattr("time.time", lambda: now + 40 * HOUR)
    row = row_of_two(clock=int(HOUR))
    row.reserve = int(10 * HOUR)
    row.pauses = [[now + 2 * HOUR, now + 5 * HOUR]]
    clock = Clock(row)
    clock.count(Step(row.id, 1, [], [1, 1], at=now), [0, 0], 0)
    clock.count(Step(row.id, 2, [], [2, 1], seat=0, ask=1, at=now + 6 * HOUR), [1, 1], 0)
    assert clock.reserves == [10 * HOUR - 2 * HOUR, 10 * HOUR]  # six hours, three of them paused, one of the clock
    assert clock.deadline(0) == pytest.approx(now + 40 * HOUR + 60, abs=1)  # long over; after a load a minute is left
    clock.count(Step(row.id, 3, [], [3, 1], seat=0, ask=2, at=now + 39 * HOUR), [2, 1], 0)
    assert clock.reserves[0] == 0
    assert clock.deadline(0) == pytest.approx(now + 40 * HOUR, abs=61)
    row.pauses.append([now + 39.5 * HOUR])
    assert clock.deadline(0) is None, "in a pause clocks stand still"
    assert clock.left(0) > 0


@pytest.mark.parametrize(
    ("game", "more", "code"),
    [
        ("silver-and-gold", {"clock": 3600, "at_end": "end"}, "server.clock.end"),
        ("silencio", {"reserve": 3600}, "server.clock.none"),
        ("silent-planet", {"clock": 3600, "at_end": "end"}, None),
        ("silencio", {"clock": 86_400, "reserve": 86_400, "at_end": "bot"}, None),
    ],
)
def test_nobody_ends_a_competitive_match_by_staying_away(
    server: Server, game: str, more: dict[str, Any], code: str | None
) -> None:
    made = Api(server.url).post("/api/tables", game=game, seats=2, name="Ada", **more)
    assert (made.json()["reason"]["code"] if made.status_code >= 400 else None) == code


def test_a_seat_whose_time_is_over_passes_where_it_can(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Clock, "left", lambda *_: 0.0)
    lines, seat = next(
        (list(match.lines), min(match.due))
        for match in (moment for seed in range(200) for moment in moments(seed))
        if len(match.due) == 1 and "pass" in match.legal(min(match.due))[:-1]
    )
    row = row_of_two(clock=int(HOUR), at_end="pass")
    row.phase = "playing"
    table = LiveTable(row, Config())
    table.replay(row, [Step(row.id, 1, lines, [1, 1], at=1.0)])
    made: list[Decision] = []

    async def decide(_: LiveTable, decision: Decision) -> bool:
        made.append(decision)
        return True

    async def run_out() -> None:
        clocks = BotSeats(decide, never, Config(), Metrics())
        await clocks._decide(table, Job(seat, 1, None, False))
        await clocks.close()

    run(run_out())
    assert [(one.seat, one.texts, one.decider.kind) for one in made] == [(seat, ["pass"], "clock")]


async def never(*_: object) -> None:
    raise AssertionError("the match goes on with the person")


def moments(seed: int) -> Iterator[Match]:
    """A match of Silencio, decision by decision."""
    match = Match("silencio", 2, seed=seed)
    while not match.over:
        yield match
        seat = min(match.due)
        match.play(seat, match.legal(seat)[-1])


@pytest.mark.parametrize("end", ["bot", "end"])
def test_what_was_chosen_happens_when_time_is_over(server: Server, end: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Clock, "left", lambda *_: 0.0)
    api = Api(server.url)
    game = "silencio" if end == "bot" else "silent-planet"
    table, keys = api.make(game, 2, people=2, clock=3600, at_end=end)
    api.start(table, keys[0])

    def told() -> Any:
        return api.get(f"/api/tables/{table}", keys[0]).json()

    if end == "end":
        eventually(lambda: told()["ended"] == "time")
        assert (told()["phase"], told()["result"]) == ("over", None)
        assert api.get(f"/api/tables/{table}/record", keys[0]).status_code == 200
        acted = api.post(f"/api/tables/{table}/act", keys[0], ask=1, texts=["pass"])
        assert acted.json()["reason"]["code"] == "server.phase.over"
    else:
        eventually(lambda: any(seat["sitting_in"] for seat in told()["seats"]))


# ------------------------------------------------------------------ by common consent
async def seen(person: Person) -> None:
    """Wait until somebody sees the match."""
    await person.until(lambda: person.seen)


@pytest.mark.parametrize("want", ["pause", "end"])
def test_nobody_can_tell_who_asked_or_declined(server: Server, want: str) -> None:
    """One seat watches: it gets not a byte until all agree, whoever asks, repeats or takes it back."""

    async def play() -> None:
        api = Api(server.url)
        table, keys = api.make("silencio", 3, people=3)
        api.start(table, keys[0])
        people = [await Person(server.url, table, key, choose=None).connect() for key in keys]
        for person in people:
            await seen(person)
        watcher = people[2]
        await watcher.ask("preview", texts=["nothing"])
        before = len(watcher.raw)
        for asker, answer in ((0, "yes"), (1, "yes"), (0, "no"), (1, "no"), (1, "yes"), (0, "yes")):
            assert (await people[asker].ask("wish", want=want, answer=answer))["type"] == "done"
            assert people[asker].seen["wishes"] == ([want] if answer == "yes" else [])
        quiet = await watcher.ask("preview", texts=["nothing"])
        assert watcher.raw[before:] == [watcher.raw[-1]]
        assert quiet["type"] != "wish"
        assert (await watcher.ask("wish", want=want))["type"] == "done"
        if want == "end":
            await watcher.until(lambda: watcher.last("table")["ended"] == "agreed")
            return
        await watcher.until(lambda: watcher.last("table")["paused"] is not None)
        assert watcher.seen["ask"] is None
        refused = await people[0].ask("act", ask=1, texts=["claim"])
        assert refused["reason"]["code"] == "server.paused"
        assert (await people[1].ask("resume"))["type"] == "done"
        await watcher.until(lambda: watcher.last("table")["paused"] is None)
        assert all(person.seen["wishes"] == [] for person in people)
        assert (await people[1].ask("resume"))["reason"]["code"] == "server.resume.none"

    run(play())


# ------------------------------------------------------------------ prepared answers
def forced() -> tuple[list[str], list[str], int, int]:
    """A match of Silencio in which a seat that waits has one decision only when it is due: the lines until then, the
    lines of the step that makes it due, who decides that step, and the seat.
    """
    for seed in range(200):
        match = Match("silencio", 2, seed=seed)
        while not match.over:
            before, due, seat = list(match.lines), match.due, min(match.due)
            match.play(seat, match.legal(seat)[-1])
            for other in match.due - due:
                if len(match.due) == 1 and len(match.legal(other)) == 1:
                    return before, match.lines[len(before) :], seat, other
    raise AssertionError("there is none")


def test_a_prepared_answer_is_given_once_and_only_where_nothing_can_be_chosen() -> None:
    """The rows that are stored decide, so that it holds in every process and after a restart."""
    before, step, other, seat = forced()
    row = row_of_two(clock=None)
    row.phase = "playing"
    table = LiveTable(row, Config())
    table.replay(row, [Step(row.id, 1, before, [1, 1], at=1.0)])
    assert not table.is_prepared(seat)
    row.seats[seat].prepared = table.answers[seat]
    assert table.is_prepared(seat)
    assert not table.is_forced(seat)
    table.replay(row, [Step(row.id, 2, step, [2, 2], seat=other, ask=1, at=2.0)])
    assert table.is_forced(seat)
    assert table.is_prepared(seat)
    table.answers[seat] += 1  # it was given
    assert not table.is_prepared(seat)


def test_the_server_gives_a_prepared_answer(server: Server) -> None:
    """The last card of each can only be played: Ben prepares it while he waits for Ada, and decides no more."""
    table, keys = Api(server.url).make("toy", 2, people=2)
    Api(server.url).start(table, keys[0])

    async def play() -> None:
        ada, ben = [await Person(server.url, table, key, choose=None).connect() for key in keys]
        await seen(ada)
        await seen(ben)
        await ben.ask("act", ask=ben.seen["ask"], texts=ben.seen["legal"][:1])
        assert (await ben.ask("prepare"))["type"] == "done"
        await ada.ask("act", ask=ada.seen["ask"], texts=ada.seen["legal"][:1])
        await ada.until(lambda: len(ada.seen["legal"]) == 1)
        await ada.ask("act", ask=ada.seen["ask"], texts=ada.seen["legal"])
        await ben.over()

    run(play())
    assert sum(step.seat == 1 for step in server.stored(table)) == 2


def test_a_prepared_answer_shows_to_nobody_else(server: Server) -> None:
    async def play() -> None:
        api = Api(server.url)
        table, keys = api.make("silencio", 2, people=2)
        api.start(table, keys[0])
        ada, ben = [await Person(server.url, table, key, choose=None).connect() for key in keys]
        await seen(ada)
        await seen(ben)
        asked, waiting = (ada, ben)
        texts = asked.seen["legal"][:1]
        came = [sum(frame["type"] == "seen" for frame in person.frames) for person in (ada, ben)]
        await asked.ask("act", ask=asked.seen["ask"], texts=texts)
        for person, n in zip((ada, ben), came, strict=True):
            await person.until(lambda one=person, n=n: sum(f["type"] == "seen" for f in one.frames) > n)  # type: ignore[misc]
        if waiting.seen["ask"] is not None:
            asked, waiting = waiting, asked
        await asked.ask("preview", texts=["nothing"])
        before = len(asked.raw)
        assert (await waiting.ask("prepare"))["type"] == "done"
        await waiting.until(lambda: waiting.seen["prepared"])
        await asked.ask("preview", texts=["nothing"])
        assert asked.raw[before:] == [asked.raw[-1]]
        assert (await waiting.ask("prepare", answer="no"))["type"] == "done"
        await waiting.until(lambda: not waiting.seen["prepared"])

    run(play())
