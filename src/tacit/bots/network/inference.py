"""The forward pass in integers: the same weights decide the same on every machine.

`logits` is compiled (`build(inference, "cpu")`), for one decision; `logits_of` is plain NumPy, for many. Both give the
same integers, whatever the machine and the order of the sums, because nothing is rounded but by shifts and whole
divisions. Values between the layers have STREAM_BITS fraction bits, normed ones NORM_BITS. Where a game's positions
look different and are the same (`Symmetry`), a network is asked about each look, and the mean counts.
"""

from __future__ import annotations

import math
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np
from numpy import int8, int64, zeros

from tacit.bots.network.network_file import NORM_BITS, Network, hidden_limit
from tacit.core.bits import marked
from tacit.core.rulekit import allocates, primitive, rule
from tacit.core.state_layout import Cells

STREAM_BITS = 12
STREAM_LIMIT = 1 << 22  # of a value between the layers: its square, over all of them, fits 64 bits
ROOT_BITS = 8  # further fraction bits of a standard deviation
EPSILON = 168  # 1e-5 of a variance


class Symmetry(NamedTuple):
    """The ways in which a position can look; the first is how it looks."""

    cells: Any  # (ways, cells) int64: the cell of the position that is cell c in each look
    decisions: Any  # (ways, 2, actions) int64: the number that decision a has in it, by what cell `switch` holds
    switch: int


@rule
def root(square: int) -> int:
    """The whole square root, rounded down."""
    r = int(math.sqrt(float(square)))
    while r * r > square:
        r -= 1
    while (r + 1) * (r + 1) <= square:
        r += 1
    return r


@rule
def norm(x: Any, out: Any) -> None:
    """Each value less their mean, over their standard deviation, rounded down.

    Quotients are below 2**21 and the deviation below 2**31: a double's quotient is never rounded up to a whole number.
    """
    n = len(x)
    total = 0
    for i in range(n):
        total += x[i]
    mean = total // n
    squares = 0
    for i in range(n):
        squares += (x[i] - mean) * (x[i] - mean)
    deviation = float(root((squares // n + EPSILON) << (2 * ROOT_BITS)))
    for i in range(n):
        out[i] = math.floor(float((x[i] - mean) << (ROOT_BITS + NORM_BITS)) / deviation)


@primitive(lambda: import_module("tacit.core.products_cpu").add_products, lambda: None)
def add_products(values: Any, weights: Any, picked: Any, sums: Any) -> None:
    """sums[o] = the sum of values[j] * weights[j, o]; inputs that are 0 cost nothing."""
    n = 0
    for j in range(len(values)):
        if values[j] != 0:
            picked[n] = j
            n += 1
    size = len(sums)
    for o in range(size):
        sums[o] = 0
    fours = n - n % 4
    for at in range(0, fours, 4):
        j0, j1, j2, j3 = picked[at], picked[at + 1], picked[at + 2], picked[at + 3]
        v0, v1, v2, v3 = values[j0], values[j1], values[j2], values[j3]
        w0, w1, w2, w3 = weights[j0], weights[j1], weights[j2], weights[j3]
        for o in range(size):
            sums[o] += v0 * w0[o] + v1 * w1[o] + v2 * w2[o] + v3 * w3[o]
    for at in range(fours, n):
        value = values[picked[at]]
        row = weights[picked[at]]
        for o in range(size):
            sums[o] += value * row[o]


@rule
def logits(net: Network, cells: Any, tokens: Any, work: Any, sums: Any, out: Any) -> None:
    """out[a]: how much the network wants decision a, for one observation and the tokens of what was heard; then values.

    `work` (4, inputs) int32 and `sums` (width and at least outputs) int32 are room to work in.
    """
    width = net.first.shape[1]
    size = net.embedding.shape[1]
    blocks = net.up.shape[0]
    inputs, x, normed, picked = work[0], work[1][:width], work[2][:width], work[3]
    n = len(cells)
    for c in range(n):
        inputs[c] = cells[c] * net.units[c]
    for t in range(len(tokens)):
        for e in range(size):
            inputs[n + t * size + e] = net.embedding[tokens[t], e]
    acc = sums[:width]
    add_products(inputs[: n + len(tokens) * size], net.first, picked, acc)
    for o in range(width):
        x[o] = min(max(((acc[o] * net.scale[0, o]) >> net.shifts[0]) + net.bias[0, o], 0), STREAM_LIMIT)
    limit = ((1 << 31) - 1) // (128 * width)  # hidden_limit
    for k in range(blocks):
        norm(x, normed)
        add_products(normed, net.up[k], picked, acc)
        at = 1 + 2 * k
        for o in range(width):
            normed[o] = min(max(((acc[o] * net.scale[at, o]) >> net.shifts[at]) + net.bias[at, o], 0), limit)
        add_products(normed, net.down[k], picked, acc)
        at += 1
        for o in range(width):
            y = x[o] + ((acc[o] * net.scale[at, o]) >> net.shifts[at]) + net.bias[at, o]
            x[o] = min(max(y, -STREAM_LIMIT), STREAM_LIMIT)
    norm(x, normed)
    acc = sums[: len(out)]
    add_products(normed, net.last, picked, acc)
    shift = net.shifts[2 * blocks + 1]
    for a in range(len(out)):
        out[a] = ((acc[a] * net.last_scale[a]) >> shift) + net.last_bias[a]


@allocates
def mean_logits(
    net: Network, ways: Any, numbers: Any, switch: int, cells: Any, tokens: Any, work: Any, sums: Any, out: Any
) -> None:
    """The same, but the mean over all `ways` in which the position can look (`Symmetry`), rounded down."""
    look = zeros(len(cells), int8)
    said = zeros(len(out), int64)
    actions = numbers.shape[2]
    for a in range(len(out)):
        out[a] = 0
    for way in range(len(ways)):
        for c in range(len(cells)):
            look[c] = cells[ways[way, c]]
        logits(net, look, tokens, work, sums, said)
        for a in range(len(out)):
            out[a] += said[numbers[way, cells[switch], a]] if a < actions else said[a]
    for a in range(len(out)):
        out[a] //= len(ways)


@rule
def best(out: Any, actions: int, mask: Cells) -> int:
    """The legal decision with the largest logit; of equals the lowest number."""
    found = -1
    for a in range(actions):
        if marked(mask, a) and (found < 0 or out[a] > out[found]):
            found = a
    return found


# ------------------------------------------------------------------ plain NumPy
def logits_of(net: Network, cells: Any, tokens: Any, symmetry: Symmetry | None = None) -> Any:
    """The same for n observations (n, cells) and their tokens (n, history): int64 (n, actions + values)."""
    if symmetry is None:
        return _logits_of(net, cells, tokens)
    total: Any = 0
    for order, numbers in zip(symmetry.cells, symmetry.decisions, strict=True):
        said = _logits_of(net, cells[:, order], tokens)
        actions = numbers.shape[1]
        said[:, :actions] = np.take_along_axis(said, numbers[cells[:, symmetry.switch]], 1)
        total = total + said
    return total // len(symmetry.cells)


def _logits_of(net: Network, cells: Any, tokens: Any) -> Any:
    heard = net.embedding[np.asarray(tokens, np.int64)].reshape(len(cells), -1)
    x = np.concatenate([np.asarray(cells, np.int64) * net.units, heard], 1)
    x = np.clip(_layer(net, 0, x, net.first), 0, STREAM_LIMIT)
    limit = hidden_limit(net.first.shape[1])
    for k in range(len(net.up)):
        hidden = np.clip(_layer(net, 1 + 2 * k, _norm(x), net.up[k]), 0, limit)
        x = np.clip(x + _layer(net, 2 + 2 * k, hidden, net.down[k]), -STREAM_LIMIT, STREAM_LIMIT)
    return (_products(_norm(x), net.last) * net.last_scale >> net.shifts[-1]) + net.last_bias


def _layer(net: Network, at: int, x: Any, weights: Any) -> Any:
    return (_products(x, weights) * net.scale[at] >> net.shifts[at]) + net.bias[at]


def _products(x: Any, weights: Any) -> Any:
    # Whole numbers below 2**53 are exact in floating point, in whatever order they are added.
    return (x.astype(np.float64) @ weights.astype(np.float64)).astype(np.int64)


def _norm(x: Any) -> Any:
    away = x - (x.sum(1) // x.shape[1])[:, None]
    squares = ((away * away).sum(1) // x.shape[1] + EPSILON) << (2 * ROOT_BITS)
    deviation = np.array([math.isqrt(int(s)) for s in squares], np.int64)
    return (away << (ROOT_BITS + NORM_BITS)) // deviation[:, None]
