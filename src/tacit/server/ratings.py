"""What is written when a match ends: its result, and in a competitive game the ratings of the people who finished."""

from __future__ import annotations

import time
from functools import cache

import sqlalchemy as sa
from openskill.models import PlackettLuce

from tacit.server import faults
from tacit.server.database import insert_of
from tacit.server.deal_writes import insert
from tacit.server.models import Ended, ratings, results, seats, tables
from tacit.server.table_rows import Statement

MODEL = PlackettLuce()
RESULT_COLUMNS = ["table_id", "finished", "scores", "result", "by"]
PROVISIONAL = 10  # matches below which a rating is provisional
SCALE, MIDDLE = 40.0, 1500.0  # ratings are shown around 1500


def shown(mu: float, sigma: float) -> tuple[int, int]:
    """A rating as people read it, and half of its 95 % interval.

    >>> shown(25.0, 25.0 / 3)
    (1500, 667)
    """
    return round(MIDDLE + SCALE * (mu - MODEL.mu)), round(2 * SCALE * sigma)


def end_match(connection: sa.Connection, table: str, ended: Ended) -> None:
    """Store the result of a match, once, and rate it. A rating that fails is noted, and the match ends all the same."""
    row = {"table_id": table, "finished": time.time(), "scores": ended.scores, "result": ended.result, "by": ended.by}
    if _insert_result(connection.dialect.name).execute(connection, [row]) and ended.rated:
        try:
            with connection.begin_nested():
                _rate(connection, table, ended)
        except Exception as error:
            faults.note("rating a match", error)


@cache
def _insert_result(dialect: str) -> Statement:
    return Statement(insert_of(dialect, results).on_conflict_do_nothing(), RESULT_COLUMNS)


def _rate(connection: sa.Connection, table: str, ended: Ended) -> None:
    """Rate the seats that persons finished, against each other. A bot's or a program's seat changes nothing."""
    game = connection.execute(sa.select(tables.c.game).where(tables.c.id == table)).scalar_one()
    here = sa.select(seats.c.seat, seats.c.player).where(seats.c.table_id == table, seats.c.player.is_not(None))
    score = {player: ended.scores[q] for q, player in connection.execute(here) if ended.by[q] == "person"}
    if len(score) < 2:
        return
    mine = sa.select(ratings).where(ratings.c.game == game, ratings.c.person.in_(score)).order_by(ratings.c.person)
    before = {row.person: row for row in connection.execute(mine.with_for_update())}
    players = sorted(score)
    old = [before.get(player) for player in players]
    teams = [[MODEL.rating(row.mu, row.sigma) if row else MODEL.rating()] for row in old]
    rated = MODEL.rate(teams, scores=[float(score[player]) for player in players])
    for player, row, (now,) in zip(players, old, rated, strict=True):
        values = {"mu": now.mu, "sigma": now.sigma, "matches": (row.matches if row else 0) + 1}
        write = insert(connection, ratings).values(values | {"person": player, "game": game})
        connection.execute(write.on_conflict_do_update(index_elements=["person", "game"], set_=values))
