"""Taking back a decision that nobody was told of: which one, and the match without it.

While the choices of a moment are sealed (the rule `sealed`), no other seat can see or count what a seat decides, and
chance does not act. `core/laws/undo.py` checks both ways: what can be taken back was told to nobody, and what cannot
was told.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tacit.core.match import Match


def undoable_line(match: Match[Any, Any], seat: int) -> int | None:
    """The index of the line that a seat may take back now; None if there is none. Follows from what the seat knows.

    In a silent game a seat that is done may say once in a moment that it is not: more often would be a signal.
    """
    begun = match.moment_began
    if begun is None or (is_done(match, seat) and match.game.silent and seat in match.reopened):
        return None
    lines, own = match.lines, f"{seat} "
    for i in range(len(lines) - 1, begun - 1, -1):
        if lines[i].startswith(own):
            return i
    return None


def is_done(match: Match[Any, Any], seat: int) -> bool:
    """Has a seat nothing more to choose in this sealed moment? The others may know that."""
    return not match.due_bits >> seat & 1


def without(match: Match[Any, Any], at: int) -> Match[Any, Any]:
    """The match without the line `at` of this sealed moment, which its record annuls: played again from its beginning,
    for that is rare, and a copy of every moment is not.
    """
    from tacit.core.match import Match

    again: Match[Any, Any] = Match(
        match.game, match.seats, match.options, settle=False, rules_version=match.rules_version
    )  # fmt: skip
    for i, line in enumerate(match.lines):
        if i != at:
            again.replay(line)
    before = [one for one in match.annulled if one[0] <= at]
    later = [(number - 1, line) for number, line in match.annulled if number > at]
    again.annulled = [*before, (at, match.lines[at]), *later]
    return again
