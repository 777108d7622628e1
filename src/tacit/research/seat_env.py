"""A Gymnasium environment: the agent has one seat, bots have the others.

Importing this module registers every game: `gymnasium.make("tacit/silencio-v1", seats=3)`, and for the vector
environment `gymnasium.make_vec("tacit/silencio-v1", 4096, "vector_entry_point", seats=3)`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np

from tacit.bots import MatchBots, Runner, bot_named, usual_bot
from tacit.bots.turn import dice_for
from tacit.core.game import Game, OptionValue
from tacit.core.match import Match
from tacit.core.registry import game_named
from tacit.games import GAMES
from tacit.research.observations import tensor
from tacit.research.spaces import action_space, match_seed, observation_space


class SeatEnv(gymnasium.Env[Any, Any]):
    """One seat of a match. Bots decide for the other seats and give no signals.

    - The observation is the seat's tensor (docs/observations.md); `info["action_mask"]` and `action_masks()` mark its
      legal decisions.
    - The reward is the seat's score when the match is over, and 0 before.
    - An illegal decision ends the episode with the reward `penalty`; `info["illegal"]` then says why.
    - `bots` is one name for all other seats, or one for each in the order of the seats; default: the game's usual bot.
    - `reset` skips matches that end before the seat decides.

    Args:
        game: The game's name, or a `Game`.
        seats: How many seats the match has.
        options: The game's options by name.
        seat: The agent's seat.
        bots: The bots on the other seats: a name for all, or one for each.
        penalty: The reward of an illegal decision.
        render_mode: `"ansi"` for `render`, or None.

    Attributes:
        game: The game.
        options: Every option with its value.
        seats: How many seats the match has.
        seat: The agent's seat.
        penalty: The reward of an illegal decision.
        bots: The bots by seat.
        observation_space: The space of the tensor.
        action_space: The numbers of the decisions.
        match: The match that is being played, for the host; None before `reset`.
        match_bots: The bots at that match; None before `reset`.
        render_mode: `"ansi"` or None.
        metadata: As Gymnasium has it.

    Examples:
        >>> env = SeatEnv("silencio", seats=2, bots="random")
        >>> observation, info = env.reset(seed=1)
        >>> observation, reward, terminated, truncated, info = env.step(int(info["action_mask"].argmax()))
        >>> observation.shape == (env.game.observation,)
        True
        >>> env.close()
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012 - as Gymnasium has it

    def __init__(
        self,
        game: str | Game,
        seats: int,
        options: Mapping[str, OptionValue] | None = None,
        *,
        seat: int = 0,
        bots: str | Sequence[str] | None = None,
        penalty: float = -100.0,
        render_mode: str | None = None,
    ) -> None:
        self.game = game if isinstance(game, Game) else game_named(game)
        self.options = self.game.check(seats, options)
        if type(seat) is not int or not 0 <= seat < seats:
            raise ValueError(f"There are seats 0 to {seats - 1}, not {seat!r}.")
        if render_mode not in (None, "ansi"):
            raise ValueError(f"There is no render mode {render_mode!r}: choose ansi.")
        names = [bots or usual_bot(self.game)] * (seats - 1) if bots is None or isinstance(bots, str) else list(bots)
        if len(names) != seats - 1:
            raise ValueError(f"There are {seats - 1} other seats, and {len(names)} bots are named.")
        self.seats, self.seat, self.penalty, self.render_mode = seats, seat, penalty, render_mode
        others = [q for q in range(seats) if q != seat]
        self.bots = {q: bot_named(self.game, name) for q, name in zip(others, names, strict=True)}
        self.observation_space = observation_space(self.game)
        self.action_space = action_space(self.game)
        self.match: Match | None = None
        self.match_bots: MatchBots | None = None

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        while True:
            self.close()
            self.match = Match(self.game, self.seats, self.options, seed=match_seed(self.np_random))
            self.match_bots = self._seat_bots(self.match)
            self._play_bots(self.match, self.match_bots)
            if not self.match.over:
                return self._observe(self.match)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        match, bots = self.match, self.match_bots
        if match is None or bots is None or match.over:
            raise RuntimeError("The match is over, or none has begun: reset the environment.")
        number, k = int(action), match.know(self.seat)
        if number not in self.game.legal(k, self.seat):
            observation, info = self._observe(match)
            self.match = None
            self.close()
            legal = ", ".join(map(str, self.game.legal(k, self.seat)))
            return observation, float(self.penalty), True, False, info | {"illegal": f"{number} is not among {legal}."}
        match.play(self.seat, str(self.game.rules.show(k, self.seat, number)))
        self._play_bots(match, bots)
        observation, info = self._observe(match)
        reward, over = 0.0, match.result is not None
        if over:
            scores = [0] * self.game.max_seats
            self.game.rules.score(match.state, scores)
            reward = float(scores[self.seat])
            self.close()
        return observation, reward, over, False, info

    def action_masks(self) -> Any:
        """The legal decisions as an array of bool, as learners with action masking expect it."""
        mask = np.zeros(self.game.actions, np.bool_)
        if self.match is not None:
            mask[self.game.legal(self.match.know(self.seat), self.seat)] = True
        return mask

    def render(self) -> Any:
        """What the seat observes, as text."""
        from tacit.research.observations import as_text

        return "" if self.match is None else as_text(self.game, self._observe(self.match)[0])

    def close(self) -> None:
        """Stop the bots' threads."""
        if self.match_bots is not None:
            self.match_bots.close()
            self.match_bots = None

    def _seat_bots(self, match: Match) -> MatchBots:
        key = self.np_random.integers(1 << 32, size=2).tolist()
        runners = {q: Runner(self.game, bot) for q, bot in self.bots.items()}
        return MatchBots(match, runners, rng=lambda seat: dice_for(key, len(match.steps), seat), signals=False)

    def _play_bots(self, match: Match, bots: MatchBots) -> None:
        """Let the bots decide until this seat is the lowest that is due, or the match is over."""
        while match.due and min(match.due) != self.seat:
            bots.play(min(match.due))

    def _observe(self, match: Match) -> tuple[Any, dict[str, Any]]:
        observation = tensor(self.game, match.know(self.seat), self.seat)
        return observation, {"action_mask": self.action_masks().astype(np.int8)}


def register(game: Game) -> str:
    """Register a game with Gymnasium; returns its name, which ends with the rules version."""
    name = f"tacit/{game.name}-v{game.rules_version}"
    if name not in gymnasium.registry:
        gymnasium.register(
            name,
            entry_point="tacit.research.seat_env:SeatEnv",
            vector_entry_point="tacit.research.vector:TacitVectorEnv",
            kwargs={"game": game.name},
        )
    return name


for _name in GAMES:
    register(game_named(_name))
