"""The file of a network: a NumPy `.npz` of integer arrays and a header in JSON.

The network is a residual perceptron over what a seat observes and the last decisions it heard:

    x = relu(first(cells ++ embedding[tokens]))
    x = x + down_k(relu(up_k(norm(x))))           for each block k
    logits ++ values = last(norm(x))

Weights are 8-bit, with an integer multiplier for each output and a shift for each layer. `Network` describes the
arrays, `inference` runs them. Gains and offsets of the norms are folded into the layer that follows.

A network that went on from another may be kept as what changed: its header names that one's file, which lies beside it
(`base`), and its weights are differences from that one's, modulo 256.
"""

from __future__ import annotations

import hashlib
import io
import zipfile
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np

from tacit.core.errors import TacitError
from tacit.core.game import Game
from tacit.core.messages import Message

FORMAT = 1
LARGEST_SUM = (1 << 31) - 1  # sums of products are 32-bit
MAX_HISTORY = 64  # heard decisions that a network may read
NORM_BITS = 13  # fraction bits of a normed value


class BadNetwork(TacitError):
    """A network's file is missing, damaged, or made for something else."""


class Header(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """What a network is for and how it came to be."""

    format: int
    game: str
    rules_versions: list[int]  # that it was trained on
    seats: list[int]  # that it was trained on
    observation: int
    fields: str  # digest of the names of the observation's cells
    actions: int
    history: int  # heard decisions that it reads
    vocabulary: int  # of their tokens
    embedding: int
    width: int
    blocks: int
    values: int = 0  # outputs after the logits: the returns it expects, one for all or clockwise from the seat
    base: str = ""  # the file that its weights are differences from
    base_digest: str = ""
    training: dict[str, Any] = {}  # what a model card says, as far as it is numbers


class Network(NamedTuple):
    """The arrays of a network. Weights have a row for each input. An output is `(sum * multiplier >> shift) + bias`."""

    units: Any  # int64 (cells): what 1 in a cell counts
    embedding: Any  # int64 (vocabulary, embedding)
    first: Any  # int8 (cells + history * embedding, width)
    up: Any  # int8 (blocks, width, width)
    down: Any  # int8 (blocks, width, width)
    last: Any  # int8 (width, actions + values)
    scale: Any  # int64 (1 + 2 * blocks, width): the multipliers of first, up 0, down 0, up 1, …
    bias: Any  # int64, the same
    last_scale: Any  # int64 (actions + values)
    last_bias: Any  # int64 (actions + values)
    shifts: Any  # int64 (2 + 2 * blocks): those layers', then the last one's


WEIGHTS = ("first", "up", "down", "last")
STORED = {
    "units": np.int32, "embedding": np.int16, "first": np.int8, "up": np.int8, "down": np.int8, "last": np.int8,
    "scale": np.int32, "bias": np.int32, "last_scale": np.int32, "last_bias": np.int32, "shifts": np.int8,
}  # fmt: skip


def fields_digest(game: Game) -> str:
    """A name for the cells of a game's observation: another one as soon as a cell means something else."""
    parts = [(field.name, field.kind, field.cells, field.rows) for field in game.fields]
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


def header_for(game: Game, *, history: int, embedding: int, width: int, blocks: int, **said: Any) -> Header:
    """A header with what follows from the game; `said` are rules_versions, seats, values and training."""
    return Header(
        format=FORMAT, game=game.name, observation=game.observation, fields=fields_digest(game), actions=game.actions,
        history=history, vocabulary=vocabulary(game), embedding=embedding, width=width, blocks=blocks,
        **{"rules_versions": [game.rules_version], "seats": [], **said},
    )  # fmt: skip


def vocabulary(game: Game) -> int:
    """How many tokens there are: none, and of each seat every decision, or one that is hidden."""
    return 1 + game.max_seats * (game.actions + 1)


def hidden_limit(width: int) -> int:
    """The largest hidden value: so many of them, each times a weight, still fit into a sum."""
    return LARGEST_SUM // (128 * width)


def shapes(header: Header) -> dict[str, tuple[int, ...]]:
    """The shape of each array."""
    width, blocks, outputs = header.width, header.blocks, header.actions + header.values
    return {
        "units": (header.observation,),
        "embedding": (header.vocabulary, header.embedding),
        "first": (header.observation + header.history * header.embedding, width),
        "up": (blocks, width, width),
        "down": (blocks, width, width),
        "last": (width, outputs),
        "scale": (1 + 2 * blocks, width),
        "bias": (1 + 2 * blocks, width),
        "last_scale": (outputs,),
        "last_bias": (outputs,),
        "shifts": (2 + 2 * blocks,),
    }


def save_network(path: Path, game: Game, header: Header, network: Network) -> None:
    """Write a network's file; where `header.base` names one beside it, as the differences from that.

    ValueError if an array does not fit its shape or type, or sums could overflow; BadNetwork if there is no such base.
    """
    arrays: dict[str, Any] = {}
    for name, shape in shapes(header).items():
        array = np.asarray(getattr(network, name))
        stored = array.astype(STORED[name])
        if array.shape != shape or not (stored == array).all():
            raise ValueError(f"The array {name} must have the shape {shape} and fit {np.dtype(STORED[name])}.")
        arrays[name] = stored
    if largest_sum(header, network, number_cells(game)) > LARGEST_SUM:
        raise ValueError("The first layer's inputs are too large: a sum could overflow.")
    if header.base:
        header = msgspec.structs.replace(header, base_digest=_digest(path.with_name(header.base)))
        arrays |= {name: arrays[name] - before for name, before in _base_weights(path, header, game).items()}
    buffer = io.BytesIO()
    np.savez_compressed(buffer, header=np.frombuffer(msgspec.json.encode(header), np.uint8), **arrays)
    path.write_bytes(buffer.getvalue())


def load_network(path: Path, game: Game) -> tuple[Header, Network]:
    """Read a network's file; BadNetwork, with a sentence, if it is missing, damaged or not for this game."""
    try:
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as found:
            header = msgspec.json.decode(found["header"].tobytes(), type=Header)
            arrays = {name: found[name] for name in STORED}
    except FileNotFoundError as error:
        raise BadNetwork(Message("bots.network.missing", {"path": path.name})) from error
    except (OSError, EOFError, ValueError, KeyError, AttributeError, zipfile.BadZipFile, msgspec.MsgspecError) as error:
        raise BadNetwork(Message("bots.network.damaged", {"path": path.name, "why": f"{error}"[:120]})) from error
    _check(path, header, game)
    for name, shape in shapes(header).items():
        if arrays[name].shape != shape or arrays[name].dtype != STORED[name]:
            why = f"{name}: {arrays[name].dtype} {arrays[name].shape}"
            raise BadNetwork(Message("bots.network.damaged", {"path": path.name, "why": why}))
    if header.base:
        arrays |= {name: arrays[name] + before for name, before in _base_weights(path, header, game).items()}
    wide = {name: array if array.dtype == np.int8 and name != "shifts" else array.astype(np.int64)
            for name, array in arrays.items()}  # fmt: skip
    network = Network(**wide)
    shifts = network.shifts
    if largest_sum(header, network, number_cells(game)) > LARGEST_SUM or shifts.min() < 1 or shifts.max() > 62:
        raise BadNetwork(Message("bots.network.damaged", {"path": path.name, "why": "sums would overflow"}))
    return header, network


def _base_weights(path: Path, header: Header, game: Game) -> dict[str, Any]:
    """The weights that those of a file are differences from."""
    base = path.with_name(header.base)
    found, wanted = _digest(base), header.base_digest
    if found != wanted:
        raise BadNetwork(
            Message("bots.network.other", {"path": base.name, "what": "SHA-256", "found": found, "wanted": wanted})
        )
    _, network = load_network(base, game)
    weights = {name: getattr(network, name) for name in WEIGHTS}
    for name, before in weights.items():
        if before.shape != shapes(header)[name]:
            why = f"{base.name}: {name} {before.shape}"
            raise BadNetwork(Message("bots.network.damaged", {"path": path.name, "why": why}))
    return weights


def _digest(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()[:16]
    except OSError as error:
        raise BadNetwork(Message("bots.network.missing", {"path": path.name})) from error


def number_cells(game: Game) -> Any:
    """Which cells of a game's observation hold numbers, bool (cells); the others hold 0 or 1."""
    return np.concatenate([np.full(field.size, field.kind == "number") for field in game.fields])


def largest_sum(header: Header, network: Network, numbers: Any) -> int:
    """The largest sum that the first layer's inputs, or normed values, could give; cells are 8-bit where `numbers`."""
    inputs = int((np.abs(network.units) * np.where(numbers, 128, 1)).sum())
    inputs += header.history * int(np.abs(network.embedding).max(0).sum()) if header.history else 0
    return 128 * max(inputs, header.width << NORM_BITS)


def _check(path: Path, header: Header, game: Game) -> None:
    wanted: dict[str, object] = {
        "format": FORMAT,
        "game": game.name,
        "observation": game.observation,
        "fields": fields_digest(game),
        "actions": game.actions,
        "vocabulary": vocabulary(game),
    }
    for name, value in wanted.items():
        if getattr(header, name) != value:
            raise BadNetwork(
                Message(
                    "bots.network.other",
                    {"path": path.name, "what": name, "found": str(getattr(header, name))[:40], "wanted": str(value)},
                )
            )
    if (
        min(header.embedding, header.blocks, header.values) < 0
        or header.width < 1
        or not 0 <= header.history <= MAX_HISTORY
    ):
        raise BadNetwork(Message("bots.network.damaged", {"path": path.name, "why": "an impossible size"}))
    if header.base and (header.base != Path(header.base).name or "\0" in header.base):
        raise BadNetwork(Message("bots.network.damaged", {"path": path.name, "why": "an impossible base"}))
