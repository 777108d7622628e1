"""The clairvoyant solver: its lines are matches, its proofs hold against plain enumeration, its answers repeat."""

from __future__ import annotations

import dataclasses
import doctest
import os
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from tacit import Match
from tacit.analysis import Answer, Draws, Future, Solver, beam, future, replay, solve, solver
from tacit.analysis.best_of_deal import Found, Question, best_of_deal
from tacit.core.chance import FRESH, Paired, Seeded, below, stream
from tacit.core.game import Game
from tacit.core.keyed_chance import DealChance, draws, named_deal_key
from tacit.core.random_play import CHANCE
from tacit.core.registry import game_named
from tacit.core.rulekit import rule

GAMES = [("silencio", 2), ("silencio", 3), ("silent-planet", 2), ("silent-planet", 3)]
LONG = "TACIT_LONG" in os.environ
FEW = 2_500 if LONG else 1_500  # positions that plain enumeration may look at
MATCHES = 8 if LONG else 6


class TooMany(Exception):
    """A position has too many lines to enumerate them in Python."""


def essence(game: Game, state: Any) -> Any:
    """A state without the memory of what was turned up when, which Silent Planet keeps for its views."""
    if game.name == "silent-planet":
        state = state.copy()
        state.turned = state.ended = state.completed = state.settled = 0
        for seat in range(state.seats):
            state.history[seat] = 0
    return state.key()


def enumerate_lines(game: Game, state: Any, draws: Draws) -> int:
    """The best score of all lines from a state: every decision of every due seat, by the interpreted rules alone."""
    known: dict[Any, int] = {}

    def best(state: Any, used: int) -> int:
        state, source = state.copy(), Draws(draws.future, used)
        while game.rules.due(state) == CHANCE:
            game.rules.step(state, CHANCE, source.draw(game.chance(state), game.rules.pool(state)))
        key = (essence(game, state), source.used)
        if key not in known:
            if len(known) == FEW:
                raise TooMany
            known[key] = -99
            due = game.rules.due(state)
            if due == 0:
                out = [0] * state.seats
                game.rules.score(state, out)
                known[key] = out[0]
            for seat in range(state.seats):
                for action in game.legal(state, seat) if due >> seat & 1 else ():
                    after = state.copy()
                    game.rules.step(after, seat, action)
                    known[key] = max(known[key], best(after, source.used))
        return known[key]

    return best(state, draws.used)


def random_match(game: Game, seats: int, number: int, options: dict[str, Any] | None = None) -> list[Match]:
    """Every moment of a match of random play under paired chance at which a seat is due."""
    match, rng = Match(game, seats, options, chance=Paired(number)), stream(f"test {number}")
    moments = []
    while not match.over:
        moments.append(match.copy())
        seat = sorted(match.due)[below(rng, len(match.due))]
        legal = match.legal(seat)
        match.play(seat, legal[below(rng, len(legal))])
    return moments


def late_moments(game: Game, seats: int, number: int) -> Iterator[tuple[Match, int]]:
    """The last moments of a random match, and what enumeration says of each."""
    chance = Future.paired(number, game, seats)
    for moment in reversed(random_match(game, seats, number)):
        try:
            yield moment, enumerate_lines(game, moment.state, Draws(chance, chance.used(moment)))
        except TooMany:
            return


def check_line(match: Match, chance: Future, answer: Answer) -> None:
    """An answer's line is a match that chance allows and that ends with the score it promises."""
    source = Draws(chance, chance.used(match))
    state = match.state.copy()
    for who, action in answer.line:
        if who == CHANCE:
            assert source.draw(match.game.chance(state), match.game.rules.pool(state)) == action
        match.game.rules.step(state, who, action)
    end = replay(match, answer)
    assert end.over
    out = [0] * match.seats
    end.game.rules.score(end.state, out)
    assert out[0] == answer.best
    assert Match.load(str(end)).result == end.result


@pytest.mark.parametrize(("name", "seats"), GAMES)
def test_answers_agree_with_enumeration(name: str, seats: int) -> None:
    """Late moments, also within a turn: exhausted by the solver, and enumerated by the interpreted rules."""
    game = game_named(name)
    clairvoyant = Solver(game, seats)
    moments = impossible = 0
    for number in range(MATCHES):
        for moment, truth in late_moments(game, seats, number):
            chance = Future.paired(number, game, seats)
            answer = clairvoyant.solve(moment.state, chance, used=chance.used(moment))
            assert answer.best == truth
            assert answer.status == ("proved" if truth == clairvoyant.goal else "impossible")
            check_line(moment, chance, answer)
            moments += 1
            impossible += answer.status == "impossible"
    assert moments > (15 if LONG else 5)
    assert impossible > (10 if LONG else 5)


@rule
def often_the_same(words: Any, place: int, used: int) -> int:
    """Eleven bits for a position: different positions often have the same key."""
    key = used
    for i in range(words.shape[1]):
        key = (31 * key + words[place, i] % 1_000_003) % 1_000_003
    return key & 2047


def test_a_game_that_tells_the_solver_nothing_is_solved_by_its_score(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a game's hooks; and with keys that are no help, for no proof may depend on luck with hashes."""
    monkeypatch.setattr(solver, "_drivers", lambda game: [beam])
    monkeypatch.setattr(beam, "hashed", often_the_same)
    game = game_named("silencio")
    clairvoyant = Solver(game, 2)
    for number in range(MATCHES):
        for moment, truth in late_moments(game, 2, number):
            chance = Future.paired(number, game, 2)
            answer = clairvoyant.solve(moment.state, chance, used=chance.used(moment))
            assert (answer.best, answer.exact) == (truth, True)


@pytest.mark.parametrize("options", [{}, {"tavern": True}, {"unlit": "all"}])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_deals_of_silencio_can_be_perfect(seats: int, options: dict[str, Any]) -> None:
    game = game_named("silencio")
    clairvoyant = Solver(game, seats, options)
    proved = 0
    for number in range(6):
        answer = clairvoyant.deal(number, budget=1_000_000)
        proved += answer.status == "proved"
        check_line(Match(game, seats, options, settle=False), Future.paired(number, game, seats, options), answer)
    assert proved >= (3 if options.get("unlit") else 5)


def test_the_line_of_a_deal_is_met_by_paired_chance() -> None:
    """What the solver calls a deal is what the arena's line-ups meet."""
    game = game_named("silencio")
    answer = Solver(game, 2).deal(7)
    match = Match(game, 2, chance=Paired(7))
    for who, action in answer.line:
        if who != CHANCE:
            match.play(who, game.rules.show(match.state, who, action))
    assert list(match.steps) == list(answer.line)
    assert match.result == {"left": 0, "verdict": "perfect", "reason": "empty"}


def test_the_best_line_of_a_deal_can_be_played_on_it() -> None:
    """Chance that follows from a key: the line needs no draw from a hand, and leads where it says at a real table."""
    game = game_named("silencio")
    clairvoyant = Solver(game, 3)
    for name in ("one", "two"):
        key = named_deal_key(name, game.name)
        chance = DealChance(key)
        answer = clairvoyant.solve(Match(game, 3, chance=chance).state, Future.dealt(chance))
        match = Match(game, 3, chance=DealChance(key))
        for who, action in answer.line:
            if who != CHANCE:
                match.play(who, game.rules.show(match.state, who, action))
        assert match.over
        assert match.result["left"] == -(answer.best or 0)  # type: ignore[index]
        assert FRESH not in {draw.pool for draw in draws(match)}
        question = Question(
            game=game.name, module=game.module.__name__, seats=3, options=match.options,
            rules_version=match.rules_version, key=key.hex(),
        )  # fmt: skip
        assert best_of_deal(question) == Found(answer.best, answer.exact)
        again = msgspec.structs.replace(question, key="00" * 32, beginning=str(match))  # a challenge made of this match
        assert best_of_deal(again).score == answer.best


def test_where_draws_from_no_pool_are_not_known_nothing_is_impossible() -> None:
    """The last moments of a match: what enumeration finds is either found, or left open."""
    game = game_named("silencio")
    clairvoyant = Solver(game, 2)
    for number in range(2):
        for moment, truth in late_moments(game, 2, number):
            blind = dataclasses.replace(Future.paired(number, game, 2), words=None)
            answer = clairvoyant.solve(moment.state, blind)
            assert answer.best == truth if answer.exact else (answer.best or -99) <= truth


def test_a_game_of_rivals_has_no_best_line_for_all() -> None:
    game = game_named("zombie-city")
    question = Question(
        game=game.name, module=game.module.__name__, seats=3, options={}, rules_version=2, key="00" * 32
    )
    assert best_of_deal(question) == Found(None, False)


def test_a_record_tells_its_own_future() -> None:
    """Chance made of a record draws what the record says, for every source of chance."""
    for name, seats in GAMES:
        game = game_named(name)
        for number in range(5):
            match, rng = Match(game, seats, chance=Seeded(number)), stream(f"{number}")
            while not match.over:
                seat = min(match.due)
                legal = match.legal(seat)
                match.play(seat, legal[below(rng, len(legal))])
            chance = Future.of(match)
            assert chance.used(match) == len(chance.words or ())
            again = Match(game, seats, chance=Draws(chance))
            for who, action in match.steps:
                if who != CHANCE:
                    again.play(who, game.rules.show(again.state, who, action))
            assert again.lines == match.lines


def test_a_match_that_met_another_chance_is_refused() -> None:
    with pytest.raises(ValueError, match="Step 1 of this match is not what this future draws"):
        solve(Match("silencio", 2, chance=Paired(3)), Future.paired(4, game_named("silencio"), 2))


def test_a_match_that_is_over_is_its_own_answer() -> None:
    last = random_match(game_named("silencio"), 2, 0)[-1]
    last.play(min(last.due), last.legal(min(last.due))[0])
    answer = solve(last)
    assert answer == Answer("impossible", -last.result["left"], (), 0)  # type: ignore[index]


def test_a_small_budget_is_admitted_and_never_lies() -> None:
    game = game_named("silencio")
    clairvoyant = Solver(game, 3)
    answers = [clairvoyant.deal(5, budget=budget) for budget in (1, 10, 1_000, 10_000, 100_000)]
    assert answers[0] == Answer("unknown", None, (), 1)
    for answer in answers:
        if answer.best is not None:
            check_line(Match(game, 3, settle=False), Future.paired(5, game, 3), answer)
        assert (answer.best == 0) == (answer.status == "proved")
        assert answer.status != "impossible"
    found = [-99 if answer.best is None else answer.best for answer in answers]
    assert found == sorted(found)


def test_the_same_question_has_the_same_answer() -> None:
    game = game_named("silencio")
    used, fresh = Solver(game, 3), Solver(game, 3)
    for number in (1, 2, 3):
        used.deal(number)
    assert used.deal(4, budget=50_000) == fresh.deal(4, budget=50_000)


def test_where_there_is_no_answer_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match="In Silenz: Zombie City the seats play against each other"):
        solve(Match("zombie-city", 3, seed=1))
    clairvoyant = Solver(game_named("silencio"), 2)
    none = clairvoyant._orders(Future.paired(1, clairvoyant.game, 2))[:0]
    monkeypatch.setattr(clairvoyant, "_orders", lambda chance: none)
    with pytest.raises(ValueError, match="its decks are renewed"):
        clairvoyant.deal(1)


def test_the_examples_in_the_docstrings_are_true() -> None:
    for module in (solver, future):
        assert doctest.testmod(module).failed == 0
    assert doctest.testmod(solver).attempted > 3
