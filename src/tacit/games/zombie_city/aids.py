"""What a seat of Zombie City can work out of hidden cards, and why a good player decides so."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tacit.core.bits import members
from tacit.core.messages import Message, messages_of, seat_words
from tacit.games.zombie_city.board import back_of, size
from tacit.games.zombie_city.model import *
from tacit.games.zombie_city.notation import CARD_NAMES, LOUD_NAMES, ZOMBIE_NAMES, card_names

if TYPE_CHECKING:
    from tacit.games.zombie_city.view import View

_say = messages_of("zombie-city")
KINDS_OF_REASON = {
    "walkie": "rescue",
    "flare": "rescue",
    "megaphone": "rescue",
    "barricade": "lay",
    "alarm": "lay",
    "mines": "lay",
}


def hidden(s: State, k: State) -> dict[str, list[str]]:
    """The others' hands, the resource deck, and the backs of the City deck, which nobody has seen."""
    places = {f"hand {q}": card_names(s.hand[q]) for q in range(s.seats) if s.hand[q] != k.hand[q]}
    backs = [ZOMBIE_NAMES[back_of(back)] for back in members(s.backs)]
    return {**places, "deck": card_names(s.pool), "city": backs if s.city > 0 else []}


def suffered(before: State, who: int, action: int, after: State) -> dict[int, dict[str, int]]:
    """The zombies that a decision brought into others' shelters, and the noise that it made there (Z11, Z13)."""
    found: dict[int, dict[str, int]] = {}
    for q in range(before.seats):
        came = size(after.zombies[q]) - size(before.zombies[q])
        if q != who and came > 0:
            found[q] = {"zombies": came}
    if before.phase == MAIN and A_DRONE <= action < A_SURPRISE:
        found.setdefault((action - A_DRONE) % 6, {})["noise"] = 1
    return found


# ------------------------------------------------------------------ reasons
def why(view: View, then: Callable[[str], View], better: str, worse: str | None) -> Message | None:
    """Why a good player decides so: of two decisions, only the worse makes noise (Z13), or kills fewer zombies."""
    if worse is None:
        return _reason(view, then(better), better)
    if _is_loud(worse) and not _is_loud(better):
        return _say("better.noise")
    more = _killed(better) - _killed(worse)
    if more > 0:
        return _say("better.kills", n=more)
    said = _reason(view, then(better), better)
    return None if said == _reason(view, then(worse), worse) else said


def _is_loud(text: str) -> bool:
    """Whether a decision makes noise; barriers make none when they are laid."""
    verb, *words = text.split(" ")
    laid = verb == "play" and words[0] in CARD_NAMES[BARRICADE : MINES + 1]
    return verb == "noise" or (verb in ("play", "use") and words[0] in LOUD_NAMES and not laid)


def _killed(text: str) -> int:
    """How many zombies a decision kills."""
    verb, *words = text.split(" ")
    kills = (verb == "play" and words[0] in CARD_NAMES[:WALKIE]) or (verb == "use" and words[0] == "mines")
    return len(words) - 1 if kills else 0


def _reason(before: View, after: View, text: str) -> Message:
    """First what it does to the next attack on the seat's own shelter."""
    verb, *words = text.split(" ")
    mine = [shelter.attack for view in (before, after) for shelter in view.shelters if shelter.seat == view.you]
    costs, will_cost = (0 if attack is None else attack.least for attack in mine)
    if will_cost < costs and verb in ("play", "use"):
        return _say("hint.safer" if will_cost else "hint.safe", n=will_cost, before=costs)
    if words and words[-1].isdigit():
        return _say("hint.rival", seat=seat_words(int(words[-1])))
    if verb == "play":
        return _say(f"hint.{KINDS_OF_REASON.get(words[0], 'kill')}")
    return _say(f"hint.{verb}")
