"""Zombie City, rule by rule: Z13 and Z14, noise and hordes."""

from __future__ import annotations

import pytest

from tacit import render
from tests.zombie_city.positions import crowd, people, refused, run, seen, table


@pytest.mark.parametrize("back", ["regular", "strong"])
def test_z13_regular_and_strong_stay_on_the_deck(back: str) -> None:
    match = run(table(["megaphone walkie", ""]), "0 play megaphone", f"* turn {back}")
    view = seen(match, 1)
    assert (view.city.top, view.city.cards) == (back, 50)
    assert crowd(match, 0) == ""
    assert "play walkie" not in match.legal(0)  # nobody can take survivors past it


def test_z13_fast_goes_at_once_to_the_noisy_shelter() -> None:
    match = run(table(["megaphone", ""]), "0 play megaphone", "* turn fast")
    assert crowd(match, 0) == "fast"
    assert (seen(match, 0).city.top, seen(match, 0).city.cards) == ("survivor", 49)


def test_z13_one_that_shows_comes_and_the_card_below_is_not_turned() -> None:
    match = run(table(["revolver", ""], zombies={0: "fast"}, shows="strong"), "0 play revolver fast")
    assert crowd(match, 0) == "strong"
    assert match.due == {0}
    assert seen(match, 0).city.top == "survivor"


def test_z13_over_an_empty_deck_nothing_happens() -> None:
    match = run(table(["revolver", ""], zombies={0: "fast"}, city=0), "0 play revolver fast")
    assert match.due == {0}
    assert crowd(match, 0) == ""


def test_z13_noise_is_the_active_seats_but_the_drones_is_the_targets() -> None:
    match = table(["eviction drone", ""], zombies={0: "strong"})
    run(match, "0 play drone strong 1", "* turn fast")
    assert (crowd(match, 0), crowd(match, 1)) == ("", "fast strong")
    run(match, "0 play eviction 1", "* turn fast")
    assert (crowd(match, 0), crowd(match, 1)) == ("fast fast strong", "")


# ------------------------------------------------------------------ hordes
def test_z14_as_many_cards_as_living_seats_are_turned_before_any_is_sent() -> None:
    match = run(table(["megaphone", "", ""], starter=0), "0 play megaphone", "* turn horde")
    assert seen(match, 0).city.cards == 47
    for back in ("fast", "regular", "strong"):
        assert match.chance()
        run(match, f"* turn {back}")
    assert crowd(match, 0) == ""  # fast ones do not run
    assert seen(match, 1).row.fast == 1
    assert match.due == {0}
    assert len(match.legal(0)) == 9
    run(match, "0 send fast 0")
    assert set(match.legal(0)) == {f"send {z} {q}" for z in ("regular", "strong") for q in (1, 2)}
    assert refused(match, 0, "send strong 0") == "This horde has no further zombie for seat 0."
    assert refused(match, 0, "send fast 1") == "There is no fast zombie to be sent."
    run(match, "0 send strong 2", "0 send regular 1")
    assert [crowd(match, q) for q in range(3)] == ["fast", "regular", "strong"]
    assert seen(match, 0).dead == {"horde": 1}
    assert match.due == {0}
    assert seen(match, 0).phase == "main"


@pytest.mark.parametrize(
    ("left", "served"), [(0, []), (1, [3]), (2, [3, 0]), (3, [3, 0, 1]), (4, [3, 0, 1, 2]), (5, [3, 0, 1, 2])]
)
def test_z14_on_a_short_deck_opponents_from_the_left_are_served_first(left: int, served: list[int]) -> None:
    match = table(["", "", "megaphone", ""], starter=2, city=left + 2)
    run(match, "2 play megaphone", "* turn horde")
    for _ in served:
        run(match, "* turn regular")
    assert seen(match, 0).targets == sorted(served)
    assert {t for t in match.legal(2) if t.startswith("send")} == {f"send regular {q}" for q in served}
    for q in served:
        run(match, f"2 send regular {q}")
    assert [crowd(match, q) for q in range(4)] == ["regular" if q in served else "" for q in range(4)]
    assert seen(match, 0).phase == "main"


def test_z14_seats_that_are_out_are_not_served() -> None:
    match = table(["", "megaphone", "", ""], zombies={0: "fast fast"})
    run(match, "0 done", "0 send fast 3", "0 send fast 1", "1 play megaphone", "* turn horde")
    run(match, "* turn regular", "* turn regular", "* turn strong")
    assert seen(match, 1).targets == [1, 2, 3]


def test_z14_a_horde_among_the_turned_cards_is_resolved_afterwards() -> None:
    match = table(["megaphone", "", ""])
    run(match, "0 play megaphone", "* turn horde", "* turn fast", "* turn horde", "* turn strong")
    assert seen(match, 0).targets == [1, 2]  # the active seat gets none
    assert seen(match, 0).dead == {"horde": 1}
    run(match, "0 send fast 1", "0 send strong 2")
    assert "turn horde" not in match.chance()  # no line of its own: the next cards are turned at once
    run(match, "* turn regular", "* turn regular", "* turn strong")
    assert seen(match, 0).targets == [0, 1, 2]
    run(match, "0 send regular 0", "0 send strong 1", "0 send regular 2")
    assert [crowd(match, q) for q in range(3)] == ["regular", "fast strong", "regular strong"]
    assert seen(match, 0).dead == {"horde": 2}
    assert match.due == {0}


def test_z14_a_second_horde_alone_in_a_row_of_one() -> None:
    match = table(["megaphone", "", ""], city=3)
    run(match, "0 play megaphone", "* turn horde", "* turn horde")
    assert match.due == {0}
    assert seen(match, 0).phase == "main"
    assert seen(match, 0).dead == {"horde": 2}
    assert seen(match, 0).final
    match = table(["megaphone", ""], city=4)
    run(match, "0 play megaphone", "* turn horde", "* turn horde", "* turn fast", "0 send fast 1")
    assert seen(match, 0).phase == "main"


def test_z14_a_second_horde_on_a_short_deck() -> None:
    match = table(["megaphone", "", ""], city=7)
    run(match, "0 play megaphone", "* turn horde", "* turn horde", "* turn fast", "* turn fast")
    run(match, "0 send fast 2", "0 send fast 1", "* turn strong", "* turn regular")
    assert seen(match, 0).targets == [1, 2]


def test_z14_the_active_seat_sends_wherever_the_noise_was_made() -> None:
    match = table(["drone", "", ""], zombies={0: "fast"})
    run(match, "0 play drone fast 1", "* turn horde", "* turn fast", "* turn fast", "* turn fast")
    assert match.due == {0}


def test_z14_a_horde_in_the_middle_of_an_attack() -> None:
    match = table(["", ""], zombies={0: "strong strong"}, barriers={0: "mines barricade"}, people={0: 3})
    run(match, "0 done", "0 use mines strong", "* turn horde", "* turn strong", "* turn fast")
    run(match, "0 send fast 1", "0 send strong 0")
    assert match.legal(0) == ["use barricade", "brace"]  # one attacker is left; the newcomer does not attack
    run(match, "0 brace")
    assert people(match) == [2, 2]
    assert crowd(match, 0) == "strong strong"


def test_z13_an_attack_goes_on_after_the_noise_in_its_midst() -> None:
    match = table(["barricade", ""], zombies={0: "fast strong"}, barriers={0: "mines"})
    assert [card.why_not for card in seen(match, 0).hand if card.card == "barricade"] == [None]
    run(match, "0 done")
    assert render(seen(match, 0).ask) == "2 zombies attack: use a barrier, or let them strike."
    run(match, "0 use mines fast")
    assert render(seen(match, 1).pending[-1]) == "The attack on seat 0 goes on: one attacker is left."


def test_z14_a_horde_after_the_alarm() -> None:
    match = table(["", ""], zombies={0: "strong"}, barriers={0: "alarm"})
    run(match, "0 done", "0 use alarm", "* turn horde", "* turn strong", "* turn fast", "0 send strong 0")
    run(match, "0 send fast 1")
    assert people(match) == [2, 2]
    assert match.due == {1}
