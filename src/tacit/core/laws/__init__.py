"""The laws: properties that every game must have, checked in random matches.

Each law is a function that raises LawBroken with what it found. `check` plays random matches interpreted and checks
every law. `check_compiled` plays many more at compiled speed. `check_backends` compares the two step by step.
"""

from __future__ import annotations

import random
from collections.abc import Mapping

from tacit.core.chance import Paired, Seeded
from tacit.core.game import Game, OptionValue
from tacit.core.laws.backends import check_backends, check_compiled
from tacit.core.laws.broken import LawBroken
from tacit.core.laws.play import (
    law_cards,
    law_chance,
    law_decisions,
    law_end,
    law_range,
    law_replay,
    law_turns,
)
from tacit.core.laws.secrets import law_deal, law_hearing, law_knowledge, law_preview, law_sealed, law_swapped
from tacit.core.laws.signals import give_some_signal, law_signals
from tacit.core.laws.undo import law_undo
from tacit.core.match import Match
from tacit.core.random_play import CHANCE

__all__ = [
    "LawBroken",
    "check",
    "check_backends",
    "check_compiled",
    "law_cards",
    "law_chance",
    "law_deal",
    "law_decisions",
    "law_end",
    "law_hearing",
    "law_knowledge",
    "law_preview",
    "law_range",
    "law_replay",
    "law_sealed",
    "law_signals",
    "law_swapped",
    "law_turns",
    "law_undo",
    "random_match",
]


def check(
    game: Game, seats: int, options: Mapping[str, OptionValue] | None = None, *, matches: int = 20, seed: int = 0,
    thorough: float = 0.15, rules_version: int | None = None,
) -> int:  # fmt: skip
    """Play random matches, interpreted, and check every law; returns the number of decisions. Raises LawBroken.

    The costly laws are checked at a share `thorough` of the steps.
    """
    vocabulary: set[str] = set()
    decisions = 0
    for number in range(seed, seed + matches):
        rng = random.Random(f"{game.name} {seats} {options} {number}")
        source = Paired(number) if number % 4 == 3 else Seeded(number)
        match = Match(game, seats, options, chance=source, settle=False, rules_version=rules_version)
        made = 0
        law_deal(match, random.Random(number))
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
                law_undo(match, rng)
            if game.signals and rng.random() < 0.3:
                give_some_signal(match, rng)
            if not match.due:
                law_range(match)
                match.apply(CHANCE, source.draw(game.chance(match.state), game.rules.pool(match.state)))
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


def random_match(
    game: Game, seats: int, options: Mapping[str, OptionValue] | None, seed: int, rules_version: int | None = None
) -> Match:
    """A finished match of random decisions."""
    rng = random.Random(f"match {game.name} {seed}")
    match = Match(game, seats, options, seed=seed, rules_version=rules_version)
    while not match.over:
        seat = rng.choice(sorted(match.due))
        match.play(seat, rng.choice(match.legal(seat)))
    return match
