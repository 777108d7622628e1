"""A value network learns what a policy's matches come to, from what the deciding seat knows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from tacit import game_named
from tacit.bots.network.inference import logits_of
from tacit.bots.network.network_file import load_network
from tacit.learn.config import Config
from tacit.learn.trainer import Trainer
from tacit.learn.value_training import ValueTrainer

SIZES: dict[str, Any] = {
    "matches": 64,
    "steps": 16,
    "critic_width": 48,
    "minibatch": 512,
    "epochs": 2,
    "rate": 3e-3,
    "seats": (2,),
}


@pytest.fixture(scope="module")
def policy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a policy that has hardly learned."""
    run = Trainer(Config(game="silencio", updates=1, width=24, history=4, embedding=4, **SIZES))
    run.run(1)
    path = tmp_path_factory.mktemp("policy") / "policy.npz"
    run.export(path, matches=4)
    return path


def values(policy: Path, updates: int) -> ValueTrainer:
    return ValueTrainer(Config(game="silencio", updates=updates, **SIZES), policy, width=32, blocks=1)


def test_it_learns_what_matches_come_to_and_the_policy_stays_as_it_is(policy: Path) -> None:
    run = values(policy, 30)
    before = {name: part.clone() for name, part in run.policy.state_dict().items()}
    run.run(1)
    assert all(torch.equal(part, before[name]) for name, part in run.policy.state_dict().items())
    found = run.errors()[2]
    assert found["value"] < 0.5 * found["nothing"]
    assert found["value"] < 0.5 * found["head"]


def test_it_reads_what_the_seat_knows_alone(policy: Path) -> None:
    """The critic's answer changes with the hidden cards; the value network is not even told of them."""
    run = values(policy, 2)
    run.run(1)
    run.play.look(0)
    cells, tokens, hidden = run.play.cells[0], run.play.tokens[0], run.play.hidden[0]
    with torch.no_grad():
        assert not torch.equal(run.expected(cells, tokens, hidden), run.expected(cells, tokens, ~hidden))
    read = run.value.i.weight.shape[1]
    assert read == run.game.observation + run.config.history * run.config.embedding


def test_its_file_tells_the_same_values_and_no_decision(policy: Path, tmp_path: Path) -> None:
    run = values(policy, 4)
    run.run(1)
    done = run.export_values(tmp_path / "value.npz", matches=6)
    game = game_named("silencio")
    header, network = load_network(tmp_path / "value.npz", game)
    assert (header.values, header.width, header.blocks) == (1, 32, 1)
    run.play.look(0)
    cells, tokens = run.play.cells[0].numpy(), run.play.tokens[0].numpy()
    found = logits_of(network, cells, tokens)
    assert not found[:, : game.actions].any()
    with torch.no_grad():
        run.value.load_state_dict(run.average)
        wanted = run.told(run.play.cells[0], run.play.tokens[0]).numpy()
    assert np.abs(found[:, game.actions :] / 4096 - wanted).max() < 0.05
    assert 0 < done.error < 0.02
    assert done.samples > 50


def test_a_run_goes_on_from_what_was_trained_before(policy: Path) -> None:
    old, new = values(policy, 3), values(policy, 3)
    old.run(1)
    new.go_on(old.state(), old.critic.state_dict())
    assert all(torch.equal(part, new.average[name]) for name, part in old.average.items())
    assert torch.equal(old.critic.i.weight, new.critic.i.weight)
