"""Records read at compiled speed give the arrays that replaying them one by one gives."""

from __future__ import annotations

import gc
import random
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tacit import Match
from tacit.research import datasets, quick_records
from tacit.research.datasets import Dataset, read_records
from tacit.research.quick_records import _rows, quick_arrays


def played(game: str, seats: int, seed: int, decisions: int) -> Match:
    """A match of random decisions, and signals where the game has them; no more than so many."""
    match = Match(game, seats, seed=seed, tags={"seat0": "random", "note": 'a "quote"', "arena": f"match {seed}"})
    rng = random.Random(seed)
    for _ in range(decisions):
        if match.over:
            break
        seat = min(match.due)
        if match.signals(seat) and rng.random() < 0.5:
            match.signal(seat, match.signals(seat)[0])
        match.play(seat, rng.choice(match.legal(seat)))
    return match


def same(quick: Dataset, slow: Dataset) -> None:
    for field in fields(Dataset):
        one, other = getattr(quick, field.name), getattr(slow, field.name)
        if isinstance(other, np.ndarray):
            assert (one.dtype, one.shape) == (other.dtype, other.shape), field.name
            assert np.array_equal(one, other), field.name
        else:
            assert one == other, field.name


@pytest.mark.parametrize(
    "game",
    [
        "silent-planet",
        "silver-and-gold",
        pytest.param("silencio", marks=pytest.mark.long),
        pytest.param("zombie-city", marks=pytest.mark.long),
    ],
)
def test_the_arrays_are_the_same(game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number, (seats, decisions) in enumerate([(3, 999), (4, 999), (3, 20), (2, 999), (4, 0)]):
        text = str(played(game, seats, number, decisions))
        if number == 1:  # written by another hand: comments, spaces, other line ends
            text = text.replace("\n* ", "\n# chance\n\t* ").replace("\n1 ", "\n\n1 ", 1).replace("\n", "\r\n")
        (tmp_path / f"{number}.tacit").write_bytes(text.encode())
    slow = read_records(tmp_path)
    monkeypatch.setattr(datasets, "FEW", 1)
    arrays = quick_arrays(tmp_path, slow.names)
    assert arrays is not None
    same(Dataset(**arrays), slow)
    same(read_records(tmp_path), slow)
    lines = (tmp_path / "0.tacit").read_text().splitlines()
    first = next(at for at, line in enumerate(lines) if line.startswith("*"))
    for wrong in (
        [*lines, lines[-2]],  # a step after the result
        [*lines[:-1], "= {}"],  # another result
        [*lines[:-2], lines[-1]],  # a result too early
        [*lines[:first], *[lines[first]] * 20, *lines[first:]],  # the same card too often
        [*lines[:first], "0 nonsense", *lines[first:]],
        [*lines[:-2], "* nonsense"],
        [*lines[:first], "= {}"],
        ["tacit 7", *lines[1:]],
        lines[1:],
    ):
        (tmp_path / "0.tacit").write_text("\n".join(wrong))
        assert quick_arrays(tmp_path, slow.names) is None
        assert gc.isenabled()  # also after a record that cannot be read
        with pytest.raises(ValueError, match=r"0\.tacit: Line"):
            read_records(tmp_path)


def test_memory_is_used_again_only_when_nobody_has_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quick_records, "_spare", [])
    first = _rows(1000, 7, 0)
    other = _rows(1000, 7, 0)
    assert not np.shares_memory(first, other)
    part, address = first[3:5].T, first.ctypes.data
    del first
    assert _rows(1000, 7, 0).ctypes.data != address  # a part of it is somebody's still
    del part
    assert _rows(1001, 7, 0).ctypes.data == address  # there was a little more than was asked for


def test_the_first_call_touches_memory_for_a_caller_who_keeps_its_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    spare: list[Any] = []
    monkeypatch.setattr(quick_records, "_spare", spare)
    first = _rows(1000, 7, 1)
    made, ready = (memory.ctypes.data for memory in spare)
    assert first.ctypes.data == made
    assert _rows(1000, 7, 0).ctypes.data == ready
    monkeypatch.setattr(quick_records, "MOST_SPARE", 20_000)
    spare.clear()
    _rows(2000, 7, 1)
    assert len(spare) == 1  # two are more than is kept
