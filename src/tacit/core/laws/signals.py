"""Laws of signals: they change nothing, everyone hears them, and their limits hold."""

from __future__ import annotations

import random

from tacit.core.bits import members
from tacit.core.errors import IllegalDecision
from tacit.core.laws.broken import LawBroken
from tacit.core.laws.secrets import watchers
from tacit.core.match import Match
from tacit.core.messages import render
from tacit.core.random_play import CHANCE, NOBODY


def law_signals(match: Match, rng: random.Random) -> None:
    """Signals change no state; only those who may give them do, within the limit; everyone hears them.

    That they replay is held with all else that stands in a record.
    """
    game = match.game
    able = game.rules.signallers(match.state)
    if able and (able & (able - 1) == 0 or not match.due):
        raise LawBroken("signals have somebody to be given to, while seats decide", able, match)
    if able and able & ~_deciding(match):
        raise LawBroken("only those who decide about something signal about it", able, match)
    for seat in watchers(match):
        k = game.know(match.state, seat)
        if (game.rules.signallers(k), game.occasion(k)) != (able, game.occasion(match.state)):
            raise LawBroken("everyone knows who may signal, and about what", seat, match)
        if match.see(None if seat == NOBODY else seat).signals != game.may_signal(match.state, seat, match.given):
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
    game, state = match.game, match.begun()
    seats, occasion = 0, game.occasion(state)
    for who, action in match.steps:
        game.rules.step(state, who, action)
        if game.occasion(state) != occasion:
            seats, occasion = 0, game.occasion(state)
        due = game.rules.due(state)
        seats |= 0 if due == CHANCE else due
    return seats


def _signals_of_one(match: Match, seat: int, rng: random.Random) -> None:
    """One seat gives all the signals it may."""
    game, other = match.game, match.copy()
    given = sum(q == seat for q, _ in match.given)
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


def give_some_signal(match: Match, rng: random.Random) -> None:
    """One seat gives a signal, if it may: so that the laws on records meet signals too."""
    seat = rng.randrange(match.seats)
    if match.signals(seat):
        match.signal(seat, rng.choice(match.signals(seat)))
