"""Large datasets as a folder of shards: bots' matches written at compiled speed, and readers for them.

    make("silencio", "data", matches=100_000, seats=3)
    for shard in Shards("data"):
        shard["observation"], shard["mask"], shard["action"], shard["value"]

A shard is a compressed NumPy file, or a Parquet file (`pip install 'tacit-games[data]'`). docs/datasheet.md describes
it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np

import tacit
from tacit.bots.compiled import CompiledBot
from tacit.bots.registry import bot_named, usual_bot
from tacit.core.game import Game, OptionValue
from tacit.core.registry import game_named
from tacit.core.rulekit import build
from tacit.research import bot_matches
from tacit.research.bot_matches import ROWS, SIGNAL_COLUMNS, SIGNALS

Shard = dict[str, Any]
FileFormat = Literal["npz", "parquet"]
FORMAT = "tacit-shards 1"
ABOUT = "dataset.json"
ROWS_OF_A_SHARD = 65_536  # or more, where a match may be longer


def make(
    game: str | Game, folder: Path | str, *, matches: int, seats: int, options: Mapping[str, OptionValue] | None = None,
    bots: Sequence[str] = (), seed: int = 0, file_format: FileFormat = "npz", on_shard: Any = None,
) -> Shards:  # fmt: skip
    """Let compiled bots play, and write every decision down. Match i of the dataset is `Match(…, seed=seed + i)`.

    Args:
        game: The game's name, or a `Game`.
        folder: Where the shards go; it must not hold a dataset yet.
        matches: How many.
        seats: How many seats each match has.
        options: The game's options by name.
        bots: Compiled bots; each plays all seats of an equal part of the matches (default: the usual bot).
        seed: The seed of the first match.
        file_format: `"npz"`, or `"parquet"`.
        on_shard: Called with the number of matches written so far.

    Raises:
        ValueError: A bot is not compiled, or the folder has a dataset.
        TacitError: The seats or an option are not possible, or there is no such bot.
    """
    rules = game if isinstance(game, Game) else game_named(game)
    chosen = rules.check(seats, options)
    names = list(bots) or [usual_bot(rules)]
    compiled = {name: bot_named(rules, name) for name in names}
    for name, bot in compiled.items():
        if not isinstance(bot, CompiledBot):
            raise ValueError(f"{name} is not compiled, and datasets of this size are made by compiled bots alone.")
    place = Path(folder)
    if (place / ABOUT).exists():
        raise ValueError(f"{place} has a dataset already: choose another folder.")
    place.mkdir(parents=True, exist_ok=True)
    work = bot_matches.workspace(rules, seats, chosen, matches, max(ROWS_OF_A_SHARD, 2 * rules.max_decisions))
    files: list[dict[str, Any]] = []
    done = 0
    for number, (name, bot) in enumerate(compiled.items()):
        module: Any = bot.module  # type: ignore[attr-defined]  # compiled, as checked above
        play = build(rules.module, "cpu", drivers=[module, bot_matches]).write_matches
        until = matches * (number + 1) // len(names)
        while done < until:
            n = int(play(work, seed + done, until - done, rules.max_decisions, rules.signal_limit))
            file = f"{len(files):05}.{file_format}"
            shard = _shard(rules, work, done, n)
            _write(place / file, shard)
            files.append({"file": file, "bot": name, "matches": n, "rows": len(shard["action"])})
            done += n
            if on_shard is not None:
                on_shard(done)
    about = {
        "format": FORMAT, "tacit": tacit.__version__, "game": rules.name, "rules_version": rules.rules_version,
        "seats": seats, "options": chosen, "seed": seed, "matches": done, "rows": sum(one["rows"] for one in files),
        "cells": rules.observation, "actions": rules.actions, "signals": list(rules.signals), "files": files,
    }  # fmt: skip
    (place / ABOUT).write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")  # last: a folder with it is whole
    return Shards(place)


def _shard(game: Game, work: bot_matches.Workspace, first: int, matches: int) -> Shard:
    """What was just written down, as arrays of their own."""
    rows, signals = int(work.at[ROWS]), int(work.at[SIGNALS])
    match, seat, action = work.row[:rows].T
    bits = np.unpackbits(work.legal[:rows].view(np.uint8), axis=1, bitorder="little")
    shard = {
        "match": (match + first).astype(np.int64),
        "seat": seat.astype(np.int8),
        "action": action.astype(np.int16),
        "value": work.scores[match, seat].astype(np.float32),
        "mask": bits[:, : game.actions].astype(np.bool_),
        "observation": work.observation[:rows].copy(),
    }
    for column, name in enumerate(SIGNAL_COLUMNS):
        shard[f"signal_{name}"] = work.signals[:signals, column] + (first if name == "match" else 0)
    return shard


class Shards:
    """A dataset in a folder. Iterating gives shard after shard, as dictionaries of NumPy arrays.

    Row i of a shard is one decision: `observation`, `mask`, `action`, `seat`, `match`, and `value`, the score that the
    seat reached in the end. Signals have rows of their own: `signal_match`, `signal_seat`, `signal_signal` (the number
    in the game's list), and `signal_row`, the decision of this shard before which it was given.

    Args:
        folder: The folder that `make` wrote.

    Attributes:
        folder: The folder.
        about: What `dataset.json` says: game, versions, seed, bots, files.

    Raises:
        ValueError: The folder has no whole dataset, or one of another format.
    """

    def __init__(self, folder: Path | str) -> None:
        self.folder = Path(folder)
        try:
            self.about: dict[str, Any] = json.loads((self.folder / ABOUT).read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise ValueError(f"{self.folder} has no whole dataset ({ABOUT} cannot be read).") from error
        if self.about.get("format") != FORMAT:
            raise ValueError(f"{self.folder} is not of the format “{FORMAT}”.")

    def __len__(self) -> int:
        """How many decisions there are."""
        return int(self.about["rows"])

    def __iter__(self) -> Iterator[Shard]:
        for one in self.about["files"]:
            yield _read(self.folder / one["file"])

    def torch(self, batch_size: int, *, seed: int | None = None) -> Iterator[dict[str, Any]]:
        """Batches of decisions as PyTorch tensors; with a seed, shuffled within each shard."""
        import torch

        rng = None if seed is None else np.random.default_rng(seed)
        for shard in self:
            rows = {name: array for name, array in shard.items() if not name.startswith("signal_")}
            order = np.arange(len(rows["action"])) if rng is None else rng.permutation(len(rows["action"]))
            for at in range(0, len(order), batch_size):
                part = order[at : at + batch_size]
                yield {name: torch.from_numpy(array[part]) for name, array in rows.items()}

    def arrow(self) -> Iterator[Any]:
        """The decisions as Arrow tables, a shard each."""
        for shard in self:
            yield _table(shard)


def _columns(shard: Shard, signals: bool) -> Shard:
    return {name: array for name, array in shard.items() if name.startswith("signal_") == signals}


def _table(shard: Shard) -> Any:
    """The decisions of a shard as an Arrow table: observation and mask are lists of a fixed size."""
    import pyarrow as pa

    columns = {}
    for name, array in _columns(shard, signals=False).items():
        flat = pa.array(array.reshape(-1))
        columns[name] = flat if array.ndim == 1 else pa.FixedSizeListArray.from_arrays(flat, array.shape[1])
    return pa.table(columns)


def _write(path: Path, shard: Shard) -> None:
    if path.suffix == ".npz":
        np.savez_compressed(path, allow_pickle=False, **shard)
        return
    import pyarrow as pa
    import pyarrow.parquet as pq

    pq.write_table(_table(shard), path, compression="zstd")
    pq.write_table(pa.table(_columns(shard, signals=True)), _signals_beside(path), compression="zstd")


def _read(path: Path) -> Shard:
    if path.suffix == ".npz":
        with np.load(path, allow_pickle=False) as file:
            return {name: file[name] for name in file.files}
    import pyarrow.parquet as pq

    shard = {}
    for table in (pq.read_table(path), pq.read_table(_signals_beside(path))):
        for name in table.column_names:
            column = table.column(name).combine_chunks()
            if hasattr(column.type, "list_size"):
                flat = column.flatten().to_numpy(zero_copy_only=False)
                shard[name] = flat.reshape(len(column), column.type.list_size)
            else:
                shard[name] = column.to_numpy(zero_copy_only=False)
    return shard


def _signals_beside(path: Path) -> Path:
    """Where the signals of a Parquet shard are: rows of another kind, in a file of their own."""
    return path.with_suffix(f".signals{path.suffix}")
