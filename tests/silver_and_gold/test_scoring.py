"""Silver & Gold, rule by rule: the turns of G11, the points of G12 and the winners of G13."""

from __future__ import annotations

import pytest

from tacit import Match
from tacit.games.silver_and_gold.deck import CARD_NAMES
from tests.silver_and_gold.positions import all_of, cards, idle, place, run, seen, table


def end(completed: tuple[str, ...], coins: tuple[int, ...] = (0, 0, 0, 0)) -> Match:
    """A match that is over, with these completed cards."""
    match = idle(table(*["p7 p5", "p8 p6", "o10 o1", "o7 o8"][: len(completed)], display="s1 s2 s3 s4"), 27)
    match.settle()
    while not match.over:
        match.play(min(match.due), match.legal(min(match.due))[0])
    names = {island: number for number, island in enumerate(CARD_NAMES)}
    for q, done in enumerate(completed):
        match.state.completed[q] = sum(1 << names[card] for card in done.split())
        match.state.coins[q], match.state.palms[q] = coins[q], 0
        for row in range(3):
            match.state.trophies[q, row] = 0
        for field in range(4):
            match.state.palm[q, field] = 0
    return match


def test_g12_the_rulebooks_example_of_95_points() -> None:
    """Six completed cards of 64 points, a grey and an orange seal, nine coins, two trophies of 8, palms of 8."""
    match = end(("p3 o4 o5 g2 s4 s5", "s1"), (9, 0))
    match.state.trophies[0, 0], match.state.trophies[0, 1] = 5, 3
    match.state.palm[0, 0], match.state.palm[0, 1], match.state.palm[0, 2], match.state.palms[0] = 3, 3, 2, 3
    result = match.result
    assert result is not None
    # p3 bears +s1 (two grey cards), g2 bears +o2 (two orange cards)
    assert result["breakdown"][0] == {"coins": 9, "trophies": 8, "palms": 8, "cards": 64, "seals": 2 + 4}
    assert result["scores"] == [95, 8]
    assert result["completed"][0] == {"p": 1, "o": 2, "g": 1, "s": 2}
    assert place(match, 0).points.total == 95
    scores = [0, 0]
    match.game.rules.score(match.state, scores)
    assert scores == [95, 8]


def test_g12_every_seal_counts_for_each_completed_card_of_its_colour() -> None:
    match = end(("p1 g2 o4 o5 o6", "p1"))
    assert match.result is not None
    assert match.result["breakdown"][0]["seals"] == 2 * 3 + 2 * 3  # two orange seals, three orange cards
    assert match.result["breakdown"][1]["seals"] == 0


def test_g12_unfinished_cards_give_nothing_but_their_coins_and_palms_stay() -> None:
    match = run(table("s10 s11", "s5 s1"), "* expedition I2", "0 cross s10 c2", "1 cross s1 a1")
    run(match, "* expedition I3", "0 cross s10 d3", "1 cross s1 a2")
    assert place(match, 0).points.total == 1 + 2
    assert place(match, 0).points.cards == 0


def test_g13_most_points_win() -> None:
    match = end(("p7", "o5", "o6"))
    assert match.result is not None
    assert match.result["winners"] == [0]


@pytest.mark.parametrize(
    ("one", "two", "coins", "winner"),
    [
        ("s5", "o5", (4, 0), 0),  # more grey cards
        ("p4 s5", "o5 g11", (0, 0), 0),
        ("p4 s5 g11", "o5 o6 s7", (0, 0), 0),  # as many grey ones, more green
        ("g4", "o5", (2, 0), 0),
        ("p4", "o5", (0, 2), 1),  # no grey, no green: more orange
        ("o5", "p4", (2, 0), 0),
        ("p4", "", (0, 12), 0),
    ],
)
def test_g13_ties_go_by_grey_green_orange_purple(one: str, two: str, coins: tuple[int, int], winner: int) -> None:
    match = end((one, two), coins)
    if one == "p4" and two == "":
        match.state.palm[1, 0], match.state.palms[1] = 2, 1
    result = match.result
    assert result is not None
    assert result["scores"][0] == result["scores"][1]
    assert result["winners"] == [winner]


def test_g13_then_the_win_is_shared() -> None:
    match = end(("s5 o4", "p8", "s7 o5"))
    assert match.result is not None
    assert match.result["winners"] == [0, 2]
    assert [q in match.result["winners"] for q in range(3)] == [True, False, True]


def test_g11_the_starting_player_moves_clockwise_across_rounds_too() -> None:
    match = table("p7 p5", "p8 p6", "p9 p10", display="s1 s2 s3 s4", starter=1)
    starters = []
    for turn in range(9):
        starters.append(seen(idle(match, turn), None).starter)
    assert starters == [1, 2, 0, 1, 2, 0, 1, 2, 0]


def test_g11_in_the_last_turn_trophies_are_given_but_no_cards_are_taken() -> None:
    match = idle(table("p7 p5", "p8 p6", display="s1 s2 s3 s4", game=all_of("$")), 27)
    assert [message.code for message in seen(match, 0).pending] == ["silver-and-gold.pending.last"]
    match.state.coins[0] = 3  # one coin is wanting for a trophy,
    match.state.given = 0
    for row in range(3):
        match.state.trophies[0, row] = 0
    match.state.free[0, 0] = 1 << next(c for c in range(16) if match.state.free[0, 0] >> c & 1)  # one cell for a card
    run(match, f"* {next(iter(match.chance()))}")
    done = len(place(match, 0).completed)
    first = cards(match, 0)[0]
    run(match, f"0 {next(t for t in match.legal(0) if t.startswith(f'cross {first} '))}")
    run(match, f"1 {match.legal(1)[0]}")
    assert match.over
    assert place(match, 0).trophies == [6]
    assert len(place(match, 0).completed) == done + 1
    assert len(cards(match, 0)) == 1


def test_g11_twenty_eight_turns() -> None:
    match = Match("silver-and-gold", 2, seed=9)
    while not match.over:
        seat = min(match.due)
        match.play(seat, match.legal(seat)[0])
    assert sum(line.startswith("* expedition") for line in match.lines) == 28
    assert match.result is not None
    assert match.result["reason"] == "rounds"
