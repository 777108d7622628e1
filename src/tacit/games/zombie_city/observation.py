"""What each cell of Zombie City's tensor says, in the order in which `observe` writes them; the range of scores."""

from __future__ import annotations

from tacit.core.observation import RELATIVE_SEATS, Field
from tacit.games.zombie_city.model import ALARM, BACKS, BARRICADE, COPIES, FIRST_SURVIVORS, MINES
from tacit.games.zombie_city.notation import CARD_NAMES, ZOMBIE_NAMES
from tacit.games.zombie_city.view import PHASE_WORDS

CAUSES = ("none", "noise", "ambush", "stampede", "flight", "fall")
# Equal cards fill their cells from the first on: two shotguns are "shotgun 1" and "shotgun 2".
CARDS = tuple(f"{name} {i}" for name, n in zip(CARD_NAMES, COPIES, strict=True) for i in range(1, n + 1))
ON_BACKS = tuple(f"{name} {i}" for name, n in zip(ZOMBIE_NAMES, BACKS, strict=True) for i in range(1, n + 1))
BARRIERS = tuple(f"{CARD_NAMES[kind]} {i}" for kind in (BARRICADE, ALARM, MINES) for i in range(1, COPIES[kind] + 1))

OBSERVATION_VERSION = 2
FIELDS = (
    Field("hand", "set", "Your cards.", CARDS),
    Field("discard", "set", "Discarded cards.", CARDS),
    Field("backs", "set", "Backs of City cards that were never turned.", ON_BACKS),
    Field("barriers", "set", "Barriers in each shelter.", BARRIERS, RELATIVE_SEATS),
    Field("living", "set", "Seats that are not out.", RELATIVE_SEATS),
    Field("answered", "set", "Seats that have answered whether they redraw.", RELATIVE_SEATS),
    Field("redraws", "set", "Seats that redraw: you; the others once all have answered.", RELATIVE_SEATS),
    Field("targets", "set", "Seats that zombies may still be sent to.", RELATIVE_SEATS),
    Field("flags", "set", "The final attack; expert mode; a second horde waits.", ("final", "expert", "horde waits")),
    Field("phase", "one", "What happens now.", PHASE_WORDS),
    Field("stage", "one", "What the active seat has begun.", ("undecided", "discarding", "playing")),
    Field("cause", "one", "Why a City card is turned, or zombies are sent.", CAUSES),
    Field("resume", "one", "Where the turn goes on afterwards.", ("main", "attack", "after attack")),
    Field("shows", "one", "The zombie on top of the City deck.", (*ZOMBIE_NAMES[:3], "nothing")),
    Field("active", "one", "Whose turn it is.", RELATIVE_SEATS),
    Field("place", "one", "The shelter that noise or an ambush is for.", RELATIVE_SEATS),
    Field("taker", "one", "Who is dealt a card.", RELATIVE_SEATS),
    Field("seats", "one", "How many seats there are.", tuple("23456")),
    Field("survivors", "one", "With how many survivors each began.", tuple(str(n) for n in FIRST_SURVIVORS)),
    Field("people", "number", "Survivors in each shelter.", RELATIVE_SEATS),
    Field("hand_len", "number", "Cards of each seat.", RELATIVE_SEATS),
    Field("zombies", "number", "Zombies in each shelter.", ZOMBIE_NAMES[:3], RELATIVE_SEATS),
    Field("row", "number", "Zombies turned up and not yet sent.", ZOMBIE_NAMES[:3]),
    Field("attackers", "number", "Zombies that attack and still live.", ZOMBIE_NAMES[:3]),
    Field("dead", "number", "Zombies that have left the game.", ZOMBIE_NAMES),
    Field(
        "counts", "number",
        "City cards, resource cards in the deck, City cards still to be turned, attackers stopped by barricades, "
        "survivors lost, renewals of the deck.",
        ("city", "deck", "turning", "stopped", "lost", "renewals"),
    ),
    Field("time", "number", "Turns played: whole rounds of all seats, and the rest.", ("rounds", "rest")),
    Field("quiet", "number", "Turns in a row that ended in the final attack with no zombie in any shelter."),
    Field("rules", "number", "The rules version."),
)  # fmt: skip


def score_range(seats: int) -> tuple[int, int]:
    """Z21: no survivor is left, or (a bound, not reached) all the City's survivors are in one shelter."""
    return 0, max(FIRST_SURVIVORS) + sum(BACKS)
