"""`Batch`: its matches are those of `Match`, in any number of threads; and what it refuses."""

from __future__ import annotations

import gc
import threading
import time
from typing import Any

import numpy as np
import pytest

from tacit import game_named, game_names
from tacit.core.laws.secrets import observed
from tacit.research import Batch
from tacit.research.seeds import first_seed
from tests.research.following import LONG, Followed, seatings

ARRAYS = ("observation", "mask", "words", "reward", "done", "seat", "seeds", "illegal")


def same(one: Batch, two: Batch) -> bool:
    """Do both say the same, and are all their matches in the same states?"""
    return all(np.array_equal(getattr(one, name), getattr(two, name)) for name in ARRAYS) and all(
        one.state(i) == two.state(i) for i in range(0, one.n, max(1, one.n // 16))
    )


@pytest.mark.parametrize(("name", "seats"), seatings())
def test_the_matches_are_those_of_match(name: str, seats: int) -> None:
    game = game_named(name)
    batch = Batch(game, 70, seats, seed=11)
    followed = Followed(batch, [0, 69])
    followed.compare()
    steps = 0
    while followed.over < (20 if LONG else 1) or steps < 40:
        followed.step(batch.random())
        steps += 1


@pytest.mark.parametrize("name", game_names())
def test_options_and_large_seeds_are_those_of_match(name: str) -> None:
    game = game_named(name)
    options = {option: values[-1] for option, values in game.options.items()}
    batch = Batch(game, 3, game.max_seats, options, seed=(1 << 62) - 1)
    followed = Followed(batch, [1])
    for _ in range(60):
        followed.step(batch.random())


def test_threads_change_nothing() -> None:
    one, three = (Batch("toy", 600, 3, threads=threads, seed=5) for threads in (1, 3))
    assert (one.device.threads, three.device.threads) == (1, 3)
    for _ in range(30):
        one.step(one.random())
        three.step(three.random())
        assert same(one, three)


def test_threads_find_the_first_illegal_decision() -> None:
    batch = Batch("toy", 600, 3, threads=3, seed=5)
    batch.step(batch.random())
    for wrong in ([599], [450, 599], [0, 450], [250, 599]):
        actions = batch.random().copy()
        actions[wrong] = batch.actions
        with pytest.raises(ValueError, match=f"^Match {wrong[0]}: "):
            batch.step(actions)


def test_threads_end_with_their_batch_and_pass_on_what_is_raised() -> None:
    def living() -> int:
        gc.collect()
        return sum(thread.name == "batch" for thread in threading.enumerate())

    before = living()
    batch = Batch("toy", 600, 3, threads=3)
    batch.step(batch.random())
    assert living() == before + 2

    def fail(lo: int, hi: int, row: int, number: int, w: Any) -> None:
        raise LookupError(lo)

    with pytest.raises(LookupError):
        batch.device.run_slices(fail, 0, batch._work)  # type: ignore[attr-defined]
    batch.step(batch.random())  # as if nothing had been
    del batch, fail
    for _ in range(200):
        if living() == before:
            break
        time.sleep(0.05)
    assert living() == before


def test_a_seed_gives_the_same_matches_again() -> None:
    batch = Batch("toy", 128, 2, seed=5)
    first = batch.copy()
    for _ in range(9):
        batch.step(batch.random())
    assert not same(batch, first)
    batch.reset(5)
    assert same(batch, first)
    batch.reset(6)
    assert not same(batch, first)


def test_a_random_seat_is_asked_where_several_may_decide() -> None:
    lowest, shuffled = (Batch("silencio", 256, 4, seed=5, skip_forced=True, shuffle_due=on) for on in (False, True))
    assert {lowest.state(i).starter for i in range(256)} == {0}
    starters = [shuffled.state(i).starter for i in range(256)]
    assert min(starters.count(seat) for seat in range(4)) > 40
    sealed = Batch("silver-and-gold", 256, 4, seed=5, shuffle_due=True)
    assert set(sealed.seat.tolist()) == {0, 1, 2, 3}
    asked, legal = sealed.seat.copy(), sealed.mask.copy()
    assert np.array_equal(sealed.legal(), legal)  # looking asks nobody else
    assert np.array_equal(sealed.seat, asked)
    assert np.array_equal(sealed.imagine(seed=3).seat, asked)
    again = Batch("silver-and-gold", 256, 4, seed=5, shuffle_due=True)
    for _ in range(20):
        sealed.step(sealed.random())
        again.step(again.random())
    assert same(sealed, again)


def test_secrets_are_those_of_the_states() -> None:
    batch = Batch("silencio", 5, 3, seed=2)
    assert batch.secret("hand").tolist() == [list(batch.state(i).hand) for i in range(5)]
    with pytest.raises(ValueError, match="has no field 'feet'"):
        batch.secret("feet")


def test_a_copy_goes_on_alike_and_alone() -> None:
    batch = Batch("toy", 128, 3, seed=9)
    for _ in range(7):
        batch.step(batch.random())
    copy = batch.copy()
    assert same(batch, copy)
    for _ in range(7):
        batch.step(batch.random())
    assert not same(batch, copy)
    for _ in range(7):
        copy.step(copy.random())
    assert same(batch, copy)


def test_a_new_match_in_its_place_has_the_next_seed() -> None:
    batch = Batch("toy", 64, 2, seed=100)
    for _ in range(4):  # two seats, two tricks
        batch.step(batch.random())
    assert batch.done.all()
    first = first_seed(100) + 64
    assert batch.seeds.tolist() == list(range(first, first + 64))
    assert batch.reward.sum(axis=1).tolist() == [2] * 64


def test_batches_of_different_seeds_share_no_match() -> None:
    """Two seeds that differ by d: their streams begin at least 2**60 / d apart, on the circle of all seeds."""
    distance = np.arange(1, 1 << 16, dtype=np.uint64)
    apart = (distance * np.uint64(first_seed(1))) & np.uint64((1 << 62) - 1)
    apart = np.minimum(apart, np.uint64(1 << 62) - apart)
    assert (apart >= np.uint64(1 << 60) // distance).all()
    seeds = [Batch("toy", 64, 2, seed=seed).seeds for seed in range(8)]
    assert len(np.unique(np.concatenate(seeds))) == 8 * 64
    assert seeds[0].tolist() == list(range(64))


def test_numpys_integers_are_whole_numbers() -> None:
    one, two = Batch("toy", np.int64(70), np.int32(2), seed=np.uint8(3)), Batch("toy", 70, 2, seed=3)  # type: ignore
    assert same(one, two)


@pytest.mark.parametrize("name", game_names())
def test_an_imagined_batch_is_what_its_seats_know(name: str) -> None:
    """Each world looks to its seat as the truth does; from one seed, it keeps no trace of the truth."""
    game = game_named(name)
    batch = Batch(game, 64, game.max_seats, seed=3)
    for _ in range(30):
        batch.step(batch.random())
    worlds = batch.imagine(seed=77)
    again = worlds.imagine(batch.seat, seed=77)
    others = batch.imagine(seed=78)
    for i in range(64):
        seat = int(batch.seat[i])
        known = game.know(batch.state(i), seat)
        assert game.know(worlds.state(i), seat) == known
        assert again.state(i) == worlds.state(i)
        assert game.rules.audit(worlds.state(i)) == 0
    assert any(others.state(i) != worlds.state(i) for i in range(64))
    assert np.array_equal(worlds.seat, batch.seat)
    assert np.array_equal(worlds.observation, batch.observation)
    for _ in range(5):
        worlds.step(worlds.random())


@pytest.mark.parametrize("name", game_names())
def test_any_seat_can_be_observed(name: str) -> None:
    """From the knowledge of the deciding seat."""
    game = game_named(name)
    batch = Batch(game, 8, game.max_seats, seed=3)
    for _ in range(25):
        batch.step(batch.random())
    for seat in range(game.max_seats):
        tensor = batch.observe(seat)
        for i in (0, 7):
            assert tensor[i].tolist() == observed(game, game.know(batch.state(i), seat), seat)
    assert np.array_equal(batch.observe(), batch.observation)
    assert np.array_equal(batch.legal(), batch.mask)


def test_the_callers_arrays_are_written_in_place() -> None:
    game, n = game_named("toy"), 100
    out: dict[str, Any] = {
        "observation": np.full((n, game.observation), 99, np.int8),
        "mask": np.zeros((n, game.actions), np.bool_),
        "reward": np.zeros((n, 3), np.float32),
        "done": np.zeros(n, np.bool_),
        "seat": np.full(n, -1, np.int64),
    }
    batch, other = Batch(game, n, 3, seed=4, out=out), Batch(game, n, 3, seed=4)
    for _ in range(6):
        batch.step(batch.random())
        other.step(other.random())
    assert out["done"].all()
    for name, array in out.items():
        assert np.shares_memory(array, getattr(batch, name))
        assert np.array_equal(array, getattr(other, name))


def test_wrong_arrays_are_refused() -> None:
    with pytest.raises(ValueError, match=r"must be a contiguous one of float32 with the shape \(10, 2\)"):
        Batch("toy", 10, 2, out={"reward": np.zeros((10, 2))})
    with pytest.raises(ValueError, match="has no array 'rewards'"):
        Batch("toy", 10, 2, out={"rewards": np.zeros((10, 2))})
    with pytest.raises(ValueError, match="contiguous"):
        Batch("toy", 10, 2, out={"observation": np.zeros((20, 25), np.int8)[::2]})
    fixed = np.zeros((10, 2), np.float32)
    fixed.flags.writeable = False
    with pytest.raises(ValueError, match="can be written"):
        Batch("toy", 10, 2, out={"reward": fixed})
    batch = Batch("toy", 10, 2)
    for wrong in (np.zeros((9, batch.game.observation), np.int8), np.zeros((10, batch.game.observation))):
        with pytest.raises(ValueError, match="The array for observation must be"):
            batch.observe(0, out=wrong)
    with pytest.raises(ValueError, match="The array for mask must be"):
        batch.legal(out=np.zeros((10, batch.game.actions), np.int8))
    mine = np.zeros((10, batch.game.actions), np.bool_)
    assert np.shares_memory(batch.legal(out=mine), mine)
    assert np.array_equal(mine, batch.mask)


def test_an_illegal_decision_is_refused_and_changes_nothing() -> None:
    batch = Batch("toy", 70, 2, seed=8)
    before = batch.copy()
    for wrong in (-1, 64, 10**12, int(np.flatnonzero(~batch.mask[42])[0])):
        actions = batch.random().copy()
        before.random()
        actions[42] = wrong
        with pytest.raises(ValueError, match=f"Match 42: seat 0 may not decide {wrong}; its legal decisions are .*"):
            batch.step(actions)
        assert same(batch, before)


def test_without_a_check_an_illegal_decision_leaves_its_match() -> None:
    batch = Batch("toy", 70, 2, seed=8, check=False)
    states = [batch.state(i) for i in range(70)]
    actions = batch.random().copy()
    actions[42] = -5
    batch.step(actions)
    assert np.flatnonzero(batch.illegal).tolist() == [42]
    assert [i for i in range(70) if batch.state(i) == states[i]] == [42]
    assert not batch.done.any()
    assert not batch.reward.any()


def test_with_a_penalty_an_illegal_decision_ends_its_match() -> None:
    batch = Batch("toy", 70, 3, seed=8, penalty=-7.5)
    batch.step(batch.random())
    actions = batch.random().copy()
    actions[42] = 63
    batch.step(actions)
    assert np.flatnonzero(batch.done).tolist() == np.flatnonzero(batch.illegal).tolist() == [42]
    assert batch.reward[42].tolist() == [0, -7.5, 0]
    assert (batch.seeds[42], batch.seat[42]) == (first_seed(8) + 42 + 70, 0)
    Followed(batch, [42]).compare()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"n": 0}, "at least one match"),
        ({"threads": 0}, "at least one thread"),
        ({"device": "tpu"}, "There is no device 'tpu'"),
        ({"seats": 9}, "2 to 3|from 2|9"),
        ({"seed": -1}, "A seed is a whole number"),
        ({"seed": 1 << 62}, "A seed is a whole number"),
    ],
)
def test_a_batch_that_cannot_be_is_refused(arguments: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        Batch("toy", **{"n": 4, "seats": 2, **arguments})


def test_decisions_of_another_form_are_refused() -> None:
    batch = Batch("toy", 4, 2)
    for wrong in ([1, 2, 3], np.zeros(4), "abcd", [[1], [2], [3], [4]]):
        with pytest.raises(ValueError, match="A step wants 4 whole numbers"):
            batch.step(wrong)
    with pytest.raises(ValueError, match="There are seats 0 to 1"):
        batch.observe(2)
    for seed in (-1, 1.0, 1 << 62):
        with pytest.raises(ValueError, match="A seed is a whole number"):
            batch.imagine(seed=seed)  # type: ignore[arg-type]
