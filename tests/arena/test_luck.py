"""Scores with luck taken off: the same mean, a smaller interval; and luck is 0 on average."""

from __future__ import annotations

import random

import msgspec
import pytest

from tacit.arena import luck as arena_luck
from tacit.arena.job import make_job
from tacit.arena.luck import _adjusted, _style, without_luck
from tacit.arena.match_result import MatchResult
from tacit.arena.stats import mean
from tacit.core.laws import random_match
from tacit.core.registry import game_named
from tacit.review.luck import luck_of
from tacit.review.values import Measure, Valuer


@pytest.mark.parametrize("alike", [(), (0, 1)])
def test_luck_is_nothing_on_average_whatever_the_seats_decide(alike: tuple[int, ...]) -> None:
    """Of a seat of the toy game, over matches of random decisions: 0 lies well within what chance allows."""
    game = game_named("toy")
    valuer, measure = Valuer(game, 2, "random", "py"), Measure(game, 2)
    found = [
        float(luck_of(random_match(game, 2, None, seed), valuer, measure, 4, f"law {seed}", alike)[0])
        for seed in range(150)
    ]
    estimate = mean(found)
    assert estimate.low < 0 < estimate.high
    assert estimate.high - estimate.low < 0.3


def test_what_luck_explains_needs_no_matches() -> None:
    rng = random.Random(1)
    luck = [rng.gauss(0, 1) for _ in range(400)]
    raw = [0.3 + 0.8 * x + rng.gauss(0, 0.3) for x in luck]
    found = _adjusted(raw, luck)
    assert found["factor"] == pytest.approx(0.8, abs=0.1)
    assert found["fewer"] > 5
    assert found["adjusted"].low < 0.3 < found["adjusted"].high
    assert _adjusted(raw, [0.0] * 400)["fewer"] == 1


def test_a_job_is_reported_with_and_without_luck(monkeypatch: pytest.MonkeyPatch) -> None:
    """The matches are played again for their records; here by random decisions, and their luck is given."""
    game = game_named("toy")
    job = make_job(game, [["random", "random"]])
    played = {number: random_match(game, 2, None, number) for number in range(12)}
    matches = [
        MatchResult(n, n, 0, ("random", "random"), (n % 3, 1), match.result or {}, 2) for n, match in played.items()
    ]
    monkeypatch.setattr(arena_luck, "play_chunk", lambda job, numbers, keep: [(None, str(played[numbers[0]]))])
    monkeypatch.setattr(arena_luck, "luck_of", lambda match, *_: [len(match.steps)] * 2)
    found = without_luck(game, job, matches, 10)
    assert found["matches"] == 10
    assert [one["bots"] for one in found["line_ups"]] == [("random", "random")]
    assert "with luck taken off" in found["says"]
    assert msgspec.json.encode(found)


def test_a_line_up_is_valued_by_its_own_policy_where_that_is_quick() -> None:
    silencio = game_named("silencio")
    assert _style(silencio, ["gentle", "gentle", "steady"]) == "gentle"
    assert _style(silencio, ["learned", "learned", "search"]) == "steady"
