"""Errors in what people, bots and files hand in. Each is a ValueError with a message for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

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


class Finding(msgspec.Struct, frozen=True):
    """An error or a warning about a file: its line (from 1), its severity, and a message."""

    line: int
    severity: Literal["error", "warning"]
    message: Message

    def __str__(self) -> str:
        return render(Message("core.record.line", {"line": self.line, "reason": self.message}))


class BadDeck(TacitError):
    """A deck that cannot be played with; `findings` has all errors and warnings, in the order of its lines."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        self.findings = list(findings)
        errors = [f for f in findings if f.severity == "error"]
        first = Message("core.record.line", {"line": errors[0].line, "reason": errors[0].message})
        super().__init__(Message("core.deck.refused", {"n": len(errors), "first": first}))

    def __str__(self) -> str:
        """Every error, a line each."""
        return "\n".join(str(f) for f in self.findings if f.severity == "error")


class DeckWarning(UserWarning):
    """A deck has other figures than the game's own; it can be played with."""
