"""Plays matches of a job, here and now; what every worker, on this machine or another, runs."""

from __future__ import annotations

import contextlib
import os
import queue
import threading
from collections.abc import Sequence
from typing import Any

from tacit.arena.compiled_match import Course, Table
from tacit.arena.job import Job
from tacit.arena.played import Played
from tacit.arena.python_match import play_python_match
from tacit.bots import paired_play
from tacit.bots.compiled import CompiledBot
from tacit.bots.heard_events import HeardEvents, turn_of
from tacit.bots.registry import bot_named
from tacit.bots.runner import PATIENCE
from tacit.bots.turn import Budget, dice_for
from tacit.core.match import Match

HANGS = 8  # threads of bots that hang, before a process gives up
_players: dict[str, Player] = {}


class Player:
    """Plays the matches of one job in this process."""

    def __init__(self, job: Job, patience: float = PATIENCE) -> None:
        self.job, self.patience = job, patience
        self.game = job.known()
        self.budget = Budget(job.playouts, job.milliseconds)
        self.compiled = {name for name in job.bots if isinstance(bot_named(self.game, name), CompiledBot)}
        self.table = self._new_table()
        self.hung = 0
        self._jobs: queue.SimpleQueue[tuple[Table, int, dict[int, int]]] = queue.SimpleQueue()
        self._answers: queue.SimpleQueue[Course | BaseException] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None

    def _new_table(self) -> Table:
        names = [name for name in self.job.bots if name in self.compiled]
        return Table(self.game, self.job.seats, self.job.options, names, self.job.rules_version)

    def _new_match(self, **how: Any) -> Match:
        return Match(self.game, self.job.seats, self.job.options, rules_version=self.job.rules_version, **how)

    def warm_up(self) -> None:
        """Compile what is not compiled yet: it may take a while, and is not a bot's fault."""
        fast = [line_up for line_up in self.job.line_ups if set(line_up) <= self.compiled]
        for name in dict.fromkeys(name for line_up in fast for name in line_up):
            self.table.begin(0, name)
            self.table.on(0, name, 0, 0, 0)
            self.table.rules(name).score_at(self.table.work.states, self.table.scores)
        if len(fast) < len(self.job.line_ups):  # some matches are played in plain Python
            match = self._new_match(seed=0)
            turn = turn_of(match, min(match.due), HeardEvents(match), dice_for([0, 0], 0, 0), self.budget)
            for name in self.compiled:
                self.table.bots[name].warm_up(turn)
            for bot in [bot_named(self.game, name) for name in self.job.bots if name not in self.compiled]:
                if hasattr(bot, "warm_up"):
                    bot.warm_up(turn)

    def play(self, match: int, keep: bool = False) -> tuple[Played, str]:
        """One match, and its record if it is to be kept."""
        job = self.job
        seating, number = job.seating(match), job.number(job.deal(match))
        if set(seating) <= self.compiled:
            course = self._watched(match)
        else:
            course = play_python_match(self.game, job.options, number, seating, self.budget, job.rules_version)
        played = Played(
            match, job.deal(match), job.line_up(match), seating, course.scores, course.result, course.decisions,
            tuple(course.faults), course.thought,
        )  # fmt: skip
        return played, self._record(played, course) if keep else ""

    def _record(self, played: Played, course: Course) -> str:
        tags = {f"seat{q}": name for q, name in enumerate(played.seats)}
        tags |= {"arena": f"{self.job.digest()} match {played.match} deal {played.deal}"}
        match = self._new_match(settle=False, tags=tags)
        if course.lines is not None:
            for line in course.lines:
                match.replay(line)
        else:
            for who, action in course.steps:
                match.apply(who, action)
        return str(match)

    def _watched(self, match: int) -> Course:
        """A compiled match in a thread of its own, since nothing can stop a compiled bot that hangs.

        If one does, its thread and table are left to themselves and the match is played again, the seat benched from
        there on.
        """
        benched: dict[int, int] = {}
        while True:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, args=(self._jobs, self._answers), daemon=True)
                self._thread.start()
            self._jobs.put((self.table, match, benched))
            beat = -1
            while True:
                try:
                    answer = self._answers.get(timeout=self.patience)
                    break
                except queue.Empty:
                    if self.table.beat == beat:
                        answer = None
                        break
                    beat = self.table.beat
            if isinstance(answer, BaseException):
                raise answer
            if answer is not None:
                return answer
            self.hung += 1
            seat, step = int(self.table.work.at[paired_play.SEAT]), int(self.table.work.at[paired_play.STEPS])
            if self.hung > HANGS or seat < 0 or seat in benched:
                name = self.job.seating(match)[seat] if seat >= 0 else "chance"
                raise RuntimeError(f"{name} hangs in match {match}, seat {seat}, step {step}; the job cannot go on.")
            benched = benched | {seat: step}
            self.table, self._thread = self._new_table(), None
            self._jobs, self._answers = queue.SimpleQueue(), queue.SimpleQueue()

    def _run(self, jobs: Any, answers: Any) -> None:
        while True:
            table, match, benched = jobs.get()
            number = self.job.number(self.job.deal(match))
            try:
                answers.put(table.play(number, self.job.seating(match), benched))
            except BaseException as error:  # it is raised where somebody waits for the answer
                answers.put(error)


def play_chunk(job: Job, matches: Sequence[int], keep: bool = False) -> list[tuple[Played, str]]:
    """Some matches of a job, one after the other; the rules are compiled once a process."""
    digest = job.digest()
    if digest not in _players:
        _players[digest] = Player(job)
        _players[digest].warm_up()
    return [_players[digest].play(match, keep) for match in matches]


def watch_parent() -> None:
    """End this worker when the process that started it is gone: nobody would hear what it plays."""
    import multiprocessing
    import multiprocessing.connection
    import signal

    with contextlib.suppress(ValueError):
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one who started us
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def wait() -> None:
        multiprocessing.connection.wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()
