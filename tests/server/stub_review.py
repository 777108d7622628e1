"""In place of the review's engine: a review without play-outs, which takes no time and has something of everything.

`python -m tests.server.stub_review FOLDER` reads a record from its standard input, notes it in FOLDER/asked, writes a
first part, and the rest once there is a file FOLDER/go. "fail" in that file makes it fail.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Literal

import msgspec

import tacit
from tacit.core.messages import Message, seat_words
from tacit.core.registry import register
from tacit.review.model import Clairvoyance, CurvePoint, Interval, KeyMoment, Review, SeatAccount
from tacit.review.timeline import match_at


def about(value: float) -> Interval:
    return Interval(value, value - 0.2, value + 0.2)


def better_at(match: tacit.Match, line: int) -> str:
    """Another decision than the one that a line has; that one, where there was no choice."""
    who, _, text = match.lines[line].partition(" ")
    return next((other for other in reversed(match_at(match, line).legal(int(who))) if other != text), text)


def made_up(record: str) -> list[Review]:
    """A part of a review, and all of it."""
    match = tacit.Match.load(record)
    tell, sides = match.game.rules.tell, 1 if match.game.cooperative else match.seats
    decided = [i for i, line in enumerate(match.lines) if line[0].isdecimal()]
    curve = []
    for number, line in enumerate([0, *(i + 1 for i in decided)]):
        lost = [float((number + side) % 5) for side in range(sides)]
        curve.append(
            CurvePoint(
                steps=line, line=line, value=[about(-one) for one in lost], chance=[], score=lost,
                luck=[0.5] * sides, decisions=[-0.5 if number % 3 else 0.25] * sides,
                words=tell(match.lines[line - 1]) if line else None,
            )
        )  # fmt: skip
    kinds: dict[Literal["slip", "luck", "convention"], int] = {
        "slip": next(i for i in decided if better_at(match, i) != match.lines[i].partition(" ")[2]),
        "luck": decided[len(decided) // 2],
        "convention": decided[-1],
    }
    moments = [
        KeyMoment(
            kind=kind, steps=i, line=i, seat=int(match.lines[i][0]), amount=about(-1.5),
            made=match.lines[i].partition(" ")[2], made_words=tell(match.lines[i]), better=better_at(match, i),
            better_words=None if kind == "luck" else match.game.rules.offer(better_at(match, i)),
            reasons=[Message("review.reason.perfect", {"more": 40, "less": 25})], truth=about(2),
            unknown=[Message("review.unknown.next", {"seat": seat_words(0), "words": tell(match.lines[0])})],
        )
        for kind, i in kinds.items()
    ]  # fmt: skip
    accounts = [
        SeatAccount(
            seat=q, decisions=12, best=9, slips=1, loss=about(0.1), decided=about(-1), others=about(0.5),
            luck=about(0.3), met={"zombies": 2, "noise": 1},
        )
        for q in range(match.seats)
    ]  # fmt: skip
    won = Clairvoyance(
        status="proved", sentence=Message("review.won.until", {"words": tell(match.lines[decided[-1]])}), best=0,
        line=match.lines[decided[0] :], line_from=decided[0], turning_line=decided[-1],
    )  # fmt: skip
    result = [Message("review.result.cards", {"n": n}) for n in (2, 3)]
    cost, saved = Message("review.cost.cards", {"n": 1.6}), Message("review.brought.cards", {"n": 0.6})
    words = {"start": result[0], "end": result[1], "luck": saved, "decisions": cost}
    part = Review(
        game=match.game.name, seats=match.seats, cooperative=match.game.cooperative, unit="cards", budget=1.0, seed=0,
        stage="curve", progress=0.3, styles=["steady"], summary=[], curve=curve, clairvoyance=None, moments=[],
        accounts=[],
    )  # fmt: skip
    whole = msgspec.structs.replace(
        part, stage="done", progress=1.0, summary=[Message("review.sum.together", words)], clairvoyance=won,
        moments=moments, accounts=accounts,
    )  # fmt: skip
    return [part, whole]


def main() -> None:
    folder, record = Path(sys.argv[1]), sys.stdin.read()
    register("toy", "examples.toy.tacit_toy")
    with (folder / "asked").open("a") as file:
        print(json.dumps(record), file=file)
    part, whole = made_up(record)
    print(msgspec.json.encode(part).decode(), flush=True)
    while not (folder / "go").exists():
        time.sleep(0.01)
    if (folder / "go").read_text() == "fail":
        sys.exit(1)
    print(msgspec.json.encode(whole).decode(), flush=True)


if __name__ == "__main__":
    main()
