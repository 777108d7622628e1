"""Who decides when no person does: bots on their seats, bots that sit in, and clocks that run out."""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor

from tacit.bots import usual_bot
from tacit.core.errors import IllegalDecision
from tacit.server.bots import QUICK, decide_run
from tacit.server.live import Live
from tacit.server.refusal import Refusal

Play = Callable[[Live, int, int, list[str], str | None], Awaitable[object]]
Wanted = tuple[int, int, str | None]  # seat, ask, the bot on it (None: a person under a clock)
RETRY = 1.0  # seconds until a decision that could not be stored is tried again
_log = logging.getLogger("tacit.server")
_chance = random.SystemRandom()


class Sitters:
    """The tasks that decide at the tables of this process. Doubled work of another process is refused by the store."""

    def __init__(self, play: Play, delay: tuple[float, float], threads: int = 2) -> None:
        self.play, self.delay = play, delay
        self.pool = ThreadPoolExecutor(threads, thread_name_prefix="bot")
        self.tasks: dict[str, dict[Wanted, asyncio.Task[None]]] = {}

    def tend(self, live: Live) -> None:
        """Start whoever should decide now, and stop whoever should no longer."""
        wanted: set[Wanted] = set()
        if live.match is not None and not live.over and live.trouble() is None:
            for seat in live.match.due:
                ask = live.open_ask(seat)
                bot = live.driver(seat)
                if ask is not None and (bot is not None or live.row.clock is not None):
                    wanted.add((seat, ask, bot))
        running = self.tasks.setdefault(live.row.id, {})
        for key in [key for key in running if key not in wanted]:
            running.pop(key).cancel()
        for key in wanted - set(running):
            running[key] = asyncio.create_task(self._sit(live, *key), name=f"sitter {key}")
        if not running:
            del self.tasks[live.row.id]

    def busy(self, table: str) -> bool:
        return table in self.tasks

    def forget(self, table: str) -> None:
        for task in self.tasks.pop(table, {}).values():
            task.cancel()

    async def close(self) -> None:
        tasks = [task for running in self.tasks.values() for task in running.values()]
        self.tasks.clear()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self.pool.shutdown(wait=False, cancel_futures=True)

    async def _sit(self, live: Live, seat: int, ask: int, bot: str | None) -> None:
        if bot is None:
            await asyncio.sleep(max(0.0, (live.deadline(seat) or 0.0) - time.time()))
        if live.open_ask(seat) != ask:
            return
        texts = await self._think(live, seat, bot or usual_bot(live.game), at_once=bot is None)
        self._done(live, (seat, ask, bot))  # from here on nobody stops it: what is stored must also be told
        try:
            await self.play(live, seat, ask, texts, bot)
        except Refusal as refusal:
            if refusal.status == 503:  # it cannot be stored now; otherwise someone has decided already
                await asyncio.sleep(RETRY)
                self.tend(live)
        except IllegalDecision:
            self.tend(live)  # the others went on while it thought: it thinks again

    def _done(self, live: Live, key: Wanted) -> None:
        running = self.tasks.get(live.row.id, {})
        if running.get(key) is asyncio.current_task():
            del running[key]
            if not running:
                self.tasks.pop(live.row.id, None)

    async def _think(self, live: Live, seat: int, bot: str, at_once: bool) -> list[str]:
        """Think in a thread. The answer comes after a time drawn before thinking began, whatever there is to think:
        neither the cards nor the number of choices can be read from it. Who is not ready then answers quickly.
        """
        assert live.match is not None
        loop = asyncio.get_running_loop()
        ready = loop.time() + (0.5 if at_once else _chance.uniform(*self.delay))
        thought = loop.run_in_executor(self.pool, decide_run, live.match, seat, bot)
        if not at_once:
            await asyncio.sleep(ready - loop.time())
        done, _ = await asyncio.wait([thought], timeout=max(ready - loop.time(), 0.05))
        if done and thought.exception() is None:
            return thought.result()
        if done:  # a bot that fails must not stop a match of people
            _log.error("The bot %s failed at %s.", bot, live.row.game, exc_info=thought.exception())
        return decide_run(live.match, seat, QUICK)
