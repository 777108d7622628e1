"""What a review of a match says: plain data that the terminal, the server and the page show.

Values are of a `side`: all seats together in a co-operative game (one side), else each seat. More is better. A value is
the expected result in the review's `unit`: cards left (as a negative number), teams, points, or the chance to win.
Sentences are messages, decisions stand as records write them and as the game words them.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from tacit.core.messages import Message

Unit = Literal["cards", "points", "chance"]
Stage = Literal["curve", "moments", "done"]
Status = Literal["proved", "impossible", "unknown", "none"]


class Interval(msgspec.Struct, frozen=True):
    """An estimate with its interval of 95 %."""

    value: float
    """The estimate."""
    low: float
    """The lower end of its interval."""
    high: float
    """The upper end."""


class CurvePoint(msgspec.Struct, frozen=True, kw_only=True):
    """What was to be expected after `steps` steps of the match, and what the steps since the point before changed.

    Of each side, `value` at this point is that of the point before, plus `luck`, `decisions` and `conventions`.
    """

    steps: int
    """How many steps of the match (`Match.steps`) lie before this point."""
    line: int
    """How many lines of the record (`Match.lines`, signals too) lie before this point: where a replay stands."""
    value: list[Interval]
    """A side's expected result, in the review's unit."""
    chance: list[Interval]
    """A side's chance of the best score (co-operative) or to win, shared wins as their share; [] if there is none."""
    score: list[float]
    """A side's expected score."""
    luck: list[float]
    """What chance changed for each side since the point before."""
    decisions: list[float]
    """What the decision changed for each side, by what its player knew."""
    conventions: list[float] = []
    """What it changed if it was a matter of convention: then all of it is this, since luck and reading are one."""
    seat: int | None = None
    """Who decided since the point before; None if only chance acted."""
    text: str = ""
    """That decision, or the last outcome of chance, as the record writes it."""
    words: Message | None = None
    """The same as the game tells it, open to all."""


class Option(msgspec.Struct, frozen=True, kw_only=True):
    """A decision that a seat could have made, and what it brings on average by what the seat knew."""

    text: str
    """The decision, as a record writes it."""
    words: Message
    """The same as the game words it."""
    value: Interval
    """The result to expect, in the review's unit."""
    chance: float | None = None
    """The chance of the best score, or to win."""
    made: bool = False
    """Whether it is the one that was made."""


class StyleVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """What a decision costs if the table goes on in one style, named after the bot that plays it."""

    style: str
    """The bot's name."""
    best: str
    """The best decision in this style."""
    loss: Interval
    """By how much the better decision (`KeyMoment.better`) brings more than the one that was made."""


class KeyMoment(msgspec.Struct, frozen=True, kw_only=True):
    """A slip, a matter of convention, or a stroke of luck.

    A slip costs in every style; a matter of convention costs in some only (`shared_by`: these). The board at that
    moment is the match after `line` lines, as `seat` saw it.
    """

    kind: Literal["slip", "convention", "luck"]
    """What it is."""
    steps: int
    """How many steps of the match lie before it."""
    line: int
    """How many lines of the record lie before it."""
    seat: int | None
    """Who decided, or (luck) whose result it changed most; None where all share it."""
    amount: Interval
    """What it changed for the side of `seat`: negative for a slip, or bad luck."""
    made: str
    """What happened, as the record writes it."""
    made_words: Message
    """The same in words."""
    better: str | None = None
    """The better decision, as a record writes it; None for luck."""
    better_words: Message | None = None
    """The same in words."""
    options: list[Option] = []
    """The decisions that were compared, the best first."""
    styles: list[StyleVerdict] = []
    """What the decision costs in each style."""
    shared_by: list[str] = []
    """The styles in which a matter of convention costs."""
    reasons: list[Message] = []
    """Why, from what the seat knew alone."""
    truth: Interval | None = None
    """By how much the better decision brings more as the hidden cards truly lay: for the open truth alone."""
    unknown: list[Message] = []
    """What the seat could not know, and what that changed: for the open truth alone."""


class SeatAccount(msgspec.Struct, frozen=True, kw_only=True):
    """What one seat did and met. In a co-operative game `luck` is everybody's."""

    seat: int
    """Whose account it is."""
    decisions: int
    """Where there was a choice."""
    best: int
    """How many of them were best, or within noise of it."""
    slips: int
    """How many key moments are its slips."""
    loss: Interval
    """Expected loss for each decision."""
    decided: Interval
    """What its decisions changed, all together, against what the styles' policy would have decided."""
    others: Interval
    """What the other seats' decisions changed for its side: 0 in a co-operative game."""
    luck: Interval
    """What chance changed for its side."""
    conventions: Interval = Interval(0.0, 0.0, 0.0)
    """What matters of convention changed for its side, whoever's they were."""
    met: dict[str, int] = {}
    """What others did to it, counted; in Zombie City `zombies` sent and `noise` made in its shelter."""


class Clairvoyance(msgspec.Struct, frozen=True, kw_only=True):
    """Could it be won, by seats that know every card and every draw to come? `none`: the game has no such answer."""

    status: Status
    """`proved`: the best result was possible. `impossible`: it was not. `unknown`: the solver could not find out."""
    sentence: Message
    """The answer in words."""
    best: int | None = None
    """The best score that is proved to be possible from the deal, or was found."""
    line: list[str] = []
    """A line of play that reaches `best`, as lines of a record that follow the first `line_from` lines of the match."""
    line_from: int = 0
    """How many lines of the record come before `line`."""
    turning_line: int | None = None
    """After so many lines of the record the best result was possible for the last time; the next line ended it."""
    turning_seat: int | None = None
    """Whose decision that line is."""
    turning_text: str = ""
    """That decision, as the record writes it."""


class Review(msgspec.Struct, frozen=True, kw_only=True):
    """A review, whole or in part (`stage`, `progress`): what is not there yet is empty."""

    game: str
    """The game's name."""
    seats: int
    """How many seats the match had."""
    cooperative: bool
    """Whether all seats are one side."""
    unit: Unit
    """What values are: `cards` left (as a negative number), `points`, or the `chance` to win (0 to 1)."""
    budget: float
    """How many times the default number of playouts was made."""
    seed: int
    """Of the playouts."""
    stage: Stage
    """What is being worked on; `done` if the review is whole."""
    progress: float
    """From 0 to 1."""
    styles: list[str]
    """The bots whose policies the play-outs followed; the first one's values are the curve's."""
    summary: list[Message]
    """One sentence a side: what luck, decisions and, if any, conventions cost or brought; together, what happened."""
    curve: list[CurvePoint]
    """What was to be expected, from before the deal to the end."""
    clairvoyance: Clairvoyance | None
    """Whether it could be won; None as long as the solver has not answered."""
    moments: list[KeyMoment]
    """The key moments, at most seven, in the order of the match."""
    accounts: list[SeatAccount]
    """What each seat did and met."""
