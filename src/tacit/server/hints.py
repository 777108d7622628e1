"""A hint: what the usual bot would do for a seat, and why. Both follow from what the seat knows and has heard."""

from __future__ import annotations

from tacit.bots import Dice, Runner, bot_named, usual_bot
from tacit.bots.match_bots import MatchBots
from tacit.core.chance import stream
from tacit.core.match import Match
from tacit.core.messages import Message

MAX_HINTS = 3  # of one seat in one match


def hint_for(match: Match, seat: int) -> tuple[str, Message, Message | None]:
    """A decision for a seat that is due, the message that offers it, and why (None: the game gives no reasons).

    The bot's generator follows from the seat's knowledge: asking again gives the same hint, in any process.
    """
    trial, rules = match.copy(), match.game.rules
    dice = Dice(stream(f"hint {seat} {trial.know(seat)!r}"))
    runner = Runner(match.game, bot_named(match.game, usual_bot(match.game)))
    bots = MatchBots(trial, {seat: runner}, rng=lambda _: dice, signals=False)
    try:
        text = bots.ask(seat)
    finally:
        bots.close()
    why = None
    if rules.because is not None:
        why = rules.because(trial.see(seat).view, trial.preview(seat, [text]).view, text)
    return text, rules.offer(text), why
