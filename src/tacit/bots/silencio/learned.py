"""`learned` at Silencio: a network that learned by playing billions of decisions with itself (docs/bots/learned.md)."""

from __future__ import annotations

from pathlib import Path

from tacit.bots.network.policy import choose_of
from tacit.core.registry import game_named
from tacit.core.rulekit import rule
from tacit.games.silencio.model import A_CLAIM, A_SEND, State

NAME, GAME = "learned", "silencio"
STYLE = "Remembers who played what, reads much from it, and seldom leaves a card."
ASSUMES = "Partners that play and read as it does."
FILE = Path(__file__).with_name("learned.npz")


@rule
def turned(k: State, action: int) -> int:
    """The number of a decision if whoever claimed the start had seat 0, as in training; it matters where it names a
    seat: from A_SEND up to A_CLAIM, four numbers for four seats."""
    seat = (action - A_SEND) % 4
    if action < A_SEND or action >= A_CLAIM or seat >= k.seats or k.starter < 0:
        return action
    return action - seat + (seat - k.starter) % k.seats


choose = choose_of(FILE, game_named(GAME), turned)
