"""A network of your own as a bot: write its file, let it play in the arena, seat it at a table.

python examples/own_network.py [MATCHES]
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from tacit import Match, game_named
from tacit.bots import MatchBots, Runner, bot_named
from tacit.bots.network.network_file import vocabulary
from tacit.learn.export import export_network

# Train: here the weights are random. Yours are a state dict with these names (tacit.learn.quantize describes them);
# `tacit.learn.model.ResidualNet` is a PyTorch module that has them.
game, rng, width, history, size = game_named("silencio"), np.random.default_rng(1), 32, 4, 8
inputs, outputs = game.observation + history * size, game.actions + 1  # logits, then one common value


def layer(name: str, rows: int, columns: int) -> dict[str, object]:
    weights = rng.normal(size=(rows, columns)) / columns**0.5
    return {f"{name}.weight": weights.astype(np.float32), f"{name}.bias": np.zeros(rows, np.float32)}


def norm(name: str) -> dict[str, object]:
    return {f"{name}.weight": np.ones(width, np.float32), f"{name}.bias": np.zeros(width, np.float32)}


state = {"e.weight": rng.normal(size=(vocabulary(game), size)).astype(np.float32)}
state |= layer("i", width, inputs) | norm("r.0.n") | layer("r.0.a", width, width) | layer("r.0.b", width, width)
state |= norm("n") | layer("o", outputs, width)

# Export: 8-bit weights, checked against the network in floating point.
made = export_network(state, game, Path("mine.npz"), seats=[2], matches=4)
print(f"mine.npz: {made.size} bytes, true to the network in {made.agreement:.1%} of {made.samples} decisions")

# Arena: `tacit arena silencio --seats mine.npz,steady --matches 200`. Table: the file is a bot wherever one is named.
for seed in range(int(sys.argv[1]) if len(sys.argv) > 1 else 3):
    match = Match(game, 2, seed=seed)
    bots = MatchBots(match, {q: Runner(game, bot_named(game, name)) for q, name in enumerate(["mine.npz", "steady"])})
    while not match.over:
        bots.play(min(match.due))
    print(f"match {seed}: {match.result}")
