"""What a person has played: matches, results by game and options, ratings, people; and all of it as one file."""

from __future__ import annotations

import hashlib
import math
import statistics
import time
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import msgspec
import sqlalchemy as sa

from tacit.core.game import OptionValue
from tacit.core.registry import game_named, game_names
from tacit.server.baselines import measure_of
from tacit.server.deals import DAY, streaks
from tacit.server.keys import person_of
from tacit.server.models import (
    attempts,
    channels,
    chat,
    devices,
    invitations,
    looks,
    passkeys,
    people,
    ratings,
    reach,
    results,
    seats,
    tables,
)
from tacit.server.people import People
from tacit.server.protocol import Aids, Phase
from tacit.server.ratings import PROVISIONAL, shown
from tacit.server.you_protocol import (
    PAGE,
    Acquaintance,
    Export,
    GameRecord,
    Invitation,
    MatchSeat,
    MyMatch,
    Rating,
)

MAX_PLAYED = 5_000  # matches that are looked at, the newest
MAX_PEOPLE = 200
MATCH = sa.select(
    tables.c.id, tables.c.game, tables.c.options, tables.c.phase, tables.c.made, tables.c.deal,
    (sa.func.coalesce(sa.cast(tables.c.branched, sa.Text), "null") != "null").label("branch"),  # JSON's null, too
    tables.c.aids, seats.c.seat, seats.c.name, seats.c.notes, seats.c.hints, results.c.finished, results.c.scores,
    results.c.result, results.c.by, results.c.baseline,
)  # fmt: skip

_counted = seats.alias("counted")
SEAT_COUNT = (
    sa.select(sa.func.count())
    .select_from(_counted)
    .where(_counted.c.table_id == tables.c.id)
    .correlate(tables)
    .scalar_subquery()
)


class Played(msgspec.Struct, frozen=True):
    """A match of a person."""

    id: str
    game: str
    options: dict[str, OptionValue]
    phase: Phase
    made: float
    deal: str | None
    branch: bool
    seat: int
    name: str | None
    aids: Aids = "none"
    notes: dict[str, str] | None = None
    hints: list[int] | None = None
    finished: float | None = None
    scores: list[int] | None = None
    result: Any = None
    by: list[str | None] | None = None
    baseline: int | None = None

    @property
    def by_person(self) -> bool:
        """Did the person finish it themselves?"""
        return self.by is not None and self.by[self.seat] == "person"

    @property
    def score(self) -> int | None:
        return None if self.scores is None else self.scores[self.seat]

    @property
    def won(self) -> bool:
        """Did the person win, by their own decisions?"""
        if not self.by_person or self.scores is None:
            return False
        winners = self.result.get("winners") if isinstance(self.result, dict) else None
        return self.seat in winners if winners is not None else self.scores[self.seat] == max(self.scores)

    @property
    def measured(self) -> bool:
        """Is it compared with the bots' play? A co-operative match from its beginning, finished by people alone, and
        without hints.
        """
        if self.by is None or self.branch or not self.by_person or self.aids == "hints":
            return False
        return game_named(self.game).cooperative and not {"program", "client", "clock"} & set(self.by)


class History:
    """The queries about what a person has played. Everything is asked for by the person themselves."""

    def __init__(self, people_: People) -> None:
        self.people, self.store = people_, people_.store

    async def played(self, person: str) -> list[Played]:
        """The matches of a person that have begun, the newest first."""
        query = MATCH.select_from(seats.join(tables).outerjoin(results, results.c.table_id == tables.c.id))
        query = query.where(seats.c.player == person, tables.c.phase != "gathering", tables.c.game.in_(game_names()))
        async with self.store.reading() as connection:
            found = await connection.execute(query.order_by(tables.c.made.desc(), tables.c.id).limit(MAX_PLAYED))
            return [Played(**row) for row in found.mappings()]

    async def matches(self, played: Sequence[Played], offset: int) -> list[MyMatch]:
        """Some matches, with who sat there."""
        some = played[offset : offset + PAGE]
        query = sa.select(seats.c.table_id, seats.c.seat, seats.c.name, seats.c.bot).order_by(seats.c.seat)
        at: dict[str, list[Any]] = defaultdict(list)
        async with self.store.reading() as connection:
            for row in await connection.execute(query.where(seats.c.table_id.in_([one.id for one in some]))):
                at[row.table_id].append(row)
        return [
            MyMatch(
                table=one.id, game=one.game, options=one.options, phase=one.phase, made=one.made, seat=one.seat,
                seats=[
                    MatchSeat(name=row.name, bot=row.bot, by=one.by[row.seat] if one.by else None)
                    for row in at[one.id]
                ],
                score=one.score, result=one.result, baseline=one.baseline, aids=one.aids, hints=len(one.hints or []),
            )
            for one in some
        ]  # fmt: skip

    async def seat_ratings(self, person: str) -> list[Rating]:
        """Ratings against people."""
        async with self.store.reading() as connection:
            found = (await connection.execute(sa.select(ratings).where(ratings.c.person == person))).all()
        made = []
        for row in found:
            value, margin = shown(row.mu, row.sigma)
            few = row.matches < PROVISIONAL
            made.append(
                Rating(
                    game=row.game, kind="skill", value=value, margin=margin, matches=row.matches, provisional=few
                )
            )  # fmt: skip
        return made

    # -------------------------------------------------------------- people
    async def acquaintances(self, person: str) -> dict[str, Acquaintance]:
        """Those who sat at a table with a person, by identity, the last met first."""
        mine = sa.select(seats.c.table_id).where(seats.c.player == person)
        query = (
            sa.select(
                seats.c.player, seats.c.name, tables.c.game, tables.c.options, tables.c.made,
                SEAT_COUNT.label("seats"),
            )
            .join(tables)
            .where(seats.c.table_id.in_(mine), seats.c.player.is_not(None), seats.c.player != person)
            .order_by(tables.c.made.desc())
            .limit(MAX_PLAYED)
        )  # fmt: skip
        async with self.store.reading() as connection:
            rows = (await connection.execute(query)).all()
        avoided = self.people.avoids(person)
        found: dict[str, Acquaintance] = {}
        for row in rows:
            old = found.get(row.player)
            if old is None and len(found) < MAX_PEOPLE:
                found[row.player] = Acquaintance(
                    person=acquaintance_name(person, row.player), name=row.name, matches=1, last=row.made,
                    game=row.game, options=row.options, seats=row.seats, avoided=row.player in avoided,
                )  # fmt: skip
            elif old is not None:
                name = old.name or row.name
                found[row.player] = msgspec.structs.replace(old, matches=old.matches + 1, name=name)
        return found

    async def invitations(self, person: str) -> list[Invitation]:
        """The invitations that stand: to tables that still gather."""
        query = (
            sa.select(
                invitations.c.table_id, invitations.c.by, invitations.c.name, invitations.c.at, tables.c.game,
                tables.c.options, SEAT_COUNT.label("seats"),
            )
            .join(tables)
            .where(invitations.c.person == person, tables.c.phase == "gathering")
            .order_by(invitations.c.at.desc())
            .limit(PAGE)
        )  # fmt: skip
        async with self.store.reading() as connection:
            rows = (await connection.execute(query)).all()
        apart = self.people.apart(person)
        return [
            Invitation(
                table=row.table_id, game=row.game, options=row.options, seats=row.seats, name=row.name, at=row.at
            )
            for row in rows
            if row.by not in apart
        ]  # fmt: skip

    # -------------------------------------------------------------- everything
    async def export(self, person: str) -> Export:
        """All that is kept about a person. What others did is not theirs, and not in it."""
        played = await self.played(person)
        known = await self.acquaintances(person)
        async with self.store.reading() as connection:

            async def rows(query: sa.Select[Any]) -> list[dict[str, Any]]:
                return [dict(row) for row in (await connection.execute(query)).mappings()]

            own = await rows(sa.select(seats.c.table_id, seats.c.key_hash).where(seats.c.player == person))
            words: list[dict[str, Any]] = []
            for row in own:
                said = sa.select(chat.c.table_id, chat.c.text, chat.c.name, chat.c.at)
                wanted = sa.and_(chat.c.table_id == row["table_id"], chat.c.person == person_of(row["key_hash"] or ""))
                words += await rows(said.where(wanted).order_by(chat.c.number))
            names = [one.id for one in played]
            device = sa.select(devices.c.label, devices.c.added, devices.c.removed).where(devices.c.person == person)
            passkey = sa.select(passkeys.c.label, passkeys.c.host, passkeys.c.made, passkeys.c.used)
            attempt = sa.select(
                attempts.c.deal, attempts.c.table_id, attempts.c.started, attempts.c.finished, attempts.c.counted,
                attempts.c.reason, attempts.c.score,
            )  # fmt: skip
            seen = sa.select(looks.c.subject, looks.c.table_id, looks.c.kind, looks.c.at)
            rated = sa.select(ratings.c.game, ratings.c.mu, ratings.c.sigma, ratings.c.matches)
            channel = sa.select(channels.c.kind, channels.c.address, channels.c.made).where(channels.c.player == person)
            wish = sa.select(
                reach.c.everywhere, reach.c.language, reach.c.quiet_from, reach.c.quiet_to, reach.c.zone
            ).where(reach.c.player == person)
            name = await connection.execute(sa.select(people.c.name).where(people.c.id == person))
            return Export(
                format="tacit person 1", made=time.time(), name=name.scalar(), devices=await rows(device),
                passkeys=await rows(passkey.where(passkeys.c.person == person)),
                matches=[msgspec.structs.asdict(one) for one in played],
                attempts=await rows(attempt.where(attempts.c.table_id.in_(names))),
                cards_seen=await rows(seen.where(looks.c.identity == person)), said=words,
                ratings=await rows(rated.where(ratings.c.person == person)),
                people=[msgspec.structs.asdict(one) for one in known.values()],
                invitations=[msgspec.structs.asdict(one) for one in await self.invitations(person)],
                notices=[*await rows(wish), *await rows(channel)],
            )  # fmt: skip


def acquaintance_name(person: str, other: str) -> str:
    """How somebody is called towards one person: it tells nobody else who they are."""
    return hashlib.sha256(f"{person} knows {other}".encode()).hexdigest()[:16]


def days_in_a_row(played: Sequence[Played]) -> tuple[int, int]:
    """Days in a row with a finished match: up to today, and the most ever."""
    return streaks({int(one.finished // DAY) for one in played if one.finished is not None}, int(time.time() // DAY))


def records_of(played: Sequence[Played]) -> list[GameRecord]:
    """Results by game, options and seats; the newest match comes first in `played`, and so do its results."""
    groups: dict[tuple[str, str, int], list[Played]] = defaultdict(list)
    for one in played:
        if one.scores is not None:
            options = msgspec.json.encode(one.options, order="sorted").decode()
            groups[one.game, options, len(one.scores)].append(one)
    return [_record(game, seats_, group) for (game, _, seats_), group in groups.items()]


def _record(game: str, seats_: int, group: Sequence[Played]) -> GameRecord:
    own = [one for one in group if one.by_person]
    scored = [(one.score, one) for one in own if one.score is not None]
    best = max(scored, key=lambda pair: pair[0])[1] if scored else None
    cooperative = game_named(game).cooperative
    row = next((n for n, one in enumerate(own) if not one.won), len(own))
    return GameRecord(
        game=game, options=group[0].options, seats=seats_, played=len(group), finished=len(own),
        best=best.score if best else None, best_result=best.result if best else None,
        average=statistics.fmean(score for score, _ in scored) if scored else None,
        won=None if cooperative else sum(one.won for one in own), in_a_row=None if cooperative else row,
    )  # fmt: skip


def deal_ratings(played: Sequence[Played]) -> list[Rating]:
    """Co-operative games: how much better than the bot with the same cards."""
    better: dict[str, list[int]] = defaultdict(list)
    for one in played:
        if one.measured and one.baseline is not None and one.score is not None:
            better[one.game].append(one.score - one.baseline)
    found = []
    for game, values in better.items():
        n = len(values)
        margin = 1.96 * statistics.stdev(values) / math.sqrt(n) if n > 1 else None
        found.append(
            Rating(
                game=game, kind="deal", value=statistics.fmean(values), margin=margin, matches=n,
                provisional=n < PROVISIONAL, measure=measure_of(game_named(game)),
            )
        )  # fmt: skip
    return found
