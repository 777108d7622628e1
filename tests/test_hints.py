"""The reason of a hint: for every decision of every game a sentence of its catalogue, in three languages."""

from __future__ import annotations

import random

import pytest

from tacit import GAMES, Match
from tacit.core.messages import catalogue, render

DECISIONS = 60


@pytest.mark.parametrize("game", GAMES)
def test_every_decision_has_a_reason_in_every_language(game: str) -> None:
    rng, reasons = random.Random(f"hints {game}"), set()
    match = Match(game, 3, {"expert": True} if game == "zombie-city" else {}, seed=2)
    for _ in range(DECISIONS):
        if match.over:
            break
        seat = rng.choice(sorted(match.due))
        seen = match.see(seat)
        texts = {text.split(" ")[0]: text for text in rng.sample(seen.legal, len(seen.legal))}  # one of each verb
        for text in texts.values():
            why = match.why(seat, text)
            assert why is not None
            assert match.why(seat, text, text) is None  # nothing tells it from itself
            reasons.add(why.code)
            assert len({render(why, language) for language in ("en", "de", "nl")}) == 3
        match.play(seat, rng.choice(seen.legal))
    known = {f"{game}.{code}" for code in catalogue(game) if code.startswith("hint.")}
    assert reasons <= known
    assert len(reasons) >= 4
