"""A Gymnasium vector environment over `Batch`: thousands of matches, one decision each, in one compiled call.

Each step is one decision of the seat that is due in each match: observation, mask and `infos["seat"]` are that
seat's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from tacit.core.game import Game, OptionValue
from tacit.research.batch import Batch
from tacit.research.device import DeviceName
from tacit.research.spaces import action_space, match_seed, match_seed_option, observation_space


class TacitVectorEnv(VectorEnv[Any, Any, Any]):
    """num_envs matches of a game, seats taken in order, begun anew in the step in which they end.

    - `step` returns (observations, rewards, terminations, truncations, infos). All of them are the batch's own arrays,
      which the next call writes again: copy what you keep.
    - rewards[i] is the score of the seat that just decided, once the match is over; `infos["rewards"]` has every
      seat's. In a co-operative game they are the same.
    - An illegal decision ends its match: the seat that decided gets `penalty`, and `infos["illegal"]` marks it.
    - `infos["action_mask"]` says what may be decided, `infos["seat"]` by whom.
    - With `history=H`, `infos["history"]` has the last H decisions that this seat heard of (see `Batch`).
    - A match is never truncated: every one ends within the game's bound.
    - There is no `final_obs`: when a match is over there is nothing left to decide. `batch` has the rest (`observe`,
      `imagine`, `copy`, `seeds`).

    Args:
        game: The game's name, or a `Game`.
        num_envs: How many matches.
        seats: How many seats each match has.
        options: The game's options by name.
        device: `"cpu"` or `"cuda"`.
        threads: On the CPU; by default one for each core.
        penalty: The reward of an illegal decision.
        history: How many decisions that it heard of a seat is told.
        partners: Bots on all seats but the learner's, drawn anew for each match (see `Batch`).
        learner: The learner's seat, with partners; None: drawn anew for each match.
        signals: Whether signals are decisions too (see `Batch`).
        out: Arrays of the caller's to be used in place of new ones (see `Batch`).

    Attributes:
        batch: The `Batch` that plays.
        num_envs: How many matches.
        single_observation_space: The space of one match's observation; `observation_space` is that of all.
        single_action_space: The space of one match's decision; `action_space` is that of all.
        metadata: As Gymnasium has it: matches begin anew in the step in which they end.
        render_mode: None.

    Examples:
        >>> env = TacitVectorEnv("silencio", num_envs=4, seats=2)
        >>> observations, infos = env.reset(seed=1)
        >>> observations, rewards, terminations, truncations, infos = env.step(infos["action_mask"].argmax(axis=1))
        >>> rewards.shape, infos["action_mask"].shape == (4, env.batch.game.actions)
        ((4,), True)
    """

    def __init__(
        self,
        game: str | Game,
        num_envs: int,
        seats: int,
        options: Mapping[str, OptionValue] | None = None,
        *,
        device: DeviceName = "cpu",
        threads: int | None = None,
        penalty: float = -100.0,
        history: int = 0,
        partners: Sequence[str] = (),
        learner: int | None = 0,
        signals: bool = False,
        out: Mapping[str, Any] | None = None,
    ) -> None:
        self.batch = Batch(
            game, num_envs, seats, options, device, threads=threads, penalty=penalty, history=history,
            partners=partners, learner=learner, signals=signals, out=out,
        )  # fmt: skip
        self.num_envs = num_envs
        self.metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}
        self.render_mode = None
        self.single_observation_space = observation_space(self.batch.game, signals)
        self.single_action_space = action_space(self.batch.game, signals)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._infos: dict[str, Any] = {}
        self._share()

    def _share(self) -> None:
        """Show the batch's arrays."""
        xp, num_envs = self.batch.device.xp, self.num_envs
        self._rows, self._never = xp.arange(num_envs), xp.zeros(num_envs, np.bool_)
        self._infos = {
            "action_mask": self.batch.mask,
            "seat": self.batch.seat,
            "rewards": self.batch.reward,
            "illegal": self.batch.illegal,
        }
        if self.batch.history.size:
            self._infos["history"] = self.batch.history

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in ("_rows", "_never", "_infos")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._share()

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin new matches; the same seed gives the same matches. `options={"match_seed": n}` is `Batch.reset(n)`."""
        super().reset(seed=seed)
        number = match_seed_option(options)
        self.batch.reset(match_seed(self.np_random) if number is None else number)
        return self.batch.observation, dict(self._infos)

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        decided = self.batch.seat.copy()
        self.batch.step(actions)
        rewards = self.batch.reward[self._rows, decided]
        return self.batch.observation, rewards, self.batch.done, self._never, dict(self._infos)
