"""What the commands of the command line share."""

from __future__ import annotations

from typing import Any

import click

from tacit.core.errors import TacitError
from tacit.core.game import Game
from tacit.core.registry import game_named


class Refused(click.ClickException):
    """A sentence, and exit status 1."""

    def show(self, file: Any = None) -> None:
        click.echo(click.style(self.format_message(), fg="red"), err=True)


def named_game(name: str) -> Game:
    try:
        return game_named(name)
    except TacitError as error:
        raise Refused(str(error)) from error
