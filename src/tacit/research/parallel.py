"""Every game as a PettingZoo parallel environment: all agents step at once, `parallel_env("silver-and-gold", seats=3)`.

Made for games in which seats choose at once and in secret. Where one seat alone is due, the others wait.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import ParallelEnv

from tacit.core.game import Game, OptionValue, whole
from tacit.core.observation import text_of
from tacit.core.registry import game_named
from tacit.research.episode import Episode
from tacit.research.histories import need_history
from tacit.research.signals import actions_of, cells_of, fields_of, need_signals
from tacit.research.spaces import decision, history_space, match_seed, match_seed_option


class parallel_env(ParallelEnv):  # type: ignore[misc]  # PettingZoo's own name for it, and it has no types
    """Seats are the agents `seat_0`, `seat_1`, …; in a step every seat that is due decides.

    - The last number of the action space means *wait*. It is the one legal decision of a seat that is not due, and of
      no other.
    - An observation is `{"observation": tensor, "action_mask": mask}`, and the mask is in `infos` too; with
      `history=H` it has `"history"` also.
    - Decisions are made in the order of the seats, each as it was chosen before the step. Where one is no longer
      possible because of another's (two seats claim the same), it is not made, and its seat is asked anew.
    - Rewards are the scores, when the match is over. An illegal decision ends the match: its agent gets `penalty`, and
      `infos[agent]["illegal"]` says why.

    Args:
        game: The game's name, or a `Game`.
        seats: How many seats the match has.
        options: The game's options by name.
        penalty: The reward of an illegal decision.
        signals: Whether signals are decisions too (`tacit.research.signals`).
        history: How many of the last decisions that a seat heard it observes (`tacit.research.histories`); 0: none.
        render_mode: `"ansi"` for `render`, or None.

    Attributes:
        game: The game.
        seats: How many seats the match has.
        options: Every option with its value.
        penalty: The reward of an illegal decision.
        signals: As given.
        history: As given.
        wait: The decision of a seat that is not due.
        render_mode: As given.
        episode: The match that is being played, for the host.
        possible_agents: The agents' names; `agents` is empty once the match is over.
        state_space: The space of `state()`, which a critic may have and no agent gets.
        metadata: As PettingZoo has it.

    Examples:
        >>> env = parallel_env("silver-and-gold", seats=2)
        >>> observations, infos = env.reset(seed=1)
        >>> actions = {agent: int(seen["action_mask"].argmax()) for agent, seen in observations.items()}
        >>> observations, rewards, terminations, truncations, infos = env.step(actions)
    """

    def __init__(
        self,
        game: str | Game,
        seats: int,
        options: Mapping[str, OptionValue] | None = None,
        *,
        penalty: float = -100.0,
        signals: bool = False,
        history: int = 0,
        render_mode: str | None = None,
    ) -> None:
        self.game = game if isinstance(game, Game) else game_named(game)
        seats = whole(seats)
        self.options = self.game.check(seats, options)
        self.seats, self.penalty, self.render_mode = seats, penalty, render_mode
        self.signals, self.history = need_signals(self.game, signals), need_history(history)
        self.metadata = {
            "name": f"{self.game.name.replace('-', '_')}_parallel_v{self.game.rules_version}",
            "observation_version": self.game.observation_version,
            "render_modes": ["ansi"],
        }
        self.possible_agents = [f"seat_{seat}" for seat in range(seats)]
        self.agents: list[str] = []
        self.wait = actions_of(self.game, signals)
        cells = cells_of(self.game, signals)
        self._spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(-128, 127, (cells,), np.int8),
                    "action_mask": spaces.Box(0, 1, (self.wait + 1,), np.int8),
                }
                | ({"history": history_space(self.game, self.history)} if self.history else {})
            )
            for agent in self.possible_agents
        }
        self._actions = {agent: spaces.Discrete(self.wait + 1) for agent in self.possible_agents}
        self.state_space = spaces.Box(-128, 127, (seats * cells,), np.int8)
        self._rng, _ = seeding.np_random()

    def observation_space(self, agent: str) -> Any:
        return self._spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self._actions[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """Begin a new match. `options={"match_seed": n}` begins `Match(…, seed=n)`."""
        if seed is not None:
            self._rng, _ = seeding.np_random(seed)
        wanted = {name: value for name, value in (options or {}).items() if name == "match_seed"}
        number = match_seed_option(wanted)  # PettingZoo's own test gives an option that nobody has
        number = match_seed(self._rng) if number is None else number
        self.episode = Episode(
            self.game, self.seats, self.options, seed=number, signals=self.signals, history=self.history
        )
        self.agents = list(self.possible_agents)
        observations = self._observations()
        return observations, self._infos(observations)

    def step(
        self, actions: Mapping[str, Any]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        agents, rewards, wrong = list(self.agents), dict.fromkeys(self.agents, 0.0), {}
        chosen = {seat: decision(actions[agent]) for seat, agent in enumerate(agents)}
        for seat, number in chosen.items():
            legal = self.episode.choices(seat) or [self.wait]
            if number not in legal:
                rewards[agents[seat]] = float(self.penalty)
                wrong[agents[seat]] = f"{number} is not among {', '.join(map(str, legal))}."
        if not wrong:
            self._play({seat: number for seat, number in chosen.items() if number != self.wait})
        over = bool(wrong) or self.episode.now < 0
        if over and not wrong:
            rewards = dict(zip(agents, map(float, self.episode.scores()), strict=True))
        observations = self._observations()
        infos = self._infos(observations)
        for agent, sentence in wrong.items():
            infos[agent]["illegal"] = sentence
        self.agents = [] if over else agents
        return observations, rewards, dict.fromkeys(agents, over), dict.fromkeys(agents, False), infos

    def _play(self, chosen: Mapping[int, int]) -> None:
        """Make the decisions of the seats that are due, while each is the answer to what its seat was asked.

        That is so while choices are sealed, and else where the seat observes the same as before.
        """
        rules, episode = self.game.rules, self.episode
        sealed = rules.sealed(episode.state)
        asked = {seat: self._question(seat) for seat in chosen}
        for seat, number in chosen.items():
            together = sealed != 0 and rules.sealed(episode.state) == sealed
            if number in episode.choices(seat) and (together or self._question(seat) == asked[seat]):
                episode.play_for(seat, number)

    def _question(self, seat: int) -> tuple[list[int], bytes]:
        return self.episode.choices(seat), self.episode.observe(seat).tobytes()

    def state(self) -> Any:
        """What all seats know together, for a critic: their observations one after the other, seat 0 first."""
        return np.concatenate([self.episode.observe(seat) for seat in range(self.seats)])

    def render(self) -> str:
        """What every seat observes, as text."""
        fields = fields_of(self.game, self.signals)
        return "\n".join(text_of(fields, self.episode.observe(seat)) for seat in range(self.seats))

    def close(self) -> None:
        """Does nothing: the environment holds no resources."""

    def _observations(self) -> dict[str, Any]:
        return {
            agent: {"observation": self.episode.observe(seat), "action_mask": self._mask(seat)}
            | ({"history": self.episode.history(seat)} if self.history else {})
            for seat, agent in enumerate(self.agents)
        }

    def _mask(self, seat: int) -> Any:
        mask = np.zeros(self.wait + 1, np.int8)
        mask[self.episode.choices(seat) or [self.wait]] = 1
        return mask

    @staticmethod
    def _infos(observations: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
        return {agent: {"action_mask": seen["action_mask"]} for agent, seen in observations.items()}
