"""A network as the rule `choose`: the policy of a compiled bot, interpreted through NumPy and compiled alike."""

from __future__ import annotations

import hashlib
import threading
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numpy as np
from numpy import int8, int64, zeros

from tacit.bots.network import inference
from tacit.bots.network.heard_tokens import heard_tokens
from tacit.bots.network.inference import Symmetry
from tacit.bots.network.network_file import MAX_HISTORY, Header, Network, load_network
from tacit.core.bits import marked, marks
from tacit.core.game import Game
from tacit.core.random_play import observe
from tacit.core.rulekit import allocates, primitive, rule
from tacit.core.state_layout import Cells

CELLS, ACTIONS = 1, 1  # of the game: `choose_of` puts its numbers there, and its own rules
# What a compiled policy is made of beside rules, and so a part of its key in the cache.
SOURCES = ("inference.py", "compiled_network.py")


@rule
def ask(cells: Any, tokens: Any, mask: Cells) -> int:
    """The network's decision, from what a seat observes and has heard."""
    return -1


@allocates
def choose_by_network(k: Any, seat: int, events: Cells, n: int, mask: Cells, rng: Cells) -> int:
    """The legal decision that the network wants most; it is not asked where there is only one."""
    total = 0
    only = 0
    for action in range(ACTIONS):
        if marked(mask, action):
            total += 1
            only = action
    if total == 1:
        return only
    cells = zeros(CELLS, int8)
    tokens = zeros(MAX_HISTORY, int64)
    observe(k, seat, cells)
    heard_tokens(events, n, seat, k.seats, ACTIONS, tokens)
    return ask(cells, tokens, mask)


class NetworkPolicy:
    """The network in a file, for one game. The file is read when a decision is first wanted, or compiled.

    With a `symmetry` it is asked about every look of a position.
    """

    def __init__(self, path: Path, game: Game, symmetry: Symmetry | None = None) -> None:
        self.path, self.game, self.symmetry = path, game, symmetry
        self._lock = threading.Lock()
        self._loaded: tuple[Header, Network] | None = None

    @property
    def loaded(self) -> tuple[Header, Network]:
        """The header and the arrays; BadNetwork if the file cannot be used."""
        with self._lock:
            if self._loaded is None:
                self._loaded = load_network(self.path, self.game)
            return self._loaded

    def decide(self, cells: Any, tokens: Any, mask: Cells) -> int:
        """The legal decision that the network wants most, of equals the lowest; in NumPy."""
        wanted = self.logits(cells[None], tokens[None])[0]
        return max(marks(mask, len(mask)), key=lambda action: int(wanted[action]))

    def logits(self, cells: Any, tokens: Any) -> Any:
        """Logits, then values, of n positions; in NumPy."""
        header, network = self.loaded
        return inference.logits_of(network, cells, tokens[:, : header.history], self.symmetry)

    def key(self) -> str:
        """A name for the network and for what runs it."""
        h = hashlib.sha256(self.path.read_bytes() if self.path.exists() else b"")
        for part in self.symmetry or ():
            h.update(np.asarray(part, np.int64).tobytes())
        for source in SOURCES:
            h.update(Path(__file__).with_name(source).read_bytes())
        return h.hexdigest()[:20]


def network_module(path: Path, game: Game) -> ModuleType:
    """A network's file as the module of a bot, named after the file; BadNetwork if it cannot be used."""
    load_network(path, game)
    module = ModuleType(f"network {path}")
    module.__dict__.update(
        NAME=path.stem,
        GAME=game.name,
        STYLE=f"Plays by the network in {path.name}.",
        ASSUMES="What its training assumed.",
        choose=choose_of(path, game),
    )
    return module


def choose_of(path: Path, game: Game, symmetry: Symmetry | None = None) -> Any:
    """The rule `choose` of the network in a file, for the module of a bot. Compiled, it reads the weights in place."""
    policy = NetworkPolicy(path, game, symmetry)
    key = policy.key()

    # The default is part of the key in the cache of compiled rules.
    def ask_network(cells: Any, tokens: Any, mask: Cells, network: str = key) -> int:
        return policy.decide(cells, tokens, mask)

    def compiled() -> Any:
        from tacit.bots.network.compiled_network import compiled_ask

        return compiled_ask(key, *policy.loaded, policy.symmetry)

    names = globals() | {
        "ask": primitive(cpu=compiled, cuda=_no_cuda)(ask_network),
        "observe": game.module.observe,
        "CELLS": game.observation,
        "ACTIONS": game.actions,
    }
    made = FunctionType(choose_by_network.__code__, names, "choose")
    made.__doc__ = choose_by_network.__doc__
    return allocates(made)


def evaluate_of(policy: NetworkPolicy) -> Any:
    """The rule `evaluate` of a network: logits, then values, for the first n rows of what it is asked."""
    key = policy.key()

    # The default is part of the key in the cache of compiled rules.
    def evaluate(cells: Any, tokens: Any, wanted: Any, n: int, network: str = key) -> None:
        wanted[:n] = policy.logits(cells[:n], tokens[:n])

    def compiled() -> Any:
        from tacit.bots.network.compiled_network import compiled_evaluate

        return compiled_evaluate(key, *policy.loaded, policy.symmetry)

    return primitive(cpu=compiled, cuda=_no_cuda)(evaluate)


def _no_cuda() -> Any:
    raise RuntimeError("A network does not run inside a CUDA kernel: choose the backend cpu.")
