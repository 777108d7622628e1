"""Deals: the daily, who may see what of a deal, and its results. deal_tables.py makes deals of matches."""

from __future__ import annotations

import asyncio
import datetime
import time
from collections import OrderedDict
from collections.abc import Coroutine, Sequence
from typing import Any

import msgspec

from tacit.bots import usual_bot
from tacit.core.game import Game, OptionValue
from tacit.core.keyed_chance import Beginning, DealChance
from tacit.core.match import Match
from tacit.core.registry import game_named, game_names
from tacit.server import deal_protocol, faults, protocol
from tacit.server.attempts import reason_message
from tacit.server.baselines import bots_score, new_match
from tacit.server.best_scores import FIND_WITHIN, BestScores, best_of, is_wanted
from tacit.server.config import Config
from tacit.server.deal_protocol import PAGE, Bar, DealInfo, MyAttempt, Results, Team
from tacit.server.deal_rows import AttemptRow, DealRow
from tacit.server.deal_store import DealStore
from tacit.server.errors import RequestRefused, refuse
from tacit.server.live_table import LiveTable
from tacit.server.seating import Caller
from tacit.server.share_text import share_text
from tacit.server.store import Store

DAY = 86_400.0
DAY_ZERO = datetime.date(2026, 11, 15)  # the daily of the day after it has number 1
MAX_BEGINNINGS = 200  # kept in memory
ASK_AGAIN_AFTER = 2 * FIND_WITHIN  # seconds until a process that looked for a best score is taken for dead


class Deals:
    """The deals of this server. `who` are identities: hashes of a person's cookie and keys."""

    def __init__(self, store: Store, config: Config) -> None:
        self.store, self.config, self.rows = store, config, DealStore(store)
        self._beginnings: OrderedDict[str, Beginning] = OrderedDict()
        self._bots_playing: set[str] = set()  # deals whose bots' score is being computed
        self._best_scores = BestScores()
        self._best_wanted: set[str] = set()  # deals whose best score this process looks for
        self._tasks: set[asyncio.Task[None]] = set()

    # -------------------------------------------------------------- deals
    async def need(self, name: str) -> DealRow:
        """A deal; refused if there is none."""
        deal = await self.rows.deal(name)
        if deal is None:
            raise refuse("deal.unknown", 404)
        return deal

    def new_deal(self, name: str, game: Game, seats: int, options: dict[str, OptionValue]) -> DealRow:
        """A deal of this name that opens now, of a kind to be set."""
        epoch = self.store.secrets.newest
        return DealRow(
            id=name, kind="daily", game=game.name, rules_version=game.rules_version, options=options, seats=seats,
            bot=usual_bot(game), subject=name, epoch=epoch, commitment=self.store.secrets.commitment(epoch, name),
            opened=time.time(),
        )  # fmt: skip

    async def prepare(self, table: LiveTable) -> None:
        """Give a table its deal, what its order begins with, and whether its attempt counts."""
        if table.row.deal is None:
            return
        if table.deal is None:
            deal = await self.need(table.row.deal)
            table.beginning = await self.beginning(deal)
            table.deals = len(await self.rows.of_duplicate(deal.duplicate)) if deal.duplicate is not None else None
            table.deal = deal
        attempt = await self.rows.attempt(table.row.deal, table.row.id) if table.row.phase != "gathering" else None
        table.counts = None if attempt is None else (attempt.counted, attempt.reason)

    async def beginning(self, deal: DealRow) -> Beginning | None:
        """What the order of a challenge begins with: what chance did in the match it was made of."""
        if deal.source is None:
            return None
        if deal.id not in self._beginnings:
            match = await self.match_of(deal.source)
            self._beginnings[deal.id] = await asyncio.to_thread(Beginning.of, match)
            while len(self._beginnings) > MAX_BEGINNINGS:
                self._beginnings.popitem(last=False)
        return self._beginnings[deal.id]

    async def match_of(self, name: str) -> Match:
        """A stored match; refused if its table was deleted."""
        row, steps = await self.store.load(name, 0)
        if row is None:
            raise refuse("deal.gone", 410)
        table = LiveTable(row, self.config)
        await asyncio.to_thread(table.replay, row, steps)
        if table.match is None:
            raise refuse("deal.gone", 410)
        return table.match

    async def opening(self, deal: DealRow) -> protocol.Opening | None:
        """What the commitment was made to, once the cards are public; None also if what it begins with was deleted."""
        if not await self.rows.is_revealed(deal, time.time()) or not self.store.secrets.knows(deal.epoch):
            return None
        key, salt = self.store.secrets.deal_key(deal.epoch, deal.id)
        try:
            record = str(await self.match_of(deal.source)) if deal.source is not None else None
        except RequestRefused:
            return None
        return protocol.Opening(key=key.hex(), salt=salt.hex(), beginning=record)

    async def info(self, deal: DealRow, who: Sequence[str], finished: int | None = None) -> DealInfo:
        """What everyone may know of a deal, and the asker's own attempt. `finished`: how many are, if that is known."""
        if finished is None:
            finished = (await self.rows.counts([deal.id])).get(deal.id, 0)
        mine = next(iter(await self.rows.mine(deal.id, who)), None) if who else None
        reason = await self.rows.why_uncounted(deal, who)
        return DealInfo(
            deal=deal.id, kind=deal.kind, game=deal.game, rules_version=deal.rules_version, options=deal.options,
            seats=deal.seats, bot=deal.bot, number=deal.number,
            date=date_of(deal.number).isoformat() if deal.kind == "daily" and deal.number else None,
            opened=deal.opened, closes=deal.closes, open=deal.closes is None or time.time() < deal.closes,
            commitment=deal.commitment, opening=await self.opening(deal),
            finished=finished, mine=_my_attempt(mine) if mine else None,
            would_count=reason is None, reason=reason_message(reason),
        )  # fmt: skip

    async def next_in_duplicate(self, table: LiveTable) -> DealRow | None:
        """The deal that a table of a duplicate match plays after its own; None after the last."""
        if table.deal is None or table.deal.duplicate is None:
            return None
        all_of_them = await self.rows.of_duplicate(table.deal.duplicate)
        return next((one for one in all_of_them if one.number == (table.deal.number or 0) + 1), None)

    async def close(self, names: Sequence[str]) -> None:
        await self.rows.close(names, time.time())

    # -------------------------------------------------------------- the daily
    async def daily(self, number: int | None, who: Sequence[str]) -> deal_protocol.Daily:
        """The deals of a day; refused for a day that has not begun."""
        today = today_number()
        number = today if number is None else number
        if not 1 <= number <= today:
            raise refuse("daily.day", 404, today=today)
        names = {game: f"daily-{number}-{game}" for game in game_names()}
        found = {game: await self.rows.deal(name) for game, name in names.items()}
        missing = [self._new_daily(game, number) for game, deal in found.items() if deal is None]
        if missing:
            await self.rows.add(*missing)
        deals = [deal or await self.need(names[game]) for game, deal in found.items()]
        days = await self.rows.daily_numbers(who) if who else set()
        streak, longest = streaks(days, number)
        return deal_protocol.Daily(
            number=number, date=date_of(number).isoformat(), ends=ends_at(number), today=today,
            deals=[await self.info(deal, who) for deal in deals], streak=streak, longest_streak=longest,
        )  # fmt: skip

    def _new_daily(self, game_name: str, number: int) -> DealRow:
        game = game_named(game_name)
        seats = min(game.min_seats + 1, game.max_seats)
        deal = self.new_deal(f"daily-{number}-{game_name}", game, seats, game.check(seats))
        return msgspec.structs.replace(deal, number=number, opened=ends_at(number - 1), closes=ends_at(number))

    # -------------------------------------------------------------- who may see what
    async def need_look(self, caller: Caller, who: Sequence[str]) -> None:
        """Refuse whoever may not see the replay of a finished table: who plays these cards, or might yet.

        Those who sat there may. At a table on a deal others may once they have finished the deal themselves, or its
        cards are public; elsewhere as the table allows spectators, and if they do not play these cards just now.
        """
        table = caller.table
        sat_there = any(one in (seat.player, seat.key_hash) for seat in table.row.seats for one in who)
        if caller.seat is not None or sat_there or await self.rows.has_finished_with(table.row.id, who):
            return
        if table.deal is not None:
            if not await self.rows.is_revealed(await self.need(table.deal.id), time.time()):
                raise refuse("deal.hidden", 403)
            return
        await self.need_watch(caller, who)
        if table.row.spectators == "none" and not caller.maker:
            raise refuse("spectators.none", 403)

    async def need_watch(self, caller: Caller, who: Sequence[str]) -> None:
        """Refuse spectators of a finished table who play its cards just now."""
        if caller.seat is None and caller.table.over and await self.rows.is_playing(subject_of(caller.table), who):
            raise refuse("deal.playing", 403)

    async def watch(self, caller: Caller, who: Sequence[str]) -> None:
        """Let somebody watch a table, and note it; refused as by `need_watch`."""
        await self.need_watch(caller, who)
        if caller.seat is None and caller.table.row.spectators != "none":
            await self.look(caller.table, who, "watched")

    async def look(self, table: LiveTable, who: Sequence[str], kind: str) -> None:
        """Note that somebody who does not sit there sees the cards of a table: an attempt on them would not count."""
        new = [one for one in who if one not in table.lookers]
        if new:
            table.lookers |= set(new)
            await self.rows.look(subject_of(table), new, table.row.id, kind)

    # -------------------------------------------------------------- results
    async def results(self, deal: DealRow, who: Sequence[str], offset: int) -> Results:
        """The results of a deal. Refused to whoever might still play it."""
        mine = await self.rows.mine(deal.id, who) if who else []
        done = next((one for one in mine if one.finished is not None), None)
        playing = any(one.finished is None and one.counted for one in mine)
        if (done is None or playing) and not await self.rows.is_revealed(deal, time.time()):
            raise refuse("deal.hidden", 403)
        distribution, total = await self.rows.distribution(deal.id)
        game = game_named(deal.game)
        own = {one.table_id for one in mine}
        teams = [_team(one, distribution, own) for one in await self.rows.listed(deal.id, offset, PAGE)]
        self._let_bots_play(deal)
        reached = [*distribution, *([deal.bots_score] if deal.bots_score is not None else []), *_scores(done)]
        best, best_is = best_of(deal, game, reached, self.config.compile)
        if self.config.compile and is_wanted(deal, game, reached) and deal.id not in self._best_wanted:
            self._best_wanted.add(deal.id)
            self._in_background(self._find_best(deal))
        return Results(
            deal=await self.info(deal, who, total), cooperative=game.cooperative, counted=sum(distribution.values()),
            distribution=[Bar(score=s, count=n) for s, n in sorted(distribution.items(), reverse=True)],
            bots=deal.bots_score, best=best, best_is=best_is,
            mine=_team(done, distribution, own) if done else None,
            share=share_text(game, deal, done, distribution) if done else None,
            total=total, offset=offset, teams=teams,
        )  # fmt: skip

    def _let_bots_play(self, deal: DealRow) -> None:
        """Compute the score of the deal's bot on all seats, once, in the background."""
        if deal.bots_score is not None or deal.id in self._bots_playing:
            return
        self._bots_playing.add(deal.id)
        self._in_background(self._bots_score(deal))

    def _in_background(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _bots_score(self, deal: DealRow) -> None:
        try:
            key = self.store.secrets.deal_key(deal.epoch, deal.id)[0]
            beginning = await self.beginning(deal)
            await self.rows.set_bots_score(deal.id, await asyncio.to_thread(_played_by_bots, deal, key, beginning))
        except Exception as error:  # the results are shown without it
            faults.note("the bots on a deal", error)

    async def _find_best(self, deal: DealRow) -> None:
        """Let the solver look for the best score of a deal, unless another process of this server does."""
        try:
            if not await self.rows.ask_for_best(deal.id, time.time(), ASK_AGAIN_AFTER):
                return
            key = self.store.secrets.deal_key(deal.epoch, deal.id)[0]
            record = str(await self.match_of(deal.source)) if deal.source is not None else None
            found = await self._best_scores.find(deal, game_named(deal.game), key, record)
            await self.rows.set_best(deal.id, found.score, found.exact)
        except Exception as error:  # the results are shown without it
            faults.note("the best score of a deal", error)
        finally:
            self._best_wanted.discard(deal.id)

    async def stop(self) -> None:
        """End what runs in the background."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


def subject_of(table: LiveTable) -> str:
    """Whose cards are played at a table, in `looks`."""
    return table.row.subject or table.row.id


# ------------------------------------------------------------------ days
def today_number() -> int:
    """The number of the present day (UTC)."""
    return (datetime.datetime.fromtimestamp(time.time(), datetime.UTC).date() - DAY_ZERO).days


def date_of(number: int) -> datetime.date:
    return DAY_ZERO + datetime.timedelta(days=number)


def ends_at(number: int) -> float:
    """When a day ends, in seconds since 1970."""
    midnight = datetime.datetime.combine(date_of(number), datetime.time(), datetime.UTC)
    return midnight.timestamp() + DAY


def streaks(days: set[int], upto: int) -> tuple[int, int]:
    """How many days in a row there are up to one (which may be missing, if it is still to come), and the most ever.

    >>> streaks({1, 2, 3, 5, 6}, 7), streaks({1, 2}, 4)
    ((2, 3), (0, 2))
    """
    last = upto if upto in days else upto - 1
    streak = 0
    while last - streak in days:
        streak += 1
    longest = run = 0
    for day in sorted(days):
        run = run + 1 if day - 1 in days else 1
        longest = max(longest, run)
    return streak, longest


# ------------------------------------------------------------------ messages
def _my_attempt(attempt: AttemptRow) -> MyAttempt:
    return MyAttempt(
        table=attempt.table_id, phase="playing" if attempt.finished is None else "over", counted=attempt.counted,
        reason=reason_message(attempt.reason), score=attempt.score,
    )  # fmt: skip


def _team(attempt: AttemptRow, distribution: dict[int, int], mine: set[str]) -> Team:
    score = attempt.score or 0
    better = sum(n for other, n in distribution.items() if other > score)
    return Team(
        table=attempt.table_id, names=[name for name in attempt.names if name is not None], people=attempt.people,
        score=score, scores=attempt.scores or [], result=attempt.result,
        counted=attempt.counted, place=1 + better if attempt.counted else None,
        reason=reason_message(attempt.reason), sat_in=attempt.sat_in or [], finished=attempt.finished or 0.0,
        mine=attempt.table_id in mine,
    )  # fmt: skip


def _scores(attempt: AttemptRow | None) -> list[int]:
    return [attempt.score] if attempt is not None and attempt.score is not None else []


def _played_by_bots(deal: DealRow, key: bytes, beginning: Beginning | None) -> int:
    """The score of the deal's bot on all seats."""
    chance = DealChance(key, None, beginning)
    return bots_score(new_match(deal.game, deal.seats, deal.options, deal.rules_version, chance), deal.bot)
