"""Bots beside the policy that learns, and scores as they stand, over a `Batch` on either device."""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import chain
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from tacit.bots.compiled import CompiledBot
from tacit.bots.registry import bot_named
from tacit.core.game import Game
from tacit.core.rulekit import build, cache_home, key
from tacit.core.workspace import FloatRows, Int, IntRows, flat, parameters, signature
from tacit.learn import bot_driver
from tacit.research.batch import Batch
from tacit.research.cuda import CAPABILITY, capability_of
from tacit.research.stepping import Workspace

EVENTS = 160  # heard decisions that a bot beside the policy may read back
BLOCK_SIZE = 64


class Scores:
    """The scores of a batch's matches as they stand."""

    def __init__(self, batch: Batch, kernels: Path | None) -> None:
        self.batch = batch
        self.out = batch.device.zeros((batch.n, batch.seats), np.float32)
        self._run = _runner(batch, "scores_now", None, kernels)

    def now(self) -> Any:
        """(n, seats) float32, in an array that the next call writes again."""
        self._run(self.batch._work, self.out)
        return self.out


class BotSeats:
    """A compiled bot that decides in a batch where it is asked to. The batch keeps a history."""

    def __init__(self, batch: Batch, bot: str, kernels: Path | None) -> None:
        self.batch = batch
        if not len(batch._work.worlds):
            batch._use(batch._work._replace(worlds=batch.device.states(batch.n)))
        rows = batch.n if batch.device.name == "cuda" else 1
        self.events = batch.device.zeros((rows, max(1, batch.history.shape[1])), np.int64)
        self._run = _runner(batch, "bot_decides", bot, kernels)

    def decide(self, actions: Any) -> Any:
        """The same decisions with the bot's where one is negative, as the batch's own array."""
        self.batch._work.actions[:] = actions
        self._run(self.batch._work, self.events)
        return self.batch._work.actions


def _runner(batch: Batch, rule: str, bot: str | None, kernels: Path | None) -> Any:
    """A function that runs a rule of `bot_driver` over a batch."""
    if batch.device.name == "cpu":
        rules = build(batch.game.module, "cpu", drivers=_drivers(batch.game, bot))
        run = getattr(rules, f"{rule}_slice")
        return lambda *args: run(batch.n, *args)
    import cupy

    name = f"{batch.game.name}-{bot or rule}"
    if kernels is None:
        made = key(batch.game.module, _drivers(batch.game, bot))
        kernels = cache_home() / f"{made}-bots-{''.join(map(str, capability_of(cupy)))}"
        if not (kernels / f"{name}.json").exists():
            write_bot_kernels(batch.game, [bot] if bot else [], kernels, capability_of(cupy))
    said = json.loads((kernels / f"{name}.json").read_text())
    function = cupy.RawModule(path=str(kernels / f"{name}.cubin")).get_function(said["entry"])

    def launch(*args: Any) -> None:
        given = [flat(kind, value) for kind, value in zip(said["parameters"], (batch.n, *args), strict=True)]
        function((-(-batch.n // BLOCK_SIZE),), (BLOCK_SIZE,), tuple(chain.from_iterable(given)))

    return launch


def _drivers(game: Game, bot: str | None) -> list[ModuleType]:
    if bot is None:
        return [bot_driver]
    found = bot_named(game, bot)
    if not isinstance(found, CompiledBot):
        raise ValueError(f"{bot} is not a compiled bot, and cannot sit beside a policy that learns.")
    return [bot_driver, found.module]


def write_bot_kernels(game: Game, bots: Iterable[str], folder: Path, capability: tuple[int, int] = CAPABILITY) -> None:
    """Compile what `Scores` and `BotSeats` run on a GPU into a folder; no GPU is needed."""
    from tacit.core.gpu import compile_kernel

    folder.mkdir(parents=True, exist_ok=True)
    for bot in (None, *bots):
        rules = build(game.module, "cuda", drivers=_drivers(game, bot))
        kernel = _of_scores(rules.scores_now) if bot is None else _of_bot(rules.bot_decides)
        cubin, entry = compile_kernel(kernel, signature(kernel, game.dtype), capability)
        name = f"{game.name}-{bot or 'scores_now'}"
        (folder / f"{name}.cubin").write_bytes(cubin)
        (folder / f"{name}.json").write_text(json.dumps({"entry": entry, "parameters": parameters(kernel)}))


def _of_bot(decides: Any) -> Any:
    from numba import cuda

    def kernel(n: Int, w: Workspace, events: IntRows) -> None:
        i = cuda.grid(1)
        if i < n:
            decides(i, i, w, events)

    return kernel


def _of_scores(scores: Any) -> Any:
    from numba import cuda

    def kernel(n: Int, w: Workspace, out: FloatRows) -> None:
        i = cuda.grid(1)
        if i < n:
            scores(i, i, w, out)

    return kernel
