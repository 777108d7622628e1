"""Step through a record as one seat or a spectator sees it."""

from __future__ import annotations

from collections.abc import Callable

from rich.console import Console

from tacit.core.match import Match
from tacit.core.notebook import names_of
from tacit.terminal.screen import table

HELP = """\
Enter  next step          b      previous step
12     go to step 12      e      go to the end
s 1    view of seat 1     s -    view of a spectator
?      this help          q      quit"""


class Replay:
    """A record, the current step, and the seat whose view is shown (None: a spectator's)."""

    def __init__(self, match: Match, seat: int | None) -> None:
        self.whole, self.seat = match, seat
        self.at = 0
        self.match = self._until(0)

    @property
    def steps(self) -> int:
        return len(self.whole.lines)

    def go(self, at: int) -> None:
        """Go to the position after `at` steps."""
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
        """Run a typed command; returns a text to print instead of the position, or None. Raises EOFError on q."""
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
        since = len(before) if seen.heard[: len(before)] == before else 0  # heard lines may have been withdrawn (rare)
        console.print(table(self.match, seen, names, since))
        viewer = "a spectator" if self.seat is None else names[self.seat]
        console.print(f"Step {self.at} of {self.steps}, as {viewer} sees it.", style="dim")


def run(replay: Replay, console: Console, read: Callable[[str], str]) -> None:
    """Read and run commands until q."""
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
