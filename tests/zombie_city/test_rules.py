"""Zombie City, rule by rule: Z01–Z07 and Z16–Z22, the frame of a match; cards and noise have files of their own."""

from __future__ import annotations

import pytest

from tacit import BadOptions, Match, game_named
from tacit.core.chance import Paired
from tacit.core.messages import render
from tacit.games.zombie_city.board import with_card, without_card
from tests.zombie_city.positions import crowd, dealt, discards, hand, laid, people, refused, run, seen, table


# ------------------------------------------------------------------ material and set-up
def test_z01_the_pool_of_backs_is_all_55_less_those_turned() -> None:
    match = run(table(["megaphone", ""]), "0 play megaphone")
    assert match.chance() == {"turn regular": 23, "turn fast": 18, "turn strong": 12, "turn horde": 2}
    assert seen(match, None).city.cards == 50  # the deck is only a count: 55, four dealt, one taken
    run(match, "* turn strong")
    assert seen(match, 1).city.backs == {"regular": 23, "fast": 18, "strong": 11, "horde": 2}


def test_z01_backs_of_survivors_taken_or_lost_stay_in_the_pool() -> None:
    match = table(["walkie flare", ""], zombies={0: "fast"})
    run(match, "0 play walkie", "0 play flare")
    assert sum(match.chance().values()) == 54
    run(match, "* turn regular", "0 done")
    assert people(match) == [4, 2]
    assert sum(seen(match, None).city.backs.values()) == 53


def test_z02_the_resource_deck() -> None:
    match = Match("zombie-city", 2, settle=False)
    assert match.chance() == {
        "deal 0 axe": 3, "deal 0 shotgun": 6, "deal 0 revolver": 4, "deal 0 sniper": 2, "deal 0 walkie": 4,
        "deal 0 flare": 3, "deal 0 megaphone": 4, "deal 0 barricade": 4, "deal 0 alarm": 2, "deal 0 mines": 2,
        "deal 0 sabotage": 2, "deal 0 bribery": 2, "deal 0 eviction": 2, "deal 0 sacrifice": 2, "deal 0 drone": 6,
        "deal 0 surprise": 7,
    }  # fmt: skip
    assert sum(match.chance().values()) == 55


def test_z02_which_cards_make_noise() -> None:
    cards = ["axe shotgun revolver", "sniper walkie flare", "megaphone barricade alarm", "mines sabotage bribery",
             "eviction sacrifice drone", "surprise"]  # fmt: skip
    match = dealt(cards)
    loud = {card.card for q in range(6) for card in seen(match, q).hand if card.loud}
    assert loud == {"shotgun", "revolver", "sniper", "flare", "megaphone", "alarm", "mines", "sabotage", "eviction"}


def test_z03_everything_in_a_shelter_is_open() -> None:
    match = table(["", ""], zombies={1: "strong regular"}, barriers={1: "alarm barricade"})
    for watcher in (0, None):
        shelter = seen(match, watcher).shelters[1]
        assert (shelter.survivors, shelter.zombies.regular, shelter.zombies.strong) == (2, 1, 1)
        assert shelter.barriers == ["barricade", "alarm"]


@pytest.mark.parametrize("survivors", [1, 2, 3])
def test_z03_and_z04_each_seat_begins_with_that_many_survivors(survivors: int) -> None:
    match = Match("zombie-city", 4, {"survivors": survivors}, seed=1)
    assert people(match) == [survivors] * 4
    assert seen(match, None).city.cards == 55 - 4 * survivors


def test_z03_the_options_and_their_defaults() -> None:
    assert game_named("zombie-city").check(3) == {"survivors": 2, "expert": False}
    with pytest.raises(BadOptions, match="survivors"):
        Match("zombie-city", 3, {"survivors": 4})
    with pytest.raises(BadOptions, match="2 to 6"):
        Match("zombie-city", 7)


def test_what_cannot_be_read_is_refused_by_what_it_lacks() -> None:
    match = table(["axe", ""])
    assert refused(match, 0, "send fast x") == "There is no seat “x” at this table."
    assert refused(match, 0, "play sword") == "There is no card “sword”."
    assert refused(match, 0, "use axe") == "“use axe” is not a decision in Zombie City."


def test_z04_three_cards_to_seat_0_then_three_to_seat_1() -> None:
    match = Match("zombie-city", 3, seed=2)
    assert [line.split()[1:3] for line in match.lines] == [["deal", str(q)] for q in (0, 0, 0, 1, 1, 1, 2, 2, 2)]
    assert match.due == {0, 1, 2}
    assert match.legal(1) == ["keep", "redraw"]


def test_z04_nothing_moves_until_all_have_answered() -> None:
    match = run(dealt(["axe axe axe", "drone drone drone", ""]), "2 redraw", "0 redraw")
    assert match.due == {1}
    assert hand(match, 0) == "axe axe axe"
    assert discards(match) == ""
    assert refused(match, 1, "done") == "It is not the moment to end the first phase."
    run(match, "1 keep")
    assert (hand(match, 0), hand(match, 1), hand(match, 2)) == ("", "drone drone drone", "")
    assert discards(match) == "axe axe axe walkie walkie walkie"
    assert match.chance()["deal 0 walkie"] == 1  # all discard before any draws
    assert not any(text.endswith("axe") for text in match.chance())
    run(match, "* deal 0 flare", "* deal 0 flare", "* deal 0 flare", "* deal 2 drone", "* deal 2 mines")
    run(match, "* deal 2 mines")
    assert match.chance() == {"start 0": 1, "start 1": 1, "start 2": 1}
    run(match, "* start 2")
    assert match.due == {2}


def test_z04_a_new_hand_is_asked_for_only_once() -> None:
    match = run(dealt(["", ""]), "0 redraw")
    assert match.legal(0) == []
    run(match, "1 keep", "* deal 0 axe", "* deal 0 axe", "* deal 0 axe", "* start 0")
    assert refused(match, 0, "redraw") == "You keep or exchange your hand only once, before the first turn."


# ------------------------------------------------------------------ a turn
def test_z05_either_discard_or_play() -> None:
    match = table(["axe barricade walkie", ""])
    assert "discard axe" in match.legal(0)
    assert "play barricade" in match.legal(0)
    run(match, "0 discard axe")
    assert match.legal(0) == ["discard walkie", "discard barricade", "done"]
    assert refused(match, 0, "play walkie").startswith("You have begun to discard")
    match = run(table(["axe barricade walkie", ""]), "0 play barricade")
    assert match.legal(0) == ["play walkie", "done"]
    assert refused(match, 0, "discard axe").startswith("You have begun to play")


def test_z05_any_number_or_nothing_at_all() -> None:
    match = run(table(["axe axe drone", ""]), "0 discard axe", "0 discard drone", "0 discard axe")
    assert match.legal(0) == ["done"]
    assert run(table(["", ""]), "0 done").due == {1}


def test_z06_attack_then_draw_up_to_three_then_the_seat_on_the_left() -> None:
    match = table(["", "", "axe axe walkie"], starter=2, zombies={2: "fast"})
    run(match, "2 discard walkie", "2 done")
    assert people(match) == [2, 2, 1]
    assert all(text.startswith("deal 2 ") for text in match.chance())
    run(match, "* deal 2 mines")
    assert match.due == {0}


def test_z06_the_next_living_seat() -> None:
    match = table(["", "", "", ""], zombies={1: "fast fast"}, starter=1)
    run(match, "1 done", "1 send fast 0", "1 send fast 0")
    assert match.due == {2}
    run(match, "2 done", "3 done")
    assert match.due == {0}
    run(match, "0 discard walkie", "0 discard walkie", "0 discard walkie", "0 done")
    assert match.state.living == 0b1100
    run(match, "0 send fast 3", "0 send fast 2")
    assert match.due == {2}


def test_z07_a_card_without_an_effect_cannot_be_played_in_expert_mode_either() -> None:
    for expert in (False, True):
        match = table(["revolver sabotage drone", ""], options={"expert": expert})
        assert not any(text.startswith("play") for text in match.legal(0))
        assert refused(match, 0, "play revolver fast") == "No regular or fast zombie in your shelter."
        assert refused(match, 0, "play sabotage 1") == "No other seat has a barrier."


def test_z07_played_cards_go_to_the_discards_and_barriers_when_they_leave() -> None:
    match = run(table(["axe barricade", ""], zombies={0: "fast fast"}), "0 play axe fast", "0 play barricade")
    assert discards(match) == "axe"
    run(match, "0 done", "0 use barricade")
    assert discards(match) == "axe barricade"


# ------------------------------------------------------------------ the attack
def test_z16_all_zombies_in_the_shelter_attack_those_of_this_turn_too() -> None:
    match = table(["megaphone", ""], zombies={0: "strong"}, people={0: 5})
    run(match, "0 play megaphone", "* turn fast", "0 done")
    assert people(match)[0] == 4
    assert crowd(match, 0) == "fast strong"


def test_z16_no_decision_without_barrier_or_without_attacker() -> None:
    assert run(table(["", ""], zombies={0: "fast"}), "0 done").due == {1}
    assert run(table(["", ""], barriers={0: "alarm"}), "0 done").due == {1}
    match = run(table(["", ""], zombies={0: "fast"}, barriers={0: "alarm"}), "0 done")
    assert match.legal(0) == ["use alarm", "brace"]


def test_z16_barriers_in_any_order_until_none_attacks() -> None:
    match = table(["", ""], zombies={0: "fast strong"}, barriers={0: "barricade barricade alarm"})
    run(match, "0 done", "0 use barricade")
    assert match.legal(0) == ["use barricade", "use alarm", "brace"]
    run(match, "0 use barricade")
    assert match.due == {1}
    assert (people(match), laid(match, 0)) == ([2, 2], "alarm")
    assert crowd(match, 0) == "fast strong"


def test_z16_mines_kill_one_or_two_of_any_type() -> None:
    match = run(table(["", ""], zombies={0: "strong strong fast regular"}, barriers={0: "mines"}), "0 done")
    assert set(match.legal(0)) == {
        "use mines regular", "use mines fast", "use mines strong", "use mines regular fast",
        "use mines regular strong", "use mines fast strong", "use mines strong strong", "brace",
    }  # fmt: skip
    assert refused(match, 0, "use mines fast fast") == "There are not two of that type in your shelter: fast zombie."
    assert "in the order regular, fast, strong" in refused(match, 0, "use mines strong fast")
    assert "in the order" in refused(match, 0, "use mines")
    assert refused(match, 0, "use alarm") == "There is no such barrier in your shelter: alarm."
    run(match, "0 use mines strong strong", "* turn regular")
    assert crowd(match, 0) == "regular fast"
    assert people(match)[0] == 0  # two attackers were left and struck
    assert match.over


def test_z16_the_alarm_ends_the_phase_without_loss_then_noise() -> None:
    match = table(["", ""], zombies={0: "fast fast fast"}, barriers={0: "alarm mines"})
    run(match, "0 done", "0 use alarm", "* turn fast")
    assert match.due == {1}
    assert people(match) == [2, 2]
    assert crowd(match, 0) == "fast fast fast fast"
    assert laid(match, 0) == "mines"


def test_z16_zombies_drawn_by_the_noise_do_not_attack_now() -> None:
    match = table(["", ""], zombies={0: "fast"}, barriers={0: "mines"}, shows="strong")
    run(match, "0 done", "0 use mines fast")
    assert crowd(match, 0) == "strong"
    assert people(match) == [2, 2]
    assert match.due == {1}


def test_z17_losses_are_attackers_less_barricades_at_most_all() -> None:
    match = table(["", ""], zombies={0: "fast strong regular"}, barriers={0: "barricade"}, people={0: 3})
    run(match, "0 done", "0 use barricade")
    assert people(match) == [1, 2]
    match = table(["", "", ""], zombies={0: "fast strong regular"}, people={0: 1})
    run(match, "0 done")
    assert people(match) == [0, 2, 2]
    assert match.state.lost == 1


def test_z17_zombies_stay_and_attack_again() -> None:
    match = run(table(["", ""], zombies={0: "strong"}), "0 done", "1 done", "0 done")
    assert match.over
    assert match.result == {"survivors": [0, 2], "winners": [1], "reason": "last-standing"}


def test_z17_a_mined_zombie_counts_as_attacker_while_attackers_of_its_type_remain() -> None:
    match = table(["", ""], zombies={0: "fast strong"}, barriers={0: "mines mines"}, people={0: 3})
    run(match, "0 done", "0 use mines strong", "* turn fast")  # the new fast one does not attack
    assert crowd(match, 0) == "fast fast"
    run(match, "0 use mines fast fast", "* turn regular")  # one of these two was the attacker
    assert people(match) == [3, 2]
    match = table(["", ""], zombies={0: "fast strong"}, barriers={0: "mines mines"}, people={0: 3}, shows="strong")
    run(match, "0 done", "0 use mines fast", "0 use mines strong", "* turn regular")
    assert people(match) == [3, 2]  # one strong attacker, one strong newcomer: the attacker is the one killed
    assert crowd(match, 0) == "strong"


def test_z17_a_barricade_and_mines_may_stop_more_than_attack() -> None:
    match = table(["", ""], zombies={0: "fast strong strong"}, barriers={0: "mines barricade"}, people={0: 3})
    run(match, "0 done", "0 use barricade", "0 use mines fast strong", "* turn regular")
    assert people(match) == [3, 2]


def test_z18_out_hand_and_barriers_are_discarded_and_zombies_go_left_or_right() -> None:
    match = table(["axe drone mines", "", "", "", ""], zombies={0: "fast strong"}, barriers={0: "alarm"})
    run(match, "0 done", "0 brace")
    assert match.due == {0}
    assert set(match.legal(0)) == {"send fast 1", "send fast 4", "send strong 1", "send strong 4"}
    assert (hand(match, 0), laid(match, 0)) == ("", "")
    assert {"axe", "drone", "mines", "alarm"} <= set(discards(match).split())
    assert refused(match, 0, "send fast 2").startswith("Your zombies go to the nearest living seat")
    assert refused(match, 0, "send fast 0") == "That seat is out: seat 0."
    assert refused(match, 0, "send regular 1") == "There is no regular zombie to be sent."
    run(match, "0 send strong 4", "0 send fast 4")
    assert crowd(match, 4) == "fast strong"
    assert match.due == {1}


def test_z18_the_nearest_living_seats() -> None:
    match = table(["", "", "", ""], zombies={1: "fast fast"}, starter=1)
    run(match, "1 done", "1 send fast 0", "1 send fast 2", "2 done", "3 done", "0 done", "2 done")
    assert people(match) == [1, 0, 0, 2]
    assert set(match.legal(2)) == {"send fast 3", "send fast 0"}


def test_z18_out_without_an_attack_and_without_zombies() -> None:
    match = table(["sacrifice", "", ""], zombies={0: "fast"}, people={0: 1})
    run(match, "0 play sacrifice", "0 send fast 2", "0 done")
    assert match.state.living == 0b110
    assert match.due == {1}


def test_z18_nobody_is_put_out_in_anothers_turn() -> None:
    match = table(["bribery", "", ""], people={1: 2})
    run(match, "0 play bribery 1")
    assert people(match) == [3, 1, 2]
    assert seen(match, 0).shelters[1].living


# ------------------------------------------------------------------ drawing and the end
def shuffled_out(match: Match, left: int) -> Match:
    """The resource deck run down to a number of cards; the others are discarded."""
    s = match.state
    for kind in range(16):
        while s.deck > left and s.pool & with_card(0, kind):
            s.pool, s.deck = without_card(s.pool, kind), s.deck - 1
            s.discard = with_card(s.discard, kind)
    assert match.game.rules.audit(s) == 0
    return match


def test_z19_all_discards_become_the_deck_in_mid_draw() -> None:
    match = shuffled_out(table(["axe axe axe", ""]), 1)
    run(match, "0 discard axe", "0 discard axe", "0 done")
    assert match.chance() == {"deal 0 surprise": 1}
    before = match.game.rules.pool(match.state)
    run(match, "* deal 0 surprise")
    assert match.chance()["deal 0 axe"] == 2  # this turn's discards included
    assert sum(match.chance().values()) == 55 - 5  # both hands are not in it
    assert (discards(match), match.game.rules.pool(match.state)) == ("", before + 1)


def test_z19_an_empty_deck_is_renewed_only_when_a_card_must_be_drawn() -> None:
    match = shuffled_out(table(["axe", "drone"]), 1)
    run(match, "0 discard axe", "0 done", "* deal 0 surprise")
    assert match.due == {1}
    assert seen(match, 0).deck == 0
    run(match, "1 done")
    assert match.due == {0}
    assert seen(match, 0).deck == 0
    run(match, "0 discard surprise", "0 done")
    assert seen(match, 0).deck == 50
    assert match.state.renewals == 1


def test_z19_paired_chance_has_a_new_order_for_a_renewed_deck() -> None:
    match = Match("zombie-city", 2, chance=Paired(3))
    turns = 0
    while match.state.renewals < 2:
        for seat in sorted(match.due):
            texts = match.legal(seat)
            match.play(seat, next((t for t in texts if t.startswith("discard")), texts[0]))
            turns += 1
    assert turns > 30


def test_z20_the_final_attack_begins_when_the_deck_is_empty() -> None:
    match = table(["flare walkie", ""], city=2, zombies={0: "fast"})
    run(match, "0 play flare")
    assert seen(match, 1).final
    assert match.due == {0}  # noise over an empty deck does nothing
    run(match, "0 done")
    assert match.due == {1}  # and the current seat draws no more
    assert match.state.hand_len[0] == 2


def test_z20_or_when_its_last_card_shows_a_zombie() -> None:
    match = table(["megaphone", ""], city=2, zombies={1: "fast"})
    run(match, "0 play megaphone")
    assert not seen(match, None).final
    run(match, "* turn regular")
    assert seen(match, None).final
    assert seen(match, None).city.cards == 1
    run(match, "0 done")
    assert match.due == {1}


def test_z20_one_survivor_below_a_zombie_is_not_the_final_attack() -> None:
    match = table(["sniper", ""], city=2, shows="strong")
    assert not seen(match, None).final
    run(match, "0 play sniper city")
    run(match, "* turn strong")
    assert seen(match, None).final


def test_z21_the_last_seat_wins_at_once_and_nothing_is_sent() -> None:
    match = run(table(["", ""], zombies={0: "fast fast strong"}), "0 done")
    assert match.over
    assert match.result == {"survivors": [0, 2], "winners": [1], "reason": "last-standing"}
    assert crowd(match, 0) == "fast fast strong"
    assert refused(match, 1, "done") == "The match is over."


def test_z21_cleared_when_no_shelter_holds_a_zombie_at_the_end_of_a_turn() -> None:
    match = table(["axe", "", ""], city=0, zombies={0: "fast"}, people={0: 4})
    run(match, "0 play axe fast")
    assert match.due == {0}  # not before the turn ends
    run(match, "0 done")
    assert match.result == {"survivors": [4, 2, 2], "winners": [0], "reason": "cleared"}


def test_z21_a_zombie_on_the_city_deck_keeps_the_match_going_for_a_quiet_round_and_ties_share() -> None:
    match = table(["axe", "", ""], city=1, shows="strong", people={0: 1})
    for seat, left in ((0, "in 2 turns"), (1, "with this turn")):
        run(match, f"{seat} done")
        assert not match.over
        assert render(seen(match, None).pending[1]).endswith(f"the match ends {left}.")
    run(match, "2 done")
    assert match.result == {"survivors": [1, 2, 2], "winners": [1, 2], "reason": "cleared"}
    scores = [0] * 3
    match.game.rules.score(match.state, scores)
    assert scores == [1, 2, 2]


def test_z21_in_version_1_a_zombie_on_the_city_deck_does_not_count() -> None:
    match = run(table(["axe", "", ""], city=1, shows="strong", people={0: 1}, rules=1), "0 done")
    assert match.result == {"survivors": [1, 2, 2], "winners": [1, 2], "reason": "cleared"}


def test_z21_a_zombie_killed_on_the_city_deck_ends_the_match_with_that_turn() -> None:
    match = run(table(["", "sniper", ""], city=1, shows="strong"), "0 done", "1 play sniper city")
    assert not match.over
    run(match, "1 done")
    assert match.result == {"survivors": [2, 2, 2], "winners": [0, 1, 2], "reason": "cleared"}


def test_z21_a_zombie_that_comes_down_begins_the_quiet_round_anew() -> None:
    match = table(["", "", "megaphone"], city=1, shows="strong", options={"expert": True})
    run(match, "0 done", "1 done", "2 noise megaphone", "2 done")
    assert not match.over  # it is in a shelter now
    assert match.state.quiet == 0
    assert crowd(match, 2) == "strong"


def test_z21_turns_before_the_final_attack_are_not_quiet_ones() -> None:
    match = table(["", "", "megaphone"], city=2)
    run(match, "0 done", "1 done", "2 play megaphone", "* turn regular", "2 done")
    assert not match.over
    run(match, "0 done")
    assert not match.over
    assert run(match, "1 done").result == {"survivors": [2, 2, 3], "winners": [2], "reason": "cleared"}


def test_z21_a_quiet_round_is_one_of_the_seats_that_live_then() -> None:
    match = table(["", "axe", "", ""], city=1, shows="strong", people={1: 0})
    run(match, "0 done", "1 done")  # seat 1 is out: three seats live, and two turns were quiet
    assert not match.over
    run(match, "2 done")
    assert match.result == {"survivors": [2, 0, 2, 2], "winners": [0, 2, 3], "reason": "cleared"}


def test_z21_who_goes_out_in_the_last_quiet_turn_ends_the_round_with_it() -> None:
    match = table(["", "", ""], city=1, shows="strong", people={2: 0})
    run(match, "0 done", "1 done")
    assert not match.over
    assert run(match, "2 done").result == {"survivors": [2, 2, 0], "winners": [0, 1], "reason": "cleared"}


def test_z22_the_cap_comes_before_the_quiet_round_is_whole() -> None:
    match = table(["", "", ""], city=1, shows="strong")
    match.state.turns = 178
    run(match, "0 done")
    assert run(match.copy(), "1 done").result == {"survivors": [2, 2, 2], "winners": [0, 1, 2], "reason": "cap"}
    match.state.quiet = 2
    result = run(match, "1 done").result
    assert result is not None
    assert result["reason"] == "cleared"


def test_z21_not_cleared_before_the_final_attack_or_while_others_hold_zombies() -> None:
    assert not run(table(["", ""]), "0 done").over
    assert not run(table(["", ""], city=0, zombies={1: "fast"}), "0 done").over


@pytest.mark.parametrize("seats", [2, 5])
def test_z22_the_match_ends_after_60_turns_a_seat(seats: int) -> None:
    match = table([""] * seats)
    for turn in range(60 * seats):
        assert not match.over
        assert seen(match, None).turns == turn
        run(match, f"{turn % seats} done")
    assert match.result == {"survivors": [2] * seats, "winners": list(range(seats)), "reason": "cap"}


def test_z22_seats_that_are_out_count_in_the_product_and_cleared_goes_before_cap() -> None:
    match = table(["", "", "axe"], zombies={0: "fast fast"}, people={1: 9})
    run(match, "0 done", "0 send fast 2", "0 send fast 1")
    assert seen(match, 1).last_turn == 180
    match.state.turns = 179
    assert run(match.copy(), "1 done").result == {"survivors": [0, 8, 2], "winners": [1], "reason": "cap"}
    match = table(["axe", "", ""], city=0, zombies={0: "fast"})
    match.state.turns = 179
    result = run(match, "0 play axe fast", "0 done").result
    assert result is not None
    assert result["reason"] == "cleared"
