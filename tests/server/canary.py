"""Every card is a canary: what is sent to a seat may name a card only if the seat then knows where it is.

What a seat knows is asked of the game's rule `know` directly, record line by record line; not of the server, and not
of `Match.see`, which may be the one that leaks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from tacit import Match
from tacit.core.bits import members
from tacit.core.random_play import NOBODY
from tacit.games.silencio.notation import CARD_NAMES as SILENCIO
from tacit.games.silver_and_gold.deck import CARD_NAMES as ISLANDS
from tacit.games.zombie_city.model import FIELD
from tacit.games.zombie_city.notation import CARD_NAMES as RESOURCES

KINDS = "12345x"
# In every game `pool` holds, of a record of knowledge, the cards whose place the seat does not know.
HIDDEN: dict[str, Callable[[Any], set[str]]] = {
    "silencio": lambda k: {SILENCIO[c] for c in members(k.pool)},
    "silver-and-gold": lambda k: {ISLANDS[c] for c in members(k.pool)},
    "zombie-city": lambda k: {name for name, field in zip(RESOURCES, FIELD, strict=True) if k.pool & field == field},
    "silent-planet": lambda k: set(),  # its six kinds are everywhere; see `_rows`
    "toy": lambda k: {str(c + 1) for c in members(k.pool)},
}
NAMES = {
    "silencio": set(SILENCIO), "silver-and-gold": set(ISLANDS), "zombie-city": set(RESOURCES), "silent-planet": set(),
    "toy": set(),  # its cards are numbers, like seats
}  # fmt: skip


class Leak(AssertionError):
    """A client got something that it must not know."""


def words(value: Any) -> Iterator[str]:
    """Every word and whole number in a message."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from re.findall(r"[A-Za-z0-9]+", key)
            yield from words(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from words(inner)
    elif isinstance(value, str):
        yield from re.findall(r"[A-Za-z0-9]+", value)


class Moments:
    """What a seat knew after each line of a record, in the steps in which the lines were stored."""

    def __init__(
        self, game: str, seats: int, options: dict[str, Any], steps: list[list[str]], seat: int | None
    ) -> None:
        match = Match(game, seats, options, settle=False)
        self.game, self.seat = game, seat
        self.after: list[Any] = []  # by step: what the seat knew when it was over
        self.met: list[set[str]] = []  # by step: the cards hidden at no moment of it
        before = self._known(match)
        for lines in steps:
            hidden = HIDDEN[game](before)
            for line in lines:
                match.replay(line)
                before = self._known(match)
                hidden &= HIDDEN[game](before)
            self.after.append(before)
            self.met.append(hidden)

    def _known(self, match: Match) -> Any:
        k = match.game.State()
        match.game.module.know(match.state, NOBODY if self.seat is None else self.seat, k)
        return k

    def scan(self, seen: dict[str, Any], step: int, since: int) -> None:
        """What a seat was sent after a step: as it is now, and the lines heard since another step."""
        k, hidden = self.after[step], HIDDEN[self.game](self.after[step])
        now = {name: seen[name] for name in ("view", "legal", "offers")}
        self._nothing_of(hidden, _without_neutral(self.game, now), "sees")
        heard_hidden = set.intersection(*self.met[since : step + 1])
        # The toy game's cards are numbers, as its seats are: of its lines the last word is the card.
        lines = [line.split()[-1] for line in seen["heard"]] if self.game == "toy" else [seen["heard"], seen["told"]]
        self._nothing_of(heard_hidden, lines, "hears")
        for line in seen["heard"]:
            dealt = re.fullmatch(r"\* deal (\d+) (.+)", line)
            if dealt and dealt[1] != str(self.seat) and dealt[2] != "?":
                raise Leak(f"seat {self.seat} hears of another's card: {line}")
            laid = re.fullmatch(r"(\d+) place (\S+)", line)
            if laid and laid[1] != str(self.seat) and laid[2] != "?":
                raise Leak(f"seat {self.seat} hears of another's row: {line}")
        if self.game == "silent-planet":
            self._rows(seen["view"], k)

    def _rows(self, view: dict[str, Any], k: Any) -> None:
        """Silent Planet's kinds are everywhere: there the places are secret."""
        for row in (row for row in view["rows"] if row["seat"] != self.seat):
            for place in row["places"]:
                kind = k.row[row["seat"]] >> 4 * (place["position"] - 1) & 15
                if place["card"] is not None and place["card"] != (KINDS[kind - 1] if kind else None):
                    raise Leak(f"seat {self.seat} sees {place['card']} in the row of seat {row['seat']}")
        if self.seat is None and view["arranging"] is not None:
            raise Leak("a spectator sees a row being made")

    def _nothing_of(self, hidden: set[str], told: Any, does: str) -> None:
        found = hidden & set(words(told))
        if self.game == "toy" and isinstance(told, dict):
            found |= hidden & {str(card) for field in ("hand", "played") for card in told["view"][field]}
        if found:
            raise Leak(f"seat {self.seat} {does} {sorted(found)} and cannot know where they are")


def _without_neutral(game: str, now: dict[str, Any]) -> dict[str, Any]:
    """Silencio lists the cards that could still come into a row, with what is known of each: “unseen” tells nothing."""
    if game != "silencio":
        return now
    rows = [
        row | {"ahead": [stone for stone in row["ahead"] if stone["place"] != "unseen"]} for row in now["view"]["rows"]
    ]
    return now | {"view": now["view"] | {"rows": rows}}


def nothing_named(game: str, frame: dict[str, Any]) -> None:
    """Messages other than `seen` name no card while the match runs."""
    found = NAMES[game] & set(words(frame))
    if found:
        raise Leak(f"a {frame['type']} frame names {sorted(found)}")
