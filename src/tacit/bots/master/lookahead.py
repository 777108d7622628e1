"""A bot that looks ahead by a network: the network's decision, unless its own playouts are sure of a better one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import Any

import numpy as np

from tacit.bots.master import lockstep
from tacit.bots.network.network_file import MAX_HISTORY
from tacit.bots.search import engine
from tacit.bots.search.searcher import Search, Searcher, SearchParameters
from tacit.bots.search.searcher import drivers as search_drivers
from tacit.bots.turn import Turn
from tacit.core.chance import RNG_WORDS
from tacit.core.game import Game

SLOTS = 32  # playouts side by side
EVENTS = 512  # that a playout keeps: half of them from before it


@dataclass(frozen=True, slots=True)
class LookaheadParameters(SearchParameters):
    """How far a network looks ahead. The horizon is how often it is asked in a playout, the last time for its value;
    of quick playouts it is turns, as in `search`."""

    top: int = 4  # decisions that are compared at most
    gap: float = 2.0  # a decision whose logit is that much below the best is not compared
    quick: bool = False  # playouts and worth are those of `search`, where they tell more than the network's in the time
    turns: int = 0  # that the policy of `search` plays before the network is asked


@cache
def drivers(game: Game, tuning: ModuleType) -> list[ModuleType]:
    """The modules beside the game's that it is built of."""
    return [*search_drivers(game, tuning), lockstep]


class Master(Searcher):
    """A bot for one seat of one match. Subclasses name the tuning, as of `Searcher`, with NETWORK and `evaluate`."""

    NAME = "master"

    @classmethod
    def policy(cls) -> str:
        return "learned"

    @classmethod
    def searching(cls, game: Game, seats: int) -> Search:
        return Lookahead(game, cls.TUNING, seats)


class Lookahead(Search):
    """A seat's playouts by a network, through one match."""

    parameters: LookaheadParameters

    def __init__(self, game: Game, tuning: ModuleType, seats: int) -> None:
        super().__init__(game, tuning, seats)
        header, _ = getattr(tuning, "VALUE", tuning.NETWORK).loaded
        self.slots = lockstep.Slots(
            states=np.zeros(SLOTS, game.dtype),
            known=np.zeros(1, game.dtype),
            standing=np.zeros(SLOTS, np.int64),
            seats=np.zeros(SLOTS, np.int64),
            values=np.zeros(SLOTS, np.int64),
            asked=np.zeros(SLOTS, np.int64),
            masks=np.zeros((SLOTS, game.words), np.int64),
            events=np.zeros((SLOTS, seats, EVENTS), np.int64),
            heard=np.zeros((SLOTS, seats), np.int64),
            dice=np.zeros((SLOTS, RNG_WORDS), np.int64),
            cells=np.zeros((SLOTS, game.observation), np.int8),
            tokens=np.zeros((SLOTS, MAX_HISTORY), np.int64),
            wanted=np.zeros((SLOTS, game.actions + header.values), np.int64),
            returns=returns_of(game, seats, header.training.get("config", {})),
        )

    def drivers(self) -> list[ModuleType]:
        return drivers(self.game, self.tuning)

    def _moves(self, turn: Turn, actions: list[int], n: int) -> list[int]:
        """The decisions that the network wants, the one it wants most first."""
        self.rules.judge(self.work, self.slots, turn.seat, n, self.game.actions)
        wanted = self.slots.wanted[0]
        order = sorted(actions, key=lambda action: (-int(wanted[action]), action))
        least = int(wanted[order[0]]) - round(self.parameters.gap * lockstep.ONE)
        return [action for action in order[: self.parameters.top] if wanted[action] >= least]

    def _rate(self, w: engine.Workspace, seat: int, world: int, n: int) -> tuple[int, int]:
        if self.parameters.quick:
            return super()._rate(w, seat, world, n)
        worlds = max(1, SLOTS // int(w.live.sum()))
        kept = self.kept if self.parameters.reuse else 0
        how = self.game.actions, self.parameters.horizon, self.parameters.turns
        return int(self.rules.rate_all(w, self.slots, seat, world, worlds, kept, n, *how)), worlds


def returns_of(game: Game, seats: int, config: dict[str, Any]) -> Any:
    """What a network was trained to want, for `lockstep`: `config` is that of its training (`tacit.learn.config`)."""
    low, high = game.module.score_range(seats) if game.cooperative else (0, 0)
    point = min(10.0 / (high - low), 1.0) if game.cooperative else config.get("points", 0.0)
    win = config.get("best_bonus" if game.cooperative else "win", 1.0)
    dense = bool(config.get("dense", False))
    scaled = [round(number * lockstep.ONE) for number in (point, win)]
    return np.array([int(game.cooperative), *scaled, int(dense), high], np.int64)
