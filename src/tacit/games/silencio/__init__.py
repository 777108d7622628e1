"""Silencio: 2–4 seats, co-operative, silent."""

from tacit.games.silencio.fields import FIELDS, score_range
from tacit.games.silencio.knowledge import imagine, know, observe, overhear
from tacit.games.silencio.model import (
    ACTIONS,
    COOPERATIVE,
    MAX_DECISIONS,
    MAX_SEATS,
    MIN_SEATS,
    NAME,
    OBSERVATION,
    OBSERVATION_FIELDS,
    OPTIONS,
    OUTCOMES,
    RULES_VERSIONS,
    TITLE,
    State,
)
from tacit.games.silencio.notation import best_score, hear, parse, result, show
from tacit.games.silencio.rules import audit, chance, due, legal, pool, roll, score, start, step
from tacit.games.silencio.view import view
from tacit.games.silencio.words import offer, refuse, tell

__all__ = [
    "ACTIONS",
    "COOPERATIVE",
    "FIELDS",
    "MAX_DECISIONS",
    "MAX_SEATS",
    "MIN_SEATS",
    "NAME",
    "OBSERVATION",
    "OBSERVATION_FIELDS",
    "OPTIONS",
    "OUTCOMES",
    "RULES_VERSIONS",
    "TITLE",
    "State",
    "audit",
    "best_score",
    "chance",
    "due",
    "hear",
    "imagine",
    "know",
    "legal",
    "observe",
    "offer",
    "overhear",
    "parse",
    "pool",
    "refuse",
    "result",
    "roll",
    "score",
    "score_range",
    "show",
    "start",
    "step",
    "tell",
    "view",
]
