"""Tests of the tests: each secrecy law catches a leak planted in the toy game (or, for marks, in Silencio)."""

from __future__ import annotations

import random
import re
import types
from collections.abc import Callable
from importlib import import_module
from typing import Any

import msgspec
import pytest
from examples.toy import tacit_toy as toy

from tacit import Game, Match, Seeded, game_named
from tacit.core import laws
from tacit.core.bits import count, nth
from tacit.core.chance import below
from tacit.core.events import HIDDEN
from tacit.core.laws import LawBroken
from tacit.core.random_play import CHANCE, NOBODY
from tacit.core.rulekit import rule

silencio: Any = game_named("silencio").module


def planted(module: types.ModuleType, **changes: Any) -> Game:
    """The game with some of its functions replaced."""
    leaky = types.ModuleType(module.__name__)
    leaky.__dict__.update(vars(module) | changes)
    return Game(leaky)


@rule
def know_all_hands(s: Any, seat: int, k: Any) -> None:
    toy.know(s, seat, k)
    for q in range(s.seats):
        k.hand[q] = s.hand[q]


@rule
def know_as_spectator_all(s: Any, seat: int, k: Any) -> None:
    if seat == NOBODY:
        know_all_hands(s, seat, k)
    else:
        toy.know(s, seat, k)


@rule
def know_the_deck(s: Any, seat: int, k: Any) -> None:
    toy.know(s, seat, k)
    k.pool = s.pool


@rule
def know_sealed_bids(s: Any, seat: int, k: Any) -> None:
    toy.know(s, seat, k)
    for q in range(s.seats):
        k.bid[q] = s.bid[q]


@rule
def know_how_many_choices(s: Any, seat: int, k: Any) -> None:
    """The number of another seat's even cards: as if the size of its choices could be counted."""
    toy.know(s, seat, k)
    for q in range(s.seats):
        if q != seat:
            k.shown[q] = count(s.hand[q] & 0b101010101)


@rule
def know_card_identities(s: Any, seat: int, k: Any) -> None:
    """Hidden cards under a mask that never changes: anonymous, but always the same."""
    toy.know(s, seat, k)
    k.shown[(seat + 1) % s.seats] = (s.hand[(seat + 1) % s.seats] * 37) % 101


@rule
def legal_by_others_cards(s: Any, seat: int, mask: Any) -> None:
    if s.phase == toy.BID and not (s.done >> seat) & 1:
        mask[0] |= s.hand[seat] if s.hand[(seat + 1) % s.seats] & 1 else s.hand[seat] & -s.hand[seat]


@rule
def observe_the_deck(k: Any, seat: int, out: Any) -> None:
    toy.observe(k, seat, out)
    out[24] = count(k.pool)


@rule
def observe_but_one_cell(k: Any, seat: int, out: Any) -> None:
    left_out = out[24]
    toy.observe(k, seat, out)
    out[24] = left_out


@rule
def imagine_forgets_a_bid(k: Any, seat: int, rng: Any) -> None:
    toy.imagine(k, seat, rng)
    k.bid[seat] = 0


@rule
def imagine_one_card_too_few(k: Any, seat: int, rng: Any) -> None:
    toy.imagine(k, seat, rng)
    k.hand[(seat + 1) % k.seats] &= k.hand[(seat + 1) % k.seats] - 1


@rule
def know_with_a_trace(s: Any, seat: int, k: Any) -> None:
    """The truth hides in a field that nobody looks at while the deck is dealt."""
    toy.know(s, seat, k)
    if s.phase == toy.DEAL:
        k.tricks = count(s.hand[1] & 15)


@rule
def imagine_by_the_trace(k: Any, seat: int, rng: Any) -> None:
    trace = k.tricks
    k.tricks = 0
    toy.imagine(k, seat, rng)
    k.tricks = trace


def view_with_the_deck(k: Any, seat: int) -> Any:
    seen = toy.view(k, seat)
    return msgspec.structs.replace(seen, played=[k.pool])


def hear_every_deal(before: Any, who: int, action: int, after: Any) -> list[str]:
    return [f"* deal 0 {action + 1}"] if who == CHANCE else toy.hear(before, who, action, after)


def hear_sealed_bids(before: Any, who: int, action: int, after: Any) -> list[str]:
    return toy.hear(before, who, action, after) or [f"{who} bid {action + 1}"]


@rule
def silencio_keeps_marks(s: Any, seat: int, k: Any) -> None:
    """S25 broken: others' marks on cards that the seat cannot see."""
    silencio.know(s, seat, k)
    for q in range(5):
        k.known[q] = s.known[q]


@rule
def silencio_tells_rescue(s: Any, seat: int, k: Any) -> None:
    """That a seat cannot play is its secret."""
    silencio.know(s, seat, k)
    k.tavern = 1 if silencio_stuck(s) else 0


@rule
def silencio_stuck(s: Any) -> bool:
    return bool(s.hand[s.active] & 0b111)


@rule
def silencio_imagines_unevenly(k: Any, seat: int, rng: Any) -> None:
    """The wrong number of cards is put into the hands."""
    silencio.imagine(k, seat, rng)
    other = (seat + 1) % k.seats
    k.hand[other] |= 1 << nth(k.pool, below(rng, count(k.pool))) if k.pool else 0


@rule
def silencio_overhears_every_deal(s: Any, seat: int, who: int, action: int) -> int:
    return action


@rule
def silencio_overhears_no_card(s: Any, seat: int, who: int, action: int) -> int:
    return HIDDEN


SWAPPED, KNOWLEDGE, HEARING, SEALED = laws.law_swapped, laws.law_knowledge, laws.law_hearing, laws.law_sealed
DEAL = laws.law_deal
LEAKS: list[tuple[types.ModuleType, dict[str, Callable[..., Any]], Callable[..., None], str]] = [
    (toy, {"know": know_all_hands}, SWAPPED, "hidden cards exchanged look the same"),
    (toy, {"know": know_as_spectator_all}, SWAPPED, "hidden cards exchanged look the same"),
    (toy, {"know": know_how_many_choices}, SWAPPED, "hidden cards exchanged look the same"),
    (toy, {"know": know_card_identities}, SWAPPED, "hidden cards exchanged look the same"),
    (toy, {"know": know_the_deck}, KNOWLEDGE, "know"),
    (toy, {"know": know_sealed_bids}, SEALED, "nobody can see sealed choices"),
    (toy, {"know": know_with_a_trace, "imagine": imagine_by_the_trace}, KNOWLEDGE, "know"),
    (toy, {"know": know_with_a_trace, "imagine": imagine_by_the_trace}, SWAPPED, "hidden cards exchanged"),
    (toy, {"legal": legal_by_others_cards}, KNOWLEDGE, "legal decisions need only knowledge"),
    (toy, {"observe": observe_the_deck}, KNOWLEDGE, "the observation needs only knowledge"),
    (toy, {"observe": observe_but_one_cell}, KNOWLEDGE, "observe writes every cell of FIELDS: cell 24 is left out"),
    (toy, {"imagine": imagine_forgets_a_bid}, KNOWLEDGE, r"know\(imagine\(know\(s\)\)\) == know\(s\)"),
    (toy, {"imagine": imagine_one_card_too_few}, KNOWLEDGE, "every card in one place|every due seat"),
    (toy, {"view": view_with_the_deck}, KNOWLEDGE, "the view needs only knowledge"),
    (toy, {"hear": hear_every_deal}, HEARING, "what is heard is what is known"),
    (toy, {"hear": hear_sealed_bids}, HEARING, "what is heard is what is known"),
    (silencio, {"know": silencio_keeps_marks}, KNOWLEDGE, "every card in one place"),
    (silencio, {"know": silencio_tells_rescue}, SWAPPED, "hidden cards exchanged look the same"),
    (silencio, {"imagine": silencio_imagines_unevenly}, KNOWLEDGE, "every card in one place"),
    (silencio, {"overhear": silencio_overhears_every_deal}, DEAL, "a deal is heard as its steps are"),
    (silencio, {"overhear": silencio_overhears_no_card}, DEAL, "a deal is heard as its steps are"),
]
NAMES = [f"{next(iter(changes.values())).__name__}-{law.__name__}" for _, changes, law, _ in LEAKS]


def hold(game: Game, seats: int, law: Callable[..., None], matches: int) -> None:
    """Play random matches and hold one law at every step (the swap law at the end)."""
    for number in range(matches):
        rng = random.Random(number)
        match = Match(game, seats, chance=Seeded(number), settle=False)
        while not match.over:
            if law is not SWAPPED:
                law(match, rng)
            if match.due:
                seat = rng.choice(sorted(match.due))
                match.apply(seat, rng.choice(game.legal(match.state, seat)))
            else:
                match.apply(CHANCE, match.source.draw(game.chance(match.state), 0))
        if law is SWAPPED:
            law(match, rng)


@pytest.mark.parametrize(("module", "changes", "law", "found"), LEAKS, ids=NAMES)
def test_a_planted_leak_is_caught(
    module: types.ModuleType, changes: dict[str, Any], law: Callable[..., None], found: str
) -> None:
    with pytest.raises(LawBroken, match=found):
        hold(planted(module, **changes), 3, law, 200)


@pytest.mark.parametrize("law", [SWAPPED, KNOWLEDGE, HEARING, SEALED, DEAL], ids=lambda law: law.__name__)
@pytest.mark.parametrize("module", [toy, silencio], ids=lambda module: module.NAME)
def test_the_honest_game_passes(module: types.ModuleType, law: Callable[..., None]) -> None:
    hold(Game(module), 3, law, 20)


def test_imagining_is_uniform() -> None:
    """All deals that a seat's knowledge allows come equally often (chi-squared, 99.99 %)."""
    game = game_named("toy")
    match = laws.random_match(game, 2, None, 1)
    start = type(match)(game, 2, seed=3)
    k = start.know(0)
    seen: dict[Any, int] = {}
    rng = [1, 2, 3, 4]
    for _ in range(8_400):
        world = k.copy()
        game.rules.imagine(world, 0, rng)
        seen[world.hand[1]] = seen.get(world.hand[1], 0) + 1
    assert len(seen) == 21  # two of the seven cards that seat 0 has not seen
    assert sum((n - 400) ** 2 / 400 for n in seen.values()) < 52.4


def test_silencio_imagining_is_uniform() -> None:
    """S24: each unknown card is as likely in a hand as its share says."""
    game = game_named("silencio")
    match = Match(game, 2, seed=5)
    k = match.know(0)
    rng = [1, 2, 3, 4]
    counts = dict.fromkeys(range(48), 0)
    for _ in range(4_000):
        world = k.copy()
        game.rules.imagine(world, 0, rng)
        for card in range(48):
            counts[card] += world.hand[1] >> card & 1
    unseen = [c for c in range(48) if k.pool >> c & 1]
    assert len(unseen) == 28 - 6 - 2
    expected = 4_000 * 6 / len(unseen)
    assert sum((counts[c] - expected) ** 2 / (expected * (1 - 6 / len(unseen))) for c in unseen) < 55


# ------------------------------------------------------------------ what seats share
SHARED = {  # the fields of a view that are the same for everybody
    "silencio": "seats top phase due active starter decider effect large_lit oracle deck gone drawn pending passes "
    "tavern result",
    "silver-and-gold": "seats phase due round turn rounds turns starter active shape display deck palm_worth trophies "
    "takes pending result",
    "zombie-city": "seats expert phase due active stage cause city final deck discard shelters row targets dead lost "
    "turns last_turn pending result",
    "silent-planet": "seats phase due outlook happened turn first round rounds pointing settled team team_kind "
    "team_size past teams needed spare spare_words out signals signal_limit result",
}


@pytest.mark.parametrize("name", SHARED)
def test_what_seats_share_is_equal_from_the_knowledge_of_each(name: str) -> None:
    rng = random.Random(name)
    match = Match(name, 3, seed=5)
    while not match.over:
        views = [match.see(seat).view for seat in (None, 0, 1, 2)]
        for field in SHARED[name].split():
            first, *others = [getattr(view, field) for view in views]
            assert all(other == first for other in others), field
        seat = rng.choice(sorted(match.due))
        match.play(seat, rng.choice(match.legal(seat)))


@pytest.mark.parametrize("name", SHARED)
def test_what_is_cached_depends_on_values_and_never_on_a_state(name: str) -> None:
    """So a part of one seat's view can come to another seat only if it is equal to what that seat's knowledge gives."""
    package = f"tacit.games.{name.replace('-', '_')}"
    found = 0
    for file in ("board", "knowledge", "notation", "rules", "words", "view"):
        for cached in vars(import_module(f"{package}.{file}")).values():
            if hasattr(cached, "cache_parameters") and cached.__module__.startswith(package):
                found += 1
                for kind in [kind for name, kind in cached.__annotations__.items() if name != "return"]:
                    assert set(re.findall(r"\w+", kind)) <= {"int", "str", "bool", "None", "tuple"}, cached
    assert found
