"""A second implementation of Silencio, as one generator: no phases, no packed numbers, only lists and loops.

It knows nothing of `tacit`: it reads like the rules page and is compared with the real rules match by match. `story`
is a generator. It yields what may come next, {who: {text: weight}} ("*" is chance; a seat's weights are 1), takes the
(who, text) that did, and returns the result. What everybody has heard and knows stands in the `Table` it was given.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

Offer = dict[int | str, dict[str, int]]
Story = Generator[Offer, tuple[int | str, str], Any]

COLOURS = {"r": "red", "b": "blue", "y": "yellow", "g": "green"}
TOPS = {2: 8, 3: 10, 4: 13}
HANDS = {2: 6, 3: 6, 4: 5}
WATCHER = -1  # somebody without a seat: sees what all see


class Over(Exception):
    """The match ends here, for this reason."""


def rank(card: str) -> int:
    return int(card[1:])


class Table:
    def __init__(self, seats: int, tavern: bool, unlit: str, rules: int) -> None:
        self.n, self.top, self.rules = seats, TOPS[seats], rules
        self.deck = [f"{c}{r}" for c in COLOURS for r in range(2, self.top + 1)]
        self.hidden: list[list[str]] = [[] for _ in range(seats)]
        self.up: list[list[str]] = [[] for _ in range(seats)]
        self.oracle: list[str] = []
        self.gone: list[str] = []
        self.rows: dict[str, list[str]] = {c: [] for c in COLOURS}
        self.lit = [] if unlit in ("small", "all") else list(COLOURS.values())
        self.lit += [] if unlit in ("large", "all") else ["large"]
        self.no_dark = self.no_light = False  # red's flags
        self.duty = False  # yellow's
        self.only_green = False
        self.passes = 0
        self.has_tavern, self.open, self.darks = tavern, False, 0
        self.knowers: dict[str, set[int]] = {}  # of each hidden hand card: who else than its owner knows it
        self.listeners = [*range(seats), WATCHER]
        self.heard: dict[int, list[str]] = {q: [] for q in self.listeners}

    # ------------------------------------------------------------ cards
    def others(self, seat: int) -> list[int]:
        return [q for q in range(self.n) if q != seat]

    def own(self, seat: int) -> list[str]:
        return self.hidden[seat] + self.up[seat]

    def left(self) -> int:
        return sum(len(self.own(q)) for q in range(self.n))

    def last(self, colour: str) -> int:
        """The rank a card of the colour must beat; the small shrine counts as 1."""
        return rank(self.rows[colour][-1]) if self.rows[colour] else 1

    def fits(self, card: str) -> bool:
        return rank(card) > self.last(card[0])

    def playable(self, card: str) -> bool:
        return self.fits(card) and (card[0] == "g" or not self.only_green)

    def own_playable(self, seat: int) -> list[str]:
        return [card for card in self.own(seat) if self.playable(card)]

    def other_playable(self, seat: int) -> list[str]:
        return [card for q in self.others(seat) for card in self.up[q] if self.playable(card)]

    def lose(self, card: str) -> None:
        """Take the card from its owner."""
        for cards in [*self.hidden, *self.up]:
            if card in cards:
                cards.remove(card)
        self.knowers.pop(card, None)

    def gets_openly(self, seat: int, card: str) -> None:
        """A card comes into a hidden hand in everyone's sight."""
        self.hidden[seat].append(card)
        self.knowers[card] = set(self.listeners) - {seat}

    def hand_over(self, giver: int, receiver: int, card: str) -> None:
        """Passing and trading; who saw it hears it."""
        openly = card in self.up[giver]
        self.lose(card)
        if openly:
            self.gets_openly(receiver, card)
            self.hear(f"{giver} give {card}")
            return
        for rest in self.hidden[giver]:
            self.knowers[rest] &= {receiver}
        self.hidden[receiver].append(card)
        self.knowers[card] = {giver}
        self.hear(f"{giver} give {card}", f"{giver} give ?", [giver, receiver])

    # ------------------------------------------------------------ ears
    def hear(self, line: str, masked: str = "", insiders: list[int] | None = None) -> None:
        for q in self.listeners:
            self.heard[q].append(line if insiders is None or q in insiders else masked)

    def knows(self, seat: int, owner: int) -> set[str]:
        """The cards in another's hidden hand that a seat knows."""
        return {card for card in self.hidden[owner] if seat in self.knowers[card]}

    # ------------------------------------------------------------ what light effects can do
    def takable(self) -> list[str]:
        return [self.rows[c][-1] for c in "ryg" if self.rows[c]]

    def exchangers(self) -> list[int]:
        return [q for q in range(self.n) if self.own(q) or self.oracle or self.deck]

    def can_do(self, me: int, colour: str) -> bool:
        if colour == "red":
            return True
        if colour == "blue":
            return bool(self.takable())
        if colour == "yellow":
            return bool(self.hidden[me])
        return bool(self.exchangers())

    # ------------------------------------------------------------ what cannot play may do to be able to
    def rescuing_takes(self) -> list[str]:
        """Taken from its row a card fits there again: but only green is playable while green is asked for."""
        return [card for card in self.takable() if card[0] == "g" or not self.only_green]

    def rescuing_exchanges(self, me: int) -> list[str]:
        """A playable Oracle card, for another card than itself."""
        return [card for card in self.oracle if self.playable(card) and self.own(me)]

    def rescues(self, me: int, colour: str) -> bool:
        if colour == "blue":
            return bool(self.rescuing_takes())
        return colour == "green" and bool(self.rescuing_exchanges(me))


def asked(seat: int, choices: list[str]) -> Offer:
    assert len(choices) == len(set(choices))
    return {seat: dict.fromkeys(choices, 1)}


def story(t: Table) -> Story:
    for q in range(t.n):
        for _ in range(HANDS[t.n]):
            _, text = yield {"*": {f"deal {q} {card}": 1 for card in t.deck}}
            card = text.split()[2]
            t.deck.remove(card)
            t.hidden[q].append(card)
            t.knowers[card] = set()
            t.hear(f"* {text}", f"* deal {q} ?", [q])
    yield from turn_up(t, t.n)
    who, _ = yield {q: {"claim": 1} for q in range(t.n)}
    t.hear(f"{who} claim")
    start = int(who)
    for i in range(t.n):
        giver = (start + i) % t.n
        _, text = yield asked(giver, [f"give {card}" for card in t.hidden[giver]])
        t.hand_over(giver, (giver + 1) % t.n, text.split()[1])
    me = start
    try:
        while True:
            yield from turn(t, me)
            me = (me + 1) % t.n
    except Over as end:
        left = t.left()
        verdict = "perfect" if left == 0 else "near" if left <= t.n else "far"
        return {"left": left, "verdict": verdict, "reason": str(end)}


def turn_up(t: Table, count: int) -> Story:
    """Turn up Oracle cards, as far as the deck lasts."""
    for _ in range(count):
        if t.deck:
            _, text = yield {"*": {f"oracle {card}": 1 for card in t.deck}}
            card = text.split()[1]
            t.deck.remove(card)
            t.oracle.append(card)
            t.hear(f"* {text}")


# ---------------------------------------------------------------- a turn
def turn(t: Table, me: int) -> Story:
    shrine_taken = False
    while True:
        mine, theirs = t.own_playable(me), t.other_playable(me)
        must_draw = t.duty and bool(mine) and bool(t.hidden[me])
        free = theirs if must_draw and t.rules == 2 else [] if must_draw else mine + theirs
        choices = ["draw"] * must_draw + [f"play {card}" for card in free]
        if not mine and not (theirs and shrine_taken):
            choices.append("pass")
        rescue = not mine and not theirs
        if not shrine_taken:
            choices += shrines(t, me, rescue)
        choices += sayings(t, me)
        _, text = yield asked(me, choices)
        verb = text.split()[0]
        if verb == "say":
            say(t, me, text)
        elif verb == "shrine":
            shrine_taken = True
            t.passes = 0
            yield from use_shrine(t, me, text, rescue)
        else:
            t.hear(f"{me} {text}")
            card = text.split()[-1]
            if verb == "draw":
                card = yield from draw(t, me)
            if card:
                break
    if verb == "pass":
        t.passes += 1
        if t.passes == t.n:
            raise Over("passed")
    else:
        yield from play(t, me, card)
    while True:  # the end window
        choices = sayings(t, me)
        if verb != "pass" and not shrine_taken:
            choices += shrines(t, me, False)
        if not choices:
            return
        _, text = yield asked(me, [*choices, "end"])
        if text == "end":
            t.hear(f"{me} end")
            return
        if text.startswith("say"):
            say(t, me, text)
        else:
            shrine_taken = True
            yield from use_shrine(t, me, text, False)


def draw(t: Table, me: int) -> Story:
    """Chance picks a hidden card, which is to be played; "" if it cannot be and the turn goes on like any other.

    By the first rules the seat could do nothing then but choose a card.
    """
    _, text = yield {"*": {f"draw {card}": 1 for card in t.hidden[me]}}
    t.duty = False
    t.hear(f"* {text}")
    card = text.split()[1]
    if not t.playable(card):
        t.knowers[card] = set(t.listeners) - {me}
        if t.rules == 2:
            return ""
        _, text = yield asked(me, [f"play {c}" for c in t.own_playable(me) + t.other_playable(me)])
        t.hear(f"{me} {text}")
        card = text.split()[1]
    return card


def play(t: Table, me: int, card: str) -> Story:
    colour = card[0]
    dark = rank(card) == t.last(colour) + 1
    counts_as_mine = card in t.own(me) or t.rules == 1
    t.lose(card)
    t.rows[colour].append(card)
    t.passes = 0
    if counts_as_mine:
        t.duty = False
    if colour == "g":
        t.only_green = False
    no_dark, no_light = t.no_dark, t.no_light
    t.no_dark = t.no_light = False
    if t.left() == 0:
        raise Over("empty")
    if not dark:
        if not no_light and t.can_do(me, COLOURS[colour]):
            yield from light_effect(t, me, COLOURS[colour], may_skip=True, rescue=False)
        return
    my_last = counts_as_mine and not t.own(me)
    if my_last or no_dark or card == f"g{t.top}":
        return
    if t.has_tavern and not t.open:
        t.darks += 1
        t.open = t.darks == 3
    if colour == "r":
        t.no_light = True
    elif colour == "y":
        t.duty = True
    elif colour == "g":
        t.only_green = True
    elif t.oracle:
        _, text = yield asked(me, [f"send {c} {q}" for c in t.oracle for q in t.others(me)])
        t.hear(f"{me} {text}")
        _, sent, receiver = text.split()
        t.oracle.remove(sent)
        t.gets_openly(int(receiver), sent)
        yield from turn_up(t, 1)


# ---------------------------------------------------------------- light effects
def light_effect(t: Table, me: int, colour: str, may_skip: bool, rescue: bool) -> Story:
    if colour == "red":
        choices = ["use"]
    elif colour == "blue":
        choices = [f"take {card}" for card in (t.rescuing_takes() if rescue else t.takable())]
    elif colour == "yellow":
        choices = [f"show {card}" for card in t.hidden[me]]
    else:
        choices = [f"choose {q}" for q in ([me] if rescue else t.exchangers())]
    _, text = yield asked(me, choices + (["skip"] if may_skip else []))
    t.hear(f"{me} {text}")
    verb, *rest = text.split()
    if verb == "use":
        t.no_dark = True
    elif verb == "take":
        t.rows[rest[0][0]].remove(rest[0])
        t.gets_openly(me, rest[0])
    elif verb == "show":
        t.lose(rest[0])
        t.up[me].append(rest[0])
    elif verb == "choose":
        yield from one_exchange(t, int(rest[0]), rescue)


def one_exchange(t: Table, seat: int, rescue: bool) -> Story:
    """The chosen seat makes one exchange; a rescued one must be able to play after it."""
    if rescue:
        choices = [f"exchange {card}" for card in t.rescuing_exchanges(seat)]
    else:
        choices = [f"trade {q}" for q in t.others(seat)] if t.own(seat) else []
        choices += [f"exchange {card}" for card in t.oracle]
        choices += ["renew"] if t.oracle or t.deck else []
    _, text = yield asked(seat, choices)
    t.hear(f"{seat} {text}")
    verb, *rest = text.split()
    if verb == "trade":
        partner = int(rest[0])
        for giver, receiver in [(seat, partner), (partner, seat)]:
            _, text = yield asked(giver, [f"give {card}" for card in t.own(giver)])
            t.hand_over(giver, receiver, text.split()[1])
    elif verb == "exchange":
        t.oracle.remove(rest[0])
        t.gets_openly(seat, rest[0])
        able = [card for card in t.own(seat) if not rescue or set(t.own_playable(seat)) - {card}]
        _, text = yield asked(seat, [f"give {card}" for card in able])
        t.hear(f"{seat} {text}")
        laid = text.split()[1]
        t.lose(laid)
        t.oracle.append(laid)
    else:
        t.gone += t.oracle
        t.oracle.clear()
        yield from turn_up(t, t.n)


# ---------------------------------------------------------------- shrines and tavern
def shrines(t: Table, me: int, rescue: bool) -> list[str]:
    able = [c for c in COLOURS.values() if (t.rescues(me, c) if rescue else t.can_do(me, c))]
    small = [f"shrine {c}" for c in able if c in t.lit]
    return small + ([f"shrine large {c}" for c in able] if "large" in t.lit else [])


def use_shrine(t: Table, me: int, text: str, rescue: bool) -> Story:
    t.hear(f"{me} {text}")
    words = text.split()
    t.lit.remove(words[1])
    if words[-1] == "red":
        t.no_dark = True
    else:
        yield from light_effect(t, me, words[-1], may_skip=False, rescue=rescue)


def sayings(t: Table, me: int) -> list[str]:
    if not t.open:
        return []
    choices = ["say stuck"]
    for letter, colour in COLOURS.items():
        choices.append(f"say avoid {colour}")
        ranks = [rank(card) for card in t.own(me) if card[0] == letter]
        if ranks and all(2 * r > t.top + 1 for r in ranks):
            choices.append(f"say high {colour}")
    return choices


def say(t: Table, me: int, text: str) -> None:
    if text == "say stuck":
        text += f" {sum(not t.fits(card) for card in t.own(me))}"
    t.hear(f"{me} {text}")
    t.open, t.darks = False, 0
