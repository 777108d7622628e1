"""Registers the games with Gymnasium: `import tacit` is enough for `gymnasium.make("tacit/silencio-v2", seats=3)`.

Gymnasium has no plugins. Where it is not imported yet, the games are registered as soon as it is: `import tacit` alone
does not import it.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any

from tacit.core.game import Game
from tacit.core.registry import game_named, game_names


def register(game: Game) -> str:
    """Register a game with Gymnasium; returns its name, which ends with the rules version.

    A second name has the observation's version too (`tacit/silencio-obs2-v2`): an experiment that names it fails,
    instead of learning from other cells, once that version has risen.
    """
    from gymnasium.envs import registration

    name = f"tacit/{game.name}-v{game.rules_version}"
    for one in (name, f"tacit/{game.name}-obs{game.observation_version}-v{game.rules_version}"):
        if one not in registration.registry:
            registration.register(
                one,
                entry_point="tacit.research.seat_env:SeatEnv",
                vector_entry_point="tacit.research.vector:TacitVectorEnv",
                kwargs={"game": game.name},
            )
    return name


def register_all() -> None:
    """Register every game."""
    for name in game_names():
        register(game_named(name))


class _WhenImported:
    """A finder that registers the games once Gymnasium has been imported."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        if name != "gymnasium":
            return None
        sys.meta_path.remove(_WhenImported)
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and spec.loader is not None:
            loader: Any = spec.loader
            run = loader.exec_module

            def exec_module(module: ModuleType) -> None:
                run(module)
                register_all()

            loader.exec_module = exec_module
        return spec


def offer_to_gymnasium() -> None:
    """Register every game now, or when Gymnasium is imported."""
    if "gymnasium" in sys.modules:
        register_all()
    elif _WhenImported not in sys.meta_path:
        sys.meta_path.insert(0, _WhenImported)
