"""A live table: its match in memory, and its subscribers.

The match is replayed from the stored steps and can be dropped at any time. What a subscriber is sent comes from
`Match.see` of its own seat and from who sits where. It is sent only if it changed, so that traffic tells nothing.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from typing import Any

import msgspec

from tacit.core.chance import Chance, System
from tacit.core.compiled_match import playing
from tacit.core.errors import TacitError
from tacit.core.game import Game
from tacit.core.keyed_chance import Beginning, DealChance, MatchChance, stirred_key
from tacit.core.match import Match
from tacit.core.registry import game_named
from tacit.core.seat_view import Sight
from tacit.server import faults, protocol
from tacit.server.attempts import attempt_result, chance_tags, seat_tags, stirred
from tacit.server.clocks import Clock
from tacit.server.config import Config
from tacit.server.deal_rows import DealRow
from tacit.server.deal_secrets import DealSecrets
from tacit.server.deciders import CLIENTS, UNKNOWN_CLIENT, Attempt, Decider, Decision, Ledger
from tacit.server.errors import RequestRefused, refuse
from tacit.server.hints import MAX_HINTS
from tacit.server.keys import person_of, same
from tacit.server.models import ChatRow, RoomRow, Step, TableRow
from tacit.server.presence import Presence
from tacit.server.protocol import Span
from tacit.server.races import is_race
from tacit.server.subscriber import Subscriber, encode
from tacit.server.table_info import offers_of, table_info, tellings_of
from tacit.server.watching import DelayedMatch, as_spectator, room_event, shown_lines

Own = tuple[list[Any], bool, dict[str, str], int | None, bool]  # the last fields of `Seen`: what only a seat is told
NOTHING: Own = ([], False, {}, None, False)  # what a spectator is told of that, and most seats are
# A seat's open question, until when bots wait, with whose eyes a spectator sees, and what only this seat is told.
Asked = tuple[int | None, float | None, int | None, Own]


class LiveTable:
    """One table in this process."""

    # What few tables have stands here: with more than thirty attributes of its own an object takes 1.5 KB more.
    deal: DealRow | None = None  # that it plays
    deals: int | None = None  # how many the duplicate match of the deal has
    beginning: Beginning | None = None  # of a challenge: what chance did in the match it was made of
    counts: tuple[bool, str | None] | None = None  # does this attempt on the deal count, and why not
    lookers: Set[str] = frozenset()  # who is already noted as having seen these cards
    left_keys: Set[str] = frozenset()  # hashes of keys whose people left by themselves: they may go on watching
    chat: Sequence[ChatRow] = ()  # its last lines; replaced, too
    declined: Mapping[int, int] = {}  # seat -> the race's question that it declined; replaced, never stored or sent
    room: RoomRow | None = None  # where people look at the match together, once it is over

    def __init__(self, row: TableRow, config: Config, secrets: DealSecrets | None = None) -> None:
        self.grace, self.race = config.grace, config.race
        self.secrets = secrets or DealSecrets({})
        self.game = game_named(row.game)
        self.silent = self.is_silent(self.game)
        self.match: Match | None = None
        self._match_over = False
        self._key: tuple[TableRow, bytes | None] | None = None  # a row, and its match's key with what was stirred in
        self._chance: MatchChance | None = None
        self.views: dict[int | None, Sight] = {}  # of each seat, and of a spectator (None) if allowed
        self.sequence = 0  # of the last step in memory; never sent to anyone
        seats = len(row.seats)
        self.asks = [0] * seats  # the number of each seat's question
        self.answers = [0] * seats  # how many questions each seat has answered
        self.clock = Clock(row)
        self.set_row(row)
        self.ledger = Ledger()  # who made each line of the record
        self.delayed = DelayedMatch()
        self.answered: dict[tuple[int, int], list[str]] = {}  # (seat, ask) -> its answer
        self._racing: bool | None = None  # cache of `racing`
        self.avoided: Callable[[str | None], Set[str]] = lambda _: frozenset()  # whom a person does not want to meet
        self.may_have_channel: Callable[[str], bool] = bool  # may a person want notices?
        self.subscribers: set[Subscriber] = set()
        self.presence = Presence(seats, self.subscribers)
        self.touched = time.monotonic()  # when it was last used
        self.address = ""  # of its first visitor: whose share of thinking time and lobby it uses
        self.lock = asyncio.Lock()  # one change at a time
        self._table: dict[bool, tuple[TableRow, Any, bytes]] = {}  # cache of `table`

    @staticmethod
    def is_silent(game: Game) -> bool:
        """Do the rules of this game forbid talking?"""
        return game.silent

    # -------------------------------------------------------------- the match in memory
    def trouble(self) -> RequestRefused | None:
        """Why this match can be neither played nor shown: its rules version is unknown here. None if it can."""
        if self.row.phase == "gathering" or self.row.rules_version in self.game.rules_versions:
            return None
        known = ", ".join(str(version) for version in self.game.rules_versions)
        return refuse("table.rules", 409, given=self.row.rules_version, game=self.game.title, known=known)

    def replay(self, row: TableRow, steps: Iterable[Step]) -> None:
        """Catch up with what is stored."""
        self.set_row(row)
        match = self.match
        if self.trouble():
            return
        for step in steps:
            try:
                if match is None:
                    version = row.rules_version
                    match = Match(self.game, len(row.seats), row.options, settle=False, rules_version=version)
                elif match is self.match:
                    match = match.copy()
                for line in step.lines:
                    match.replay(line)
            except TacitError as error:
                faults.note("reading a stored record", error)  # the reason may name a card: it is not sent
                raise refuse("table.record") from None
            self._count(step)
        if match is not None and match is not self.match:
            self._set_match(match, self._see_all(match), match.over)

    def set_row(self, row: TableRow) -> None:
        """The table's row was stored, or read."""
        self.row = self.clock.row = row
        # Can decisions be made: is the match neither paused nor ended before its time?
        self.running = row.ended is None and self.clock.paused is None
        # Are there jobs for bot_seats.py: bots, clocks or prepared answers?
        self.driven = row.clock is not None or any(one.bot_now or one.prepared is not None for one in row.seats)
        # Is a seat told nothing of its own beside its question, as mostly?
        told = self.driven or row.aids != "none" or any(one.wishes or one.contributes for one in row.seats)
        self.plain = not told

    def _set_match(self, match: Match, views: dict[int | None, Sight], over: bool) -> None:
        self.match, self.views, self._racing, self._match_over = match, views, None, over

    def _see_all(self, match: Match) -> dict[int | None, Sight]:
        """What every seat, and a spectator if allowed, sees of a match that came of the table's."""
        eyes: list[int | None] = [*range(match.seats)]
        if self.row.spectators in ("public", "seat") or (self.row.spectators != "none" and match.over):
            eyes.append(None)
        before, views, new = self.match, dict[int | None, Sight](), list[int | None]()
        for seat in eyes:
            if before is not None and seat in self.views and not match.is_news(seat, before):
                views[seat] = self.views[seat]
            else:
                new.append(seat)
        views.update(match.sights(new))
        return views

    def _count(self, step: Step) -> None:
        """Take over a stored step's numbers, its answer and its decider."""
        self.clock.count(step, self.asks, len(texts := step.texts))
        self.asks, self.sequence = list(step.asks), step.sequence
        if step.seat is not None and step.ask is not None:
            self.answered[step.seat, step.ask] = texts
            self.answers[step.seat] += 1
        self.ledger.add(step, None if step.seat is None else self.row.seats[step.seat].bot)

    @property
    def played(self) -> list[list[Span]]:
        """Who decided for each seat; sent once the match is over."""
        return self.ledger.played(len(self.row.seats))

    def chance(self, match: Match, row: TableRow | None = None) -> Chance:
        """What decides for chance in this match: the deal, or a key that nobody else has; without one the system."""
        row = row or self.row
        if self.deal is not None:
            return DealChance(self.secrets.deal_key(self.deal.epoch, self.deal.id)[0], match, self.beginning)
        if row.deal is not None:
            raise refuse("deal.unknown", 404)
        if self._key is None or self._key[0] is not row:
            own = self.match_key()
            self._key = (row, None if own is None else stirred_key(own, stirred(row)))
        key = self._key[1]
        if key is None:
            return System()
        if self._chance is None or self._chance.key != key:
            self._chance = MatchChance(key, match)
        self._chance.follow(match)  # it goes on from where the copy before it was
        return self._chance

    def match_key(self) -> bytes | None:
        """What the commitment of a match without a deal is made to."""
        return self.secrets.match_key(self.row.epoch, self.row.id, self.row.salt)

    def first(self, row: TableRow) -> Attempt:
        """Begin the match of a row: chance deals. A branch begins with the lines of the match it came from."""
        match = playing(Match(self.game, len(row.seats), row.options, settle=False, rules_version=row.rules_version))
        for seat in range(match.seats):
            match.hearing(seat)  # from the beginning on: later it would be dealt again for each
        for line in (row.branched or {}).get("lines", []):
            match.replay(line)
        match.source = self.chance(match, row)
        match.settle()
        asks, now = [1] * match.seats, time.time()
        step = Step(row.id, 1, list(match.lines), asks, over=match.over, at=now, due=match.due_bits)
        return Attempt(match, step, self._see_all(match))

    def attempt(self, decision: Decision) -> Attempt:
        """Play a decision on a copy, and chance after it. Raises IllegalDecision."""
        assert self.match is not None
        match = playing(self.match)
        decision.play(match)
        if match.due_bits == 0 and not match.over:
            match.source = self.chance(match)
            match.settle()
        views = self._see_all(match)
        seat, ask, before = decision.seat, decision.ask, self.views
        answering = seat if ask is not None else None
        asks = [n + (q == answering or not before[q].asks_as(views[q])) for q, n in enumerate(self.asks)]
        lines = match.lines[len(self.match.lines) :]
        if decision.undoes:
            lines = [f"- {seat} {self.match.undoable(seat)}"]
        number, due = self.sequence + 1, match.due_bits
        over = due == 0  # for chance is not due
        step = Step(self.row.id, number, lines, asks, seat, ask, over, time.time(), "", due, str(decision.decider))
        if over:
            ledger = Ledger(self.ledger.lines)
            ledger.add(step, self.row.seats[seat].bot)
            step.ended = attempt_result(match, self.row, ledger.played(match.seats))
        return Attempt(match, step, views)

    def commit(self, attempt: Attempt) -> None:
        """The attempt is stored: make it the match."""
        self._set_match(attempt.match, attempt.views, attempt.step.over)
        self._count(attempt.step)
        if attempt.step.over:
            self.row.phase = "over"

    # -------------------------------------------------------------- who may see what
    def seat_of(self, key_hash: str | None) -> int | None:
        """The seat a key opens. Every seat is compared, whichever fits: the time tells nothing."""
        found = None
        for q, seat_row in enumerate(self.row.seats):
            if key_hash is not None and same(key_hash, seat_row.key_hash):
                found = q
        return found

    def is_maker(self, key_hash: str | None) -> bool:
        return key_hash is not None and same(key_hash, self.row.maker_hash)

    @property
    def may_chat(self) -> bool:
        """Silence is for the match: before it and after it people may chat in every game."""
        return not self.silent or self.phase != "playing"

    @property
    def over(self) -> bool:
        return self.row.phase == "over" or self._match_over

    @property
    def phase(self) -> protocol.Phase:
        return "over" if self.over else self.row.phase

    def view(self, seat: int | None) -> Sight | None:
        """What a seat sees now; a spectator (None) only where the table has them, and as it has them."""
        if seat is not None:
            return self.views.get(seat)
        if not self.has_spectators:
            return None
        if self.is_delayed:
            if self.match is None:
                return None
            return self.delayed.view(self.match, shown_lines(self.match, self.row, self.ledger, self.sequence))
        return as_spectator(self.views[self.eyes]) if self.eyes is not None and self.views else self.views.get(None)

    @property
    def has_spectators(self) -> bool:
        return self.row.spectators not in ("none", "after") or (self.row.spectators == "after" and self.over)

    @property
    def is_delayed(self) -> bool:
        """Do spectators see the match later than it is played? Once it is over there is nothing to wait for."""
        return self.row.spectators == "delayed" and not self.over

    @property
    def eyes(self) -> int | None:
        """The seat with whose eyes spectators see: one that lends them."""
        if self.row.spectators != "seat" or self.over:
            return None
        return next((q for q, seat_row in enumerate(self.row.seats) if seat_row.lent), None)

    def open_ask(self, seat: int | None) -> int | None:
        """The number of a seat's open question; None if it has none."""
        view = self.views.get(seat)
        return self.asks[seat] if view is not None and view.legal and seat is not None and self.running else None

    def undo_ask(self, seat: int) -> int | None:
        """The number with which a seat takes back its last decision; None if it cannot, or its time is over."""
        if seat not in self.views or self.views[seat].undo is None or not self.running or self.clock.is_late(seat):
            return None
        return self.asks[seat]

    def open_number(self, decision: Decision) -> int | None:
        """The number that a decision must name now."""
        return self.undo_ask(decision.seat) if decision.undoes else self.open_ask(decision.seat)

    # -------------------------------------------------------------- who decides, and by when
    @property
    def racing(self) -> bool:
        """Does the first seat to act take the question from the others?"""
        if self._racing is None:
            self._racing = self.match is not None and is_race(self.match)
        return self._racing

    def race_until(self, seat: int | None) -> float | None:
        """Until when the bots leave a race to this seat (wall time); None where they do not."""
        if not self.driven or seat is None or not self._has_precedence(seat):
            return None
        return self.clock.opened[seat].wall + self.race

    def race_left(self) -> float:
        """Seconds for which the bots leave a race to people."""
        left = (self.race - self.clock.opened[q].ago() for q in range(len(self.row.seats)) if self._has_precedence(q))
        return max(0.0, max(left, default=0.0))

    def _has_precedence(self, seat: int) -> bool:
        """Do bots leave a race to this seat? Depends on public facts, and on whether this seat declined."""
        if not self.bots_race or self.declined.get(seat) == self.asks[seat]:
            return False
        row = self.row.seats[seat]
        is_person = row.kind == "person" and row.client != "program" and not row.left and row.bot_now is None
        return is_person and self.open_ask(seat) is not None

    @property
    def bots_race(self) -> bool:
        """Is there a race in which a bot takes part?"""
        return self.match is not None and any(self.bot_for(q) is not None for q in self.match.due) and self.racing

    def decider(self, seat: int) -> Decider:
        """Who decides for a seat when its own client does."""
        return CLIENTS.get(self.row.seats[seat].client, UNKNOWN_CLIENT)

    def is_prepared(self, seat: int | None) -> bool:
        """Does the server answer this seat's next question, if only one decision is possible then?"""
        if seat is None or self.row.seats[seat].prepared != self.answers[seat] or self.over:
            return False
        return self.open_ask(seat) is None or self.is_forced(seat)

    def is_forced(self, seat: int) -> bool:
        """Has a seat one decision only, and no choice to leave it to others?"""
        return self.open_ask(seat) is not None and len(self.views[seat].legal) == 1 and not self.racing

    def bot_for(self, seat: int) -> str | None:
        """The bot that decides for a seat now; None if a client does."""
        return self.row.seats[seat].bot_now

    def is_present(self, key_hash: str) -> bool:
        """Is the person with this key connected, and has not left?"""
        seat = self.seat_of(key_hash)
        if seat is not None:
            return not self.row.seats[seat].left and self.presence.is_present(seat)
        return any(subscriber.key_hash == key_hash for subscriber in self.subscribers)

    def absence_left(self, seat: int) -> float:
        """Seconds until the person on a seat counts as away for long; infinite while they are here."""
        self.presence.update()
        since = self.presence.away_since[seat]
        return math.inf if since is None else self.grace - since.ago()

    def is_stale(self) -> bool:
        """Is there something to publish because time has passed: who went, what delayed spectators may see by now?"""
        return self.presence.is_stale() or (self.is_delayed and self.row.delay_minutes is not None)

    # -------------------------------------------------------------- publishing
    def publish(self) -> None:
        """Send every subscriber what is new to it."""
        self.touched = time.monotonic()
        for subscriber in [one for one in self.subscribers if one.row is not self.row]:
            self._find_seat(subscriber)
        self.presence.update()
        changing = (self.phase, self.counts, *self.presence.away_since)
        for subscriber in self.subscribers:
            subscriber.send_table(self.table(subscriber.seat is not None, changing))
            self.publish_view(subscriber)
            if self.chat:
                self._publish_chat(subscriber)
            if self.room is not None and self.over and (subscriber.seat is not None or self.has_spectators):
                subscriber.send_room(encode(room_event(self.room, self.row)))

    def _find_seat(self, subscriber: Subscriber) -> None:
        """The table's row changed: look up the subscriber's seat again, and remove it if it has lost its seat."""
        subscriber.row = self.row
        seat, maker = self.seat_of(subscriber.key_hash), self.is_maker(subscriber.key_hash)
        if seat != subscriber.seat:
            subscriber.seat = seat
            subscriber.forget_view()
            if subscriber.key_hash in self.left_keys:
                subscriber.key_hash = None
            elif seat is None and not maker:
                subscriber.send_removed(refuse("removed"))
                self.subscribers.discard(subscriber)
                return
        subscriber.send_welcome(seat, maker)

    def publish_views(self, seat: int) -> None:
        """The same after a decision of a seat that does not end the match; whoever made it is told first."""
        self.touched = time.monotonic()
        for subscriber in self.subscribers:
            if subscriber.seat == seat:
                self.publish_view(subscriber)
        for subscriber in self.subscribers:
            if subscriber.seat != seat:
                self.publish_view(subscriber)

    def publish_view(self, subscriber: Subscriber) -> None:
        """Send what its seat sees, if that changed; of the lines heard, only new ones."""
        seat = subscriber.seat
        if (view := self.view(seat)) is None:
            return
        asked = self._asked(seat)
        if asked == subscriber.asked and view == subscriber.view:
            return
        keep = subscriber.lines_kept(view.heard)
        subscriber.view, subscriber.asked = view, asked
        subscriber.send(encode(self._seen(seat, view, keep, asked)))

    def _asked(self, seat: int | None) -> Asked:
        """What `seen` has beside the view, as far as a change of it is sent."""
        if seat is None:
            return None, None, self.eyes, NOTHING
        if self.plain:
            return self.open_ask(seat), None, None, NOTHING
        return self.open_ask(seat), self.race_until(seat) if self.driven else None, None, self._own(seat)

    def _publish_chat(self, subscriber: Subscriber) -> None:
        if subscriber.seat is None:
            return
        own = self.row.seats[subscriber.seat]
        avoided = self.avoided(own.player)
        hidden = {*own.muted, *(person_of(one.key_hash or "") for one in self.row.seats if one.player in avoided)}
        for line in self.chat:
            if line.number > subscriber.chat_number:
                subscriber.chat_number = line.number
                if line.person not in hidden:
                    subscriber.send(encode(protocol.Said(**msgspec.structs.asdict(line))))

    def remove_all(self, reason: RequestRefused) -> None:
        """The table is closed: tell all subscribers, and drop them."""
        for subscriber in list(self.subscribers):
            subscriber.send_removed(reason)
        self.subscribers.clear()

    def _own(self, seat: int) -> Own:
        """What only the person on a seat is told: what they would agree to, whether they prepared an answer, their
        notes, how many hints they have left, and whether they contribute the match to a dataset.
        """
        row = self.row.seats[seat]
        hints_left = MAX_HINTS - len(row.hints or []) if self.row.aids == "hints" else None
        return row.wishes or [], self.is_prepared(seat), row.notes or {}, hints_left, row.contributes

    # -------------------------------------------------------------- messages
    def seen(self, seat: int | None, view: Sight, keep: int = 0) -> protocol.Seen:
        """The `seen` message, without the first `keep` lines heard."""
        return self._seen(seat, view, keep, self._asked(seat))

    def _seen(self, seat: int | None, view: Sight, keep: int, asked: Asked) -> protocol.Seen:
        ask, race_until, eyes, own = asked
        heard, offers, tellings = view.heard[keep:], offers_of(self.game), tellings_of(self.game)
        undo = self.undo_ask(seat) if seat is not None and view.undo is not None else None
        legal, signals = (view.legal, view.signals) if self.running else ([], [])
        return protocol.Seen(  # by place, in the order of the fields: by name it would take six times as long
            seat,
            ask,
            view.view,
            legal,
            [offers[text] for text in legal],
            signals,
            [offers[text] for text in signals],
            keep,
            heard,
            [tellings[line] for line in heard],
            self.clock.deadline(seat) if self.row.clock is not None and ask is not None and seat is not None else None,
            undo,
            offers[view.undo] if undo is not None and view.undo is not None else None,
            eyes,
            self.delayed.views if seat is None and self.is_delayed else None,
            race_until,
            self.clock.reserves[seat] if seat is not None and self.row.reserve else None,
            *own,
        )

    def table(self, seated: bool, changing: tuple[object, ...]) -> bytes:
        """`table_info` encoded; cached while the row and what is `changing` beside it stay as they are."""
        if (told := self._table.get(seated)) is None or told[0] is not self.row or told[1] != changing:
            told = self._table[seated] = (self.row, changing, encode(table_info(self, seated)))
        return told[2]

    # -------------------------------------------------------------- the record
    def record(self) -> str:
        """The whole record with its tags. Refused before the match is over."""
        if trouble := self.trouble():
            raise trouble
        if self.match is None or not self.over:
            raise refuse("record.not-over")
        return self.text()

    def text(self, names: bool = True) -> str:
        """The record so far. It holds every secret: only for the server's host."""
        if self.match is None:
            raise refuse("phase.not-started")
        match = self.match.copy()
        chance = chance_tags(self.row, self.deal, self.match_key(), match.over)
        match.tags = seat_tags(self.row, self.played, names) | chance
        return str(match)
