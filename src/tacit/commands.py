"""Shared parts of the commands: errors, checks of extras, parameter types."""

from __future__ import annotations

import math
from importlib.util import find_spec
from typing import Any

import click

from tacit.core.errors import TacitError
from tacit.core.game import Game
from tacit.core.registry import game_named

# The modules of each extra that a command needs; pyproject.toml has their distributions.
EXTRAS = {
    "arena": ("matplotlib", "scipy"),
    "cluster": ("ray",),
    "learn": ("torch",),
    "server": (
        "aiosqlite", "alembic", "asyncpg", "confusable_homoglyphs", "prometheus_client", "sqlalchemy", "starlette",
        "uvicorn", "websockets",
    ),
}  # fmt: skip


class Refused(click.ClickException):
    """Ends a command with an error message and exit status 1."""

    def show(self, file: Any = None) -> None:
        click.echo(click.style(self.format_message(), fg="red"), err=True)


def require_extra(extra: str, what: str) -> None:
    """Raise Refused with the pip command for an extra if its modules are missing; `what` begins the sentence."""
    missing = [module for module in EXTRAS[extra] if find_spec(module) is None]
    if missing:
        names = ", ".join(missing)
        raise Refused(f"{what} needs packages that are missing ({names}): pip install 'tacit-games[{extra}]'.")


class Number(click.FloatRange):
    """A finite number within bounds. (click's FloatRange accepts NaN.)"""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        number = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value!r} is not a finite number.", param, ctx)
        return number


def named_game(name: str) -> Game:
    """The game of that name; Refused if there is none."""
    try:
        return game_named(name)
    except TacitError as error:
        raise Refused(str(error)) from error
