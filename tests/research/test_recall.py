"""Perfect recall: one information state stands for one own past, as string and as tensor. And golden playthroughs."""

from __future__ import annotations

import hashlib
import json
import os
import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from open_spiel.python.algorithms import generate_playthrough

from tacit import GAMES, game_names
from tacit.research import spiel

HERE = Path(__file__).parent
GOLDEN = HERE / "playthroughs.json"
LONG = "TACIT_LONG" in os.environ
WIDTH = 400 if LONG else 40


def grown(name: str, begun: int, width: int, depth: int) -> Iterator[tuple[int, str, bytes, str]]:
    """The information states around one moment, each with its own past: many short lines of play from there.

    Chance does the same in all of them, so that lines which differ in the order of decisions meet again. There are none
    where the match is over before that moment.
    """
    game, rng = spiel.load(name, 2 if name != "silent-planet" else 3), random.Random(begun)
    state = game.new_initial_state()
    for _ in range(begun):
        if state.is_terminal():
            return
        state.apply_action(rng.choice(state.legal_actions()))
    lines = [(state, [""] * game.num_players())]
    for _ in range(depth):
        following = []
        for now, pasts in lines:
            if now.is_terminal():
                continue
            player, actions = now.current_player(), now.legal_actions()
            if now.is_chance_node():
                now.apply_action(actions[0])
                following.append((now, pasts))
                continue
            string = now.information_state_string(player)
            tensor = np.array(now.information_state_tensor(player), np.float32).tobytes()
            yield player, string, tensor, pasts[player]
            for action in actions[:3]:
                after = pasts.copy()
                after[player] = hashlib.sha256(repr((pasts[player], string, action)).encode()).hexdigest()
                following.append((now.child(action), after))
        lines = following if len(following) <= width else rng.sample(following, width)


@pytest.mark.parametrize("name", game_names())
def test_an_information_state_has_one_past(name: str) -> None:
    past_of_string: dict[tuple[int, str], str] = {}
    string_of_tensor: dict[tuple[int, bytes], str] = {}
    for begun in range(8, 120, 8) if LONG else (8, 40):
        for player, string, tensor, past in grown(name, min(begun, 4) if name == "toy" else begun, WIDTH, 14):
            assert past_of_string.setdefault((player, string), past) == past
            assert string_of_tensor.setdefault((player, tensor), string) == string


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
