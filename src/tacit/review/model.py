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
    low: float
    high: float


class CurvePoint(msgspec.Struct, frozen=True, kw_only=True):
    """What was to be expected after `steps` steps of the match, and what the steps since the point before changed.

    Of each side, `value` at this point is that of the point before, plus `luck`, plus `decisions`.
    """

    steps: int
    line: int
    """How many lines of the record (`Match.lines`, signals too) lie before this point: where a replay stands."""
    value: list[Interval]
    """A side's expected result, in the review's unit."""
    chance: list[Interval]
    """A side's chance of the best score (co-operative) or to win, shared wins as their share; [] if there is none."""
    score: list[float]
    """A side's expected score."""
    luck: list[float]
    decisions: list[float]
    seat: int | None = None
    """Who decided since the point before; None if only chance acted."""
    text: str = ""
    """That decision, or the last outcome of chance, as the record writes it."""
    words: Message | None = None
    """The same as the game tells it, open to all."""


class Option(msgspec.Struct, frozen=True, kw_only=True):
    """A decision that a seat could have made, and what it brings on average by what the seat knew."""

    text: str
    words: Message
    value: Interval
    """The result to expect, in the review's unit."""
    chance: float | None = None
    """The chance of the best score, or to win."""
    made: bool = False


class StyleVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """What a decision costs if the table goes on in one style, named after the bot that plays it."""

    style: str
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
    steps: int
    line: int
    seat: int | None
    """Who decided, or (luck) whose result it changed most; None where all share it."""
    amount: Interval
    """What it changed for the side of `seat`: negative for a slip, or bad luck."""
    made: str
    """What happened, as the record writes it."""
    made_words: Message
    better: str | None = None
    better_words: Message | None = None
    options: list[Option] = []
    """The decisions that were compared, the best first."""
    styles: list[StyleVerdict] = []
    shared_by: list[str] = []
    reasons: list[Message] = []
    """Why, from what the seat knew alone."""
    truth: Interval | None = None
    """By how much the better decision brings more as the hidden cards truly lay: for the open truth alone."""


class SeatAccount(msgspec.Struct, frozen=True, kw_only=True):
    """What one seat did and met. In a co-operative game `luck` is everybody's."""

    seat: int
    decisions: int
    """Where there was a choice."""
    best: int
    """How many of them were best, or within noise of it."""
    slips: int
    loss: Interval
    """Expected loss for each decision."""
    decided: Interval
    """What its decisions changed, all together, against what the styles' policy would have decided."""
    others: Interval
    """What the other seats' decisions changed for its side: 0 in a co-operative game."""
    luck: Interval
    met: dict[str, int] = {}
    """What others did to it, counted; in Zombie City `zombies` sent and `noise` made in its shelter."""


class Clairvoyance(msgspec.Struct, frozen=True, kw_only=True):
    """Could it be won, by seats that know every card and every draw to come? `none`: the game has no such answer."""

    status: Status
    sentence: Message
    best: int | None = None
    """The best score that is proved to be possible from the deal, or was found."""
    line: list[str] = []
    """A line of play that reaches `best`, as lines of a record that follow the first `line_from` lines of the match."""
    line_from: int = 0
    turning_line: int | None = None
    """After so many lines of the record the best result was possible for the last time; the next line ended it."""
    turning_seat: int | None = None
    turning_text: str = ""


class Review(msgspec.Struct, frozen=True, kw_only=True):
    """A review, whole or in part (`stage`, `progress`): what is not there yet is empty."""

    game: str
    seats: int
    cooperative: bool
    unit: Unit
    budget: float
    seed: int
    stage: Stage
    progress: float
    """From 0 to 1."""
    styles: list[str]
    """The bots whose policies the play-outs followed; the first one's values are the curve's."""
    summary: list[Message]
    """One sentence a side: what luck and decisions cost or brought; together they are what happened."""
    curve: list[CurvePoint]
    clairvoyance: Clairvoyance | None
    moments: list[KeyMoment]
    accounts: list[SeatAccount]
