"""Networks: their files, the same integers from compiled code and NumPy, and the bot that plays by one."""

from __future__ import annotations

import dataclasses
import hashlib
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import numpy as np
import pytest

from tacit import Match, game_named
from tacit.bots import Budget, CompiledBot, Dice, bot_named
from tacit.bots.heard_events import HeardEvents, turn_of
from tacit.bots.network import inference, network_file
from tacit.bots.network.heard_tokens import heard_tokens
from tacit.bots.network.network_file import BadNetwork, Header, Network, header_for, load_network, save_network, shapes
from tacit.bots.network.policy import NetworkPolicy, choose_of
from tacit.bots.registry import NETWORKS, missing_networks
from tacit.core.bits import mark
from tacit.core.chance import stream
from tacit.core.game import Game
from tacit.core.rulekit import build

SILENCIO = game_named("silencio")


def header(**sizes: int) -> Header:
    return header_for(SILENCIO, **{"history": 5, "embedding": 3, "width": 32, "blocks": 2, **sizes})


def network_for(head: Header, seed: int = 1, game: Game = SILENCIO) -> Network:
    """A network of random integers, such as no training would give."""
    rng = np.random.default_rng(seed)
    made: dict[str, Any] = {}
    for name, shape in shapes(head).items():
        if name in ("first", "up", "down", "last"):
            made[name] = rng.integers(-127, 128, shape).astype(np.int8)
        elif name == "shifts":
            made[name] = rng.integers(24, 28, shape)
        elif name == "units":
            made[name] = np.where(network_file.number_cells(game), 102, 1024)
        elif "scale" in name:
            made[name] = rng.integers(1 << 18, 1 << 20, shape)
        else:
            made[name] = rng.integers(-3000, 3000, shape)
    return Network(**made)


def inputs(head: Header, n: int, seed: int = 2) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    cells = (rng.random((n, head.observation)) < 0.1).astype(np.int8)
    numbers = network_file.number_cells(SILENCIO)
    cells[:, numbers] = rng.integers(-128, 128, (n, numbers.sum()))
    return cells, rng.integers(0, head.vocabulary, (n, head.history))


def compiled_logits(head: Header, net: Network, cells: Any, tokens: Any) -> Any:
    rules = build(inference, "cpu")
    work = np.zeros((4, max(shapes(head)["first"][0], head.width)), np.int32)
    sums = np.zeros(max(head.width, head.actions), np.int32)
    found = np.zeros((len(cells), head.actions), np.int64)
    for i in range(len(cells)):
        rules.logits(net, cells[i], tokens[i], work, sums, found[i])
    return found


SUMS = """
import numpy as np
from tacit.bots.network import inference
from tacit.core import products_cpu
from tacit.core.rulekit import build

rng = np.random.default_rng(3)
compiled = build(inference, "cpu").add_products
for inputs, outputs, share, largest in [
    (8, 5, 1, 100), (301, 128, 0.5, 1 << 15), (300, 128, 0.5, 1 << 18), (77, 300, 1, 1 << 17), (77, 131, 1, 1 << 23),
    (50, 200, 0, 9), (1, 512, 1, 32767), (2, 512, 1, 32768), (64, 64, 1, 1 << 22),
]:
    weights = rng.integers(-128, 128, (inputs, outputs)).astype(np.int8)
    values = (rng.integers(-largest, largest + 1, inputs) * (rng.random(inputs) < share)).astype(np.int32)
    values[:1] = largest if share else 0
    sums, picked = rng.integers(0, 9, outputs).astype(np.int32), np.zeros(inputs, np.int32)
    compiled(values, weights, picked, sums)
    assert (sums == (values.astype(np.int64) @ weights).astype(np.int32)).all(), (inputs, outputs, share, largest)
print(products_cpu.add_products is not None)
"""


@pytest.mark.parametrize("processor", ["", "generic", "haswell"])
def test_sums_of_products_are_the_same_on_every_processor(processor: str, tmp_path: Path) -> None:
    """With the instruction that this processor has, with AVX2, and where there is none."""
    wanted = {"NUMBA_CPU_NAME": processor, "NUMBA_CPU_FEATURES": "+avx2,+fma" if processor == "haswell" else ""}
    environment = os.environ | {"TACIT_CACHE": str(tmp_path)} | (wanted if processor else {})
    done = subprocess.run([sys.executable, "-c", SUMS], env=environment, capture_output=True, text=True, check=False)
    if processor == "haswell" and "AVX2" in done.stderr:
        processor = ""  # this processor is no x86 with AVX2
    assert done.returncode == 0, done.stderr
    if processor == "generic":
        assert done.stdout.strip() == "False"


@pytest.mark.parametrize(
    "sizes", [{}, {"blocks": 0}, {"history": 0}, {"width": 200, "blocks": 1}, {"width": 512}], ids=str
)
def test_compiled_code_and_numpy_give_the_same_integers(sizes: dict[str, int]) -> None:
    head = header(**sizes)
    net = network_for(head)
    cells, tokens = inputs(head, 40)
    plain = inference.logits_of(net, cells, tokens)
    assert (compiled_logits(head, net, cells, tokens) == plain).all()
    assert len(np.unique(plain)) > 40


def test_the_same_weights_decide_the_same_everywhere() -> None:
    """These integers are the same on every machine; where they change, networks that are shipped decide otherwise."""
    head = header()
    wanted = inference.logits_of(network_for(head), *inputs(head, 40))
    assert hashlib.sha256(wanted.astype("<i8").tobytes()).hexdigest()[:16] == "65321a31c02757ff"


def test_the_whole_root_is_whole() -> None:
    rng = np.random.default_rng(3)
    for square in [
        0,
        1,
        2,
        3,
        4,
        (1 << 62) - 1,
        *(int(n) ** 2 + d for n in rng.integers(1, 1 << 31, 50) for d in (-1, 0, 1)),
    ]:
        r = inference.root(square)
        assert r * r <= square < (r + 1) ** 2


def test_of_equals_the_lowest_legal_decision_is_taken() -> None:
    mask = [0, 0]
    for action in (3, 70, 71):
        mark(mask, action)
    wanted = [9] * 92
    assert inference.best(wanted, len(wanted), mask) == 3
    wanted[71] = wanted[70] = 10
    assert inference.best(wanted, len(wanted), mask) == 70


# ------------------------------------------------------------------ files
def test_a_file_gives_back_what_was_saved(tmp_path: Path) -> None:
    head = header()
    net = network_for(head)
    save_network(tmp_path / "n.npz", SILENCIO, head, net)
    again, loaded = load_network(tmp_path / "n.npz", SILENCIO)
    assert again == head
    assert all((a == b).all() for a, b in zip(net, loaded, strict=True))


def test_a_file_of_differences_gives_back_what_was_saved(tmp_path: Path) -> None:
    head, base, path = header(), tmp_path / "base.npz", tmp_path / "n.npz"
    before = network_for(head)
    now = before._replace(first=(before.first ^ 3).astype(np.int8), last=network_for(head, 8).last)
    with pytest.raises(BadNetwork, match=r"The network base.npz is missing."):
        save_network(path, SILENCIO, msgspec.structs.replace(head, base="base.npz"), now)
    save_network(base, SILENCIO, head, before)
    save_network(path, SILENCIO, msgspec.structs.replace(head, base="base.npz"), now)
    again, loaded = load_network(path, SILENCIO)
    assert again == msgspec.structs.replace(head, base="base.npz", base_digest=again.base_digest)
    assert len(again.base_digest) == 16
    assert all((a == b).all() for a, b in zip(now, loaded, strict=True))
    assert path.stat().st_size < 0.8 * base.stat().st_size

    save_network(base, SILENCIO, head, now)
    with pytest.raises(BadNetwork, match=r"base.npz was made for something else: its SHA-256 is "):
        load_network(path, SILENCIO)
    base.unlink()
    with pytest.raises(BadNetwork, match=r"The network base.npz is missing."):
        load_network(path, SILENCIO)
    other = header(width=2 * head.width)
    save_network(base, SILENCIO, other, network_for(other))
    with pytest.raises(BadNetwork, match=r"The network n.npz cannot be read: base.npz: first "):
        save_network(path, SILENCIO, msgspec.structs.replace(head, base="base.npz"), now)


def test_a_bad_file_gets_a_sentence(tmp_path: Path) -> None:
    head = header()
    path = tmp_path / "n.npz"
    with pytest.raises(BadNetwork, match=r"The network n.npz is missing."):
        load_network(path, SILENCIO)
    save_network(path, SILENCIO, head, network_for(head))
    whole = path.read_bytes()
    for wrong in (b"", b"PK", b"nothing of the kind", whole[:2000], whole[:-30], whole[:400] + b"x" * 99 + whole[499:]):
        path.write_bytes(wrong)
        with pytest.raises(BadNetwork, match=r"The network n.npz cannot be read: "):
            load_network(path, SILENCIO)
    path.write_bytes(whole)
    with pytest.raises(BadNetwork, match="made for something else: its game is silencio, and zombie-city is needed"):
        load_network(path, game_named("zombie-city"))


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"format": 2}, "its format is 2, and 1 is needed"),
        ({"fields": "0123"}, "its fields is 0123"),
        ({"width": 33}, "cannot be read: first: int8"),
        ({"history": 65}, "an impossible size"),
        ({"blocks": -1}, "an impossible size"),
        ({"base": "../n.npz"}, "an impossible base"),
        ({"base": "."}, "an impossible base"),
        ({"base": "\0"}, "an impossible base"),
        ({"base": ".."}, "is missing"),
    ],
    ids=str,
)
def test_a_header_that_does_not_fit_is_refused(change: dict[str, Any], says: str, tmp_path: Path) -> None:
    path = tmp_path / "n.npz"
    save_network(path, SILENCIO, header(), network_for(header()))
    with np.load(path) as found:
        arrays = dict(found)
    wrong = msgspec.structs.replace(header(), **change)
    arrays["header"] = np.frombuffer(msgspec.json.encode(wrong), np.uint8)
    np.savez(path, **arrays)
    with pytest.raises(BadNetwork, match=says):
        load_network(path, SILENCIO)


def test_sums_that_could_overflow_are_refused(tmp_path: Path) -> None:
    head = header()
    net = network_for(head)
    with pytest.raises(ValueError, match="overflow"):
        save_network(tmp_path / "n.npz", SILENCIO, head, net._replace(units=net.units * 1000))
    with pytest.raises(ValueError, match="The array scale must"):
        save_network(tmp_path / "n.npz", SILENCIO, head, net._replace(scale=net.scale << 20))


# ------------------------------------------------------------------ what was heard
def test_tokens_tell_the_last_decisions_that_were_heard_newest_first() -> None:
    match = Match("silencio", 3, seed=4)
    listener = HeardEvents(match)
    rng = np.random.default_rng(1)
    told: list[tuple[int, int]] = []
    while not match.over:
        seat = min(match.due)
        events = listener.events(seat)
        tokens = np.zeros(12, np.int64)
        heard_tokens(events, len(events), seat, 3, SILENCIO.actions, tokens)
        for (who, action), token in zip(reversed(told[-12:]), tokens, strict=False):
            assert (token - 1) // (SILENCIO.actions + 1) == (who - seat) % 3
            assert (token - 1) % (SILENCIO.actions + 1) in (0, action + 1)  # 0: it did not see which
            if who == seat:
                assert (token - 1) % (SILENCIO.actions + 1) == action + 1
        assert (tokens[len(told) :] == 0).all()
        legal = SILENCIO.legal(match.state, seat)
        action = int(rng.choice(legal))
        told.append((seat, action))
        match.play(seat, SILENCIO.rules.show(match.know(seat), seat, action))
    assert len(told) > 20


# ------------------------------------------------------------------ the bot
def small_bot(tmp_path: Path) -> CompiledBot:
    path = tmp_path / "small.npz"
    save_network(path, SILENCIO, header(), network_for(header()))
    choose = choose_of(path, SILENCIO)
    module = SimpleNamespace(NAME="small", GAME="silencio", STYLE="Small.", ASSUMES="Nothing.", choose=choose)
    return CompiledBot(SILENCIO, module)


def positions(seats: int, seed: int, n: int) -> Any:
    match = Match("silencio", seats, seed=seed)
    listener = HeardEvents(match)
    rng = np.random.default_rng(seed)
    for _ in range(n):
        if match.over:
            return
        seat = min(match.due)
        yield turn_of(match, seat, listener, Dice(stream("dice")), Budget())
        match.play(seat, str(rng.choice(match.legal(seat))))


# Each is compiled for itself. Odd integers are compared above.
@pytest.mark.parametrize("name", [pytest.param("small", marks=pytest.mark.long), "learned"])
def test_a_network_decides_the_same_compiled_and_interpreted(name: str, tmp_path: Path) -> None:
    bot = small_bot(tmp_path) if name == "small" else bot_named(SILENCIO, name)
    assert isinstance(bot, CompiledBot)
    chosen = set()
    for turn in positions(3, 5, 40):
        again = dataclasses.replace(turn, rng=Dice(turn.rng.words))
        action = bot.choose_compiled(again)
        assert action == bot.choose(turn)
        assert action in SILENCIO.legal(turn.k, turn.seat)
        chosen.add(action)
    assert len(chosen) > 5


def test_two_networks_in_one_process_keep_apart(tmp_path: Path) -> None:
    """Each finds its own weights: they are looked up by a symbol of its own."""
    paths = [tmp_path / "one.npz", tmp_path / "two.npz"]
    for seed, path in enumerate(paths):
        save_network(path, SILENCIO, header(), network_for(header(), seed))
    assert NetworkPolicy(paths[0], SILENCIO).key() != NetworkPolicy(paths[1], SILENCIO).key()


def test_where_a_file_is_missing_so_is_the_bot(tmp_path: Path) -> None:
    assert missing_networks() == []
    assert missing_networks(tmp_path) == [(*bot, file) for bot, files in NETWORKS.items() for file in files]
