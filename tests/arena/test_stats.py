"""Intervals and tests keep what they promise, measured on distributions one knows."""

from __future__ import annotations

import math
import random

import pytest

from tacit.arena.match_result import MatchResult
from tacit.arena.ratings import ratings
from tacit.arena.stats import Estimate, SequentialTest, mean, mean_or_share, share


def test_the_interval_of_a_mean_holds_the_mean_in_95_of_100_samples() -> None:
    rng = random.Random(1)
    for n, draw, truth in (
        (5, lambda: rng.gauss(3, 2), 3.0),
        (40, lambda: rng.randint(1, 6), 3.5),
        (200, lambda: rng.expovariate(1), 1.0),
    ):
        held = 0
        for _ in range(2000):
            found = mean([draw() for _ in range(n)])
            held += found.low <= truth <= found.high
        assert 0.93 < held / 2000 < 0.965, n


def test_the_interval_of_a_mean_ends_where_no_value_can_be() -> None:
    found = mean([-2, 0, 0, 0], (-20, 0))
    assert (found.mean, found.high) == (-0.5, 0)
    assert -20 < found.low < -0.5
    assert mean([3], (0, 5)) == Estimate(3, 0, 5, 1)


def test_the_interval_of_a_share_holds_also_near_the_edges() -> None:
    rng = random.Random(2)
    for truth in (0.03, 0.5, 0.97):
        held = 0
        for _ in range(400):
            found = share(sum(rng.random() < truth for _ in range(150)), 150)
            held += found.low <= truth <= found.high
        assert 0.91 < held / 400 < 0.985, truth
    assert share(0, 10).high > 0.2
    assert share(10, 10).low < 0.8


def test_known_figures() -> None:
    found = mean([1, 2, 3, 4, 5])
    assert found.mean == 3
    assert found.high - 3 == pytest.approx(2.776445 * math.sqrt(2.5 / 5), rel=1e-5)
    wilson = share(5, 10)
    assert [wilson.low, wilson.high] == pytest.approx([0.236593, 0.763407], abs=1e-5)
    assert mean([4.0]).high == math.inf
    assert math.isnan(mean([]).mean)
    assert mean_or_share([0, 1, 1, 0]).low == share(2, 4).low
    assert mean_or_share([0, 0.5, 1]).low == mean([0, 0.5, 1]).low


def test_the_sequential_test_errs_in_at_most_5_of_100_runs_though_one_always_looks() -> None:
    """No difference, 1,500 looks a run. Student's test stop at as often errs in more than a quarter of the runs."""
    rng = random.Random(3)
    wrong = naive = 0
    for run in range(300):
        test = SequentialTest()
        fooled = False
        for _ in range(1500):
            value = rng.gauss(0, 1) if run % 2 else rng.choice((-1, 0, 0, 1))
            test.add(value)
            if test.n >= test.burn and not fooled:
                fooled = abs(test.middle) > 1.96 * math.sqrt(test.squares) / test.n
        wrong += test.decided is not None
        naive += fooled
    assert wrong <= 300 * 0.05 + 3 * math.sqrt(300 * 0.05 * 0.95)
    assert naive > 300 * 0.2


def test_the_sequential_test_finds_a_difference_and_stays_with_it() -> None:
    rng = random.Random(4)
    lengths = []
    for _ in range(60):
        test = SequentialTest()
        while not test.add(rng.gauss(0.25, 1)):
            assert test.n < 5000
        assert test.decided is not None
        assert test.decided.low > 0
        assert not test.add(-99) or test.now() == test.decided
        lengths.append(test.n)
    assert 100 < sum(lengths) / 60 < 500


def played(match: int, seats: tuple[str, ...], scores: tuple[int, ...]) -> MatchResult:
    return MatchResult(match, match, 0, seats, scores, {}, 1)


def test_ratings_find_the_strengths_that_were_put_in() -> None:
    """Bots 0, 200 and 400 points apart win as often as Elo says."""
    rng = random.Random(5)
    truth = {"a": 1300.0, "b": 1500.0, "c": 1700.0}
    matches = []
    for number in range(1500):
        one, two = rng.sample(sorted(truth), 2)
        ahead = rng.random() < 1 / (1 + 10 ** ((truth[two] - truth[one]) / 400))
        matches.append(played(number, (one, two), (1, 0) if ahead else (0, 1)))
    found = ratings(matches)
    for name, rating in truth.items():
        assert abs(found[name].mean - rating) < 45  # some four standard errors
        assert found[name].high - found[name].low < 80


def test_a_bot_that_always_won_has_a_rating_too() -> None:
    found = ratings([played(n, ("good", "bad"), (1, 0)) for n in range(50)])
    assert 1600 < found["good"].mean < 3000
    assert found["good"].mean + found["bad"].mean == pytest.approx(3000)
    assert ratings([played(0, ("same", "same"), (1, 0))]) == {}


def test_ties_and_shared_wins() -> None:
    assert played(0, ("a", "b", "c"), (3, 3, 1)).shares() == [0.5, 0.5, 0]
    named = MatchResult(0, 0, 0, ("a", "b"), (3, 3), {"winners": [1]}, 1)
    assert named.shares() == [0, 1]
