"""Refusals: a message and its HTTP status."""

from __future__ import annotations

from typing import Any

from tacit.core.errors import TacitError
from tacit.core.messages import Message, catalogue_home, render
from tacit.server.protocol import Refused

catalogue_home("server", "tacit.server")


class RequestRefused(TacitError):
    """A request or command that was refused. Nothing has changed."""

    def __init__(self, message: Message, status: int = 409) -> None:
        super().__init__(message)
        self.status = status


def refuse(code: str, status: int = 409, **params: Any) -> RequestRefused:
    """A refusal with a code of the server's catalogue."""
    return RequestRefused(Message(f"server.{code}", params), status)


def refused(error: TacitError, id: int | None = None) -> Refused:
    """The `refused` message for an error."""
    return Refused(reason=error.message, sentence=render(error.message), id=id)
