"""The tracks: which line-ups are played, on which deals, and with which partners. docs/benchmark.md explains them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Literal

import msgspec

from tacit.bots.compiled import CompiledBot
from tacit.bots.registry import BOTS, EVERY_GAME, bot_named, bot_names, usual_bot
from tacit.core.game import Game
from tacit.core.keyed_chance import commitment, derive

TrackName = Literal["selfplay-v1", "aht-v1", "zsc-v1"]
Split = Literal["validation", "held-out"]
# How many deals a result that counts has, of each line-up.
DEALS: dict[TrackName, int] = {"selfplay-v1": 1000, "aht-v1": 500, "zsc-v1": 500}
TRAINING, VALIDATION = ("random",), ("gentle",)
# The arena's seeds of the deals that everybody may train and choose on. Those of held-out deals have bit 56.
PUBLIC_SEEDS = {"training": 1, "validation": 2}
HELD_OUT_BIT = 1 << 56


class Key(msgspec.Struct, frozen=True):
    """What the held-out deals of a season follow from; `key` and `salt` in hexadecimal."""

    name: str
    key: str
    salt: str

    @property
    def commitment(self) -> str:
        """What a result says of the key: it fixes the key, and tells nothing about it."""
        return commitment(bytes.fromhex(self.key), bytes.fromhex(self.salt))


# The season whose key everybody knows: its results can be checked by anybody, and trained for by anybody.
OPEN = Key(
    "open-1",
    derive(b"", "tacit benchmark open key 1").hex(),
    derive(b"", "tacit benchmark open salt 1").hex(),
)


class Part(msgspec.Struct, frozen=True):
    """Line-ups that play the same deals."""

    split: Split
    line_ups: tuple[tuple[str, ...], ...]


class Partners(msgspec.Struct, frozen=True):
    """The partners of `aht-v1`; no bot is in two of the three."""

    training: tuple[str, ...] = ()
    validation: tuple[str, ...] = ()
    held_out: tuple[str, ...] = ()

    @property
    def all(self) -> tuple[str, ...]:
        return (*self.training, *self.validation, *self.held_out)


def deal_seed(key: Key | None, track: TrackName, game: Game, split: Split) -> int:
    """The arena's seed of a split. Deal d of seed s has the number s * 2**32 + d, so splits have no deal in common.

    Raises ValueError for held-out deals without the key.
    """
    if split == "validation":
        return PUBLIC_SEEDS[split]
    if key is None:
        raise ValueError("Held-out deals need the key.")
    derived = derive(bytes.fromhex(key.key), "tacit benchmark 1", track, game.name)
    return HELD_OUT_BIT + int.from_bytes(derived[:7], "big")


def seats_of(game: Game) -> int:
    """How many seats the benchmark's matches have: one more than the game needs, if it has them."""
    return min(game.min_seats + 1, game.max_seats)


def baselines(game: Game) -> list[str]:
    """Our own bots of a game that are compiled, the weakest first; `random` is the first of them."""
    own = [name for of, name, _ in BOTS if of in (EVERY_GAME, game.name) and name in bot_names(game)]
    return [name for name in own if isinstance(bot_named(game, name), CompiledBot)]


def partners_of(game: Game) -> Partners:
    """The partners of `aht-v1` in a game: all baselines that are not for training or validation are held out."""
    held_out = [name for name in baselines(game) if name not in (*TRAINING, *VALIDATION)]
    known = set(baselines(game))
    return Partners(
        tuple(name for name in TRAINING if name in known),
        tuple(name for name in VALIDATION if name in known),
        tuple(held_out),
    )


def parts(track: TrackName, game: Game, entries: Sequence[str], partners: Partners) -> list[Part]:
    """What a track plays. The first bot of a line-up is the one that its values are of.

    Raises ValueError where the game or the entries do not fit the track.
    """
    seats = seats_of(game)
    if track == "selfplay-v1":
        rest = [] if game.cooperative else [usual_bot(game)]
        return [Part("held-out", tuple((name, *(rest or [name]) * (seats - 1)) for name in entries))]
    if not game.cooperative:
        raise ValueError(f"{track} is for co-operative games, and in {game.title} seats play against each other.")
    if track == "zsc-v1":
        if len(entries) < 2:
            raise ValueError("zsc-v1 needs two or more networks of one method, trained with different seeds.")
        return [Part("held-out", _pairs(entries, entries, seats))]
    if not partners.held_out:
        raise ValueError(f"{game.title} has no bots that can be held out as partners.")
    rows = list(dict.fromkeys([*baselines(game), *entries]))
    return [
        Part("validation", _pairs(rows, partners.held_out, seats)),
        Part("held-out", _pairs(rows, partners.all, seats)),
    ]


def _pairs(rows: Sequence[str], columns: Sequence[str], seats: int) -> tuple[tuple[str, ...], ...]:
    """One seat of each of `rows` with each of `columns` on all other seats."""
    return tuple((row, *[column] * (seats - 1)) for row, column in product(rows, columns))
