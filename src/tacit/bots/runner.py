"""Asks one bot safely: if it raises, is late or answers illegally, another bot decides and the fault is reported."""

from __future__ import annotations

import ctypes
import queue
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from tacit.bots.compiled import CompiledBot
from tacit.bots.registry import Bot, bot_named, usual_bot
from tacit.bots.turn import Budget, Dice, Turn
from tacit.core.game import Game

PATIENCE = 10.0  # seconds for a decision of a bot that has no time budget
GRACE = 0.1  # seconds added to twice the time budget before an answer is late

Kind = Literal["raised", "late", "illegal"]


@dataclass(frozen=True, slots=True)
class Fault:
    """A failure of a bot in one decision; another bot decided instead."""

    bot: str
    seat: int
    kind: Kind
    detail: str
    instead: str  # the bot that decided


def deadline(budget: Budget, bot: Bot | None = None) -> float:
    """Seconds after which an answer is late: twice the time budget plus GRACE; without one the bot's or PATIENCE."""
    if budget.milliseconds is not None:
        return 2 * budget.milliseconds / 1000 + GRACE
    return float(getattr(bot, "patience", PATIENCE))


class _Interrupted(BaseException):
    """Raised inside a bot that is late."""


class _Thinker:
    """A thread in which a bot in Python decides, so that the match can continue without it."""

    def __init__(self) -> None:
        self.jobs: queue.SimpleQueue[Callable[[], Any] | None] = queue.SimpleQueue()
        self.answers: queue.SimpleQueue[tuple[bool, Any]] = queue.SimpleQueue()
        self.thread = threading.Thread(target=self._run, daemon=True, name="bot")
        self.thread.start()

    def _run(self) -> None:
        try:
            while (job := self.jobs.get()) is not None:
                try:
                    answer: tuple[bool, Any] = (True, job())
                except _Interrupted:
                    return
                except BaseException as error:  # anything that a bot raises, even SystemExit
                    answer = (False, error)
                self.answers.put(answer)
        except _Interrupted:  # it was late by a moment: the job had just ended
            return

    def ask(self, job: Callable[[], Any], seconds: float) -> tuple[bool, Any]:
        self.jobs.put(job)
        return self.answers.get(timeout=seconds)

    def abandon(self) -> None:
        """Stop it if it runs Python; a thread that is stuck outside Python is left alone."""
        if self.thread.ident is not None:
            ctypes.pythonapi.PyThreadState_SetAsyncExc(
                ctypes.c_ulong(self.thread.ident), ctypes.py_object(_Interrupted)
            )
        self.jobs.put(None)


class Runner:
    """Asks the bot of one seat in one match. Where it fails, the usual bot or `random` decides.

    Args:
        game: The game.
        bot: What `bot_named` gives.
        report: Called with each `Fault`.

    Attributes:
        game: The game.
        bot: The bot, an instance of this seat's own.
        report: As given.
        faults: Every failure so far.
        decisions: How many decisions were asked for.
        seconds: Spent thinking, replaced decisions included.
    """

    def __init__(self, game: Game, bot: Bot, report: Callable[[Fault], None] | None = None) -> None:
        self.game, self.bot = game, bot.fresh()
        self.report = report
        self.faults: list[Fault] = []
        self.decisions = 0
        self.seconds = 0.0
        self._thinker: _Thinker | None = None
        self._stuck: _Thinker | None = None

    def ask(self, turn: Turn, signals: Sequence[str] = ()) -> str:
        """A legal decision; or one of `signals`, written `! nod`: give it and ask again.

        A compiled bot's rule `signal` is asked before `choose`.
        """
        turn = replace(turn, signals=tuple(signals))
        legal = (*turn.legal, *(f"! {text}" for text in signals))
        # A bot that fails may have used its generator: its replacement gets an unused copy.
        spare = Dice(turn.rng.words)
        started = time.perf_counter()
        wrong: tuple[Kind, str] | None = None
        answer: Any = None
        try:
            answer = self._answer(turn)
        except queue.Empty:
            wrong = ("late", f"no answer after {deadline(turn.budget, self.bot):.2f} s")
        except Exception as error:
            wrong = ("raised", f"{type(error).__name__}: {error}"[:200])
        seconds = time.perf_counter() - started
        self.decisions += 1
        self.seconds += seconds
        if wrong is None and seconds > deadline(turn.budget, self.bot):
            wrong = ("late", f"an answer after {seconds:.2f} s")
        if wrong is None and not (isinstance(answer, str) and answer in legal):
            wrong = ("illegal", f"{answer!r}"[:200])
        if wrong is None:
            return str(answer)
        return self._instead(turn, spare, *wrong)

    def _answer(self, turn: Turn) -> Any:
        if isinstance(self.bot, CompiledBot):  # fast by contract and cannot be interrupted: it is only timed
            given = self.bot.signal(turn) if turn.signals else None
            return self.bot.decide(turn) if given is None else f"! {given}"
        if self._stuck is not None:
            if self._stuck.thread.is_alive():
                raise queue.Empty
            self._stuck = None
        thinker = self._thinker = self._thinker or _Thinker()
        try:
            fine, answer = thinker.ask(lambda: self.bot.decide(turn), deadline(turn.budget, self.bot))
        except queue.Empty:
            thinker.abandon()  # also if `close` was called meanwhile: a bot that hangs would use a core for ever
            self._stuck, self._thinker = thinker, None
            raise
        if not fine:
            raise answer if isinstance(answer, Exception) else RuntimeError(repr(answer))
        return answer

    def _instead(self, turn: Turn, dice: Dice, kind: Kind, detail: str) -> str:
        usual = usual_bot(self.game)
        again = replace(turn, rng=dice)
        for name in dict.fromkeys((usual if self.bot.name != usual else "random", "random")):
            text = bot_named(self.game, name).decide(again)
            if text in turn.legal:
                break
        fault = Fault(self.bot.name, turn.seat, kind, detail, name)
        self.faults.append(fault)
        if self.report is not None:
            self.report(fault)
        return text

    def __getstate__(self) -> dict[str, Any]:
        """A copy thinks in a thread of its own."""
        return self.__dict__ | {"_thinker": None, "_stuck": None}

    def close(self) -> None:
        """Stop the bot's thread; the match is over."""
        if self._thinker is not None:
            self._thinker.jobs.put(None)
            self._thinker = None
