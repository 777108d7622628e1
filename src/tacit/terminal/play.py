"""A match in the terminal: people at the keyboard, bots on the other seats."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from rich.console import Console

from tacit.bots import Bot, Budget, Dice, Fault, PythonBot, Runner, bot_named, usual_bot
from tacit.bots.heard_events import HeardEvents, turn_of
from tacit.core.chance import RNG_WORDS
from tacit.core.errors import TacitError
from tacit.core.match import Match, Seen
from tacit.core.messages import render
from tacit.terminal.screen import choices, drawing, names_of, table

HELP = """\
Type a number to decide, or the decision itself as it stands in records (“play r5”).
  p 3   shows the table as it would be after decision 3, and decides nothing
  l     all that you have heard so far
  w     wait, where others may decide too
  ! nod gives a signal, where the game has them
  ?     this page, and what you may decide, as it is written down
  q     save the match and stop"""

BUDGET = Budget(milliseconds=1000)


class Stopped(Exception):
    """The person at the keyboard wants to stop."""


class Table:
    """One match, the people at it, and the keyboard."""

    def __init__(
        self, match: Match, people: Sequence[int], console: Console, read: Callable[[str], str],
        bots: Mapping[int, Bot] | None = None,
    ) -> None:  # fmt: skip
        self.match, self.people, self.console, self.read = match, list(people), console, read
        usual = bot_named(match.game, usual_bot(match.game))
        self.bots = {
            q: Runner(match.game, (bots or {}).get(q, usual), self.excuse)
            for q in range(match.seats)
            if q not in people
        }
        self.listener = HeardEvents(match)
        self.names = names_of(match)
        self.told = dict.fromkeys(people, 0)  # heard lines each person has been shown
        self.chance = random.SystemRandom()

    def run(self) -> None:
        """Play to the end; Stopped if someone wants to stop before."""
        self.match.settle()
        self.prepare()
        at_keyboard = self.people[0] if self.people else None
        while not self.match.over:
            due = sorted(self.match.due)
            waiting = [q for q in due if q not in self.people]
            decided = False
            for seat in [q for q in due if q in self.people]:
                if seat != at_keyboard:
                    self.hand_over(seat)
                    at_keyboard = seat
                decided = self.decide(seat, may_wait=len(due) > 1)
                if decided:
                    break
            if not decided:
                self.let_decide(self.chance.choice(waiting or due))
        watcher = self.people[0] if self.people else None
        since = self.told.get(watcher) if watcher is not None else None
        self.console.print(table(self.match, self.match.see(watcher), self.names, since))

    def prepare(self) -> None:
        """Let bots compile what they think with: a minute at most, once on a machine. Who does not wait gets what a bot
        decides without it."""
        for runner in self.bots.values():
            bot, name = runner.bot, runner.bot.name
            if not self.match.over and isinstance(bot, PythonBot) and hasattr(bot, "warm_up") and not bot.warm:
                turn = turn_of(self.match, min(self.match.due), self.listener, self.dice(), BUDGET)
                try:
                    with self.console.status(f"{name} gets ready: a minute at most, the first time (Ctrl-C: go on)"):
                        bot.warm_up(turn)
                except KeyboardInterrupt:
                    self.console.print(f"{name} is not ready: until it is, it decides more simply.", style="dim")
                    return

    def dice(self) -> Dice:
        return Dice([self.chance.getrandbits(32) for _ in range(RNG_WORDS)])

    def let_decide(self, seat: int) -> None:
        """A bot's decision; a person who waits where only people are due leaves it to a bot too."""
        runner = self.bots.get(seat) or Runner(self.match.game, bot_named(self.match.game, "random"))
        text = runner.ask(turn_of(self.match, seat, self.listener, self.dice(), BUDGET), self.match.signals(seat))
        if text.startswith("! "):
            self.match.signal(seat, text[2:])
        else:
            self.match.play(seat, text)

    def excuse(self, fault: Fault) -> None:
        self.console.print(
            f"{fault.bot} on seat {fault.seat} failed ({fault.kind}); {fault.instead} decided for it.", style="dim"
        )

    def hand_over(self, seat: int) -> None:
        """Several people share one keyboard: nobody sees another's cards."""
        self.console.clear()
        self.ask(f"{self.names[seat]}, press Enter when only you can see the screen. ")

    def ask(self, question: str) -> str:
        try:
            return self.read(question).strip()
        except (EOFError, KeyboardInterrupt):
            raise Stopped from None

    def decide(self, seat: int, may_wait: bool) -> bool:
        """One decision of a person; False if they would rather wait."""
        seen = self.match.see(seat)
        self.show(seat, seen)
        own = drawing(self.match.game)
        arrange = getattr(own, "arrange", None)
        staged = arrange(self.console, seen.view) if arrange is not None else None
        if staged:
            return self.play(seat, staged)
        confirm = getattr(own, "CONFIRM", False) and len(seen.legal) > 1
        while True:
            answer = self.ask("Your decision (? for help): ")
            if answer in ("q", "quit"):
                raise Stopped
            if answer == "w":
                if may_wait:
                    return False
                self.console.print("Nobody else can decide now.")
            elif answer == "l":
                for line in seen.heard:
                    self.console.print(render(self.match.game.rules.tell(line), names=self.names), style="italic")
            elif answer in ("?", "h", "help"):
                self.console.print(HELP, highlight=False)
                self.console.print("Now: " + ", ".join(seen.legal), style="dim", highlight=False)
            elif answer.startswith("!"):
                self.signal(seat, answer[1:].strip())
                seen = self.match.see(seat)
            elif answer.startswith("p ") or answer == "p":
                self.preview(seat, self.text(answer[1:].strip(), seen))
            elif answer:
                text = self.text(answer, seen)
                if confirm and not self.confirmed(seat, text):
                    continue
                if self.play(seat, [text]):
                    return True

    def show(self, seat: int, seen: Seen) -> None:
        self.console.print(table(self.match, seen, self.names, self.told[seat]))
        self.told[seat] = len(seen.heard)
        self.console.print(choices(self.match, seen.legal, self.names, self.console))
        if seen.signals:
            self.console.print(
                "Signals: " + ", ".join(f"! {text}" for text in seen.signals), style="dim", highlight=False
            )

    def text(self, answer: str, seen: Seen) -> str:
        """A number in the list, or the decision itself."""
        if answer.isdecimal() and 1 <= int(answer) <= len(seen.legal):
            return seen.legal[int(answer) - 1]
        return answer

    def play(self, seat: int, texts: list[str]) -> bool:
        try:
            if len(texts) == 1:
                self.match.play(seat, texts[0])
            else:
                self.match.play_all(seat, texts)
        except TacitError as error:
            if texts[0].isdecimal():
                self.console.print(f"There is no decision {texts[0]} in the list.", style="red")
            else:
                self.console.print(str(error), style="red", highlight=False)
            return False
        return True

    def signal(self, seat: int, text: str) -> None:
        try:
            self.match.signal(seat, text)
        except TacitError as error:
            self.console.print(str(error), style="red", highlight=False)
        else:
            line = self.match.see(seat).heard[-1]
            self.console.print(render(self.match.game.rules.tell(line), names=self.names), style="italic")

    def preview(self, seat: int, text: str) -> bool:
        try:
            seen = self.match.preview(seat, [text])
        except TacitError as error:
            self.console.print(str(error), style="red", highlight=False)
            return False
        self.console.print(table(self.match, seen, self.names, len(self.match.see(seat).heard)))
        self.console.print("This is how it would be; nothing is decided yet.", style="dim")
        return True

    def confirmed(self, seat: int, text: str) -> bool:
        return self.preview(seat, text) and self.ask("Enter to decide so, anything else to choose again: ") == ""


def save(match: Match, path: Path) -> None:
    """Write the record so that it is either the old file or the whole new one."""
    part = path.with_name(path.name + ".part")
    part.write_text(str(match), encoding="utf-8")
    part.replace(path)
