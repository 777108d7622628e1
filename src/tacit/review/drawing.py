"""A review drawn for a terminal, with rich."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from tacit.core.messages import Message, render
from tacit.review.model import CurvePoint, Interval, KeyMoment, Review

BLOCKS = " ▁▂▃▄▅▆▇█"
HEIGHT, WIDTH = 6, 72  # of a side's curve, in characters
STYLES = {"slip": "bold magenta", "convention": "bold cyan", "luck": "bold yellow"}
LUCK, DECISION, CALM = "yellow", "magenta", "grey62"  # what moved the curve at a point


def drawn(review: Review, names: Sequence[str], open_truth: bool = False) -> RenderableType:
    """The whole review: sentences, curve, the solver's answer, key moments and accounts.

    Key moments are told as their seats saw them; with `open_truth`, also what they could not know.
    """
    parts: list[RenderableType] = [Text(render(line, names=names), style="bold") for line in review.summary]
    if review.clairvoyance is not None:
        parts.append(Text(render(review.clairvoyance.sentence, names=names)))
    parts += [Text(), *_curve(review, names)]
    if review.clairvoyance is not None and review.clairvoyance.line:
        parts += [Text(), _proof(review)]
    for number, moment in enumerate(review.moments, 1):
        parts += [Text(), *_moment(number, moment, review, names, open_truth)]
    return Group(*parts, Text(), _accounts(review, names))


def _curve(review: Review, names: Sequence[str]) -> Iterator[RenderableType]:
    """A side after the other, all to one scale; the colour says what moved it there."""
    if not review.curve:
        return
    values = [[point.value[side].value for point in review.curve] for side in range(len(review.curve[0].value))]
    low, high = min(map(min, values)), max(map(max, values))
    for side, own in enumerate(values):
        name = "" if review.cooperative else f"  {names[side]}"
        yield Text(f"{_number(review, high)}{name}", style="dim")
        columns = [len(own) * i // WIDTH for i in range(WIDTH)] if len(own) > WIDTH else list(range(len(own)))
        wide = max(1, WIDTH // len(columns))
        for level in reversed(range(HEIGHT)):
            line = Text()
            for i in columns:
                filled = (own[i] - low) / (high - low or 1) * HEIGHT - level
                block = BLOCKS[min(max(round(8 * filled), 1 if level == 0 else 0), 8)]
                line.append(block * wide, style=_moved(review.curve[i], side))
            yield line
        yield Text(_number(review, low), style="dim")
    yield Text.assemble(("█ luck  ", LUCK), ("█ decisions  ", DECISION), ("█ neither", CALM))


def _moved(point: CurvePoint, side: int) -> str:
    luck, decided = abs(point.luck[side]), abs(point.decisions[side])
    noise = (point.value[side].high - point.value[side].low) / 2
    return CALM if max(luck, decided) <= noise else LUCK if luck >= decided else DECISION


def _number(review: Review, value: float) -> str:
    """A result as people read it: cards left without the sign."""
    return (
        f"{100 * value:.0f} %" if review.unit == "chance" else f"{abs(value) if review.unit == 'cards' else value:.1f}"
    )


def _signed(review: Review, amount: Interval) -> str:
    """An amount with its interval: `-1.2 (-1.9 to -0.5)`."""
    if review.unit == "chance":
        return f"{100 * amount.value:+.0f} % ({100 * amount.low:+.0f} to {100 * amount.high:+.0f})"
    return f"{amount.value:+.2f} ({amount.low:+.2f} to {amount.high:+.2f})"


def _proof(review: Review) -> RenderableType:
    assert review.clairvoyance is not None
    line, begun = review.clairvoyance.line, review.clairvoyance.line_from
    return Group(
        Text(f"A line to {review.clairvoyance.best}, after line {begun} of the record:", style="dim"),
        Text(" · ".join(line), style="dim"),
    )


def _moment(
    number: int, moment: KeyMoment, review: Review, names: Sequence[str], open_truth: bool
) -> Iterator[RenderableType]:
    """One key moment: what happened, what would have been better, and why."""

    def said(message: Message) -> str:
        return render(message, names=names)

    who = "" if moment.seat is None else f" · {names[moment.seat]}"
    kind = "style" if moment.kind == "convention" and not review.cooperative else moment.kind
    head = f"{number}. {kind}{who} · step {moment.steps} · {_signed(review, moment.amount)}"
    yield Text(head, style=STYLES[moment.kind])
    yield Text(f"   {said(moment.made_words)}" + (f"  ({moment.made})" if moment.better is not None else ""))
    if moment.better is not None and moment.better_words is not None:
        yield Text(f"   better: {said(moment.better_words)}  ({moment.better})", style="green")
    for reason in moment.reasons:
        yield Text(f"   {said(reason)}", style="italic")
    for message in moment.unknown if open_truth else ():
        yield Text(f"   {said(message)}", style="dim")


def _accounts(review: Review, names: Sequence[str]) -> RenderableType:
    """What each seat did and met."""
    table = Table("seat", "decisions", "best", "slips", "loss each", "decided", "luck", box=None)
    if not review.cooperative:
        table.add_column("others")
    met = sorted({name for account in review.accounts for name in account.met})
    for name in met:
        table.add_column(name)
    for account in review.accounts:
        cells = [
            names[account.seat], str(account.decisions), str(account.best), str(account.slips),
            _signed(review, account.loss), _signed(review, account.decided), _signed(review, account.luck),
        ]  # fmt: skip
        if not review.cooperative:
            cells.append(_signed(review, account.others))
        table.add_row(*cells, *(str(account.met.get(name, 0)) for name in met))
    return table
