"""Finds puzzles: moments of matches between bots at which one decision is clearly the best, whoever the others are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import numpy as np

from tacit.bots.compiled import CompiledBot
from tacit.bots.heard_events import HeardEvents
from tacit.bots.registry import NETWORKS, bot_named, bot_names, target_of
from tacit.bots.search import engine
from tacit.bots.search.searcher import Search
from tacit.core.bits import mark
from tacit.core.chance import Paired, stream
from tacit.core.game import Game
from tacit.core.match import Match
from tacit.core.puzzles import Puzzle
from tacit.core.rulekit import build

MOST = 40  # decisions to choose from; more make no puzzle for people
LOOK = 16  # worlds of a first look, under one style
RIVALS = 4  # of the other decisions, those that did best at the first look, are looked at again
WORLDS, NETWORK_WORLDS = 160, 40  # worlds under each style; a network is slow
SURE = 3.0  # standard errors by which the answer must be better than each of them, under every style
ASKED = 4  # generators with which each bot is asked
STYLES = ("steady", "gentle", "learned", "partner")  # bots whose ways of going on an answer must be the best for


@dataclass(frozen=True)
class Style:
    """How all seats go on after a decision: the compiled rules of a search by one policy."""

    name: str
    rules: SimpleNamespace
    quick: bool  # it is no network


@dataclass(frozen=True)
class Moment:
    """A seat that is due: what it knows, may decide and has heard."""

    k: Any
    seat: int
    actions: list[int]
    events: Any


class Miner:
    """Looks for puzzles in matches of one game and number of seats.

    Args:
        game: The game; it must have the bot `search`, with the constant `CLEAR` in its module.
        seats: How many seats.

    Raises:
        UnknownBot: The game has no bot `search`.
        ValueError: Its module does not have the constant.
    """

    def __init__(self, game: Game, seats: int) -> None:
        self.game, self.seats = game, seats
        self.tuning: Any = import_module(target_of(game, "search").partition(":")[0])
        if not hasattr(self.tuning, "CLEAR"):
            raise ValueError(f"The search of {game.title} does not say what is clearly better.")
        self.search = Search(game, self.tuning, seats)
        names = [name for name in STYLES if name in bot_names(game)]
        bots = [bot for name in names if isinstance(bot := bot_named(game, name), CompiledBot)]
        self.styles = [self._style(bot) for bot in bots]
        self.styles.sort(key=lambda style: style.name != self.tuning.POLICY.NAME)  # the policy of the search first

    def _style(self, bot: CompiledBot) -> Style:
        rules = build(self.game.module, "cpu", drivers=[bot.module, self.game.of_deck(self.tuning), engine])
        return Style(bot.name, rules, (self.game.name, bot.name) not in NETWORKS)

    def puzzles(self, number: int) -> Iterator[Puzzle]:
        """The puzzles in match `number`: between the game's bots, a mixture of them that changes with the number."""
        match = Match(self.game, self.seats, chance=Paired(number))
        heard = HeardEvents(match)
        n = len(self.styles)
        while not match.over:
            seat = min(match.due)
            moment = Moment(match.know(seat), seat, self.game.legal(match.state, seat), heard.events(seat))
            found = self.puzzle(match, moment)
            if found is not None:
                yield found
            style = self.styles[(number // n**seat) % n]
            match.apply(seat, self._chosen(style, moment, f"{number} {len(match.steps)}"))
            match.settle()

    def puzzle(self, match: Match, moment: Moment) -> Puzzle | None:
        """The puzzle of a moment of a match; None if it is none."""
        actions, margin = moment.actions, self.tuning.CLEAR
        if not 2 <= len(actions) <= MOST or not self.tuning.thinks(moment.k):
            return None
        key = f"{match.lines[-1]} {len(match.steps)}"
        gains, _ = self._gains(self.styles[0], moment, actions, LOOK, f"look {key}")
        order = np.argsort(-gains, kind="stable")
        if gains[order[0]] - gains[order[1]] < 0.75 * margin:
            return None
        moves = [actions[i] for i in order]
        costs = gains[order[0]] - gains[order]
        costs[: RIVALS + 1] = np.inf
        for style in self.styles:
            worlds = WORLDS if style.quick else NETWORK_WORLDS
            lost, spread = self._gains(style, moment, moves[: RIVALS + 1], worlds, f"{style.name} {key}")
            if (-lost[1:] < np.maximum(margin, SURE * spread[1:])).any():
                return None
            costs[: RIVALS + 1] = np.minimum(costs[: RIVALS + 1], -lost)
        answer, *others = (str(self.game.rules.show(moment.k, moment.seat, move)) for move in moves)
        named = dict(zip(others, map(int, costs[1:]), strict=True))
        return Puzzle(str(match), moment.seat, answer, named, self._missed(moment, moves[0], key))

    def _gains(self, style: Style, moment: Moment, moves: Sequence[int], n: int, key: str) -> tuple[Any, Any]:
        """What each decision is worth more than the first, on average over n worlds, and the standard errors."""
        sums, squares = np.zeros(len(moves), np.int64), np.zeros(len(moves), np.int64)
        live = np.ones(len(moves), np.int64)
        w = self.search.work._replace(moves=np.array(moves, np.int64), live=live, sums=sums, squares=squares)
        rng = stream(key)
        w.key[:] = rng[:2]
        w.rng[:] = rng
        moment.k.store(w.known[0])
        heard = len(moment.events)
        w.events[:, :heard] = moment.events
        style.rules.imagine_all(w, moment.seat, 0, n)
        style.rules.rate(w, moment.seat, 0, n, n, heard, self.search.parameters.horizon)
        mean = sums / n
        return mean, np.sqrt(np.maximum(squares / n - mean * mean, 0.0) / (n - 1))

    def _chosen(self, style: Style, moment: Moment, key: str) -> int:
        """What the bot of a style decides."""
        if len(moment.actions) == 1:
            return moment.actions[0]
        w = self.search.work
        w.mask[:] = 0
        for action in moment.actions:
            mark(w.mask, action)
        moment.k.store(w.states[engine.KNOWN])
        heard = len(moment.events)
        w.events[moment.seat, :heard] = moment.events
        rng = np.array(stream(f"chosen {key}"), np.int64)
        return int(style.rules.choose_in(w.states, moment.seat, w.events[moment.seat], heard, w.mask, rng))

    def _missed(self, moment: Moment, answer: int, key: str) -> int:
        """How often bots decide otherwise, in thousandths: pure chance, each bot, and a short search count alike."""
        missed = [1 - 1 / len(moment.actions)]
        for style in self.styles:
            tries = [self._chosen(style, moment, f"{key} {i}") != answer for i in range(ASKED)]
            missed.append(sum(tries) / ASKED)
        looks = [
            self._gains(self.styles[0], moment, moment.actions, LOOK, f"search {i} {key}")[0] for i in range(ASKED)
        ]
        missed.append(sum(moment.actions[int(np.argmax(gains))] != answer for gains in looks) / ASKED)
        return round(1000 * sum(missed) / len(missed))


def keep_best(found: Sequence[Puzzle], count: int) -> list[Puzzle]:
    """The puzzles worth asking: those that our bots miss most; a fourth one of a match only where others lack."""
    seen: dict[str, int] = {}
    ranked = []
    for puzzle in sorted(found, key=lambda puzzle: (-puzzle.missed, puzzle.record)):
        deal = puzzle.record.partition("\n0 ")[0]
        seen[deal] = seen.get(deal, 0) + 1
        ranked.append((seen[deal] > 3, puzzle))
    return [puzzle for _, puzzle in sorted(ranked, key=lambda pair: pair[0])][:count]
