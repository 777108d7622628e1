"""Stepping through a record from one seat's eyes."""

from __future__ import annotations

from collections.abc import Callable

from rich.console import Console

from tacit.core.match import Match
from tacit.terminal.screen import names_of, table

HELP = """\
Enter  one step on        b      one step back
12     to step 12         e      to the end
s 1    seat 1's eyes      s -    a spectator's eyes
?      this page          q      stop"""


class Replay:
    """A record, how far it has been stepped through, and whose eyes are used."""

    def __init__(self, match: Match, seat: int | None) -> None:
        self.whole, self.seat = match, seat
        self.at = 0
        self.match = self._until(0)

    @property
    def steps(self) -> int:
        return len(self.whole.lines)

    def go(self, at: int) -> None:
        """To the position after `at` steps."""
        at = max(0, min(self.steps, at))
        if at < self.at:
            self.match, self.at = self._until(at), at
        while self.at < at:
            self.match.replay(self.whole.lines[self.at])
            self.at += 1

    def _until(self, at: int) -> Match:
        whole = self.whole
        match = Match(
            whole.game, whole.seats, whole.options, settle=False, tags=whole.tags, rules_version=whole.rules_version
        )
        for line in self.whole.lines[:at]:
            match.replay(line)
        return match

    def command(self, answer: str) -> str | None:
        """Do what was typed; what to say about it, if anything. EOFError to stop."""
        if answer in ("", "n"):
            self.go(self.at + 1)
        elif answer == "b":
            self.go(self.at - 1)
        elif answer == "e":
            self.go(self.steps)
        elif answer.isdecimal():
            self.go(int(answer))
        elif answer in ("s -", "s"):
            self.seat = None
        elif answer.startswith("s ") and answer[2:].isdecimal() and int(answer[2:]) < self.whole.seats:
            self.seat = int(answer[2:])
        elif answer == "q":
            raise EOFError
        else:
            return HELP
        return None

    def draw(self, console: Console) -> None:
        names = names_of(self.whole)
        seen = self.match.see(self.seat)
        before = self._until(max(0, self.at - 1)).see(self.seat).heard
        since = len(before) if seen.heard[: len(before)] == before else 0  # a curtain may have fallen
        console.print(table(self.match, seen, names, since))
        eyes = "a spectator's eyes" if self.seat is None else f"the eyes of {names[self.seat]}"
        console.print(f"Step {self.at} of {self.steps}, through {eyes}.", style="dim")


def run(replay: Replay, console: Console, read: Callable[[str], str]) -> None:
    """The loop at the keyboard."""
    console.print(HELP, highlight=False, style="dim")
    replay.draw(console)
    while True:
        try:
            said = replay.command(read("> ").strip())
        except (EOFError, KeyboardInterrupt):
            return
        if said is not None:
            console.print(said, highlight=False)
        else:
            replay.draw(console)
