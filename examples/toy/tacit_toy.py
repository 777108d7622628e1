"""A fifth game in one file: nine cards, two each; all bid one card at once, sealed; the higher card takes the trick."""

from __future__ import annotations

from typing import Annotated, Any, Protocol

import msgspec

from tacit.core.bits import count, members, nth
from tacit.core.chance import below
from tacit.core.errors import IllegalDecision
from tacit.core.messages import Message
from tacit.core.observation import RELATIVE_SEATS, Field
from tacit.core.random_play import CHANCE, NOBODY
from tacit.core.rulekit import rule
from tacit.core.state_layout import Cells

NAME, TITLE, RULES_VERSIONS = "toy", "Toy", (1,)
MIN_SEATS, MAX_SEATS = 2, 3
OPTIONS: dict[str, tuple[bool | str, ...]] = {"low": (False, True)}
ACTIONS = OUTCOMES = 9
MAX_DECISIONS = 6
DEAL, BID, OVER = range(3)
HAND = 2
CARDS = tuple("123456789")
FIELDS = (
    Field("hand", "set", "Your cards.", CARDS),
    Field("played", "set", "Cards that have been played.", CARDS),
    Field("won", "number", "Tricks of each seat.", RELATIVE_SEATS[:3]),
    Field("done", "set", "Seats that have bid.", RELATIVE_SEATS[:3]),
    Field("bid", "number", "Your bid; 0 before."),
)
CATALOGUE = {
    "offer": "Bid {card}",
    "deal": "{seat} is dealt {card}.",
    "bid": "{seat} bids {card}.",
    "ask": "Bid a card.",
    "unreadable": "A bid is “bid” and a card.",
    "not-yours": "You do not have that card.",
}


class State(Protocol):
    seats: Annotated[int, "i1"]
    low: Annotated[int, "i1"]
    phase: Annotated[int, "i1"]
    deck: Annotated[int, "i1"]
    done: Annotated[int, "i1"]
    tricks: Annotated[int, "i1"]
    pool: Annotated[int, "i2"]
    played: Annotated[int, "i2"]
    hand: Annotated[Cells, "i2", 3]
    hand_len: Annotated[Cells, "i1", 3]
    bid: Annotated[Cells, "i1", 3]
    shown: Annotated[Cells, "i1", 3]
    won: Annotated[Cells, "i1", 3]


@rule
def start(s: State) -> None:
    s.pool = 511
    s.deck = 9
    s.phase = DEAL


@rule
def receiver(s: State) -> int:
    for q in range(s.seats):
        if s.hand_len[q] < HAND:
            return q
    return -1


@rule
def due(s: State) -> int:
    if s.phase == OVER:
        return 0
    if s.phase == DEAL:
        return CHANCE
    return ((1 << s.seats) - 1) & ~s.done


@rule
def sealed(s: State) -> int:
    return s.tricks + 1 if s.phase == BID else 0


@rule
def legal(s: State, seat: int, mask: Cells) -> None:
    if s.phase == BID and not (s.done >> seat) & 1:
        mask[0] |= s.hand[seat]


@rule
def chance(s: State, weights: Cells) -> int:
    for c in range(OUTCOMES):
        weights[c] = (s.pool >> c) & 1
    return count(s.pool)


@rule
def pool(s: State) -> int:
    return 0


@rule
def step(s: State, who: int, action: int) -> None:
    if who == CHANCE:
        q = receiver(s)
        s.pool &= ~(1 << action)
        s.deck -= 1
        s.hand[q] |= 1 << action
        s.hand_len[q] += 1
        if receiver(s) < 0:
            s.phase = BID
        return
    s.bid[who] = action + 1
    s.done |= 1 << who
    if s.done == (1 << s.seats) - 1:
        trick(s)


@rule
def trick(s: State) -> None:
    best = 0
    for q in range(s.seats):
        if (s.bid[q] < s.bid[best]) if s.low else (s.bid[q] > s.bid[best]):
            best = q
    s.won[best] += 1
    for q in range(s.seats):
        s.hand[q] &= ~(1 << (s.bid[q] - 1))
        s.hand_len[q] -= 1
        s.played |= 1 << (s.bid[q] - 1)
        s.shown[q] = s.bid[q]
        s.bid[q] = 0
    s.done = 0
    s.tricks += 1
    if s.tricks == HAND:
        s.phase = OVER


@rule
def score(s: State, out: Cells) -> None:
    for q in range(s.seats):
        out[q] = s.won[q]


@rule
def audit(s: State) -> int:
    union = s.pool | s.played
    n = count(s.pool) + count(s.played)
    for q in range(s.seats):
        union |= s.hand[q]
        n += s.hand_len[q]
        if s.hand_len[q] != count(s.hand[q]):
            return 1
    return 0 if union == 511 and n == 9 and count(s.pool) == s.deck else 2


@rule
def know(s: State, seat: int, k: State) -> None:
    k.seats = s.seats
    k.low = s.low
    k.phase = s.phase
    k.deck = s.deck
    k.done = s.done
    k.tricks = s.tricks
    k.played = s.played
    seen = s.played + 0
    for q in range(s.seats):
        k.hand_len[q] = s.hand_len[q]
        k.shown[q] = s.shown[q]
        k.won[q] = s.won[q]
    if seat != NOBODY:
        k.hand[seat] = s.hand[seat]
        k.bid[seat] = s.bid[seat]
        seen |= s.hand[seat]
    k.pool = 511 & ~seen


@rule
def imagine(k: State, seat: int, rng: Cells) -> None:
    for q in range(k.seats):
        if q != seat:
            for _ in range(k.hand_len[q]):
                card = nth(k.pool, below(rng, count(k.pool)))
                k.pool &= ~(1 << card)
                k.hand[q] |= 1 << card
            if (k.done >> q) & 1:
                k.bid[q] = nth(k.hand[q], below(rng, count(k.hand[q]))) + 1


@rule
def observe(k: State, seat: int, out: Cells) -> None:
    for c in range(9):
        out[c] = (k.hand[seat] >> c) & 1
        out[9 + c] = (k.played >> c) & 1
    for r in range(3):
        q = (seat + r) % k.seats
        out[18 + r] = k.won[q] if r < k.seats else 0
        out[21 + r] = (k.done >> q) & 1 if r < k.seats else 0
    out[24] = k.bid[seat]


# ------------------------------------------------------------------ plain Python
def show(s: State, who: int, action: int) -> str:
    return f"deal {receiver(s)} {action + 1}" if who == CHANCE else f"bid {action + 1}"


def parse(s: State, who: int, text: str) -> int:
    verb, _, card = text.partition(" ")
    if verb != "bid" or card not in set("123456789"):
        raise IllegalDecision(Message("toy.unreadable"))
    return int(card) - 1


def refuse(k: State, seat: int, action: int) -> Message:
    return Message("toy.not-yours")


def hear(before: State, who: int, action: int, after: State) -> list[str]:
    if who == CHANCE:
        return [f"* deal {receiver(before)} {'?' if after.pool >> action & 1 else action + 1}"]
    if after.tricks == before.tricks:
        return [f"{who} bid {action + 1}"] if after.bid[who] else []
    return [f"{q} bid {after.shown[q]}" for q in range(after.seats) if not before.bid[q]]


def offer(text: str) -> Message:
    return Message("toy.offer", {"card": text.split(" ")[1]})


def tell(line: str) -> Message:
    words = line.split(" ")
    if words[0] == "*":
        return Message("toy.deal", {"seat": words[2], "card": words[3]})
    return Message("toy.bid", {"seat": words[0], "card": words[2]})


def result(s: State) -> dict[str, Any]:
    return {"won": [s.won[q] for q in range(s.seats)], "reason": "tricks"}


class View(msgspec.Struct, frozen=True):
    you: int | None
    hand: list[int]
    played: list[int]
    done: list[int]
    won: list[int]
    ask: Message


def view(k: State, seat: int) -> View:
    return View(
        you=None if seat == NOBODY else seat,
        hand=[] if seat == NOBODY else [c + 1 for c in members(k.hand[seat])],
        played=[c + 1 for c in members(k.played)],
        done=[*members(k.done)],
        won=[k.won[q] for q in range(k.seats)],
        ask=Message("toy.ask"),
    )
