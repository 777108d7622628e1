"""One match by compiled rules: a seat's decisions come from outside, compiled bots make the others'.

`build(game.module, "cpu", drivers=[bot, seat_play])` makes one bot's copy of the rules; all copies share the match's
workspace. It is the match of `Match(…, seed=number)` with `MatchBots`, decision by decision.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from tacit.bots.bot_play import choose
from tacit.bots.compiled import CompiledBot
from tacit.bots.network.heard_tokens import heard_tokens
from tacit.bots.paired_play import AT, SEAT, STEPS, act
from tacit.bots.turn import own_stream
from tacit.core.bits import lowest, marked
from tacit.core.chance import RNG_WORDS, seed
from tacit.core.events import EVENT_CAPACITY
from tacit.core.game import Game, OptionValue
from tacit.core.match import Match
from tacit.core.random_play import CHANCE, clear, due, know, legal, observe, roll, score, start
from tacit.core.rulekit import build, rule
from tacit.core.workspace import Bytes, IntRows, Ints, States
from tacit.research.stepping import unpack

# Why the match waits: it is over; the own seat is to decide; another bot is; the own decision was not legal, and
# nothing has changed; a bot's decision was not legal, or there is no room for more steps.
OVER, ASKED, OTHERS, REFUSED, STUCK = range(5)
NOTHING = -1  # as a decision: there is none to make first
MAX_STEPS = 1 << 12  # of a compiled match


class Workspace(NamedTuple):
    """The arrays of the match."""

    states: States  # the match, and what the deciding bot knows of it
    blank: States  # a match before its start, and an empty record
    at: Ints  # as in `paired_play`
    key: Ints  # of the bots' generators
    chance_rng: Ints
    rng: Ints  # the deciding bot's generator
    words: Ints  # the legal decisions of the seat that is due, as sets of 64 bits
    offered: Ints  # the copy of them that the bot gets
    weights: Ints
    events: IntRows  # a row for each seat
    heard: Ints  # how many events each seat has
    steps: IntRows  # (who, action) of every step
    mask: Bytes  # of the own seat
    observation: Bytes
    scores: Ints
    history: Ints  # the last decisions that the own seat heard (`tacit.research.histories`)


@rule
def begin_match(low: int, high: int, w: Workspace) -> None:
    """Start the match whose seed has these two words of 32 bits."""
    w.states[0] = w.blank[0]
    start(w.states[0])
    seed(w.chance_rng, low, high)
    clear(w.heard)
    clear(w.at)
    w.at[SEAT] = -1


@rule
def play_seat(action: int, own: int, mine: int, w: Workspace) -> int:
    """Make the own seat's decision, then play on while chance or a seat in the set `mine` is due; why it waits."""
    if action != NOTHING:
        if action < 0 or action >= 64 * len(w.words) or not marked(w.words, action):
            return REFUSED
        act(own, action, w.states, w.events, w.heard, w.steps, w.at)
    ended = OTHERS
    now = due(w.states[0])
    while now != 0:
        if w.at[STEPS] >= len(w.steps) - 1:
            return STUCK
        if now == CHANCE:
            outcome = roll(w.states[0], w.chance_rng, w.weights)
            act(CHANCE, outcome, w.states, w.events, w.heard, w.steps, w.at)
        else:
            seat = lowest(now)
            w.at[SEAT] = seat
            if seat != own and (mine >> seat) & 1 == 0:
                return OTHERS
            clear(w.words)
            legal(w.states[0], seat, w.words)
            if seat == own:
                ended = ASKED
                break
            for word in range(len(w.words)):
                w.offered[word] = w.words[word]
            own_stream(w.rng, w.key, w.at[STEPS], seat)
            w.states[1] = w.blank[1]
            know(w.states[0], seat, w.states[1])
            chosen = choose(w.states[1], seat, w.events[seat], w.heard[seat], w.offered, w.rng)
            if chosen < 0 or chosen >= 64 * len(w.words) or not marked(w.words, chosen):
                return STUCK
            act(seat, chosen, w.states, w.events, w.heard, w.steps, w.at)
        now = due(w.states[0])
    if now == 0:
        ended = OVER
        clear(w.words)
        clear(w.scores)
        score(w.states[0], w.scores)
    unpack(w.words, w.mask)
    observe(w.states[0], own, w.observation)
    if len(w.history) > 0:
        heard_tokens(w.events[own], w.heard[own], own, len(w.heard), len(w.mask), w.history)
    return ended


class SeatPlay:
    """Plays one match after the other.

    Args:
        game: The game.
        seats: How many seats the match has.
        options: The game's options by name.
        seat: The seat whose decisions come from outside.
        bots: The bots of all other seats.
        history: How many of the last decisions that the seat heard are kept.
    """

    def __init__(
        self, game: Game, seats: int, options: Mapping[str, OptionValue], seat: int, bots: Mapping[int, CompiledBot],
        history: int = 0,
    ) -> None:  # fmt: skip
        self.game, self.seats, self.options, self.seat = game, seats, options, seat
        modules = {id(bot.module): bot.module for bot in bots.values()}
        sets = {key: sum(1 << q for q, bot in bots.items() if id(bot.module) == key) for key in modules}
        here = sys.modules[__name__]
        copies = {key: build(game.module, "cpu", drivers=[module, here]) for key, module in modules.items()}
        self._turns = {q: (copies[id(bot.module)].play_seat, sets[id(bot.module)]) for q, bot in bots.items()}
        self._begin = next(iter(copies.values())).begin_match
        blank = np.zeros(2, game.dtype)
        game.blank(seats, options).store(blank[0])
        self._work = Workspace(
            states=np.zeros(2, game.dtype),
            blank=blank,
            at=np.zeros(AT, np.int64),
            key=np.zeros(2, np.int64),
            chance_rng=np.zeros(RNG_WORDS, np.int64),
            rng=np.zeros(RNG_WORDS, np.int64),
            words=np.zeros(game.words, np.int64),
            offered=np.zeros(game.words, np.int64),
            weights=np.zeros(game.outcomes, np.int64),
            events=np.zeros((seats, EVENT_CAPACITY), np.int64),
            heard=np.zeros(seats, np.int64),
            steps=np.zeros((MAX_STEPS, 2), np.int64),
            mask=np.zeros(game.actions, np.int8),
            observation=np.zeros(game.observation, np.int8),
            scores=np.zeros(game.max_seats, np.int64),
            history=np.zeros(history, np.int64),
        )
        self._match: Match | None = None
        self.number = 0

    def begin(self, number: int, key: Sequence[int]) -> int:
        """Begin the match with this seed, the bots' generators from `key`; why it waits."""
        self.number, self._match = number, None
        self._work.key[:] = key
        self._begin(number & 0xFFFFFFFF, (number >> 32) & 0xFFFFFFFF, self._work)
        return self.play(NOTHING)

    def play(self, action: int) -> int:
        """Play the own seat's decision and what follows; why the match waits: OVER, ASKED, REFUSED or STUCK."""
        w = self._work
        run, mine = next(iter(self._turns.values()))
        ended: int = run(action, self.seat, mine, w)
        while ended == OTHERS:
            run, mine = self._turns[int(w.at[SEAT])]
            ended = run(NOTHING, self.seat, mine, w)
        return ended

    def seen(self) -> tuple[Any, Any, int]:
        """The own seat's observation and mask, as new arrays, and its score, once the match is over."""
        w = self._work
        return w.observation.copy(), w.mask.copy(), int(w.scores[self.seat])

    def history(self) -> Any:
        """The last decisions that the own seat heard, as a new array."""
        return self._work.history.astype(np.int32)

    def match(self) -> Match:
        """The same match, interpreted, as far as it has come."""
        if self._match is None:
            self._match = Match(self.game, self.seats, self.options, seed=self.number)
        match, made = self._match, int(self._work.at[STEPS])
        while len(match.steps) < made:
            match.apply(*map(int, self._work.steps[len(match.steps)]))
            match.settle()
        return match
