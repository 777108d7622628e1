"""Everything can be pickled, copied and saved, and goes on bit by bit alike; and a batch survives a fork."""

from __future__ import annotations

import copy
import json
import os
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tacit import Match, game_named
from tacit.research import Batch, aec
from tacit.research.seat_env import SeatEnv
from tacit.research.vector import TacitVectorEnv

Copy = Callable[[Any], Any]
COPIES: list[Copy] = [copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value))]
both = pytest.mark.parametrize("copied", COPIES, ids=["deepcopy", "pickle"])


@both
def test_a_game_is_itself(copied: Copy) -> None:
    assert copied(game_named("toy")) is game_named("toy")


@both
def test_a_match_goes_on_alike(copied: Copy) -> None:
    match = Match("silencio", 3, seed=5)
    match.see(1)
    for _ in range(20):
        match.play(min(match.due), match.legal(min(match.due))[-1])
    one, two = copied(match), copied(match)
    for each in (one, two):
        while not each.over:
            each.play(min(each.due), each.legal(min(each.due))[0])
    assert str(one) == str(two)
    assert one.see(1) == two.see(1)
    assert not match.over


@both
def test_environments_go_on_alike(copied: Copy) -> None:
    seat: Any = SeatEnv("silencio", 3, bots="random")
    seat.reset(seed=4)
    seat.step(int(seat.action_masks().argmax()))
    zoo: Any = aec.env("silencio", 3)
    zoo.reset(seed=4)
    zoo.step(int(zoo.last()[0]["action_mask"].argmax()))
    for env in (seat, zoo):
        one, two = copied(env), copied(env)
        heard = []
        for each in (one, two):
            said = []
            for _ in range(30):
                mask = each.action_masks() if env is seat else each.last()[0]["action_mask"]
                told = each.step(int(mask.argmax()))
                said.append(told[0].tolist() if env is seat else each.last()[0]["observation"].tolist())
                if told[2] if env is seat else each.last()[2]:
                    break
            heard.append(said)
            each.close()
        assert heard[0] == heard[1]
    seat.close()


def played(env: TacitVectorEnv, infos: dict[str, Any]) -> list[Any]:
    found = []
    for _ in range(12):
        observations, rewards, _, _, infos = env.step(infos["action_mask"].argmax(axis=1))
        found += [observations.copy(), rewards.copy(), infos["seat"].copy(), infos["history"].copy()]
    return found


@both
def test_a_vector_environment_goes_on_alike(copied: Copy) -> None:
    env = TacitVectorEnv("toy", 130, 3, threads=2, history=2)
    env.reset(seed=3)
    one, two = copied(env), copied(env)
    assert one._infos["action_mask"] is one.batch.mask
    found = [played(each, dict(each._infos)) for each in (one, two, env)]
    assert all(np.array_equal(a, b) and np.array_equal(a, c) for a, b, c in zip(*found, strict=True))


def test_a_saved_batch_goes_on_bit_by_bit(tmp_path: Path) -> None:
    batch = Batch("toy", 130, 3, {"low": True}, seed=9, history=3, shuffle_due=True, penalty=-2.5)
    for _ in range(5):
        batch.step(batch.random())
    batch.save(tmp_path / "batch")
    again, pickled = Batch.load(tmp_path / "batch", threads=1), pickle.loads(pickle.dumps(batch))
    for each in (again, pickled):
        assert (each.options, each.penalty, each.history.shape) == ({"low": True}, -2.5, (130, 3))
    for _ in range(9):
        for each in (batch, again, pickled):
            each.step(each.random())
        for (name, array), (_, other), (_, third) in zip(batch._own(), again._own(), pickled._own(), strict=True):
            assert np.array_equal(array, other), name
            assert np.array_equal(array, third), name


def test_a_file_that_cannot_go_on_is_refused(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong"
    wrong.write_bytes(b"nothing of the sort")
    with pytest.raises(ValueError, match="is not a saved batch"):
        Batch.load(wrong)
    batch = Batch("toy", 2, 2)
    batch.save(wrong)
    with np.load(wrong) as file:
        arrays = dict(file)
    header = json.loads(str(arrays.pop("header")))
    for change in ({"layout": "another"}, {"rules_version": 7}, {"format": 0}):
        np.savez(tmp_path / "changed.npz", header=np.array(json.dumps(header | change)), **arrays)
        with pytest.raises(ValueError, match="saved by another version"):
            Batch.load(tmp_path / "changed.npz")


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_batch_with_threads_survives_a_fork() -> None:
    batch = Batch("toy", 256, 2, threads=2, seed=1)
    batch.step(batch.random())
    child = os.fork()
    if child == 0:  # in the child: no test runner, only an exit status
        status = 1
        try:
            twin = batch.copy()
            batch.step(batch.random())
            twin.step(twin.random())
            status = 0 if np.array_equal(batch.observation, twin.observation) else 2
        finally:
            os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
