"""A match: its record, and the state that replaying the record gives. What everybody outside the rules uses."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec

from tacit.core.chance import Chance, Seeded, System, stream
from tacit.core.errors import IllegalDecision
from tacit.core.game import Game, OptionValue, Signal
from tacit.core.messages import Message
from tacit.core.random_play import CHANCE, NOBODY
from tacit.core.registry import game_named

Who = int | Literal["*"]
PREVIEW_WORLDS = 8  # a decision that turns up a hidden card: so many worlds are unlikely to agree on it by accident


class Seen(msgspec.Struct, frozen=True):
    """All that one seat (or a spectator) gets of a match: the table, its decisions and signals, what it has heard."""

    view: Any
    legal: list[str]
    heard: list[str]
    signals: list[str] = []


class _Ear:
    """What one seat has heard so far, and what it knew after the last step it heard."""

    def __init__(self, game: Game, seat: int, state: Any) -> None:
        self.game, self.seat = game, seat
        self.lines: list[str] = []
        self.known = game.know(state, seat)
        self.may: dict[str, int] | None = None  # its decisions by their texts, once they were shown

    def hear(self, who: int, action: int, state: Any) -> None:
        before, self.known, self.may = self.known, self.game.know(state, self.seat), None
        curtain = getattr(self.game.module, "curtain", None)
        if curtain is not None:
            self.lines = curtain(before, self.known, self.lines)
        self.lines += self.game.rules.hear(before, who, action, self.known)

    def copy(self) -> _Ear:
        """Another ear that has heard the same; what is known is replaced by each step, so they can share it."""
        new = object.__new__(_Ear)
        new.game, new.seat, new.known, new.may = self.game, self.seat, self.known, self.may
        new.lines = self.lines.copy()
        return new


class Match:
    """One playing of a game.

    `Match("silencio", seats=3, options={"tavern": True}, seed=7)`; the seed only drives chance, and without one chance
    is the operating system's. `due`, `legal`, `signals`, `chance`, `play`, `signal`, `str` and `result` are for whoever
    runs the match; what a seat may be told is `see`. In a game whose deck can be exchanged, `deck` is the
    text of another one. A match is played by the newest rules, unless `rules_version` names an older version.
    """

    def __init__(
        self,
        game: str | Game,
        seats: int,
        options: Mapping[str, OptionValue] | None = None,
        *,
        seed: int | None = None,
        chance: Chance | None = None,
        settle: bool = True,
        tags: Mapping[str, str] | None = None,
        deck: object = None,
        rules_version: int | None = None,
    ) -> None:
        self.game = game if isinstance(game, Game) else game_named(game)
        if deck is not None:
            self.game = self.game.with_deck(deck)
        self.options = self.game.check(seats, options)
        self.rules_version = self.game.check_rules(rules_version)
        self.seats = seats
        self.tags = dict(tags or {})
        self.source: Chance = chance or (System() if seed is None else Seeded(seed))
        self.state: Any = self.begun()
        self.lines: list[str] = []  # the record's steps and signals: "* deal 0 r5", "0 claim", "! 2 nod"
        self._steps: list[tuple[int, int]] = []
        self._given: list[Signal] = []  # the signals on the present occasion; replaced, never changed in place
        self._occasion = self.game.occasion(self.state)
        self._ears: dict[int, _Ear] = {}
        self._settles = settle
        if settle:
            self.settle()

    # -------------------------------------------------------------- the host's side
    @property
    def due(self) -> frozenset[int]:
        """The seats that may decide now; empty while chance is due and when the match is over."""
        due = self.game.rules.due(self.state)
        return frozenset() if due == CHANCE else frozenset(q for q in range(self.seats) if due >> q & 1)

    @property
    def over(self) -> bool:
        return bool(self.game.rules.due(self.state) == 0)

    @property
    def result(self) -> dict[str, Any] | None:
        """The result, once the match is over."""
        return self.game.rules.result(self.state) if self.over else None

    @property
    def steps(self) -> Sequence[tuple[int, int]]:
        """The steps so far as numbers: who (CHANCE for chance), and which decision or outcome."""
        return self._steps

    def legal(self, seat: int) -> list[str]:
        """What a seat may decide now; [] for a seat that is not due."""
        return [self.game.rules.show(self.state, seat, a) for a in self.game.legal(self.state, seat)]

    def chance(self) -> dict[str, int]:
        """What chance may do now, with weights; {} while it is not due."""
        if self.game.rules.due(self.state) != CHANCE:
            return {}
        weights = self.game.chance(self.state)
        return {self.game.rules.show(self.state, CHANCE, o): w for o, w in enumerate(weights) if w}

    def play(self, who: Who, text: str, *, settle: bool | None = None) -> None:
        """Apply a seat's decision, or ("*") an outcome by hand; IllegalDecision if it is not allowed.

        Then chance acts until a seat is due, unless `settle` here or in the match is False.
        """
        if not isinstance(text, str):
            raise IllegalDecision(Message("core.decision.text"))
        who = self._who(who)
        self._apply(who, self._chosen(who, text))
        if self._settles if settle is None else settle:
            self.settle()

    def play_all(self, seat: int, texts: Sequence[str], *, settle: bool | None = None) -> None:
        """Apply a run of one seat's decisions, all or nothing; then chance acts as after `play`.

        If one of them is not allowed, IllegalDecision says which and why, and nothing has changed. No chance acts
        within the run: nobody can try a run again until the cards fall well.
        """
        if isinstance(texts, str) or not isinstance(texts, Sequence):
            raise IllegalDecision(Message("core.batch.list"))
        trial = self.copy()
        trial._ears = {}  # nobody hears what may not come to pass
        for number, text in enumerate(texts, 1):
            try:
                trial.play(seat, text, settle=False)
            except IllegalDecision as refusal:
                params = {"number": number, "of": len(texts), "text": _short(str(text)), "reason": refusal.message}
                raise IllegalDecision(Message("core.batch.refused", params)) from refusal
        for who, action in trial._steps[len(self._steps) :]:
            self._apply(who, action)
        if self._settles if settle is None else settle:
            self.settle()

    def signals(self, seat: int) -> list[str]:
        """What a seat may signal now; [] in a game without signals."""
        seat = self._seat(seat)
        return self.game.may_signal(self.state, seat, self._given)

    @property
    def given(self) -> tuple[Signal, ...]:
        """The signals given about what is to be decided now, as (seat, text); everyone has heard them."""
        return tuple(self._given)

    def signal(self, seat: int, text: str) -> None:
        """Give a signal: it is written down and everyone hears it; the state does not change.

        IllegalDecision if the game has none, or not this one, or not from this seat now.
        """
        if not self.game.signals:
            raise IllegalDecision(Message("core.signal.none", {"game": self.game.title}))
        if not isinstance(text, str) or text not in self.game.signals:
            params = {"text": _short(str(text)), "game": self.game.title, "signals": ", ".join(self.game.signals)}
            raise IllegalDecision(Message("core.signal.unknown", params))
        seat = self._seat(seat)
        if self.over:
            raise IllegalDecision(Message("core.decision.over"))
        k = self.game.know(self.state, seat)
        if text not in self.game.may_signal(k, seat, self._given):
            if self.game.may_signal(k, seat, []):
                raise IllegalDecision(Message("core.signal.limit", {"n": self.game.signal_limit}))
            raise IllegalDecision(self.game.module.refuse_signal(k, seat))
        self._given = [*self._given, (seat, text)]
        self.lines.append(f"! {seat} {text}")
        for ear in self._ears.values():
            ear.lines.append(self.lines[-1])

    def replay(self, line: str) -> None:
        """Apply one line as the record has it, `* deal 0 r5`, `0 claim` or `! 2 nod`; chance does nothing beyond it."""
        who, _, text = line.partition(" ")
        if who == "!":
            who, _, text = text.partition(" ")
            self.signal(int(who), text)
        else:
            self.play("*" if who == "*" else int(who), text, settle=False)

    def settle(self) -> None:
        """Let chance act until a seat is due or the match is over."""
        while self.game.rules.due(self.state) == CHANCE:
            self._apply(CHANCE, self.source.draw(self.game.chance(self.state), self.game.rules.pool(self.state)))

    def begun(self) -> Any:
        """A new state as this match began, before its first step: for whoever replays `steps`."""
        state = self.game.blank(self.seats, self.options, self.rules_version)
        self.game.rules.start(state)
        return state

    def copy(self) -> Match:
        """Another match at the same point; it shares the source of chance."""
        new = object.__new__(Match)
        new.__dict__.update(self.__dict__)
        new.state, new.tags = self.state.copy(), self.tags.copy()
        new.lines, new._steps = self.lines.copy(), self._steps.copy()
        new._ears = {seat: ear.copy() for seat, ear in self._ears.items()}
        return new

    # -------------------------------------------------------------- a seat's side
    def know(self, seat: int | None) -> Any:
        """What a seat (None: a spectator) knows, as a record: what bots and tensors are made from."""
        return self.game.know(self.state, self._seat(seat))

    def see(self, seat: int | None) -> Seen:
        """What a seat (None: a spectator) sees, may decide and has heard; computed from what it knows alone."""
        seat = self._seat(seat)
        if seat not in self._ears:
            self._ears[seat] = self._listen(seat)
        ear = self._ears[seat]
        legal = [] if seat == NOBODY else self.game.legal(ear.known, seat)
        seen = self._seen(ear.known, seat, list(ear.lines), legal)
        ear.may = dict(zip(seen.legal, legal, strict=True))
        return seen

    def preview(self, seat: int, texts: Sequence[str]) -> Seen:
        """What a seat would see after these decisions of its own, as far as they need no chance and no other seat.

        Computed in worlds imagined from what the seat knows: what those do not agree on is not foreseen, and the
        preview ends before it. A decision that is not allowed raises IllegalDecision. Nothing is committed.
        """
        seat = self._seat(seat)
        worlds = [self._imagined(seat, f"preview {i}") for i in range(PREVIEW_WORLDS)]
        lines = list(self.see(seat).heard)
        known = self.game.know(worlds[0], seat)
        for text in texts:
            if not self.game.rules.due(worlds[0]) >> seat & 1 or self.game.rules.due(worlds[0]) == CHANCE:
                break
            action = self._readable(worlds[0], seat, text)
            unopened = self._unopened(known, seat, action)
            if unopened is not None:
                lines += self.game.rules.hear(known, seat, action, unopened)
                known = unopened
                break
            for world in worlds:
                self.game.rules.step(world, seat, action)
            after = [self.game.know(world, seat) for world in worlds]
            if any(k != after[0] for k in after):
                break
            lines += self.game.rules.hear(known, seat, action, after[0])
            known = after[0]
        return self._seen(known, seat, lines, self.game.legal(known, seat))

    # -------------------------------------------------------------- the record
    def __str__(self) -> str:
        """The record, whole: no seed is needed to replay it."""
        head = [
            "tacit 1",
            f"game {self.game.name} {self.rules_version}",
            f"seats {self.seats}",
            f"options {_json(self.options)}",
            *(f"tag {name} {_json(text)}" for name, text in self.tags.items()),
        ]
        end = [f"= {_json(self.result)}"] if self.over else []
        return "\n".join(head + self.lines + end) + "\n"

    @classmethod
    def load(cls, text: str, *, chance: Chance | None = None, deck: object = None) -> Match:
        """The match that a record tells, tags and all; BadRecord names the first line that is wrong.

        A record that was played with another deck than the game's own needs that `deck`.

        Chance does not act beyond what the record says: call `settle` to go on where it is due.
        """
        from tacit.core.match_record import read

        return read(text, chance, deck)

    # -------------------------------------------------------------- inside
    def _seat(self, seat: int | None) -> int:
        if seat is None:
            return NOBODY
        if type(seat) is not int or not 0 <= seat < self.seats:
            raise IllegalDecision(Message("core.decision.nobody", {"given": str(seat)}))
        return seat

    def _who(self, who: Who) -> int:
        due = self.game.rules.due(self.state)
        if who == "*":
            if due != CHANCE:
                raise IllegalDecision(Message("core.decision.over" if due == 0 else "core.decision.no-chance"))
            return CHANCE
        seat = self._seat(who)
        if due == 0:
            raise IllegalDecision(Message("core.decision.over"))
        if due == CHANCE:
            raise IllegalDecision(Message("core.decision.chance"))
        if not due >> seat & 1:
            raise IllegalDecision(Message("core.decision.not-due", {"seat": seat}))
        return seat

    def _chosen(self, who: int, text: str) -> int:
        """The number of a decision or outcome, which is legal."""
        if who != CHANCE:
            ear = self._ears.get(who)
            if ear is not None and ear.may is not None and text in ear.may:
                return ear.may[text]
            return self._readable(self.game.know(self.state, who) if ear is None else ear.known, who, text)
        for outcome, weight in enumerate(self.game.chance(self.state)):
            if weight and self.game.rules.show(self.state, CHANCE, outcome) == text:
                return outcome
        raise IllegalDecision(Message("core.outcome.impossible", {"text": _short(text)}))

    def _readable(self, k: Any, seat: int, text: str) -> int:
        """The number of a seat's decision, judged by what the seat knows: so no refusal can tell it more."""
        action: int = self.game.rules.parse(k, seat, text)
        if action not in self.game.legal(k, seat):
            raise IllegalDecision(self.game.rules.refuse(k, seat, action))
        return action

    def _apply(self, who: int, action: int) -> None:
        text = self.game.rules.show(self.state, who, action)
        self.game.rules.step(self.state, who, action)
        self.lines.append(f"{'*' if who == CHANCE else who} {text}")
        self._steps.append((who, action))
        occasion = self.game.occasion(self.state)
        if occasion != self._occasion:
            self._occasion, self._given = occasion, []
        for ear in self._ears.values():
            ear.hear(who, action, self.state)

    def _listen(self, seat: int) -> _Ear:
        """A seat's ear that has heard the whole match."""
        state = self.begun()
        ear = _Ear(self.game, seat, state)
        steps = iter(self._steps)
        for line in self.lines:
            if line.startswith("!"):
                ear.lines.append(line)
                continue
            who, action = next(steps)
            self.game.rules.step(state, who, action)
            ear.hear(who, action, state)
        return ear

    def _seen(self, k: Any, seat: int, heard: list[str], legal: list[int]) -> Seen:
        given = self._given if self.game.occasion(k) == self._occasion else []
        view = self.game.rules.view(k, seat, given) if self.game.signals else self.game.rules.view(k, seat)
        texts = [self.game.rules.show(k, seat, a) for a in legal]
        return Seen(view, texts, heard, self.game.may_signal(k, seat, given))

    def _unopened(self, k: Any, seat: int, action: int) -> Any:
        """What a seat would know after a choice that opens all sealed ones, were the others not yet done.

        None if this choice opens none, as always in a game without sealed choices (which has no rule `alone`).
        """
        alone = getattr(self.game.module, "alone", None)
        if alone is None or self.game.rules.due(k) != 1 << seat:
            return None
        world = k.copy()
        alone(world, seat)
        if world == k:
            return None
        self.game.rules.imagine(world, seat, stream("alone"))
        self.game.rules.step(world, seat, action)
        return None if self.game.rules.due(world) >> seat & 1 else self.game.know(world, seat)

    def _imagined(self, seat: int, key: str) -> Any:
        world = self.game.know(self.state, seat)
        self.game.rules.imagine(world, seat, stream(key))
        return world


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:39] + "…"
