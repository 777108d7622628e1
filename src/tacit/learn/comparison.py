"""How a network's file does beside a named bot, in whole interpreted matches on the same deals."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tacit.bots.match_bots import MatchBots
from tacit.bots.registry import Bot, bot_named
from tacit.bots.runner import Runner
from tacit.bots.turn import dice_for
from tacit.core.game import Game
from tacit.core.match import Match

FIRST_DEAL = 1 << 52  # no run learns from these


def compare(game: Game, network: Path, bot: str, seats: int, deals: int) -> tuple[float, float]:
    """In a co-operative game the mean scores of tables of the network and of the bot; in others the share of wins of
    one network among the bots, and the share that is fair."""
    learned, other = bot_named(game, str(network)), bot_named(game, bot)
    if game.cooperative:
        both = [[_scores(game, [each] * seats, FIRST_DEAL + deal)[0] for deal in range(deals)]
                for each in (learned, other)]  # fmt: skip
        return sum(both[0]) / deals, sum(both[1]) / deals
    won = 0.0
    for deal in range(deals):
        own = deal % seats
        scores = _scores(game, [learned if q == own else other for q in range(seats)], FIRST_DEAL + deal)
        won += (scores[own] == max(scores)) / scores.count(max(scores))
    return won / deals, 1 / seats


def _scores(game: Game, bots: Sequence[Bot], seed: int) -> list[int]:
    match = Match(game, len(bots), seed=seed)
    steps = 0

    def generator(seat: int) -> object:
        return dice_for([seed & 0xFFFFFFFF, seed >> 32], steps, seat)

    table = MatchBots(match, {q: Runner(game, bot) for q, bot in enumerate(bots)}, rng=generator)  # type: ignore[arg-type]
    while not match.over:
        table.play(min(match.due))
        steps += 1
    table.close()
    found = [0] * match.seats
    game.rules.score(match.state, found)
    return found
