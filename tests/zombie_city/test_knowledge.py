"""Zombie City: who knows what (Z23), sealed answers (Z04), and that the audit finds lost cards."""

from __future__ import annotations

import types
from collections import Counter
from typing import Any

import pytest

from tacit import Game, Match, game_named
from tacit.core import laws
from tacit.core.chance import stream
from tacit.core.random_play import CHANCE, NOBODY
from tacit.core.rulekit import rule
from tacit.games.zombie_city.aids import suffered
from tacit.games.zombie_city.model import (
    BASE,
    DRONE,
    NOTHING,
    ONE_FAST,
    STRONG,
    SURPRISE,
)
from tacit.games.zombie_city.notation import card_names
from tests.zombie_city.positions import dealt, run, seen, table

zombie_city: Any = game_named("zombie-city").module


def imagined(match: Match, seat: int, key: str) -> Any:
    k = match.game.know(match.state, seat)
    match.game.rules.imagine(k, seat, stream(key))
    return k


def test_z23_a_seat_knows_its_hand_and_what_lies_open() -> None:
    match = table(["axe sniper drone", "mines alarm flare", ""], zombies={1: "strong"}, barriers={2: "mines"})
    k = match.know(0)
    assert card_names(k.hand[0]) == ["axe", "sniper", "drone"]
    assert (k.hand[1], k.hand[2], list(k.hand_len)[:3]) == (0, 0, [3, 3, 3])
    assert k.pool.bit_count() == 55 - 3 - 1  # all but the own hand and the barrier
    spectator = match.know(None)
    assert sum(spectator.hand) == 0
    assert spectator.pool.bit_count() == 54


def test_z23_others_hands_are_heard_as_question_marks() -> None:
    match = run(table(["axe", "", ""]), "0 discard axe", "0 done", "* deal 0 sniper")
    assert match.see(0).heard[-1] == "* deal 0 sniper"
    assert match.see(1).heard[-1] == match.see(None).heard[-1] == "* deal 0 ?"
    assert "0 discard axe" in match.see(2).heard


def test_z23_discards_backs_and_counts_are_open_to_a_spectator() -> None:
    match = run(table(["megaphone axe", ""]), "0 play megaphone", "* turn strong")
    view = match.see(None).view
    assert view.discard == {"megaphone": 1}
    assert view.city.top == "strong"
    assert view.hand == []
    assert [shelter.hand for shelter in view.shelters] == [2, 3]


def test_z23_unseen_cards_are_imagined_in_proportion_to_their_copies() -> None:
    match = table(["axe axe axe", "", ""])
    drawn: Counter[str] = Counter()
    for i in range(4000):
        world = imagined(match, 0, f"{i}")
        drawn.update(card_names(world.hand[1]))
        assert match.game.rules.audit(world) == 0
    assert drawn["axe"] == 0
    assert drawn["surprise"] / 12000 == pytest.approx(7 / 52, abs=0.012)
    assert drawn["sniper"] / 12000 == pytest.approx(2 / 52, abs=0.008)


def test_z04_sealed_answers_are_seen_as_given_but_not_what_they_are() -> None:
    keep = run(dealt(["axe", "", ""]), "1 keep")
    redraw = run(dealt(["axe", "", ""]), "1 redraw")
    for watcher in (0, 2, None):
        assert keep.see(watcher) == redraw.see(watcher)
        assert keep.see(watcher).view.shelters[1].answered
        assert not [line for line in keep.see(watcher).heard if "keep" in line]
    assert keep.see(1) != redraw.see(1)
    assert keep.see(1).heard[-1] == "1 keep"
    assert keep.see(1).legal == []


def test_z04_all_answers_are_heard_when_the_last_is_in_with_the_cards_thrown_away() -> None:
    match = run(dealt(["axe axe drone", "sniper", ""]), "1 redraw", "0 redraw", "2 keep")
    thrown = ["# thrown 0 axe axe drone", "# thrown 1 sniper walkie walkie"]
    assert match.see(None).heard[-5:] == ["0 redraw", "1 redraw", "2 keep", *thrown]
    assert match.see(2).heard[-5:] == ["2 keep", "0 redraw", "1 redraw", *thrown]
    assert match.see(0).heard[-5:] == ["0 redraw", "1 redraw", "2 keep", *thrown]
    assert [q for q in match.see(1).heard if q == "1 redraw"] == ["1 redraw"]


def test_z04_a_sealed_answer_is_imagined_either_way_and_others_as_not_given() -> None:
    match = run(dealt(["", "", ""]), "1 keep")
    worlds = [imagined(match, 0, f"{i}") for i in range(60)]
    assert {world.redraws for world in worlds} == {0, 0b10}
    assert {world.answered for world in worlds} == {0b10}
    assert {imagined(match, 1, f"{i}").redraws for i in range(20)} == {0}
    out = [0] * match.game.observation
    match.game.rules.observe(run(dealt(["", "", ""]), "1 redraw").state, 0, out)
    assert out == observed(match, 0)


def observed(match: Match, seat: int) -> list[int]:
    out = [77] * match.game.observation
    match.game.rules.observe(match.state, seat, out)
    return out


def field(match: Match, seat: int, name: str) -> list[int]:
    at = 0
    for other in match.game.fields:
        if other.name == name:
            return observed(match, seat)[at : at + other.size]
        at += other.size
    raise KeyError(name)


def test_z23_the_observation_counts_seats_from_the_observer() -> None:
    match = table(
        ["axe", "", "drone drone drone"], zombies={2: "fast fast strong"}, barriers={1: "alarm"}, people={0: 5}
    )
    assert field(match, 2, "people") == [2, 5, 2, 0, 0, 0]
    assert field(match, 2, "zombies")[:6] == [0, 2, 1, 0, 0, 0]
    assert field(match, 1, "barriers")[:8] == [0, 0, 0, 0, 1, 0, 0, 0]
    assert field(match, 2, "barriers")[16:24] == [0, 0, 0, 0, 1, 0, 0, 0]
    assert field(match, 2, "active") == [0, 1, 0, 0, 0, 0]
    assert field(match, 2, "living") == [1, 1, 1, 0, 0, 0]
    assert field(match, 2, "hand")[BASE[DRONE] : BASE[SURPRISE]] == [1, 1, 1, 0, 0, 0]
    assert field(match, 0, "shows") == [0, 0, 0, 1]
    assert field(match, 0, "seats") == [0, 1, 0, 0, 0]
    assert len(observed(match, 0)) == match.game.observation
    assert 77 not in observed(match, 1)


def test_z23_the_observation_fits_its_cells_at_the_end_of_time() -> None:
    match = table([""] * 6)
    match.state.turns = 359
    assert field(match, 0, "time") == [59, 5]
    assert max(observed(match, 0)) < 128


# ------------------------------------------------------------------ planted leaks
@rule
def know_sealed_answers(s: Any, seat: int, k: Any) -> None:
    zombie_city.know(s, seat, k)
    k.redraws = s.redraws


@rule
def know_the_left_hand(s: Any, seat: int, k: Any) -> None:
    zombie_city.know(s, seat, k)
    k.hand[(seat + 1) % s.seats] = s.hand[(seat + 1) % s.seats]


@rule
def know_the_deck(s: Any, seat: int, k: Any) -> None:
    zombie_city.know(s, seat, k)
    k.pool = s.pool


@rule
def imagine_kept_hands(k: Any, seat: int, rng: Any) -> None:
    zombie_city.imagine(k, seat, rng)
    k.redraws = 0


def tell_all(before: Any, who: int, action: int, after: Any) -> list[str]:
    text = zombie_city.decision_text(zombie_city.decision_key(before, who, action))
    return [f"{'*' if who == CHANCE else who} {text}"]


@pytest.mark.parametrize(
    "leak",
    [
        {"know": know_sealed_answers},
        {"know": know_the_left_hand},
        {"know": know_the_deck},
        {"imagine": imagine_kept_hands},
        {"hear": tell_all},
    ],
    ids=lambda leak: next(iter(leak.values())).__name__,
)
def test_z04_and_z23_the_laws_find_a_planted_leak(leak: dict[str, Any]) -> None:
    module = types.ModuleType(zombie_city.__name__)
    module.__dict__.update(vars(zombie_city) | leak)
    with pytest.raises(laws.LawBroken):
        laws.check(Game(module), 3, {}, matches=3, thorough=1.0)


# ------------------------------------------------------------------ the audit
@pytest.mark.parametrize(
    ("name", "change", "found"),
    [
        ("deck", 1, 1),
        ("pool", 1 << BASE[SURPRISE], 2),
        ("discard", 1, 3),
        ("city", 1, 5),
        ("lost", 1, 5),
        ("row", 1, 5),
        ("backs", 1 << 22, 6),
        ("attackers", ONE_FAST, 7),
    ],
)
def test_a_lost_or_doubled_card_is_found(name: str, change: int, found: int) -> None:
    match = table(["", ""])
    assert match.game.rules.audit(match.state) == 0
    if name == "pool":  # the lowest of several equal cards is gone, a gap stays
        match.state.deck -= 1
    setattr(match.state, name, getattr(match.state, name) ^ change)
    assert match.game.rules.audit(match.state) == found


def test_wrong_shelters_and_hands_are_found() -> None:
    match = table(["", ""])
    match.state.hand_len[1] = 2
    assert match.game.rules.audit(match.state) == 1
    match = table(["", ""])
    match.state.zombies[0] = -1
    assert match.game.rules.audit(match.state) == 4
    match = table(["", ""])
    match.state.people[0] = -1
    assert match.game.rules.audit(match.state) == 4
    match = table(["", ""])
    match.state.shows = STRONG
    assert match.game.rules.audit(match.state) == 6
    match = table(["", ""], shows="regular")
    assert match.state.shows != NOTHING


def test_roll_draws_as_chance_weighs() -> None:
    match = run(dealt(["", ""]), "0 keep", "1 keep")
    rng, weights = stream("roll"), [0] * match.game.outcomes
    assert {match.game.module.roll(match.state, rng, weights) for _ in range(40)} == {0, 1}
    assert match.game.rules.pool(match.state) == -1
    match = run(table(["megaphone axe", ""]), "0 play megaphone")
    assert {match.game.module.roll(match.state, rng, weights) for _ in range(300)} == {0, 1, 2, 3}
    assert match.game.rules.pool(match.state) == 0
    run(match, "* turn fast", "0 done")
    possible = {outcome for outcome, weight in enumerate(match.game.chance(match.state)) if weight}
    assert {match.game.module.roll(match.state, rng, weights) for _ in range(900)} == possible
    assert match.game.rules.pool(match.state) == 1


def test_nobody_has_no_hand() -> None:
    assert seen(table(["", ""]), None).you is None
    assert table(["", ""]).game.know(table(["", ""]).state, NOBODY).redraws == 0


def test_z11_what_a_decision_does_to_others_is_counted() -> None:
    match = table(["drone axe", "sacrifice"], zombies={0: "regular fast"})
    before = match.state.copy()
    action = match.game.rules.parse(match.know(0), 0, "play drone regular 1")
    match.apply(0, action)
    assert suffered(before, 0, action, match.state) == {1: {"zombies": 1, "noise": 1}}
    assert suffered(before, 1, 0, before) == {}
