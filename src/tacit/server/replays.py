"""Replays of finished matches of this server, and of uploaded records.

A record is replayed once, with snapshots and with what each seat heard; any step is then quick to reach.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections import OrderedDict
from collections.abc import Callable
from typing import TypeVar

from tacit.core.errors import TacitError
from tacit.core.match import Match
from tacit.core.messages import Message
from tacit.server import protocol
from tacit.server.attempts import branched_by_record
from tacit.server.deciders import read_tag
from tacit.server.errors import RequestRefused, refuse
from tacit.server.lessons import previewed_by

T = TypeVar("T")
SNAPSHOT_EVERY = 16  # steps
MAX_CACHED = 24  # replays
MAX_CONCURRENT = 2  # replays made or read at once


class Replay:
    """One match: its snapshots, and what each viewer heard of each step."""

    def __init__(self, record: str) -> None:
        try:
            self.whole = Match.load(record)
        except TacitError as error:
            raise RequestRefused(error.message, 400) from error
        whole = self.whole
        match = Match(whole.game, whole.seats, whole.options, settle=False, rules_version=whole.rules_version)
        everyone: list[int | None] = [*range(whole.seats), None]
        self.told: dict[int | None, list[list[str]]] = {seat: [] for seat in everyone}
        for seat in everyone:
            match.hearing(seat)  # from here on the match and its copies keep what this seat hears
        self.snapshots = [match.copy()]
        for number, line in enumerate(whole.lines, 1):
            match.replay(line)
            for seat in everyone:
                self.told[seat].append(match.hearing(seat).last)
            if number % SNAPSHOT_EVERY == 0:
                self.snapshots.append(match.copy())
        self.told_openly = self._told_openly()

    def _told_openly(self) -> list[list[str]]:
        """The lines of each step for `open`: the step itself and its consequences, as the deciding seat heard them."""
        lines, told = self.whole.lines, []
        for number, line in enumerate(lines):
            who = _actor(line)
            heard = self.told[who][number]
            own = next((one for one in heard if one.startswith(line)), line)
            before = lines[max(0, number - 2 * self.whole.seats) : number]  # sealed choices are told again when opened
            told.append([own, *(one for one in heard if one != own and one not in before and not one.startswith("* "))])
        return told

    def seat(self, eyes: str) -> int | None:
        """The seat of a viewer; None for `public` and `open`."""
        if not eyes.isdecimal():
            return None
        if int(eyes) >= self.whole.seats:
            raise refuse("seat.unknown", 400, seat=int(eyes))
        return int(eyes)

    def at(self, eyes: str, step: int, decision: str | None = None) -> protocol.Replayed:
        """The table after a number of steps (or the last one); what a decision of this viewer's seat would have shown
        it then. Raises IllegalDecision.
        """
        whole, seat = self.whole, self.seat(eyes)
        step = min(step, len(whole.lines))
        match = self.snapshots[step // SNAPSHOT_EVERY].copy()
        for line in whole.lines[len(match.lines) : step]:
            match.replay(line)
        view = match.see(seat)
        heard = match.lines if eyes == "open" else view.heard
        previewed = None
        if decision is not None:
            if seat is None:
                raise refuse("replay.decision", 400)
            previewed = previewed_by(match, seat, [decision])
        return protocol.Replayed(
            eyes=eyes, step=step, steps=len(whole.lines), view=view.view, heard=heard, told=self._messages(heard),
            views=[match.see(q).view for q in range(match.seats)] if eyes == "open" else None, result=match.result,
            previewed=previewed,
        )  # fmt: skip

    def outline(self, eyes: str) -> protocol.Outline:
        """All steps, with what this viewer heard of each."""
        whole, seat = self.whole, self.seat(eyes)
        told = self.told_openly if eyes == "open" else self.told[seat]
        steps = []
        for line, lines in zip(whole.lines, told, strict=True):
            what: dict[str, protocol.What] = {"*": "chance", "!": "signal"}
            kind = what.get(line[0], "decision")
            steps.append(protocol.OutlineStep(who=_actor(line), what=kind, told=self._messages(lines)))
        tags = whole.tags
        return protocol.Outline(
            eyes=eyes, game=whole.game.name, rules_version=whole.rules_version, options=whole.options,
            seats=[
                protocol.OutlineSeat(
                    name=tags.get(f"seat{q}"), bot=tags.get(f"bot{q}"), played=read_tag(tags.get(f"played{q}", ""))
                )
                for q in range(whole.seats)
            ],
            date=tags.get("date"), steps=steps, result=whole.result, branched=branched_by_record(tags),
        )  # fmt: skip

    def _messages(self, lines: list[str]) -> list[Message]:
        return [self.whole.game.rules.tell(line) for line in lines]


class ReplayCache:
    """The replays used last. They are made and read in threads."""

    def __init__(self) -> None:
        self.cached: OrderedDict[str, Replay] = OrderedDict()
        self.slots = asyncio.Semaphore(MAX_CONCURRENT)

    def has(self, record: str) -> bool:
        return _digest(record) in self.cached

    async def match(self, record: str) -> Match:
        """The whole match, to be read only."""
        return await self._read(record, lambda replay: replay.whole)

    async def replayed(self, record: str, eyes: str, step: int, decision: str | None) -> protocol.Replayed:
        return await self._read(record, lambda replay: replay.at(eyes, step, decision))

    async def outline(self, record: str, eyes: str) -> protocol.Outline:
        return await self._read(record, lambda replay: replay.outline(eyes))

    async def _read(self, record: str, read: Callable[[Replay], T]) -> T:
        digest = _digest(record)
        async with self.slots:
            if digest not in self.cached:
                self.cached[digest] = await asyncio.to_thread(Replay, record)
                while len(self.cached) > MAX_CACHED:
                    self.cached.popitem(last=False)
            self.cached.move_to_end(digest)
            return await asyncio.to_thread(read, self.cached[digest])


def _actor(line: str) -> int | None:
    """The seat that made a step; None for chance."""
    first, second = line.split(" ")[:2]
    return None if first == "*" else int(second if first == "!" else first)


def _digest(record: str) -> str:
    return hashlib.sha256(record.encode(errors="surrogatepass")).hexdigest()
