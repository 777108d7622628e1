"""Deciding for seats whose person does not: bots on their seats, bots that sit in, and clocks that ran out."""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import NamedTuple

from tacit.bots import usual_bot
from tacit.core.errors import IllegalDecision
from tacit.core.match import Match
from tacit.server import faults
from tacit.server.bot_player import SIGNAL, BotPlayer, quick_answer
from tacit.server.config import Config
from tacit.server.deciders import Decider, Decision
from tacit.server.errors import RequestRefused
from tacit.server.live_table import LiveTable
from tacit.server.metrics import Metrics
from tacit.server.precompile import Precompiler
from tacit.server.thinking import Late, Thinking

Decide = Callable[[LiveTable, Decision], Awaitable[object]]
TimeOver = Callable[[LiveTable, int, int], Awaitable[None]]
PASS = "pass"
RETRY_AFTER = 1.0  # seconds, when a decision could not be stored
THINKING_SHARE = 0.8  # of the shortest delay, for thinking
MIN_THINKING = 0.05  # seconds
STAND_BY = 0.5  # seconds beyond the longest delay, after which a bot is played for another process
CLOCK_THINKING = 0.5  # seconds, when a clock has run out
_random = random.SystemRandom()


class Job(NamedTuple):
    """A decision to be made: for a seat, its question, by a bot (None: when the time of a person is over, or as they
    prepared it).
    """

    seat: int
    ask: int
    bot: str | None
    waits: bool  # leaves a race to people first
    prepared: bool = False
    stands_by: bool = False  # another process decides; this one only if that does not


class BotSeats:
    """One task for each job of this process. If another process does the same job, the store accepts one decision."""

    def __init__(self, decide: Decide, time_over: TimeOver, config: Config, metrics: Metrics) -> None:
        self.decide, self.time_over, self.metrics = decide, time_over, metrics
        self.delay, self.compile = config.bot_delay, config.compile
        self.thinking = Thinking()
        self.precompiler = Precompiler()
        self.tasks: dict[str, dict[Job, asyncio.Task[None]]] = {}  # table -> its jobs
        self.players: dict[str, dict[tuple[int, str], BotPlayer]] = {}  # table -> (seat, bot) -> player
        self.stopped = False

    def update(self, table: LiveTable) -> None:
        """Start the jobs that the table needs now, and cancel those it no longer needs."""
        if not (table.driven or table.over or table.row.id in self.tasks):
            return  # as usual where people play
        jobs = self._jobs(table)
        running = self.tasks.setdefault(table.row.id, {})
        for job in [job for job in running if not _needed(job, jobs)]:
            running.pop(job).cancel()
        for job in {job for job in jobs if job._replace(stands_by=False) not in running} - set(running):
            running[job] = asyncio.create_task(self._run(table, job), name=f"bot {job}")
        if not running:
            del self.tasks[table.row.id]
        if table.over:
            self.forget(table.row.id)

    def _jobs(self, table: LiveTable) -> set[Job]:
        jobs: set[Job] = set()
        if table.driven and table.match is not None and not table.over and table.trouble() is None and not self.stopped:
            race, elsewhere = table.race_left() > 0, table.presence.is_elsewhere()
            for seat in table.match.due:
                ask, bot = table.open_ask(seat), table.bot_for(seat)
                if ask is None:
                    continue
                if bot is not None or table.row.clock is not None:
                    is_bot = bot is not None
                    jobs.add(Job(seat, ask, bot, race and is_bot, stands_by=elsewhere and is_bot))
                if bot is None and table.is_prepared(seat):
                    jobs.add(Job(seat, ask, None, False, True))
        return jobs

    def busy(self, name: str) -> bool:
        """Does a table have jobs?"""
        return name in self.tasks

    def job_count(self) -> int:
        return sum(len(running) for running in self.tasks.values())

    def forget(self, name: str) -> None:
        """Cancel a table's jobs and drop its players."""
        for task in self.tasks.pop(name, {}).values():
            task.cancel()
        for player in self.players.pop(name, {}).values():
            player.close()

    def stop(self) -> list[str]:
        """Begin no more jobs, and give up those that run; the tables that had some."""
        self.stopped, names = True, list(self.tasks)
        for name in names:
            self.forget(name)
        return names

    async def close(self) -> None:
        tasks = [task for running in self.tasks.values() for task in running.values()]
        for name in [*self.tasks, *self.players]:
            self.forget(name)
        await asyncio.gather(*tasks, return_exceptions=True)
        self.precompiler.close()
        self.thinking.close()

    async def _run(self, table: LiveTable, job: Job) -> None:
        if job.waits:
            await asyncio.sleep(table.race_left())
            again = True
        else:
            again = await self._decide(table, job)
        if again:
            self._ended(table, job)
            self.update(table)

    async def _decide(self, table: LiveTable, job: Job) -> bool:
        """Think and decide; True if the job must be done again."""
        seat, ask, bot = job.seat, job.ask, job.bot
        if job.prepared:
            await asyncio.sleep(_random.uniform(*self.delay))
        elif bot is None:
            await asyncio.sleep(table.clock.left(seat))
        elif job.stands_by:
            await asyncio.sleep(self.delay[1] + STAND_BY)
        if table.open_ask(seat) != ask or not _needed(job, self._jobs(table)):
            return False
        if bot is None and not job.prepared and table.row.at_end in ("bot", "end"):
            with contextlib.suppress(RequestRefused):  # somebody has decided already, or it cannot be stored now
                await self.time_over(table, seat, ask)
            self._ended(table, job)
            return table.open_ask(seat) == ask
        if job.prepared:
            texts, decider = list(table.views[seat].legal), table.decider(seat)
        elif bot is None and table.row.at_end == "pass" and PASS in table.views[seat].legal:
            texts, decider = [PASS], Decider("clock", usual_bot(table.game))
        else:
            delay = self.delay[0] if job.stands_by else _random.uniform(*self.delay)
            texts = await self._think(table, seat, bot, delay)
            decider = Decider("bot", bot) if bot is not None else Decider("clock", usual_bot(table.game))
        try:  # `decide` is uninterrupted: what is stored is published, even if that cancels this task
            if bot is not None and texts[0].startswith(SIGNAL):
                await self.decide(table, Decision(seat, None, [texts[0].removeprefix(SIGNAL)], decider))
                return True  # the question is still open
            await self.decide(table, Decision(seat, ask, texts, decider))
        except RequestRefused as refusal:
            if refusal.status == 503:  # it cannot be stored now; any other refusal: someone has decided already
                await asyncio.sleep(RETRY_AFTER)
                return True
        except IllegalDecision:
            return True  # others acted while it thought
        finally:
            self._ended(table, job)
        return False

    def _ended(self, table: LiveTable, job: Job) -> None:
        running = self.tasks.get(table.row.id, {})
        if running.get(job) is asyncio.current_task():
            del running[job]
            if not running:
                self.tasks.pop(table.row.id, None)

    async def _think(self, table: LiveTable, seat: int, bot: str | None, delay: float) -> list[str]:
        """Think in a thread when it is this table's turn. The answer comes after a delay drawn before thinking began:
        it tells neither the cards nor the number of choices. A bot that is not ready then answers at random.
        """
        assert table.match is not None
        match = table.match
        loop = asyncio.get_running_loop()
        ready = loop.time() + (0.0 if bot is None else delay)
        seconds = CLOCK_THINKING if bot is None else max(THINKING_SHARE * self.delay[0], MIN_THINKING)
        until = time.monotonic() + seconds
        answer: asyncio.Future[list[str]] | None = None
        try:
            player = self._player(table, seat, bot or usual_bot(table.game))
            think = partial(self._timed_answer, player, match, seat, until, bot is not None)
            answer = self.thinking.submit(table.address, table.row.id, think, until)
            answer.add_done_callback(_retrieve)
            await asyncio.sleep(ready - loop.time())
            done, _ = await asyncio.wait([answer], timeout=max(until - time.monotonic(), MIN_THINKING))
            if done:
                return answer.result()
            raise Late
        except Late:  # other bots used the threads
            self.metrics.late.labels(table.row.game).inc()
        except Exception as error:  # a bot must not stop a match of people; its message may name cards
            faults.note(f"The bot {bot} of {table.row.game}", error)
        finally:
            if answer is not None:
                answer.cancel()  # if it has not begun, it need not
        return await asyncio.to_thread(quick_answer, match, seat)

    def _timed_answer(self, player: BotPlayer, match: Match, seat: int, until: float, signals: bool) -> list[str]:
        with self.metrics.thinking.labels(match.game.name).time():
            return player.answer(match, seat, until, signals)

    def _player(self, table: LiveTable, seat: int, name: str) -> BotPlayer:
        """Who answers for a seat: its bot, or the usual one until that is compiled."""
        if self.compile and not self.precompiler.want(table.game, name):
            name = usual_bot(table.game)
            self.precompiler.want(table.game, name)
        players = self.players.setdefault(table.row.id, {})
        if (seat, name) not in players:
            players[seat, name] = BotPlayer(table.game, name)
        return players[seat, name]


def _needed(job: Job, jobs: set[Job]) -> bool:
    """Is a job one of these? One that was begun goes on when another process could decide, too."""
    return job in jobs or job._replace(stands_by=True) in jobs


def _retrieve(answer: asyncio.Future[list[str]]) -> None:
    """Mark an exception as retrieved: what Python would print of it may name cards."""
    if not answer.cancelled():
        answer.exception()
