"""Steady Silencio: legal everywhere, the same on both backends, no cheat, strong enough; and what it hears."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from itertools import product
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tacit import game_named
from tacit.bots import bot_named, bot_play
from tacit.bots.heard_events import HeardEvents, turn_of
from tacit.bots.silencio import steady
from tacit.bots.silencio.inference import excluded, span
from tacit.bots.silencio.steady import choose
from tacit.bots.turn import Budget, dice_for
from tacit.core.bits import local_cells, marked
from tacit.core.chance import RNG_WORDS, below, pick, seed
from tacit.core.events import EVENT_CAPACITY, HIDDEN, UNHEARD, encode_event, note_events
from tacit.core.random_play import CHANCE, clear, due, know, legal, random_marked, roll, score, seed_match, start, step
from tacit.core.rulekit import build, rule
from tacit.core.state_layout import Cells
from tacit.games.silencio.model import A_CLAIM, A_HIGH, A_SEAT, BLUE, GREEN, OPTIONS, RANKS, RED, YELLOW
from tacit.games.silencio.notation import CARD_NUMBERS
from tests.silencio.positions import UNLIT, run, table

GAME = game_named("silencio")
EVERY_OPTION = [dict(zip(OPTIONS, values, strict=True)) for values in product(*OPTIONS.values())]


# ------------------------------------------------------------------ as rules: to be compiled with the bot
@rule
def choose_at(states: Any, seat: int, events: Cells, n: int, mask: Cells, rng: Cells) -> int:
    return choose(states[0], seat, events, n, mask, rng)


@rule
def illegal_decisions(w: bot_play.Workspace, first: int, n: int, team: int) -> int:
    """How often in n matches the bot decides something illegal; the others decide at random. Scores as well."""
    wrong = 0
    for i in range(n):
        seed_match(w.bot_rng, first + i)
        w.states[0] = w.blank[0]
        s = w.states[0]
        start(s)
        seats = s.seats + 0
        clear(w.heard)
        now = due(s)
        while now != 0:
            if now == CHANCE:
                who, action = CHANCE, roll(s, w.bot_rng, w.weights)
            else:
                who = below(w.bot_rng, seats)
                while (now >> who) & 1 == 0:
                    who = (who + 1) % seats
                clear(w.mask)
                legal(s, who, w.mask)
                action = random_marked(w.mask, w.bot_rng)
                if (team >> who) & 1 == 1:
                    w.states[1] = w.blank[1]
                    know(s, who, w.states[1])
                    decided = choose(w.states[1], who, w.events[who], w.heard[who], w.mask, w.bot_rng)
                    if 0 <= decided < GAME_ACTIONS and marked(w.mask, decided):
                        action = decided
                    else:
                        wrong += 1
            note_events(s, who, action, w.events, w.heard)
            step(s, who, action)
            now = due(s)
        score(s, w.scores[i])
    return wrong


GAME_ACTIONS = GAME.actions


@pytest.fixture(scope="module")
def compiled() -> SimpleNamespace:
    return build(GAME.module, "cpu", drivers=[steady, sys.modules[__name__]])


def play(
    compiled: SimpleNamespace, seats: int, options: dict[str, Any], team: int, first: int, n: int,
    rules: int | None = None,
) -> tuple[int, float]:  # fmt: skip
    """The bot's illegal decisions in n matches, and the cards left on average."""
    w = bot_play.workspace(GAME, seats, options, matches=n, rules_version=rules)
    wrong = compiled.illegal_decisions(w, first, n, team)
    return wrong, -w.scores[:, 0].mean()


# ------------------------------------------------------------------ decisions
@pytest.mark.parametrize("options", EVERY_OPTION, ids=str)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_decision_is_legal_whoever_the_partners_are(
    compiled: SimpleNamespace, seats: int, options: dict[str, Any]
) -> None:
    for rules in GAME.rules_versions:
        for team in (1, (1 << seats) - 1):
            assert play(compiled, seats, options, team, 0, 150, rules)[0] == 0


def decisions(seats: int, options: dict[str, Any], number: int, share: float) -> Iterator[tuple[Any, Any, int, Any]]:
    """A match, interpreted: before each decision the state, what the seat knows, the seat, what it has heard.

    A share of the decisions is the bot's, the rest is random, so that all kinds of positions come up.
    """
    rng = random.Random(f"{seats} {options} {number}")
    own = [0] * RNG_WORDS
    seed(own, number, 0)
    s = GAME.blank(seats, options)
    heard: list[list[int]] = [[] for _ in range(seats)]
    GAME.rules.start(s)
    while (now := GAME.rules.due(s)) != 0:
        if now == CHANCE:
            weights = GAME.chance(s)
            who, action = CHANCE, pick(weights, rng.randrange(sum(weights)))
        else:
            who = rng.choice([q for q in range(seats) if now >> q & 1])
            k = GAME.know(s, who)
            yield s, k, who, heard[who]
            options_now = GAME.legal(s, who)
            action = rng.choice(options_now)
            if rng.random() < share:
                action = decide(k, who, heard[who], own)
                assert action in options_now
        for q in range(seats):
            told = GAME.module.overhear(s, q, who, action)
            if told != UNHEARD:
                heard[q].append(encode_event(who, told))
        GAME.rules.step(s, who, action)


def decide(k: Any, seat: int, heard: list[int], rng: Any) -> int:
    mask = [0] * GAME.words
    GAME.rules.legal(k, seat, mask)
    return choose(k, seat, heard, len(heard), mask, rng)


SOME = [(2, {}, 0), (3, {"tavern": True}, 1), (4, {}, 2), (4, {"tavern": True, "unlit": "large"}, 3)]


@pytest.mark.parametrize(("seats", "options", "number"), SOME)
@pytest.mark.parametrize("share", [0.3, 1.0])
def test_interpreted_and_compiled_decide_alike(
    compiled: SimpleNamespace, seats: int, options: dict[str, Any], number: int, share: float
) -> None:
    states = np.zeros(1, GAME.dtype)
    mask, rng = np.zeros(GAME.words, np.int64), np.zeros(RNG_WORDS, np.int64)
    events = np.zeros(EVENT_CAPACITY, np.int64)
    for s, k, seat, heard in decisions(seats, options, number, share):
        k.store(states[0])
        mask[:] = 0
        for action in GAME.legal(s, seat):
            mask[action >> 6] |= np.int64(np.uint64(1 << (action & 63)).astype(np.int64))
        events[: len(heard)] = heard
        before = k.key()
        there = compiled.choose_at(states, seat, events, len(heard), mask, rng)
        assert decide(k, seat, heard, [0] * RNG_WORDS) == there
        assert k.key() == before  # it only looks


@pytest.mark.parametrize(("seats", "options", "number"), SOME)
def test_what_is_hidden_does_not_change_a_decision(seats: int, options: dict[str, Any], number: int) -> None:
    differ = 0
    for at, (s, k, seat, heard) in enumerate(decisions(seats, options, number, 0.5)):
        if at % 3 != 0:
            continue
        first = decide(k, seat, heard, [1, 2, 3, 4])
        worlds = []
        for other in (1, 2):
            world = GAME.know(s, seat)
            rng = [0] * RNG_WORDS
            seed(rng, at, other)
            GAME.rules.imagine(world, seat, rng)
            worlds.append(world.key())
            assert decide(GAME.know(world, seat), seat, heard, [1, 2, 3, 4]) == first
        differ += worlds[0] != worlds[1]
    assert differ > 5


# ------------------------------------------------------------------ strength
@pytest.mark.parametrize(("seats", "most"), [(2, 0.4), (3, 1.8), (4, 2.8)])
@pytest.mark.parametrize("rules", GAME.rules_versions)
def test_a_steady_team_leaves_few_cards(compiled: SimpleNamespace, seats: int, most: float, rules: int) -> None:
    assert play(compiled, seats, {}, (1 << seats) - 1, 7_000_000, 600, rules)[1] < most


@pytest.mark.parametrize(("shown", "wanted"), [("g2", "play g2"), ("g9", "draw")])
def test_it_draws_unless_anothers_face_up_card_is_better(shown: str, wanted: str) -> None:
    hands = [f"y3 {shown} g10 b2", "y4 r3 r6 b4 b6 g6", "r8 b5 g4 r10 b10 y10"]
    match = run(table(hands, oracle="y8 y9 r2", options=UNLIT), "0 play y3", f"0 show {shown}", "1 play y4")
    assert sorted(match.legal(2)) == ["draw", f"play {shown}"]
    turn = turn_of(match, 2, HeardEvents(match), dice_for([0, 0], 0, 2), Budget())
    assert bot_named(GAME, "steady").fresh().decide(turn) == wanted


# ------------------------------------------------------------------ what it concludes
def knowing(rows: str) -> Any:
    """Seat 0 of three knows these rows and nothing else."""
    k: Any = GAME.blank(3)
    for name in rows.split():
        k.rows |= 1 << CARD_NUMBERS[name]
    for colour in range(4):
        k.pool |= span(colour, 0, 9)
    k.pool &= ~k.rows
    for q in range(3):
        k.hand_len[q] = 5
    return k


BEGIN = [encode_event(who, heard) for who, heard in ((CHANCE, 5), (1, A_CLAIM), (1, HIDDEN), (2, HIDDEN), (0, 3))]


def test_who_passes_over_two_cards_has_no_card_that_passes_over_fewer() -> None:
    k = knowing("r4 b2")
    events = [*BEGIN, encode_event(2, CARD_NUMBERS["b2"]), encode_event(1, CARD_NUMBERS["r4"])]
    told = excluded(k, 0, events, len(events), local_cells())[0]
    assert told == span(RED, 0, 2) | span(BLUE, 1, 3) | span(YELLOW, 0, 2) | span(GREEN, 0, 2)
    assert excluded(k, 0, events, len(events), local_cells())[1] == 0  # it followed directly, which tells nothing


def test_a_card_named_again_was_not_played_before() -> None:
    k = knowing("r4")
    shown = [*BEGIN, encode_event(1, CARD_NUMBERS["r4"]), encode_event(2, CARD_NUMBERS["r4"])]
    assert excluded(k, 0, shown, len(shown), local_cells())[0] == 0


def test_a_trade_makes_it_forget() -> None:
    k = knowing("r4")
    events = [*BEGIN, *(encode_event(1, action) for action in (CARD_NUMBERS["r4"], A_SEAT + 1, A_SEAT + 2))]
    assert excluded(k, 0, events, len(events) - 1, local_cells())[0] != 0
    assert excluded(k, 0, events, len(events), local_cells())[0] == 0


@pytest.mark.parametrize(("seats", "options", "number"), SOME)
def test_events_read_from_decision_to_decision_tell_what_all_of_them_tell(
    seats: int, options: dict[str, Any], number: int
) -> None:
    memories = [local_cells() for _ in range(seats)]
    told = 0
    for _, k, seat, heard in decisions(seats, options, number, 0.6):
        found = excluded(k, seat, heard, len(heard), memories[seat])
        assert found == excluded(k, seat, heard, len(heard), local_cells())
        told += found != (0, 0, 0)
    assert told > 5


def test_who_says_high_has_no_low_card_of_the_colour() -> None:
    events = [*BEGIN, encode_event(1, A_HIGH + GREEN)]
    assert excluded(knowing(""), 0, events, len(events), local_cells())[0] == span(
        GREEN, 0, 4
    )  # above (10 + 1) / 2 is 6: 2 to 5 are low


def test_a_hand_that_contradicts_the_convention_tells_nothing() -> None:
    k = knowing("r10")
    k.hand_len[1] = 30
    events = [*BEGIN, encode_event(1, CARD_NUMBERS["r10"])]
    assert excluded(k, 0, events, len(events), local_cells())[0] == 0


def test_it_follows_red_directly_rather_than_pass_over_many() -> None:
    k = knowing("")
    k.phase, k.starter, k.deck = 4, 1, 15
    k.lit = 0
    for name in ("r2", "b9", "y10"):
        k.hand[0] |= 1 << CARD_NUMBERS[name]
    k.hand_len[0] = 3
    k.pool &= ~k.hand[0]
    assert decide(k, 0, [], [0] * RNG_WORDS) == CARD_NUMBERS["r2"] == RED * RANKS
