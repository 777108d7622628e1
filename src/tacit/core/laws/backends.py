"""The laws at compiled speed, and the comparison of interpreted and compiled play step by step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from tacit.core import random_play
from tacit.core.bits import marked, marks
from tacit.core.buffers import buffers
from tacit.core.chance import Seeded
from tacit.core.game import Game, OptionValue
from tacit.core.laws.broken import LawBroken
from tacit.core.laws.secrets import observed
from tacit.core.random_play import CHANCE, Workspace


def check_compiled(
    game: Game, seats: int, options: Mapping[str, OptionValue] | None = None, *, matches: int, seed: int = 0,
    rules_version: int | None = None,
) -> int:  # fmt: skip
    """Play random matches compiled and hold the laws at every step; the number of decisions made."""
    b = buffers(game, seats, options, rules_version=rules_version)
    broken = game.build("cpu").lawful_matches(b, seed, matches, game.max_decisions)
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
        name = next(n for n in names if getattr(random_play, n) == broken)
        raise LawBroken(name, f"seed {b.found[0]}, after {b.found[1]} decisions, {seats} seats, {options}")
    return int(b.found[0])


def check_backends(
    game: Game, seats: int, options: Mapping[str, OptionValue] | None = None, *, matches: int, seed: int = 0,
    rules_version: int | None = None,
) -> int:  # fmt: skip
    """Play random matches interpreted and compiled side by side and compare every state, mask, weight and tensor."""
    at, b = game.build("cpu"), buffers(game, seats, options, rules_version=rules_version)
    for number in range(seed, seed + matches):
        state: Any = game.blank(seats, options, rules_version)
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
            who = CHANCE if due == CHANCE else random_play.random_seat(due, mine.rng)
            if due == CHANCE:
                total = at.chance_at(b.states, b.weights)
                weights = game.chance(state)
                if b.weights.tolist() != weights or total != sum(weights):
                    raise LawBroken("backends agree on weights", weights)
                action = mine.draw(weights, 0)
            else:
                mask = [0] * game.words
                game.rules.legal(state, who, mask)
                action = random_play.random_marked(mask, mine.rng)
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


def _same_knowledge(game: Game, at: Any, state: Any, b: Workspace, seat: int) -> None:
    """What a seat knows, imagines and observes is the same on both backends."""
    k = game.know(state, seat)
    b.states[1] = np.zeros(1, game.dtype)[0]
    at.know_at(b.states, seat)
    _same(game, "knowledge", k, b.states[1])
    at.observe_at(b.states, seat, b.out)
    if b.out.tolist() != observed(game, state, seat):
        raise LawBroken("backends agree on the observation", seat)
    source = Seeded(seat)
    rng = np.array(source.rng, np.int64)
    game.rules.imagine(k, seat, source.rng)
    at.imagine_at(b.states, seat, rng)
    _same(game, "imagined state", k, b.states[1])
