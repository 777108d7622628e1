"""Play by compiled rules: the same matches, lines and views as by interpreted ones, from what a seat knows and from
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

from tacit import GAMES, game_named
from tacit.core import compiled_play, compiled_steps
from tacit.core.chance import Paired, Seeded, stream
from tacit.core.compiled_match import CompiledMatch, playing
from tacit.core.compiled_play import CompiledPlay, Seen
from tacit.core.fragments import Fragment, Fragments
from tacit.core.match import Match
from tacit.core.random_play import CHANCE, NOBODY

FRAGMENTED = [name for name in GAMES if game_named(name).rules.fragments is not None]


@cache
def compiled(name: str) -> CompiledPlay:
    """Not that which a server in this process would use: other tests change what a game lets seats know."""
    return CompiledPlay(game_named(name))


def ways(name: str, every: int = 1) -> list[tuple[int, int, dict[str, Any], int]]:
    """All numbers of seats with all options and rules versions (or `every` n-th), each with its number."""
    game = game_named(name)
    options = [dict(zip(game.options, values, strict=True)) for values in product(*game.options.values())]
    found = [*product(range(game.min_seats, game.max_seats + 1), options, game.rules_versions)]
    return [(number, *way) for number, way in enumerate(found[::every])]


def moments(name: str, every: int = 1) -> Iterator[Match]:
    """Matches of all these ways, after every decision."""
    for number, seats, options, version in ways(name, every):
        match, rng = Match(name, seats, options, seed=number, rules_version=version), random.Random(number)
        while True:
            yield match
            if match.over:
                break
            seat = rng.choice(sorted(match.due))
            if (signals := match.signals(seat)) and rng.random() < 0.3:
                match.signal(seat, rng.choice(signals))
                continue
            match.play(seat, rng.choice(match.legal(seat)))


def record(state: Any) -> bytes:
    packed = bytearray(state._dtype.itemsize)
    state.pack(packed)
    return bytes(packed)


def seen(play: CompiledPlay, match: Match) -> dict[int, Seen]:
    return play.look(record(match.state), [*range(match.seats), NOBODY], match.given)


def encoded(view: Any) -> bytes:
    return msgspec.json.encode(view)


def compare(match: Match, other: Match) -> None:
    """Two matches of which one is played by compiled rules are at the same point, for everyone."""
    assert (match.lines, match.steps, match.due, match.given) == (other.lines, other.steps, other.due, other.given)
    assert (match.moment_began, match.reopened, match.annulled) == (other.moment_began, other.reopened, other.annulled)
    everyone = [*range(match.seats), None]
    mine, theirs = match.sights(everyone), other.sights(everyone)
    for seat in everyone:
        assert mine[seat] == theirs[seat]
        assert match.hearing(seat).last == other.hearing(seat).last


@pytest.mark.parametrize("name", FRAGMENTED)
def test_a_match_by_compiled_rules_is_the_same_match(name: str) -> None:
    """With decisions taken back, signals, and all that its attributes say."""
    play = compiled(name)
    for number, seats, options, version in ways(name):
        rng = random.Random(number)
        source = (Seeded, Paired)[number % 2]  # compiled rules find what the numbers of the first fall on
        match, begun = (
            Match(name, seats, options, chance=source(number), rules_version=version, settle=False) for _ in range(2)
        )  # fmt: skip
        other: Match = CompiledMatch.of(begun, play)
        for one in (match, other):
            for seat in [*range(seats), None]:
                one.hearing(seat)
            one.settle()
        while True:
            compare(match, other)
            if rng.random() < 0.1:
                assert match.state == other.state
                assert match.hearing(0).known == other.hearing(0).known
                assert match.see(0) == other.see(0)
            if match.over:
                assert str(match) == str(other)
                break
            before = match.copy(), other.copy()
            seat = rng.choice(sorted(match.due))
            if (signals := match.signals(seat)) and rng.random() < 0.3:
                signal = rng.choice(signals)
                match.signal(seat, signal)
                other.signal(seat, signal)
            elif match.undoable(seat) and rng.random() < 0.2:
                match.undo(seat)
                other.undo(seat)
            else:
                text = rng.choice(match.legal(seat))
                match.play(seat, text, settle=True)
                other.play(seat, text, settle=True)
            for seat in [*range(seats), None]:
                assert match.is_news(seat, before[0]) == other.is_news(seat, before[1])
            compare(before[0], before[1])  # a copy of before is as it was


@pytest.mark.parametrize("name", FRAGMENTED)
def test_it_can_be_taken_over_at_any_moment(name: str) -> None:
    """A server that has just loaded its rules goes on with matches that it began without them."""
    for match in moments(name, every=3):
        if match.over or len(match.lines) % 5:
            continue
        seat = min(match.due)
        one, other = match.copy(), CompiledMatch.of(match, compiled(name))
        for each in (one, other):
            each.play(seat, match.legal(seat)[0], settle=False)
        compare(one, other)


@pytest.mark.parametrize("name", FRAGMENTED)
def test_a_run_of_decisions_is_made_whole_or_not_at_all(name: str) -> None:
    match = CompiledMatch.of(Match(name, game_named(name).min_seats, seed=3), compiled(name))
    seat = min(match.due)
    before = match.copy()
    with pytest.raises(ValueError, match="."):
        match.play_all(seat, [match.legal(seat)[0], "nonsense"])
    compare(match, before)
    with pytest.raises(ValueError, match="."):
        match.play(seat, "nonsense")
    compare(match, before)


@pytest.mark.parametrize("name", FRAGMENTED)
def test_views_depend_on_what_a_seat_knows_alone(name: str) -> None:
    """Another truth that the seat cannot tell from the real one gives the same bytes."""
    play, compared = compiled(name), 0
    for match in moments(name, every=2):
        for seat in [*range(match.seats), NOBODY]:
            world = match.game.know(match.state, seat)
            match.game.rules.imagine(world, seat, stream(f"{len(match.lines)} {seat}"))
            compared += world != match.state
            given = match.given
            assert play.look(record(world), [seat], given) == play.look(record(match.state), [seat], given)
    assert compared > 50


def heard(play: CompiledPlay, state: Any, who: int, action: int, seat: int) -> tuple[Any, ...]:
    """What a seat hears of a step."""
    with play.lock:
        play.begin(record(state), [seat])
        play.step(who, action)
        return next(iter([*play.heard([seat])]))


@pytest.mark.parametrize("name", FRAGMENTED)
def test_what_is_heard_depends_on_what_a_seat_knew_and_knows_alone(name: str) -> None:
    """It hears the same in another truth that it can tell from the real one neither before a step nor after it."""
    play, compared, game = compiled(name), 0, game_named(name)
    for number, seats, options, version in ways(name, every=2):
        match, rng = (
            Match(name, seats, options, seed=number, rules_version=version, settle=False),
            random.Random(number),
        )
        while not match.over:
            weights = game.chance(match.state) if match.due_bits == 0 else []
            who = CHANCE if weights else rng.choice(sorted(match.due))
            actions = [o for o, w in enumerate(weights) if w] if weights else game.legal(match.state, who)
            action, seat = rng.choice(actions), rng.choice([*range(seats), NOBODY])
            world: Any = game.know(match.state, seat)
            game.rules.imagine(world, seat, stream(f"{len(match.lines)} {seat}"))
            mine = heard(play, match.state, who, action, seat)
            possible = game.chance(world) if who == CHANCE else [a in game.legal(world, who) for a in range(action + 1)]
            if possible[action] and world != match.state:
                after, before = world.copy(), match.state
                game.rules.step(after, who, action)
                theirs = heard(play, world, who, action, seat)
                match.apply(who, action)
                if game.know(after, seat) == match.know(None if seat == NOBODY else seat):
                    assert mine == theirs, (before, who, action, seat)
                    compared += 1
            else:
                match.apply(who, action)
    assert compared > 50


def test_a_view_or_a_line_of_the_whole_state_would_be_noticed() -> None:
    """The tests above can fail: what another seat sees and hears depends on more than this seat knows."""
    match, play = Match("silencio", 3, seed=1), compiled("silencio")
    world: Any = match.know(0)
    match.game.rules.imagine(world, 0, stream("other"))
    assert play.look(record(world), [1], ()) != play.look(record(match.state), [1], ())
    fresh: Any = Match("silencio", 3, seed=1, settle=False).state
    assert [heard(play, fresh, CHANCE, 7, seat)[1] for seat in (0, 1, NOBODY)] == [
        ["* deal 0 r9"], ["* deal 0 ?"], ["* deal 0 ?"]
    ]  # fmt: skip


@pytest.mark.parametrize("name", FRAGMENTED)
def test_a_full_table_begins_anew(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    play, begun = CompiledPlay(game_named(name)), list[int]()
    begin = play._begin

    def count() -> None:
        begun.append(1)
        begin()

    monkeypatch.setattr(play, "_full", len(play._texts) + 30)
    monkeypatch.setattr(play, "_begin", count)
    for match in moments(name, every=3):
        for seat, made in seen(play, match).items():
            right = match.see(None if seat == NOBODY else seat)
            assert bytes(made.view) == encoded(right.view)
            assert [*made.decisions] == right.legal
    for number, seats, options, version in ways(name, every=5):
        match, start = (
            Match(name, seats, options, seed=number, rules_version=version, settle=False) for _ in range(2)
        )  # fmt: skip
        other = CompiledMatch.of(start, play)
        for one in (match, other):
            for viewer in range(seats):
                one.hearing(viewer)
            one.settle()
        compare(match, other)
    assert len(begun) > 3


def test_views_get_the_room_that_they_need() -> None:
    play, match = CompiledPlay(game_named("zombie-city")), Match("zombie-city", 6, seed=1)
    right = seen(play, match)
    play._work = play._work._replace(views=np.zeros((compiled_steps.EYES, 100), np.int8))
    play._views = [memoryview(row) for row in play._work.views]
    assert seen(play, match) == right
    assert play._work.views.shape[1] > 100


def test_a_text_that_cannot_be_made_leaves_nothing_wrong_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    play, match = CompiledPlay(game_named("silencio")), Match("silencio", 2, seed=1)
    right = compiled("silencio").look(record(match.state), [0, 1], ())

    def broken(key: int) -> str:
        raise RuntimeError("no text")

    with monkeypatch.context() as patch:
        patch.setattr(play, "_one_number", [broken, broken])
        with pytest.raises(RuntimeError, match="no text"):
            play.look(record(match.state), [0, 1], ())
    assert play.look(record(match.state), [0, 1], ()) == right


def test_threads_do_not_get_each_others_views() -> None:
    play = compiled("silencio")
    matches = [match.copy() for match in moments("silencio", every=11)]
    right = [seen(play, match) for match in matches]
    with ThreadPoolExecutor(4) as pool:
        for _ in range(3):
            assert list(pool.map(lambda match: seen(play, match), matches)) == right


@pytest.mark.parametrize("name", GAMES)
def test_a_state_is_packed_as_a_record_has_it_and_read_from_it(name: str) -> None:
    game = game_named(name)
    for match in moments(name, every=7):
        stored = np.zeros(1, game.dtype)
        match.state.store(stored[0])
        assert stored.tobytes() == record(match.state)
        assert game.State().unpack(record(match.state)) == match.state


@pytest.mark.parametrize("name", FRAGMENTED)
def test_keys_stay_within_their_bounds_and_are_64_bits(name: str) -> None:
    rules: Any = game_named(name).rules
    for match in moments(name, every=2):
        for seat in [*range(match.seats), NOBODY]:
            numbers = [0] * rules.VIEW_KEYS
            assert rules.view_keys(match.game.know(match.state, seat), seat, numbers) <= rules.VIEW_KEYS
            assert all(-(1 << 63) <= number < 1 << 63 for number in numbers)


def test_a_game_is_played_by_compiled_rules_once_they_are_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    match = Match("silencio", 2, seed=1)
    monkeypatch.setattr(compiled_play, "_loaded", {})
    assert type(playing(match)) is Match
    monkeypatch.setattr(compiled_play, "_loaded", {match.game: compiled("silencio")})
    first = playing(match)
    assert type(first) is CompiledMatch
    assert type(playing(first)) is CompiledMatch
    toy = game_named("toy")  # without fragments
    compiled_play.load(toy)
    assert compiled_play.loaded(toy) is None


# ------------------------------------------------------------------ fragments
class Pair(msgspec.Struct):
    one: int
    two: int
    several: list[int]


class Counted(msgspec.Struct):
    parts: list[int]
    counts: dict[str, int]


def test_fragments_are_the_fields_of_the_view_in_their_order() -> None:
    good = [Fragment("one two", lambda key: (key, key + 1)), Fragment("several", int, is_list=True)]
    assert Fragments(Pair, good).view([3, 2, 7, 8]) == Pair(3, 4, [7, 8])
    with pytest.raises(TypeError, match="Pair"):
        Fragments(Pair, good[::-1])


def test_a_key_may_give_several_items_of_a_list_or_a_dict() -> None:
    made = Fragments(
        Counted,
        [
            Fragment("parts", lambda key: [key, key + 1], is_list=True, several=list),
            Fragment("counts", lambda key: {f"k{key}": key}, is_list=True, several=dict),
        ],
    )
    assert made.view([2, 4, 6, 2, 1, 3]) == Counted([4, 5, 6, 7], {"k1": 1, "k3": 3})
    texts = [made.before(0), made.text(0, [4]), b",", made.text(0, [6]), made.before(1), made.text(1, [3]), made.end]
    assert b"".join(texts) == b'{"parts":[4,5,6,7],"counts":{"k3":3}}'
