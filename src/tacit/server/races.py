"""Races: moments in which the first seat to act takes the question from the others, as Silencio's start.

A bot is faster than any person, so the bots at a table leave a race to the people there: until each of them has acted
or declined, or `Config.race` seconds are over (`LiveTable.race_left`, `BotSeats.tend`).
"""

from __future__ import annotations

from tacit.core.match import Match
from tacit.server.bot_player import sealed_moment


def is_race(match: Match) -> bool:
    """True if several seats are due and a decision of one leaves none of the others due.

    Sealed choices are no race: there nobody may know who has decided. What hidden cards there are makes no difference.
    """
    due = match.due
    if len(due) < 2 or sealed_moment(match):
        return False
    first = min(due)
    trial = match.copy()
    trial.play(first, trial.legal(first)[0], settle=False)
    return not trial.due & (due - {first})
