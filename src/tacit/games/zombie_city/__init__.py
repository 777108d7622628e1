"""Silenz: Zombie City: 2–6 seats, everyone for themselves."""

from tacit.games.zombie_city.audit import audit
from tacit.games.zombie_city.fields import FIELDS, score_range
from tacit.games.zombie_city.knowledge import imagine, know, observe, overhear
from tacit.games.zombie_city.model import (
    ACTIONS,
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
from tacit.games.zombie_city.notation import hear, parse, result, show
from tacit.games.zombie_city.rules import chance, due, legal, pool, roll, score, start, step
from tacit.games.zombie_city.view import view
from tacit.games.zombie_city.words import offer, refuse, tell

__all__ = [
    "ACTIONS",
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
