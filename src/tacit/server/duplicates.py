"""The standing of a duplicate match: by deal and in all, as JSON and as a text to print."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from tacit.core.messages import Message, render
from tacit.core.registry import game_named
from tacit.server.attempts import reason_message
from tacit.server.deal_protocol import DealStanding, Duplicate, DuplicateTable, Standing
from tacit.server.deal_rows import AttemptRow, DealRow, DuplicateRow
from tacit.server.deals import Deals
from tacit.server.errors import refuse


async def standing(deals: Deals, name: str, who: Sequence[str]) -> Duplicate:
    """A duplicate match as somebody may see it: the results of a deal once they, or all tables, have finished it."""
    duplicate = await deals.rows.duplicate(name)
    if duplicate is None:
        raise refuse("deal.unknown", 404)
    rows = await deals.rows.of_duplicate(name)
    finished = await deals.rows.finished([deal.id for deal in rows])
    cooperative = game_named(rows[0].game).cooperative
    shown = {deal.id for deal in rows if await _may_see(deals, duplicate, deal, finished, who)}
    standings = []
    for deal in rows:
        own = [one for one in finished if one.deal == deal.id]
        found = deal_rows(own, cooperative) if deal.id in shown else []
        standings.append(
            DealStanding(number=deal.number or 0, deal=deal.id, finished=len(own), shown=deal.id in shown, rows=found)
        )
    return Duplicate(
        duplicate=name, title=duplicate.title, game=rows[0].game, options=rows[0].options, seats=rows[0].seats,
        cooperative=cooperative, open=rows[0].closes is None or time.time() < rows[0].closes, opened=duplicate.opened,
        tables=await _tables(deals, rows, finished), deals=standings,
        total=total([one.rows for one in standings], cooperative),
    )  # fmt: skip


async def _may_see(
    deals: Deals, duplicate: DuplicateRow, deal: DealRow, finished: Iterable[AttemptRow], who: Sequence[str]
) -> bool:  # fmt: skip
    if len({one.team for one in finished if one.deal == deal.id}) >= duplicate.teams:
        return True
    mine = await deals.rows.mine(deal.id, who) if who else []
    if mine and all(one.finished is not None for one in mine):
        return True
    return await deals.rows.is_revealed(deal, time.time())


async def _tables(deals: Deals, rows: Sequence[DealRow], finished: Iterable[AttemptRow]) -> list[DuplicateTable]:
    """Where each team plays: its newest table."""
    numbers = {deal.id: deal.number or 0 for deal in rows}
    done: dict[int, set[int]] = {}
    for one in finished:
        done.setdefault(one.team if one.team is not None else -1, set()).add(numbers[one.deal])
    newest = {one.team: one for one in await deals.rows.team_tables(list(numbers))}
    return [
        DuplicateTable(
            team=team, table=one.table, deal=numbers[one.deal], names=one.names, finished=sorted(done.get(team, ())),
            phase=one.phase,  # type: ignore[arg-type] # a stored phase
        )
        for team, one in sorted(newest.items())
    ]  # fmt: skip


def deal_rows(finished: Sequence[AttemptRow], cooperative: bool) -> list[Standing]:
    """The standing of one deal: a row for each table, or in a game that is not co-operative for each person."""
    if not cooperative:
        return placed([row for one in finished for row in _people(one)])
    ranked = [one.score or 0 for one in finished if one.counted]
    rows = []
    for one in finished:
        score = one.score or 0
        points = sum(2 * (score > other) + (score == other) for other in ranked) - 1  # not against itself
        rows.append(
            Standing(
                team=one.team or 0, names=[name for name in one.names if name is not None], score=score,
                points=points if one.counted else 0, sat_in=one.sat_in or [], reason=reason_message(one.reason),
            )
        )  # fmt: skip
    return placed(rows)


def _people(attempt: AttemptRow) -> Iterable[Standing]:
    scores = attempt.scores or []
    for seat, name in enumerate(attempt.names):
        if name is not None:
            place = 1 + sum(other > scores[seat] for other in scores)
            by_bot = attempt.by is not None and attempt.by[seat] == "bot"  # what it won is not the person's
            yield Standing(
                team=attempt.team or 0, seat=seat, names=[name], score=scores[seat], points=scores[seat], places=place,
                sat_in=attempt.sat_in or [], reason=reason_message("bot" if by_bot else attempt.reason),
            )  # fmt: skip


def total(deals: Iterable[Sequence[Standing]], cooperative: bool) -> list[Standing]:
    """The sum over deals: of a table, or of a person by table and name. What does not count adds nothing."""
    sums: dict[tuple[int, str], Standing] = {}
    for rows in deals:
        for row in rows:
            key = (row.team, "" if cooperative else row.names[0])
            old = sums.get(key)
            points = row.points if row.reason is None else 0
            places = None if row.places is None else row.places + ((old.places or 0) if old else 0)
            sums[key] = Standing(
                team=row.team, seat=row.seat, names=row.names, points=points + (old.points if old else 0),
                places=places, sat_in=sorted({*row.sat_in, *(old.sat_in if old else [])}),
            )  # fmt: skip
    return placed(list(sums.values()))


def placed(rows: Sequence[Standing]) -> list[Standing]:
    """The rows with their places, the best first. Equal points share a place; then fewer places at the own table."""

    def strength(row: Standing) -> tuple[int, int]:
        return row.points, -(row.places or 0)

    ranked = [strength(row) for row in rows if row.reason is None]
    found = [
        msgspec.structs.replace(row, place=1 + sum(other > strength(row) for other in ranked))
        if row.reason is None
        else row
        for row in rows
    ]
    return sorted(found, key=lambda row: (row.place or len(found) + 1, row.team, row.seat or 0))


def printed(match: Duplicate, language: str) -> str:
    """The standing as a text to print, in a language."""

    def say(code: str, **params: Any) -> str:
        return render(Message(f"server.print.{code}", params), language)

    def row_text(row: Standing) -> str:
        marks = [say("points", n=row.points)]
        if row.score is not None and match.cooperative:
            left = row.score < 0  # a score below zero counts what is left
            marks.append(
                render(Message("server.share.left", {"n": -row.score}), language) if left else say("score", n=row.score)
            )
        if row.places is not None:
            marks.append(say("places", n=row.places))
        marks += [say("with", bot=bot) for bot in row.sat_in]
        marks += [render(row.reason, language)] if row.reason is not None else []
        place = f"{row.place}." if row.place is not None else "–"
        who = ", ".join(filter(None, row.names)) or "?"
        return f"{place:>4}  {say('table', n=row.team + 1):<9}  {who:<28}  {' · '.join(marks)}"

    title, tables = game_named(match.game).title, len(match.tables)
    lines = [match.title or title, say("size", game=title, tables=tables, n=len(match.deals))]
    for deal in match.deals:
        lines += ["", say("deal", n=deal.number, finished=deal.finished, tables=tables)]
        lines += [row_text(row) for row in deal.rows] or [say("empty" if deal.shown else "hidden")]
    lines += ["", say("total"), *(row_text(row) for row in match.total)]
    return "\n".join(lines) + "\n"
