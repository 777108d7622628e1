"""The rules and a second implementation (`reference.py`) agree on every offer, every weight and every result."""

from __future__ import annotations

import json
import random
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tacit import Match
from tests.silencio.positions import empty_handed
from tests.silencio.reference import WATCHER, Offer, Table, rank, story

GOLDEN = sorted((Path(__file__).parents[1] / "golden" / "silencio").glob("*.tacit"))


class Both:
    """One match, played by both, step by step."""

    def __init__(self, seats: int, tavern: bool, unlit: str, rules: int, looks: int = 1) -> None:
        options: dict[str, bool | int | str] = {"tavern": tavern, "unlit": unlit}
        self.match = Match("silencio", seats, options, settle=False, rules_version=rules)
        self.table = Table(seats, tavern, unlit, rules)
        self.story = story(self.table)
        self.looks, self.steps = looks, 0  # every few steps the views are compared too
        self.offer: Offer = next(self.story)
        self.result: Any = None
        self.compare()

    def step(self, who: int | str, text: str) -> None:
        self.match.play("*" if who == "*" else int(who), text)
        self.steps += 1
        try:
            self.offer = self.story.send((who, text))
        except StopIteration as end:
            self.offer, self.result = {}, end.value
        self.compare()

    def compare(self) -> None:
        match, offer = self.match, self.offer
        assert match.chance() == offer.get("*", {}), str(match)
        assert match.due == set(offer) - {"*"}, str(match)
        for q in range(match.seats):
            legal = match.legal(q)
            assert len(legal) == len(set(legal)), str(match)
            assert set(legal) == set(offer.get(q, {})), str(match)
        assert match.result == self.result, str(match)
        if self.steps % self.looks == 0 or not offer:
            self.compare_views()

    def compare_views(self) -> None:
        match, t = self.match, self.table
        for seat in t.listeners:
            seen = match.see(None if seat == WATCHER else seat)
            view = seen.view
            assert seen.heard == t.heard[seat], str(match)
            for q in range(match.seats):
                if q != seat:
                    assert set(view.table[q].known) == t.knows(seat, q), str(match)
                assert view.table[q].hidden == len(t.hidden[q]), str(match)
                assert {card.card for card in view.table[q].up} == set(t.up[q]), str(match)
            assert [[card.card for card in row.cards] for row in view.rows] == list(t.rows.values()), str(match)
            assert {row.colour for row in view.rows if row.lit} == set(t.lit) - {"large"}, str(match)
            assert view.large_lit == ("large" in t.lit), str(match)
            assert set(view.oracle) == set(t.oracle), str(match)
            assert set(view.gone) == set(t.gone), str(match)
            assert (view.deck, view.passes) == (len(t.deck), t.passes), str(match)
            flags = {"no_dark": t.no_dark, "no_light": t.no_light, "duty": t.duty, "only_green": t.only_green}
            assert {flag.name for flag in view.pending} == {f for f, on in flags.items() if on}, str(match)
            tavern = (view.tavern.open, view.tavern.darks) if view.tavern else (False, 0)
            assert tavern == (t.open, t.darks), str(match)
            if seat != WATCHER:
                knowers = {card.card: set(card.known_by) for card in view.hand}
                assert knowers == {card: t.knowers[card] - {WATCHER} for card in t.hidden[seat]}, str(match)


HABITS: dict[str, dict[str, float]] = {
    "any": {},
    "dig": {"choose": 99, "renew": 99, "take": 9, "play g": 9, "play b": 0.001, "shrine": 9},  # the deck runs out
    "finish": {"skip": 9, "shrine": 0.05, "shrine or pass": 9, "choose": 9, "exchange": 9},  # hands run out
    "open": {"show": 99, "trade": 9, "pass": 0.1},  # many face-up cards
    "hoard": {
        "shrine": 0.001,
        "shrine or pass": 0.3,
        "shrine or end": 0.001,
        "skip": 9,
        "end": 9,
        "take": 0.1,
    },  # lit to the end
}


class Taste:
    """What a random player likes: every match another taste, so that every rare rule is somebody's favourite."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        habit = rng.choice(list(HABITS))
        self.likes: defaultdict[str, float] = defaultdict(lambda: 2 ** rng.uniform(-5, 4), HABITS[habit])
        self.jump = (
            0.1 if habit in ("finish", "hoard") else rng.choice([0.2, 0.6, 1, 1.5])
        )  # below 1: plays without gaps
        self.stacked = habit == "finish" or rng.random() < 0.3  # low cards are dealt and turned up first
        self.cruel = rng.random() < 0.5  # a card drawn at random cannot be played

    def pick(self, offer: Offer, t: Table) -> tuple[int | str, str]:
        who = self.rng.choice(list(offer))
        texts = list(offer[who])
        window = " or end" if "end" in texts else " or pass" if "pass" in texts else ""
        return who, self.rng.choices(texts, [self.weight(text, window, t) for text in texts])[0]

    def weight(self, text: str, window: str, t: Table) -> float:
        verb, *rest = text.split()
        if verb in ("deal", "oracle"):
            return float(0.6 ** rank(rest[-1])) if self.stacked else 1.0
        if verb == "draw" and rest:
            return 9.0 if self.cruel and not t.playable(rest[0]) else 1.0
        if verb == "play":
            colour = rest[0][0]
            return float(self.likes[f"play {colour}"] * max(1e-6, self.jump ** (rank(rest[0]) - t.last(colour))))
        if verb == "say":
            return self.likes[f"say {rest[0]}{window}"]
        return self.likes[verb + window if verb == "shrine" else verb]


Moment = Callable[[Table, int, list[str], str], bool]  # what may be said of the table, a seat, its choices, its choice


def random_match(seats: int, tavern: bool, unlit: str, rules: int, number: int, moment: Moment | None = None) -> bool:
    """Play and compare; did the moment come?"""
    rng = random.Random(f"{seats} {tavern} {unlit} {number}")
    taste, both = Taste(rng), Both(seats, tavern, unlit, rules, looks=5)
    came = False
    while both.offer and both.steps < 600:  # blue can take cards back for ever
        who, text = taste.pick(both.offer, both.table)
        if moment is not None and isinstance(who, int):
            came = came or moment(both.table, who, list(both.offer[who]), text)
        both.step(who, text)
    return came


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("tavern", [False, True])
@pytest.mark.parametrize("unlit", ["none", "large", "small", "all"])
@pytest.mark.parametrize("rules", [1, 2])
def test_both_tellings_agree(seats: int, tavern: bool, unlit: str, rules: int) -> None:
    for number in range(8):
        random_match(seats, tavern, unlit, rules, number)


def stuck(t: Table, me: int) -> bool:
    return not t.own_playable(me) and not t.other_playable(me)


def follows(t: Table, text: str, colour: str) -> bool:
    return text.startswith(f"play {colour}") and rank(text.split()[1]) == t.last(colour) + 1


def drew_in_vain(t: Table, me: int) -> bool:
    """Has the seat drawn a card in this turn that it could not play, and played none since?"""
    for line in reversed(t.heard[WATCHER]):
        if line.startswith("* draw"):
            return line.split()[2] in t.hidden[me]
        if line.startswith((f"{me} play", f"{me} end", f"{me} pass")):
            return False
    return False


RARE: dict[str, tuple[tuple[int, bool, str, int, int], Moment]] = {
    "no exchange rescues a seat without cards (S21)": (
        (2, False, "none", 1, 17),
        lambda t, me, choices, _: (
            "pass" in choices
            and stuck(t, me)
            and not t.own(me)
            and "green" in t.lit
            and any(t.playable(card) for card in t.oracle)
        ),
    ),
    "blue rescues a seat without cards (S21)": (
        (2, False, "large", 1, 136),
        lambda t, me, _, text: text.startswith("shrine") and stuck(t, me) and not t.own(me),
    ),
    "a rescued seat must draw (S16, S21)": (
        (2, True, "large", 1, 0),
        lambda t, me, _, text: text.startswith("shrine") and stuck(t, me) and t.duty,
    ),
    "another's card ends the duty to draw (S16)": (
        (3, False, "none", 1, 10),
        lambda t, me, _, text: text.startswith("play") and t.duty and not t.own_playable(me),
    ),
    "face-up cards end the duty to draw (S16)": (
        (2, True, "large", 1, 37),
        lambda t, me, _, text: text.startswith("play") and t.duty and bool(t.up[me]) and not t.hidden[me],
    ),
    "after a shrine another's card must be played (S21)": (
        (4, False, "none", 1, 9),
        lambda t, me, choices, text: text.startswith("play") and not t.own_playable(me) and "pass" not in choices,
    ),
    "a seat without cards plays another's (S09)": (
        (2, True, "large", 1, 19),
        lambda t, me, _, text: text.startswith("play") and not t.own(me),
    ),
    "dark blue without an Oracle (S14)": (
        (3, True, "none", 1, 203),
        lambda t, me, _, text: follows(t, text, "b") and not t.oracle and len(t.own(me)) > 1 and not t.no_dark,
    ),
    "the Oracle shrinks (S14)": (
        (3, False, "large", 1, 0),
        lambda t, me, _, text: text.startswith("send") and not t.deck,
    ),
    "the tavern after a pass (S23)": (
        (4, True, "small", 1, 8),
        lambda t, me, choices, _: "end" in choices and t.passes > 0,
    ),
    "another's card beside the duty to draw (S16)": (
        (2, True, "large", 2, 0),
        lambda t, me, choices, text: text.startswith("play") and "draw" in choices,
    ),
    "another's card leaves the duty to draw waiting (S16)": (
        (3, False, "none", 2, 10),
        lambda t, me, _, text: text.startswith("play") and t.duty and not t.own_playable(me),
    ),
    "a shrine after a draw in vain (S16)": (
        (3, False, "none", 2, 1),
        lambda t, me, _, text: text.startswith("shrine") and t.heard[WATCHER][-1].startswith("* draw"),
    ),
    "the tavern after a draw in vain (S16)": (
        (2, True, "large", 2, 4),
        lambda t, me, _, text: text.startswith("say") and drew_in_vain(t, me),
    ),
    "a pass after a draw in vain and a shrine (S16, S22)": (
        (4, False, "none", 2, 0),
        lambda t, me, _, text: text == "pass" and drew_in_vain(t, me),
    ),
    "the duty to draw beside green's (S16, S17)": (
        (2, True, "large", 2, 0),
        lambda t, me, _, text: text == "draw" and t.only_green,
    ),
}


@pytest.mark.parametrize("name", RARE)
def test_both_tellings_agree_on_what_is_rare(name: str) -> None:
    match, moment = RARE[name]
    assert random_match(*match, moment), "it did not come to pass: find another match"


BARE = """
    * deal 0 g2; * deal 0 r2; * deal 0 r3; * deal 0 y2; * deal 0 b9; * deal 0 y4; * deal 1 b3; * deal 1 g4; * deal 1
    r9; * deal 1 g6; * deal 1 g9; * deal 1 y7; * deal 2 g7; * deal 2 g3; * deal 2 y5; * deal 2 b5; * deal 2 b2; *
    deal 2 y6; * oracle r6; * oracle y3; * oracle r5; 2 claim; 2 give b2; 0 give g2; 1 give g6; 2 shrine yellow; 2
    show g3; 2 play g3; 2 choose 2; 2 renew; * oracle y10; * oracle b6; * oracle r4; 0 shrine red; 0 play r3; 0
    skip; 1 shrine green; 1 choose 1; 1 renew; * oracle g5; * oracle b4; * oracle b8; 1 play g9; 1 choose 1; 1
    renew; * oracle r7; * oracle b7; * oracle y9; 2 shrine blue; 2 take g9; 2 play y6; 2 show y5; 0 play b2; 0 send
    r7 1; * oracle b10; 1 play b3; 1 send b7 0; * oracle g10; 2 play b5; 2 take y6; 0 play b7; 0 take g3; 1 play y5;
    1 skip; 2 play y6; 0 draw; * draw y2; 0 play g3; 0 choose 1; 1 renew; * oracle r8; * oracle r10; * oracle y8; 1
    play y7; 2 draw; * draw g6; 2 choose 1; 1 renew; * oracle g8; 0 play b9; 0 take g6; 1 play g4; 2 play g7; 2
    choose 2; 2 renew; 0 pass; 1 play r7; 1 skip; 2 play g9
"""  # the Oracle and the deck are gone, and seat 2 plays its last card, a light green one


def test_both_tellings_agree_where_not_every_seat_can_exchange() -> None:
    both = Both(3, False, "large", rules=1)
    for line in " ".join(BARE.split()).split("; "):
        who, text = line.split(" ", 1)
        both.step("*" if who == "*" else int(who), text)
    assert both.offer == {2: {"choose 0": 1, "choose 1": 1, "skip": 1}}
    for seat, text in [(2, "choose 1"), (1, "trade 2"), (1, "give r9"), (2, "give r9")]:
        both.step(seat, text)


@pytest.mark.parametrize("rules", [1, 2])
def test_both_tellings_agree_on_a_dark_card_played_by_a_seat_without_cards(rules: int) -> None:
    match = empty_handed(shown="g3", rules=rules)
    both = Both(2, False, "all", rules)
    for line in [*match.lines, "0 play g3"]:
        who, text = line.split(" ", 1)
        both.step("*" if who == "*" else int(who), text)
    assert both.table.only_green == (rules == 2)


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_the_second_telling_replays_golden_records(path: Path) -> None:
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    head = dict(line.split(" ", 1) for line in lines if line[0] not in "*=" and not line[0].isdigit())
    both = Both(int(head["seats"]), **json.loads(head["options"]), rules=int(head["game"].split()[1]))
    for line in lines:
        if line[0] == "*" or line[0].isdigit():
            who, text = line.split(" ", 1)
            both.step("*" if who == "*" else int(who), text)
    assert both.result == json.loads(lines[-1].removeprefix("= "))
