"""Silent Planet: teams and the end, P08–P10."""

from __future__ import annotations

import pytest

from tacit import IllegalDecision, Match
from tacit.games.silent_planet.board import stands
from tests.silent_planet.positions import agree, cards, ready, run, seen, states, table, team, turn


def bag(cards_: str) -> int:
    return sum(1 << 4 * "12345x".index(card) for card in cards_)


# ------------------------------------------------------------------ teams (P08, P09)
@pytest.mark.parametrize(
    "cards_",
    ["", "1", "x", "55", "15", "1x", "xx", "11x", "123", "12x", "3333", "1234", "xxxx", "333xx", "12345", "xxxxx"],
)
def test_p08_a_team_stands_while_its_aliens_are_all_the_same_or_all_different(cards_: str) -> None:
    assert stands(bag(cards_))


@pytest.mark.parametrize("cards_", ["112", "122", "1123", "11x2", "12341", "xx554", "5x5x4", "33334"])
def test_p08_otherwise_it_breaks(cards_: str) -> None:
    assert not stands(bag(cards_))


def test_p08_the_card_turned_up_joins_the_team() -> None:
    match = table(["1234x1234", "123451234"])
    run(match, "1 point 3")
    assert team(match) == "3"
    run(match, "0 point 5")
    assert team(match) == "35"
    view = seen(match, None)
    assert [(card.seat, card.position) for card in view.team] == [(0, 3), (1, 5)]
    assert view.team_kind == "different"
    assert {fit.card for fit in view.fits if fit.fits} == set("124x")
    assert view.teams == 0


def test_p08_a_broken_team_leaves_the_game_this_card_too_open_to_all() -> None:
    match = run(table(["112345x12", "112345x12"]), "1 point 1", "0 point 1", "1 point 3")
    assert team(match) == ""
    view = seen(match, None)
    assert [(p.complete, p.kind, "".join(c.card for c in p.cards)) for p in view.past] == [(False, "neither", "112")]
    assert match.see(None).heard[-2:] == ["up 0 3 2", "team broken"]
    assert states(match, 0)[:3] == ["broken", "down", "broken"]
    assert cards(match, 0)[:3] == "1?2"
    assert view.spare == 15 - 10


def test_p08_the_second_card_never_breaks_a_team() -> None:
    for second in range(1, 10):
        match = run(table(["112345x12", "112345x12"]), "1 point 1", f"0 point {second}")
        assert len(team(match)) == 2


def test_p08_five_the_same_are_complete() -> None:
    match = agree(table(["111112222", "111112222"]), 1, 1, 2, 2, 3)
    view = seen(match, None)
    assert (team(match), view.teams) == ("", 1)
    assert [(p.complete, p.kind, "".join(c.card for c in p.cards)) for p in view.past] == [(True, "same", "11111")]
    assert match.see(None).heard[-2:] == ["up 0 3 1", "team complete"]
    assert states(match, 0)[:4] == ["complete"] * 3 + ["down"]


def test_p08_five_different_are_complete() -> None:
    match = agree(table(["123451234", "123451234"]), 1, 2, 3, 4, 5)
    assert seen(match, None).teams == 1


def test_p08_a_machine_stands_for_any_alien_and_may_change_as_the_team_grows() -> None:
    """After 1 and x the team could still be of 1s or of different ones; the third card settles it."""
    rows = ["1x1112222", "1x2345122"]
    same = agree(table(rows), 1, 2, 3)
    assert (team(same), seen(same, None).team_kind) == ("1x1", "same")
    different = agree(table(rows), 1, 2, 6)
    assert (team(different), seen(different, None).team_kind) == ("1x2", "different")
    assert {fit.card for fit in seen(different, None).fits if fit.fits} == set("345x")
    assert {fit.card for fit in seen(same, None).fits if fit.fits} == set("1x")


def test_p08_five_machines_are_a_team() -> None:
    match = agree(table(["xxxxx2222", "xxxx12222"]), 1, 1, 2, 2, 3)
    assert seen(match, None).teams == 1
    assert seen(match, None).past[0].complete


def test_p08_one_alien_alone_counts_as_both() -> None:
    match = agree(table(["xxxxx2222", "xxxx12222"]), 1, 1, 2, 5)
    assert seen(match, None).team_kind == "any"
    assert all(fit.fits for fit in seen(match, None).fits)


def test_p08_why_a_card_would_break_the_team() -> None:
    from tacit import render

    match = agree(table(["123451234", "123451234"]), 1, 2)
    why = {fit.card: render(fit.why_not) for fit in seen(match, None).fits if fit.why_not is not None}
    assert set(why) == {"1", "2"}
    assert "in the team already" in why["1"]
    match = agree(table(["111112222", "111112222"]), 1, 1)
    why = {fit.card: render(fit.why_not) for fit in seen(match, None).fits if fit.why_not is not None}
    assert set(why) == set("2345")
    assert "neither all the same nor all different" in why["5"]


def test_p09_after_a_break_the_next_seat_goes_on_with_a_new_team() -> None:
    match = agree(table(["112345x12", "112345x12", "112345x12"], first=1), 1, 1, 3)
    assert (turn(match), team(match)) == (1, "")
    agree(match, 4)
    assert team(match) == "3"


def test_p09_after_a_completion_the_next_seat_goes_on_with_a_new_team() -> None:
    match = agree(table(["111112222", "111112222", "111112222"][:2], first=1), 1, 1, 2, 2, 3)
    assert (turn(match), team(match)) == (0, "")
    agree(match, 9)
    assert team(match) == "2"


# ------------------------------------------------------------------ the end (P10)
WINNING = ["1111x2222", "1111x2222"]


def almost_won() -> Match:
    match = table(WINNING)
    return agree(match, 1, 1, 2, 2, 3, 9, 9, 8, 8)


def test_p10_won_at_once_when_the_teams_equal_the_seats() -> None:
    match = almost_won()
    assert match.due == {0}
    agree(match, 7)
    assert match.result == {"won": True, "teams": 2, "needed": 2, "reason": "teams"}
    assert str(match).splitlines()[-1] == '= {"won": true, "teams": 2, "needed": 2, "reason": "teams"}'
    assert seen(match, None).result == match.result
    with pytest.raises(IllegalDecision, match="The match is over"):
        match.play(0, "point 4")
    scores = [0, 0]
    match.game.rules.score(match.state, scores)
    assert scores == [2, 2]


def test_p10_as_many_teams_as_seats_are_needed() -> None:
    match = table(["111112222", "111112222", "1111x2222"])
    agree(match, *(place + 1 for place in range(4) for _ in range(3)))
    assert (seen(match, None).teams, match.over) == (2, False)
    agree(match, 5, 5, 5)
    assert match.result == {"won": True, "teams": 3, "needed": 3, "reason": "teams"}


def test_p10_lost_when_the_hints_leave_too_few_cards_before_start() -> None:
    match = ready(WINNING, ["12345678", "1"])  # nine of eighteen are out of play: nine are too few for ten
    assert match.over
    assert match.result == {"won": False, "teams": 0, "needed": 2, "reason": "out-of-cards"}
    assert not any(line.startswith("* start") for line in match.lines)


def test_p10_exactly_enough_cards_are_enough() -> None:
    match = ready(WINNING, ["1234567", "1"])
    assert not match.over
    assert seen(match, None).spare == 0
    assert match.chance() == {"start 0": 1, "start 1": 1}


def test_p10_lost_after_the_card_that_leaves_too_few() -> None:
    """Eleven cards for two teams: the first break, of three cards, loses."""
    match = table(["112345x12", "112345x12"], ["456789", "9"])
    agree(match, 1, 1)
    assert seen(match, None).spare == 1
    agree(match, 3)
    assert match.over
    assert match.result == {"won": False, "teams": 0, "needed": 2, "reason": "out-of-cards"}
    assert match.lines[-1] == "1 point 3"


def test_p10_lost_with_one_team_made() -> None:
    match = agree(table(["111112222", "1111x2222"], ["6789", "678"]), 1, 1, 2, 2, 3)
    assert match.result is None
    assert seen(match, None).spare == 1
    agree(match, 9, 4)
    assert match.result is None
    agree(match, 3)
    assert match.result == {"won": False, "teams": 1, "needed": 2, "reason": "out-of-cards"}


def test_p10_the_cards_in_the_current_team_count() -> None:
    match = agree(table(WINNING, ["1234567", "1"]), 8)
    assert match.state.down.bit_count() == 9
    assert not match.over
    assert seen(match, None).spare == 0


def test_p10_uses_no_hidden_knowledge() -> None:
    """No team can be made of 1, 1, 1, 2, 2, 2, 3, 3, 3 and 4, but there are ten cards for two teams: it goes on."""
    match = table(["111222333", "444455553"], ["", "23456789"])
    assert seen(match, None).spare == 0
    assert not match.over
    agree(match, 1, 1)
    assert not match.over
    agree(match, 2)
    assert match.result == {"won": False, "teams": 0, "needed": 2, "reason": "out-of-cards"}


def test_p10_when_no_card_is_left_it_is_lost() -> None:
    """The last card of all breaks a team of four."""
    match = agree(table(["111112222", "1111x2222"], ["6789", "5789"]), 1, 1, 2, 2, 3, 3, 4, 4, 5)
    assert (seen(match, None).spare, team(match), match.over) == (0, "1111", False)
    agree(match, 6)
    assert match.state.down == 0
    assert match.result == {"won": False, "teams": 1, "needed": 2, "reason": "out-of-cards"}
    assert match.game.best_score(2) == 2
