"""Views by compiled rules: the same JSON as the game's view, and the same decisions, from what a seat knows and from
nothing else.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import product
from typing import Any

import msgspec
import numpy as np
import pytest

from tacit import GAMES, Match, game_named
from tacit.core import compiled_views
from tacit.core.chance import stream
from tacit.core.compiled_views import CompiledViews, Seen
from tacit.core.fragments import Fragment, Fragments
from tacit.core.random_play import NOBODY

FRAGMENTED = [name for name in GAMES if game_named(name).rules.fragments is not None]


@cache
def compiled(name: str) -> CompiledViews:
    """Not those that a server in this process would use: other tests change what a game lets seats know."""
    return CompiledViews(game_named(name))


def moments(name: str, every: int = 1) -> Iterator[Match]:
    """Matches of every number of seats with all options and rules versions (or `every` n-th), after every decision."""
    game = game_named(name)
    options = [dict(zip(game.options, values, strict=True)) for values in product(*game.options.values())]
    ways = [*product(range(game.min_seats, game.max_seats + 1), options, game.rules_versions)]
    for number, (seats, chosen, version) in enumerate(ways[::every]):
        match, rng = Match(game, seats, chosen, seed=number, rules_version=version), random.Random(number)
        while True:
            yield match
            if match.over:
                break
            seat = rng.choice(sorted(match.due))
            if (signals := match.signals(seat)) and rng.random() < 0.3:
                match.signal(seat, rng.choice(signals))
                continue
            match.play(seat, rng.choice(match.legal(seat)))


def seen(views: CompiledViews, match: Match) -> dict[int | None, Seen]:
    eyes: list[int | None] = [*range(match.seats), None]
    numbers = {NOBODY if seat is None else seat: match.signals_seen(seat) for seat in eyes}
    made = views.of(match.state, numbers)
    return {seat: made[NOBODY if seat is None else seat] for seat in eyes}


def encoded(view: Any) -> bytes:
    return msgspec.json.encode(view)


@pytest.mark.parametrize("name", FRAGMENTED)
def test_compiled_views_are_the_games_own_byte_for_byte(name: str) -> None:
    views = compiled(name)
    for match in moments(name):
        for seat, made in seen(views, match).items():
            right = match.see(seat).view
            assert bytes(made.view) == encoded(right)
            assert made.ask == right.ask
            assert [*made.decisions.items()] == [*match.hearing(seat).legal().items()]


@pytest.mark.parametrize("name", FRAGMENTED)
def test_they_depend_on_what_a_seat_knows_alone(name: str) -> None:
    """Another truth that the seat cannot tell from the real one gives the same bytes."""
    views, compared = compiled(name), 0
    for match in moments(name, every=2):
        for seat in [*range(match.seats), NOBODY]:
            given = match.signals_seen(None if seat == NOBODY else seat)
            world = match.game.know(match.state, seat)
            match.game.rules.imagine(world, seat, stream(f"{len(match.lines)} {seat}"))
            compared += world != match.state
            assert views.of(world, {seat: given}) == views.of(match.state, {seat: given})
    assert compared > 50


def test_a_view_of_the_whole_state_would_be_noticed() -> None:
    """The test above can fail: what another seat sees depends on more than this seat knows."""
    match, views = Match("silencio", 3, seed=1), compiled("silencio")
    world: Any = match.know(0)
    match.game.rules.imagine(world, 0, stream("other"))
    state: Any = match.state
    assert views.of(world, {1: ()}) != views.of(state, {1: ()})


@pytest.mark.parametrize("name", FRAGMENTED)
def test_a_full_table_begins_anew(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    views, begun = CompiledViews(game_named(name)), list[int]()
    begin = views._begin

    def count() -> None:
        begun.append(1)
        begin()

    monkeypatch.setattr(views, "_full", len(views._texts) + 30)
    monkeypatch.setattr(views, "_begin", count)
    for match in moments(name, every=3):
        for seat, made in seen(views, match).items():
            assert bytes(made.view) == encoded(match.see(seat).view)
            assert [*made.decisions] == match.see(seat).legal
    assert len(begun) > 3


def test_threads_do_not_get_each_others_views() -> None:
    views = compiled("silencio")
    matches = [match.copy() for match in moments("silencio", every=11)]
    right = [seen(views, match) for match in matches]
    with ThreadPoolExecutor(4) as pool:
        for _ in range(3):
            assert list(pool.map(lambda match: seen(views, match), matches)) == right


@pytest.mark.parametrize("name", GAMES)
def test_a_state_is_packed_as_a_record_has_it(name: str) -> None:
    game = game_named(name)
    for match in moments(name, every=7):
        stored, packed = np.zeros(1, game.dtype), np.zeros(1, game.dtype)
        match.state.store(stored[0])
        match.state.pack(memoryview(packed.view(np.uint8)))  # type: ignore[arg-type] # NumPy's arrays are buffers
        assert stored.tobytes() == packed.tobytes()


@pytest.mark.parametrize("name", FRAGMENTED)
def test_view_keys_stay_within_their_bound_and_are_64_bits(name: str) -> None:
    rules: Any = game_named(name).rules
    for match in moments(name, every=2):
        for seat in [*range(match.seats), NOBODY]:
            numbers = [0] * rules.VIEW_KEYS
            assert rules.view_keys(match.game.know(match.state, seat), seat, numbers) <= rules.VIEW_KEYS
            assert all(-(1 << 63) <= number < 1 << 63 for number in numbers)


class Pair(msgspec.Struct):
    one: int
    two: int
    several: list[int]


def test_fragments_are_the_fields_of_the_view_in_their_order() -> None:
    good = [Fragment("one two", lambda key: (key, key + 1)), Fragment("several", int, is_list=True)]
    assert Fragments(Pair, good).view([3, 2, 7, 8]) == Pair(3, 4, [7, 8])
    with pytest.raises(TypeError, match="Pair"):
        Fragments(Pair, good[::-1])


def test_a_game_without_fragments_has_no_compiled_views() -> None:
    toy = game_named("toy")
    compiled_views.load(toy)
    assert compiled_views.loaded(toy) is None
