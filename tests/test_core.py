"""The core's parts: bits, records, chance, building, messages."""

from __future__ import annotations

import random
import subprocess
import sys
import types
from typing import Annotated, Any, Protocol

import numpy as np
import pytest

from tacit import Message, Paired, Seeded, System, game_named, render
from tacit.core import bits, chance, rulekit
from tacit.core.bits import LOCAL_CELLS, local_cells, rest_of
from tacit.core.rulekit import build, rule
from tacit.core.state_layout import Cells, Grid, dtype_of, plain_state_class

# ------------------------------------------------------------------ bits
WORDS = [0, 1, 2, 3, 0b1011, (1 << 47) | 1, (1 << 62) | (1 << 31), (1 << 63) - 1, 0x123456789ABCDEF]


@pytest.mark.parametrize("x", WORDS)
def test_bits_agree_with_plain_python(x: int) -> None:
    members = tuple(i for i in range(64) if x >> i & 1)
    assert bits.count(x) == len(members)
    assert bits.members(x) == members
    assert bits.length(x) == x.bit_length()
    for n, member in enumerate(members):
        assert bits.nth(x, n) == member
    if members:
        assert bits.lowest(x) == members[0]


def test_bits_are_the_same_compiled() -> None:
    built = build(bits, "cpu")
    for x in [*WORDS, -1, bits.SIGN, bits.SIGN | 5]:
        assert built.count(x) == bits.count(x)
        if x:
            assert built.lowest(x) == bits.lowest(x)
        if x >= 0:
            assert built.length(x) == bits.length(x)
        for n in range(bits.count(x)):
            assert built.nth(x, n) == bits.nth(x, n)
    out, plainly = np.full(20, 9, np.int8), [9] * 20
    assert built.spread(out, 3, 0b1011, 6) == bits.spread(plainly, 3, 0b1011, 6) == 9
    assert out.tolist() == plainly


@rule
def add_up(n: int) -> int:
    """n, counted in scratch memory that each call finds empty."""
    total = 0
    for i in range(n):
        cells = local_cells()
        cells[i % LOCAL_CELLS] += 1
        count_cells(cells)
        total += cells[LOCAL_CELLS - 1]
    return total


@rule
def count_cells(cells: Cells) -> None:
    """Write the sum of the others into the last cell."""
    found = cells[LOCAL_CELLS - 1]
    for i in range(LOCAL_CELLS - 1):
        found += cells[i]
    cells[LOCAL_CELLS - 1] = found


def test_scratch_memory_is_empty_each_time_and_can_be_handed_on() -> None:
    module = types.ModuleType("m")
    names = {"local_cells": bits.local_cells, "LOCAL_CELLS": LOCAL_CELLS}
    module.__dict__.update(add_up=add_up, **names)
    assert add_up(200) == build(module, "cpu").add_up(200) == 200


def test_the_rest_of_a_multiset_is_the_same_compiled() -> None:
    module = types.ModuleType("m")
    module.__dict__.update(rest=rest)
    rng = random.Random(7)
    for _ in range(50):
        x = sum(((1 << rng.randrange(4)) - 1) << 3 * i for i in range(20))
        y = sum(((1 << rng.randrange(3 - (x >> 3 * i & 7).bit_count() + 1)) - 1) << 3 * i for i in range(20))
        assert build(module, "cpu").rest(x, y) == rest(x, y)
        left = [3 - (x >> 3 * i & 7).bit_count() - (y >> 3 * i & 7).bit_count() for i in range(20)]
        assert rest(x, y) == sum(((1 << n) - 1) << 3 * i for i, n in enumerate(left))


FIELDS = tuple(0b111 << 3 * i for i in range(20))


@rule
def rest(x: int, y: int) -> int:
    return rest_of(x, y, FIELDS)


def test_the_nth_member_is_the_same_on_a_processor_without_pdep(monkeypatch: pytest.MonkeyPatch) -> None:
    from tacit.core import bits_cpu

    monkeypatch.setattr(bits_cpu, "nth", None)
    module = types.ModuleType("m")
    module.__dict__.update(nth=bits.nth)
    built = build(module, "cpu")
    for x in [*WORDS, -1, bits.SIGN | 5]:
        assert [built.nth(x, n) for n in range(bits.count(x))] == [bits.nth(x, n) for n in range(bits.count(x))]


@pytest.mark.parametrize("cells", [np.zeros(90, np.int8), np.zeros(90, np.int64), np.zeros(180, np.int8)[::2]])
def test_a_set_is_spread_the_same_compiled_wherever_it_lies(cells: Any) -> None:
    """Eight cells at a time where they lie side by side in bytes; no cell beyond is touched."""
    from tacit.core.bits_cpu import spread

    rng = random.Random(1)
    for _ in range(300):
        at, x, n = rng.randrange(20), rng.getrandbits(64) - (1 << 63), rng.randrange(65)
        cells[:] = 7
        plainly = [7] * 90
        assert spread(cells, at, x, n) == bits.spread(plainly, at, x, n)
        assert cells.tolist() == plainly


@pytest.mark.parametrize("misaligned", range(4))
def test_a_gpu_spreads_a_set_by_aligned_words(misaligned: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a GPU would be told to write, with an array that begins at this distance from a word."""
    from tacit.core import bits_cuda

    def put(out: Any, at: Any, word: Any) -> None:
        assert (misaligned + int(at)) % 4 == 0
        out[int(at) : int(at) + 4] = np.frombuffer(np.uint32(word).tobytes(), np.int8)

    monkeypatch.setattr(bits_cuda, "_address", lambda out, at: np.uint64(misaligned + int(at)))
    monkeypatch.setattr(bits_cuda, "_put_4", put)
    rng = random.Random(misaligned)
    for n in range(64):
        at, x = rng.randrange(9), rng.getrandbits(n) if n else 0
        wide, plainly = np.full(90, 7, np.int8), [7] * 90
        with np.errstate(over="ignore"):
            assert bits_cuda._spread_by_words(wide, at, x, n) == bits.spread(plainly, at, x, n) == at + n
        assert wide.tolist() == plainly


def test_a_mask_can_hold_bit_63() -> None:
    mask = memoryview(bytearray(16)).cast("q")
    for at in (0, 63, 64, 127):
        assert not bits.marked(mask, at)
        bits.mark(mask, at)
        assert bits.marked(mask, at)
    assert bits.marks(mask, 2) == [0, 63, 64, 127]


# ------------------------------------------------------------------ records
class Small(Protocol):
    seats: Annotated[int, "i1"]
    total: Annotated[int, "i4"]
    hand: Annotated[Cells, "i8", 3]
    grid: Annotated[Grid, "i2", 2, 4]


def test_a_record_is_the_same_in_numpy_and_plain() -> None:
    dtype = dtype_of(Small)
    state: Any = plain_state_class(dtype)()
    state.seats, state.total = 3, -70_000
    state.hand[2] = 1 << 60
    state.grid[1, 3] = -5
    record = np.zeros(1, dtype)
    state.store(record[0])
    assert record[0]["grid"][1, 3] == -5
    again: Any = plain_state_class(dtype)().load(record[0])
    assert again.key() == state.key()
    copy = state.copy()
    copy.hand[0] = 1
    assert copy != state
    assert state.hand[0] == 0
    assert "total=-70000" in repr(state)


def test_a_value_out_of_its_fields_range_is_an_error() -> None:
    state: Any = plain_state_class(dtype_of(Small))()
    state.grid[0, 0] = 40_000
    with pytest.raises(OverflowError):
        state.store(np.zeros(1, dtype_of(Small))[0])
    state.grid[0, 0], state.seats = 0, 200
    with pytest.raises(OverflowError):
        state.store(np.zeros(1, dtype_of(Small))[0])


def test_fields_are_signed() -> None:
    class Wrong(Protocol):
        x: Annotated[int, "u1"]

    Wrong.__annotations__["x"] = Annotated[int, "u1"]
    with pytest.raises(TypeError, match="signed integers"):
        dtype_of(Wrong)


# ------------------------------------------------------------------ chance
def test_sfc32_gives_the_published_stream() -> None:
    """The first words of sfc32 from state (a, b, c, counter) = (0, 0, 0, 1), worked out by hand from its definition."""
    rng = [0, 0, 0, 1]
    assert [chance.word(rng) for _ in range(4)] == [1, 2, 12, 9 + 9 * (2**21 + 2) + 4]


def test_below_is_exact_and_uniform() -> None:
    rng = chance.stream("below")
    counts = [0] * 7
    for _ in range(70_000):
        counts[chance.below(rng, 7)] += 1
    assert sum((n - 10_000) ** 2 / 10_000 for n in counts) < 27.9


def test_below_draws_again_where_a_remainder_would_be_uneven() -> None:
    rng = [0, 0, 0, 0]  # the first word is 0, which falls into the uneven rest
    assert 0 <= chance.below(rng, 3) < 3
    assert rng[3] >= 2


def test_sources_draw_only_what_has_weight() -> None:
    weights = [0, 2, 0, 1]
    for source in (System(), Seeded(5), Paired(5)):
        assert source.draw(weights, chance.FRESH) in (1, 3)


def test_seeded_repeats_and_differs_by_seed() -> None:
    first = [Seeded(3).draw([1] * 50, 0) for _ in range(2)]
    assert first[0] == first[1]
    assert [Seeded(n).draw([1] * 50, 0) for n in range(20)] != [first[0]] * 20


def test_paired_keeps_the_order_of_a_pool_whatever_is_taken_out() -> None:
    order, weights = [], [3, 1, 2]
    source = Paired(11)
    while any(weights):
        outcome = source.draw(weights, 0)
        weights[outcome] -= 1
        order.append(outcome)
    assert sorted(order) == [0, 0, 0, 1, 2, 2]
    again, other = Paired(11), []
    weights = [3, 1, 2]
    for step in range(6):
        other.append(again.draw(weights, 0))
        weights[other[-1]] -= 1
        again.draw([1, 1], chance.FRESH) if step % 2 else None  # draws from no pool do not disturb it
    assert other == order


def test_paired_gives_a_renewed_pool_a_new_order_and_notices_one_that_was_not_renamed() -> None:
    source = Paired(1)
    orders = []
    for pool in range(8):
        weights, order = [1] * 6, []
        while any(weights):
            order.append(source.draw(weights, pool))
            weights[order[-1]] = 0
        orders.append(tuple(order))
    assert len(set(orders)) > 1
    with pytest.raises(ValueError, match="not renamed"):
        source.draw([2] * 6, 0)


def test_line_ups_that_decide_differently_meet_the_same_deal() -> None:
    from tacit import Match

    one, two = (Match("silencio", 3, chance=Paired(4)) for _ in range(2))
    assert one.lines == two.lines
    one.play(0, "claim")
    two.play(2, "claim")
    oracle = [line for line in one.lines if "oracle" in line]
    assert oracle == [line for line in two.lines if "oracle" in line]


# ------------------------------------------------------------------ building
LIMIT = 3


@rule
def limited(x: int) -> int:
    return x if x < LIMIT else LIMIT


def test_a_rule_that_reads_another_constant_is_compiled_anew() -> None:
    def module() -> types.ModuleType:
        new = types.ModuleType("m")
        new.__dict__.update(limited=limited)
        return new

    before = rulekit._digest([limited], {})
    assert build(module(), "cpu").limited(9) == 3
    globals()["LIMIT"] = 5
    try:
        assert rulekit._digest([limited], {}) != before
        assert build(module(), "cpu").limited(9) == 5
    finally:
        globals()["LIMIT"] = 3


def test_two_rules_of_one_name_are_both_in_the_key() -> None:
    """As two networks in one build have them: `evaluate` of the one, and of the other."""

    def named(default: str) -> Any:
        def told(x: int, network: str = default) -> int:
            return x

        return rule(told)

    keys = {rulekit._digest([named(a), named(b)], {}) for a, b in (("a", "b"), ("a", "c"), ("c", "b"), ("a", "a"))}
    assert len(keys) == 4


KEYS = """
from tacit import GAMES, game_named
from tacit.core.rulekit import key
from tacit.research import partners, stepping
print([key(game_named(name).module, [partners, stepping]) for name in GAMES])
"""


def test_a_key_is_the_same_in_every_process() -> None:
    """Else every process compiles anew."""
    told = [subprocess.run([sys.executable, "-c", KEYS], capture_output=True, text=True, check=True) for _ in range(2)]
    assert told[0].stdout == told[1].stdout


@rule
def first_cell(rows: Any, i: int) -> int:
    row = rows[i]
    return int(row[0]) + len(row)


def test_compiled_rules_count_no_references(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """`_nrt` is not a documented option of Numba's: here one sees if it no longer works, and that it is in the key."""
    monkeypatch.setenv("TACIT_CACHE", str(tmp_path))
    module = types.ModuleType("m")
    module.__dict__.update(first_cell=first_cell)
    compiled = build(module, "cpu").first_cell
    assert compiled(np.full((2, 3), 4), 1) == 7
    assert not any("NRT_" in code for code in compiled.inspect_asm().values())
    before = rulekit._digest([first_cell], {})
    monkeypatch.setitem(rulekit.FLAGS, "_nrt", True)
    assert rulekit._digest([first_cell], {}) != before


@pytest.mark.parametrize("mark", [rulekit.allocates, rulekit.inlined])
def test_a_rule_that_is_marked_otherwise_is_compiled_anew(mark: Any) -> None:
    def first_cell(cells: Any) -> int:
        return cells[0]  # type: ignore[no-any-return]

    rule(first_cell)
    before = rulekit._digest([first_cell], {})
    mark(first_cell)
    assert rulekit._digest([first_cell], {}) != before


@rulekit.inlined
def last_cell(rows: Any, i: int) -> int:
    row = rows[i]
    return int(row[len(row) - 1])


def test_a_rule_that_is_marked_so_is_inlined(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TACIT_CACHE", str(tmp_path))
    module = types.ModuleType("m")
    module.__dict__.update(last_cell=last_cell)
    compiled = build(module, "cpu").last_cell
    assert compiled(np.full((2, 3), 4), 1) == 4
    assert all("alwaysinline" in code for code in compiled.inspect_llvm().values())


def test_there_is_no_other_backend() -> None:
    with pytest.raises(ValueError, match="choose py, cpu or cuda"):
        build(types.ModuleType("m"), "tpu")  # type: ignore[arg-type]


def test_an_edit_in_a_called_module_is_never_stale(tmp_path: Any) -> None:
    """Two processes, one cache, an edit between them in a file that the rule's own file only imports."""
    (tmp_path / "numbers_of.py").write_text("FACTOR = 2\n")
    (tmp_path / "called.py").write_text(
        "from tacit.core.rulekit import rule\nfrom numbers_of import FACTOR\n"
        "@rule\ndef twice(x: int) -> int:\n    return x * FACTOR\n"
    )
    (tmp_path / "game.py").write_text(
        "from tacit.core.rulekit import rule\nfrom called import twice\n"
        "@rule\ndef f(x: int) -> int:\n    return twice(x) + 1\n"
    )
    run = "import game, tacit.core.rulekit as r; print(r.build(game, 'cpu').f(10))"
    env = {"PYTHONPATH": str(tmp_path), "TACIT_CACHE": str(tmp_path / "cache"), "PATH": "", "HOME": str(tmp_path)}
    env["PYTHONDONTWRITEBYTECODE"] = "1"  # Python's own cache goes by seconds and sizes, and would not see the edit

    def result() -> str:
        done = subprocess.run(
            [sys.executable, "-c", run], cwd=tmp_path, env=env, capture_output=True, text=True, check=True
        )
        return done.stdout.strip()

    assert result() == "21"
    (tmp_path / "numbers_of.py").write_text("FACTOR = 3\n")
    assert result() == "31"


def test_builds_of_one_driver_from_the_cache_are_not_mixed_up(tmp_path: Any) -> None:
    """Two bots under one driver, each compiled by a process of its own; a third process loads both from the cache."""
    (tmp_path / "shared.py").write_text(
        "from tacit.core.rulekit import hook, rule\n@hook\ndef choose(x: int) -> int:\n    return 0\n"
        "@rule\ndef run(x: int) -> int:\n    return choose(x)\n"
    )
    for name, factor in (("one", 10), ("two", 20)):
        (tmp_path / f"{name}.py").write_text(
            f"from tacit.core.rulekit import rule\n@rule\ndef choose(x: int) -> int:\n    return x * {factor}\n"
        )
    env = {"PYTHONPATH": str(tmp_path), "TACIT_CACHE": str(tmp_path / "cache"), "PATH": "", "HOME": str(tmp_path)}

    def results(*names: str) -> str:
        code = "import types, shared, tacit.core.rulekit as r\n" + "\n".join(
            f"import {n}; print(r.build(types.ModuleType('g'), 'cpu', [shared, {n}]).run(1))" for n in names
        )
        done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=env, capture_output=True, text=True)
        return done.stdout

    assert results("one") == "10\n"
    assert results("two") == "20\n"
    assert results("one", "two", "one") == "10\n20\n10\n"


def test_builds_share_the_rules_they_have_in_common() -> None:
    """What a second build does not change, it does not compile again; what it does change is its own."""
    from tacit.bots import bot_play
    from tacit.bots.every_game import random as by_lot
    from tests.bots import odd_compiled

    toy = game_named("toy")
    one, two = (build(toy.module, "cpu", drivers=[bot_play, bot]) for bot in (by_lot, odd_compiled))
    assert one.legal is two.legal is toy.build("cpu").legal
    assert one.bot_match is not two.bot_match
    assert one.choose is not two.choose
    assert build(toy.module, "cpu", drivers=[bot_play, by_lot]) is one  # the same modules: nothing is made again


@rule
def doubled(value: int) -> int:
    return 2 * value


@rule
def doubles(small: Cells) -> int:
    return doubled(100) + doubled(3) + doubled(small[0])


def test_a_rule_is_compiled_once_for_all_constants_and_widths() -> None:
    """And narrow integers do not overflow in it."""
    made = build(types.SimpleNamespace(doubled=doubled, doubles=doubles), "cpu")
    assert made.doubles(np.array([100], np.int8)) == 406
    called = made.doubles.py_func.__globals__["doubled"]
    assert len(called.signatures) <= 1  # none where `doubles` came from the cache


def test_what_rules_call_has_no_wrapper_for_python(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A rule is compiled with one for Python alone; a second process loads both from the cache (the tests above)."""
    monkeypatch.setenv("TACIT_CACHE", str(tmp_path))
    made = build(types.SimpleNamespace(doubled=doubled, doubles=doubles), "cpu")
    assert made.doubles(np.array([4], np.int8)) == 214
    assert made.doubled(5) == 10
    called = made.doubles.py_func.__globals__["doubled"]
    assert called is not made.doubled
    assert all("PyArg_" in code for code in made.doubled.inspect_llvm().values())
    assert not any("PyArg_" in code for code in called.inspect_llvm().values())


def test_playing_a_move_imports_no_compiler() -> None:
    """Nobody who only plays a move waits for Numba, not even for its import."""
    code = (
        "import sys; from tacit import Match; m = Match('silencio', 3, seed=1); m.play(0, m.legal(0)[0]); m.see(0);"
        "print('numba' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


# ------------------------------------------------------------------ messages
def test_a_message_is_rendered_with_names_plurals_and_messages_inside() -> None:
    who = Message("core.seat", {"seat": 1})
    told = Message("silencio.tell.stuck", {"who": who, "n": 1})
    assert render(told) == "Seat 1 says: one of my cards fits no row."
    assert render(told, names=["Ada", "Ben"]) == "Ben says: one of my cards fits no row."
    assert render(Message("silencio.tell.stuck", {"who": who, "n": 3})) == "Seat 1 says: 3 of my cards fit no row."
    spelled = [render(Message("core.seats.number", {"given": 1.5}), language) for language in ("en", "de", "nl")]
    assert [text[-4:] for text in spelled] == ["1.5.", "1,5.", "1,5."]
