"""A second implementation of Zombie City, as one generator: no phases, no packed numbers, only lists and loops.

It knows nothing of `tacit`: it reads like the rules page and is compared with the real rules match by match. `story`
is a generator. It yields what may come next, {who: {text: weight}} ("*" is chance; a seat's weights are 1), takes the
(who, text) that did, and returns the result.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator
from itertools import combinations_with_replacement
from typing import Any

Offer = dict[int | str, dict[str, int]]
Story = Generator[Offer, tuple[int | str, str], Any]

BACKS = {"regular": 23, "strong": 12, "fast": 18, "horde": 2}
CARDS = {
    "axe": 3, "shotgun": 6, "revolver": 4, "sniper": 2, "walkie": 4, "flare": 3, "megaphone": 4, "barricade": 4,
    "alarm": 2, "mines": 2, "sabotage": 2, "bribery": 2, "eviction": 2, "sacrifice": 2, "drone": 6, "surprise": 7,
}  # fmt: skip
LOUD = {"shotgun", "revolver", "sniper", "flare", "megaphone", "alarm", "mines", "sabotage", "eviction"}
TYPES = ["regular", "fast", "strong"]


class Over(Exception):
    """The match ends here."""


class Town:
    def __init__(self, seats: int, survivors: int, expert: bool) -> None:
        self.n, self.expert = seats, expert
        self.backs = Counter(BACKS)
        self.under = 55 - seats * survivors  # cards that lie survivor side up
        self.shown: str | None = None  # the zombie on top of them
        self.deck = Counter(CARDS)
        self.discards: Counter[str] = Counter()
        self.hands: list[list[str]] = [[] for _ in range(seats)]
        self.people = [survivors] * seats
        self.barriers: list[list[str]] = [[] for _ in range(seats)]
        self.zombies: list[list[str]] = [[] for _ in range(seats)]
        self.out = [False] * seats

    def living(self) -> list[int]:
        return [q for q in range(self.n) if not self.out[q]]

    def final(self) -> bool:
        return self.under == 0

    def around(self, seat: int) -> list[int]:
        """The other living seats, clockwise from the left."""
        return [(seat + i) % self.n for i in range(1, self.n) if not self.out[(seat + i) % self.n]]


def story(seats: int, survivors: int, expert: bool, rules: int) -> Story:
    town = Town(seats, survivors, expert)
    yield from set_up(town)
    _, text = yield {"*": {f"start {q}": 1 for q in range(seats)}}
    seat = int(text.split()[1])
    reason, calm = "", [False]  # of each turn: has it ended in the final attack, with no zombie in any shelter?
    while not reason:
        try:
            yield from turn(town, seat)
        except Over:
            reason = "last-standing"
            break
        calm.append(town.final() and not any(town.zombies))
        if calm[-1] and (rules == 1 or not town.shown or all(calm[-len(town.living()) :])):
            reason = "cleared"
        elif len(calm) > 60 * seats:
            reason = "cap"
        else:
            seat = town.around(seat)[0]
    best = max(town.people)
    winners = [q for q in range(seats) if town.people[q] == best]
    return {"survivors": town.people, "winners": winners, "reason": reason}


def set_up(town: Town) -> Story:
    for q in range(town.n):
        yield from fill_hand(town, q)
    answers: dict[int, str] = {}
    while len(answers) < town.n:
        who, text = yield {q: {"keep": 1, "redraw": 1} for q in range(town.n) if q not in answers}
        assert isinstance(who, int)
        answers[who] = text
    again = [q for q in range(town.n) if answers[q] == "redraw"]
    for q in again:
        town.discards.update(town.hands[q])
        town.hands[q] = []
    for q in again:
        yield from fill_hand(town, q)


def fill_hand(town: Town, q: int) -> Story:
    while len(town.hands[q]) < 3:
        if not +town.deck:
            town.deck, town.discards = town.discards, Counter()
        _, text = yield {"*": {f"deal {q} {card}": n for card, n in town.deck.items() if n}}
        card = text.split()[2]
        town.deck[card] -= 1
        town.hands[q].append(card)


def turn(town: Town, me: int) -> Story:
    begun = ""
    while True:
        choices = ["done"]
        for card in set(town.hands[me]):
            if begun != "playing":
                choices.append(f"discard {card}")
            if begun != "discarding":
                choices += ways(town, me, card)
                if town.expert and card in LOUD:
                    choices.append(f"noise {card}")
        _, text = yield {me: dict.fromkeys(choices, 1)}
        if text == "done":
            break
        verb, card, *rest = text.split()
        town.hands[me].remove(card)
        begun = "discarding" if verb == "discard" else "playing"
        if verb == "play" and card in ("barricade", "alarm", "mines"):
            town.barriers[me].append(card)
            continue
        town.discards[card] += 1
        if verb == "noise":
            yield from noise(town, me, me)
        elif verb == "play":
            yield from effect(town, me, card, rest)
            if card in LOUD:
                yield from noise(town, me, me)
    yield from attacked(town, me)
    if town.people[me] == 0:
        yield from eliminated(town, me)
    elif not town.final():
        yield from fill_hand(town, me)


def ways(town: Town, me: int, card: str) -> list[str]:
    """All the ways in which a card can be played now."""
    mine, others = town.zombies[me], town.around(me)
    weak = [z for z in mine if z != "strong"]
    if card in ("axe", "revolver"):
        return [f"play {card} {z}" for z in set(weak)]
    if card == "shotgun":
        pairs = {tuple(sorted((a, b), key=TYPES.index)) for i, a in enumerate(weak) for b in weak[:i]}
        found = [f"play shotgun {a} {b}" for a, b in pairs] or [f"play shotgun {z}" for z in weak]
        return found + (["play shotgun strong"] if "strong" in mine else [])
    if card == "sniper":
        return [f"play sniper {z}" for z in set(mine)] + (["play sniper city"] if town.shown else [])
    if card in ("walkie", "megaphone", "flare"):
        return [f"play {card}"] if town.under and not town.shown else []
    if card in ("barricade", "alarm", "mines"):
        return [f"play {card}"]
    if card == "sabotage":
        return [f"play sabotage {q}" for q in others if town.barriers[q]]
    if card == "bribery":
        return [f"play bribery {q}" for q in others if town.people[q] > 1]
    if card == "eviction":
        stuff = [town.zombies[q] + town.barriers[q] for q in range(town.n)]
        return [f"play eviction {q}" for q in others if stuff[q] or stuff[me]]
    if card == "sacrifice":
        return ["play sacrifice"] if mine and town.people[me] else []
    return [f"play {card} {z} {q}" for z in set(mine) for q in others]


def effect(town: Town, me: int, card: str, rest: list[str]) -> Story:
    if rest == ["city"]:
        town.shown = None
    elif card in ("axe", "revolver", "shotgun", "sniper"):
        for zombie in rest:
            town.zombies[me].remove(zombie)
    elif card in ("walkie", "megaphone", "flare"):
        saved = min(town.under, 2 if card == "flare" else 1)
        town.under -= saved
        town.people[me] += saved
    elif card == "sacrifice":
        town.people[me] -= 1
        yield from send_all(town, me, town.around(me))
    else:
        q = int(rest[-1])
        if card == "sabotage":
            town.discards.update(town.barriers[q])
            town.barriers[q] = []
        elif card == "bribery":
            town.people[q] -= 1
            town.people[me] += 1
        elif card == "eviction":
            town.zombies[me], town.zombies[q] = town.zombies[q], town.zombies[me]
            town.barriers[me], town.barriers[q] = town.barriers[q], town.barriers[me]
        else:
            town.zombies[me].remove(rest[0])
            town.zombies[q].append(rest[0])
            if card == "drone":
                yield from noise(town, me, q)
            else:
                yield from surprise(town, me, q)


def surprise(town: Town, me: int, q: int) -> Story:
    if town.shown:
        town.zombies[q].append(town.shown)
        town.shown = None
    elif town.under:
        back = yield from turned(town)
        if back == "horde":
            yield from horde(town, me)
        else:
            town.zombies[q].append(back)


def turned(town: Town) -> Story:
    """The top card, taken off the deck, as its back."""
    _, text = yield {"*": {f"turn {back}": n for back, n in town.backs.items() if n}}
    back = text.split()[1]
    town.backs[back] -= 1
    town.under -= 1
    return back


def noise(town: Town, me: int, where: int) -> Story:
    if town.shown:
        town.zombies[where].append(town.shown)
        town.shown = None
    elif town.under:
        back = yield from turned(town)
        if back == "horde":
            yield from horde(town, me)
        elif back == "fast":
            town.zombies[where].append(back)
        else:
            town.shown = back


def horde(town: Town, me: int) -> Story:
    row = []
    for _ in range(min(town.under, len(town.living()))):
        row.append((yield from turned(town)))
    second = "horde" in row
    if second:
        row.remove("horde")
    served = [*town.around(me), me][: len(row)]
    while row:
        _, text = yield {me: {f"send {z} {q}": 1 for z in set(row) for q in served}}
        _, zombie, where = text.split()
        row.remove(zombie)
        served.remove(int(where))
        town.zombies[int(where)].append(zombie)
    if second:
        yield from horde(town, me)


def send_all(town: Town, me: int, targets: list[int]) -> Story:
    while town.zombies[me]:
        _, text = yield {me: {f"send {z} {q}": 1 for z in set(town.zombies[me]) for q in targets}}
        _, zombie, where = text.split()
        town.zombies[me].remove(zombie)
        town.zombies[int(where)].append(zombie)


def attacked(town: Town, me: int) -> Story:
    attackers, stopped = list(town.zombies[me]), 0
    while len(attackers) > stopped and town.barriers[me]:
        choices = ["brace"]
        for barrier in set(town.barriers[me]):
            if barrier != "mines":
                choices.append(f"use {barrier}")
                continue
            choices += [f"use mines {z}" for z in set(town.zombies[me])]
            for pair in combinations_with_replacement(TYPES, 2):
                if not Counter(pair) - Counter(town.zombies[me]):
                    choices.append(f"use mines {' '.join(pair)}")
        _, text = yield {me: dict.fromkeys(choices, 1)}
        if text == "brace":
            break
        _, barrier, *victims = text.split()
        town.barriers[me].remove(barrier)
        town.discards[barrier] += 1
        if barrier == "barricade":
            stopped += 1
            continue
        for zombie in victims:
            town.zombies[me].remove(zombie)
            if zombie in attackers:
                attackers.remove(zombie)
        yield from noise(town, me, me)
        if barrier == "alarm":
            return
    town.people[me] -= min(town.people[me], max(0, len(attackers) - stopped))


def eliminated(town: Town, me: int) -> Story:
    town.discards.update(town.hands[me] + town.barriers[me])
    town.hands[me], town.barriers[me] = [], []
    town.out[me] = True
    if len(town.living()) == 1:
        raise Over
    left_to_right = town.around(me)
    yield from send_all(town, me, [left_to_right[0], left_to_right[-1]])
