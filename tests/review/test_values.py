"""What values are made of: styles, units, playouts that come to the same interpreted and compiled; the proof."""

from __future__ import annotations

import numpy as np

from tacit import game_named, game_names, render
from tacit.bots import usual_bot
from tacit.core.match import Match
from tacit.review.clairvoyance import clairvoyance
from tacit.review.timeline import changes
from tacit.review.values import Measure, Valuer, styles_of
from tests.review.test_review import short_match


def test_styles_are_those_that_the_registry_has() -> None:
    for name in game_names():
        found = styles_of(game_named(name))
        assert found[0] == usual_bot(game_named(name))
        assert len(found) == len(set(found))


def test_values_of_scores() -> None:
    scores = np.array([[3, 3], [1, 4]])
    rivals, together = Measure(game_named("zombie-city"), 2), Measure(game_named("silencio"), 2)
    assert rivals.values(scores).tolist() == [[0.5, 0.5], [0.0, 1.0]]
    assert together.values(-scores).tolist() == [[-3.0], [-1.0]]
    assert Measure(game_named("silent-planet"), 2).values(np.array([[2, 2], [1, 1]])).tolist() == [[1.0], [0.0]]


def test_interpreted_values_are_the_compiled_ones() -> None:
    match = short_match("toy")
    change = next(change for change in changes(match) if change.seat is not None)
    one = Valuer(match.game, match.seats, "random", "py")
    two = Valuer(match.game, match.seats, "random")
    assert (one.here(change.at, 6, "same") == two.here(change.at, 6, "same")).all()
    both = [valuer.moves(change.at, change.seat or 0, change.legal, 5, "same") for valuer in (one, two)]
    assert (both[0] == both[1]).all()


def test_a_proof_line_reaches_the_best_end_and_the_turning_point_is_a_decision() -> None:
    """The line follows the first lines of the record, and is a record itself."""
    match = short_match("silencio")
    assert match.result is not None
    assert match.result["left"] > 0
    found = clairvoyance(match)
    assert found.status in ("proved", "impossible", "unknown")
    assert found.line
    again = Match(match.game, match.seats, match.options, seed=0, settle=False)
    for line in [*match.lines[: found.line_from], *found.line]:
        again.replay(line)
    assert again.result is not None
    assert again.result["left"] == -(found.best or 0)
    assert f"{found.turning_seat} {found.turning_text}" == match.lines[found.turning_line or 0]
    assert clairvoyance(again).turning_line is None
    for language in ("en", "de", "nl"):
        assert "{" not in render(found.sentence, language)
    assert clairvoyance(short_match("toy")).status == "none"
