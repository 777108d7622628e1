"""The rows of steps: what is written of a step, and the step that is read."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Sequence
from typing import Any

from tacit.server.bus import CHANNEL
from tacit.server.models import Step

LINE_END = "\n"  # between the lines of one step
INSERT_STEP = (
    "INSERT INTO steps (table_id, sequence, seat, ask, lines, asks, at, mark, due, decider)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
)


# The same for PostgreSQL, of many steps and with the notes that go with them.
SEND_STEPS = f"""
    WITH stored AS (
        INSERT INTO steps (table_id, sequence, seat, ask, lines, asks, at, mark, due, decider)
        SELECT table_id, sequence, seat, ask, lines, asks::json, at, mark, due, decider FROM unnest(
            $1::text[], $2::int[], $3::int[], $4::int[], $5::text[], $6::text[], $7::float8[], $8::text[], $9::int[],
            $10::text[]
        ) AS step (table_id, sequence, seat, ask, lines, asks, at, mark, due, decider)
        ON CONFLICT DO NOTHING RETURNING sequence
    ), told AS (SELECT pg_notify('{CHANNEL}', note) FROM unnest($11::text[]) AS note)
    SELECT (SELECT count(*) FROM stored), (SELECT count(*) FROM told)
"""


def values_of(step: Step) -> dict[str, Any]:
    """A step's values by column, as SQLAlchemy takes them."""
    return {
        "table_id": step.table, "sequence": step.sequence, "seat": step.seat, "ask": step.ask,
        "lines": LINE_END.join(step.lines), "asks": step.asks, "at": step.at or time.time(), "mark": step.mark,
        "due": step.due,
        "decider": step.decider,
    }  # fmt: skip


def row_of(step: Step) -> tuple[Any, ...]:
    """A step's values in the order of INSERT_STEP, as SQLite stores them."""
    return (
        step.table, step.sequence, step.seat, step.ask, LINE_END.join(step.lines), str(step.asks),
        step.at or time.time(), step.mark, step.due, step.decider,
    )  # fmt: skip


def is_plain(job: object) -> bool:
    """Is it a step with which nothing else is written?"""
    return isinstance(job, Step) and not (job.over or job.news or job.ended is not None)


def insert_steps(file: sqlite3.Connection, new: Sequence[Step]) -> bool:
    """Insert steps within a transaction; False if one of them is stored already."""
    rows = [row_of(step) for step in new]
    return file.executemany(INSERT_STEP, rows).rowcount == len(rows)


async def send_steps(driver: Any, new: Sequence[Step], notes: Sequence[str]) -> int:
    """Store steps in PostgreSQL, in the order of their keys so that two processes cannot lock each other, and send
    notes with them; how many of the steps were new.
    """
    rows = sorted(map(row_of, new), key=lambda row: (row[0], row[1]))
    stored: int = await driver.fetchval(SEND_STEPS, *map(list, zip(*rows, strict=True)), list(notes))
    return stored


def step_of(found: Any) -> Step:
    """The step of a row."""
    lines = found.lines.split(LINE_END) if found.lines else []
    return Step(
        found.table_id, found.sequence, lines, found.asks, found.seat, found.ask, at=found.at, mark=found.mark,
        due=found.due, decider=found.decider,
    )  # fmt: skip
