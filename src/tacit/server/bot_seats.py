"""Who decides when no person does: bots on their seats, bots that sit in, and clocks that run out."""

from __future__ import annotations

import asyncio
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
from tacit.server.deciders import Decider
from tacit.server.errors import RequestRefused
from tacit.server.live_table import LiveTable
from tacit.server.metrics import Metrics
from tacit.server.precompile import Precompiler
from tacit.server.thinking import Late, Thinking

Decide = Callable[[LiveTable, int, int, list[str], Decider], Awaitable[object]]
Signal = Callable[[LiveTable, int, str, Decider], Awaitable[object]]
RETRY = 1.0  # seconds until a decision that could not be stored is tried again
THINKS = 0.8  # of the shortest delay, the part in which a bot may think
LEAST = 0.05  # seconds that it has in any case
AT_ONCE = 0.5  # seconds for a decision when a clock has run out
_chance = random.SystemRandom()


class Wanted(NamedTuple):
    """Somebody should decide: for a seat, its question, the bot on it (None: a person under a clock)."""

    seat: int
    ask: int
    bot: str | None
    waits: bool  # for people, who come first in a race


class BotSeats:
    """The tasks that decide at the tables of this process. Doubled work of another process is refused by the store."""

    def __init__(self, decide: Decide, signal: Signal, config: Config, metrics: Metrics) -> None:
        self.decide, self.signal, self.metrics = decide, signal, metrics
        self.delay, self.compile = config.bot_delay, config.compile
        self.thinking = Thinking()
        self.precompiler = Precompiler()
        self.tasks: dict[str, dict[Wanted, asyncio.Task[None]]] = {}
        self.seated: dict[str, dict[tuple[int, str], BotPlayer]] = {}

    def tend(self, live: LiveTable) -> None:
        """Start whoever should decide now, and stop whoever should no longer."""
        wanted: set[Wanted] = set()
        if live.match is not None and not live.over and live.trouble() is None:
            race = live.race_left() > 0
            for seat in live.match.due:
                ask = live.open_ask(seat)
                bot = live.driver(seat)
                if ask is not None and (bot is not None or live.row.clock is not None):
                    wanted.add(Wanted(seat, ask, bot, race and bot is not None))
        running = self.tasks.setdefault(live.row.id, {})
        for key in [key for key in running if key not in wanted]:
            running.pop(key).cancel()
        for key in wanted - set(running):
            running[key] = asyncio.create_task(self._sit(live, key), name=f"sitter {key}")
        if not running:
            del self.tasks[live.row.id]
        if live.over:
            self.forget(live.row.id)

    def busy(self, table: str) -> bool:
        return table in self.tasks

    def deciding(self) -> int:
        """For how many seats somebody thinks now."""
        return sum(len(running) for running in self.tasks.values())

    def forget(self, table: str) -> None:
        """Nobody decides at this table any more, here."""
        for task in self.tasks.pop(table, {}).values():
            task.cancel()
        for sitter in self.seated.pop(table, {}).values():
            sitter.close()

    async def close(self) -> None:
        tasks = [task for running in self.tasks.values() for task in running.values()]
        for table in [*self.tasks, *self.seated]:
            self.forget(table)
        await asyncio.gather(*tasks, return_exceptions=True)
        self.precompiler.close()
        self.thinking.close()

    async def _sit(self, live: LiveTable, wanted: Wanted) -> None:
        seat, ask, bot, waits = wanted
        if waits:
            await asyncio.sleep(live.race_left())
            self._done(live, wanted)
            self.tend(live)
            return
        if bot is None:
            await asyncio.sleep(live.time_left(seat))
        if live.open_ask(seat) != ask:
            return
        texts = await self._think(live, seat, bot)
        decider = Decider("bot", bot) if bot is not None else Decider("clock", usual_bot(live.game))
        again = False
        try:  # what is stored is also told, even if the telling ends this task
            if bot is not None and texts[0].startswith(SIGNAL):
                await self.signal(live, seat, texts[0].removeprefix(SIGNAL), decider)
                again = True  # the question is still open
            else:
                await self.decide(live, seat, ask, texts, decider)
        except RequestRefused as refusal:
            if refusal.status == 503:  # it cannot be stored now; otherwise someone has decided already
                await asyncio.sleep(RETRY)
                again = True
        except IllegalDecision:
            again = True  # the others went on while it thought
        finally:
            self._done(live, wanted)
        if again:
            self.tend(live)

    def _done(self, live: LiveTable, key: Wanted) -> None:
        running = self.tasks.get(live.row.id, {})
        if running.get(key) is asyncio.current_task():
            del running[key]
            if not running:
                self.tasks.pop(live.row.id, None)

    async def _think(self, live: LiveTable, seat: int, bot: str | None) -> list[str]:
        """Think in a thread, when it is this table's turn. The answer comes after a time drawn before thinking began,
        whatever there is to think: neither the cards nor the number of choices can be read from it. Who is not ready
        then answers quickly.
        """
        assert live.match is not None
        match = live.match
        loop = asyncio.get_running_loop()
        ready = loop.time() + (0.0 if bot is None else _chance.uniform(*self.delay))
        seconds = AT_ONCE if bot is None else max(THINKS * self.delay[0], LEAST)
        until = time.monotonic() + seconds
        thought: asyncio.Future[list[str]] | None = None
        try:
            sitter = self._sitter(live, seat, bot or usual_bot(live.game))
            think = partial(self._timed, sitter, match, seat, until, bot is not None)
            thought = self.thinking.submit(live.address, live.row.id, think, until)
            thought.add_done_callback(_heeded)
            await asyncio.sleep(ready - loop.time())
            done, _ = await asyncio.wait([thought], timeout=max(until - time.monotonic(), LEAST))
            if done:
                return thought.result()
            raise Late
        except Late:  # others thought before it
            self.metrics.late.labels(live.row.game).inc()
        except Exception as error:  # whatever a bot does, it must not stop a match of people; the reason may name cards
            faults.note(f"The bot {bot} of {live.row.game}", error)
        finally:
            if thought is not None:
                thought.cancel()  # nobody waits for it any more: if it has not begun, it need not
        return await asyncio.to_thread(quick_answer, match, seat)

    def _timed(self, sitter: BotPlayer, match: Match, seat: int, until: float, signals: bool) -> list[str]:
        with self.metrics.thinking.labels(match.game.name).time():
            return sitter.answer(match, seat, until, signals)

    def _sitter(self, live: LiveTable, seat: int, name: str) -> BotPlayer:
        """Who answers for a seat: its bot, or the usual one while that is not ready."""
        sitter = self._seat(live, seat, name)
        if self.compile and not self.precompiler.want(live.game, name):
            usual = usual_bot(live.game)
            self.precompiler.want(live.game, usual)
            return self._seat(live, seat, usual)
        return sitter

    def _seat(self, live: LiveTable, seat: int, name: str) -> BotPlayer:
        seated = self.seated.setdefault(live.row.id, {})
        if (seat, name) not in seated:
            seated[seat, name] = BotPlayer(live.game, name)
        return seated[seat, name]


def _heeded(thought: asyncio.Future[list[str]]) -> None:
    """A thought nobody waits for any more may fail in silence: what Python would print of it may name cards."""
    if not thought.cancelled():
        thought.exception()
