"""Matches that a policy plays with itself, decision by decision: what quantizing and its check need."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tacit.bots.heard_events import HeardEvents
from tacit.bots.network.heard_tokens import heard_tokens
from tacit.core.game import Game
from tacit.core.match import Match
from tacit.learn.quantize import Samples

Policy = Callable[[Any, Any], Any]  # cells (n, …) and tokens (n, …) to logits (n, actions)


def play_samples(
    game: Game, policy: Policy, history: int, seats: Sequence[int], matches: int, seed: int = 0
) -> tuple[Samples, list[tuple[int, ...]]]:
    """Play matches side by side, by turns with each number of seats; every decision, and the scores of each match."""
    table = [Match(game, seats[i % len(seats)], seed=seed + i) for i in range(matches)]
    heard = [HeardEvents(match) for match in table]
    rows: list[tuple[Any, Any, Any]] = []
    while open_matches := [i for i, match in enumerate(table) if not match.over]:
        asked = []
        for i in open_matches:
            match, seat = table[i], min(table[i].due)
            cells, tokens = np.zeros(game.observation, np.int8), np.zeros(history, np.int64)
            k = match.know(seat)
            game.rules.observe(k, seat, cells)
            events = heard[i].events(seat)
            heard_tokens(events, len(events), seat, match.seats, game.actions, tokens)
            mask = np.zeros(game.actions, bool)
            mask[game.legal(k, seat)] = True
            asked.append((cells, tokens, mask))
        rows += asked
        wanted = policy(np.stack([row[0] for row in asked]), np.stack([row[1] for row in asked]))
        chosen = np.where(np.stack([row[2] for row in asked]), wanted, -np.inf).argmax(1)
        for i, action in zip(open_matches, chosen, strict=True):
            seat = min(table[i].due)
            table[i].play(seat, game.rules.show(table[i].know(seat), seat, int(action)))
    scores = []
    for match in table:
        found = [0] * match.seats
        game.rules.score(match.state, found)
        scores.append(tuple(found))
    return Samples(*(np.stack([row[part] for row in rows]) for part in range(3))), scores
