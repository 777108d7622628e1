"""Laws of play: who decides, what is legal, what is written down."""

from __future__ import annotations

import random

import numpy as np

from tacit.core.chance import below, pick, stream
from tacit.core.errors import IllegalDecision
from tacit.core.laws.broken import LawBroken
from tacit.core.match import Match
from tacit.core.messages import render
from tacit.core.random_play import CHANCE


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
    roll = game.rules.roll
    if roll is not None:
        key = str(rng.random())
        if roll(match.state, stream(key), [0] * game.outcomes) != pick(weights, below(stream(key), total)):
            raise LawBroken("roll draws as chance weighs", weights, match)
    texts = [game.rules.show(match.state, CHANCE, o) for o, w in enumerate(weights) if w]
    if len(set(texts)) != len(texts):
        raise LawBroken("outcomes have different texts", texts, match)


def _decoded(match: Match, seat: int, text: str) -> int | None:
    """What `decode_text` reads; None where `encode_text` leaves a text to `parse`."""
    rules = match.game.rules
    code = -1 if rules.encode_text is None or rules.decode_text is None else rules.encode_text(text)
    return None if code < 0 or rules.decode_text is None else rules.decode_text(match.state, seat, code)


def _parsed(match: Match, seat: int, text: str) -> int:
    try:
        return match.game.rules.parse(match.state, seat, text)
    except IllegalDecision:
        return -1


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
            if _decoded(match, seat, text) not in (None, action):
                raise LawBroken("decode_text reads what parse reads", text, match)
            render(game.rules.offer(text))
        wrong = [t for t in rng.sample(sorted(vocabulary), min(len(vocabulary), 12)) if t not in texts]
        for text in [*wrong, "", "nonsense", *(t + " " for t in texts[:1])]:
            if _decoded(match, seat, text) not in (None, -1, _parsed(match, seat, text)):
                raise LawBroken("decode_text reads what parse reads", text, match)
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
    """When the match is over no seat is due, there is a result, and every seat has a score."""
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
