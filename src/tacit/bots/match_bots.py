"""The loop that asks the bots of one match. Terminal, arena, server and SeatEnv use it."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping

from tacit.bots.heard_events import HeardEvents, turn_of
from tacit.bots.runner import Runner
from tacit.bots.turn import Budget, Dice, Turn
from tacit.core.chance import RNG_WORDS
from tacit.core.match import Match

SIGNAL = "! "  # an answer that begins so is a signal, not a decision


def system_dice(seat: int | None = None) -> Dice:
    """A generator seeded by the operating system, for a decision of any seat."""
    return Dice([secrets.randbits(32) for _ in range(RNG_WORDS)])


def apply_answer(match: Match, seat: int, answer: str, settle: bool = True) -> bool:
    """Give the signal or play the decision that a bot answered; True if it was a decision."""
    if answer.startswith(SIGNAL):
        match.signal(seat, answer.removeprefix(SIGNAL))
        return False
    match.play(seat, answer, settle=settle)
    return True


class MatchBots:
    """The bots on some seats of a match; other seats may decide in between.

    Args:
        match: The match.
        runners: The `Runner` of each of these seats.
        budget: The limit for each decision; None is no limit.
        rng: Makes the generator for one decision of a seat.
        signals: Whether bots are offered signals.

    Attributes:
        match: The match.
        runners: The `Runner` of each seat.
        budget: The limit for each decision.
        rng: Makes the generator for one decision of a seat.
        signals: Whether bots are offered signals.
        heard: What the bots have heard.

    Examples:
        >>> from tacit import Match
        >>> from tacit.bots import bot_named
        >>> match = Match("silencio", seats=3, seed=1)
        >>> bots = MatchBots(match, {q: Runner(match.game, bot_named(match.game, "random")) for q in range(3)})
        >>> while not match.over:
        ...     _ = bots.play(min(match.due))
        >>> bots.close()
    """

    def __init__(
        self, match: Match, runners: Mapping[int, Runner], budget: Budget | None = None,
        rng: Callable[[int], Dice] = system_dice, signals: bool = True,
    ) -> None:  # fmt: skip
        self.match, self.runners = match, runners
        self.budget, self.rng, self.signals = budget or Budget(), rng, signals
        self.heard = HeardEvents(match)

    def turn(self, seat: int, budget: Budget | None = None) -> Turn:
        """What the bot on a seat gets for its next decision."""
        return turn_of(self.match, seat, self.heard, self.rng(seat), budget or self.budget)

    def ask(self, seat: int, budget: Budget | None = None) -> str:
        """The bot's answer, always legal: a decision, or a signal written `! nod`. Nothing is applied."""
        signals = self.match.signals(seat) if self.signals else ()
        return self.runners[seat].ask(self.turn(seat, budget), signals)

    def play(self, seat: int) -> bool:
        """Ask the bot on a seat and apply its answer; False if it was a signal: then the seat is still to decide."""
        return apply_answer(self.match, seat, self.ask(seat))

    def close(self) -> None:
        """Stop the bots' threads; the match is over."""
        for runner in self.runners.values():
            runner.close()
