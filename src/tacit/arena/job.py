"""A job: a game, line-ups of bots and a seed. Together they determine every match."""

from __future__ import annotations

import hashlib
import sys
import warnings
from collections.abc import Mapping, Sequence

import msgspec

from tacit.bots.registry import bot_named, register_bot, target_of
from tacit.core import registry
from tacit.core.game import Game, OptionValue


class Job(msgspec.Struct, frozen=True):
    """A match is determined by its job and its number, on every machine.

    With L line-ups, match m is line-up m % L on deal m // L: all line-ups play a deal before the next one. On deal d
    each line-up is rotated by d seats.
    """

    game: str
    module: str  # the game's module
    rules_version: int
    seats: int
    options: dict[str, OptionValue]
    line_ups: tuple[tuple[str, ...], ...]  # names of bots
    bots: dict[str, str]  # name -> "package.module" or "package.module:Class"
    seed: int = 0
    playouts: int | None = None  # the bots' budget for a decision
    milliseconds: float | None = None
    deck: str | None = None  # the text of a custom deck
    path: tuple[str, ...] = ()  # folders added to sys.path

    def digest(self) -> str:
        """An identifier of the job that does not depend on `path`."""
        plain = msgspec.structs.replace(self, path=())
        return hashlib.sha256(msgspec.json.encode(plain, order="sorted")).hexdigest()[:12]

    def deal(self, match: int) -> int:
        return match // len(self.line_ups)

    def line_up(self, match: int) -> int:
        return match % len(self.line_ups)

    def deal_seed(self, deal: int) -> int:
        """The seed of a deal's chance, the same for all line-ups."""
        return (self.seed << 32) + deal

    def seating(self, match: int) -> tuple[str, ...]:
        """The bot on each seat."""
        names, turn = self.line_ups[self.line_up(match)], self.deal(match) % self.seats
        return tuple(names[(seat - turn) % self.seats] for seat in range(self.seats))

    def seat_of(self, match: int, member: int) -> int:
        """The seat of the line-up's n-th bot, n = `member`, in a match."""
        return (member + self.deal(match)) % self.seats

    def load_game(self) -> Game:
        """Register the game and the bots in this process; returns the game."""
        for folder in self.path:
            if folder not in sys.path:
                sys.path.append(folder)
        if self.game not in registry.game_names():
            registry.register(self.game, self.module)
        game = registry.game_named(self.game)
        if self.deck is not None:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # already shown when the job was made
                game = game.with_deck(self.deck)
        for name, target in self.bots.items():
            if name != target:
                register_bot(self.game, name, target)
        return game


def make_job(
    game: Game, line_ups: Sequence[Sequence[str]], options: Mapping[str, OptionValue] | None = None, *,
    seed: int = 0, playouts: int | None = None, milliseconds: float | None = None, path: Sequence[str] = (),
    rules_version: int | None = None,
) -> Job:  # fmt: skip
    """A checked job. Raises TacitError or ValueError if the game lacks the seats, the options or a bot."""
    if not line_ups:
        raise ValueError("The arena needs at least one line-up.")
    seats = len(line_ups[0])
    if any(len(line_up) != seats for line_up in line_ups):
        raise ValueError("All line-ups must have the same number of seats.")
    whole = game.check(seats, options)
    bots = {name: target_of(game, name) for line_up in line_ups for name in line_up}
    for name in bots:
        bot_named(game, name)
    return Job(
        game=game.name, module=game.module.__name__, rules_version=game.check_rules(rules_version),
        seats=seats, options=whole,
        line_ups=tuple(tuple(line_up) for line_up in line_ups), bots=bots, seed=seed, playouts=playouts,
        milliseconds=milliseconds, deck=game.deck_text, path=tuple(path),
    )  # fmt: skip
