"""Batches in which one policy plays every seat, and what it learns from: the only place that steps them."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import torch

from tacit.core.game import Game
from tacit.research.batch import Batch

# Until `Batch` keeps a history, networks read none, and forced decisions are decisions like others.
HAS_HISTORY = "history" in inspect.signature(Batch.__init__).parameters


class SelfPlay:
    """Matches with one number of seats, side by side."""

    def __init__(self, game: Game, seats: int, n: int, history: int, device: str, seed: int) -> None:
        kept: dict[str, Any] = {"history": history, "skip_forced": True} if HAS_HISTORY else {}
        self.batch = Batch(game, n, seats, device=device, seed=seed, check=False, **kept)  # type: ignore[arg-type]
        self.game, self.seats, self.n, self.device = game, seats, n, device
        self.best = getattr(game.module, "best_score", None)

    def tensor(self, name: str) -> torch.Tensor:
        """An array of the batch; it is written again by the next step."""
        return torch.from_dlpack(getattr(self.batch, name))  # type: ignore[no-any-return]

    def look(self) -> dict[str, torch.Tensor]:
        """What the deciding seats see, as copies."""
        tokens = self.tensor("history") if HAS_HISTORY else torch.zeros((self.n, 0), dtype=torch.int32)
        return {
            "cells": self.tensor("observation").clone(),
            "tokens": tokens.clone(),
            "mask": self.tensor("mask").clone(),
            "seat": self.tensor("seat").clone(),
        }

    def step(self, actions: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Play; the scores (n, seats), which count where a match is over, and where one is."""
        if self.device == "cpu":
            self.batch.step(actions.numpy())
        else:
            import cupy

            self.batch.step(cupy.from_dlpack(actions))
        return self.tensor("reward").clone(), self.tensor("done").clone()


def returns(game: Game, seats: int, scores: torch.Tensor, bonus: float) -> torch.Tensor:
    """What each seat wants more of, from the scores at a match's end: (n, seats).

    In co-operative games the common score, in tenths of its range, with a bonus for the best there is; in competitive
    ones the share of a win, which seats with the highest score divide, less what is fair.
    """
    if game.cooperative:
        low, high = game.module.score_range(seats)
        return (scores - high) * (10.0 / max(high - low, 1)) + bonus * (scores == high)
    first = scores == scores.max(1, keepdim=True).values
    return first / first.sum(1, keepdim=True) - 1.0 / seats


def shares(total: int, parts: int) -> list[int]:
    """A number in about equal parts."""
    return [int(part) for part in np.diff(np.linspace(0, total, parts + 1).astype(int))]
