"""The rules of `stepping` as CUDA kernels: one thread a match."""

from __future__ import annotations

from typing import Any

from numba import cuda

from tacit.core.game import Game
from tacit.core.rulekit import build
from tacit.research import stepping


def kernels_of(game: Game) -> dict[str, Any]:
    """The kernels, as functions for `cuda.jit` or `cuda.compile`."""
    rules = build(game.module, "cuda", drivers=[stepping])
    advance, write_down = rules.advance, rules.write_down
    one_lot, one_stream, one_look, one_dream = rules.lot, rules.sow, rules.look, rules.dream

    def play(
        n: int, mode: int, fault: int, penalty: float, stride: int, actions: Any, weights: Any, scores: Any,
        states: Any, blank: Any, seeds: Any, rngs: Any, seat: Any, words: Any, reward: Any, done: Any, illegal: Any,
        mask: Any, observation: Any,
    ) -> None:  # fmt: skip
        i = cuda.grid(1)
        if i < n:
            advance(
                i, i, mode, fault, penalty, stride, actions, weights, scores, states, blank, seeds, rngs, seat, words,
                reward, done, illegal,
            )  # fmt: skip
            write_down(i, states, seat, words, mask, observation)

    def lots(n: int, words: Any, dice: Any, actions: Any) -> None:
        i = cuda.grid(1)
        if i < n:
            one_lot(i, words, dice, actions)

    def sow(n: int, first: int, dice: Any) -> None:
        i = cuda.grid(1)
        if i < n:
            one_stream(i, first, dice)

    def look(n: int, watchers: Any, states: Any, worlds: Any, blank: Any, observation: Any) -> None:
        i = cuda.grid(1)
        if i < n:
            one_look(i, watchers, states, worlds, blank, observation)

    def dream(n: int, first: int, watchers: Any, states: Any, worlds: Any, blank: Any, rngs: Any) -> None:
        i = cuda.grid(1)
        if i < n:
            one_dream(i, first, watchers, states, worlds, blank, rngs)

    return {"play": play, "lots": lots, "sow": sow, "look": look, "dream": dream}
