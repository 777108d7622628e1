"""A result file: what was played, with versions and hashes, and the figures that follow from it."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import msgspec

from tacit.arena.stats import Estimate
from tacit.benchmark.tracks import Partners, Split, TrackName
from tacit.core.game import Game, OptionValue

FORMAT = "tacit-benchmark 1"
SUFFIXES = (".py", ".npz", ".deck")


class BadResult(ValueError):
    """A result file that cannot be read, or that is not what it says."""


class BotFile(msgspec.Struct, frozen=True):
    """Where a bot is (of a network: its file's name), and the SHA-256 of its code or weights."""

    target: str
    sha256: str


class Played(msgspec.Struct, frozen=True):
    """Line-ups on the same deals: `values[i][d]` is what the first bot of line-up i reached on deal d.

    That is the score; where seats play against each other, the seat's share of the win.
    """

    split: Split
    line_ups: tuple[tuple[str, ...], ...]
    values: tuple[tuple[float, ...], ...]


class Row(msgspec.Struct, frozen=True):
    """The figures of an entry, by name; none if it is disqualified."""

    name: str
    figures: dict[str, Estimate] = {}
    disqualified: str | None = None  # why


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """One run of a track. `sha256` is that of everything else."""

    format: str = FORMAT
    track: TrackName
    game: str
    seats: int
    options: dict[str, OptionValue]
    rules_version: int
    rules_sha256: str
    key: str  # the season's name
    commitment: str
    deals: int
    counts: bool  # as many deals as the track asks for
    software: dict[str, str]
    entries: tuple[str, ...]
    partners: Partners
    bots: dict[str, BotFile]
    played: tuple[Played, ...]
    disqualified: dict[str, str]
    rows: tuple[Row, ...]
    best_responses: dict[str, str] = {}  # of `aht-v1`: partner -> the bot that did best with it on validation deals
    matrix: dict[str, dict[str, Estimate]] = {}  # row -> partner -> score, on held-out deals
    sha256: str = ""

    def digest(self) -> str:
        """The SHA-256 of everything but `sha256`."""
        plain = msgspec.structs.replace(self, sha256="")
        return hashlib.sha256(msgspec.json.encode(plain, order="sorted")).hexdigest()

    def write(self, path: Path) -> None:
        signed = msgspec.structs.replace(self, sha256=self.digest())
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(msgspec.json.encode(signed) + b"\n")


def read_result(path: Path) -> Result:
    """The result in a file; BadResult if it cannot be read or was changed."""
    try:
        found = msgspec.json.decode(path.read_bytes(), type=Result)
    except OSError as error:
        raise BadResult(f"{path}: {error.strerror}.") from error
    except ValueError as error:
        raise BadResult(f"{path}: this is no result of a benchmark ({error}).") from error
    if found.format != FORMAT:
        raise BadResult(f"{path}: the format is “{found.format[:40]}”, and this version reads “{FORMAT}”.")
    if found.sha256 != found.digest():
        raise BadResult(f"{path}: its SHA-256 is not the one that it names. It was changed.")
    return found


def software() -> dict[str, str]:
    """The versions that a result depends on."""
    names = {"tacit": "tacit-games", "numpy": "numpy", "numba": "numba"}
    found = {name: version(distribution) for name, distribution in names.items()}
    return found | {"python": platform.python_version(), "machine": platform.machine()}


def rules_hash(game: Game) -> str:
    """The SHA-256 of a game's own code and deck."""
    spec = find_spec(game.module.__name__)
    extra = [] if game.deck_text is None else [game.deck_text.encode()]
    return _hash_files(_files_of(spec), extra)


def bot_file(target: str) -> BotFile:
    """The hash of a bot by its target: a network's file, or its module with the files beside it in a package of ours.

    Raises BadResult if there is no such file.
    """
    if target.endswith(".npz"):
        try:
            return BotFile(Path(target).name, hashlib.sha256(Path(target).read_bytes()).hexdigest())
        except OSError as error:
            raise BadResult(f"{target}: {error.strerror}.") from error
    module = target.partition(":")[0]
    spec = find_spec(module)
    if module.startswith("tacit.bots."):
        spec = find_spec(module.rpartition(".")[0])
    return BotFile(target, _hash_files(_files_of(spec)))


def code_hash(game: Game, bots: Mapping[str, str]) -> str:
    """A short hash of a game's rules and of bots, by their targets: with others a match may go another way."""
    parts = [rules_hash(game), *(f"{name} {bot_file(target).sha256}" for name, target in sorted(bots.items()))]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:12]


def _files_of(spec: Any) -> list[Path]:
    """The files of a package, or the one file of a module."""
    if spec is None or spec.origin is None:
        return []
    if not spec.submodule_search_locations:
        return [Path(spec.origin)]
    home = Path(spec.origin).parent
    return sorted(path for path in home.rglob("*") if path.suffix in SUFFIXES)


def _hash_files(files: Sequence[Path], extra: Sequence[bytes] = ()) -> str:
    found = hashlib.sha256()
    for data in [part for path in files for part in (path.name.encode(), path.read_bytes())] + list(extra):
        found.update(len(data).to_bytes(8, "big") + data)
    return found.hexdigest()
