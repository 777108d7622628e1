"""Matches of people as a dataset: those whose people all agreed at the table, without names, with the times."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import msgspec

from tacit.core.errors import TacitError
from tacit.server.admin import AdminError, listed
from tacit.server.config import Config
from tacit.server.deciders import write_tag
from tacit.server.live_table import LiveTable
from tacit.server.models import Step, TableRow
from tacit.server.store import Store

FORMAT, ABOUT = "tacit-people 1", "people.json"


def all_agreed(row: TableRow) -> bool:
    """Did every person who sat at the table agree, and was there one?

    Left out are tables on deals, whose cards others may still play, and matches that were played on from another one,
    whose people were not asked.
    """
    people = [seat for seat in row.seats if seat.kind == "person"]
    asked = row.deal is None and row.branched is None
    return asked and bool(people) and all(seat.contributes for seat in people)


async def export_people(store: Store, folder: Path) -> int:
    """Write the finished matches whose people all agreed into a new folder; how many there are.

    Each is a record without names, date, table and everything else that leads back to a person; the order is random.
    `people.json` has for each line of each record the seconds since the first. Raises AdminError if the folder is used.
    """
    if (folder / ABOUT).exists():
        raise AdminError(f"{folder} has a dataset already: choose another folder.")
    found: list[tuple[str, dict[str, Any]]] = []
    for one in await listed(store, phase="over"):
        row, steps = await store.load(one.table, 0)
        if row is not None and all_agreed(row):
            match = _anonymous(row, steps)
            if match is not None:
                found.append(match)
    random.SystemRandom().shuffle(found)
    folder.mkdir(parents=True, exist_ok=True)
    matches = []
    for number, (text, about) in enumerate(found):
        file = f"{number:05}.tacit"
        (folder / file).write_text(text, encoding="utf-8")
        matches.append({"file": file, **about})
    whole = {"format": FORMAT, "matches": matches}
    (folder / ABOUT).write_bytes(msgspec.json.format(msgspec.json.encode(whole), indent=1) + b"\n")
    return len(found)


def _anonymous(row: TableRow, steps: list[Step]) -> tuple[str, dict[str, Any]] | None:
    """The record of a match and its times; None if it has no end, or can no longer be read."""
    table = LiveTable(row, Config())
    try:
        if table.trouble() is not None:
            return None
        table.replay(row, steps)
    except TacitError:
        return None
    if table.match is None or not table.match.over:
        return None
    match = table.match.copy()
    match.tags = {f"seat{q}": "person" if seat.kind == "person" else seat.bot or "" for q, seat in enumerate(row.seats)}
    match.tags |= {f"played{q}": write_tag(spans) for q, spans in enumerate(table.played) if spans}
    lines = table.ledger.lines
    return str(match), {"game": row.game, "seconds": [round(line.at - lines[0].at, 1) for line in lines]}
