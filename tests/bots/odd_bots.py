"""Bots that behave badly, each in its own way, and a few that behave: material for tests."""

from __future__ import annotations

import time

from tacit.bots import Turn


class Polite:
    """Takes the first decision on its list."""

    NAME, STYLE, ASSUMES = "polite", "Takes what is offered first.", "Nothing."

    def decide(self, turn: Turn) -> str:
        return turn.legal[0]


class Gambler(Polite):
    NAME = "gambler"

    def decide(self, turn: Turn) -> str:
        return turn.rng.choice(turn.legal)


class Raises(Polite):
    NAME = "raises"

    def decide(self, turn: Turn) -> str:
        raise ZeroDivisionError("nothing to divide")


class Exits(Polite):
    NAME = "exits"

    def decide(self, turn: Turn) -> str:
        raise SystemExit(3)


class Hangs(Polite):
    """Decides for ever, until it is interrupted."""

    NAME = "hangs"

    def decide(self, turn: Turn) -> str:
        while True:
            pass


class Sleeps(Polite):
    """Stuck outside Python: nothing can interrupt it."""

    NAME = "sleeps"

    def decide(self, turn: Turn) -> str:
        time.sleep(60.0)
        return turn.legal[0]


class Ponders(Polite):
    """Takes all the time it is given."""

    NAME = "ponders"

    def decide(self, turn: Turn) -> str:
        time.sleep((turn.budget.milliseconds or 0.0) / 1000)
        return turn.legal[0]


class Illegal(Polite):
    NAME = "illegal"

    def decide(self, turn: Turn) -> str:
        return "fly away"


class Mute(Polite):
    NAME = "mute"

    def decide(self, turn: Turn) -> str:
        return None  # type: ignore[return-value]


class Meddler(Polite):
    """Writes over all it was given."""

    NAME = "meddler"

    def decide(self, turn: Turn) -> str:
        answer = turn.legal[0]
        for name in turn.k._scalars:
            setattr(turn.k, name, 99)
        turn.events[:] = 7
        return answer


class Nods(Polite):
    """Signals where it may, until it has heard itself: an answer that came too late was not given."""

    NAME = "nods"

    def decide(self, turn: Turn) -> str:
        pointing = any(text.startswith("point") for text in turn.legal)
        if pointing and turn.seats > 2 and f"! {turn.seat} nod" not in turn.heard:
            return "! nod"
        return turn.legal[-1]


class Prepares(Polite):
    """Has something to compile before it can think."""

    NAME, warm = "prepares", False

    @classmethod
    def warm_up(cls, turn: Turn) -> None:
        cls.warm = turn.legal[0] != ""


class Impatient(Prepares):
    """As if somebody would not wait for it."""

    NAME, warm = "impatient", False

    @classmethod
    def warm_up(cls, turn: Turn) -> None:
        raise KeyboardInterrupt
