"""Line-ups meet the same deals, seats rotate, and the compiled table plays the very match that plain Python plays."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from tacit import Match, Paired, game_named
from tacit.arena.compiled_match import CompiledMatch
from tacit.arena.job import make_job
from tacit.arena.match_player import MatchPlayer
from tacit.arena.python_match import play_python_match
from tacit.bots import Budget
from tacit.core.random_play import CHANCE
from tests.arena.jobs import CROOKED, GAMBLER, all_of, toy_job


@pytest.mark.parametrize(("name", "bots", "matches"), [
    ("toy", ("random", CROOKED, "random"), 40),
    ("zombie-city", ("random", "random", "random"), 4),
])  # fmt: skip
def test_a_compiled_match_is_the_match_in_plain_python(name: str, bots: tuple[str, ...], matches: int) -> None:
    """Step for step: so compiled paired chance draws what core.chance.Paired draws."""
    game = game_named(name)
    job = make_job(game, [bots])
    table = CompiledMatch(game, job.seats, job.options, bots)
    faults = 0
    for match in range(matches):
        number, seating = job.deal_seed(job.deal(match)), job.seating(match)
        fast = table.play(number, seating)
        told = play_python_match(game, job.options, number, seating, Budget())
        assert fast.steps == told.steps
        assert (fast.scores, fast.result, fast.decisions, fast.faults) == (
            told.scores, told.result, told.decisions, told.faults,
        )  # fmt: skip
        faults += len(fast.faults)
    assert (faults > 0) == (CROOKED in bots)


def test_all_line_ups_are_dealt_the_same_cards() -> None:
    game = game_named("toy")
    job = toy_job(("random", "random", "random"), (GAMBLER, "random", "random"))
    player = MatchPlayer(job)
    dealt = []
    for match in range(40):
        _, record = player.play(match, keep=True)
        dealt.append([line for line in record.splitlines() if line.startswith("* deal")])
    assert all(dealt[2 * deal] == dealt[2 * deal + 1] for deal in range(20))
    assert len({tuple(lines) for lines in dealt}) == 20
    plain = Match(game, 3, chance=Paired(job.deal_seed(7)))
    assert [line for line in plain.lines if line.startswith("* deal")] == dealt[14]


def test_decks_keep_their_order_whatever_is_played() -> None:
    """Zombie City draws in the course of play: the City deck's cards come in one order in all line-ups."""
    game = game_named("zombie-city")
    orders = []
    for salt in (0, 1):
        match = Match(game, 4, chance=Paired(5), settle=False)
        drawn: list[int] = []
        rng = random.Random(salt)
        while not match.over and len(drawn) < 12:
            if match.due:
                seat = min(match.due)
                match.play(seat, rng.choice(match.legal(seat)), settle=False)
                continue
            pool = game.rules.pool(match.state)
            outcome = match.source.draw(game.chance(match.state), pool)
            match.apply(CHANCE, outcome)
            if pool == 0:
                drawn.append(outcome)
        orders.append(drawn)
    common = min(map(len, orders))
    assert common > 3
    assert orders[0][:common] == orders[1][:common]


def test_seats_rotate() -> None:
    job = toy_job(("random", CROOKED, GAMBLER), ("random", "random", CROOKED))
    where: Counter[tuple[str, int]] = Counter()
    for match in range(0, 60, 2):
        for seat, bot in enumerate(job.seating(match)):
            where[bot, seat] += 1
        for member, bot in enumerate(job.line_ups[0]):
            assert job.seating(match)[job.seat_of(match, member)] == bot
    assert set(where.values()) == {10}
    assert len(where) == 9
    assert job.seating(0) == ("random", CROOKED, GAMBLER)
    assert job.seating(2) == (GAMBLER, "random", CROOKED)
    assert job.seating(3) == (CROOKED, "random", "random")


def test_a_match_follows_from_the_job_and_its_number() -> None:
    job = toy_job(("random", CROOKED))
    together, alone = all_of(job, 30), MatchPlayer(job).play(17)[0]
    assert together[17].same(alone)
    other = all_of(toy_job(("random", CROOKED), seed=1), 30)
    assert sum(together[m].scores == other[m].scores for m in range(30)) < 30


def test_a_bad_bot_is_replaced_and_reported_on_the_compiled_table() -> None:
    job = toy_job(("random", CROOKED))
    faults = [found for played in all_of(job, 60).values() for found in played.faults]
    assert {found["kind"] for found in faults} == {"illegal"}
    assert {found["bot"] for found in faults} == {CROOKED}
    assert {found["detail"] for found in faults} == {"'decision number 999'", "'decision number -5'"}
    assert {found["instead"] for found in faults} == {"random"}


def test_a_compiled_bot_that_hangs_is_benched_and_the_match_goes_on() -> None:
    job = toy_job(("random", "tests.bots.hanging"))
    player = MatchPlayer(job, timeout=1.0)
    player.warm_up()
    assert player.compiled_match is not None
    hung = player.compiled_match.work
    played, record = player.play(0, keep=True)
    hung.rng[0] = -1  # which ends it: it would use a core until the last test
    assert [(f["bot"], f["kind"], f["instead"]) for f in played.faults] == [("tests.bots.hanging", "late", "random")]
    assert Match.load(record).over
