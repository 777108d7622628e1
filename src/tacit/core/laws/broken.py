"""The error of a broken law."""

from __future__ import annotations

from tacit.core.match import Match


class LawBroken(AssertionError):
    """A game broke a law: the name of the `law`, what was `found`, and the record of the `match` up to there."""

    def __init__(self, law: str, found: object, match: Match | None = None) -> None:
        super().__init__(f"{law}: {found}" + (f"\n{match}" if match is not None else ""))
        self.law = law
