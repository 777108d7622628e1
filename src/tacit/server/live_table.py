"""A live table: the cache over its record, and everyone who listens.

The state here is a replay of the stored steps and can be thrown away at any time. What a listener is told is computed
from `Match.see` of its own seat and from who sits where; nothing is sent to a listener for whom nothing changed, so
that nothing can be read from the traffic either.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable, Iterable
from typing import Any

import msgspec

import tacit
from tacit.core.errors import TacitError
from tacit.core.game import Game
from tacit.core.match import Match
from tacit.core.match import Seen as Sight
from tacit.core.messages import Message
from tacit.core.registry import game_named
from tacit.server import faults, protocol
from tacit.server.config import Config
from tacit.server.deciders import Decider, extend, write_tag
from tacit.server.errors import RequestRefused, refuse
from tacit.server.keys import person_of, same
from tacit.server.models import ChatRow, Step, TableRow
from tacit.server.protocol import PROTOCOL, Removed, SeatInfo, Seen, Span, Welcome
from tacit.server.races import is_race

encode = msgspec.json.Encoder().encode
POLLED_HERE = 30.0  # seconds that someone who asks over HTTP counts as here


class Moment(msgspec.Struct, frozen=True):
    """When something began: by the clock on the wall, which is told, and by one that never jumps, to wait by."""

    wall: float  # seconds since 1970
    steady: float  # time.monotonic

    @classmethod
    def now(cls) -> Moment:
        return cls(time.time(), time.monotonic())

    def ago(self) -> float:
        """Seconds since then, however the clock on the wall was set meanwhile."""
        return time.monotonic() - self.steady


class Subscriber:
    """Someone who is told what happens: one socket, or one HTTP request that waits."""

    def __init__(self, key_hash: str | None, seat: int | None, send: Callable[[bytes], None]) -> None:
        self.key_hash, self.seat, self.send = key_hash, seat, send
        self.place: tuple[int | None, bool] | None = None  # the seat and whether it is the maker's, as it was told
        self.row: TableRow | None = None  # by which that was looked up
        self.notice: Message | None = None  # what is said about it
        self.sight: Sight | None = None
        self.ask: int | None = None
        self.race: float | None = None
        self.table = b""
        self.said = 0
        self.gone = False

    def tell_place(self, seat: int | None, maker: bool) -> None:
        """Say which seat this is, at the beginning and when it became another or the maker's."""
        if (seat, maker) != self.place:
            self.place = (seat, maker)
            self.sight, self.ask = None, None  # after a welcome everything is told anew
            welcome = Welcome(
                protocol=PROTOCOL, software=tacit.__version__, seat=seat, maker=maker, notice=self.notice
            )  # fmt: skip
            self.send(encode(welcome))

    def tell_table(self, table: bytes) -> None:
        if table != self.table:
            self.table = table
            self.send(table)

    def tell_sight(self, live: LiveTable) -> None:
        """Send what this seat sees, if that changed; of what was heard, only what is new."""
        sight = live.sight(self.seat)
        ask, race = live.open_ask(self.seat), live.race_until(self.seat)
        if sight is None or (ask == self.ask and race == self.race and sight == self.sight):
            return
        before = self.sight.heard if self.sight is not None else []
        keep = len(before)
        if sight.heard[:keep] != before:  # a curtain fell: seldom, so only then it is looked at line by line
            same = (i for i, (old, new) in enumerate(zip(before, sight.heard, strict=False)) if old != new)
            keep = next(same, min(len(before), len(sight.heard)))
        self.sight, self.ask, self.race = sight, ask, race
        self.send(encode(live.message(self.seat, sight, keep)))


class Attempt(msgspec.Struct):
    """A decision tried on a copy: nobody knows of it before it is stored."""

    match: Match
    step: Step
    sights: dict[int | None, Sight]


class LiveTable:
    """One table in this process."""

    def __init__(self, row: TableRow, config: Config) -> None:
        self.row, self.grace, self.race = row, config.grace, config.race
        self.game = game_named(row.game)
        self.silent = self.is_silent(self.game)
        self.match: Match | None = None
        self.sights: dict[int | None, Sight] = {}
        self.sequence = 0  # of the last step in the cache; never told to anyone
        seats = len(row.chairs)
        self.asks = [0] * seats
        self.opened = [Moment.now()] * seats  # when each seat's question came up, here
        self.played: list[list[Span]] = [[] for _ in range(seats)]  # who decided for each seat; told once it is over
        self.noted = 0  # lines of the record in the cache
        self.answered: dict[tuple[int, int], list[str]] = {}
        self.racing = False  # the first seat to act takes the question from the others
        self.declined: dict[int, int] = {}  # seat -> the question it left to others; in memory alone, told to nobody
        self.said: list[ChatRow] = []
        self.gave_up: set[str] = set()  # hashes of keys whose people left by themselves: they need not be sent away
        self.listeners: set[Subscriber] = set()
        self.polled = [-math.inf] * seats  # until when, by time.monotonic; so do other processes vouch
        self.elsewhere: list[dict[str, float]] = [{} for _ in range(seats)]  # process -> until when it vouches
        self.away_since: list[Moment | None] = [Moment.now()] * seats
        self.touched = time.monotonic()
        self.address = ""  # of the first who came here: whose share it takes from what all share
        self.lock = asyncio.Lock()  # one change at a time
        self._table: tuple[TableRow, Any, bytes] | None = None

    @staticmethod
    def is_silent(game: Game) -> bool:
        """Is this game played in silence? Where it is, that is a rule, and the game says so."""
        return bool(getattr(getattr(game.module, "model", game.module), "SILENT", False))

    # -------------------------------------------------------------- the cache
    def trouble(self) -> RequestRefused | None:
        """Why this match can be neither played nor shown here: its rules version is not known. None if it can."""
        if self.row.phase == "gathering" or self.row.rules_version in self.game.rules_versions:
            return None
        known = ", ".join(str(version) for version in self.game.rules_versions)
        return refuse("table.rules", 409, given=self.row.rules_version, game=self.game.title, known=known)

    def take(self, row: TableRow, steps: Iterable[Step]) -> None:
        """Catch up with what is stored."""
        self.row = row
        match = self.match
        if self.trouble():
            return
        for step in steps:
            try:
                if match is None:
                    version = row.rules_version
                    match = Match(self.game, len(row.chairs), row.options, settle=False, rules_version=version)
                elif match is self.match:
                    match = match.copy()
                for line in step.lines:
                    match.replay(line)
            except TacitError as error:
                faults.note("reading a stored record", error)  # why, may name a card: it is told to nobody
                raise refuse("table.record") from None
            self._note(step)
        if match is not None and match is not self.match:
            self.match, self.sights, self.racing = match, self.see_all(match), is_race(match)

    def see_all(self, match: Match) -> dict[int | None, Sight]:
        """What every seat sees, and a spectator where there may be one."""
        eyes: list[int | None] = [*range(match.seats)]
        if self.row.spectators == "public" or (self.row.spectators == "after" and match.over):
            eyes.append(None)
        return {seat: match.see(seat) for seat in eyes}

    def _note(self, step: Step) -> None:
        now = Moment.now()
        self.opened = [
            now if new != old else at for new, old, at in zip(step.asks, self.asks, self.opened, strict=True)
        ]
        self.asks, self.sequence = list(step.asks), step.sequence
        self._note_decider(step)
        if step.seat is not None and step.ask is not None:
            texts = [line.partition(" ")[2] for line in step.lines if line.partition(" ")[0] == str(step.seat)]
            self.answered[step.seat, step.ask] = texts

    def _note_decider(self, step: Step) -> None:
        before, self.noted = self.noted, self.noted + len(step.lines)
        if step.seat is None:
            return
        decider = Decider.read(step.decider or "")
        if decider is None:  # written before this was kept: of people nobody knows, of a bot's seat everybody
            bot = self.row.chairs[step.seat].bot
            decider = Decider("bot", bot) if bot else None
        if decider is not None:
            own = (f"{step.seat} ", f"! {step.seat} ")
            numbers = [before + i for i, line in enumerate(step.lines, 1) if line.startswith(own)]
            self.played[step.seat] = extend(self.played[step.seat], decider, numbers)

    def first(self) -> Attempt:
        """The match begins, under the newest rules: chance deals."""
        match = Match(self.game, len(self.row.chairs), self.row.options)
        sights = self.see_all(match)
        step = Step(self.row.id, 1, list(match.lines), [1] * match.seats, over=match.over, due=_due(match))
        return Attempt(match, step, sights)

    def attempt(self, seat: int, ask: int | None, play: Callable[[Match], None], decider: Decider) -> Attempt:
        """Play on a copy and let chance act; IllegalDecision if it is not allowed."""
        assert self.match is not None
        match = self.match.copy()
        play(match)
        match.settle()
        sights = self.see_all(match)
        decided = seat if ask is not None else None
        asks = [n + (q == decided or question(self.sights[q]) != question(sights[q])) for q, n in enumerate(self.asks)]
        lines = match.lines[len(self.match.lines) :]
        step = Step(
            self.row.id, self.sequence + 1, lines, asks, seat, ask, match.over, due=_due(match), decider=str(decider)
        )  # fmt: skip
        return Attempt(match, step, sights)

    def advance(self, attempt: Attempt) -> None:
        """The attempt is stored: it happened."""
        self.match, self.sights, self.racing = attempt.match, attempt.sights, is_race(attempt.match)
        self._note(attempt.step)
        if attempt.step.over:
            self.row.phase = "over"

    # -------------------------------------------------------------- who may see what
    def seat_of(self, key_hash: str | None) -> int | None:
        """The seat a key opens. Every seat is compared, whichever fits."""
        found = None
        for q, chair in enumerate(self.row.chairs):
            if key_hash is not None and same(key_hash, chair.key_hash):
                found = q
        return found

    def is_maker(self, key_hash: str | None) -> bool:
        return key_hash is not None and same(key_hash, self.row.maker_hash)

    @property
    def chatting(self) -> bool:
        """May people talk now? Silence is for the match: before it and after it they may in every game."""
        return not self.silent or self.phase != "playing"

    @property
    def over(self) -> bool:
        return self.row.phase == "over" or (self.match is not None and self.match.over)

    @property
    def phase(self) -> protocol.Phase:
        return "over" if self.over else self.row.phase

    def sight(self, seat: int | None) -> Sight | None:
        """What a listener may see now; a spectator only where the table has them."""
        if seat is None and not self.watchable:
            return None
        return self.sights.get(seat)

    @property
    def watchable(self) -> bool:
        return self.row.spectators == "public" or (self.row.spectators == "after" and self.over)

    def open_ask(self, seat: int | None) -> int | None:
        """The number of a seat's open decision."""
        if seat is None or seat not in self.sights or not self.sights[seat].legal:
            return None
        return self.asks[seat]

    def deadline(self, seat: int | None) -> float | None:
        """When a decision is taken for a seat, where a clock runs."""
        if seat is None or self.row.clock is None or self.open_ask(seat) is None:
            return None
        return self.opened[seat].wall + self.row.clock

    def time_left(self, seat: int) -> float:
        """Seconds until a decision is taken for a seat; 0 where no clock runs."""
        return max(0.0, (self.row.clock or 0.0) - self.opened[seat].ago())

    def race_until(self, seat: int | None) -> float | None:
        """When the bots no longer wait for this seat in a race; None where they do not wait for it."""
        return self.opened[seat].wall + self.race if seat is not None and self._leads(seat) else None

    def race_left(self) -> float:
        """Seconds for which the bots still leave a race to people."""
        waits = (self.race - self.opened[q].ago() for q in range(len(self.row.chairs)) if self._leads(q))
        return max(0.0, max(waits, default=0.0))

    def _leads(self, seat: int) -> bool:
        """Do bots leave a race to this seat? Only what everybody may know counts, and whether it declined itself."""
        if not self.bots_race or self.declined.get(seat) == self.asks[seat]:
            return False
        chair = self.row.chairs[seat]
        person = chair.kind == "person" and chair.client != "program" and not chair.left and self.driver(seat) is None
        return person and self.open_ask(seat) is not None

    @property
    def bots_race(self) -> bool:
        """Is there a race in which a bot takes part?"""
        return self.racing and self.match is not None and any(self.driver(q) is not None for q in self.match.due)

    def decider(self, seat: int) -> Decider:
        """Who decides for a seat when its own client does."""
        client = self.row.chairs[seat].client
        return Decider("person" if client == "person" else "program" if client == "program" else "client")

    def driver(self, seat: int) -> str | None:
        """The bot that decides for a seat now, if one does."""
        chair = self.row.chairs[seat]
        return chair.bot if chair.kind == "bot" else chair.sitting_in

    # -------------------------------------------------------------- who is here
    def here(self, seat: int) -> bool:
        for listener in self.listeners:
            if listener.seat == seat:
                return True
        now = time.monotonic()
        return self.polled[seat] > now or any(until > now for until in self.elsewhere[seat].values())

    def is_here(self, key_hash: str) -> bool:
        """Is whoever has this key here, and has not left?"""
        seat = self.seat_of(key_hash)
        if seat is not None:
            return not self.row.chairs[seat].left and self.here(seat)
        return any(listener.key_hash == key_hash for listener in self.listeners)

    def connected(self) -> list[int]:
        """The seats whose people are connected to this process."""
        now = time.monotonic()
        local = {listener.seat for listener in self.listeners if listener.seat is not None}
        return sorted(local | {q for q, until in enumerate(self.polled) if until > now})

    def somebody_came_or_went(self) -> bool:
        """Is anybody here who was noted as away, or the other way round?"""
        return any(self.here(q) == (self.away_since[q] is not None) for q in range(len(self.row.chairs)))

    def look_round(self) -> None:
        """Note who came and who went."""
        for q in range(len(self.row.chairs)):
            if self.here(q):
                self.away_since[q] = None
            elif self.away_since[q] is None:
                self.away_since[q] = Moment.now()

    # -------------------------------------------------------------- telling
    def tell(self) -> None:
        """Tell every listener what is new to it."""
        self.touched = time.monotonic()
        for listener in [one for one in self.listeners if one.row is not self.row]:
            self._find_place(listener)
        self.look_round()
        table = self.table()
        for listener in self.listeners:
            listener.tell_table(table)
            listener.tell_sight(self)
            if self.said:
                self.tell_said(listener)

    def _find_place(self, listener: Subscriber) -> None:
        """Who sits where has changed: which seat is this listener's now?"""
        listener.row = self.row
        seat, maker = self.seat_of(listener.key_hash), self.is_maker(listener.key_hash)
        if seat != listener.seat:
            listener.seat, listener.sight, listener.ask = seat, None, None
            if listener.key_hash in self.gave_up:
                listener.key_hash = None
            elif seat is None and not maker:
                listener.gone = True
                listener.send(encode(_removed(refuse("removed"))))
                self.listeners.discard(listener)
                return
        listener.tell_place(seat, maker)

    def send_away(self, reason: RequestRefused) -> None:
        """The table is closed: everyone is told so, and goes."""
        for listener in list(self.listeners):
            listener.gone = True
            listener.send(encode(_removed(reason)))
        self.listeners.clear()

    def tell_said(self, listener: Subscriber) -> None:
        if listener.seat is None:
            return
        muted = self.row.chairs[listener.seat].muted
        for said in self.said:
            if said.number > listener.said:
                listener.said = said.number
                if said.person not in muted:
                    listener.send(encode(protocol.Said(**msgspec.structs.asdict(said))))

    def message(self, seat: int | None, sight: Sight, keep: int) -> Seen:
        rules = self.game.rules
        heard = sight.heard[keep:]
        return Seen(
            seat=seat,
            ask=self.open_ask(seat),
            view=sight.view,
            legal=sight.legal,
            offers=[rules.offer(text) for text in sight.legal],
            signals=sight.signals,
            signal_offers=[rules.offer(text) for text in sight.signals],
            keep=keep,
            heard=heard,
            told=[rules.tell(line) for line in heard],
            deadline=self.deadline(seat),
            race_until=self.race_until(seat),
        )

    def previewed(self, sight: Sight, known: int, id: int | None) -> protocol.Previewed:
        rules = self.game.rules
        heard = sight.heard[known:]
        return protocol.Previewed(
            view=sight.view,
            legal=sight.legal,
            offers=[rules.offer(text) for text in sight.legal],
            heard=heard,
            told=[rules.tell(line) for line in heard],
            id=id,
        )

    def table(self) -> bytes:
        """`info` on the wire; made again when something in it may have changed."""
        changing = (self.phase, *self.away_since)
        if self._table is None or self._table[0] is not self.row or self._table[1] != changing:
            self._table = (self.row, changing, encode(self.info()))
        return self._table[2]

    def info(self) -> protocol.Table:
        """Who sits at this table. Nothing of the match is in it before the match is over."""
        row = self.row
        return protocol.Table(
            table=row.id,
            game=row.game,
            options=row.options,
            phase=self.phase,
            seats=self.seat_infos(),
            visibility=row.visibility,
            spectators=row.spectators,
            clock=row.clock,
            silent=self.silent,
            grace=self.grace,
            next=row.next,
            result=self.match.result if self.match is not None and self.match.over else None,
        )

    def seat_infos(self) -> list[SeatInfo]:
        infos = []
        for q, chair in enumerate(self.row.chairs):
            person = chair.kind == "person"
            away = self.away_since[q] if person else None
            infos.append(
                SeatInfo(
                    kind=chair.kind,  # type: ignore[arg-type]
                    name=chair.name,
                    bot=chair.bot,
                    presence="left" if chair.left else "away" if away is not None else "here",
                    away_since=away.wall if away is not None else None,
                    sitting_in=chair.sitting_in,
                    agreed=chair.agreed,
                    client=chair.client,  # type: ignore[arg-type]
                    person=person_of(chair.key_hash) if chair.key_hash else None,
                    played=self.played[q] if self.over else [],
                )
            )
        return infos

    def finished(self) -> Match:
        """The match, once it is over: only then may more of it be told than a seat sees."""
        trouble = self.trouble()
        if trouble is not None:
            raise trouble
        if self.match is None or not self.match.over:
            raise refuse("record.not-over")
        return self.match

    def record(self) -> str:
        """The whole record, with who played; only for when the match is over."""
        self.finished()
        return self.text()

    def text(self, names: bool = True) -> str:
        """The record so far, whoever may not know it: for whoever runs the server."""
        if self.match is None:
            raise refuse("phase.not-started")
        match = self.match.copy()
        match.tags = {
            f"seat{q}": (chair.name if names else None) or chair.bot or "" for q, chair in enumerate(self.row.chairs)
        }
        match.tags |= {f"bot{q}": chair.bot for q, chair in enumerate(self.row.chairs) if chair.bot}
        match.tags |= {f"played{q}": write_tag(spans) for q, spans in enumerate(self.played) if spans}
        match.tags["date"] = time.strftime("%Y-%m-%d", time.gmtime(self.row.made))
        return str(match)


def _due(match: Match) -> int:
    """The seats that are due, a bit for each."""
    return sum(1 << seat for seat in match.due)


def _removed(reason: RequestRefused) -> Removed:
    return Removed(reason=reason.message, sentence=str(reason))


def question(sight: Sight) -> tuple[list[str], Any]:
    """What a seat is asked, from what it sees alone: so that its number tells nothing else."""
    ask = getattr(sight.view, "ask", None)
    return sight.legal, ask.code if isinstance(ask, Message) else None
