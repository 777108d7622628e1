"""What each cell of Silent Planet's tensor says, in the order in which `observe` writes them; the range of scores."""

from __future__ import annotations

from tacit.core.observation import RELATIVE_SEATS, Field, name_product
from tacit.games.silent_planet.model import PLACES, ROUNDS
from tacit.games.silent_planet.view import PHASE_WORDS

NUMBERS = tuple(str(place) for place in range(1, PLACES + 1))
KINDS = (*"12345", "machine")

FIELDS = (
    Field(
        "row",
        "one",
        "What you know to lie, or to have lain, in each place of each row.",
        KINDS,
        name_product(RELATIVE_SEATS, NUMBERS),
    ),
    Field("down", "set", "Places whose card lies face down.", NUMBERS, RELATIVE_SEATS),
    Field(
        "hints", "set", "Places revealed when the row was made; others' once all are ready.", NUMBERS, RELATIVE_SEATS
    ),
    Field("pointers", "one", "The place that each seat pointed at last in this turn.", NUMBERS, RELATIVE_SEATS),
    Field("pointed", "set", "Seats that have pointed in this round.", RELATIVE_SEATS),
    Field("ready", "set", "Seats whose row is made.", RELATIVE_SEATS),
    Field("turn", "one", "Whose row is pointed at.", RELATIVE_SEATS),
    Field("first", "one", "Whose row was the first.", RELATIVE_SEATS),
    Field("round", "one", "The round of pointing.", tuple(str(n) for n in range(1, ROUNDS + 1))),
    Field("phase", "one", "What happens now.", PHASE_WORDS),
    Field("seats", "one", "How many seats there are.", tuple("23456")),
    Field("hand", "number", "Your cards still to be placed, by kind.", KINDS),
    Field("team", "number", "The current team, by kind.", KINDS),
    Field("unseen", "number", "Cards whose place you do not know, by kind.", KINDS),
    Field("left", "number", "Cards face down in each row.", RELATIVE_SEATS),
    Field("teams", "number", "Teams completed."),
    Field("spare", "number", "Cards that can still be lost; below 0 it is lost."),
)


def score_range(seats: int) -> tuple[int, int]:
    """P10: no team, or one for each seat."""
    return 0, seats
