"""What bots hear as numbers is exactly what `hear` tells as text, in every game that has the rule `overhear`."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tacit import game_named
from tacit.bots.bot_play import HIDDEN
from tacit.core.chance import pick
from tacit.core.random_play import CHANCE
from tacit.games.zombie_city.model import ANSWER

TABLES: list[tuple[str, int, dict[str, Any]]] = [
    ("silencio", 2, {}), ("silencio", 3, {"tavern": True}), ("silencio", 4, {}),
    ("silencio", 4, {"tavern": True, "unlit": "large"}),
    ("zombie-city", 2, {}), ("zombie-city", 3, {"expert": True}), ("zombie-city", 6, {"survivors": 1}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "seats", "options"), TABLES)
def test_a_seat_overhears_exactly_what_it_is_told(name: str, seats: int, options: dict[str, Any]) -> None:
    game, rng = game_named(name), random.Random(seats)
    hidden = 0
    for number in range(6):
        s: Any = game.blank(seats, options, game.rules_versions[number % 2])
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
                lines = game.module.hear(game.know(s, q), who, action, game.know(after, q))
                sealed = name == "zombie-city" and s.phase == ANSWER and who != q  # heard only when all are in
                assert (told == HIDDEN) == (sealed or "?" in lines[0]), (lines, told)
                assert told in (HIDDEN, action)
                hidden += told == HIDDEN
            s = after
    assert hidden > 0
