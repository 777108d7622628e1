"""The laws, over every game, rules version, seat count and option."""

from __future__ import annotations

import itertools
import os
from typing import Any

import pytest

from tacit import game_named, game_names
from tacit.core import laws

LONG = "TACIT_LONG" in os.environ


def cases() -> list[tuple[str, int, int, dict[str, Any]]]:
    """Every game in every rules version, with every seat count and every value of every option.

    In the long run with every combination of options; else the seat counts take turns at them.
    """
    found = []
    for name in game_names():
        game = game_named(name)
        counts = range(game.min_seats, game.max_seats + 1)
        combinations = list(itertools.product(*game.options.values()))
        pairs = list(itertools.product(counts, combinations))
        if not LONG:
            most = max(len(counts), len(combinations))
            pairs = [(counts[i % len(counts)], combinations[i % len(combinations)]) for i in range(most)]
        for version, (seats, values) in itertools.product(game.rules_versions, pairs):
            found.append((name, version, seats, dict(zip(game.options, values, strict=True))))
    return found


CASES = cases()
HERE = [pytest.param(*case, id="-".join(map(str, [*case[:3], *case[3].values()]))) for case in CASES]


# Matches a game: interpreted and compiled, and both in the long run. Long games play fewer.
COUNTS = {"silencio": (200, 20_000, 20_000, 2_000_000), "zombie-city": (36, 2_000, 1_500, 1_000_000)}


def share(name: str, which: str) -> int:
    """A game's matches, spread over its cases: at least one each."""
    bound = game_named(name).max_decisions
    default = (
        min(50, 12_000 // bound), min(2_000, 2_000_000 // bound),
        min(3_000, 600_000 // bound), min(400_000, 300_000_000 // bound),
    )  # fmt: skip
    total = COUNTS.get(name, default)[("interpreted", "compiled").index(which) + 2 * LONG]
    return -(-total // sum(case[0] == name for case in CASES))


@pytest.mark.parametrize(("name", "version", "seats", "options"), HERE)
def test_laws_interpreted(name: str, version: int, seats: int, options: dict[str, Any]) -> None:
    matches = share(name, "interpreted")
    # The costly laws at some steps; they cost most where much is hidden in large hands and many seats hear it.
    thorough = 0.06 if name in ("silencio", "toy") or LONG else 0.03
    game = game_named(name)
    made = laws.check(game, seats, options, matches=matches, thorough=thorough, rules_version=version)
    assert made > matches


@pytest.mark.parametrize(("name", "version", "seats", "options"), HERE)
def test_backends_agree_at_every_step(name: str, version: int, seats: int, options: dict[str, Any]) -> None:
    """The same matches as above, at every step: seeds are the same."""
    matches = share(name, "interpreted")
    assert laws.check_backends(game_named(name), seats, options, matches=matches, rules_version=version) == matches


# Compiling them takes longest. The others are lawful interpreted, and compiled the same at every step.
COMPILED = HERE if LONG else [case for case in HERE if case.values[0] in ("silencio", "toy")]


@pytest.mark.parametrize(("name", "version", "seats", "options"), COMPILED)
def test_laws_compiled(name: str, version: int, seats: int, options: dict[str, Any]) -> None:
    matches = share(name, "compiled")
    assert laws.check_compiled(game_named(name), seats, options, matches=matches, rules_version=version) >= matches
