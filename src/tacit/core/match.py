"""A match: its record, and the state that replaying the record gives."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from sys import intern
from typing import TYPE_CHECKING, Any, Generic, Literal, Self

from tacit.core.chance import Chance, Seeded, System, stream
from tacit.core.errors import IllegalDecision
from tacit.core.game import Game, OptionValue, Signal, whole
from tacit.core.hearing import Hearing
from tacit.core.messages import Message
from tacit.core.random_play import CHANCE, NOBODY
from tacit.core.registry import game_named
from tacit.core.seat_view import SeatView, Sight, State, View
from tacit.core.undo import is_done, undoable_line, without

if TYPE_CHECKING:
    from tacit.core.outlook import Outlook

__all__ = ["ANNULLED", "PREVIEW_WORLDS", "Match", "SeatView", "State", "View", "Who"]
Who = int | Literal["*"]
ANNULLED = "# annulled "  # a comment of the record: a decision that was taken back
PREVIEW_WORLDS = 8  # this many imagined worlds are unlikely to agree by accident on a hidden card


class Match(Generic[State, View]):
    """One match of a game: its record, and the state that replaying the record gives.

    `see` gives what one seat may be told, `preview` what its decisions would bring. All other attributes and methods
    are for whoever runs the match: they know everything.

    Args:
        game: The game's name (`tacit.game_names()` lists them), or a `Game`.
        seats: How many seats; a game says how many it has room for (`Game.min_seats`, `Game.max_seats`).
        options: The game's options by name (`Game.options`); what is left out has its default.
        seed: Makes chance reproducible. It drives chance alone. Without a seed chance is the operating system's.
        chance: Another source of chance than a seed gives: `System()`, `Seeded(seed)` or `Paired(seed)`.
        settle: Whether chance acts by itself until a seat is due. With False it acts when `settle` is called.
        tags: Names and texts that are written into the record, as `{"event": "club night"}`.
        deck: The text of another deck, in a game whose deck can be exchanged (Silver & Gold).
        rules_version: An older version of the rules; None is the newest.

    Raises:
        UnknownGame: No game has this name.
        BadOptions: The seats, an option or the rules version are not possible.
        BadDeck: The deck cannot be used; the error lists every fault.

    Attributes:
        game: The game, a `Game`.
        seats: How many seats the match has.
        options: Every option with its value, defaults filled in.
        rules_version: The version of the rules that the match is played by.
        tags: The record's tags.
        source: Where chance comes from.
        state: The whole state, secrets and all: a plain record with the fields of the game's `State`.
        lines: The record's steps and signals so far: `* deal 0 r5`, `0 claim`, `! 2 nod`.
        annulled: Decisions that were taken back: the number of lines before each, and its line.
        moment_began: How many lines there were when the choices that are sealed now began; None where none are.
        reopened: The seats that were done in this moment and took that back.

    Examples:
        >>> match = Match("silencio", seats=3, options={"tavern": True}, seed=7)
        >>> sorted(match.due), match.legal(0)
        ([0, 1, 2], ['claim'])
        >>> match.play(0, "claim")
        >>> match.play(1, "claim")
        Traceback (most recent call last):
        tacit.core.errors.IllegalDecision: It is not for seat 1 to decide now.
        >>> match.see(0).view.hand[0].card
        'r5'
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
        self.options = self.game.check(seats := whole(seats), options)
        self.rules_version = self.game.check_rules(rules_version)
        self.seats = seats
        self.tags = dict(tags or {})
        self.source: Chance = chance or (System() if seed is None else Seeded(whole(seed)))
        self.state: State = self.begun()
        self.lines: list[str] = []
        self.annulled: list[tuple[int, str]] = []
        self._steps: list[tuple[int, int]] = []
        self._given: list[Signal] = []  # the signals on the present occasion; replaced, never changed in place
        self._occasion = self.game.occasion(self.state)
        self._hearings: dict[int, Hearing] = {}
        self._settles = settle
        self._note_moment(self.game.rules.sealed(self.state))
        if settle:
            self.settle()

    # -------------------------------------------------------------- the host's side
    @property
    def due(self) -> frozenset[int]:
        """The seats that may decide now; empty while chance is due and when the match is over."""
        due = self.due_bits
        return frozenset(q for q in range(self.seats) if due >> q & 1)

    @property
    def _due(self) -> int:
        """CHANCE, or the seats that are due, a bit for each; 0 when the match is over."""
        due: int = self.game.rules.due(self.state)
        return due

    @property
    def due_bits(self) -> int:
        """The same, a bit for each seat."""
        due = self._due
        return 0 if due == CHANCE else due

    @property
    def over(self) -> bool:
        """True once the match has ended."""
        return self._due == 0

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
        if self._due != CHANCE:
            return {}
        weights = self.game.chance(self.state)
        return {self.game.rules.show(self.state, CHANCE, o): w for o, w in enumerate(weights) if w}

    def play(self, who: Who, text: str, *, settle: bool | None = None) -> None:
        """Apply a decision, `text`, of the seat `who`; or, if that is "*", an outcome by hand.

        Then chance acts until a seat is due, unless `settle` here or in the match is False. Raises IllegalDecision if
        it is not allowed: then nothing has changed.
        """
        if not isinstance(text, str):
            raise IllegalDecision(Message("core.decision.text"))
        who = self._who(who)
        self._apply_all([(who, self._chosen(who, text))], settle)

    def play_all(self, seat: int, texts: Sequence[str], *, settle: bool | None = None) -> None:
        """Apply a run of one seat's decisions, `texts`, all or none; then chance acts as after `play`, by `settle`.

        Raises IllegalDecision, which names the first decision that is not allowed; then nothing has changed. Chance
        does not act within the run: a seat cannot retry a run until the cards suit it.
        """
        if isinstance(texts, str) or not isinstance(texts, Sequence):
            raise IllegalDecision(Message("core.batch.list"))
        trial = self.copy()
        trial._hearings = {}  # no seat hears steps that may be undone
        for number, text in enumerate(texts, 1):
            try:
                trial.play(seat, text, settle=False)
            except IllegalDecision as refusal:
                params = {"number": number, "of": len(texts), "text": _short(str(text)), "reason": refusal.message}
                raise IllegalDecision(Message("core.batch.refused", params)) from refusal
        self._apply_all(trial._steps[len(self._steps) :], settle)

    def apply(self, who: int, action: int) -> None:
        """Apply one step by numbers: a seat's `action`, or an outcome with `who` CHANCE. It must be legal: no check.

        Chance does not act afterwards: call `settle`.
        """
        rules, state = self.game.rules, self.state
        text = rules.show(state, who, action)
        rules.step(state, who, action)
        self.lines.append(intern(f"* {text}" if who == CHANCE else f"{who} {text}"))  # as in hearing.py
        self._steps.append((who, action))
        self._note_occasion()
        for hearing in self._hearings.values():
            hearing.step(who, action, state)
        moment = rules.sealed(state)
        if who == CHANCE or moment != self._moment:
            self._note_moment(moment)

    def _note_occasion(self) -> None:
        """Signals may be about something else now."""
        if self.game.signals and (occasion := self.game.occasion(self.state)) != self._occasion:
            self._occasion, self._given = occasion, []

    def _note_moment(self, moment: int) -> None:
        """Another moment has begun: what was decided before it stays. It has a number while choices are sealed."""
        self._moment = moment
        self.reopened: frozenset[int] = frozenset()  # seats that were done in this moment and took that back
        self.moment_began = len(self.lines) if self._moment else None

    def _apply_all(self, steps: Sequence[tuple[int, int]], settle: bool | None) -> None:
        for who, action in steps:
            self.apply(who, action)
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
        """Give a signal, `text`: it is written into the record and everyone hears it; the state does not change.

        Raises IllegalDecision if the game has no such signal, or this seat may not give it now.
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
            assert self.game.rules.refuse_signal is not None  # the contract: a game with signals has it
            raise IllegalDecision(self.game.rules.refuse_signal(k, seat))
        self._given = [*self._given, (seat, text)]
        self.lines.append(f"! {seat} {text}")
        for hearing in self._hearings.values():
            hearing.signal(self.lines[-1])

    def undoable(self, seat: int) -> str | None:
        """The last decision of a seat, as its text, if the seat may take it back now; else None.

        It may while the choices of this moment are sealed: nobody was told of them (core/undo.py).
        """
        at = undoable_line(self, self._seat(seat))
        return None if at is None else self.lines[at].partition(" ")[2]

    def undo(self, seat: int) -> None:
        """Take back the last decision of a seat: the match is as if it had not been made, and the record annuls it.

        Raises IllegalDecision if it cannot be taken back (`undoable`); then nothing has changed.
        """
        at = undoable_line(self, self._seat(seat))
        if at is None:
            raise IllegalDecision(Message("core.undo.none"))
        if is_done(self, seat):
            self.reopened |= {seat}
        again = without(self, at)
        self.state, self.lines, self._steps, self.annulled = again.state, again.lines, again._steps, again.annulled
        self._hearings, self._given, self._occasion = again._hearings, again._given, again._occasion

    def replay(self, line: str) -> None:
        """Apply one line as the record has it, `* deal 0 r5`, `0 claim` or `! 2 nod`; chance does nothing beyond it.

        `- 0 claim` takes back what seat 0 decided last, which must be this.
        """
        who, _, text = line.partition(" ")
        if who == "!":
            who, _, text = text.partition(" ")
            self.signal(int(who), text)
        elif who == "-":
            who, _, text = text.partition(" ")
            if self.undoable(int(who)) != text:
                raise IllegalDecision(Message("core.undo.none"))
            self.undo(int(who))
        else:
            self.play("*" if who == "*" else int(who), text, settle=False)

    def settle(self) -> None:
        """Let chance act until a seat is due or the match is over."""
        if not self._steps and self.game.rules.overhear is not None:
            self._deal()
        while self._due == CHANCE:
            self.apply(CHANCE, self._drawn())

    def _deal(self) -> None:
        """Let chance make the first steps of a match. What seats know is worked out once, after the last of them; or
        before the first that `overhear` leaves out, because it is not heard or not for long."""
        rules, state = self.game.rules, self.state
        heard = [(hearing, list[str]()) for hearing in self._hearings.values()]
        left_out: int | None = None
        try:
            while rules.due(state) == CHANCE:
                outcome = self._drawn()
                line = intern(f"* {rules.show(state, CHANCE, outcome)}")
                told = [hearing.overheard(outcome, line, state) for hearing, _ in heard]
                if not all(told):
                    left_out = outcome
                    break
                for (_, lines), new in zip(heard, told, strict=True):
                    lines += new
                rules.step(state, CHANCE, outcome)
                self.lines.append(line)
                self._steps.append((CHANCE, outcome))
        finally:
            for hearing, lines in heard:
                hearing.dealt(lines, state)
            self._note_occasion()
            self._note_moment(rules.sealed(state))
        if left_out is not None:
            self.apply(CHANCE, left_out)

    def _drawn(self) -> int:
        """What chance does next."""
        return self.source.draw(self.game.chance(self.state), self.game.rules.pool(self.state))

    def begun(self) -> State:
        """A new state as it was before the first step, for replaying `steps`."""
        state: Any = self.game.blank_of(self.seats, self.options, self.rules_version)
        self.game.rules.start(state)
        return state  # type: ignore[no-any-return]

    def copy(self) -> Self:
        """Another match at the same point; it shares the source of chance."""
        new = object.__new__(type(self))
        new._copy_facts(self)
        state: Any = self.state
        new.state = state.copy()
        new._hearings = {seat: hearing.copy() for seat, hearing in self._hearings.items()}
        return new

    def _copy_facts(self, of: Match[State, View]) -> None:
        """Copy all of another match but its state and what seats have heard."""
        # One by one: an object whose `__dict__` was asked for is slower from then on.
        self.game, self.options, self.rules_version, self.seats = of.game, of.options, of.rules_version, of.seats
        self.source, self._settles, self._moment = of.source, of._settles, of._moment
        self.reopened, self.moment_began = of.reopened, of.moment_began
        self._given, self._occasion = of._given, of._occasion
        self.tags = of.tags.copy()
        self.lines, self._steps, self.annulled = of.lines.copy(), of._steps.copy(), of.annulled.copy()

    # -------------------------------------------------------------- a seat's side
    def know(self, seat: int | None) -> State:
        """What a seat (None: a spectator) knows, as a record: what bots and tensors are made from."""
        return self.game.know(self.state, self._seat(seat))  # type: ignore[no-any-return]

    def see(self, seat: int | None) -> SeatView[View]:
        """What a seat (None: a spectator) sees, may decide and has heard; computed from what it knows alone."""
        hearing = self.hearing(seat)
        undo = None if seat is None or self.moment_began is None else self.undoable(seat)
        return self._seen(hearing.known, hearing.seat, list(hearing.lines), list(hearing.legal()), undo)

    def sights(self, seats: Iterable[int | None]) -> dict[int | None, Sight]:
        """What these seats (None: a spectator) see, encoded."""
        return {seat: Sight.of(self.see(seat)) for seat in seats}

    def is_news(self, seat: int | None, since: Match[State, View]) -> bool:
        """False only if `see` gives a seat (None: a spectator) what it gave in `since`, an earlier copy of it."""
        number = self._seat(seat)
        now, then = self._hearings.get(number), since._hearings.get(number)
        if now is None or then is None or now.lines is not then.lines:  # replaced by all that tells the seat anything
            return True
        signalled = self._given is not since._given or self._occasion != since._occasion
        return signalled or (seat is not None and self.undoable(seat) != since.undoable(seat))

    def hearing(self, seat: int | None) -> Hearing:
        """What a seat (None: a spectator) has heard; it follows the match from now on. Do not change it."""
        number = self._seat(seat)
        if number not in self._hearings:
            self._hearings[number] = self._heard_from_start(number)
        return self._hearings[number]

    def preview(self, seat: int, texts: Sequence[str]) -> SeatView[View]:
        """What a seat would see after `texts`, decisions of its own, as far as they need no chance and no other seat.

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
        texts = [self.game.rules.show(known, seat, action) for action in self.game.legal(known, seat)]
        return self._seen(known, seat, lines, texts)

    def why(self, seat: int, better: str, worse: str | None = None) -> Message | None:
        """Why a seat does well to decide so, or better so than `worse`, by what it sees, in words of the game.

        None if the game gives no reasons, or if nothing tells the two apart. A decision that is not allowed raises
        IllegalDecision.
        """
        if self.game.rules.why is None:
            return None
        return self.game.rules.why(self.see(seat).view, lambda text: self.preview(seat, [text]).view, better, worse)

    def outlook(self, seat: int) -> Outlook:
        """What a seat can work out of hidden cards, from what it knows and has heard: where they can be, how likely."""
        from tacit.core.outlook import outlook

        return outlook(self.game, self.know(seat), self._seat(seat))

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
        lines = list(self.lines)
        for number, line in reversed(self.annulled):
            lines.insert(number, f"{ANNULLED}{line}")
        end = [f"= {_json(self.result)}"] if self.over else []
        return "\n".join(head + lines + end) + "\n"

    @classmethod
    def load(cls, text: str, *, chance: Chance | None = None, deck: object = None) -> Match:
        """The match of a record, `text`, with its tags. Raises BadRecord, which names the first line that is wrong.

        A record that was played with another deck than the game's own needs that `deck`. Chance does not act beyond
        what the record says: call `settle` to go on where it is due; then it comes from `chance`, or from the system.
        """
        from tacit.core.match_record import read

        return read(text, chance, deck)

    def _repr_html_(self) -> str:
        """For notebooks: what a spectator sees."""
        from tacit.core.notebook import of_match

        return of_match(self)

    # -------------------------------------------------------------- inside
    def _seat(self, seat: int | None) -> int:
        if seat is None:
            return NOBODY
        seat = seat if type(seat) is int else whole(seat)
        if type(seat) is not int or not 0 <= seat < self.seats:
            raise IllegalDecision(Message("core.decision.nobody", {"given": str(seat)}))
        return seat

    def _who(self, who: Who) -> int:
        due = self._due
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
            hearing = self._hearings.get(who)
            if hearing is None:
                return self._readable(self.game.know(self.state, who), who, text)
            if hearing.decisions is not None and text in hearing.decisions:
                return hearing.decisions[text]
            return self._readable(hearing.known, who, text)
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

    def _heard_from_start(self, seat: int) -> Hearing:
        """What a seat has heard of the whole match so far."""
        state = self.begun() if self.lines else self.state
        hearing = Hearing(self.game, seat, state)
        steps = iter(self._steps)
        for line in self.lines:
            if line.startswith("!"):
                hearing.signal(line)
                continue
            who, action = next(steps)
            self.game.rules.step(state, who, action)
            hearing.step(who, action, state)
        return hearing

    def _seen(self, k: Any, seat: int, heard: list[str], legal: list[str], undo: str | None = None) -> SeatView[View]:
        game = self.game
        if not game.signals:
            return SeatView(game.rules.view(k, seat), legal, heard, [], undo)
        given = self._signals_seen(k)
        return SeatView(game.rules.view(k, seat, given), legal, heard, game.may_signal(k, seat, given), undo)

    def _signals_seen(self, k: Any) -> Sequence[Signal]:
        return self._given if self.game.occasion(k) == self._occasion else []

    def _unopened(self, k: Any, seat: int, action: int) -> Any:
        """What a seat would know after a choice that opens all sealed ones, had no other seat chosen.

        None if this choice opens none, as always in a game without the rule `alone`.
        """
        alone = self.game.rules.alone
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
