"""From a trained network in floating point to the file that a bot plays by.

A trained network is a state dict, by PyTorch's names, with weights of shape (outputs, inputs):

    e.weight                      the embedding of the tokens
    i.weight, i.bias              the first layer
    r.K.n.*, r.K.a.*, r.K.b.*     block K: its norm, the layer up and the layer down
    n.*, o.*                      the last norm and the last layer: logits, then values
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from tacit.bots.network.inference import EPSILON, STREAM_BITS, logits_of
from tacit.bots.network.network_file import NORM_BITS, Header, Network, header_for, hidden_limit, vocabulary
from tacit.core.game import Game

State = Mapping[str, Any]
INPUT_BITS = 10  # fraction bits of the first layer's inputs
HEADROOM = 1.25  # of hidden values, over the largest among the samples
MULTIPLIER_BITS = 30
DAMPING = 0.01  # of the mean moment of a layer's inputs
BLOCK = 64  # inputs that are rounded before the others learn of it
GRID = 4  # differences from another network's weights are multiples of it


@dataclass(frozen=True)
class Samples:
    """Decisions of a network's own matches: (n, cells) int8, (n, history) int64, (n, actions) bool."""

    cells: Any
    tokens: Any
    mask: Any


def blocks_of(state: State) -> int:
    """How many residual blocks a network has."""
    return len({name.split(".")[1] for name in state if name.startswith("r.")})


def float_logits(state: State, scales: Any, cells: Any, tokens: Any, inputs: list[Any] | None = None) -> Any:
    """The logits and values in floating point.

    `scales` is what each cell is multiplied by; `inputs` gets what each layer reads, norms without gain and offset.
    """
    kept: list[Any] = [] if inputs is None else inputs
    kept.append(np.concatenate([cells * scales, state["e.weight"][tokens].reshape(len(cells), -1)], 1))
    x = np.maximum(kept[-1] @ state["i.weight"].T + state["i.bias"], 0)
    for k in range(blocks_of(state)):
        kept.append(_normed(x))
        weights, bias = _folded(state, f"r.{k}.n", f"r.{k}.a")
        kept.append(np.maximum(kept[-1] @ weights.T + bias, 0))
        x = x + kept[-1] @ state[f"r.{k}.b.weight"].T + state[f"r.{k}.b.bias"]
    kept.append(_normed(x))
    weights, bias = _folded(state, "n", "o")
    return kept[-1] @ weights.T + bias


def _normed(x: Any) -> Any:
    away = x - x.mean(1, keepdims=True)
    return away / np.sqrt((away * away).mean(1, keepdims=True) + EPSILON / (1 << 2 * STREAM_BITS))


def quantize(
    state: State, game: Game, scales: Any, samples: Samples, start: tuple[Header, Network] | None = None, **said: Any
) -> tuple[Header, Network]:
    """The network in integers; `said` goes into its header (seats, rules_versions, training, base).

    `samples` show how large hidden values become, and which errors of rounding matter. Of a network that went on from
    `start` the weights differ from that one's by multiples of GRID: so the differences take little room.
    """
    state = {name: np.asarray(value, np.float64) for name, value in state.items()}
    embedded, size = state["e.weight"].shape
    width, inputs = state["i.weight"].shape
    if embedded != vocabulary(game):
        raise ValueError(f"The embedding has {embedded} tokens, and {game.title} has {vocabulary(game)}.")
    starts = iter(()) if start is None else _starts(*start)
    read: list[Any] = []
    float_logits(state, scales, samples.cells, samples.tokens, read)
    units = np.maximum(np.round(np.asarray(scales) * (1 << INPUT_BITS)), 1)
    first = state["i.weight"].copy()
    first[:, : len(units)] *= np.asarray(scales) * (1 << INPUT_BITS) / units
    layers = [_layer(first, state["i.bias"], 1 << INPUT_BITS, 1 << STREAM_BITS, read[0], next(starts, None))]
    up, down = [], []
    for k in range(blocks_of(state)):
        normed, hidden = read[2 * k + 1 : 2 * k + 3]
        unit = hidden_limit(width) / (HEADROOM * max(float(hidden.max()), 1e-3))
        weights, bias = _folded(state, f"r.{k}.n", f"r.{k}.a")
        layers.append(_layer(weights, bias, 1 << NORM_BITS, unit, normed, next(starts, None)))
        up.append(layers[-1][0])
        weights, bias = state[f"r.{k}.b.weight"], state[f"r.{k}.b.bias"]
        layers.append(_layer(weights, bias, unit, 1 << STREAM_BITS, hidden, next(starts, None)))
        down.append(layers[-1][0])
    last = _layer(*_folded(state, "n", "o"), 1 << NORM_BITS, 1 << STREAM_BITS, read[-1], next(starts, None))
    square = (0, width, width)
    network = Network(
        units=units.astype(np.int64),
        embedding=np.round(state["e.weight"] * (1 << INPUT_BITS)).astype(np.int64),
        first=layers[0][0],
        up=np.array(up, np.int8).reshape((len(up), *square[1:])),
        down=np.array(down, np.int8).reshape((len(down), *square[1:])),
        last=last[0],
        scale=np.array([layer[1] for layer in layers]),
        bias=np.array([layer[2] for layer in layers]),
        last_scale=last[1],
        last_bias=last[2],
        shifts=np.array([layer[3] for layer in layers] + [last[3]]),
    )
    history = (inputs - game.observation) // size if size else 0
    values = len(state["o.bias"]) - game.actions
    header = header_for(game, history=history, embedding=size, width=width, blocks=len(up), values=values, **said)
    return header, network


def agreement(state: State, scales: Any, network: Network, samples: Samples) -> float:
    """How often the network in integers decides as the one in floating point, among samples with a choice."""
    choice = samples.mask.sum(1) > 1
    cells, tokens, mask = samples.cells[choice], samples.tokens[choice], samples.mask[choice]
    actions, least = mask.shape[1], np.iinfo(np.int64).min
    wanted = np.where(mask, float_logits(state, scales, cells, tokens)[:, :actions], -np.inf).argmax(1)
    found = np.where(mask, logits_of(network, cells, tokens)[:, :actions], least).argmax(1)
    return float((wanted == found).mean()) if len(found) else 1.0


def _folded(state: State, norm: str, layer: str) -> tuple[Any, Any]:
    """A layer's weights and bias with the gain and offset of the norm before it folded in."""
    weights = state[f"{layer}.weight"]
    return weights * state[f"{norm}.weight"], state[f"{layer}.bias"] + weights @ state[f"{norm}.bias"]


def _starts(header: Header, network: Network) -> Iterator[tuple[Any, Any]]:
    """Of each layer the whole weights of a network, and what 1 in them counts, a row for each output."""
    state = dequantize(header, network)
    layers = [("i", network.first)]
    for k in range(header.blocks):
        layers += [(f"r.{k}.a", network.up[k]), (f"r.{k}.b", network.down[k])]
    for name, whole in [*layers, ("o", network.last)]:
        before = whole.T.astype(np.float64)
        yield before, np.abs(state[f"{name}.weight"]).max(1) / np.maximum(np.abs(before).max(1), 1)


def _layer(
    weights: Any, bias: Any, unit_in: float, unit_out: float, read: Any, start: tuple[Any, Any] | None
) -> tuple[Any, Any, Any, int]:
    """8-bit weights (a row for each input), multipliers, biases and the shift; `start` is of the network before."""
    before, step = start or (None, np.abs(weights).max(1) / 127)
    step = np.maximum(step, 1e-11)
    whole = rounded(weights / step[:, None], read, before).astype(np.int8)
    factor = step * unit_out / unit_in
    shift = min(62, MULTIPLIER_BITS - math.ceil(math.log2(factor.max())))
    return (
        whole.T.copy(),
        np.round(factor * 2.0**shift).astype(np.int64),
        np.round(bias * unit_out).astype(np.int64),
        shift,
    )


def rounded(weights: Any, read: Any, before: Any = None) -> Any:
    """Weights as whole numbers from -127 to 127, so that what they make of what was `read` changes least.

    From whole numbers `before`, if there are any, they differ by multiples of GRID.

    One input after the other; the error of each is made good by the weights of those that follow, as far as the inputs
    go together (Frantar et al., GPTQ, 2022).
    """
    left = np.array(weights, np.float64)
    moments = read.T.astype(np.float64) @ read / len(read)
    moments += DAMPING * max(float(moments.trace()), 1e-9) / len(moments) * np.eye(len(moments))
    upper = np.linalg.cholesky(np.linalg.inv(moments)).T
    before, grid = (np.zeros_like(left), 1) if before is None else (before, GRID)
    found = np.zeros_like(left)
    for begin in range(0, left.shape[1], BLOCK):
        end = min(begin + BLOCK, left.shape[1])
        errors = np.zeros((len(left), end - begin))
        for i in range(begin, end):
            found[:, i] = np.clip(before[:, i] + grid * np.round((left[:, i] - before[:, i]) / grid), -127, 127)
            errors[:, i - begin] = (left[:, i] - found[:, i]) / upper[i, i]
            left[:, i + 1 : end] -= np.outer(errors[:, i - begin], upper[i, i + 1 : end])
        left[:, end:] -= errors @ upper[begin:end, end:]
    return found


def dequantize(header: Header, network: Network) -> dict[str, Any]:
    """A state dict in floating point that decides as a network's file does: to play on a GPU, or to learn on."""
    width, blocks = header.width, header.blocks
    ones, zeros = np.ones(width, np.float32), np.zeros(width, np.float32)

    def layer(at: int, weights: Any, unit_in: float, unit_out: float) -> tuple[Any, Any]:
        last = at == len(network.scale)
        scale, bias = (network.last_scale, network.last_bias) if last else (network.scale[at], network.bias[at])
        factor = scale / 2.0 ** network.shifts[at] * unit_in / unit_out
        return (weights.T * factor[:, None]).astype(np.float32), (bias / unit_out).astype(np.float32)

    state: dict[str, Any] = {"e.weight": (network.embedding / (1 << INPUT_BITS)).astype(np.float32)}
    stream, norm = 1 << STREAM_BITS, 1 << NORM_BITS
    state["i.weight"], state["i.bias"] = layer(0, network.first, 1 << INPUT_BITS, stream)
    for k in range(blocks):
        state[f"r.{k}.n.weight"], state[f"r.{k}.n.bias"] = ones, zeros
        # A file does not tell how the two matrices shared their size, and any way decides the same. They get one size,
        # for a learner moves both by steps of one size, which would wipe out what a far smaller one holds.
        up, up_bias = layer(1 + 2 * k, network.up[k], norm, 1.0)
        down, down_bias = layer(2 + 2 * k, network.down[k], 1.0, stream)
        share = np.sqrt(np.linalg.norm(up) / np.linalg.norm(down))
        state[f"r.{k}.a.weight"], state[f"r.{k}.a.bias"] = up / share, up_bias / share
        state[f"r.{k}.b.weight"], state[f"r.{k}.b.bias"] = down * share, down_bias
    state["n.weight"], state["n.bias"] = ones, zeros
    state["o.weight"], state["o.bias"] = layer(1 + 2 * blocks, network.last, norm, stream)
    return state
