"""Every game as an OpenSpiel game in Python: `pyspiel.load_game("tacit_silencio(players=3,tavern=True)")`.

Importing this module registers them. Chance nodes are explicit. Where several seats are due, they decide in order, and
none sees what another decided in secret. OpenSpiel's Python ISMCTS resamples through `imagine`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pyspiel

from tacit.core.chance import stream
from tacit.core.game import Game
from tacit.core.observation import text_of
from tacit.core.random_play import CHANCE
from tacit.core.registry import game_named
from tacit.games import GAMES
from tacit.research.episode import Episode
from tacit.research.signals import actions_of, cells_of, fields_of

RECALLED, OLDER = 64, 4  # cells of the information state: recalled lines, and the hash of all that were before them
UNBOUNDED = 1 << 20  # the score bounds of a game without `score_range`
_registered: dict[str, type[Any]] = {}


def register(game: Game, duel: bool = False) -> str:
    """Register a game with OpenSpiel; returns its name.

    As a duel it has two players, and each one's return is its score minus the other's: a zero-sum game. ValueError if
    the game's seats share one score.
    """
    if duel and game.cooperative:
        raise ValueError(f"{game.title} is no duel: all seats share one score.")
    name = f"tacit_{game.name.replace('-', '_')}"
    if game.deck_text is not None:
        name += f"_{game.deck}"
    if duel:
        name += "_duel"
    if name not in _registered:
        _registered[name] = _spiel_game(game, name, duel)
    return name


def load(game: str | Game, seats: int, *, duel: bool = False, **options: Any) -> Any:
    """A game as an OpenSpiel game, with this number of seats and these options; `duel` as in `register`."""
    found = game if isinstance(game, Game) else game_named(game)
    found.check(seats, {name: value for name, value in options.items() if name != "signals" or not found.signals})
    return pyspiel.load_game(register(found, duel), {"players": seats, **options})


def resampler(seed: int) -> Callable[[Any, int], Any]:
    """A resampler for ISMCTSBot.set_resampler: the same seed gives the same sequence of states."""
    made = 0

    def resample(state: Any, player: int) -> Any:
        nonlocal made
        made += 1
        return state.imagined(player, f"resample {seed} {made}")

    return resample


def _spiel_game(game: Game, name: str, duel: bool) -> type[Any]:
    """Make and register the OpenSpiel class of a game."""
    kinds = pyspiel.GameType.Utility
    utility = kinds.ZERO_SUM if duel else kinds.IDENTICAL if game.cooperative else kinds.GENERAL_SUM
    choices = {option: values for option, values in game.options.items() if len(values) > 1}
    game_type = pyspiel.GameType(
        short_name=name,
        long_name=game.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=utility,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2 if duel else game.max_seats,
        min_num_players=game.min_seats,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={
            "players": game.min_seats,
            **{o: values[0] for o, values in choices.items()},
            **({"signals": False} if game.signals else {}),
        },
    )

    class SpielGame(pyspiel.Game):  # type: ignore[misc]
        """A game with a number of seats and its options."""

        def __init__(self, params: Any = None) -> None:
            given = dict(params or {})
            self.seats = int(given.get("players", game.min_seats))
            self.options = game.check(self.seats, {o: given[o] for o in choices if o in given})
            self.signals = bool(given.get("signals", False))
            self.duel = duel
            low, high = game.score_range(self.seats) or (-UNBOUNDED, UNBOUNDED)
            if duel:
                low, high = low - high, high - low
            info = pyspiel.GameInfo(
                num_distinct_actions=actions_of(game, self.signals),
                max_chance_outcomes=game.outcomes,
                num_players=self.seats,
                min_utility=float(low),
                max_utility=float(high),
                utility_sum=0.0 if duel else None,
                # Each decision may come after as many signals as a seat may give.
                max_game_length=game.max_decisions * (1 + (game.signal_limit if self.signals else 0)),
            )
            super().__init__(game_type, info, given)

        def __reduce__(self) -> tuple[Any, ...]:
            return _reloaded, (game, duel, self.get_parameters())

        def new_initial_state(self) -> SpielState:
            return SpielState(self, Episode(game, self.seats, self.options, signals=self.signals))

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer | None:
            """None, as OpenSpiel expects it, for what there is not: other than one player's view of all it knows."""
            if params:
                raise ValueError(f"Observations have no parameters; {params} were given.")
            kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
            if kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER or not kind.public_info:
                return None
            return Observer(game, kind.perfect_recall, self.signals)

    pyspiel.register_game(game_type, SpielGame)
    return SpielGame


def _reloaded(game: Game, duel: bool, params: dict[str, Any]) -> Any:
    return pyspiel.load_game(register(game, duel), params)


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A match at one point."""

    def __init__(self, game: Any, episode: Episode) -> None:
        super().__init__(game)
        self.episode = episode

    def current_player(self) -> int:
        now = self.episode.now
        if now < 0:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if now == CHANCE else now

    def _legal_actions(self, player: int) -> list[int]:
        return self.episode.legal(player)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return self.episode.outcomes()

    def _apply_action(self, action: int) -> None:
        self.episode.play(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.episode.show(CHANCE if player == pyspiel.PlayerId.CHANCE else player, action)

    def is_terminal(self) -> bool:
        return self.episode.now < 0

    def returns(self) -> list[float]:
        scores = self.episode.scores() if self.episode.now < 0 else [0] * self.episode.seats
        if self.get_game().duel:
            scores = [scores[0] - scores[1], scores[1] - scores[0]]
        return [float(score) for score in scores]

    def __str__(self) -> str:
        """The whole state with all secrets, for debugging."""
        return repr(self.episode.state)

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> SpielState:
        """A state that fits what the player knows, with an empty history."""
        return self.imagined(player, f"resample {sampler()}")

    def imagined(self, player: int, key: str) -> SpielState:
        """A state that fits what the player knows; the same key gives the same state."""
        return SpielState(self.get_game(), self.episode.imagine(player, stream(key)))


class Observer:
    """A player's observation: `tensor`, its fields as `dict` (docs/observations.md), and strings.

    With perfect recall it is the information state. The string is all that the player recalls, its own decisions and
    every line heard, and then the observation. The tensor is the observation, then `recall`: a number for each of the
    last RECALLED lines, newest first (a hash of 24 bits, which float32 holds exactly; 0 where there was none), then
    `older`: a hash of all lines before those.
    """

    def __init__(self, game: Game, perfect_recall: bool, signals: bool = False) -> None:
        self.recall, self.fields, self.cells = perfect_recall, fields_of(game, signals), cells_of(game, signals)
        self.tensor = np.zeros(self.cells + (RECALLED + OLDER if perfect_recall else 0), np.float32)
        self.dict: dict[str, Any] = {}
        at = 0
        for field in self.fields:
            part = self.tensor[at : at + field.size]
            self.dict[field.name] = part.reshape(len(field.rows), -1) if field.rows else part
            at += field.size
        if perfect_recall:
            self.dict |= {"recall": self.tensor[at : at + RECALLED], "older": self.tensor[at + RECALLED :]}

    def set_from(self, state: SpielState, player: int) -> None:
        self.tensor[: self.cells] = state.episode.observe(player)
        if self.recall:
            lines = state.episode.recalled(player)
            self.dict["recall"][:] = 0
            newest = [_hashes(line, 1)[0] for line in reversed(lines[-RECALLED:])]
            self.dict["recall"][: len(newest)] = newest
            older = lines[:-RECALLED]
            self.dict["older"][:] = _hashes("\n".join(older), OLDER) if older else 0

    def string_from(self, state: SpielState, player: int) -> str:
        text = f"seat {player}\n{text_of(self.fields, state.episode.observe(player))}"
        return "".join(f"{line}\n" for line in state.episode.recalled(player)) + text if self.recall else text


def _hashes(text: str, n: int) -> list[int]:
    """n numbers from 1 to 2**24 that stand for a text."""
    digest = hashlib.sha256(text.encode()).digest()
    return [1 + int.from_bytes(digest[3 * i : 3 * i + 3], "little") for i in range(n)]


for _name in GAMES:
    register(game_named(_name))
    if not game_named(_name).cooperative:
        register(game_named(_name), duel=True)
