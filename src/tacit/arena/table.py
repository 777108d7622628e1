"""A match between compiled bots, at compiled speed: each bot's relay plays on, this table passes the match round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tacit.bots import relay
from tacit.bots.compiled import CompiledBot
from tacit.bots.driver import EVENTS
from tacit.bots.registry import bot_named, usual_bot
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


def match_key(number: int) -> list[int]:
    """The key of the bots' generators in a match: theirs, and not the one of chance."""
    return stream(f"{number} bots")[:2]


def instead_of(game: Game, name: str) -> list[str]:
    """Who decides where a bot failed: the usual bot, unless it is the one that failed; at last `random`."""
    usual = usual_bot(game)
    return list(dict.fromkeys((usual if name != usual else "random", "random")))


class Table:
    """The arrays of one match after the other, and the bots that may sit down."""

    def __init__(self, game: Game, seats: int, options: Mapping[str, OptionValue], names: Sequence[str]) -> None:
        self.game, self.seats = game, seats
        self.bots: dict[str, CompiledBot] = {}
        for name in dict.fromkeys(names):
            self._bot(name)
        self.states = np.zeros(2, game.dtype)
        self.blank = np.zeros(2, game.dtype)
        game.blank(seats, options).store(self.blank[0])
        self.at = np.zeros(relay.AT, np.int64)
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

    def _bot(self, name: str) -> CompiledBot:
        if name not in self.bots:
            bot = bot_named(self.game, name)
            assert isinstance(bot, CompiledBot)
            self.bots[name] = bot
        return self.bots[name]

    def begin(self, number: int, bot: str) -> None:
        """Lay out the match of a deal: the same chance for whoever sits down."""
        self.key[:] = match_key(number)
        self.turns[:] = stream(f"{number} turns")
        self.loose[:] = stream(f"{number} loose")
        self.at[:] = 0
        self.at[relay.SEAT] = -1
        self.sizes[:] = 0
        self.heard[:] = 0
        self._bot(bot).build("cpu").begin(self.states, self.blank)

    def play(self, number: int, seating: Sequence[str], benched: Mapping[int, int] | None = None) -> Course:
        """The match of a deal with these bots. A seat in `benched` hung at that step: others decide from there on."""
        names = list(seating)
        benched = benched or {}
        faults: list[dict[str, Any]] = []
        teams = {name: sum(1 << q for q in range(self.seats) if names[q] == name) for name in names}
        self.begin(number, names[0])
        due = names[0]
        while True:
            self.beat += 1
            # With a seat on the bench the match is stopped at every decision, to see whose it is.
            code = self.on(number, due, 0 if benched else teams[due], FOREVER)
            seat, step = int(self.at[relay.SEAT]), int(self.at[relay.STEPS])
            if code == relay.OVER:
                break
            if step >= benched.get(seat, FOREVER):
                instead = self._replace(number, seat, names[seat])
                if step == benched[seat]:
                    says = "no answer; replaced for the rest of the match"
                    faults.append(fault(names[seat], seat, step, "late", says, instead))
                continue
            if benched:
                code = self.on(number, names[seat], 1 << seat, step + 1)
            else:
                due = names[seat]
            if code == relay.ILLEGAL:
                answer = f"'decision number {int(self.at[relay.ANSWER])}'"
                faults.append(
                    fault(names[seat], seat, step, "illegal", answer, self._replace(number, seat, names[seat]))
                )
        self._bot(names[0]).build("cpu").score_at(self.states, self.scores)
        final = self.game.State().load(self.states[0])
        made = int(self.at[relay.STEPS])
        return Course(
            steps=[(int(who), int(action)) for who, action in self.steps[:made]],
            scores=tuple(int(n) for n in self.scores),
            result=self.game.rules.result(final),
            decisions=int(self.at[relay.DECISIONS]),
            faults=faults,
        )

    def on(self, number: int, bot: str, mine: int, until: int) -> int:
        """Let one bot play on; why it stopped. New decks are put in order, a full log is made longer."""
        play_on = self._bot(bot).build("cpu").play_on
        while True:
            code = play_on(
                self.states, self.blank, mine, until, self.at, self.key, self.turns, self.loose, self.rng, self.mask,
                self.offered, self.weights, self.left, self.pools, self.sizes, self.orders, self.events, self.heard,
                self.steps,
            )  # fmt: skip
            if code == relay.NEW_DECK:
                self.put_in_order(number, int(self.at[relay.DECK]))
            elif code == relay.LOG_FULL:
                self.steps = np.concatenate([self.steps, np.zeros_like(self.steps)])
            elif code == relay.WRONG_POOL:
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
        """One decision of another in place of a bot that failed; who it was."""
        step = int(self.at[relay.STEPS])
        for name in instead_of(self.game, self._bot(failed).name):
            if self.on(number, name, 1 << seat, step + 1) != relay.ILLEGAL:
                return name
        raise RuntimeError(f"No bot finds a legal decision on seat {seat} at step {step} of match {number}.")


def fault(bot: str, seat: int, step: int, kind: str, detail: str, instead: str) -> dict[str, Any]:
    return {"bot": bot, "seat": seat, "step": step, "kind": kind, "detail": detail, "instead": instead}
