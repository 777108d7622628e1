"""Refusals: every one is a sentence, with the HTTP status it travels under."""

from __future__ import annotations

from typing import Any

from tacit.core.errors import TacitError
from tacit.core.messages import Message, catalogue_home, render
from tacit.server.protocol import Refused

catalogue_home("server", "tacit.server")


class RequestRefused(TacitError):
    """A command that is not carried out; nothing has changed."""

    def __init__(self, message: Message, status: int = 409) -> None:
        super().__init__(message)
        self.status = status


def refuse(code: str, status: int = 409, **params: Any) -> RequestRefused:
    """The refusal with a code of this room's catalogue."""
    return RequestRefused(Message(f"server.{code}", params), status)


def refused(error: TacitError, id: int | None = None) -> Refused:
    """A refusal as it goes over the wire."""
    return Refused(reason=error.message, sentence=render(error.message), id=id)
