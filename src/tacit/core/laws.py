"""The laws every game keeps, for anyone who writes one: `check(game, seats, options, matches=20)`.

Each law is a function that raises LawBroken with what it found. `check` plays random matches interpreted and holds
every law along the way; `check_compiled` plays many more at compiled speed; `check_backends` compares the two step by
step.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from tacit.core import driver
from tacit.core.bits import marked, marks, members
from tacit.core.chance import RNG_WORDS, Paired, Seeded, below, pick, stream
from tacit.core.driver import CHANCE, NOBODY
from tacit.core.errors import IllegalDecision
from tacit.core.game import Game, OptionValue
from tacit.core.match import PREVIEW_WORLDS, Match
from tacit.core.messages import render


class LawBroken(AssertionError):
    """A game broke a law: the law's name, what was found, and the record up to there."""

    def __init__(self, law: str, found: object, match: Match | None = None) -> None:
        super().__init__(f"{law}: {found}" + (f"\n{match}" if match is not None else ""))
        self.law = law


def check(
    game: Game, seats: int, options: Mapping[str, OptionValue] | None = None, *, matches: int = 20, seed: int = 0,
    thorough: float = 0.15,
) -> int:  # fmt: skip
    """Play random matches, interpreted, and hold every law; the number of decisions made.

    The costly laws are held at a share `thorough` of the steps.
    """
    vocabulary: set[str] = set()
    decisions = 0
    for number in range(seed, seed + matches):
        rng = random.Random(f"{game.name} {seats} {options} {number}")
        source = Paired(number) if number % 4 == 3 else Seeded(number)
        match = Match(game, seats, options, chance=source, settle=False)
        made = 0
        while not match.over:
            law_turns(match)
            law_cards(match)
            if rng.random() < thorough:
                law_chance(match, rng)
                law_knowledge(match, rng)
                law_decisions(match, vocabulary, rng)
                law_hearing(match, rng)
                law_sealed(match, rng)
                law_preview(match, rng)
                law_signals(match, rng)
            if game.signals and rng.random() < 0.3:
                _signal(match, rng)
            if not match.due:
                law_range(match)
                match._apply(CHANCE, source.draw(game.chance(match.state), game.rules.pool(match.state)))
                continue
            seat = rng.choice(sorted(match.due))
            texts = match.legal(seat)
            vocabulary.update(texts)
            match.play(seat, rng.choice(texts), settle=False)
            made += 1
            if made > game.max_decisions:
                raise LawBroken("every match ends within the bound", made, match)
        law_end(match)
        law_replay(match, rng)
        law_swapped(match, rng)
        decisions += made
    return decisions


def random_match(game: Game, seats: int, options: Mapping[str, OptionValue] | None, seed: int) -> Match:
    """A whole match of random decisions."""
    rng = random.Random(f"match {game.name} {seed}")
    match = Match(game, seats, options, seed=seed)
    while not match.over:
        seat = rng.choice(sorted(match.due))
        match.play(seat, rng.choice(match.legal(seat)))
    return match


# ------------------------------------------------------------------ play
def law_turns(match: Match) -> None:
    """Chance is due or seats are; every due seat has a decision and no other seat has one."""
    due = match.game.rules.due(match.state)
    if due != CHANCE and not 0 < due < 1 << match.seats:
        raise LawBroken("one of chance, seats, over", due, match)
    for seat in range(match.seats):
        if bool(match.game.legal(match.state, seat)) != (due != CHANCE and due >> seat & 1 == 1):
            raise LawBroken("every due seat has a decision, no other has", seat, match)
    if (due == CHANCE) != bool(match.chance()):
        raise LawBroken("chance has weights exactly when it is due", due, match)


def law_cards(match: Match) -> None:
    """Every card is in exactly one place."""
    found = match.game.rules.audit(match.state)
    if found:
        raise LawBroken("every card is in one place", found, match)


def law_range(match: Match) -> None:
    """Every value fits its field: interpreted a store out of range raises, compiled it would wrap."""
    record = np.zeros(1, match.game.dtype)
    match.state.store(record[0])
    if match.game.State().load(record[0]) != match.state:
        raise LawBroken("values fit their fields", match.state, match)


def law_chance(match: Match, rng: random.Random) -> None:
    """Weights are whole and not negative, their sum is what `chance` returns, and `roll` draws what they say."""
    game = match.game
    if game.rules.due(match.state) != CHANCE:
        return
    weights = [-1] * game.outcomes
    total = game.rules.chance(match.state, weights)
    if min(weights) < 0 or sum(weights) != total or total <= 0:
        raise LawBroken("weights add up", weights, match)
    roll = getattr(game.module, "roll", None)
    if roll is not None:
        key = str(rng.random())
        if roll(match.state, stream(key), [0] * game.outcomes) != pick(weights, below(stream(key), total)):
            raise LawBroken("roll draws as chance weighs", weights, match)
    texts = [game.rules.show(match.state, CHANCE, o) for o, w in enumerate(weights) if w]
    if len(set(texts)) != len(texts):
        raise LawBroken("outcomes have different texts", texts, match)


def law_decisions(match: Match, vocabulary: set[str], rng: random.Random) -> None:
    """A legal decision applies and is read as written; any other is refused with a sentence and changes nothing."""
    game = match.game
    before, lines = match.state.copy(), list(match.lines)
    for seat in range(match.seats):
        legal = game.legal(match.state, seat)
        texts = match.legal(seat)
        if len(set(texts)) != len(texts):
            raise LawBroken("one spelling for each decision", texts, match)
        for action, text in zip(legal, texts, strict=True):
            if game.rules.parse(match.state, seat, text) != action:
                raise LawBroken("parse(show(a)) == a", text, match)
            render(game.rules.offer(text))
        wrong = [t for t in rng.sample(sorted(vocabulary), min(len(vocabulary), 12)) if t not in texts]
        for text in [*wrong, "", "nonsense", *(t + " " for t in texts[:1])]:
            try:
                match.play(seat, text)
            except IllegalDecision as refusal:
                if not str(refusal).endswith("."):
                    raise LawBroken("a refusal is a sentence", str(refusal), match) from refusal
            else:
                raise LawBroken("what is not legal is refused", (seat, text), match)
            if match.state != before or match.lines != lines:
                raise LawBroken("a refusal changes nothing", (seat, text), match)
        if texts:
            other = match.copy()
            other.play(seat, rng.choice(texts), settle=False)
            if match.state != before:
                raise LawBroken("copies are independent", seat, match)
            try:
                match.play_all(seat, [rng.choice(texts), "nonsense"])
            except IllegalDecision:
                if match.state != before or match.lines != lines:
                    raise LawBroken("a run of decisions is all or nothing", seat, match) from None
            else:
                raise LawBroken("a run with an illegal decision is refused", seat, match)
    if "*" not in lines[-1:] and match.due:
        try:
            match.play("*", "nonsense")
        except IllegalDecision:
            pass
        else:
            raise LawBroken("chance acts only when it is due", lines[-1:], match)


def law_end(match: Match) -> None:
    """When it is over nobody decides, there is a result, and every seat has a score."""
    if match.due or match.chance() or any(match.legal(q) for q in range(match.seats)) or match.result is None:
        raise LawBroken("over is over", match.result, match)
    law_cards(match)
    law_range(match)
    scores = [1 << 40] * match.seats
    match.game.rules.score(match.state, scores)
    if max(scores) == 1 << 40:
        raise LawBroken("every seat has a score", scores, match)


def law_replay(match: Match, rng: random.Random) -> None:
    """The record is the match: whole, and cut off anywhere."""
    again = Match.load(str(match), deck=match.game.deck_text)
    if again.state != match.state or str(again) != str(match):
        raise LawBroken("replaying the record gives the same match", again, match)
    seat = rng.choice([None, *range(match.seats)])
    if again.see(seat) != match.see(seat):
        raise LawBroken("replaying the record, a seat sees and hears the same", seat, match)
    cut = str(match).splitlines()[: rng.randrange(5, 6 + len(match.lines))]
    if (
        Match.load("\n".join(cut), deck=match.game.deck_text).lines
        != match.lines[: len(cut) - (len(str(match).splitlines()) - len(match.lines) - 1)]
    ):
        raise LawBroken("a record cut short replays as far as it goes", cut, match)


# ------------------------------------------------------------------ secrets
def _watchers(match: Match) -> Iterator[int]:
    yield NOBODY
    yield from range(match.seats)


def law_knowledge(match: Match, rng: random.Random) -> None:
    """What goes out is computed from knowledge; imagining fills it with possibilities and nothing of the truth."""
    game, rules = match.game, match.game.rules
    for seat in _watchers(match):
        k = game.know(match.state, seat)
        if rules.view(k, seat) != rules.view(match.state, seat):
            raise LawBroken("the view needs only knowledge", seat, match)
        if seat != NOBODY:
            if game.legal(k, seat) != game.legal(match.state, seat):
                raise LawBroken("legal decisions need only knowledge", seat, match)
            if _observed(game, k, seat) != _observed(game, match.state, seat):
                raise LawBroken("the observation needs only knowledge", seat, match)
        if game.know(k, seat) != k:
            raise LawBroken("knowing what one knows is knowing it", seat, match)
        worlds = [_imagined(game, k, seat, f"{rng.random()}") for _ in range(2)]
        for world in worlds:
            if game.know(world, seat) != k:
                raise LawBroken("know(imagine(know(s))) == know(s)", seat, match)
            if rules.audit(world):
                raise LawBroken("an imagined state has every card in one place", (seat, rules.audit(world)), match)
            due = rules.due(world)
            if due != CHANCE and any(due >> q & 1 and not game.legal(world, q) for q in range(match.seats)):
                raise LawBroken("in an imagined state every due seat has a decision", seat, match)
        key = f"{rng.random()}"
        again = [_imagined(game, game.know(world, seat), seat, key) for world in (match.state, *worlds)]
        if any(world != again[0] for world in again):
            raise LawBroken("imagining keeps no trace of the truth", seat, match)


def law_hearing(match: Match, rng: random.Random) -> None:
    """What a seat hears of a step is settled by what it knows before and after: the same knowledge, the same lines."""
    game, rules = match.game, match.game.rules
    due = rules.due(match.state)
    for who in [CHANCE] if due == CHANCE else sorted(match.due):
        choices = (
            [o for o, w in enumerate(game.chance(match.state)) if w] if who == CHANCE else game.legal(match.state, who)
        )
        choices = rng.sample(choices, min(len(choices), 8))
        after = []
        for action in choices:
            state = match.state.copy()
            rules.step(state, who, action)
            after.append(state)
        for seat in _watchers(match):
            before = game.know(match.state, seat)
            heard: dict[Any, list[str]] = {}
            for action, state in zip(choices, after, strict=True):
                k = game.know(state, seat)
                lines = rules.hear(before, who, action, k)
                for line in lines:
                    render(rules.tell(line))
                first = heard.setdefault(k.key(), lines)
                if first != lines:
                    raise LawBroken("what is heard is what is known", (seat, first, lines), match)


def law_sealed(match: Match, rng: random.Random) -> None:
    """While a game says that choices are sealed, nobody else can see, count or tell apart what a seat decides."""
    game, rules = match.game, match.game.rules
    sealed = getattr(game.module, "sealed", None)
    if sealed is None or not sealed(match.state):
        return
    window = sealed(match.state)
    for seat in match.due:
        legal = game.legal(match.state, seat)
        after = []
        for action in rng.sample(legal, min(len(legal), 6)):
            state = match.state.copy()
            rules.step(state, seat, action)
            if sealed(state) == window and rules.due(state) != CHANCE:
                after.append(state)
        for watcher in _watchers(match):
            if watcher == seat:
                continue
            before, done = game.know(match.state, watcher), None
            for state in after:
                k = game.know(state, watcher)
                if rules.due(state) >> seat & 1:
                    if k != before:
                        raise LawBroken("nobody can count sealed choices", (seat, watcher), match)
                elif done is None:
                    done = k
                elif k != done:
                    raise LawBroken("nobody can see sealed choices", (seat, watcher), match)


def law_swapped(match: Match, rng: random.Random) -> None:
    """With two hidden cards exchanged, a seat that can see neither sees the same table until one comes out."""
    game = match.game
    seat = rng.choice(list(_watchers(match)))
    hidden = _hidden_steps(match, seat)
    if len(hidden) < 2:
        return
    first, second = sorted(rng.sample(hidden, 2))
    a, b = (match.lines[i].split(" ") for i in (first, second))
    swapped = list(match.lines)
    swapped[first], swapped[second] = " ".join([*a[:-1], b[-1]]), " ".join([*b[:-1], a[-1]])
    rename = {a[-1]: b[-1], b[-1]: a[-1]}
    truth, other = (Match(game, match.seats, match.options, settle=False, seed=0) for _ in range(2))
    for i, line in enumerate(match.lines):
        truth.replay(line)
        who, *words = line.split(" ")  # in some games a card has the same name as a seat
        renamed = " ".join([who, *(rename.get(word, word) for word in words)])
        if not any(_replays(other, text) for text in ([swapped[i]] if i in (first, second) else [line, renamed])):
            return
        watcher = None if seat == NOBODY else seat
        one, two = truth.see(watcher), other.see(watcher)
        if one.heard != two.heard:
            return
        if one != two or truth.know(watcher) != other.know(watcher):
            raise LawBroken("hidden cards exchanged look the same", (seat, line), truth)


def _hidden_steps(match: Match, seat: int) -> list[int]:
    """The lines of the chance steps of which a seat heard a `?`."""
    game, state = match.game, match.game.blank(match.seats, match.options)
    game.rules.start(state)
    found = []
    numbers = [i for i, line in enumerate(match.lines) if not line.startswith("!")]
    for i, (who, action) in zip(numbers, match._steps, strict=True):
        before = game.know(state, seat)
        game.rules.step(state, who, action)
        lines = game.rules.hear(before, who, action, game.know(state, seat))
        if who == CHANCE and any("?" in line for line in lines):
            found.append(i)
    return found


def _replays(match: Match, line: str) -> bool:
    try:
        match.replay(line)
    except ValueError:  # not allowed; or, renamed, a signal of no seat
        return False
    return True


def law_preview(match: Match, rng: random.Random) -> None:
    """A preview commits nothing, and where only the seat itself is needed it shows what will be."""
    before, text = match.state.copy(), str(match)
    for seat in match.due:
        choice = rng.choice(match.legal(seat))
        seen = match.preview(seat, [choice])
        if match.state != before or str(match) != text:
            raise LawBroken("a preview commits nothing", choice, match)
        real = match.copy()
        real.play(seat, choice, settle=False)
        opens = match._unopened(match.know(seat), seat, real._steps[-1][1]) is not None
        if real.due == {seat} and not opens and _foreseen(match, real, seat) and seen != real.see(seat):
            raise LawBroken("a preview shows what will be", choice, match)


def _foreseen(match: Match, real: Match, seat: int) -> bool:
    """Did the seat's decision show it nothing that was hidden: do the preview's worlds all come to what is real?"""
    worlds = [match._imagined(seat, f"preview {i}") for i in range(PREVIEW_WORLDS)]
    for world in worlds:
        match.game.rules.step(world, seat, real._steps[-1][1])
    return all(match.game.know(world, seat) == real.know(seat) for world in worlds)


# ------------------------------------------------------------------ signals
def law_signals(match: Match, rng: random.Random) -> None:
    """Signals change no state; only those who may give them do, within the limit; everyone hears them.

    That they replay is held with all else that stands in a record.
    """
    game = match.game
    able = game.module.signallers(match.state) if game.signals else 0
    if able and (able & (able - 1) == 0 or not match.due):
        raise LawBroken("signals have somebody to be given to, while seats decide", able, match)
    if able and able & ~_deciding(match):
        raise LawBroken("only those who decide about something signal about it", able, match)
    for seat in _watchers(match):
        k = game.know(match.state, seat)
        if game.signals and (game.module.signallers(k), game.occasion(k)) != (able, game.occasion(match.state)):
            raise LawBroken("everyone knows who may signal, and about what", seat, match)
        if match.see(None if seat == NOBODY else seat).signals != game.may_signal(match.state, seat, match._given):
            raise LawBroken("a seat sees what it may signal", seat, match)
    before, text = match.state.copy(), str(match)
    for seat in range(match.seats):
        offered = match.signals(seat)
        if offered and not able >> seat & 1:
            raise LawBroken("only those who may signal are offered signals", seat, match)
        for signal in {*game.signals, "nonsense", ""} - set(offered):
            _refused(match, seat, signal)
        if match.state != before or str(match) != text:
            raise LawBroken("a refused signal changes nothing", seat, match)
    if able:
        _signals_of_one(match, rng.choice(members(able)), rng)


def _deciding(match: Match) -> int:
    """The seats that are due, or were, since the present occasion began."""
    game, state = match.game, match.game.blank(match.seats, match.options)
    game.rules.start(state)
    seats, occasion = 0, game.occasion(state)
    for who, action in match._steps:
        game.rules.step(state, who, action)
        if game.occasion(state) != occasion:
            seats, occasion = 0, game.occasion(state)
        due = game.rules.due(state)
        seats |= 0 if due == CHANCE else due
    return seats


def _signals_of_one(match: Match, seat: int, rng: random.Random) -> None:
    """One seat gives all the signals it may."""
    game, other = match.game, match.copy()
    given = sum(q == seat for q, _ in match._given)
    while other.signals(seat):
        _heard_by(other, [None, rng.randrange(match.seats)], seat, rng.choice(other.signals(seat)))
        given += 1
        if given > game.signal_limit:
            raise LawBroken("no more signals than the limit", (seat, given), other)
    for signal in game.signals:
        _refused(other, seat, signal)
    if other.state != match.state or other.due != match.due or other.chance() != match.chance():
        raise LawBroken("signals change no state", seat, other)


def _heard_by(match: Match, watchers: list[int | None], seat: int, signal: str) -> None:
    before = [match.see(watcher) for watcher in watchers]
    match.signal(seat, signal)
    line = f"! {seat} {signal}"
    render(match.game.rules.tell(line))
    render(match.game.rules.offer(signal))
    for watcher, seen in zip(watchers, before, strict=True):
        after = match.see(watcher)
        if after.heard != [*seen.heard, line] or after.legal != seen.legal or match.lines[-1] != line:
            raise LawBroken("everyone hears a signal", (watcher, line), match)


def _refused(match: Match, seat: int, signal: str) -> None:
    try:
        match.signal(seat, signal)
    except IllegalDecision as refusal:
        if not str(refusal).endswith("."):
            raise LawBroken("a refusal is a sentence", str(refusal), match) from refusal
    else:
        raise LawBroken("what may not be signalled is refused", (seat, signal), match)


def _signal(match: Match, rng: random.Random) -> None:
    """One seat gives a signal, if it may: so that the laws on records meet signals too."""
    seat = rng.randrange(match.seats)
    if match.signals(seat):
        match.signal(seat, rng.choice(match.signals(seat)))


def _imagined(game: Game, k: Any, seat: int, key: str) -> Any:
    world = k.copy()
    game.rules.imagine(world, seat, stream(key))
    return world


def _observed(game: Game, k: Any, seat: int) -> list[int]:
    out = [99] * game.observation
    game.rules.observe(k, seat, out)
    return out


# ------------------------------------------------------------------ backends
class Buffers:
    """The arrays that compiled drivers work in, for one game."""

    def __init__(self, game: Game, seats: int, options: Mapping[str, OptionValue] | None, states: int = 2) -> None:
        self.game, self.seats = game, seats
        self.states = np.zeros(states, game.dtype)
        self.blank = np.zeros(1, game.dtype)
        game.blank(seats, options).store(self.blank[0])
        self.rng = np.zeros(RNG_WORDS, np.int64)
        self.mask = np.zeros(game.words, np.int64)
        self.weights = np.zeros(game.outcomes, np.int64)
        self.out = np.zeros(game.observation, np.int8)


def check_compiled(
    game: Game, seats: int, options: Mapping[str, OptionValue] | None = None, *, matches: int, seed: int = 0
) -> int:
    """Play random matches compiled and hold the laws at every step; the number of decisions made."""
    b = Buffers(game, seats, options)
    found = np.zeros(2, np.int64)
    broken = game.build("cpu").lawful_matches(
        b.states, b.blank, seed, matches, game.max_decisions, seats, b.rng, b.mask, b.mask.copy(), b.weights,
        b.out, b.out.copy(), found,
    )  # fmt: skip
    if broken:
        names = [
            "NOBODY_DECIDES",
            "SEVERAL_DUE",
            "NO_WEIGHT",
            "WRONG_TOTAL",
            "TOO_LONG",
            "LOST_CARD",
            "LEGAL_LEAK",
            "OBSERVE_LEAK",
        ]
        name = next(n for n in names if getattr(driver, n) == broken)
        raise LawBroken(name, f"seed {found[0]}, after {found[1]} decisions, {seats} seats, {options}")
    return int(found[0])


def check_backends(
    game: Game, seats: int, options: Mapping[str, OptionValue] | None = None, *, matches: int, seed: int = 0
) -> int:
    """Play random matches interpreted and compiled side by side and compare every state, mask, weight and tensor."""
    at, b = game.build("cpu"), Buffers(game, seats, options)
    for number in range(seed, seed + matches):
        state: Any = game.blank(seats, options)
        game.rules.start(state)
        b.states[0] = b.blank[0]
        at.start_at(b.states)
        mine = Seeded(number)
        made = 0
        while True:
            due = game.rules.due(state)
            _same(game, "state", state, b.states[0])
            if due != at.due_at(b.states):
                raise LawBroken("backends agree on who is due", due)
            if due == 0:
                break
            for seat in range(seats):
                b.mask[:] = 0
                at.legal_at(b.states, seat, b.mask)
                if marks(b.mask, game.words) != game.legal(state, seat):
                    raise LawBroken("backends agree on what is legal", seat)
            who = CHANCE if due == CHANCE else driver.random_seat(due, mine.rng)
            if due == CHANCE:
                total = at.chance_at(b.states, b.weights)
                weights = game.chance(state)
                if b.weights.tolist() != weights or total != sum(weights):
                    raise LawBroken("backends agree on weights", weights)
                action = mine.draw(weights, 0)
            else:
                mask = [0] * game.words
                game.rules.legal(state, who, mask)
                action = driver.random_marked(mask, mine.rng)
                if not marked(mask, action):
                    raise LawBroken("a random decision is a legal one", action)
            if made % 8 == 0:
                _same_knowledge(game, at, state, b, made % seats)
            game.rules.step(state, who, action)
            at.step_at(b.states, who, action)
            made += 1
    return matches


def _same(game: Game, what: str, state: Any, record: Any) -> None:
    if game.State().load(record) != state:
        raise LawBroken(f"backends agree on the {what}", (state, game.State().load(record)))


def _same_knowledge(game: Game, at: Any, state: Any, b: Buffers, seat: int) -> None:
    """What a seat knows, imagines and observes is the same on both backends."""
    k = game.know(state, seat)
    b.states[1] = np.zeros(1, game.dtype)[0]
    at.know_at(b.states, seat)
    _same(game, "knowledge", k, b.states[1])
    at.observe_at(b.states, seat, b.out)
    if b.out.tolist() != _observed(game, state, seat):
        raise LawBroken("backends agree on the observation", seat)
    source = Seeded(seat)
    rng = np.array(source.rng, np.int64)
    game.rules.imagine(k, seat, source.rng)
    at.imagine_at(b.states, seat, rng)
    _same(game, "imagined state", k, b.states[1])


def rules_without_test(names: list[str], test_names: list[str]) -> list[str]:
    """The numbered rules (S01, …) that no test names (test_s01_…)."""
    tested = {m[1].upper() for t in test_names if (m := re.match(r"test_([a-z]\d\d)", t))}
    tested |= {m.upper() for t in test_names for m in re.findall(r"_([a-z]\d\d)(?=_)", t)}
    return [n for n in names if n not in tested]
