"""A Gymnasium environment: the agent has one seat, bots have the others.

`gymnasium.make("tacit/silencio-v2", seats=3)` makes one, and `gymnasium.make_vec("tacit/silencio-v2", 4096,
"vector_entry_point", seats=3)` the vector environment: importing `tacit` registers every game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from tacit.bots import MatchBots, Runner, bot_named, usual_bot
from tacit.bots.compiled import CompiledBot
from tacit.bots.turn import Budget, Dice, Turn, dice_for
from tacit.core.game import Game, OptionValue, whole
from tacit.core.match import Match
from tacit.core.observation import text_of
from tacit.core.registry import game_named
from tacit.research.histories import history_of, need_history
from tacit.research.observations import tensor
from tacit.research.seat_play import ASKED, OVER, STUCK, SeatPlay
from tacit.research.signals import actions_of, fields_of, may_signal, need_signals, with_signals
from tacit.research.spaces import (
    action_space,
    decision,
    history_space,
    match_seed,
    match_seed_option,
    observation_space,
)

INTERPRETED = 2000  # decisions of bots: then compiling (some ten seconds, once a machine) is soon worth it


class NoRenderMode(ValueError, TypeError):
    """There is no such render mode. Stable-Baselines3 tries `rgb_array` and expects a TypeError where there is none."""


class SeatEnv(gymnasium.Env[Any, Any]):
    """One seat of a match. Bots decide for the other seats; they give no signals unless `signals` are wanted.

    - The observation is the seat's tensor (docs/observations.md); `info["action_mask"]` and `action_masks()` mark its
      legal decisions. With `history=H` the observation is `{"observation": tensor, "history": codes}`.
    - The reward is the seat's score when the match is over, and 0 before.
    - An illegal decision ends the episode with the reward `penalty`; `info["illegal"]` then says why.
    - `bots` is one name for all other seats, or one for each in the order of the seats; default: the game's usual bot.
    - `reset` skips matches that end before the seat decides.
    - The first matches are interpreted. Later ones are compiled, and the same decision by decision, where all bots are
      compiled ones and `signals` are not wanted.

    Args:
        game: The game's name, or a `Game`.
        seats: How many seats the match has.
        options: The game's options by name.
        seat: The agent's seat.
        bots: The bots on the other seats: a name for all, or one for each.
        penalty: The reward of an illegal decision.
        signals: Whether signals are decisions too (`tacit.research.signals`), and bots give theirs.
        history: How many of the last decisions that the seat heard it observes (`tacit.research.histories`); 0: none.
        render_mode: `"ansi"` for `render`, or None.

    Attributes:
        game: The game.
        options: Every option with its value.
        seats: How many seats the match has.
        seat: The agent's seat.
        penalty: The reward of an illegal decision.
        signals: As given.
        history: As given.
        bots: The bots by seat.
        observation_space: The space of the observation.
        action_space: The numbers of the decisions.
        match: The match that is being played, for the host; None before `reset`.
        match_bots: The bots at that match; None before `reset`, and where the match is compiled.
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
        signals: bool = False,
        history: int = 0,
        render_mode: str | None = None,
    ) -> None:
        self.game = game if isinstance(game, Game) else game_named(game)
        seats = whole(seats)
        self.options = self.game.check(seats, options)
        seat = whole(seat)
        if type(seat) is not int or not 0 <= seat < seats:
            raise ValueError(f"There are seats 0 to {seats - 1}, not {seat!r}.")
        if render_mode not in (None, "ansi"):
            raise NoRenderMode(f"There is no render mode {render_mode!r}: choose ansi.")
        names = [bots or usual_bot(self.game)] * (seats - 1) if bots is None or isinstance(bots, str) else list(bots)
        if len(names) != seats - 1:
            raise ValueError(f"There are {seats - 1} other seats, and {len(names)} bots are named.")
        self.seats, self.seat, self.penalty, self.render_mode = seats, seat, penalty, render_mode
        others = [q for q in range(seats) if q != seat]
        self.bots = {q: bot_named(self.game, name) for q, name in zip(others, names, strict=True)}
        self.signals = need_signals(self.game, signals)
        self.history = need_history(history)
        self.observation_space: gymnasium.Space[Any] = observation_space(self.game, signals)
        if self.history:
            codes = history_space(self.game, self.history)
            self.observation_space = spaces.Dict({"observation": self.observation_space, "history": codes})
        self.action_space = action_space(self.game, signals)
        self._asked = 0  # decisions of bots since one was compiled
        self._match: Match | None = None
        self.match_bots: MatchBots | None = None
        self._key: list[int] = []  # of the bots' generators in this match
        self._compiled: SeatPlay | None = None  # once it is worth it
        self._quick: SeatPlay | None = None  # the same, while it plays this match
        self._over = True

    @property
    def match(self) -> Match | None:
        """The match that is being played, for the host; None before `reset`."""
        return self._match if self._quick is None else self._quick.match()

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin a new match. `options={"match_seed": n}` begins `Match(…, seed=n)`; ValueError for any other option."""
        super().reset(seed=seed)
        number = match_seed_option(options)
        while True:
            self.close()
            first, number = number, None
            seed_of_match = match_seed(self.np_random) if first is None else first
            self._key = self.np_random.integers(1 << 32, size=2).tolist()
            self._quick, self._over = self._worth_compiling(), False
            if self._quick is not None:
                ended = self._quick.begin(seed_of_match, self._key)
                if ended == ASKED:
                    return self._seen(self._quick)[:2]
                if ended == OVER:
                    continue
                match, bots = self._interpreted(self._quick.match())
            else:
                match, bots = self._interpreted(Match(self.game, self.seats, self.options, seed=seed_of_match))
            self._play_bots(match, bots)
            if not match.over:
                return self._observe(match)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        if self._over:
            raise RuntimeError("The match is over, or none has begun: reset the environment.")
        number = decision(action)
        if self._quick is not None:
            ended = self._quick.play(number)
            if ended in (ASKED, OVER):
                observation, info, score = self._seen(self._quick)
                self._over = ended == OVER
                return observation, float(score) if self._over else 0.0, self._over, False, info
            match, bots = self._interpreted(self._quick.match())
            if ended == STUCK:
                self._play_bots(match, bots)
                return self._told(match)
        else:
            assert self._match is not None
            assert self.match_bots is not None
            match, bots = self._match, self.match_bots
        choices = self._choices(match)
        if number not in choices:
            observation, info = self._observe(match)
            self._match = None
            self.close()
            legal = ", ".join(map(str, choices))
            return observation, float(self.penalty), True, False, info | {"illegal": f"{number} is not among {legal}."}
        if number >= self.game.actions:
            match.signal(self.seat, self.game.signals[number - self.game.actions])
        else:
            match.apply(self.seat, number)
            match.settle()
            self._play_bots(match, bots)
        return self._told(match)

    def _told(self, match: Match) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """What `step` returns of an interpreted match."""
        observation, info = self._observe(match)
        reward, over = 0.0, match.result is not None
        if over:
            scores = [0] * self.game.max_seats
            self.game.rules.score(match.state, scores)
            reward = float(scores[self.seat])
            self.close()
        return observation, reward, over, False, info

    def _seen(self, quick: SeatPlay) -> tuple[Any, dict[str, Any], int]:
        observation, mask, score = quick.seen()
        return self._with_history(observation, quick.history), {"action_mask": mask}, score

    def _worth_compiling(self) -> SeatPlay | None:
        """The compiled match, once its bots have decided often enough; None before, and where it cannot be."""
        if self._compiled is None and self._asked >= INTERPRETED and self._all_compiled:
            bots = {q: bot for q, bot in self.bots.items() if isinstance(bot, CompiledBot)}
            self._compiled = SeatPlay(self.game, self.seats, self.options, self.seat, bots, self.history)
        return self._compiled

    @property
    def _all_compiled(self) -> bool:
        return bool(self.bots) and not self.signals and all(isinstance(bot, CompiledBot) for bot in self.bots.values())

    def _interpreted(self, match: Match) -> tuple[Match, MatchBots]:
        """Go on with this match interpreted, and its bots."""
        runners = {q: Runner(self.game, bot) for q, bot in self.bots.items()}
        self._quick, self._match = None, match
        self.match_bots = MatchBots(match, runners, rng=partial(_dice, match, self._key), signals=self.signals)
        return match, self.match_bots

    def __getstate__(self) -> dict[str, Any]:
        """For pickle and copies: a match that is compiled goes on interpreted, which is the same match."""
        if self._quick is not None:
            self._interpreted(self._quick.match())
            if self._over:
                self.close()
        return self.__dict__ | {"_compiled": None}

    def action_masks(self) -> Any:
        """The legal decisions as an array of bool, as learners with action masking expect it."""
        if self._quick is not None:
            return self._quick.seen()[1].view(np.bool_)
        mask = np.zeros(actions_of(self.game, self.signals), np.bool_)
        if self._match is not None:
            mask[self._choices(self._match)] = True
        return mask

    def render(self) -> Any:
        """What the seat observes, as text."""
        fields = fields_of(self.game, self.signals)
        if self._quick is not None:
            return text_of(fields, self._quick.seen()[0])
        return "" if self._match is None else text_of(fields, self._tensor(self._match))

    def close(self) -> None:
        """Stop the bots' threads; the match is over."""
        self._over = True
        if self.match_bots is not None:
            self.match_bots.close()
            self.match_bots = None

    def _play_bots(self, match: Match, bots: MatchBots) -> None:
        """Let the bots decide until this seat is the lowest that is due, or the match is over."""
        while match.due and min(match.due) != self.seat:
            seat = min(match.due)
            bot = self.bots[seat]
            if self.signals or not isinstance(bot, CompiledBot) or not self._play_compiled(match, bots, seat, bot):
                bots.play(seat)

    def _play_compiled(self, match: Match, bots: MatchBots, seat: int, bot: CompiledBot) -> bool:
        """Play a compiled bot's decision, without the texts that it does not read; False if it is not legal.

        After some decisions the bot is compiled: who plays a few matches need not wait for the compiler.
        """
        turn = Turn(
            game=self.game.name, seats=self.seats, seat=seat, k=match.know(seat), heard=(),
            events=bots.heard.events(seat), legal=(), rng=bots.rng(seat), budget=Budget(), deck=self.game.deck_text,
        )  # fmt: skip
        self._asked += 1
        if self._asked == INTERPRETED and not bot.warm and not self._all_compiled:
            bot.warm_up(replace(turn, rng=bots.rng(seat)))
            self._asked = 0  # the next one's turn
        action = bot.choose_compiled(turn) if bot.warm else bot.choose(turn)
        if action not in self.game.legal(turn.k, seat):
            return False
        match.apply(seat, action)
        match.settle()
        return True

    def _observe(self, match: Match) -> tuple[Any, dict[str, Any]]:
        assert self.match_bots is not None
        mask = np.zeros(actions_of(self.game, self.signals), np.int8)
        mask[self._choices(match)] = 1
        heard = self.match_bots.heard
        return self._with_history(
            self._tensor(match),
            lambda: history_of(self.game, heard.events(self.seat), self.seat, self.seats, self.history),
        ), {"action_mask": mask}

    def _tensor(self, match: Match) -> Any:
        """What the seat observes of an interpreted match, without the history."""
        observed = tensor(self.game, match.know(self.seat), self.seat)
        return with_signals(self.game, observed, self.seat, self.seats, match.given) if self.signals else observed

    def _with_history(self, observed: Any, history: Callable[[], Any]) -> Any:
        """The observation: the tensor, and with it the last decisions that the seat heard, where they are wanted."""
        return {"observation": observed, "history": history()} if self.history else observed

    def _choices(self, match: Match) -> list[int]:
        """What the seat may decide, or signal where signals are decisions."""
        k = match.know(self.seat)
        legal = self.game.legal(k, self.seat)
        return legal + may_signal(self.game, k, self.seat, match.given) if self.signals and legal else legal


def _dice(match: Match, key: Sequence[int], seat: int) -> Dice:
    """The generator for the next decision of a bot."""
    return dice_for(key, len(match.steps), seat)
