"""What compiled bots hear of Silencio is exactly what `hear` tells as text."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tacit import game_named
from tacit.bots.driver import HIDDEN
from tacit.core.chance import pick
from tacit.core.driver import CHANCE

GAME = game_named("silencio")


@pytest.mark.parametrize(
    ("seats", "options", "number"),
    [(2, {}, 0), (3, {"tavern": True}, 1), (4, {}, 2), (4, {"tavern": True, "unlit": "large"}, 3)],
)
def test_a_seat_overhears_exactly_what_it_is_told(seats: int, options: dict[str, Any], number: int) -> None:
    rng = random.Random(number)
    hidden = 0
    for _ in range(6):
        s = GAME.blank(seats, options)
        GAME.rules.start(s)
        while (now := GAME.rules.due(s)) != 0:
            if now == CHANCE:
                weights = GAME.chance(s)
                who, action = CHANCE, pick(weights, rng.randrange(sum(weights)))
            else:
                who = rng.choice([q for q in range(seats) if now >> q & 1])
                action = rng.choice(GAME.legal(s, who))
            after = s.copy()
            GAME.rules.step(after, who, action)
            for q in range(-1, seats):
                told = GAME.module.overhear(s, q, who, action)
                lines = GAME.module.hear(GAME.know(s, q), who, action, GAME.know(after, q))
                assert (told == HIDDEN) == ("?" in lines[0]), (lines, told)
                assert told in (HIDDEN, action)
                hidden += told == HIDDEN
            s = after
    assert hidden > 0
