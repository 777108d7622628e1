"""Deciding: a decision is played on a copy of the match, stored, and only then published."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from tacit.core.errors import IllegalDecision
from tacit.core.messages import Message
from tacit.server import logs
from tacit.server.deals import Deals
from tacit.server.deciders import Attempt, Decision
from tacit.server.errors import refuse
from tacit.server.live_table import LiveTable
from tacit.server.metrics import Metrics
from tacit.server.news import of_step
from tacit.server.seating import need_running
from tacit.server.store import Conflict, Store
from tacit.server.table_chat import MAX_CONFLICTS
from tacit.server.tasks import Tasks

Answer = Callable[[bool | Exception], None]  # as `decide` returns it, or why it was refused or broke


class Deciding(Tasks):
    """Decides at the tables of this process. `catch_up` loads and publishes what others stored."""

    def __init__(
        self, store: Store, deals: Deals, metrics: Metrics, update_bots: Callable[[LiveTable], None],
        catch_up: Callable[[LiveTable], Awaitable[bool]],
    ) -> None:  # fmt: skip
        super().__init__()
        self.store, self.deals, self.metrics = store, deals, metrics
        self.update_bots, self.catch_up = update_bots, catch_up
        self._next: dict[str, list[Callable[[], None]]] = {}  # table where `decide_soon` stores -> who decides after it

    async def decide(self, table: LiveTable, decision: Decision) -> bool:
        """Store and publish a decision or a signal. If another was stored first, try again while the question is open.
        True if the same answer had been stored before.
        """
        began = time.perf_counter()
        seat, ask, decider = decision.seat, decision.ask, decision.decider
        async with table.lock:
            for _ in range(MAX_CONFLICTS):
                need_running(table)
                if ask is not None and ask != table.open_number(decision):
                    if table.answered.get((seat, ask)) == decision.texts:
                        return True
                    # Another process may have asked this question, and its note has not arrived yet.
                    if ask > table.asks[seat] and await self.catch_up(table):
                        continue
                    raise IllegalDecision(Message("core.undo.none")) if decision.undoes else refuse("act.stale")
                if decider.kind == "bot" and table.bot_for(seat) != decider.bot:
                    raise refuse("act.stale")  # the person is back
                attempt = table.attempt(decision)
                try:
                    await self.store.append(attempt.step, of_step(table, attempt))
                except Conflict:
                    await self.catch_up(table)
                    continue
                await self._take_over(table, attempt, decision, began)
                return False
        raise refuse("store.down", 503)

    def decide_soon(self, table: LiveTable, decision: Decision, answer: Answer) -> None:
        """The same without a task, for an open question. The caller holds the table's lock, which is released once the
        decision is published; then `answer` is told.
        """
        began = time.perf_counter()
        attempt = table.attempt(decision)
        news, stored = of_step(table, attempt), partial(self._stored, table, decision, attempt, answer, began)
        self._next[table.row.id] = []
        self.store.append_soon(attempt.step, news, stored)

    def _stored(
        self, table: LiveTable, decision: Decision, attempt: Attempt, answer: Answer, began: float, stored: Any
    ) -> None:  # fmt: skip
        """What `decide_soon` gave to the store is stored (True), or not: another was first, or it was refused."""
        if stored is not True or attempt.step.over:
            self.run_to_completion(self._decide_on(table, decision, attempt, answer, began, stored))
            return
        outcome: bool | Exception = False
        try:
            table.commit(attempt)
            self._publish(table, decision, began)
        except Exception as error:
            outcome = error
        self._release(table)
        answer(outcome)

    def after_this(self, table: LiveTable, decide: Callable[[], None]) -> bool:
        """Call `decide` once the decision that `decide_soon` is storing is published; False if there is none."""
        if table.row.id not in self._next:
            return False
        self._next[table.row.id].append(decide)
        return True

    def _release(self, table: LiveTable) -> None:
        """A decision of `decide_soon` is published, or was not stored: whoever waited for it is next."""
        table.lock.release()
        for decide in self._next.pop(table.row.id, ()):
            decide()

    async def _decide_on(
        self, table: LiveTable, decision: Decision, attempt: Attempt, answer: Answer, began: float, stored: Any
    ) -> None:  # fmt: skip
        """The same where that takes longer: at the end of a match, and if it was not stored."""
        outcome: bool | Exception = stored if isinstance(stored, Exception) else False
        try:
            try:
                if stored is True:
                    await self._take_over(table, attempt, decision, began)
            finally:
                self._release(table)
            if stored is False:
                outcome = await self.decide(table, decision)
        except Exception as error:
            outcome = error
        answer(outcome)

    async def _take_over(self, table: LiveTable, attempt: Attempt, decision: Decision, began: float) -> None:
        """A decision is stored: make it the match, and publish it."""
        table.commit(attempt)
        if table.over:
            await self.deals.prepare(table)
            logs.note("match.over", table=logs.mark(table.row.id), game=table.row.game)
        self._publish(table, decision, began)

    def _publish(self, table: LiveTable, decision: Decision, began: float) -> None:
        self.metrics.stored.observe(time.perf_counter() - began)
        if table.over:
            table.publish()
        else:
            table.publish_views(decision.seat)
        self.update_bots(table)
        self.metrics.published.observe(time.perf_counter() - began)
        (self.metrics.bot if decision.decider.kind == "bot" else self.metrics.person).inc()
