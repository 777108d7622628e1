"""How sure a review is: where playouts go, and what is too rough to be said."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tacit import game_named, render
from tacit.core.laws import random_match
from tacit.review import engine
from tacit.review.accounts import summary
from tacit.review.model import Interval
from tacit.review.moments import Moments
from tacit.review.values import Valued


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> engine.Reviewer:
    monkeypatch.setattr(engine, "styles_of", lambda game: ["random"])

    class Costly:
        cost = 2.0

    found = engine.Reviewer(random_match(game_named("zombie-city"), 2, None, 0), 1.0, 0)
    monkeypatch.setattr(found, "valuer", lambda style: Costly())
    return found


def test_playouts_go_where_they_make_the_sum_surer(made: engine.Reviewer) -> None:
    """None where nothing varies, more where it varies more or costs less, and no more in all than there are."""
    costs = {0: 100, 1: 100, 2: 100, 3: 400}
    more = made._allotted(costs, {0: 0.0, 1: 0.1, 2: 0.2, 3: 0.2})
    assert more[0] == 0
    assert more[2] == pytest.approx(2 * more[1], abs=2)
    assert more[2] == pytest.approx(2 * more[3], abs=2)
    dear = dict.fromkeys(range(200), 2000)
    spent = made._allotted(dear, dict.fromkeys(dear, 0.5))
    assert sum(spent[i] * dear[i] * 2 for i in dear) <= 1000 * engine.CONFIRM
    assert min(spent.values()) > 0


def test_playouts_end_where_the_sum_is_sure_enough(made: engine.Reviewer) -> None:
    more = made._allotted({0: 1}, {0: 0.3})
    assert more[0] == pytest.approx((0.3 / engine.ENOUGH["chance"]) ** 2, abs=1)


@pytest.mark.parametrize(
    ("loss", "rough"),
    [
        (Interval(0.62, 0.28, 0.95), True),  # of a few playouts
        (Interval(0.31, 0.25, 0.37), False),
        (Interval(0.8, 0.6, 1.0), False),  # sure beside what it is
        (Interval(0.05, 0.01, 0.2), True),
    ],
)
def test_what_is_known_too_roughly_is_not_shown(made: engine.Reviewer, loss: Interval, rough: bool) -> None:
    assert Moments(made)._rough(loss) == rough


def test_where_nothing_is_clear_the_sentence_says_so(made: engine.Reviewer) -> None:
    """A chance of one half became 0, and nothing can be told from noise."""
    half, lost = np.array([[1, 0], [0, 1]] * 4), np.array([[0, 1]])
    made.valued = [Valued(made.measure, half), *[Valued(made.measure, lost)] * len(made.changes)]

    class Unclear:
        def __init__(self, seat: int) -> None:
            self.change: Any = type("Change", (), {"seat": seat})()
            self.shift, self.shift_error = np.array([-0.2, 0.2]), np.array([0.2, 0.2])

    made.judged = {i: Unclear(i % 2) for i in range(2)}  # type: ignore[misc]
    said = [message.code for message in summary(made)]
    assert said == ["review.sum.side-unclear"] * 2
    for language in ("en", "de", "nl"):
        assert "0 %" in render(summary(made)[0], language, names=["Ada", "Ben"])
