"""Perfect recall: one information state stands for one own past, as string and as tensor. And golden playthroughs."""

from __future__ import annotations

import hashlib
import json
import os
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from open_spiel.python.algorithms import generate_playthrough

from tacit import GAMES, game_names
from tacit.research import spiel

HERE = Path(__file__).parent
GOLDEN = HERE / "playthroughs.json"
LONG = "TACIT_LONG" in os.environ


@pytest.mark.parametrize("name", game_names())
def test_an_information_state_has_one_past(name: str) -> None:
    """In random matches that begin alike, so that their information states meet again."""
    game = spiel.load(name, 2 if name != "silent-planet" else 3)
    string_of_tensor: dict[tuple[int, bytes], str] = {}
    past_of_string: dict[tuple[int, str], tuple[Any, ...]] = {}
    for seed in range(200 if LONG else 6):
        dealt, decided = random.Random(seed % 2), random.Random(seed)
        state = game.new_initial_state()
        pasts: list[tuple[Any, ...]] = [()] * game.num_players()
        while not state.is_terminal() and len(state.history()) < (10**6 if LONG else 90):
            if state.is_chance_node():
                state.apply_action(dealt.choice([outcome for outcome, _ in state.chance_outcomes()]))
                continue
            player = state.current_player()
            string = state.information_state_string(player)
            tensor = np.array(state.information_state_tensor(player), np.float32).tobytes()
            assert past_of_string.setdefault((player, string), pasts[player]) == pasts[player]
            assert string_of_tensor.setdefault((player, tensor), string) == string
            action = decided.choice(state.legal_actions())
            pasts[player] = (hashlib.sha256(repr((pasts[player], string, action)).encode()).hexdigest(),)
            state.apply_action(action)


def playthrough(name: str) -> str:
    """A random match, with all that OpenSpiel can say of each state."""
    game = spiel.load(name, 2 if name != "silent-planet" else 3)
    state, rng = game.new_initial_state(), random.Random(7)
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))
    told = generate_playthrough.playthrough(str(game), state.history())
    return "\n".join(line for line in told.splitlines() if not line.startswith("# "))  # without whole states


@pytest.mark.parametrize("name", [*GAMES, "toy"])
def test_playthroughs_are_golden(name: str) -> None:
    """`python -m tests.research.test_recall` writes them anew."""
    golden = json.loads(GOLDEN.read_text())
    assert hashlib.sha256(playthrough(name).encode()).hexdigest() == golden[name]


if __name__ == "__main__":
    from tacit import register

    register("toy", "examples.toy.tacit_toy")
    found = {name: hashlib.sha256(playthrough(name).encode()).hexdigest() for name in [*GAMES, "toy"]}
    GOLDEN.write_text(json.dumps(found, indent=2) + "\n")
