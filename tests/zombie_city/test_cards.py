"""Zombie City, rule by rule: Z08–Z12 and Z15, what the cards do."""

from __future__ import annotations

import pytest

from tests.zombie_city.positions import crowd, discards, hand, laid, people, plays, refused, run, seen, table


# ------------------------------------------------------------------ weapons
@pytest.mark.parametrize("card", ["axe", "revolver"])
def test_z08_axe_and_revolver_kill_a_regular_or_fast_zombie(card: str) -> None:
    match = table([card, ""], zombies={0: "regular fast strong"})
    assert plays(match, card) == {f"play {card} regular", f"play {card} fast"}
    assert refused(match, 0, f"play {card}").startswith(f"Say which zombie the {card} kills")
    assert refused(match, 0, f"play {card} strong").startswith("Say which zombie")
    run(match, f"0 play {card} fast")
    assert crowd(match, 0) == "regular strong"
    assert bool(match.chance()) is (card == "revolver")  # the axe is silent


def test_z08_only_zombies_in_ones_own_shelter() -> None:
    match = table(["axe shotgun sniper", ""], zombies={1: "regular strong"})
    assert [plays(match, card) for card in ("axe", "shotgun", "sniper")] == [set(), set(), set()]
    assert refused(match, 0, "play shotgun strong") == "No zombie in your shelter."
    assert refused(match, 0, "play sniper city").endswith("and none shows on the City deck.")


@pytest.mark.parametrize(
    ("zombies", "ways"),
    [
        ("strong", ["strong"]),
        ("regular", ["regular"]),
        ("fast strong", ["fast", "strong"]),
        ("regular regular", ["regular regular"]),
        ("regular fast", ["regular fast"]),
        ("regular fast fast strong", ["regular fast", "fast fast", "strong"]),
        ("regular regular fast fast", ["regular regular", "regular fast", "fast fast"]),
        ("strong strong", ["strong"]),
    ],
)
def test_z08_shotgun_kills_one_strong_or_two_weak(zombies: str, ways: list[str]) -> None:
    match = table(["shotgun", ""], zombies={0: zombies})
    assert plays(match, "shotgun") == {f"play shotgun {way}" for way in ways}
    run(match, f"0 play shotgun {ways[0]}")
    assert len(crowd(match, 0).split()) == len(zombies.split()) - len(ways[0].split())
    assert match.chance()


def test_z08_shotgun_refusals_name_the_rule() -> None:
    match = table(["shotgun", ""], zombies={0: "regular fast"})
    assert "kills exactly two" in refused(match, 0, "play shotgun regular")
    assert "named in this order" in refused(match, 0, "play shotgun fast regular")
    assert refused(match, 0, "play shotgun fast fast").startswith("There are not two of that type")
    assert refused(match, 0, "play shotgun strong") == "There is no strong zombie in your shelter."


def test_z08_sniper_kills_anything_here_or_the_one_on_the_city_deck() -> None:
    match = table(["sniper", ""], zombies={0: "strong fast"})
    assert plays(match, "sniper") == {"play sniper fast", "play sniper strong"}
    assert refused(match, 0, "play sniper city") == "No zombie shows on the City deck."
    match = table(["sniper", ""], shows="strong")
    assert plays(match, "sniper") == {"play sniper city"}
    assert refused(match, 0, "play sniper fast") == "There is no fast zombie in your shelter."
    before = seen(match, 0).city.cards
    run(match, "0 play sniper city")
    assert seen(match, 0).city.cards == before - 1
    assert match.chance()  # then noise: the next card is turned
    run(match, "* turn regular")
    assert seen(match, 0).dead == {"strong": 1}
    assert crowd(match, 0) == ""


def test_z08_sniping_the_last_city_card_and_a_zombie_at_home_are_two_things() -> None:
    """Both leave the same table behind; the decisions are heard all the same."""
    match = table(["sniper", ""], zombies={0: "strong"}, city=1, shows="strong")
    one, two = match.copy(), match.copy()
    run(one, "0 play sniper city")
    run(two, "0 play sniper strong")
    assert (crowd(one, 0), people(one), seen(one, 1).city) == (crowd(two, 0), people(two), seen(two, 1).city)
    assert one.know(1) != two.know(1)


def test_z08_killed_zombies_leave_the_game() -> None:
    match = run(table(["axe", ""], zombies={0: "fast"}), "0 play axe fast")
    view = seen(match, None)
    assert view.dead == {"fast": 1}
    assert view.city.backs["fast"] == 17


# ------------------------------------------------------------------ rescue
@pytest.mark.parametrize(("card", "taken", "loud"), [("walkie", 1, False), ("megaphone", 1, True), ("flare", 2, True)])
def test_z09_rescue_takes_survivors_from_the_top(card: str, taken: int, loud: bool) -> None:
    match = table([card, ""])
    run(match, f"0 play {card}")
    assert people(match) == [2 + taken, 2]
    assert seen(match, 0).city.cards == 51 - taken
    assert bool(match.chance()) is loud


def test_z09_flare_takes_one_if_only_one_is_left() -> None:
    match = run(table(["flare", ""], city=1), "0 play flare")
    assert people(match) == [3, 2]
    assert seen(match, 0).city.top is None


@pytest.mark.parametrize("card", ["walkie", "megaphone", "flare"])
def test_z09_not_while_a_zombie_shows_and_not_from_an_empty_deck(card: str) -> None:
    match = table([card, ""], shows="strong")
    assert plays(match, card) == set()
    assert refused(match, 0, f"play {card}") == ("Not while a strong zombie shows on the City deck.")
    match = table([card, ""], city=0, zombies={1: "fast"})
    assert refused(match, 0, f"play {card}") == "The City deck is empty."


# ------------------------------------------------------------------ barriers
@pytest.mark.parametrize("card", ["barricade", "alarm", "mines"])
def test_z10_barriers_are_laid_without_noise(card: str) -> None:
    match = run(table([card, ""]), f"0 play {card}")
    assert (laid(match, 0), discards(match)) == (card, "")
    assert match.due == {0}
    assert refused(match, 0, f"use {card}{' fast' if card == 'mines' else ''}") == (
        "Barriers are used only against an attack on your shelter."
    )


# ------------------------------------------------------------------ schemes
def test_z11_sabotage_discards_all_barriers_of_another_seat() -> None:
    match = table(["sabotage", "", ""], barriers={0: "mines", 1: "alarm mines barricade"})
    assert plays(match, "sabotage") == {"play sabotage 1"}
    assert refused(match, 0, "play sabotage 2") == "There is no barrier in the shelter of seat 2."
    assert refused(match, 0, "play sabotage 0") == "Choose another seat, not your own."
    run(match, "0 play sabotage 1")
    assert laid(match, 1) == ""
    assert discards(match) == "barricade alarm mines sabotage"
    run(match, "* turn fast")  # one noise, the saboteur's: the barriers are not set off
    assert (crowd(match, 0), crowd(match, 1)) == ("fast", "")
    assert match.due == {0}


def test_z11_bribery_takes_a_survivor_from_a_seat_with_two() -> None:
    match = table(["bribery", "", ""], people={1: 1})
    assert plays(match, "bribery") == {"play bribery 2"}
    assert "and seat 1 has fewer" in refused(match, 0, "play bribery 1")
    run(match, "0 play bribery 2")
    assert people(match) == [3, 1, 1]
    assert match.due == {0}  # silent
    assert refused(table(["bribery", ""], people={1: 1}), 0, "play bribery 1").startswith("No other seat has two")


def test_z11_eviction_swaps_zombies_and_barriers_only() -> None:
    match = table(["eviction axe", "drone"], zombies={0: "strong", 1: "fast fast"}, barriers={0: "alarm", 1: "mines"})
    hands = hand(match, 0), hand(match, 1)
    run(match, "0 play eviction 1", "* turn regular")
    assert (crowd(match, 0), crowd(match, 1)) == ("fast fast", "strong")
    assert (laid(match, 0), laid(match, 1)) == ("mines", "alarm")
    assert people(match) == [2, 2]
    assert hand(match, 0) == hands[0].replace("eviction", "").strip().replace("  ", " ")
    assert hand(match, 1) == hands[1]


@pytest.mark.parametrize(
    ("zombies", "barriers", "targets"),
    [
        ({}, {}, set()),
        ({1: "fast"}, {}, {1}),
        ({}, {2: "mines"}, {2}),
        ({0: "fast"}, {}, {1, 2}),
        ({}, {0: "alarm"}, {1, 2}),
    ],
)
def test_z11_eviction_needs_something_on_either_side(
    zombies: dict[int, str], barriers: dict[int, str], targets: set[int]
) -> None:
    match = table(["eviction", "", ""], zombies=zombies, barriers=barriers)
    assert plays(match, "eviction") == {f"play eviction {q}" for q in targets}
    if targets:
        other = ({1, 2} - targets or {0}).pop()
        sentence = refused(match, 0, f"play eviction {other}")
        assert sentence in (
            f"Neither you nor seat {other} has a zombie or a barrier.",
            "Choose another seat, not your own.",
        )
    else:
        assert refused(match, 0, "play eviction 1") == "No zombies and no barriers to swap."


def test_z11_sacrifice_sends_every_zombie_as_one_likes() -> None:
    match = table(["sacrifice", "", ""], zombies={0: "fast strong strong"})
    run(match, "0 play sacrifice")
    assert people(match) == [1, 2, 2]
    assert set(match.legal(0)) == {"send fast 1", "send fast 2", "send strong 1", "send strong 2"}
    assert refused(match, 0, "send fast 0") == "Choose another seat, not your own."
    assert refused(match, 0, "send horde 1").startswith("There is no zombie “horde”")
    assert refused(match, 0, "play drone fast 1") == "It is not the moment to play a card."
    run(match, "0 send strong 2", "0 send strong 2", "0 send fast 2")
    assert crowd(match, 2) == "fast strong strong"
    assert match.due == {0}  # silent
    assert seen(match, 0).phase == "main"
    assert refused(match, 0, "send fast 1") == "No zombies are to be sent now."


def test_z11_sacrifice_needs_a_survivor_and_a_zombie() -> None:
    assert refused(table(["sacrifice", ""]), 0, "play sacrifice") == "You have no zombie to send."
    match = table(["sacrifice sacrifice megaphone", ""], zombies={0: "fast"}, people={0: 1}, city=0)
    run(match, "0 play sacrifice", "0 send fast 1")
    assert people(match) == [0, 2]  # the last survivor may be the one
    assert refused(match, 0, "play sacrifice") == "You have no survivor to sacrifice."


def test_z11_drone_sends_a_zombie_and_makes_noise_there() -> None:
    match = table(["drone", "", ""], zombies={0: "regular fast"})
    assert plays(match, "drone") == {f"play drone {z} {q}" for z in ("regular", "fast") for q in (1, 2)}
    assert refused(match, 0, "play drone strong 1") == "There is no strong zombie in your shelter."
    assert refused(match, 0, "play drone fast 0") == "Choose another seat, not your own."
    assert refused(match, 0, "play drone fast 3") == "There is no seat “3” at this table."
    run(match, "0 play drone regular 2", "* turn fast")
    assert [crowd(match, q) for q in range(3)] == ["fast", "", "regular fast"]
    match = run(table(["drone", ""], zombies={0: "fast"}, shows="strong"), "0 play drone fast 1")
    assert crowd(match, 1) == "fast strong"


@pytest.mark.parametrize("back", ["regular", "fast", "strong"])
def test_z11_surprise_sends_a_zombie_and_the_top_city_card(back: str) -> None:
    match = table(["surprise", "", ""], zombies={0: "strong"})
    run(match, "0 play surprise strong 2")
    assert crowd(match, 2) == "strong"  # one's own moves first
    run(match, f"* turn {back}")
    assert sorted(crowd(match, 2).split()) == sorted(["strong", back])
    assert seen(match, 0).city.top == "survivor"
    assert match.due == {0}  # silent: one card only


def test_z11_surprise_takes_the_zombie_that_shows_without_turning() -> None:
    match = run(table(["surprise", ""], zombies={0: "fast"}, shows="strong"), "0 play surprise fast 1")
    assert crowd(match, 1) == "fast strong"
    assert match.due == {0}
    assert seen(match, 0).city.top == "survivor"


def test_z11_surprise_over_an_empty_city_sends_only_ones_own() -> None:
    match = run(table(["surprise", ""], zombies={0: "fast strong"}, city=0), "0 play surprise fast 1")
    assert (crowd(match, 0), crowd(match, 1)) == ("strong", "fast")
    assert match.due == {0}
    assert refused(table(["surprise", ""]), 0, "play surprise fast 1") == "You have no zombie to send."


def test_z11_a_surprise_that_turns_a_horde_resolves_it_instead() -> None:
    match = table(["surprise", "", ""], zombies={0: "fast"})
    run(match, "0 play surprise fast 2", "* turn horde", "* turn strong", "* turn regular", "* turn regular")
    assert crowd(match, 2) == "fast"
    run(match, "0 send strong 1", "0 send regular 2", "0 send regular 0")
    assert [crowd(match, q) for q in range(3)] == ["regular", "strong", "regular fast"]
    assert match.due == {0}
    assert seen(match, 0).phase == "main"


def test_z12_targets_live_and_are_others() -> None:
    match = table(["", "drone surprise eviction", "", ""], zombies={0: "fast fast", 1: "strong"})
    run(match, "0 done", "0 send fast 3", "0 send fast 1")
    assert match.state.living == 0b1110
    assert {text.split()[-1] for text in match.legal(1) if text.startswith("play")} == {"2", "3"}
    assert refused(match, 1, "play drone fast 0") == "That seat is out: seat 0."
    assert refused(match, 1, "play eviction 0") == "That seat is out: seat 0."


def test_z12_who_sacrificed_the_last_survivor_lives_until_the_end_of_its_phase_2() -> None:
    match = table(["sacrifice flare megaphone", "", ""], zombies={0: "fast"}, people={0: 1}, barriers={0: "barricade"})
    run(match, "0 play sacrifice", "0 send fast 1")
    assert seen(match, 1).shelters[0].living
    run(match, "0 play megaphone", "* turn horde", "* turn fast", "* turn strong", "* turn strong")
    assert people(match)[0] == 1  # a rescue may even save it
    run(match, "0 send strong 1", "0 send strong 2", "0 send fast 0")
    assert crowd(match, 0) == "fast"
    match = table(["sacrifice", "", ""], zombies={0: "fast"}, people={0: 1}, barriers={0: "barricade"}, city=0)
    run(match, "0 play sacrifice", "0 send fast 2")
    match.state.zombies[0] += 1  # say a horde's zombie has come since
    match.state.backs &= ~(1 << 22)
    match.state.lost -= 1
    run(match, "0 done")
    assert match.legal(0) == ["use barricade", "brace"]
    run(match, "0 use barricade")
    assert match.state.living == 0b110


# ------------------------------------------------------------------ expert
def test_z15_a_loud_card_may_be_played_for_its_noise_alone() -> None:
    match = table(["revolver alarm mines", ""], options={"expert": True})
    assert [t for t in match.legal(0) if t.startswith("noise")] == ["noise revolver", "noise alarm", "noise mines"]
    run(match, "0 noise alarm", "* turn fast")
    assert (crowd(match, 0), laid(match, 0), discards(match)) == ("fast", "", "alarm")
    assert refused(match, 0, "discard mines").startswith("You have begun to play")  # it counts as playing
    run(match, "0 noise mines", "* turn strong", "0 noise revolver")
    assert crowd(match, 0) == "fast strong"


def test_z15_always_but_only_with_the_mark_in_expert_mode_and_before_discarding() -> None:
    match = table(["drone axe flare", ""], zombies={0: "fast"}, city=0, options={"expert": True})
    assert [t for t in match.legal(0) if t.startswith("noise")] == ["noise flare"]  # even over an empty deck
    assert refused(match, 0, "noise drone") == "That card makes no noise: drone."
    assert refused(match, 0, "noise sniper") == "You have no such card in hand: sniper rifle."
    run(match, "0 noise flare")
    assert match.due == {0}
    match = run(table(["revolver axe", ""], options={"expert": True}), "0 discard axe")
    assert refused(match, 0, "noise revolver").startswith("You have begun to discard")
    match = table(["revolver", ""])
    assert refused(match, 0, "noise revolver") == "You can play a card for its noise alone only in the expert game."
