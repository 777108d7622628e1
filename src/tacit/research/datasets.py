"""Records as arrays: `read_records("matches/")` turns what `tacit arena … --records matches/` wrote into a dataset."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from tacit.core.errors import TacitError
from tacit.core.game import Game
from tacit.core.match import Match
from tacit.core.random_play import CHANCE
from tacit.core.registry import game_named
from tacit.research.observations import tensor
from tacit.research.quick_records import quick_arrays

FEW = 500  # records: fewer are read before the compiler is done


@dataclass(frozen=True)
class Dataset:
    """Every decision of some matches, in their order; row i of each array is one decision.

    `match` is the number of its match in `names` and of its row in `scores`; `mask` has its legal decisions, `action`
    the one made. A seat's observation is made from what it knew: nothing in a row tells more than the seat could know
    but `scores`, which is how the match ended (0 for seats that were not at the table).
    """

    game: str
    """The game's name."""
    names: Sequence[str]
    """The names of the records."""
    bots: Sequence[Sequence[str]]
    """Who sat where in each match, where a record's tags say so."""
    scores: Any
    """(matches, most seats), float32: how each match ended."""
    finished: Any
    """(matches), bool: the others have no scores."""
    match: Any
    """(decisions), int64: which match."""
    seat: Any
    """(decisions), int64: who decided."""
    action: Any
    """(decisions), int64: what it decided."""
    mask: Any
    """(decisions, actions), bool: what it could have decided."""
    observation: Any
    """(decisions, cells), int8: what it observed."""

    def __len__(self) -> int:
        return len(self.action)

    def save(self, path: Path | str) -> None:
        """Write it to one compressed file, which `Dataset.load` reads."""
        arrays = {field.name: np.asarray(getattr(self, field.name)) for field in fields(self) if field.name != "bots"}
        seats = max((len(names) for names in self.bots), default=0)
        padded = [[*names, *[""] * (seats - len(names))] for names in self.bots]
        np.savez_compressed(path, allow_pickle=False, bots=np.array(padded, dtype=str), **arrays)

    @classmethod
    def load(cls, path: Path | str) -> Dataset:
        """The dataset in a file that `save` wrote."""
        with np.load(path, allow_pickle=False) as file:
            arrays = {field.name: file[field.name] for field in fields(cls)}
        arrays["game"], arrays["names"] = str(arrays["game"]), arrays["names"].tolist()
        arrays["bots"] = [[name for name in names if name] for names in arrays["bots"].tolist()]
        return cls(**arrays)


def read_records(place: Path | str, *, deck: object = None) -> Dataset:
    """The dataset of a record, or of all records (`*.tacit`) in a folder, in the order of their names.

    All must be of one game; ValueError names the record that is not, or that cannot be replayed. A game with a
    deck of one's own needs that `deck`. Many records are replayed compiled, which is compiled at the first call.
    """
    path = Path(place)
    folder = path if path.is_dir() else path.parent
    names = sorted(n for n in os.listdir(path) if n.endswith(".tacit")) if folder is path else [path.name]
    if not names:
        raise ValueError(f"There are no records (*.tacit) in {path}.")
    arrays = quick_arrays(folder, names, deck) if len(names) >= FEW else None
    return from_matches(_read([folder / name for name in names], deck)) if arrays is None else Dataset(**arrays)


def _read(paths: Iterable[Path], deck: object) -> Iterable[tuple[str, Match]]:
    for path in paths:
        try:
            yield path.name, Match.load(path.read_text(encoding="utf-8"), deck=deck)
        except (TacitError, OSError, UnicodeDecodeError) as error:
            raise ValueError(f"{path}: {error}") from error


def from_matches(matches: Iterable[tuple[str, Match]]) -> Dataset:
    """The dataset of some matches and their names."""
    game: Game | None = None
    names: list[str] = []
    bots: list[list[str]] = []
    scores, finished, rows = [], [], []
    for number, (name, match) in enumerate(matches):
        game = game or match.game
        if match.game is not game:
            raise ValueError(f"{name} is a match of {match.game.title}, and the others are of {game.title}.")
        names.append(name)
        bots.append([match.tags[f"seat{q}"] for q in range(match.seats) if f"seat{q}" in match.tags])
        out = [0] * game.max_seats
        if match.over:
            game.rules.score(match.state, out)
        scores.append([*out[: match.seats], *[0] * (game.max_seats - match.seats)])
        finished.append(match.over)
        rows += [(number, *row) for row in _rows(match)]
    if game is None:
        raise ValueError("There are no matches to make a dataset of.")
    mask = np.zeros((len(rows), game.actions), np.bool_)
    for i, row in enumerate(rows):
        mask[i, row[3]] = True
    return Dataset(
        game=game.name,
        names=names,
        bots=bots,
        scores=np.array(scores, np.float32),
        finished=np.array(finished, np.bool_),
        match=np.array([row[0] for row in rows], np.int64),
        seat=np.array([row[1] for row in rows], np.int64),
        action=np.array([row[2] for row in rows], np.int64),
        mask=mask,
        observation=np.array([row[4] for row in rows], np.int8).reshape(-1, game.observation),
    )


def _rows(match: Match) -> Iterable[tuple[int, int, list[int], Any]]:
    """Each decision of a match: the seat, what it decided, what it could have, what it observed."""
    game, state = match.game, match.begun()
    for who, action in match.steps:
        if who != CHANCE:
            k = game.know(state, who)
            yield who, action, game.legal(k, who), tensor(game, k, who)
        game.rules.step(state, who, action)


def game_of(dataset: Dataset) -> Game:
    """The game that a dataset is of."""
    return game_named(dataset.game)
