"""Silencio: what passes, draws, shrines and statements prove of hidden hands; imagined worlds agree with it."""

from __future__ import annotations

import math
import os
import random
from collections import Counter
from itertools import combinations
from typing import Any

import pytest

from tacit import Match, game_named
from tacit.core.bits import members
from tacit.core.chance import stream
from tacit.games.silencio.board import join_openly, leave, prove_holding
from tacit.games.silencio.model import CARDS, RANKS, TOP
from tests.silencio.positions import DECK, TAVERN, UNLIT, run, seen, table

LONG = "TACIT_LONG" in os.environ


def bits(cards: str) -> int:
    return sum(1 << DECK.index(card) for card in cards.split())


def cards(found: int) -> set[str]:
    return {DECK[card] for card in members(found)}


def worlds(match: Match, seat: int, n: int) -> list[Any]:
    found = []
    for i in range(n):
        world = match.game.know(match.state, seat)
        match.game.rules.imagine(world, seat, stream(f"world {i}"))
        found.append(world)
    return found


def fits(match: Match) -> set[str]:
    """The cards that could be laid now, as anybody sees it."""
    found = set()
    for row in seen(match, None).rows:
        last = max([1, *(int(card.card[1:]) for card in row.cards)])
        found |= {f"{row.colour[0]}{rank}" for rank in range(last + 1, TOP[match.seats] + 1)}
    return found


def playable(match: Match) -> set[str]:
    found = fits(match)
    return {card for card in found if card[0] == "g"} if match.state.only_green else found


class Listener:
    """What a spectator who forgets nothing works out from what it hears: kept apart from the state's own account."""

    def __init__(self, seats: int) -> None:
        self.lacks: list[set[str]] = [set() for _ in range(seats)]
        self.has: list[dict[str, set[str]]] = [{} for _ in range(seats)]  # by what was heard
        self.stuck: list[tuple[set[str], int] | None] = [None] * seats

    def hear(self, before: Match, line: str, partner: int) -> None:
        """A line that was heard of a step from `before`; `partner` is who gets a card that is given away."""
        who, verb, *rest = line.split(" ")
        if line.startswith("* draw") and rest[0] in playable(before):  # it is played
            verb, who = "play", str(before.state.active)
        if who == "*" or verb in ("claim", "use", "skip", "end", "choose", "trade", "renew"):
            return
        seat = int(who)
        table = seen(before, None).table
        up = {card.card for card in table[seat].up}
        if verb == "pass":
            self.lacks[seat] |= playable(before)
        elif verb == "draw" and not up & playable(before):
            self.has[seat][verb] = playable(before)
        elif verb == "say" and rest[0] == "stuck":
            fitting = fits(before)
            self.stuck[seat] = (fitting, int(rest[1]) - len(up - fitting))
        elif verb == "say" and rest[0] == "high":
            high = {f"{rest[1][0]}{rank}" for rank in range((TOP[before.seats] + 1) // 2 + 1, TOP[before.seats] + 1)}
            self.lacks[seat] |= {card for card in DECK if card[0] == rest[1][0]} - high
            if not up & high:
                self.has[seat][rest[1]] = high
        elif verb == "give" and rest == ["?"]:
            for q in (seat, partner):
                self.has[q], self.stuck[q] = {}, None
            self.lacks[partner] = set()
        elif verb in ("take", "send", "exchange", "give"):
            for q in range(before.seats):
                self.lacks[q].discard(rest[0])
        if verb in ("play", "show", "give", "take", "send", "exchange"):
            for q in range(before.seats):
                self.has[q], self.stuck[q] = {}, None

    def contradicts(self, state: Any) -> str | None:
        for q, lacks in enumerate(self.lacks):
            hand = cards(state.hand[q])
            if hand & lacks:
                return f"seat {q} lacks {hand & lacks}"
            for has in self.has[q].values():
                if not hand & has:
                    return f"seat {q} has one of {has}"
            if (stuck := self.stuck[q]) and len(hand - stuck[0]) != stuck[1]:
                return f"seat {q} has {stuck[1]} cards that fit no row"
        return None


@pytest.mark.parametrize("rules", [1, 2])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_no_imagined_world_contradicts_what_was_heard_and_the_truth_is_one_of_them(seats: int, rules: int) -> None:
    proofs: Counter[str] = Counter()
    for number in range(500 if LONG else 10):
        rng = random.Random(f"heard {seats} {rules} {number}")
        match = Match("silencio", seats, {"tavern": True}, seed=number, rules_version=rules)
        listener = Listener(seats)
        while not match.over:
            before = match.copy()
            seat = rng.choice(sorted(match.due))
            heard = len(match.see(None).heard)
            match.play(seat, rng.choice(match.legal(seat)))
            for line in match.see(None).heard[heard:]:
                passing = before.state.starter >= 0 and before.state.phase == 3
                partner = (seat + 1) % seats if passing else before.state.partner
                listener.hear(before, line, before.state.chosen if before.state.phase == 11 else partner)
                proofs.update(word for word in line.split(" ")[1:3] if word in ("pass", "draw", "stuck", "high"))
            assert listener.contradicts(match.state) is None, str(match)
            for world in worlds(match, rng.randrange(-1, seats), 2):
                assert listener.contradicts(world) is None, str(match)
                assert not match.game.rules.audit(world)
    assert {"pass", "draw"} <= set(proofs)


def test_s09_who_passes_shows_that_no_hidden_card_fits() -> None:
    match = run(table(["r2 r3", "b5 b6 b7 b8 y8", "y2 y3"], options=UNLIT), "0 play r2")
    match.state.only_green = 1
    match.state.hand[1] &= ~bits("g2 g3 g4 g5 g6 g7 g8 g9 g10")
    match.state.hand_len[1] = len(members(match.state.hand[1]))
    match.play(1, "pass")
    assert match.state.lacks[1] & bits("g2 g9") == bits("g2 g9")
    for world in worlds(match, 0, 20):
        assert not world.hand[1] & bits("g2 g3 g4 g5 g6 g7 g8 g9 g10")


def test_a_hand_that_belies_what_it_proved_is_found() -> None:
    match = table(["r2 r3", "b5 b6", "y2 y3"], options=UNLIT)
    assert match.game.rules.audit(match.state) == 0
    match.state.lacks[0] = bits("r3")
    assert match.game.rules.audit(match.state) == 4


@pytest.mark.parametrize(("rules", "proves"), [(1, True), (2, False)])
def test_s16_playing_anothers_card_instead_of_drawing_proves_a_lack_in_version_1_only(rules: int, proves: bool) -> None:
    match = table(["r2 r3", "b5 b6"], options=UNLIT, rules=rules)
    state = match.state
    state.active = state.decider = 1
    state.duty, state.only_green = 1, 1
    state.hand[1] = bits("b5 b6")
    state.hand_len[1] = 2
    state.up[0] = bits("g8")
    match.play(1, "play g8", settle=False)
    assert (state.lacks[1] & bits("g5") != 0) == proves


def test_s23_what_was_counted_goes_on_with_cards_that_move_openly() -> None:
    """A seat said that two of its cards fit no row: one of them leaves in sight of all, another comes."""
    s = table(["r2 r3", "r4 r5"]).state
    cards = members(s.hand[0])
    s.counted[0], s.counted_of[0] = s.hand[0] | 1 << cards[0] + 5, 2
    leave(s, 0, cards[0])
    assert s.counted_of[0] == 1
    join_openly(s, 0, cards[0] + 5)
    assert s.counted_of[0] == 2


def test_s18_a_hidden_card_that_comes_may_be_any_that_its_giver_can_hold() -> None:
    match = table(["r2 r3", "b5 b6", "y2 y3"], options=UNLIT)
    state = match.state
    state.lacks[0], state.lacks[1] = bits("g4 g5"), bits("g5 g6")
    state.counted[1], state.counted_of[1], state.holds[0] = bits("b5"), 1, bits("r3")
    state.phase, state.decider, state.chosen, state.partner = 10, 0, 0, 1
    match.play(0, "give r3", settle=False)
    assert cards(state.lacks[1]) == {"g5"}
    assert cards(state.lacks[0]) == {"g4", "g5"}
    assert state.counted[1] == state.counted_of[1] == state.holds[0] == 0


def test_s23_statements_prove_what_they_say_until_the_hand_changes_unseen() -> None:
    match = table(["r2 r3 b6 b8 y2 y3", "g2 g3 g4 g5 g6 g7"], options=TAVERN)
    state = match.state
    state.darks = 3
    match.play(0, "say high blue")
    assert cards(state.lacks[0]) == {"b2", "b3", "b4"}
    assert state.holds[0] == 1 << CARDS + DECK.index("b2") // RANKS
    assert all(world.hand[0] & bits("b5 b6 b7 b8") for world in worlds(match, 1, 20))
    state.darks, state.rows = 3, bits("y5 r4")
    match.play(0, "say stuck")
    assert (state.stuck, state.counted_of[0]) == (4, 4)
    assert all(len(cards(world.hand[0]) & {"r2", "r3", "y2", "y3", "y4"}) == 4 for world in worlds(match, 1, 20))
    match.play(0, "play b8", settle=False)
    assert state.holds[0] == 0  # it may have been the one
    assert state.counted_of[0] == 4


def test_s23_what_a_seat_said_stands_beside_what_it_could_use() -> None:
    """It says that it has a high blue card, and then a draw or a shrine proves that it can play a red one."""
    match = table(["r2 r3 b6 b8 y2 y3", "g2 g3 g4 g5 g6 g7"], options=TAVERN)
    state = match.state
    state.darks = 3
    match.play(0, "say high blue")
    prove_holding(state, 0, bits("r2 r3"), 0)
    for world in worlds(match, 1, 20):
        assert world.hand[0] & bits("b5 b6 b7 b8")
        assert world.hand[0] & bits("r2 r3")
    leave(state, 0, DECK.index("r2"))
    assert not state.holds[0] & bits("r2 r3")
    assert state.holds[0]  # what it said stands
    state.hand[0] &= ~bits("b6 b8")
    assert match.game.rules.audit(state) != 0


CASES = {
    "nothing is proved": {},
    "two seats lack cards": {"lacks": (0, bits("r2 r3 r4"), bits("r4 r5 r6"))},
    "one holds, one counted": {
        "lacks": (0, bits("r2"), 0),
        "holds": (0, bits("r3 r4"), 0),
        "counted": (0, 0, bits("r5 r6 r7 r8")),
        "counted_of": (0, 0, 1),
    },
    "none and all counted": {"counted": (0, bits("r2 r3 r4"), bits("r5 r6 r7 r8")), "counted_of": (0, 0, 2)},
}


@pytest.mark.parametrize("case", CASES)
def test_imagined_worlds_are_all_that_are_possible_and_equally_likely(case: str) -> None:
    """Against plain enumeration: seven cards unseen, two in each of two hands."""
    game = game_named("silencio")
    k: Any = game.blank(3, {})
    unseen = members(bits("r2 r3 r4 r5 r6 r7 r8"))
    k.pool = bits("r2 r3 r4 r5 r6 r7 r8")
    k.hand_len[1] = k.hand_len[2] = 2
    for name, values in CASES[case].items():
        for q, value in enumerate(values):
            getattr(k, name)[q] = value
    possible = []
    for one in combinations(unseen, 2):
        for two in combinations([card for card in unseen if card not in one], 2):
            hands = [0, sum(1 << card for card in one), sum(1 << card for card in two)]
            if all(
                not hands[q] & k.lacks[q]
                and (not k.holds[q] or hands[q] & k.holds[q])
                and (not k.counted[q] or len(members(hands[q] & k.counted[q])) == k.counted_of[q])
                for q in (1, 2)
            ):
                possible.append((hands[1], hands[2]))
    drawn: Counter[tuple[int, int]] = Counter()
    rng = stream(case)
    samples = 40 * len(possible)
    for _ in range(samples):
        world = k.copy()
        game.rules.imagine(world, 0, rng)
        drawn[world.hand[1], world.hand[2]] += 1
    assert set(drawn) == set(possible)
    chi_square = sum((drawn[hands] - 40) ** 2 / 40 for hands in possible)
    freedom = len(possible) - 1
    assert abs(chi_square - freedom) < 4 * math.sqrt(2 * freedom)
