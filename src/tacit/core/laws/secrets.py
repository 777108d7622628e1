"""Laws of secrecy: what goes out is computed from knowledge, and knowledge holds no more than it may."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import msgspec

from tacit.core.chance import stream
from tacit.core.game import Game
from tacit.core.laws.broken import LawBroken
from tacit.core.match import PREVIEW_WORLDS, Match
from tacit.core.messages import render
from tacit.core.random_play import CHANCE, NOBODY

UNWRITTEN = 1 << 40  # no cell of a tensor has this value


def watchers(match: Match) -> Iterator[int]:
    """NOBODY (the spectator) and every seat."""
    yield NOBODY
    yield from range(match.seats)


def law_knowledge(match: Match, rng: random.Random) -> None:
    """What goes out is computed from knowledge; imagining fills it with possibilities and nothing of the truth."""
    game, rules = match.game, match.game.rules
    for seat in watchers(match):
        k = game.know(match.state, seat)
        if rules.view(k, seat) != rules.view(match.state, seat):
            raise LawBroken("the view needs only knowledge", seat, match)
        if seat != NOBODY:
            if game.legal(k, seat) != game.legal(match.state, seat):
                raise LawBroken("legal decisions need only knowledge", seat, match)
            if observed(game, k, seat) != observed(game, match.state, seat):
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
    """What a seat hears of a step depends only on what it knows before and after."""
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
        for seat in watchers(match):
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


def law_deal(match: Match, rng: random.Random) -> None:
    """Of the deal that begins a match a seat hears and knows what it would step by step."""
    seed = rng.randrange(1 << 32)
    at_once, one_by_one = (
        Match(match.game, match.seats, match.options, seed=seed, settle=False, rules_version=match.rules_version)
        for _ in range(2)
    )
    everybody = [None, *range(match.seats)]
    for seat in everybody:
        at_once.hearing(seat)
        one_by_one.hearing(seat)
    at_once.settle()
    for line in at_once.lines:
        one_by_one.replay(line)
    for seat in everybody:
        heard, each = at_once.hearing(seat), one_by_one.hearing(seat)
        if (heard.lines, heard.last, heard.known) != (each.lines, each.last, each.known):
            raise LawBroken("a deal is heard as its steps are", (seat, heard.lines, each.lines), at_once)
        if at_once.see(seat) != one_by_one.see(seat):
            raise LawBroken("a deal is seen as its steps are", seat, at_once)
    if at_once.game.signals and at_once._occasion != one_by_one._occasion:
        raise LawBroken("after a deal signals are about what comes then", at_once._occasion, at_once)


def law_sealed(match: Match, rng: random.Random) -> None:
    """While a game says that choices are sealed, no other seat can see or count what a seat decides."""
    game, rules = match.game, match.game.rules
    sealed = rules.sealed
    window = sealed(match.state)
    if not window:
        return
    for seat in match.due:
        legal = game.legal(match.state, seat)
        after = []
        for action in rng.sample(legal, min(len(legal), 6)):
            state = match.state.copy()
            rules.step(state, seat, action)
            if sealed(state) == window and rules.due(state) != CHANCE:
                after.append(state)
        for watcher in watchers(match):
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
    seat = rng.choice(list(watchers(match)))
    hidden = _hidden_steps(match, seat)
    if len(hidden) < 2:
        return
    first, second = sorted(rng.sample(hidden, 2))
    a, b = (match.lines[i].split(" ") for i in (first, second))
    swapped = list(match.lines)
    swapped[first], swapped[second] = " ".join([*a[:-1], b[-1]]), " ".join([*b[:-1], a[-1]])
    rename = {a[-1]: b[-1], b[-1]: a[-1]}
    truth, other = (
        Match(game, match.seats, match.options, settle=False, seed=0, rules_version=match.rules_version)
        for _ in range(2)
    )
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
    game, state = match.game, match.begun()
    found = []
    numbers = [i for i, line in enumerate(match.lines) if not line.startswith("!")]
    for i, (who, action) in zip(numbers, match.steps, strict=True):
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
        opens = match._unopened(match.know(seat), seat, real.steps[-1][1]) is not None
        if real.due == {seat} and not opens and _foreseen(match, real, seat):
            will_be = msgspec.structs.replace(real.see(seat), undo=None)  # nothing is decided that could be undone
            if seen != will_be:
                raise LawBroken("a preview shows what will be", choice, match)


def _foreseen(match: Match, real: Match, seat: int) -> bool:
    """Did the seat's decision show it nothing that was hidden: do the preview's worlds all come to what is real?"""
    worlds = [match._imagined(seat, f"preview {i}") for i in range(PREVIEW_WORLDS)]
    for world in worlds:
        match.game.rules.step(world, seat, real.steps[-1][1])
    return all(match.game.know(world, seat) == real.know(seat) for world in worlds)


def _imagined(game: Game, k: Any, seat: int, key: str) -> Any:
    world = k.copy()
    game.rules.imagine(world, seat, stream(key))
    return world


def observed(game: Game, k: Any, seat: int) -> list[int]:
    """A seat's tensor; raises LawBroken if `observe` leaves a cell of FIELDS out, IndexError if it writes beyond."""
    out = [UNWRITTEN] * game.observation
    game.rules.observe(k, seat, out)
    if UNWRITTEN in out:
        raise LawBroken("observe writes every cell of FIELDS", f"cell {out.index(UNWRITTEN)} is left out")
    return out
