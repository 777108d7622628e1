"""What bots hear as numbers is exactly what `hear` tells as text, in every game that has the rule `overhear`."""

from __future__ import annotations

import os
import random
from typing import Any

import pytest

from tacit import Game, game_named
from tacit.core.chance import pick
from tacit.core.events import HIDDEN, UNHEARD
from tacit.core.random_play import CHANCE
from tacit.games.silver_and_gold.notation import CLOSED
from tacit.games.zombie_city.model import ANSWER

TABLES: list[tuple[str, int, dict[str, Any]]] = [
    ("silencio", 2, {}), ("silencio", 3, {"tavern": True}), ("silencio", 4, {}),
    ("silencio", 4, {"tavern": True, "unlit": "large"}),
    ("zombie-city", 2, {}), ("zombie-city", 3, {"expert": True}), ("zombie-city", 6, {"survivors": 1}),
    ("silver-and-gold", 2, {}), ("silver-and-gold", 4, {}), ("silent-planet", 2, {}), ("silent-planet", 6, {}),
]  # fmt: skip


def expected(game: Game, s: Any, q: int, who: int, action: int, lines: list[str]) -> int:
    """What a seat hears of a step as a number, by the lines that it hears of it."""
    if game.name == "zombie-city" and s.phase == ANSWER and who != q:
        return HIDDEN  # told line by line only when all answers are in
    lasting = [line for line in lines if game.name != "silver-and-gold" or line.split(" ")[1] not in CLOSED]
    if not lasting:
        return UNHEARD
    sealed = getattr(game.module, "sealed", lambda s: 0)(s)  # the lines tell all that was sealed, not each step
    return HIDDEN if "?" in lasting[0] or (sealed and who != q) else action


@pytest.mark.parametrize(("name", "seats", "options"), TABLES)
def test_a_seat_overhears_exactly_what_it_is_told(name: str, seats: int, options: dict[str, Any]) -> None:
    game, rng = game_named(name), random.Random(seats)
    found = set()
    for number in range(6 if "TACIT_LONG" in os.environ else 2):  # both rules versions, where there are two
        s: Any = game.blank(seats, options, game.rules_versions[number % len(game.rules_versions)])
        game.rules.start(s)
        while (now := game.rules.due(s)) != 0:
            if now == CHANCE:
                weights = game.chance(s)
                who, action = CHANCE, pick(weights, rng.randrange(sum(weights)))
            else:
                who = rng.choice([q for q in range(seats) if now >> q & 1])
                action = rng.choice(game.legal(s, who))
            after = s.copy()
            game.rules.step(after, who, action)
            for q in range(-1, seats):
                told = game.module.overhear(s, q, who, action)
                lines = game.rules.hear(game.know(s, q), who, action, game.know(after, q))
                assert told == expected(game, s, q, who, action, lines), (q, who, action, lines)
                found.add(min(told, 0))
            s = after
    assert found == ({HIDDEN, 0} if name in ("silencio", "zombie-city") else {HIDDEN, UNHEARD, 0})
