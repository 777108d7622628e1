"""What can go wrong with what people, bots and files hand us. Each error carries a sentence and is a ValueError."""

from __future__ import annotations

from tacit.core.messages import Message, render


class TacitError(ValueError):
    """Something was refused. `message` says why, as a code and parameters; `str()` says it in English."""

    def __init__(self, message: Message) -> None:
        super().__init__(render(message))
        self.message = message


class UnknownGame(TacitError):
    """There is no game of that name."""


class BadOptions(TacitError):
    """Seats or options that the game does not have."""


class IllegalDecision(TacitError):
    """A decision that cannot be read or is not allowed now. Nothing has changed."""


class BadRecord(TacitError):
    """A match record that cannot be replayed; `line` is the number of the first wrong line, counted from 1."""

    def __init__(self, line: int, reason: Message) -> None:
        super().__init__(Message("core.record.line", {"line": line, "reason": reason}))
        self.line = line
        self.reason = reason
