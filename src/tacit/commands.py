"""What the commands share: errors, checks of extras, options, reading of files."""

from __future__ import annotations

import math
import sys
import warnings
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from tacit.core.errors import DeckWarning, TacitError
from tacit.core.game import Game
from tacit.core.match import Match
from tacit.core.registry import game_named

# The modules of each extra that a command needs; pyproject.toml has their distributions.
EXTRAS = {
    "arena": ("matplotlib", "scipy"),
    "bench": ("simpy",),
    "cluster": ("ray",),
    "data": ("pyarrow",),
    "learn": ("torch",),
    "server": (
        "aiosqlite", "alembic", "asyncpg", "confusable_homoglyphs", "cryptography", "http_ece", "httpcore", "httptools",
        "openskill", "prometheus_client", "py_vapid", "redis", "sqlalchemy", "starlette", "tzdata", "uvicorn",
        "webauthn", "websockets",
    ),
}  # fmt: skip
DECK = click.option(
    "--deck",
    type=click.Path(path_type=Path),
    help="A deck file, in games with custom decks (see tacit check FILE.deck).",
)
OPTION = click.option(
    "--option",
    "-o",
    "pairs",
    multiple=True,
    metavar="NAME=VALUE",
    help="An option of the game, e.g. tavern=true; may be repeated.",
)


class Refused(click.ClickException):
    """Ends a command with an error message and exit status 1."""

    def show(self, file: Any = None) -> None:
        click.echo(click.style(self.format_message(), fg="red"), err=True)


def search_here() -> str:
    """Find modules in this folder too, where your own bots are; returns the folder."""
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.append(here)
    return here


def require_extra(extra: str, what: str, without: str = "") -> None:
    """Raise Refused with the pip command for an extra if its modules are missing; `what` begins the sentence.

    The module `without` is not needed.
    """
    missing = [module for module in EXTRAS[extra] if module != without and find_spec(module) is None]
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


def load_match(path: Path, deck: Path | None = None) -> Match:
    """The match of a record file; Refused with the first error."""
    try:
        return Match.load(read_text(path), deck=deck_text(deck))
    except TacitError as error:
        raise Refused(f"{path}: {error}") from error


def deck_text(path: Path | None) -> str | None:
    """The text of a deck file, or None. Warnings about the deck are printed in yellow when it is used."""

    def say(message: object, category: type[Warning], *_: object) -> None:
        click.echo(click.style(f"{path}: {message}", fg="yellow"), err=True)

    if path is not None:
        warnings.showwarning = say  # type: ignore[assignment]
        warnings.simplefilter("always", DeckWarning)
    return None if path is None else read_text(path)


def with_deck(game: Game, deck: Path | None) -> Game:
    """The game, with the deck of a file if one is given."""
    try:
        return game if deck is None else game.with_deck(deck_text(deck))
    except TacitError as error:
        raise Refused(f"{deck}: {error}") from error


def read_text(path: Path) -> str:
    """The text of a file; Refused if it cannot be read."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise Refused(f"{path}: this is not a UTF-8 text file.") from error
    except OSError as error:
        raise Refused(f"{path}: {error.strerror}.") from error


def parse_options(pairs: tuple[str, ...]) -> dict[str, Any]:
    """Parse options such as `tavern=true`; values are written as in records."""
    options: dict[str, Any] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise Refused(f"Write an option as name=value, not “{pair}”.")
        words = {"true": True, "false": False}
        options[name] = words.get(value, int(value) if value.lstrip("-").isdecimal() else value)
    return options
