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
    instead of learning from other cells, once that version has risen. Where a game has signals, both names exist
    a second time for the environment in which they are decisions: `tacit/silent-planet-signals-v1`.
    """
    from gymnasium.envs import registration

    for signals in (False, True) if game.signals else (False,):
        stem = f"tacit/{game.name}{'-signals' if signals else ''}"
        for one in ("", f"-obs{game.observation_version}"):
            name = f"{stem}{one}-v{game.rules_version}"
            if name not in registration.registry:
                registration.register(
                    name,
                    entry_point="tacit.research.seat_env:SeatEnv",
                    vector_entry_point="tacit.research.vector:TacitVectorEnv",
                    kwargs={"game": game.name, **({"signals": True} if signals else {})},
                )
    return f"tacit/{game.name}-v{game.rules_version}"


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
