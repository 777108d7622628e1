"""A network in integers decides as it did in floating point."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tacit import game_named
from tacit.bots.network.inference import STREAM_BITS, logits_of
from tacit.bots.network.network_file import load_network, vocabulary
from tacit.learn.export import cell_scales, export_network
from tacit.learn.quantize import GRID, Samples, agreement, dequantize, float_logits, quantize, rounded

SILENCIO = game_named("silencio")
HISTORY, EMBEDDING, WIDTH = 4, 6, 64


def trained(seed: int = 1) -> dict[str, Any]:
    """Weights as large as training leaves them."""
    rng = np.random.default_rng(seed)
    inputs = SILENCIO.observation + HISTORY * EMBEDDING
    state: dict[str, Any] = {"e.weight": rng.normal(0, 0.3, (vocabulary(SILENCIO), EMBEDDING))}
    state["e.weight"][0] = 0

    def layer(name: str, out: int, size: int) -> None:
        state[f"{name}.weight"] = rng.normal(0, 1.5 / np.sqrt(size), (out, size))
        state[f"{name}.bias"] = rng.normal(0, 0.2, out)

    def norm(name: str) -> None:
        state[f"{name}.weight"], state[f"{name}.bias"] = rng.uniform(0.5, 1.5, WIDTH), rng.normal(0, 0.1, WIDTH)

    layer("i", WIDTH, inputs)
    for k in range(2):
        norm(f"r.{k}.n")
        layer(f"r.{k}.a", WIDTH, WIDTH)
        layer(f"r.{k}.b", WIDTH, WIDTH)
    norm("n")
    layer("o", SILENCIO.actions, WIDTH)
    return state


def samples(n: int) -> Samples:
    rng = np.random.default_rng(2)
    cells = (rng.random((n, SILENCIO.observation)) < 0.1).astype(np.int8)
    return Samples(cells, rng.integers(0, vocabulary(SILENCIO), (n, HISTORY)), rng.random((n, SILENCIO.actions)) < 0.1)


def test_integers_are_close_to_floating_point() -> None:
    state, seen = trained(), samples(400)
    _, network = quantize(state, SILENCIO, cell_scales(SILENCIO), seen)
    exact = float_logits(state, cell_scales(SILENCIO), seen.cells, seen.tokens)
    whole = logits_of(network, seen.cells, seen.tokens) / (1 << STREAM_BITS)
    assert np.abs(whole - exact).std() < 0.03 * exact.std()
    assert agreement(state, cell_scales(SILENCIO), network, seen) > 0.97
    worse = network._replace(last=(network.last // 32 * 32).astype(np.int8))
    assert agreement(state, cell_scales(SILENCIO), worse, seen) < agreement(state, cell_scales(SILENCIO), network, seen)


def test_a_file_is_learned_on_from_blocks_whose_matrices_have_one_size() -> None:
    state, seen = trained(), samples(200)
    state["r.0.b.weight"] *= 30  # whatever it was
    header, network = quantize(state, SILENCIO, cell_scales(SILENCIO), seen)
    found = dequantize(header, network)
    again = float_logits(found, cell_scales(SILENCIO), seen.cells, seen.tokens)
    whole = logits_of(network, seen.cells, seen.tokens) / (1 << STREAM_BITS)
    assert np.abs(whole - again).std() < 0.03 * again.std()
    for k in range(2):
        up, down = (np.linalg.norm(found[f"r.{k}.{name}.weight"]) for name in "ab")
        assert up == pytest.approx(down, rel=1e-4)


def test_a_network_for_other_tokens_is_refused() -> None:
    state = trained()
    state["e.weight"] = state["e.weight"][:-1]
    with pytest.raises(ValueError, match="The embedding has 372 tokens, and Silencio has 373"):
        quantize(state, SILENCIO, cell_scales(SILENCIO), samples(2))


def test_an_export_says_how_true_it_is(tmp_path: Path) -> None:
    done = export_network(trained(), SILENCIO, tmp_path / "n.npz", seats=[2, 3], matches=4, training={"seconds": 1})
    header, _ = load_network(tmp_path / "n.npz", SILENCIO)
    assert (header.seats, header.history, header.blocks) == ([2, 3], HISTORY, 2)
    assert header.training == {"seconds": 1}
    assert done.size == (tmp_path / "n.npz").stat().st_size
    assert done.samples > 20
    assert done.agreement > 0.95
    assert len(done.scores) == 2


def test_errors_of_rounding_make_each_other_good() -> None:
    rng = np.random.default_rng(4)
    read = rng.normal(size=(500, 8)) @ rng.normal(size=(8, 40))  # inputs that go together
    weights = rng.uniform(-20, 20, (16, 40))
    found = rounded(weights, read)
    assert (found == np.round(found)).all()
    assert np.abs(found).max() <= 127

    def error(whole: Any) -> float:
        return float(np.square(read @ (whole - weights).T).mean())

    assert error(found) < error(np.round(weights)) / 4


def test_a_network_that_went_on_from_another_is_kept_as_what_changed(tmp_path: Path) -> None:
    state, rng = trained(), np.random.default_rng(5)
    export_network(state, SILENCIO, tmp_path / "base.npz", seats=[2, 3], matches=16)
    header, before = load_network(tmp_path / "base.npz", SILENCIO)
    later = dequantize(header, before)
    for name in [name for name in later if name.endswith(".weight") and later[name].ndim == 2]:
        later[name] = later[name] + rng.normal(0, 0.1 * later[name].std(), later[name].shape)
    whole = export_network(later, SILENCIO, tmp_path / "whole.npz", seats=[2, 3], matches=16)
    changed = export_network(later, SILENCIO, tmp_path / "changed.npz", seats=[2, 3], matches=16, base="base.npz")
    assert changed.size < 0.7 * whole.size
    assert changed.agreement > 0.9
    _, now = load_network(tmp_path / "changed.npz", SILENCIO)
    for old, new in zip((before.first, before.up, before.down), (now.first, now.up, now.down), strict=True):
        away = (new.astype(int) - old)[np.abs(new.astype(int)) < 127]
        assert away.any()
        assert not (away % GRID).any()
