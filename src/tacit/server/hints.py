"""A hint: what a strong bot would do for a seat, and why. Both follow from what the seat knows and has heard."""

from __future__ import annotations

from tacit.bots import Dice, Runner, bot_named, usual_bot
from tacit.bots.match_bots import MatchBots
from tacit.bots.registry import bot_names
from tacit.core.chance import stream
from tacit.core.game import Game
from tacit.core.match import Match
from tacit.core.messages import Message

MAX_HINTS = 3  # of one seat in one match


def hint_bot(game: Game) -> str:
    """The name of the bot that gives a game's hints: strong, quick, and the same in every process."""
    strong = "partner" if game.cooperative else "learned"  # people are strangers to a bot that learned with itself
    return strong if strong in bot_names(game) and bot_named(game, strong).compiled else usual_bot(game)


def hint_for(match: Match, seat: int) -> tuple[str, Message, Message | None]:
    """A decision for a seat that is due, the message that offers it, and why (None: the game gives no reasons).

    The bot's generator follows from the seat's knowledge: asking again gives the same hint, in any process.
    """
    trial, rules = match.copy(), match.game.rules
    dice = Dice(stream(f"hint {seat} {trial.know(seat)!r}"))
    runner = Runner(match.game, bot_named(match.game, hint_bot(match.game)))
    bots = MatchBots(trial, {seat: runner}, rng=lambda _: dice, signals=False)
    try:
        text = bots.ask(seat)
    finally:
        bots.close()
    return text, rules.offer(text), trial.why(seat, text)
