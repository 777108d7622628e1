"""A match between compiled bots: each plays at compiled speed until another is due. `CompiledMatch` asks them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import numpy as np

from tacit.bots import paired_play
from tacit.bots.compiled import CompiledBot
from tacit.bots.every_game import random as random_bot
from tacit.bots.registry import bot_named, usual_bot
from tacit.bots.turn import Budget, Turn, dice_for
from tacit.core.chance import RNG_WORDS, pool_order, stream
from tacit.core.events import EVENT_CAPACITY
from tacit.core.game import Game, OptionValue

FOREVER = 1 << 62


@dataclass
class Course:
    """How a match went."""

    steps: list[tuple[int, int]]
    scores: tuple[int, ...]
    result: dict[str, Any]
    decisions: int
    faults: list[dict[str, Any]] = field(default_factory=list)
    thought: dict[str, tuple[int, float]] = field(default_factory=dict)
    lines: list[str] | None = None  # of the record, where bots may have signalled


def match_key(number: int) -> list[int]:
    """The key of the bots' generators in a match: theirs, and not the one of chance."""
    return stream(f"{number} bots")[:2]


def instead_of(game: Game, name: str) -> list[str]:
    """Who decides where a bot failed: the usual bot, unless it is the one that failed; at last `random`."""
    usual = usual_bot(game)
    return list(dict.fromkeys((usual if name != usual else "random", "random")))


class CompiledMatch:
    """The arrays for playing one match after the other, and the compiled bots of its seats."""

    def __init__(
        self, game: Game, seats: int, options: Mapping[str, OptionValue], names: Sequence[str],
        rules_version: int | None = None,
    ) -> None:  # fmt: skip
        self.game, self.seats = game, seats
        self.bots = {name: compiled_bot(game, name) for name in dict.fromkeys(names)}
        # The compiled copy of any bot can play `random`.
        self.random = {name for name, bot in self.bots.items() if bot.module is random_bot}
        self.carriers = [name for name in self.bots if name not in self.random] or list(self.bots)
        blank = np.zeros(2, game.dtype)
        game.blank(seats, options, rules_version).store(blank[0])
        self.work = paired_play.Workspace(
            states=np.zeros(2, game.dtype),
            blank=blank,
            at=np.zeros(paired_play.AT, np.int64),
            key=np.zeros(2, np.int64),
            turns=np.zeros(RNG_WORDS, np.int64),
            loose=np.zeros(RNG_WORDS, np.int64),
            rng=np.zeros(RNG_WORDS, np.int64),
            mask=np.zeros(game.words, np.int64),
            offered=np.zeros(game.words, np.int64),
            weights=np.zeros(game.outcomes, np.int64),
            left=np.zeros(game.outcomes, np.int64),
            pools=np.zeros(16, np.int64),
            sizes=np.zeros(16, np.int64),
            orders=np.zeros((16, 64), np.int64),
            events=np.zeros((seats, EVENT_CAPACITY), np.int64),
            heard=np.zeros(seats, np.int64),
            steps=np.zeros((4096, 2), np.int64),
        )
        self.scores = np.zeros(seats, np.int64)
        self.beat = 0  # goes up whenever a bot has handed the match over: who watches sees that it lives

    def rules(self, name: str) -> SimpleNamespace:
        """The compiled copy that plays a bot."""
        return self.bots[self.carriers[0] if name in self.random else name].build("cpu")

    def begin(self, number: int, bot: str) -> None:
        """Start the match of a deal: chance is the same for every line-up."""
        w = self.work
        w.key[:] = match_key(number)
        w.turns[:] = stream(f"{number} turns")
        w.loose[:] = stream(f"{number} loose")
        w.at[:] = 0
        w.at[paired_play.SEAT] = -1
        w.sizes[:] = 0
        w.heard[:] = 0
        self.rules(bot).begin(w)

    def play(self, number: int, seating: Sequence[str], benched: Mapping[int, int] | None = None) -> Course:
        """The match of a deal with these bots. A seat in `benched` hung at that step: others decide from there on."""
        names = list(seating)
        benched = benched or {}
        faults: list[dict[str, Any]] = []
        teams = {name: sum(1 << q for q in range(self.seats) if names[q] == name) for name in names}
        random = sum(teams[name] for name in teams if name in self.random)
        due = next((name for name in names if name not in self.random), names[0])
        self.begin(number, due)
        at = self.work.at
        while True:
            self.beat += 1
            # With a seat on the bench the match is stopped at every decision, to see whose it is.
            code = self.on(number, due, *((0, 0) if benched else (teams[due], random)), FOREVER)
            seat, step = int(at[paired_play.SEAT]), int(at[paired_play.STEPS])
            if code == paired_play.OVER:
                break
            if step >= benched.get(seat, FOREVER):
                instead = self._replace(number, seat, names[seat])
                if step == benched[seat]:
                    says = "no answer; replaced for the rest of the match"
                    faults.append(fault(names[seat], seat, step, "late", says, instead))
                continue
            if benched:
                code = self.on(number, names[seat], 1 << seat, 0, step + 1)
            else:
                due = names[seat]
            if code == paired_play.ILLEGAL:
                answer = f"'decision number {int(at[paired_play.ANSWER])}'"
                faults.append(
                    fault(names[seat], seat, step, "illegal", answer, self._replace(number, seat, names[seat]))
                )
        self.rules(due).score_at(self.work.states, self.scores)
        final = self.game.State().load(self.work.states[0])
        return Course(
            steps=[(int(who), int(action)) for who, action in self.work.steps[: int(at[paired_play.STEPS])]],
            scores=tuple(int(n) for n in self.scores),
            result=self.game.rules.result(final),
            decisions=int(at[paired_play.DECISIONS]),
            faults=faults,
        )

    def on(self, number: int, bot: str, mine: int, random: int, until: int) -> int:
        """Let one bot play on, some seats at random; why it stopped. Orders new decks, lengthens a full log."""
        if bot in self.random:
            mine, random = 0, mine | random
        play_on = self.rules(bot).play_on
        while True:
            code = play_on(self.work, mine, random, until)
            if code == paired_play.NEW_DECK:
                self.put_in_order(number, int(self.work.at[paired_play.DECK]))
            elif code == paired_play.LOG_FULL:
                self.work = self.work._replace(steps=_longer(self.work.steps))
            elif code == paired_play.WRONG_POOL:
                raise ValueError("Cards came into a pool that was not renamed: the game's `pool` is wrong.")
            else:
                return int(code)

    def put_in_order(self, number: int, deck: int) -> None:
        w = self.work
        order = pool_order(number, [int(weight) for weight in w.weights], deck)
        place = int(np.count_nonzero(w.sizes))
        if place == len(w.sizes):
            w = w._replace(pools=_longer(w.pools), sizes=_longer(w.sizes), orders=_longer(w.orders))
        if len(order) > w.orders.shape[1]:
            wider = np.zeros((len(w.orders), 2 * len(order)), np.int64)
            wider[:, : w.orders.shape[1]] = w.orders
            w = w._replace(orders=wider)
        w.pools[place], w.sizes[place] = deck, len(order)
        w.orders[place, : len(order)] = order
        self.work = w

    def _replace(self, number: int, seat: int, failed: str) -> str:
        """One decision of another in place of a bot that failed, interpreted (rare); who it was."""
        w = self.work
        step = int(w.at[paired_play.STEPS])
        state = self.game.State().load(w.states[0])
        legal = self.game.legal(state, seat)
        for name in instead_of(self.game, self.bots[failed].name):
            turn = Turn(
                game=self.game.name, seats=self.seats, seat=seat, k=self.game.know(state, seat), heard=(),
                events=w.events[seat, : w.heard[seat]], legal=(), budget=Budget(),
                rng=dice_for([int(n) for n in w.key], step, seat), deck=self.game.deck_text,
            )  # fmt: skip
            action = compiled_bot(self.game, name).choose(turn)
            if action in legal:
                w.at[paired_play.FORCED] = action + 1
                self.on(number, failed, 1 << seat, 0, step + 1)
                return name
        raise RuntimeError(f"No bot finds a legal decision on seat {seat} at step {step} of match {number}.")


def _longer(array: Any) -> Any:
    """An array twice as long; the new half is zeros."""
    return np.concatenate([array, np.zeros_like(array)])


def compiled_bot(game: Game, name: str) -> CompiledBot:
    bot = bot_named(game, name)
    if not isinstance(bot, CompiledBot):
        raise TypeError(f"{name} is not compiled.")
    return bot


def fault(bot: str, seat: int, step: int, kind: str, detail: str, instead: str) -> dict[str, Any]:
    return {"bot": bot, "seat": seat, "step": step, "kind": kind, "detail": detail, "instead": instead}
