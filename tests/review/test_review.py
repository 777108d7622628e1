"""The review: luck and decisions add up, it uses what seats knew alone, and it is the same each time."""

from __future__ import annotations

import io
import json
import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from click.testing import CliRunner
from rich.console import Console

from tacit import game_named, game_names, render, review
from tacit.cli import main
from tacit.core.chance import stream
from tacit.core.game import Game
from tacit.core.laws import random_match
from tacit.core.match import Match
from tacit.core.messages import Message, seat_words
from tacit.core.random_play import CHANCE
from tacit.review import CannotReview, accounts, engine, review_steps, values
from tacit.review.drawing import drawn
from tacit.review.judging import Judged, compare, judge, screen
from tacit.review.model import Interval, KeyMoment, Review
from tacit.review.moments import Moments
from tacit.review.timeline import changes, match_at
from tacit.review.values import Measure, Valuer

BUDGET = 0.001  # the least that there is
SEATS = {"silencio": 2, "silver-and-gold": 2, "zombie-city": 2, "silent-planet": 2, "toy": 3}


def imagined(game: Game, at: Any, seat: int, times: int) -> list[Any]:
    """Worlds that agree with what a seat knows."""
    worlds = [game.know(at.state, seat) for _ in range(times)]
    for number, world in enumerate(worlds):
        game.rules.imagine(world, seat, stream(str(number)))
    return worlds


class Dealt:
    """In place of playouts: scores that follow from where they are asked for. Plays nothing, so it is quick."""

    def __init__(self, game: Game, seats: int, style: str) -> None:
        self.game, self.seats, self.cost = game, seats, 1.0

    def _scores(self, at: Any, shape: tuple[int, ...], key: str) -> Any:
        rng = np.random.Generator(np.random.PCG64([at.steps, *key.encode()]))
        together = rng.integers(-9, 1, shape)
        return together.repeat(self.seats, -1) if self.game.cooperative else rng.integers(0, 9, (*shape, self.seats))

    def here(self, at: Any, times: int, key: str, first: int = 0) -> Any:
        return self._scores(at, (times, 1) if self.game.cooperative else (times,), f"{key} {first}")

    def moves(self, at: Any, seat: int, moves: list[int], times: int, key: str, first: int = 0) -> Any:
        shape = (times, len(moves), 1) if self.game.cooperative else (times, len(moves))
        return self._scores(at, shape, f"{key} {first}")

    def worlds(self, at: Any, seat: int, times: int, key: str) -> list[Any]:
        return imagined(self.game, at, seat, times)

    def decision(self, at: Any, seat: int) -> int:
        return self.game.legal(at.state, seat)[-1]


@pytest.fixture(autouse=True)
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Playouts by `random`, interpreted, and few of them: nothing here needs a compiler."""
    for module in (engine, values):
        monkeypatch.setattr(module, "styles_of", lambda game: ["random"], raising=False)
    monkeypatch.setattr(engine, "Valuer", lambda game, seats, style: Valuer(game, seats, style, "py"))
    monkeypatch.setattr(engine, "LEAST", 2)
    monkeypatch.setattr(engine, "clairvoyance", lambda match: None)


def short_match(name: str) -> Match:
    """A random match; of a long game one that was soon over."""
    matches: list[Match] = [random_match(game_named(name), SEATS[name], None, seed) for seed in range(6)]
    return min(matches, key=lambda match: len(match.steps))


def whole(match: Match, seed: int = 0) -> Review:
    return review(match, budget=BUDGET, seed=seed)


# ------------------------------------------------------------------ what it says
@pytest.mark.parametrize("name", game_names())
def test_luck_and_decisions_add_up_to_what_happened(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """At every point of the curve, and in every account; and it can be said and drawn in every language."""
    match = short_match(name)
    if name != "toy":
        monkeypatch.setattr(engine, "Valuer", Dealt)
    parts = list(review_steps(match, budget=BUDGET))
    made = parts[-1]
    assert [part.progress for part in parts] == sorted(part.progress for part in parts)
    assert (made.stage, made.progress) == ("done", 1.0)
    sides = 1 if match.game.cooperative else match.seats
    for side in range(sides):
        for before, after in pairwise(made.curve):
            moved = after.value[side].value - before.value[side].value
            shares = after.luck[side] + after.decisions[side] + after.conventions[side]
            assert moved == pytest.approx(shares, abs=2e-3)
        mine = [account for account in made.accounts if match.game.cooperative or account.seat == side]
        happened = made.curve[-1].value[side].value - made.curve[0].value[side].value
        shares = sum(account.decided.value + account.others.value for account in mine)
        shares += mine[0].luck.value + mine[0].conventions.value
        assert happened == pytest.approx(shares, abs=2e-3 * len(made.curve))
    assert len(made.moments) <= 7
    assert sum(account.decisions for account in made.accounts) == sum(point.seat is not None for point in made.curve)
    names = ["Ada", "Ben", "Cleo"][: match.seats]
    Console(file=io.StringIO()).print(drawn(made, names))
    told = ((moment.made_words, *moment.reasons, *moment.unknown) for moment in made.moments)
    sentences = [*made.summary, *(message for messages in told for message in messages)]
    for language in ("en", "de", "nl"):
        for sentence in sentences:
            said = render(sentence, language, names)
            assert "{" not in said
            assert made.unit != "chance" or all(int(n) <= 100 for n in re.findall(r"(\d+) %", said)), said
    text = msgspec.json.encode(made)
    assert msgspec.json.encode(msgspec.json.decode(text, type=Review)) == text


@pytest.mark.parametrize(
    ("name", "amount", "said"),
    [
        ("zombie-city", Interval(-0.4, -0.5, -0.3), ["cost 40 %", "kostet 40 %", "kost 40 %"]),
        (
            "silver-and-gold",
            Interval(1.5, 0.5, 2.5),
            ["brought 1.5 points", "bringt 1,5 Punkte", "levert 1,5 punten op"],
        ),
        ("silencio", Interval(2.0, 0.5, 3.5), ["saved 2 cards", "spart 2 Karten", "scheelt 2 kaarten"]),
        ("silencio", Interval(-1.2, -2.8, 0.4), ["made no clear difference"]),
    ],
)
def test_a_sum_is_told_in_the_language_unless_it_is_noise(name: str, amount: Interval, said: list[str]) -> None:
    made = engine.Reviewer(short_match(name), BUDGET, 0)
    told = [render(accounts.change(made, amount), language) for language in ("en", "de", "nl")]
    assert told[: len(said)] == said


@pytest.mark.parametrize(
    ("changed", "net"),
    [
        ([1.37, -2.30], [0.07, -1.0]),  # chances were lost, won back and lost again
        ([1.2, 0.8, -1.0, -1.5], [0.3, 0.2, -0.4, -0.6]),
        ([2.3, -1.8], [1.0, -0.5]),
        ([0.4, -0.9], [0.4, -0.9]),
        ([0.0, 0.0], [0.0, 0.0]),
    ],
)
def test_gains_and_losses_of_a_chance_come_to_no_more_than_all_of_it(changed: list[float], net: list[float]) -> None:
    found = accounts.netted([(value, 0.1) for value in changed])
    assert [value for value, _ in found] == pytest.approx(net)
    assert all(error <= 0.1 for _, error in found)


def test_sums_of_a_match_in_which_chances_came_and_went_make_sense() -> None:
    """Every decision of one seat wins all, as it seems, and luck takes it away: no share is more than everything."""
    made = engine.Reviewer(short_match("silent-planet"), BUDGET, 0)
    made.valued = [values.Valued(made.measure, np.full((8, 2), 2 * (i == 0), np.int64)) for i in range(2)]
    one = next(change for change in made.changes if change.seat == 1)
    made.judged = {i: Judged(one, 0, 1, (), np.ones(1), np.full(1, 0.1), Interval(0.0, 0.0, 0.0)) for i in range(3)}
    account = accounts.accounts(made)[1]
    assert (account.decided.value, account.luck.value) == (0, -1)
    made.valued.reverse()
    account = accounts.accounts(made)[1]
    assert (account.decided.value, account.luck.value) == (1, 0)
    assert render(accounts.summary(made)[0]) == (
        "From a chance of 0 % to a chance of 100 %: luck made no clear difference, decisions brought 100 %."
    )


def test_the_same_record_budget_and_seed_give_the_same_review() -> None:
    match = short_match("toy")
    again = Match.load(str(match))
    assert whole(match) == whole(again)
    assert whole(match) != whole(match, seed=1)


@pytest.mark.parametrize("name", game_names())
def test_every_step_lies_in_one_change(name: str) -> None:
    match = short_match(name)
    found = changes(match)
    assert found[0].before.steps == 0
    assert found[-1].after.steps == len(match.steps)
    assert found[-1].after.state == match.state
    for before, after in pairwise(found):
        assert before.after.state == after.before.state
    for change in found:
        if change.seat is not None:
            assert (change.seat, change.action) == match.steps[change.at.steps]
            assert change.action in change.legal
            assert len(change.legal) > 1
        else:
            assert any(who == CHANCE for who, _ in match.steps[change.before.steps : change.after.steps])


def test_a_match_that_is_not_over_is_refused(tmp_path: Path) -> None:
    match = Match("silencio", 2, seed=1)
    with pytest.raises(CannotReview, match="over"):
        review(match)
    with pytest.raises(CannotReview):
        review_steps(match)
    (tmp_path / "match.tacit").write_text(str(match))
    result = CliRunner().invoke(main, ["review", str(tmp_path / "match.tacit")])
    assert result.exit_code == 1
    assert "Only a match that is over" in result.output


def test_the_command_draws_it_and_prints_json(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    match = short_match("toy")
    path = tmp_path / "match.tacit"
    path.write_text(str(match))
    monkeypatch.setattr(engine, "Valuer", Dealt)
    result = CliRunner().invoke(main, ["review", str(path), "--budget", "0.05"])
    assert result.exit_code == 0, result.output
    assert "luck" in result.output
    result = CliRunner().invoke(main, ["review", str(path), "--budget", "0.05", "--json"])
    found = json.loads(result.output[result.output.index("{") :])
    assert found["game"] == "toy"
    assert found["stage"] == "done"


# ------------------------------------------------------------------ what it judges by
@pytest.mark.parametrize("name", ["silencio", "toy"])
def test_a_decision_is_judged_by_what_its_seat_knew_alone(name: str) -> None:
    """In a world that its seat could not tell from the truth, every figure of the judgement is the same."""
    match = short_match(name)
    decided = [change for change in changes(match) if change.seat is not None]
    change = decided[len(decided) // 2]
    valuer, measure = Valuer(match.game, match.seats, "random", "py"), Measure(match.game, match.seats)
    seat = change.seat or 0
    other = match.game.know(change.at.state, seat)
    match.game.rules.imagine(other, seat, [1, 2, 3, 4])
    elsewhere = elsewhere_of(change, other)
    one, two = (judged(valuer, measure, c, 8, 4) for c in (change, elsewhere))
    assert (one.policy, one.best, one.others, one.loss) == (two.policy, two.best, two.others, two.loss)
    assert (one.shift == two.shift).all()


def judged(valuer: Any, measure: Measure, change: Any, screened: int, times: int) -> Judged:
    """A decision, judged by so many playouts."""
    one = screen(valuer, measure, change, screened, "law")
    return judge(measure, one, compare(valuer, measure, one, times, "law"))


def elsewhere_of(change: Any, state: Any) -> Any:
    """The same decision in another state; others heard other things, which must not matter."""
    heard = [events if q == change.seat else events[:0] for q, events in enumerate(change.at.heard)]
    return replace(change, at=replace(change.at, state=state, heard=heard))


class Fixed:
    """A style in which the first decision that is compared with the made one is worth so much more."""

    def __init__(self, more: int) -> None:
        self.more, self.cost = more, 1.0

    def moves(self, at: Any, seat: int, moves: list[int], times: int, key: str, first: int = 0) -> Any:
        scores = np.zeros((times, len(moves), 2), np.int64)
        scores[:, 1] = self.more
        scores[:, :, :] += np.arange(times)[:, None, None] % 3  # worlds differ, the decisions in each do not
        return scores

    def here(self, at: Any, times: int, key: str, first: int = 0) -> Any:
        return np.zeros((times, 2), np.int64)

    def worlds(self, at: Any, seat: int, times: int, key: str) -> list[Any]:
        return imagined(game_named("silencio"), at, seat, times)

    def decision(self, at: Any, seat: int) -> int:
        return min(game_named("silencio").legal(at.state, seat))


@pytest.mark.parametrize(
    ("worth", "kind", "shared"),
    [
        ((1, 1), "slip", []),
        ((1, -1), "convention", ["steady"]),
        ((-1, 1), "convention", ["learned"]),
        ((0, 0), None, []),
    ],
)
def test_a_slip_costs_in_every_style_and_else_it_is_a_convention(
    worth: tuple[int, int], kind: str | None, shared: list[str]
) -> None:
    match = short_match("silencio")
    made = engine.Reviewer(match, BUDGET, 0)
    made.styles = ["steady", "learned"]
    made.valuers = {"steady": Fixed(worth[0]), "learned": Fixed(worth[1])}  # type: ignore[dict-item]
    change = next(change for change in made.changes if change.seat is not None)
    best = next(action for action in change.legal if action != change.action)
    zero = np.zeros(1)
    made.valued = [values.Valued(made.measure, np.zeros((8, 2), np.int64))] * (len(made.changes) + 1)
    one = Judged(change, change.action, best, (), zero, zero, Interval(1.0, 0.5, 1.5))
    moment = Moments(made)._decision(one, 1)
    if kind is None:
        assert moment is None
        return
    assert moment is not None
    assert (moment.kind, moment.shared_by, moment.amount.value) == (kind, shared, -1)
    assert moment.better == match.game.rules.show(change.at.state, change.seat or 0, best)
    assert moment.options[0].text == moment.better  # the figures are of a style in which it is better
    made.judged = {0: replace(one, shift=zero - 1)}
    for _, shown in Moments(made).find():
        assert [m.kind for m in shown] == [kind] * len(shown)
    assert made.judged[0].shift.tolist() == [0 if kind == "convention" else -1]  # what is shared is no loss
    assert made.shared == ({0} if kind == "convention" else set())
    assert any("convention" in render(reason) for reason in moment.reasons) == (kind == "convention")


def test_what_a_convention_changed_is_neither_luck_nor_a_decision(monkeypatch: pytest.MonkeyPatch) -> None:
    """The curve falls by 3 at the decision and rises by 2 later on: the fall is the convention's, the rise is luck."""
    made = engine.Reviewer(short_match("silencio"), BUDGET, 0)
    number = next(i for i, change in enumerate(made.changes) if change.seat is not None)
    monkeypatch.setattr(made, "value_more", lambda number, at: None)
    points = [-1] * (number + 1) + [-4] + [-2] * (len(made.changes) - number - 1)
    made.valued = [values.Valued(made.measure, np.full((8, 2), value, np.int64)) for value in points]
    none = np.zeros(1)
    one = Judged(made.changes[number], 0, 1, (), none - 3, none, Interval(3.0, 2.5, 3.5))
    made.judged = {number: one}
    before = accounts.accounts(made)[made.changes[number].seat or 0]
    assert (before.decided.value, before.luck.value, before.conventions.value) == (-3, 2, 0)
    assert render(accounts.summary(made)[0]) == (
        "From 1 card left to 2 cards left: luck saved 2 cards, decisions cost 3 cards."
    )
    made.excuse(one)
    account = accounts.accounts(made)[0]
    assert (account.decided.value, account.luck.value, account.conventions.value) == (0, 2, -3)
    point = made.curve()[number + 1]
    assert (point.luck, point.decisions, point.conventions) == ([0], [0], [-3])
    assert render(accounts.summary(made)[0]) == (
        "From 1 card left to 2 cards left: luck saved 2 cards, decisions made no clear difference, "
        "conventions cost 3 cards."
    )


def test_the_curve_is_of_the_style_that_decides_as_the_seats_did(monkeypatch: pytest.MonkeyPatch) -> None:
    made = engine.Reviewer(short_match("silencio"), BUDGET, 0)
    monkeypatch.setattr(engine, "cost_of", lambda game, style: 50.0 if style == "slow" else 1.0)
    played = {change.at.steps: change.action for change in made.changes}

    class Alike(Fixed):
        def decision(self, at: Any, seat: int) -> int:
            return played[at.steps]

    made.styles = ["usual", "coded", "slow"]
    made.valuers = {"usual": Fixed(0), "coded": Alike(0)}  # type: ignore[dict-item]
    made._choose_style()
    assert made.styles == ["coded", "usual", "slow"]


# ------------------------------------------------------------------ what a seat could not know
def hidden_card(made: engine.Reviewer) -> tuple[Any, str, str]:
    """A decision at which a card is in another's hand, unknown to the seat; the place, and the card."""
    rules = made.game.rules
    assert rules.hidden is not None
    for change in made.changes:
        if change.seat is not None:
            for place, cards in rules.hidden(change.at.state, made.game.know(change.at.state, change.seat)).items():
                if place.startswith("hand") and 1 < len(cards) < 6:
                    return change, place, cards[0]
    raise LookupError


@pytest.mark.parametrize("gain", [4, -4, 0])
def test_what_a_seat_could_not_know_is_told_where_it_mattered(gain: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The better decision brings more, or less, in the worlds in which another seat holds a certain card."""
    made = engine.Reviewer(short_match("silencio"), BUDGET, 0)
    monkeypatch.setattr(made, "playouts", lambda *_: 120)
    change, place, card = hidden_card(made)
    rules: Any = made.game.rules

    class Hidden(Fixed):
        def moves(self, at: Any, seat: int, moves: list[int], times: int, key: str, first: int = 0) -> Any:
            k = made.game.know(at.state, seat)
            scores = super().moves(at, seat, moves, times, key)
            for number, world in enumerate(self.worlds(at, seat, times, key)):
                scores[number, 1] += gain if card in rules.hidden(world, k)[place] else 0
            return scores

    made.styles = ["steady"]
    made.valuers = {"steady": Hidden(5)}  # type: ignore[dict-item]
    made.valued = [values.Valued(made.measure, np.zeros((8, 2), np.int64))] * (len(made.changes) + 1)
    zero = np.zeros(1)
    best = next(action for action in change.legal if action != change.action)
    one = Judged(change, change.action, best, (), zero, zero, Interval(1.0, 0.5, 1.5))
    found = Moments(made)._decision(one, 1)
    assert found is not None
    said = [message for message in found.unknown if message.code != "review.unknown.next"]
    if gain == 0:
        assert all(message.code == "review.unknown.nothing" for message in said)
        return
    assert [message.code for message in said] == [f"review.unknown.{'more' if gain > 0 else 'less'}"]
    assert said[0].params["what"].params["card"] == rules.card_words(card)

    # In a world that the seat could not tell from the truth, all but the open truth is the same.
    other = made.game.know(change.at.state, change.seat)
    rules.imagine(other, change.seat, [1, 2, 3, 4])
    elsewhere = Moments(made)._decision(replace(one, change=elsewhere_of(change, other)), 1)
    assert elsewhere is not None
    closed = [msgspec.structs.replace(moment, truth=None, unknown=[]) for moment in (found, elsewhere)]
    assert msgspec.json.encode(closed[0]) == msgspec.json.encode(closed[1])


def test_a_lucky_find_is_not_the_best_unless_it_proves_better_than_the_policy() -> None:
    """In the worlds that look for it another decision seems best; in fresh ones it is no better."""
    match = short_match("silencio")
    change = next(change for change in changes(match) if change.seat is not None and len(change.legal) > 2)

    class Lucky(Fixed):
        def decision(self, at: Any, seat: int) -> int:
            return change.action

        def moves(self, at: Any, seat: int, moves: list[int], times: int, key: str, first: int = 0) -> Any:
            screening = "screen" in key
            scores = np.zeros((times, len(moves), 2), np.int64)
            scores[:, [i for i, action in enumerate(moves) if action != change.action]] = self.more if screening else 0
            return scores

    lucky: Any = Lucky(1)
    measure = Measure(match.game, match.seats)
    found = judged(lucky, measure, change, 40, 8)
    assert found.best == change.action
    assert found.loss.value == 0


def test_conventions_leave_room_for_slips() -> None:
    made = engine.Reviewer(short_match("silencio"), BUDGET, 0)
    said = Message("review.none")

    def moment(kind: Any, steps: int, value: float) -> KeyMoment:
        amount = Interval(value, value, value)
        return KeyMoment(kind=kind, steps=steps, line=steps, seat=0, amount=amount, made="", made_words=said)

    found = [*(moment("convention", i, -9) for i in range(6)), *(moment("slip", 10 + i, -1) for i in range(3))]
    kinds = [one.kind for one in Moments(made)._largest(found)]
    assert kinds == ["convention"] * 3 + ["slip"] * 3


@pytest.mark.parametrize("name", [name for name in game_names() if game_named(name).rules.why])
def test_a_game_can_tell_any_two_decisions_apart_or_says_nothing(name: str) -> None:
    """Reviews ask it about every decision of a match; what it says can be said in every language."""
    game = game_named(name)
    told = 0
    match = short_match(name)
    for change in changes(match)[:60]:
        if change.seat is None:
            continue
        then = match_at(match, change.at.line)
        for action in change.legal[:8]:
            text = game.rules.show(then.know(change.seat), change.seat, action)
            said = then.why(change.seat, text, change.text)
            if said is not None:
                hint = Message("review.reason.hint", {"seat": seat_words(change.seat), "said": said})
                assert all("{" not in render(hint, language) for language in ("en", "de", "nl"))
                told += 1
    assert told
