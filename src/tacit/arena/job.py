"""What is to be played: a game, line-ups of bots, and a seed from which all else follows."""

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
    """Every match of a job is decided by the job and the match's number, on whatever machine it is played.

    Match number m is of line-up m % L on deal m // L, so all line-ups play a deal before the next; on deal d the
    line-up sits down d places further round the table.
    """

    game: str
    module: str  # where the game is to be found
    rules_version: int
    seats: int
    options: dict[str, OptionValue]
    line_ups: tuple[tuple[str, ...], ...]  # names of bots
    bots: dict[str, str]  # where each of them is to be found
    seed: int = 0
    playouts: int | None = None  # the bots' budget for a decision
    milliseconds: float | None = None
    deck: str | None = None  # the text of a deck in place of the game's own
    path: tuple[str, ...] = ()  # folders in which modules are looked for besides

    def digest(self) -> str:
        """A name for the job, whatever folder it is run from."""
        plain = msgspec.structs.replace(self, path=())
        return hashlib.sha256(msgspec.json.encode(plain, order="sorted")).hexdigest()[:12]

    def deal(self, match: int) -> int:
        return match // len(self.line_ups)

    def line_up(self, match: int) -> int:
        return match % len(self.line_ups)

    def number(self, deal: int) -> int:
        """The seed of a deal's chance: the same for all line-ups."""
        return (self.seed << 32) + deal

    def seating(self, match: int) -> tuple[str, ...]:
        """Which bot sits on which seat."""
        names, turn = self.line_ups[self.line_up(match)], self.deal(match) % self.seats
        return tuple(names[(seat - turn) % self.seats] for seat in range(self.seats))

    def place(self, match: int, member: int) -> int:
        """On which seat a member of the line-up (counted as it is written) sits in a match."""
        return (member + self.deal(match)) % self.seats

    def known(self) -> Game:
        """The game, with game and bots made known to this process."""
        for folder in self.path:
            if folder not in sys.path:
                sys.path.append(folder)
        if self.game not in registry.game_names():
            registry.register(self.game, self.module)
        game = registry.game_named(self.game)
        if self.deck is not None:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # what is odd about a deck was said when the job was made
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
    """A job, checked: the seats, the options and the bots are ones the game has; TacitError or ValueError if not."""
    if not line_ups:
        raise ValueError("An arena needs at least one line-up.")
    seats = len(line_ups[0])
    if any(len(line_up) != seats for line_up in line_ups):
        raise ValueError("All line-ups need as many seats as the first.")
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
