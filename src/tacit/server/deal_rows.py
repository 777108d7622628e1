"""Stored deals, attempts on them, and duplicate matches, as rows of their tables (`models.py`)."""

from __future__ import annotations

from typing import Any

import msgspec

from tacit.core.game import OptionValue
from tacit.server.protocol import DealKind, DeciderKind


class DealRow(msgspec.Struct, frozen=True):
    """A stored deal. Its order is not stored: it follows from the secret of its epoch and from its name."""

    id: str
    kind: DealKind
    game: str
    rules_version: int
    options: dict[str, OptionValue]
    seats: int
    bot: str
    subject: str
    epoch: int
    commitment: str
    opened: float
    closes: float | None = None
    number: int | None = None
    duplicate: str | None = None
    source: str | None = None
    maker_hash: str | None = None
    bots_score: int | None = None
    best_score: int | None = None
    best_exact: bool | None = None
    best_asked: float | None = None


class AttemptRow(msgspec.Struct, frozen=True):
    """A stored attempt on a deal: made when its match begins, completed with the step that ends it."""

    table_id: str
    deal: str
    team: int | None
    names: list[str | None]  # of the person on each seat; null: a bot's
    people: int
    started: float
    counted: bool
    reason: str | None = None
    finished: float | None = None
    score: int | None = None
    scores: list[int] | None = None
    result: Any = None
    sat_in: list[str] | None = None
    by: list[DeciderKind | None] | None = None  # who finished each seat; null: from before this column


class DuplicateRow(msgspec.Struct, frozen=True):
    """A stored duplicate match; its deals name it."""

    id: str
    title: str | None
    teams: int
    maker_hash: str
    opened: float
