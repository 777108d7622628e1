"""Puzzles: moments of real matches at which one decision is clearly the best, by what its seat knows then.

A game brings them in `puzzles.json.gz` in its folder, the easiest first; `tacit puzzles` finds them.
"""

from __future__ import annotations

import gzip
import zlib
from functools import cache, cached_property
from importlib import resources
from pathlib import Path

import msgspec

from tacit.core.match import Match
from tacit.core.messages import Message, catalogue
from tacit.core.registry import game_named

FILE = "puzzles.json.gz"


class Puzzle(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """One moment, and which decision is the best there."""

    record: str
    """The record of the match up to the moment. It is the host's: it has every card."""
    seat: int
    """Who is asked."""
    answer: str
    """The best decision."""
    costs: dict[str, int]
    """What other decisions cost on average, in thousandths of a card, a point or a chance to win."""
    missed: int
    """How often our bots miss it, in thousandths."""

    @cached_property
    def match(self) -> Match:
        """The match at the moment; copy it before you play on."""
        return Match.load(self.record)

    def question(self, asked: Message) -> Message:
        """What is asked: which answer to the game's question, `asked`, is the best, and what the seats agreed on."""
        game = self.match.game.name
        if "puzzle" not in catalogue(game):
            return Message("core.puzzle.ask", {"what": asked})
        return Message("core.puzzle.ask-by", {"what": asked, "by": Message(f"{game}.puzzle")})

    def why(self, tried: str) -> Message:
        """Why the answer is the best: what `tried` (or the next best) costs on average, and the game says of it."""
        worse = {text: cost for text, cost in self.costs.items() if cost > 0}
        other = tried if tried in worse else min(worse, key=lambda text: worse[text])
        game, rules = self.match.game.name, self.match.game.rules
        whole, tenth = divmod(round(worse[other] / 100), 10)
        params = {"answer": rules.offer(self.answer), "other": rules.offer(other)}
        measured = {"whole": whole, "tenth": tenth, "n": round(worse[other] / 10)}  # n: a chance, in percent
        known = "better.average" in catalogue(game)
        cost = Message(f"{game}.better.average" if known else "core.puzzle.why", params | measured if known else params)
        said = self.match.why(self.seat, self.answer, other)
        return cost if said is None else Message("core.puzzle.why.both", {"cost": cost, "said": said})


def write_puzzles(path: Path, puzzles: list[Puzzle]) -> None:
    """Write puzzles as a file that `read_puzzles` reads; the same puzzles give the same bytes."""
    ordered = sorted(puzzles, key=lambda puzzle: (puzzle.missed, puzzle.record))
    path.write_bytes(gzip.compress(msgspec.json.encode(ordered), mtime=0))


def read_puzzles(data: bytes) -> list[Puzzle]:
    """The puzzles in a file's bytes. Raises ValueError if they are something else."""
    try:
        return msgspec.json.decode(gzip.decompress(data), type=list[Puzzle])
    except (msgspec.MsgspecError, OSError, EOFError, zlib.error) as error:
        raise ValueError(f"This is no file of puzzles ({error}).") from error


@cache
def puzzles_of(game: str) -> list[Puzzle]:
    """The puzzles that a game brings, the easiest first; [] if it brings none. Raises UnknownGame."""
    try:
        file = resources.files(game_named(game).module.__name__).joinpath(FILE)
        return read_puzzles(file.read_bytes())
    except (FileNotFoundError, ModuleNotFoundError, TypeError):  # TypeError: a game in one file has no folder
        return []
