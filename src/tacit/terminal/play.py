"""Play a match in the terminal: people at one keyboard, bots on the other seats."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from rich.console import Console

from tacit.bots import Bot, Budget, Fault, MatchBots, PythonBot, Runner, bot_named, usual_bot
from tacit.core.errors import TacitError
from tacit.core.match import Match, SeatView
from tacit.core.messages import render
from tacit.core.notebook import names_of
from tacit.terminal.screen import choices, table, worked_out

HELP = """\
Type a number to decide, or the decision as records write it (“play r5”).
  p 3   preview decision 3; nothing is decided
  l     everything you have heard so far
  k     what you can work out of hidden cards
  w     wait and let others decide first, where they may
  u     take back your last decision, while nobody was told of it
  ! nod give a signal, in games with signals
  ?     this help, and your legal decisions as records write them
  q     save the match and stop"""

BUDGET = Budget(milliseconds=1000)  # for each decision of a bot


class Stopped(Exception):
    """A person typed q, or closed the input."""


class TerminalSession:
    """One match played at this terminal.

    `people` are the seats of the people at the keyboard; `bots` the bots of the other seats (default: the usual bot).
    """

    def __init__(
        self, match: Match, people: Sequence[int], console: Console, read: Callable[[str], str],
        bots: Mapping[int, Bot] | None = None,
    ) -> None:  # fmt: skip
        self.match, self.people, self.console, self.read = match, list(people), console, read
        usual = bot_named(match.game, usual_bot(match.game))
        waiting = bot_named(match.game, "random")  # decides for a person who waits when no other seat is due
        runners = {
            q: Runner(match.game, waiting if q in people else (bots or {}).get(q, usual), self.report_fault)
            for q in range(match.seats)
        }
        self.bots = MatchBots(match, runners, BUDGET)
        self.names = names_of(match)
        self.shown = dict.fromkeys(people, 0)  # how many heard lines each person has been shown
        self.chance = random.SystemRandom()

    def run(self) -> None:
        """Play the match to its end; raises Stopped if a person stops before."""
        self.match.settle()
        self.warm_up()
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
                self.bots.play(self.chance.choice(waiting or due))
        self.bots.close()
        watcher = self.people[0] if self.people else None
        since = self.shown.get(watcher) if watcher is not None else None
        self.console.print(table(self.match, self.match.see(watcher), self.names, since))

    def warm_up(self) -> None:
        """Let the bots compile their rules: at most a minute, once on a machine. Ctrl-C skips it; they play weaker."""
        for runner in self.bots.runners.values():
            bot, name = runner.bot, runner.bot.name
            if not self.match.over and isinstance(bot, PythonBot) and hasattr(bot, "warm_up") and not bot.warm:
                try:
                    with self.console.status(f"Compiling {name}: up to a minute, the first time (Ctrl-C skips it)"):
                        bot.warm_up(self.bots.turn(min(self.match.due)))
                except KeyboardInterrupt:
                    self.console.print(f"{name} is not ready: it plays weaker until it is compiled.", style="dim")
                    return

    def report_fault(self, fault: Fault) -> None:
        self.console.print(
            f"{fault.bot} on seat {fault.seat} failed ({fault.kind}); {fault.instead} decided for it.", style="dim"
        )

    def hand_over(self, seat: int) -> None:
        """Clear the screen and wait for the next person, so that nobody sees another's cards."""
        self.console.clear()
        self.ask(f"{self.names[seat]}, press Enter when only you can see the screen. ")

    def ask(self, question: str) -> str:
        try:
            return self.read(question).strip()
        except (EOFError, KeyboardInterrupt):
            raise Stopped from None

    def decide(self, seat: int, may_wait: bool) -> bool:
        """Ask a person for one decision; False if they wait for others."""
        seen = self.match.see(seat)
        self.show(seat, seen)
        terminal = self.match.game.terminal
        arranged = terminal.arrange(self.console, seen.view) if terminal.arrange is not None else None
        if arranged:
            return self.play(seat, arranged)
        confirm = terminal.CONFIRM and len(seen.legal) > 1
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
            elif answer == "k":
                self.console.print(worked_out(self.match.outlook(seat), self.names), highlight=False)
            elif answer in ("?", "h", "help"):
                self.console.print(HELP, highlight=False)
                self.console.print("Now: " + ", ".join(seen.legal), style="dim", highlight=False)
            elif answer == "u":
                if self.undo(seat):
                    return True
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

    def show(self, seat: int, seen: SeatView) -> None:
        self.console.print(table(self.match, seen, self.names, self.shown[seat]))
        self.shown[seat] = len(seen.heard)
        self.console.print(choices(self.match, seen.legal, self.names, self.console))
        if seen.signals:
            self.console.print(
                "Signals: " + ", ".join(f"! {text}" for text in seen.signals), style="dim", highlight=False
            )

    def text(self, answer: str, seen: SeatView) -> str:
        """The decision with that number in the list, or the answer as it is."""
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

    def undo(self, seat: int) -> bool:
        """Take back the seat's last decision, or that of another person here who is done; False if there is none.

        Who is done is not asked again: so whoever sits at the keyboard now may give the turn back to them.
        """
        for one in [seat, *(q for q in self.people if q not in self.match.due)]:
            if self.match.undoable(one) is not None:
                self.match.undo(one)
                self.shown[one] = min(self.shown[one], len(self.match.see(one).heard))
                return True
        self.console.print("There is nothing that can be taken back.")
        return False

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
        self.console.print("This is a preview; nothing is decided yet.", style="dim")
        return True

    def confirmed(self, seat: int, text: str) -> bool:
        return self.preview(seat, text) and self.ask("Press Enter to confirm, or type anything to choose again: ") == ""


def save(match: Match, path: Path) -> None:
    """Write the record atomically: the file is either the old one or the complete new one."""
    part = path.with_name(path.name + ".part")
    part.write_text(str(match), encoding="utf-8")
    part.replace(path)
