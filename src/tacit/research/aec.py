"""Every game as a PettingZoo environment (AEC): `aec.env("silencio", seats=3)`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from tacit.core.game import Game, OptionValue, whole
from tacit.core.observation import text_of
from tacit.core.registry import game_named
from tacit.research.episode import Episode
from tacit.research.histories import need_history
from tacit.research.signals import cells_of, fields_of, need_signals
from tacit.research.spaces import (
    action_space,
    history_space,
    mask_space,
    match_seed,
    match_seed_option,
    observation_space,
)


def env(
    game: str | Game,
    seats: int,
    options: Mapping[str, OptionValue] | None = None,
    *,
    penalty: float = -100.0,
    mask_in_observation: bool = True,
    signals: bool = False,
    history: int = 0,
    render_mode: str | None = None,
) -> Any:
    """The wrapped environment: an illegal decision ends the match, and the agent gets the penalty.

    Args:
        game: The game's name, or a `Game`.
        seats: How many seats the match has.
        options: The game's options by name.
        penalty: The reward of an illegal decision.
        mask_in_observation: Whether the observation is a dictionary with the mask; else it is the tensor alone.
        signals: Whether signals are decisions too (`tacit.research.signals`).
        history: How many of the last decisions that a seat heard it observes (`tacit.research.histories`); 0: none.
        render_mode: `"ansi"` for `render`, or None.

    Examples:
        >>> game = env("silencio", seats=3)
        >>> game.reset(seed=1)
        >>> game.agent_selection
        'seat_0'
        >>> observation, reward, terminated, truncated, info = game.last()
        >>> game.step(int(observation["action_mask"].argmax()))
    """
    raw = raw_env(
        game, seats, options,
        mask_in_observation=mask_in_observation, signals=signals, history=history, render_mode=render_mode,
    )  # fmt: skip
    ended = wrappers.TerminateIllegalWrapper(raw, illegal_reward=penalty)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(ended))


class raw_env(AECEnv):  # type: ignore[misc]  # PettingZoo's own name for it, and it has no types
    """Seats are the agents `seat_0`, `seat_1`, …; where several are due, they decide in this order.

    An observation is `{"observation": tensor, "action_mask": mask}`, and the mask is in `infos` too; with
    `mask_in_observation=False` the observation is the tensor alone. With `history=H` it is a dictionary in any case,
    with `"history"`. Observations are computed from what each seat knows: a seat does not see what an
    earlier one decided in secret. Rewards are the scores, when the match is over.
    An illegal decision raises ValueError and changes nothing.

    Args:
        game: The game's name, or a `Game`.
        seats: How many seats the match has.
        options: The game's options by name.
        mask_in_observation: Whether the observation is a dictionary with the mask; else it is the tensor alone.
        signals: Whether signals are decisions too (`tacit.research.signals`).
        history: How many of the last decisions that a seat heard it observes (`tacit.research.histories`); 0: none.
        render_mode: `"ansi"` for `render`, or None.

    Attributes:
        game: The game.
        seats: How many seats the match has.
        options: Every option with its value.
        mask_in_observation: As given.
        signals: As given.
        history: As given.
        render_mode: As given.
        episode: The match that is being played, for the host.
        possible_agents: The agents' names; `agents` are those whose match is not over.
        agent_selection: The agent that decides.
        rewards: By agent; and so are `terminations`, `truncations` and `infos`.
        state_space: The space of `state()`, which a critic may have and no agent gets.
        metadata: As PettingZoo has it.
    """

    def __init__(
        self,
        game: str | Game,
        seats: int,
        options: Mapping[str, OptionValue] | None = None,
        *,
        mask_in_observation: bool = True,
        signals: bool = False,
        history: int = 0,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.game = game if isinstance(game, Game) else game_named(game)
        seats = whole(seats)
        self.options = self.game.check(seats, options)
        self.seats, self.mask_in_observation, self.render_mode = seats, mask_in_observation, render_mode
        self.signals, self.history = need_signals(self.game, signals), need_history(history)
        self.metadata = {
            "name": f"{self.game.name.replace('-', '_')}_v{self.game.rules_version}",
            "observation_version": self.game.observation_version,
            "render_modes": ["ansi"],
            "is_parallelizable": False,  # tacit.research.parallel is the game's own
        }
        self.possible_agents = [f"seat_{seat}" for seat in range(seats)]
        self._spaces = {agent: self._space() for agent in self.possible_agents}
        self._actions = {agent: action_space(self.game, signals) for agent in self.possible_agents}
        self.state_space = spaces.Box(-128, 127, (seats * cells_of(self.game, signals),), np.int8)
        self._rng, _ = seeding.np_random()

    def observation_space(self, agent: str) -> Any:
        return self._spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        if seed is not None:
            self._rng, _ = seeding.np_random(seed)
        wanted = {name: value for name, value in (options or {}).items() if name == "match_seed"}
        number = match_seed_option(wanted)  # PettingZoo's own test gives an option that nobody has
        number = match_seed(self._rng) if number is None else number
        self.episode = Episode(
            self.game, self.seats, self.options, seed=number, signals=self.signals, history=self.history
        )
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._next()

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        seat = self.possible_agents.index(agent)
        if action not in self.episode.legal(seat):
            legal = ", ".join(map(str, self.episode.legal(seat)))
            raise ValueError(f"{agent} may not decide {action}; its legal decisions are {legal}. Nothing has changed.")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.episode.play(int(action))
        self._next()
        self._accumulate_rewards()

    def observe(self, agent: str) -> Any:
        seat = self.possible_agents.index(agent)
        seen = {"observation": self.episode.observe(seat)}
        if self.mask_in_observation:
            seen["action_mask"] = self.episode.mask(seat)
        if self.history:
            seen["history"] = self.episode.history(seat)
        return seen if len(seen) > 1 else seen["observation"]

    def state(self) -> Any:
        """What all seats know together, for a critic: their observations one after the other, seat 0 first."""
        return np.concatenate([self.episode.observe(seat) for seat in range(self.seats)])

    def render(self) -> str:
        """The observation of the deciding seat, as text."""
        seat = self.possible_agents.index(self.agent_selection)
        return text_of(fields_of(self.game, self.signals), self.episode.observe(seat))

    def close(self) -> None:
        """Does nothing: the environment holds no resources."""

    def _next(self) -> None:
        """Select the deciding agent; when the match is over, set the rewards and terminations."""
        now = self.episode.now
        if now < 0:
            for agent, score in zip(self.possible_agents, self.episode.scores(), strict=True):
                self.rewards[agent] = float(score)
                self.terminations[agent] = True
            self.agent_selection = self.agents[0]
        else:
            self.agent_selection = self.possible_agents[now]
        self.infos = {
            agent: {"action_mask": self.episode.mask(seat)} for seat, agent in enumerate(self.possible_agents)
        }

    def _space(self) -> Any:
        """The space of what `observe` returns, a new one."""
        parts: dict[str, spaces.Space[Any]] = {"observation": observation_space(self.game, self.signals)}
        if self.mask_in_observation:
            parts["action_mask"] = mask_space(self.game, self.signals)
        if self.history:
            parts["history"] = history_space(self.game, self.history)
        return spaces.Dict(parts) if len(parts) > 1 else parts["observation"]
