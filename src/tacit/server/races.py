"""Races: moments in which the first seat to act takes the question from the others, such as the start of Silencio.

Bots leave a race to people until each of them has acted or declined, or `Config.race` seconds are over
(`LiveTable.race_left`, `BotSeats.update`).
"""

from __future__ import annotations

from tacit.core.match import Match
from tacit.server.bot_player import sealed_moment


def is_race(match: Match) -> bool:
    """True if several seats are due and a decision of one leaves none of the others due.

    Sealed choices are no race: nobody may know who has decided. Hidden cards make no difference.
    """
    if match.due_bits.bit_count() < 2 or sealed_moment(match):
        return False
    due = match.due
    first = min(due)
    trial = match.copy()
    trial.play(first, trial.legal(first)[0], settle=False)
    return not trial.due & (due - {first})
