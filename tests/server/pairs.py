"""Two matches that differ only in what some eyes do not know: other cards dealt face down, other sealed choices."""

from __future__ import annotations

import random
from typing import Any

import msgspec

from tacit import Match
from tacit.core.random_play import CHANCE

TRIED = 40  # other outcomes or decisions that are looked at in one moment
ATTEMPTS = 40  # to find a pair
ENOUGH = 5  # decisions after the two went apart
DIFFERENCES = 3  # moments in which the two go apart by choice; later ones only where they must


class Pair(msgspec.Struct):
    """Two records of one length. Line by line the same seat or chance acts, and the eyes see the same."""

    game: str
    seats: int
    options: dict[str, Any]
    eyes: int | None
    records: tuple[Match, Match]

    @property
    def apart(self) -> list[int]:
        """The lines in which they differ."""
        one, two = (match.lines for match in self.records)
        return [i for i, (a, b) in enumerate(zip(one, two, strict=True)) if a != b]

    def decisions(self, after: int = 0) -> list[str]:
        """The decisions of the first one, from a line on."""
        return [line for line in self.records[0].lines[after:] if not line.startswith("*")]


def pair_for(game: str, seats: int, options: dict[str, Any], eyes: int | None, seed: int, most: int = 60) -> Pair:
    """A pair of matches that goes on for a while after it went apart; LookupError if none is found.

    Where only sealed choices are hidden it goes on until they are opened, and no longer.
    """
    best, after = None, 0
    for attempt in range(ATTEMPTS):
        pair = _tried(game, seats, options, eyes, random.Random(f"{game} {eyes} {seed} {attempt}"), most)
        if pair.apart and len(pair.decisions(pair.apart[0])) > after:
            best, after = pair, len(pair.decisions(pair.apart[0]))
        if after >= ENOUGH:
            break
    if best is not None:
        return best
    raise LookupError(f"{game}: nothing is hidden from {eyes}")


def _tried(game: str, seats: int, options: dict[str, Any], eyes: int | None, rng: random.Random, most: int) -> Pair:
    one, two = (Match(game, seats, options, settle=False, seed=0) for _ in range(2))
    quiet, differences = (one.copy(), two.copy()), 0  # as they were when a seat was last due
    while len(one.lines) < most and not one.over:
        chance = one.game.rules.due(one.state) == CHANCE
        who: Any = "*" if chance else rng.choice(sorted(one.due))
        texts = list(one.chance()) if chance else one.legal(who)
        text = rng.choice(texts)
        one.play(who, text, settle=False)
        others = [] if who == eyes else _others(two, who, rng)
        wanted = [*others, text] if differences < DIFFERENCES else [text, *others]
        found = next((match for match in (_alike(one, two, eyes, who, other) for other in wanted) if match), None)
        if found is None:
            break
        differences += found.lines[-1] != one.lines[-1]
        two = found
        if one.due and not one.over:
            quiet = (one.copy(), two.copy())
    return Pair(game, seats, options, eyes, quiet)


def _others(match: Match, who: Any, rng: random.Random) -> list[str]:
    found = list(match.chance()) if who == "*" else match.legal(who)
    return rng.sample(found, min(len(found), TRIED))


def _alike(one: Match, two: Match, eyes: int | None, who: Any, text: str) -> Match | None:
    """The second match after this, if it then looks to the eyes as the first does."""
    match = two.copy()
    try:
        match.play(who, text, settle=False)
    except ValueError:
        return None
    same = one.game.rules.due(one.state) == match.game.rules.due(match.state)
    return match if same and one.see(eyes) == match.see(eyes) else None
