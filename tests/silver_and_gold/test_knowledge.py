"""Silver & Gold's secrets: sealed choices, returned cards, lines withdrawn after a turn; previews; the tensor."""

from __future__ import annotations

import os
import random
from typing import Any

import msgspec
import pytest

from tacit import Match, game_named
from tacit.core import laws
from tacit.core.chance import stream
from tacit.core.messages import render
from tacit.core.random_play import NOBODY
from tests.silver_and_gold.positions import (
    all_of,
    cards,
    dealt,
    heard,
    left,
    observed,
    place,
    run,
    seen,
    table,
    with_cards,
)

GAME = game_named("silver-and-gold")


def imagined(match: Match, seat: int | None, key: str) -> Any:
    world = match.know(seat)
    match.game.rules.imagine(world, NOBODY if seat is None else seat, stream(key))
    return world


# ------------------------------------------------------------------ before the first turn
def test_g05_kept_cards_are_sealed_until_all_have_chosen() -> None:
    match = dealt("p9 p10 g2 s3", "s7 s11", "s1 s2")
    before = [match.see(watcher) for watcher in (1, None)]
    other = match.copy()
    run(match, "0 keep p9 p10")
    run(other, "0 keep g2 s3")
    for watcher in (1, 2, None):
        assert match.know(watcher) == other.know(watcher)
        assert match.see(watcher) == other.see(watcher)
    assert [seat.done for seat in seen(match, 1).table] == [True, False, False]
    assert [match.see(watcher).heard for watcher in (1, None)] == [view.heard for view in before]
    assert match.see(0).heard[-1] == "0 keep p9 p10"
    assert seen(match, 0).kept == ["p9", "p10"]
    assert seen(match, 1).kept == []
    run(match, "2 keep s1 s2", "1 keep s7 s11")
    assert match.see(0).heard[-2:] == ["1 keep s7 s11", "2 keep s1 s2"]
    assert match.see(1).heard[-3:] == ["0 keep p9 p10", "1 keep s7 s11", "2 keep s1 s2"]
    assert match.see(None).heard[-3:] == ["0 keep p9 p10", "1 keep s7 s11", "2 keep s1 s2"]


def test_g05_the_first_to_choose_hears_its_own_choice_once() -> None:
    match = run(dealt("p9 p10 g2 s3", "s7 s11"), "1 keep s7 s11", "0 keep p9 g2")
    assert [line for line in match.see(1).heard if "keep" in line] == ["1 keep s7 s11", "0 keep p9 g2"]
    assert [line for line in match.see(0).heard if "keep" in line] == ["0 keep p9 g2", "1 keep s7 s11"]


def test_g14_dealt_and_returned_cards_stay_secret() -> None:
    match = dealt("p9 p10 g2 s3", "s7 s11")
    assert match.see(0).heard[:5] == ["* deal 0 p9", "* deal 0 p10", "* deal 0 g2", "* deal 0 s3", "* deal 1 ?"]
    assert match.see(None).heard == ["* deal 0 ?"] * 4 + ["* deal 1 ?"] * 4
    assert seen(match, None).hand == seen(match, 1).hand[4:] == []
    other = dealt("o9 o10 g2 s3", "s7 s11", avoid="p9 p10")
    run(match, "0 keep g2 s3", "1 keep s7 s11")
    run(other, "0 keep g2 s3", "1 keep s7 s11")
    assert match.see(None) == other.see(None)  # which cards seat 0 returned nobody else can tell
    assert match.know(1).pool == other.know(1).pool
    assert match.know(0).pool >> 8 & 1  # each knows that its own returned cards are in the deck


def test_g14_hands_that_are_being_dealt_are_imagined_in_all_ways() -> None:
    match = Match("silver-and-gold", 3, seed=1, settle=False)
    run(match, "* deal 0 p1", "* deal 0 p2", "* deal 0 p3", "* deal 0 p4", "* deal 1 s1", "* deal 1 s2")
    seen_hands = {tuple(imagined(match, 0, f"{i}").hand) for i in range(50)}
    assert len(seen_hands) > 40
    assert {(h[0], h[1].bit_count(), h[2].bit_count()) for h in seen_hands} == {(15, 2, 0)}
    assert {imagined(match, 1, f"{i}").hand[0].bit_count() for i in range(9)} == {4}
    match.settle()
    run(match, f"1 {match.legal(1)[0]}")
    assert {imagined(match, 0, f"{i}").kept[1] for i in range(80)} == {1, 2, 3, 4, 5, 6}
    assert {imagined(match, 0, f"{i}").kept[2] for i in range(9)} == {0}


# ------------------------------------------------------------------ sealed crossings
def test_g07_nobody_sees_times_or_counts_anothers_crossings() -> None:
    match = run(table("p1 s10", "s5 s1", "o10 o1"), "* expedition I2")
    worlds = []
    for choice in (["cross s10 a3"], ["mark p1 a1 b1", "bonus s10 b1", "bonus s10 c2"]):
        other = match.copy()
        before = other.see(1)
        for n, text in enumerate(choice):
            run(other, f"0 {text}")
            if n < len(choice) - 1:  # it is not done: nothing at all has changed for the others
                assert other.see(1) == before
                assert other.know(1) == match.know(1)
                assert other.know(None) == match.know(None)
        worlds.append(other)
    for watcher in (1, 2, None):
        assert worlds[0].know(watcher) == worlds[1].know(watcher)
        assert worlds[0].see(watcher) == worlds[1].see(watcher)
    view = seen(worlds[1], 1)
    assert [seat.done for seat in view.table] == [True, False, False]
    assert (view.table[0].coins, [h.left for h in view.table[0].cards]) == (0, [14, 8])
    assert (place(worlds[1], 0).coins, left(worlds[1], 0)) == (1, {"p1": 12, "s10": 6})


def test_g07_when_all_are_done_the_turns_crossings_are_heard_together() -> None:
    game = with_cards(s5="o.o. ooo. .oox", s11="xx. xxx xxx")
    match = run(table("p7 s11", "s5 s1", starter=1, display="p1 p2 p3 p4", game=game), "* expedition I2")
    chain = ["s11 c3", "s11 a2", "s11 b2", "p7 b1", "s11 c2", "s11 a3", "s11 b3", "p7 a1"]
    run(match, "0 mark s11 a1 b1", *(f"0 bonus {cell}" for cell in chain), "1 mark s5 c3 d3")
    assert heard(match, 0) == ["* expedition I2", "0 mark s11 a1 b1", *(f"0 bonus {cell}" for cell in chain)]
    assert heard(match, None) == ["* expedition I2"]
    assert heard(match, 1) == ["* expedition I2", "1 mark s5 c3 d3"]
    run(match, "1 bonus s5 a1")
    assert match.due == {0}  # who completed a card: the turn is not over yet
    sorted_chain = ["p7 a1", "p7 b1", "s11 a2", "s11 b2", "s11 c2", "s11 a3", "s11 b3", "s11 c3"]
    others = ["0 mark s11 a1 b1", *(f"0 bonus {cell}" for cell in sorted_chain)]  # in which order, is not told
    assert heard(match, 1) == ["* expedition I2", "1 mark s5 c3 d3", "1 bonus s5 a1", *others]
    assert heard(match, 0)[-2:] == ["1 mark s5 c3 d3", "1 bonus s5 a1"]
    assert heard(match, None) == ["* expedition I2", "1 mark s5 c3 d3", "1 bonus s5 a1", *others]


def test_g07_a_spectator_and_the_last_seat_hear_all_when_the_seal_opens() -> None:
    match = run(table("s7 s11", "s5 o1"), "* expedition L4", "0 mark s11 a1 b1 b2 b3", "1 cross s5 a1")
    for shape, cell, other in (("L3", "a2", "a2"), ("I2", "a3", "b2"), ("L3", "c3", "c2")):
        run(match, f"* expedition {shape}", f"0 cross s11 {cell}", f"1 cross s5 {other}")
    run(match, "* expedition I3", "1 cross s5 c1", "0 cross s11 c2")
    assert match.due == {0}
    everything = ["* expedition I3", "0 cross s11 c2", "1 cross s5 c1"]
    assert heard(match, None) == everything
    assert heard(match, 0) == everything
    assert sorted(heard(match, 1)) == sorted(everything)
    run(match, "0 take p5", "* show p9")
    assert [heard(match, watcher) for watcher in (0, 1, None)] == [[], [], []]  # G06: the turn is over
    assert match.see(1).heard[-2:] == ["0 take p5", "* show p9"]


def test_g07_imagining_gives_a_seat_that_is_done_one_legal_completion() -> None:
    match = run(table("p1 s10", "s5 s1", "o10 o1"), "* expedition L3", "0 mark p1 a1 b1 b2", "0 bonus s10 a3")
    mains = set()
    for i in range(60):
        world = imagined(match, 1, str(i))
        assert world.bonus[0] == 0
        assert world.pending[1, 0] == world.pending[2, 0] == world.main[2] == 0  # they have not begun
        mains.add(world.main[0])
        crosses = (world.pending[0, 0] & 0b1001_0000_0001).bit_count() + (world.pending[0, 1] >> 1 & 1)
        crossed = world.pending[0, 0].bit_count() + world.pending[0, 1].bit_count()
        shape = 1 if (world.main[0] - 1) % 64 < 16 else 3
        assert crossed == shape + crosses
        assert match.game.rules.audit(world) == 0
    assert len(mains) > 30


def test_g07_any_order_of_the_seats_decisions_gives_the_same_match() -> None:
    """The interleaving law: each seat's own decisions in their order, the seats mixed anyhow, while they are sealed."""
    for game, seats in [(GAME, 2), (GAME, 3), (GAME, 4), (all_of("x"), 3)]:
        for seed in range(6 if "TACIT_LONG" in os.environ else 2):
            match = laws.random_match(game, seats, None, seed)
            rng = random.Random(seed)
            truth, mixed = (Match(game, seats, settle=False, seed=0) for _ in range(2))
            lines = list(match.lines)
            while lines:
                if not game.module.sealed(truth.state):
                    line = lines.pop(0)
                    truth.replay(line)
                    mixed.replay(line)
                    continue
                block = []
                while game.module.sealed(truth.state):
                    block.append(lines.pop(0))
                    truth.replay(block[-1])
                queues = {seat: [line for line in block if line[0] == seat] for seat in {line[0] for line in block}}
                while any(queues.values()):
                    seat = rng.choice(sorted(seat for seat, queue in queues.items() if queue))
                    mixed.replay(queues[seat].pop(0))
                assert mixed.state == truth.state
                assert mixed.see(None) == truth.see(None)
            assert mixed.result == match.result


# ------------------------------------------------------------------ withdrawn lines (`curtain`)
def test_g06_what_a_person_sees_and_hears_holds_the_current_expedition_only() -> None:
    """In every view and every line of a whole match: no earlier expedition, no crossing of a turn that is over."""
    match = Match("silver-and-gold", 3, seed=11)
    rng = random.Random(4)
    while not match.over:
        for watcher in (0, 2, None):
            seen_ = match.see(watcher)
            expeditions = [line for line in seen_.heard if line.startswith("* expedition")]
            assert len(expeditions) <= 1
            shape = seen_.view.shape
            assert [line.split()[2] for line in expeditions] == ([] if shape is None else [shape.name])
            if shape is None:
                continue
            crossed = [line for line in seen_.heard if line.split()[1] in ("mark", "cross", "bonus")]
            turn = next(i for i in range(len(match.lines) - 1, -1, -1) if match.lines[i].startswith("* expedition"))
            assert sorted(crossed) == sorted(set(crossed) & set(match.lines[turn:]))
            text = msgspec.json.encode(seen_.view).decode()
            assert sum(text.count(f'"{name}"') for name in ("I2", "I3", "L3", "T4", "L4", "O4")) == 1
            assert "unseen" not in text
            assert "weight" not in text
        seat = rng.choice(sorted(match.due))
        match.play(seat, rng.choice(match.legal(seat)))


def test_g06_crossed_cells_are_shown_ungrouped() -> None:
    one = run(table("s7 s11", "s5 s1"), "* expedition L3", "0 mark s7 a1 b1 a2", "1 cross s1 a1")
    run(one, "* expedition I2", "0 mark s7 c1 c2", "1 cross s1 a2")
    two = run(table("s7 s11", "s5 s1"), "* expedition L3", "0 mark s7 b1 c1 c2", "1 cross s1 a1")
    run(two, "* expedition I2", "0 mark s7 a1 a2", "1 cross s1 a2")
    for watcher in (0, 1, None):
        assert one.see(watcher) == two.see(watcher)


def test_g06_knowledge_and_tensor_carry_the_kinds_seen_in_the_round() -> None:
    match = run(table("s7 s11", "s5 s1"), "* expedition L3", "0 mark s7 a1 b1 a2", "1 cross s1 a1")
    for watcher in (0, 1, None):
        assert list(match.know(watcher).unseen) == [1, 2, 1, 1, 1, 1]
    assert observed(match, 0)["unseen"] == [1, 2, 1, 1, 1, 1]


def test_g06_no_expedition_is_heard_of_a_turn_that_is_over_at_once() -> None:
    match = table("s1 s2", "s3 s4", game=all_of("x"))
    while any(cards(match, q) for q in range(2)) or match.due:
        if match.due:
            match.play(min(match.due), match.legal(min(match.due))[0], settle=False)
        else:
            match.play("*", next(iter(match.chance())), settle=False)
    turn = match.state.turn
    run(match, f"* {next(iter(match.chance()))}")
    assert match.state.turn == turn + 1
    assert heard(match, None) == []


# ------------------------------------------------------------------ previews
def test_a_preview_shows_what_a_choice_brings_also_to_the_last_seat() -> None:
    match = run(table("s10 s11", "s5 s1"), "* expedition L3", "1 cross s1 a1")
    before = seen(match, 0).table[0]
    view = match.preview(0, ["mark s10 b2 c2 b3"]).view  # two coins; all others are done
    assert (view.table[0].coins, view.table[0].points.total, before.points.total) == (2, 2, 0)
    assert view.table[0].cards[0].fresh == ["b2", "c2", "b3"]
    assert [render(message) for message in view.brings] == ["2 coins"]
    assert match.due == {0}
    assert match.preview(0, ["mark s10 b2 c2 b3"]).heard[-1] == "0 mark s10 b2 c2 b3"
    chain = match.preview(0, ["cross s10 b1", "bonus s10 d3"]).view
    assert chain.table[0].palms == [2]
    assert [render(message) for message in chain.brings] == ["a palm, worth 2"]


def test_a_preview_of_the_last_kept_cards_shows_them() -> None:
    match = run(dealt("p9 p10 g2 s3", "s7 s11"), "1 keep s7 s11")
    assert match.preview(0, ["keep p9 g2"]).view.kept == ["p9", "g2"]


def test_what_this_turns_crossings_bring_is_said() -> None:
    game = with_cards(s11="$$. $$o ooo")
    match = run(table("p1 s11", "s5 s1", game=game), "* expedition O4", "0 mark s11 a1 b1 a2 b2")
    assert [render(message) for message in seen(match, 0).brings] == [
        "4 coins",
        "a full row of coins: a trophy worth 6, unless somebody before you takes it",
    ]
    run(match, "1 cross s1 a1", "* expedition L3", "0 cross p1 a1")
    assert [render(message) for message in seen(match, 0).brings] == ["one more cell to cross off"]
    match.state.free[0, 1] = 1 << 8  # of s11 only a3 is left
    run(match, "0 bonus s11 a3")
    assert "grey 11 complete: 8 points" in [render(message) for message in seen(match, 0).brings]


def test_seals_that_a_completed_card_brings_are_said() -> None:
    match = run(table("o10 s2", "s5 s1"), "* expedition I2")
    match.state.completed[0] |= 1 << 12 + 4  # o5
    match.state.pool &= ~(1 << 12 + 4)
    match.state.left -= 1
    match.state.free[0, 1] = 1
    run(match, "0 cross s2 a1")
    assert [render(message) for message in seen(match, 0).brings] == ["grey 2 complete: 8 points", "2 points for seals"]
    assert place(match, 0).points.seals == 2


# ------------------------------------------------------------------ the tensor and the audit
def test_the_tensor_by_its_fields() -> None:
    match = run(table("s10 p1", "s5 s1", "o10 o1", starter=2), "* expedition L3", "0 mark s10 b2 c2 b3")
    mine, theirs = observed(match, 0), observed(match, 1)
    assert mine["shape"] == theirs["shape"] == [0, 0, 1, 0, 0, 0]
    assert mine["starter"] == [0, 0, 1, 0]
    assert theirs["starter"] == [0, 1, 0, 0]
    assert mine["done"] == [1, 0, 0, 0]
    assert theirs["done"] == [0, 0, 1, 0]  # seat 0 is two seats further on
    assert sum(mine["pending"]) == 3
    assert sum(theirs["pending"]) == 0
    assert sum(mine["free"][:32]) == 14 + 8 - 3
    assert sum(theirs["free"][64:96]) == 14 + 8
    assert mine["seats"] == [0, 1, 0]
    assert sum(mine["pool"]) == match.state.left == mine["left"][0]
    p1 = mine["cards"][:76]
    assert (sum(p1[:16]), sum(p1[16:32]), sum(p1[32:64]), p1[64:68]) == (14, 3, 0, [1, 0, 0, 0])
    assert p1[68:] == [0, 0, 0, 1, 0, 0, 0, 0]  # its seal: orange, 2 points
    assert mine["palms_shown"] == [1]
    match.state.completed[1] = 1 | 1 << 13  # p1 and o2, for the count
    assert observed(match, 0)["completed"][4:8] == [1, 1, 0, 0]
    assert observed(match, 0)["seals"][4:8] == [0, 2, 1, 0]


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (lambda s: setattr(s, "pool", s.pool & (s.pool - 1)), 1),
        (lambda s: setattr(s, "display", s.display | s.pool), 1),
        (lambda s: setattr(s, "left", s.left - 1), 2),
        (lambda s: s.free.__setitem__((0, 0), 1 << 3), 3),
        (lambda s: s.free.__setitem__((3, 0), 1), 0),
        (lambda s: s.pending.__setitem__((0, 0), 1 << 3), 4),
    ],
)
def test_the_audit_finds_what_is_lost_or_wrong(change: Any, found: int) -> None:
    match = table("s7 s11", "s5 s1")
    assert match.game.rules.audit(match.state) == 0
    change(match.state)
    assert match.game.rules.audit(match.state) == found


def test_the_audit_finds_cells_without_a_card() -> None:
    match = table("s7 s11", "s5 s1")
    match.state.completed[0] |= 1 << match.state.card[0, 0]
    match.state.card[0, 0] = -1
    assert match.game.rules.audit(match.state) == 3
