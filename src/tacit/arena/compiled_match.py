"""A match between compiled bots, at compiled speed: each bot's relay plays on, this table passes the match round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import numpy as np

from tacit.bots import paired_play
from tacit.bots.bot_play import EVENTS
from tacit.bots.compiled import CompiledBot
from tacit.bots.every_game import random as by_lot
from tacit.bots.registry import bot_named, usual_bot
from tacit.bots.turn import Budget, Turn, dice_for
from tacit.core.chance import RNG_WORDS, pool_order, stream
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


class Table:
    """The arrays of one match after the other, and the bots that may sit down."""

    def __init__(
        self, game: Game, seats: int, options: Mapping[str, OptionValue], names: Sequence[str],
        rules_version: int | None = None,
    ) -> None:  # fmt: skip
        self.game, self.seats = game, seats
        self.bots = {name: compiled_bot(game, name) for name in dict.fromkeys(names)}
        # `random` is played by whatever bot's compiled copy there is.
        self.lots = {name for name, bot in self.bots.items() if bot.module is by_lot}
        self.carriers = [name for name in self.bots if name not in self.lots] or list(self.bots)
        self.states = np.zeros(2, game.dtype)
        self.blank = np.zeros(2, game.dtype)
        game.blank(seats, options, rules_version).store(self.blank[0])
        self.at = np.zeros(paired_play.AT, np.int64)
        self.key = np.zeros(2, np.int64)
        self.turns, self.loose, self.rng = (np.zeros(RNG_WORDS, np.int64) for _ in range(3))
        self.mask, self.offered = np.zeros(game.words, np.int64), np.zeros(game.words, np.int64)
        self.weights, self.left = np.zeros(game.outcomes, np.int64), np.zeros(game.outcomes, np.int64)
        self.pools, self.sizes = np.zeros(16, np.int64), np.zeros(16, np.int64)
        self.orders = np.zeros((16, 64), np.int64)
        self.events, self.heard = np.zeros((seats, EVENTS), np.int64), np.zeros(seats, np.int64)
        self.steps = np.zeros((4096, 2), np.int64)
        self.scores = np.zeros(seats, np.int64)
        self.beat = 0  # goes up whenever a bot has handed the match over: who watches sees that it lives

    def rules(self, name: str) -> SimpleNamespace:
        """The compiled copy that plays a bot."""
        return self.bots[self.carriers[0] if name in self.lots else name].build("cpu")

    def begin(self, number: int, bot: str) -> None:
        """Lay out the match of a deal: the same chance for whoever sits down."""
        self.key[:] = match_key(number)
        self.turns[:] = stream(f"{number} turns")
        self.loose[:] = stream(f"{number} loose")
        self.at[:] = 0
        self.at[paired_play.SEAT] = -1
        self.sizes[:] = 0
        self.heard[:] = 0
        self.rules(bot).begin(self.states, self.blank)

    def play(self, number: int, seating: Sequence[str], benched: Mapping[int, int] | None = None) -> Course:
        """The match of a deal with these bots. A seat in `benched` hung at that step: others decide from there on."""
        names = list(seating)
        benched = benched or {}
        faults: list[dict[str, Any]] = []
        teams = {name: sum(1 << q for q in range(self.seats) if names[q] == name) for name in names}
        random = sum(teams[name] for name in teams if name in self.lots)
        due = next((name for name in names if name not in self.lots), names[0])
        self.begin(number, due)
        while True:
            self.beat += 1
            # With a seat on the bench the match is stopped at every decision, to see whose it is.
            code = self.on(number, due, *((0, 0) if benched else (teams[due], random)), FOREVER)
            seat, step = int(self.at[paired_play.SEAT]), int(self.at[paired_play.STEPS])
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
                answer = f"'decision number {int(self.at[paired_play.ANSWER])}'"
                faults.append(
                    fault(names[seat], seat, step, "illegal", answer, self._replace(number, seat, names[seat]))
                )
        self.rules(due).score_at(self.states, self.scores)
        final = self.game.State().load(self.states[0])
        made = int(self.at[paired_play.STEPS])
        return Course(
            steps=[(int(who), int(action)) for who, action in self.steps[:made]],
            scores=tuple(int(n) for n in self.scores),
            result=self.game.rules.result(final),
            decisions=int(self.at[paired_play.DECISIONS]),
            faults=faults,
        )

    def on(self, number: int, bot: str, mine: int, random: int, until: int) -> int:
        """Let one bot play on, some seats by lot; why it stopped. Decks are put in order, a full log is lengthened."""
        if bot in self.lots:
            mine, random = 0, mine | random
        play_on = self.rules(bot).play_on
        while True:
            code = play_on(
                self.states, self.blank, mine, random, until, self.at, self.key, self.turns, self.loose, self.rng,
                self.mask, self.offered, self.weights, self.left, self.pools, self.sizes, self.orders, self.events,
                self.heard, self.steps,
            )  # fmt: skip
            if code == paired_play.NEW_DECK:
                self.put_in_order(number, int(self.at[paired_play.DECK]))
            elif code == paired_play.LOG_FULL:
                self.steps = np.concatenate([self.steps, np.zeros_like(self.steps)])
            elif code == paired_play.WRONG_POOL:
                raise ValueError("Cards came into a pool that was not renamed: the game's `pool` is wrong.")
            else:
                return int(code)

    def put_in_order(self, number: int, deck: int) -> None:
        order = pool_order(number, [int(w) for w in self.weights], deck)
        place = int(np.count_nonzero(self.sizes))
        if place == len(self.sizes):
            self.pools, self.sizes = (np.concatenate([a, np.zeros_like(a)]) for a in (self.pools, self.sizes))
            self.orders = np.concatenate([self.orders, np.zeros_like(self.orders)])
        if len(order) > self.orders.shape[1]:
            wider = np.zeros((len(self.orders), 2 * len(order)), np.int64)
            wider[:, : self.orders.shape[1]] = self.orders
            self.orders = wider
        self.pools[place], self.sizes[place] = deck, len(order)
        self.orders[place, : len(order)] = order

    def _replace(self, number: int, seat: int, failed: str) -> str:
        """One decision of another in place of a bot that failed; who it was. It happens seldom: interpreted."""
        step = int(self.at[paired_play.STEPS])
        state = self.game.State().load(self.states[0])
        legal = self.game.legal(state, seat)
        for name in instead_of(self.game, self.bots[failed].name):
            turn = Turn(
                game=self.game.name, seats=self.seats, seat=seat, k=self.game.know(state, seat), heard=(),
                events=self.events[seat, : self.heard[seat]], legal=(), budget=Budget(),
                rng=dice_for([int(n) for n in self.key], step, seat), deck=self.game.deck_text,
            )  # fmt: skip
            action = compiled_bot(self.game, name).choose(turn)
            if action in legal:
                self.at[paired_play.FORCED] = action + 1
                self.on(number, failed, 1 << seat, 0, step + 1)
                return name
        raise RuntimeError(f"No bot finds a legal decision on seat {seat} at step {step} of match {number}.")


def compiled_bot(game: Game, name: str) -> CompiledBot:
    bot = bot_named(game, name)
    if not isinstance(bot, CompiledBot):
        raise TypeError(f"{name} is not compiled.")
    return bot


def fault(bot: str, seat: int, step: int, kind: str, detail: str, instead: str) -> dict[str, Any]:
    return {"bot": bot, "seat": seat, "step": step, "kind": kind, "detail": detail, "instead": instead}
