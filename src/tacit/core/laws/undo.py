"""The law of taking back: what can be taken back was told to nobody, and taking it back leaves no trace."""

from __future__ import annotations

import random

from tacit.core.laws.broken import LawBroken
from tacit.core.laws.secrets import watchers
from tacit.core.match import Match


def law_undo(match: Match, rng: random.Random) -> None:
    """A decision can be taken back exactly while nobody else was told of it; after that all is as it was before."""
    if not match.due:
        return
    game, rules = match.game, match.game.rules
    seat = rng.choice(sorted(match.due))
    made = match.copy()
    made.play(seat, rng.choice(match.legal(seat)), settle=False)
    still_due = seat in made.due
    told = False
    for watcher in watchers(match):
        if watcher != seat:
            before, after = game.know(match.state, watcher), game.know(made.state, watcher)
            heard = rules.hear(before, seat, made.steps[-1][1], after)
            told |= bool(heard) or before != after
            if made.undoable(seat) is not None and (heard or (still_due and before != after)):
                raise LawBroken("what can be taken back was told to nobody", (seat, watcher), made)
    if made.undoable(seat) is None:
        if not told and made.due:
            raise LawBroken("what was told to nobody can be taken back", seat, made)
        return
    if rules.sealed(game.know(made.state, seat)) != rules.sealed(made.state):
        raise LawBroken("a seat knows that choices are sealed", seat, made)
    expected = match.copy()
    for other in sorted(made.due - {seat}):  # others may choose meanwhile, in secret
        text = rng.choice(made.legal(other))
        trial = made.copy()
        trial.play(other, text, settle=False)
        if trial.undoable(seat) is None:
            break  # this choice opens the seal
        made = trial
        expected.play(other, text, settle=False)
    made.undo(seat)
    watcher = rng.choice([None, *range(match.seats)])
    if made.see(watcher) != expected.see(watcher):
        raise LawBroken("what was taken back leaves no trace", (seat, watcher), made)
    if made.state != expected.state or made.lines != expected.lines or made.steps != expected.steps:
        raise LawBroken("what was taken back is as if it had not been", seat, made)
    again = Match.load(str(made), deck=game.deck_text)
    if again.lines != expected.lines or str(again) != str(made):
        raise LawBroken("the record annuls what was taken back", seat, made)
