"""Fit the weights of `tacit.bots.zombie_city.win_chance` and write them into `win_chance_weights.py` beside it.

`steady` plays matches against itself. The weights are the maximum likelihood fit of a conditional logit: who won, given
the positions at the beginning of turns, with a light L2 penalty. Takes about a minute; needs SciPy (the extra `arena`):

    python benchmarks/fit_zombie_city_win_chance.py
"""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import minimize

from tacit.bots import bot_play
from tacit.bots.bot_play import choose
from tacit.bots.zombie_city import steady, win_chance
from tacit.bots.zombie_city.win_chance import seat_logit
from tacit.core.buffers import buffers
from tacit.core.chance import below, seed
from tacit.core.random_play import CHANCE, clear, due, know, legal, roll, start, step
from tacit.core.registry import game_named
from tacit.core.rulekit import build, rule
from tacit.core.state_layout import Cells
from tacit.games.zombie_city.model import MAIN, OVER

MATCHES = {2: 60_000, 4: 30_000}  # four seats stand for three and more
SAMPLES = 6  # positions of a match
PENALTY = 3.0
PLACE = Path(win_chance.__file__).with_name("win_chance_weights.py")


@rule
def steady_match(
    states: Any, blank: Any, empty: Any, number: int, rng: Cells, mask: Cells, weights: Cells, events: Cells, kept: Any,
    times: int,
) -> int:  # fmt: skip
    """Play a match; `kept` gets positions at the beginning of random turns, all equally likely."""
    seed(rng, number, 77)
    states[0] = blank[0]
    s = states[0]
    start(s)
    turns = 0
    seen = s.turns + 0
    now = due(s)
    while now != 0:
        if s.turns != seen and s.phase == MAIN:
            seen = s.turns + 0
            place = turns if turns < times else below(rng, turns + 1)
            if place < times:
                kept[place] = states[0]
            turns += 1
        if now == CHANCE:
            step(s, CHANCE, roll(s, rng, weights))
        else:
            seat = 0
            while (now >> seat) & 1 == 0:
                seat += 1
            clear(mask)
            legal(s, seat, mask)
            states[1] = empty[0]
            know(s, seat, states[1])
            step(s, seat, choose(states[1], seat, events, 0, mask, rng))
        now = due(s)
    return min(turns, times)


@rule
def describe(states: Any, n: int, seats: int, unit: Cells, size: int, rows: Any) -> None:
    """rows[i, q] are the features of a seat: how often each weight counts in its logit, which is linear in them."""
    for i in range(n):
        for q in range(seats):
            if (states[i].living >> q) & 1 == 1:
                for f in range(size):
                    unit[f] = 1
                    rows[i, q, f] = seat_logit(states[i], q, unit, 0)
                    unit[f] = 0


def positions(seats: int, matches: int) -> tuple[Any, Any, Any]:
    """Features, living seats and each seat's share of the win, for every position kept."""
    game = game_named("zombie-city")
    rules = build(game.module, "cpu", drivers=[bot_play, steady, sys.modules[__name__]])
    b = buffers(game, seats, None)
    kept, empty = np.zeros(SAMPLES, game.dtype), np.zeros(1, game.dtype)
    events, unit = np.zeros(1, np.int64), np.zeros(win_chance.SIZE, np.int64)
    rows, lives, wins = [], [], []
    for number in range(matches):
        n = rules.steady_match(b.states, b.blank, empty, number, b.rng, b.mask, b.weights, events, kept, SAMPLES)
        assert b.states[0]["phase"] == OVER
        found = np.zeros((n, seats, win_chance.SIZE), np.int8)
        rules.describe(kept, n, seats, unit, win_chance.SIZE, found)
        people = b.states[0]["people"][:seats]
        won = (people == people.max()) / (people == people.max()).sum()
        rows.append(found)
        lives.append((kept["living"][:n, None] >> np.arange(seats)) & 1)
        wins.append(np.tile(won, (n, 1)))
    return np.concatenate(rows), np.concatenate(lives), np.concatenate(wins)


def fit(rows: Any, lives: Any, wins: Any) -> Any:
    """The maximum likelihood weights, in logits."""
    x = rows.astype(np.float32)

    def cost(w: Any) -> tuple[float, Any]:
        z = np.where(lives == 1, x @ w.astype(np.float32), -np.inf)
        z -= z.max(1, keepdims=True)
        p = np.exp(z) / np.exp(z).sum(1, keepdims=True)
        grad = np.einsum("nq,nqf->f", (p - wins).astype(np.float32), x) + PENALTY * w
        return float(-(wins * np.log(np.maximum(p, 1e-9))).sum() + PENALTY / 2 * (w @ w)), grad.astype(float)

    return minimize(cost, np.zeros(x.shape[2]), jac=True, method="L-BFGS-B", options={"maxiter": 300}).x


def main() -> None:
    lines = []
    for seats, matches in MATCHES.items():
        rows, lives, wins = positions(seats, matches)
        half = len(rows) * 9 // 10
        w = fit(rows[:half], lives[:half], wins[:half])
        z = np.where(lives[half:] == 1, rows[half:].astype(np.float32) @ w, -np.inf)
        p = np.exp(z - z.max(1, keepdims=True))
        p /= p.sum(1, keepdims=True)
        loss = -(wins[half:] * np.log(np.maximum(p, 1e-9))).sum(1).mean()
        flat = lives[half:] / lives[half:].sum(1, keepdims=True)
        plain = -(wins[half:] * np.log(np.maximum(flat, 1e-9))).sum(1).mean()
        print(f"{seats} seats: {len(rows):,} positions, log loss {loss:.4f} on others (equal chances: {plain:.4f})")
        lines.append(np.round(1000 * w).astype(int))
    numbers = textwrap.fill(", ".join(str(n) for line in lines for n in line), 116)
    PLACE.write_text(
        '"""Weights of `win_chance` for two seats, then for more; '
        'written by benchmarks/fit_zombie_city_win_chance.py."""\n\n'
        "from tacit.core.rulekit import constant_array\n\n"
        f"# fmt: off\nWEIGHTS = constant_array((\n{textwrap.indent(numbers, '    ')},\n))\n"
    )


if __name__ == "__main__":
    main()
