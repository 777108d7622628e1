"""Zombie City's `steady`: always legal, the same on every backend, blind to what is hidden, sensible, and strong."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tacit import Match, game_named
from tacit.bots import bot_play
from tacit.bots.zombie_city import steady
from tacit.bots.zombie_city.steady import choose
from tacit.core.bits import mark, marked
from tacit.core.buffers import buffers
from tacit.core.chance import below, stream
from tacit.core.random_play import CHANCE, clear, due, know, legal, random_marked, roll, seed_match, start, step
from tacit.core.rulekit import build, rule
from tacit.core.state_layout import Cells
from tacit.games.zombie_city.model import ACTIONS
from tests.zombie_city.positions import dealt, run, table

GAME = game_named("zombie-city")
TABLES = [
    (seats, {"survivors": survivors, "expert": expert})
    for seats in range(2, 7)
    for survivors in (1, 2, 3)
    for expert in (False, True)
]


@rule
def decide_at(states: Any, seat: int, mask: Cells, rng: Cells) -> int:
    """The bot's decision in what states[0] holds."""
    return choose(states[0], seat, mask, 0, mask, rng)


@rule
def faults(
    states: Any, blank: Any, first: int, n: int, chaos: int, rng: Cells, mask: Cells, weights: Cells, tally: Cells
) -> int:
    """Illegal decisions in n matches; `chaos` hundredths of the decisions are made at random. tally: the bot's own."""
    wrong = 0
    for i in range(n):
        seed_match(rng, first + i)
        states[0] = blank[0]
        s = states[0]
        start(s)
        now = due(s)
        while now != 0:
            if now == CHANCE:
                step(s, CHANCE, roll(s, rng, weights))
            else:
                seat = below(rng, s.seats)
                while (now >> seat) & 1 == 0:
                    seat = (seat + 1) % s.seats
                clear(mask)
                legal(s, seat, mask)
                states[1] = blank[1]
                know(s, seat, states[1])
                action = choose(states[1], seat, mask, 0, mask, rng)
                tally[0] += 1
                if action < 0 or action >= ACTIONS or not marked(mask, action):
                    wrong += 1
                    action = random_marked(mask, rng)
                if below(rng, 100) < chaos:
                    action = random_marked(mask, rng)
                step(s, seat, action)
            now = due(s)
    return wrong


RULES = build(GAME.module, "cpu", drivers=[bot_play, steady, SimpleNamespace(decide_at=decide_at, faults=faults)])


def mask_of(k: Any, seat: int) -> list[int]:
    mask = [0] * GAME.words
    for action in GAME.legal(k, seat):
        mark(mask, action)
    return mask


def interpreted(k: Any, seat: int, key: str) -> int:
    return choose(k, seat, [], 0, mask_of(k, seat), stream(key))


def compiled(k: Any, seat: int, key: str) -> int:
    states = np.zeros(1, GAME.dtype)
    k.store(states[0])
    mask = np.array(mask_of(k, seat), np.int64)
    return int(RULES.decide_at(states, seat, mask, np.array(stream(key), np.int64)))


def choice(match: Match) -> str:
    """What `steady` decides for the seat whose turn it is."""
    seat = match.state.active
    return str(GAME.rules.show(match.state, seat, interpreted(match.know(seat), seat, "choice")))


@pytest.mark.parametrize("chaos", [0, 10, 50, 100])
def test_every_decision_is_legal_also_in_positions_of_random_play(chaos: int) -> None:
    for number, (seats, options) in enumerate(TABLES):
        b = buffers(GAME, seats, options, states=2, rules_version=GAME.rules_versions[number % 2])
        blank = np.zeros(2, GAME.dtype)
        blank[0] = b.blank[0]
        tally = np.zeros(1, np.int64)
        assert RULES.faults(b.states, blank, 1000 * chaos, 100, chaos, b.rng, b.mask, b.weights, tally) == 0
        assert tally[0] > 1000


@pytest.mark.parametrize(("seats", "options"), TABLES[::4])
def test_interpreted_and_compiled_decide_alike_and_neither_sees_what_is_hidden(
    seats: int, options: dict[str, Any]
) -> None:
    asked = 0
    dice = stream(f"dice {seats}")
    match = Match(GAME, seats, options, seed=seats)
    while not match.over and asked < 60:
        seat = sorted(match.due)[0]
        k = match.know(seat)
        before = k.copy()
        key = f"{seats} {asked}"
        action = interpreted(k, seat, key)
        assert k == before
        assert compiled(k, seat, key) == action
        for world in range(2):
            truth = k.copy()
            GAME.rules.imagine(truth, seat, stream(f"{key} {world}"))
            assert interpreted(truth, seat, key) == action
        asked += 1
        texts = match.legal(seat)
        match.play(
            seat, texts[below(dice, len(texts))] if below(dice, 4) == 0 else match.game.rules.show(k, seat, action)
        )
    assert asked > 5


def test_a_generator_is_all_that_may_change_a_decision() -> None:
    match = table(["surprise axe axe", "", "", ""], zombies={0: "regular"}, people={1: 5, 2: 5, 3: 5})
    k = match.know(0)
    same = {interpreted(k, 0, "one") for _ in range(5)}
    targets = {interpreted(k, 0, str(n)) for n in range(60)}
    assert len(same) == 1
    assert len(targets) > 1  # three rivals look alike: the generator chooses


# ------------------------------------------------------------------ sensible play
def test_it_calls_a_survivor_before_it_fires_a_loud_weapon() -> None:
    assert choice(table(["walkie shotgun axe", ""], zombies={0: "regular"})) == "play walkie"


def test_it_gets_rid_of_a_zombie_before_the_attack() -> None:
    assert choice(table(["axe sabotage sacrifice", ""], zombies={0: "fast"})) == "play axe fast"


def test_a_zombie_goes_to_the_strongest_rival() -> None:
    match = table(["surprise sabotage sacrifice", "", "", ""], zombies={0: "strong"}, people={1: 3, 2: 6, 3: 3})
    assert choice(match) == "play surprise strong 2"


def test_it_bribes_where_most_are() -> None:
    match = table(["bribery shotgun axe", "", "", ""], people={1: 2, 2: 3, 3: 6})
    assert choice(match) == "play bribery 3"


def test_it_lays_barriers_at_once() -> None:
    assert choice(table(["alarm axe shotgun", ""])) == "play alarm"


def test_it_sets_off_the_alarm_when_all_would_be_lost() -> None:
    match = run(table(["", ""], zombies={0: "strong strong strong"}, barriers={0: "alarm barricade"}), "0 done")
    assert choice(match) == "use alarm"


def test_mines_kill_the_strong_ones() -> None:
    match = run(table(["", ""], zombies={0: "regular strong strong"}, barriers={0: "mines"}), "0 done")
    assert choice(match) == "use mines strong strong"


def test_of_a_horde_the_strong_one_goes_to_the_leader() -> None:
    match = table(["megaphone", "", ""], people={1: 2, 2: 5})
    run(match, "0 play megaphone", "* turn horde", "* turn regular", "* turn strong", "* turn fast")
    assert choice(match) == "send strong 2"


def test_it_breaks_a_stand_off() -> None:
    match = table(["eviction surprise walkie", ""], barriers={1: "barricade"}, shows="regular")
    assert choice(match) == "play eviction 1"
    match.play(0, "play eviction 1")
    assert choice(match) == "play surprise regular 1"


def test_a_weak_first_hand_is_thrown_away_and_a_good_one_kept() -> None:
    match = dealt(["sabotage sabotage sacrifice", "walkie flare surprise"])
    answers = [GAME.rules.show(match.state, q, interpreted(match.know(q), q, "answer")) for q in (0, 1)]
    assert answers == ["redraw", "keep"]


def test_it_takes_the_last_survivor_to_win() -> None:
    assert choice(table(["megaphone axe shotgun", ""], people={0: 3, 1: 3}, city=1)) == "play megaphone"


def test_it_leaves_the_last_survivor_when_that_would_lose() -> None:
    assert choice(table(["walkie axe shotgun", ""], people={0: 1, 1: 5}, city=1)) != "play walkie"


# ------------------------------------------------------------------ strength
def wins(seats: int, matches: int, options: dict[str, Any] | None = None) -> float:
    """The share of matches that one steady seat wins against random ones, from every seat in turn."""
    won = 0.0
    for seat in range(seats):
        w = bot_play.workspace(GAME, seats, options, matches=matches)
        RULES.bot_matches(w, 1000 * seat, matches, 1 << seat)
        first = w.scores == w.scores.max(axis=1, keepdims=True)
        won += float((first[:, seat] / first.sum(axis=1)).mean())
    return won / seats


@pytest.mark.parametrize(("seats", "floor"), [(2, 0.94), (3, 0.90), (4, 0.87), (5, 0.83), (6, 0.78)])
def test_it_beats_random_seats(seats: int, floor: float) -> None:
    assert wins(seats, 200) > floor


@pytest.mark.parametrize("options", [{"survivors": 1}, {"survivors": 3}, {"expert": True}])
def test_it_beats_random_seats_with_every_option(options: dict[str, Any]) -> None:
    assert wins(2, 300, options) > 0.94
    assert wins(4, 200, options) > 0.85
