"""A batch as plain data, for files (`Batch.save`, `Batch.load`) and for pickle: restored, it goes on alike."""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tacit.core.game import Game
from tacit.core.registry import game_named

if TYPE_CHECKING:
    from tacit.research.batch import Batch

FORMAT = 3


def taken(batch: Batch) -> tuple[dict[str, Any], dict[str, Any]]:
    """What a batch is made of: its settings, and all arrays of its own on the host."""
    w, fetch = batch._work, batch.device.fetch
    header = {
        "format": FORMAT,
        "game": batch.game.name,
        "deck": batch.game.deck_text,
        "rules_version": batch.game.rules_version,
        "layout": _layout(batch.game),
        "settings": {
            "n": batch.n,
            "seats": batch.seats,
            "options": batch.options,
            "mask": len(w.mask) > 0,
            "observation": len(w.observation) > 0,
            "history": int(w.history.shape[1]),
            "skip_forced": bool(w.skip_forced),
            "shuffle_due": bool(w.shuffle_due),
            "check": batch.check,
            "penalty": batch.penalty,
            "partners": batch.partners,
            "learner": batch.learner,
            "signals": batch.signals,
        },
    }
    arrays = {name: np.array(fetch(array)) for name, array in batch._own()}
    arrays["states"] = arrays["states"].view(np.uint8).reshape(batch.n, -1)
    return header, arrays


def restored(game: Game, header: Mapping[str, Any], arrays: Mapping[str, Any], **how: Any) -> Batch:
    """The batch that `taken` took; `how` says where it lives: `device`, `threads`, `kernels`.

    Raises ValueError if the game has changed since.
    """
    from tacit.research.batch import Batch

    if header["format"] != FORMAT or header["rules_version"] != game.rules_version or header["layout"] != _layout(game):
        raise ValueError(f"The batch was saved by another version of tacit or of {game.title}: it cannot go on here.")
    batch = Batch(game, **header["settings"], **how)
    states = batch._work.states.view(np.uint8).reshape(batch.n, -1)
    for name, array in batch._own():
        (states if name == "states" else array)[...] = batch.device.put(arrays[name])
    return batch


def save(batch: Batch, file: Path | str) -> None:
    """Write a batch to a file (NumPy's npz), which `load` reads."""
    header, arrays = taken(batch)
    with Path(file).open("wb") as out:
        np.savez(out, header=np.array(json.dumps(header)), allow_pickle=False, **arrays)


def load(file: Path | str, **how: Any) -> Batch:
    """The batch in a file that `save` wrote; raises ValueError if the file has none that can go on here."""
    try:
        with np.load(file, allow_pickle=False) as found:
            arrays = {name: found[name] for name in found.files}
        header = json.loads(str(arrays.pop("header")))
        game, settings = game_named(header["game"]), header["settings"]
    except (ValueError, KeyError, TypeError, AttributeError, EOFError, zipfile.BadZipFile) as error:
        raise ValueError(f"{file} is not a saved batch: {error}") from error
    settings["options"] = {name: value for name, value in settings["options"].items() if name != "deck"}
    return restored(game if header["deck"] is None else game.with_deck(header["deck"]), header, arrays, **how)


def _layout(game: Game) -> str:
    return hashlib.sha256(repr(game.dtype.descr).encode()).hexdigest()[:16]
