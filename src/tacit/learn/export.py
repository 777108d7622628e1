"""Write a trained network as the file that a bot plays by, and say how true the file is to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tacit.bots.network.inference import STREAM_BITS, logits_of
from tacit.bots.network.network_file import Network, load_network, number_cells, save_network
from tacit.core.game import Game
from tacit.learn.quantize import Samples, State, agreement, float_logits, quantize
from tacit.learn.samples import play_samples

NUMBER_SCALE = 0.1  # what numbers in a cell are multiplied by; sets count 1
LEAST_AGREEMENT = 0.99


@dataclass(frozen=True)
class Exported:
    """What was written: the file's size, and how often it decides as the network in floating point."""

    path: Path
    size: int
    samples: int
    agreement: float
    scores: list[tuple[int, ...]]  # of the matches in which the samples were taken


@dataclass(frozen=True)
class ExportedValues:
    """What was written: the file's size, and how far its values are from floating point (root mean square)."""

    path: Path
    size: int
    samples: int
    error: float


def cell_scales(game: Game) -> Any:
    """What each cell of an observation is multiplied by before a network reads it: float64 (cells)."""
    return np.where(number_cells(game), NUMBER_SCALE, 1.0)


def export_network(
    state: State,
    game: Game,
    path: Path,
    *,
    seats: Sequence[int],
    scales: Any = None,
    matches: int = 96,
    seed: int = 1 << 40,
    training: dict[str, Any] | None = None,
    base: str = "",
) -> Exported:
    """Quantize a trained network and write its file; where it went on from one beside it (`base`), what changed.

    The network plays `matches` with itself; half of the decisions set the ranges, the other half measure the agreement.
    """
    state = {name: np.asarray(value, np.float32) for name, value in state.items()}
    scales = np.asarray(cell_scales(game) if scales is None else scales, np.float32)
    network, fresh, scores = _quantized(
        state, state, game, path, scales, seats, matches, seed, base, training=training or {}
    )  # fmt: skip
    found = agreement(state, scales, network, fresh)
    return Exported(path, path.stat().st_size, int((fresh.mask.sum(1) > 1).sum()), found, scores)


def export_values(
    state: State,
    policy: State,
    game: Game,
    path: Path,
    *,
    seats: Sequence[int],
    matches: int = 96,
    seed: int = 1 << 40,
    training: dict[str, Any] | None = None,
) -> ExportedValues:
    """Quantize a value network and write its file, in which all logits are 0.

    The `policy` plays the matches in which it is measured, half of them for the ranges.
    """
    state, policy = ({name: np.asarray(part, np.float32) for name, part in net.items()} for net in (state, policy))
    no_logits = np.zeros((game.actions, state["o.weight"].shape[1]), np.float32)
    state["o.weight"] = np.concatenate([no_logits, state["o.weight"]])
    state["o.bias"] = np.concatenate([no_logits[:, 0], state["o.bias"]])
    scales = np.asarray(cell_scales(game), np.float32)
    network, fresh, _ = _quantized(
        state, policy, game, path, scales, seats, matches, seed, training=training or {}
    )  # fmt: skip
    whole = logits_of(network, fresh.cells, fresh.tokens) / (1 << STREAM_BITS)
    away = (whole - float_logits(state, scales, fresh.cells, fresh.tokens))[:, game.actions]
    return ExportedValues(path, path.stat().st_size, len(away), float(np.sqrt(np.square(away).mean())))


def _quantized(
    state: State, policy: State, game: Game, path: Path, scales: Any, seats: Sequence[int], matches: int, seed: int,
    base: str = "", **said: Any,
) -> tuple[Network, Samples, list[tuple[int, ...]]]:  # fmt: skip
    """Write a network's file, quantized by half of the matches that the policy plays; the network, the decisions of the
    other half, and its scores. What is `said` goes into its header."""
    size = state["e.weight"].shape[1]
    history = (state["i.weight"].shape[1] - game.observation) // size if size else 0

    def plays(cells: Any, tokens: Any) -> Any:
        return float_logits(policy, scales, cells, tokens)[:, : game.actions]

    ranges, _ = play_samples(game, plays, history, seats, matches // 2, seed)
    fresh, scores = play_samples(game, plays, history, seats, matches // 2, seed + matches)
    before = load_network(path.with_name(base), game) if base else None
    header, network = quantize(state, game, scales, ranges, before, seats=list(seats), base=base, **said)
    save_network(path, game, header, network)
    return network, fresh, scores
