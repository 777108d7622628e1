"""`master`: playouts side by side by a network, in worlds of what its seat knows; by interpreted rules."""

from __future__ import annotations

import dataclasses
import importlib
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tacit.bots import Budget, Turn, bot_named
from tacit.bots.master import lockstep
from tacit.bots.master.lookahead import Lookahead, drivers, returns_of
from tacit.bots.silent_planet import partner
from tacit.core.chance import stream
from tacit.core.game import Game
from tacit.core.registry import game_named
from tacit.core.rulekit import build
from tests.bots.test_framework import cannot_cheat
from tests.bots.test_search import at, turn

# game, seats, and decisions after which a seat is asked (in Silent Planet it then points)
GAMES = [("silencio", 3, 6), ("silver-and-gold", 2, 6), ("zombie-city", 3, 6), ("silent-planet", 3, 36)]


def tuning(game: str) -> Any:
    return importlib.import_module(f"tacit.bots.{game.replace('-', '_')}.master")


class Plain(list[Any]):
    """States as interpreted rules read them; storing one copies it, as in an array."""

    def __setitem__(self, i: Any, state: Any) -> None:
        super().__setitem__(i, state.copy())


def plain(game: Game, array: Any) -> Any:
    """An array as interpreted rules read it: plain states, or whole numbers of any size."""
    if array.dtype.names:
        return Plain(game.State() for _ in array)
    return array if array.dtype == np.int8 else array.astype(object)


class Interpreted(Lookahead):
    """The same by interpreted rules."""

    def __init__(self, game: Game, seats: int, tuned: Any = None, **changed: Any) -> None:
        super().__init__(game, tuned or tuning(game.name), seats)
        rules = build(game.module, "py", drivers=drivers(game, self.tuning))

        def plainly(rate: Any) -> Any:
            return lambda w, *rest: int(rate(w._replace(moves=w.moves.tolist()), *rest))

        rates = {name: plainly(getattr(rules, name)) for name in ("rate", "rate_all")}
        self.rules = SimpleNamespace(**vars(rules) | rates)
        self.work = type(self.work)(*(plain(game, array) for array in self.work))
        self.slots = type(self.slots)(*(plain(game, array) for array in self.slots))
        changed = {"reuse": 0, "quick": False} | changed
        self.parameters = dataclasses.replace(self.parameters, **changed)

    def decide(self, turn: Turn) -> str:
        """The same: what the seat knows is stored as a plain state."""
        base: Any = type(turn.k)

        def store(k: Any, record: Any) -> None:
            stored = np.zeros(1, self.game.dtype)
            base.store(k, stored[0])
            record.load(stored[0])

        kind = type(base.__name__, (base,), {"store": store})
        known = np.zeros(1, self.game.dtype)
        turn.k.store(known[0])
        return super().decide(dataclasses.replace(turn, k=kind().load(known[0])))


@pytest.mark.parametrize(("name", "seats", "decisions"), GAMES)
def test_it_decides_by_playouts_of_its_network(name: str, seats: int, decisions: int) -> None:
    game = game_named(name)
    match, listener = at(game, seats, decisions)
    texts = set()
    for _ in range(2):
        looking = Interpreted(game, seats, min_z=-99.0, margin=-1e9, horizon=2, top=3, gap=99.0)
        texts.add(looking.decide(turn(match, listener, Budget(playouts=6))))
        assert looking.playouts >= 6
    assert len(texts) == 1
    assert texts <= set(match.legal(min(match.due)))


@pytest.mark.parametrize(
    ("name", "config", "scores", "over", "expected"),
    [
        ("silencio", {}, [-4, -4, -4], True, None),
        ("silencio", {}, [0, 0, 0], True, 1.0),
        ("silver-and-gold", {"win": 0.5, "points": 0.25, "dense": True}, [10, 8], True, 0.5 + 0.5),
        ("silver-and-gold", {"win": 0.5, "points": 0.25, "dense": True}, [8, 8], True, 0.0),
        ("silver-and-gold", {"win": 0.5, "points": 0.25, "dense": True}, [10, 8], False, 0.5 + 2.0),
        ("silver-and-gold", {"win": 0.5, "points": 0.25}, [10, 8], False, 2.0),
    ],
)
def test_a_playout_is_worth_what_the_network_was_trained_to_want(
    name: str, config: dict[str, Any], scores: list[int], over: bool, expected: float | None
) -> None:
    """In competitive games the lead; the network says 3 for the seat itself and 1 for the next one."""
    game = game_named(name)
    seats = len(scores)
    if expected is None:  # a card left costs what it costs in training
        low, high = game.module.score_range(seats)
        expected = (scores[0] - high) * min(10 / (high - low), 1.0)
    said = [] if over else [0] * game.actions + [3 * lockstep.ONE, lockstep.ONE, 0, 0]
    returns = returns_of(game, seats, config).tolist()
    found = lockstep.returned(game.blank(seats), scores, said, game.actions, 0, 0, returns)
    assert found / lockstep.ONE == pytest.approx(expected, abs=0.01)


def test_with_turns_the_policy_plays_them_and_the_value_network_judges_the_seats_own_choice() -> None:
    """Silver & Gold: a seat's crossing is sealed from the others, so its value is asked where it decides itself."""
    game = game_named("silver-and-gold")
    match, listener = at(game, 2, 20)
    seat = min(match.due)
    looking = Interpreted(game, 2, min_z=-99.0, margin=-1e9, top=2, gap=99.0, turns=2)
    assert looking.decide(turn(match, listener, Budget(playouts=4))) in match.legal(seat)
    assert looking.playouts >= 4
    for b in range(4):
        assert looking.slots.seats[b] == seat
        assert looking.slots.states[b].turn == match.state.turn + 2


def test_silver_and_gold_is_judged_by_network_and_evaluation_alike() -> None:
    game = game_named("silver-and-gold")
    match, _ = at(game, 2, 20)
    tuned = tuning(game.name)
    worth = tuned.worth(match.state, [30, 20], 0)
    assert tuned.judged(match.state, [30, 20], 0, 500) == (500 + tuned.A_POINT * worth // 1000) // 2
    header, _ = tuned.VALUE.loaded
    assert round(header.training["config"]["points"] * lockstep.ONE) == tuned.A_POINT


def test_silver_and_gold_asks_the_network_for_so_many_seats() -> None:
    game = game_named("silver-and-gold")
    tuned = tuning(game.name)
    for seats, network in ((2, tuned.LEAD), (3, tuned.NETWORK), (4, tuned.NETWORK)):
        match, _ = at(game, seats, 20)
        seat = min(match.due)
        cells, tokens = np.zeros((2, game.observation), np.int8), np.zeros((2, 64), np.int64)
        game.rules.observe(match.know(seat), seat, cells[0])
        header, _ = network.loaded
        wanted = np.zeros((2, game.actions + header.values), np.int64)
        tuned.evaluate(cells, tokens, wanted, 1)
        assert (wanted[0] == network.logits(cells[:1], tokens[:1])[0]).all()
        assert not wanted[1].any()


def test_it_departs_only_where_it_is_sure() -> None:
    """With a margin that nothing can reach it plays as `learned` does, decision by decision."""
    game = game_named("zombie-city")
    match, listener = at(game, 2, 10)
    learned = bot_named(game, "learned")
    looking = Interpreted(game, 2, margin=1e12, top=2, gap=99.0, horizon=1)
    for _ in range(4):
        now = turn(match, listener, Budget(playouts=4))
        text = looking.decide(now)
        assert text == learned.decide(now)
        match.play(now.seat, text)


@pytest.mark.parametrize(("name", "changed"), [("zombie-city", {"horizon": 2}), ("silver-and-gold", {"turns": 1})])
def test_it_cannot_cheat(name: str, changed: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """The same knowledge with different hidden truths: the same playouts, the same decision."""
    asked = []

    def searching(game: Game, seats: int) -> Interpreted:
        asked.append(Interpreted(game, seats, top=2, **changed))
        return asked[-1]

    monkeypatch.setattr(tuning(name).Master, "searching", staticmethod(searching))
    cannot_cheat(name, "master", Budget(playouts=4))
    assert any(one.playouts for one in asked)


class InterpretedPartner(Interpreted, partner.PartnerLookahead):
    """The same of Silent Planet's `partner`."""


@pytest.mark.parametrize(("seats", "laid_by"), [(2, str(partner.FILE)), (3, "steady")])
def test_a_partner_lays_its_row_for_those_who_read_it(seats: int, laid_by: str) -> None:
    game = game_named("silent-planet")
    looking = InterpretedPartner(game, seats, partner, quick=True)
    match, listener = at(game, seats, 3)
    now = turn(match, listener)
    assert looking.decide(now) == bot_named(game, laid_by).decide(now)
    assert looking.playouts == 0


def test_a_partner_points_by_playouts_and_cannot_cheat() -> None:
    game = game_named("silent-planet")
    looking = InterpretedPartner(game, 2, partner, quick=True, top=2, min_z=-99.0)
    match, listener = at(game, 2, 24)
    texts, worlds = set(), []
    for key in ("one world", "another"):
        now = turn(match, listener, Budget(playouts=8))
        worlds.append(match.know(now.seat))
        game.rules.imagine(worlds[-1], now.seat, stream(key))
        texts.add(looking.decide(dataclasses.replace(now, k=game.know(worlds[-1], now.seat))))
        assert looking.playouts >= 8
    assert worlds[0] != worlds[1]
    assert len(texts) == 1
    assert texts <= set(match.legal(min(match.due)))


@pytest.mark.parametrize(
    ("name", "seats", "decisions"),
    [case if case[0] == "zombie-city" else pytest.param(*case, marks=pytest.mark.long) for case in GAMES],
)
def test_compiled_it_decides_as_interpreted(name: str, seats: int, decisions: int) -> None:
    game = game_named(name)
    match, listener = at(game, seats, decisions)
    now = turn(match, listener, Budget(playouts=12))
    wanted = Interpreted(game, seats, top=3, gap=99.0, horizon=2, min_z=0.0)
    found = Lookahead(game, tuning(name), seats)
    found.parameters = wanted.parameters
    assert found.decide(now) == wanted.decide(turn(match, listener, Budget(playouts=12)))
    assert found.playouts == wanted.playouts
    assert found.slots.values.tolist() == wanted.slots.values.tolist()
