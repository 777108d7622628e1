"""Plays matches of a job in this process. Every worker runs this, locally or on a cluster."""

from __future__ import annotations

import contextlib
import os
import queue
import threading
from collections.abc import Sequence
from typing import Any

from tacit.arena.compiled_match import CompiledMatch, Course
from tacit.arena.job import Job
from tacit.arena.match_result import MatchResult
from tacit.arena.python_match import play_python_match
from tacit.bots import paired_play
from tacit.bots.compiled import CompiledBot
from tacit.bots.heard_events import HeardEvents, turn_of
from tacit.bots.registry import bot_named
from tacit.bots.runner import PATIENCE
from tacit.bots.turn import Budget, dice_for
from tacit.core.match import Match

MAX_HUNG_THREADS = 8  # a process gives up after this many bots have hung
_players: dict[str, MatchPlayer] = {}


class MatchPlayer:
    """Plays the matches of one job in this process."""

    def __init__(self, job: Job, timeout: float = PATIENCE) -> None:
        self.job, self.timeout = job, timeout
        self.game = job.load_game()
        self.budget = Budget(job.playouts, job.milliseconds)
        self.compiled = {name for name in job.bots if isinstance(bot_named(self.game, name), CompiledBot)}
        self.compiled_match = self._new_compiled_match()
        self.hung = 0
        self._jobs: queue.SimpleQueue[tuple[CompiledMatch, int, dict[int, int]]] = queue.SimpleQueue()
        self._answers: queue.SimpleQueue[Course | BaseException] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None

    def _new_compiled_match(self) -> CompiledMatch:
        names = [name for name in self.job.bots if name in self.compiled]
        return CompiledMatch(self.game, self.job.seats, self.job.options, names, self.job.rules_version)

    def _new_match(self, **how: Any) -> Match:
        return Match(self.game, self.job.seats, self.job.options, rules_version=self.job.rules_version, **how)

    def warm_up(self) -> None:
        """Compile the rules and bots before anything is timed."""
        fast = [line_up for line_up in self.job.line_ups if set(line_up) <= self.compiled]
        for name in dict.fromkeys(name for line_up in fast for name in line_up):
            self.compiled_match.begin(0, name)
            self.compiled_match.on(0, name, 0, 0, 0)
            self.compiled_match.rules(name).score_at(self.compiled_match.work.states, self.compiled_match.scores)
        if len(fast) < len(self.job.line_ups):  # some matches are played in plain Python
            match = self._new_match(seed=0)
            turn = turn_of(match, min(match.due), HeardEvents(match), dice_for([0, 0], 0, 0), self.budget)
            for name in self.compiled:
                self.compiled_match.bots[name].warm_up(turn)
            for bot in [bot_named(self.game, name) for name in self.job.bots if name not in self.compiled]:
                if hasattr(bot, "warm_up"):
                    bot.warm_up(turn)

    def play(self, match: int, keep: bool = False) -> tuple[MatchResult, str]:
        """Play one match; returns its result, and its record if `keep` is set (else "")."""
        job = self.job
        seating, number = job.seating(match), job.deal_seed(job.deal(match))
        if set(seating) <= self.compiled:
            course = self._play_watched(match)
        else:
            course = play_python_match(self.game, job.options, number, seating, self.budget, job.rules_version)
        played = MatchResult(
            match, job.deal(match), job.line_up(match), seating, course.scores, course.result, course.decisions,
            tuple(course.faults), course.thought,
        )  # fmt: skip
        return played, self._record(played, course) if keep else ""

    def _record(self, played: MatchResult, course: Course) -> str:
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

    def _play_watched(self, match: int) -> Course:
        """Play a compiled match in a separate thread, since a compiled bot that hangs cannot be interrupted.

        If a bot hangs, its thread and arrays are abandoned and the match is played again; from the step at which the
        seat hung, other bots decide for it.
        """
        benched: dict[int, int] = {}
        while True:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, args=(self._jobs, self._answers), daemon=True)
                self._thread.start()
            self._jobs.put((self.compiled_match, match, benched))
            beat = -1
            while True:
                try:
                    answer = self._answers.get(timeout=self.timeout)
                    break
                except queue.Empty:
                    if self.compiled_match.beat == beat:
                        answer = None
                        break
                    beat = self.compiled_match.beat
            if isinstance(answer, BaseException):
                raise answer
            if answer is not None:
                return answer
            self.hung += 1
            at = self.compiled_match.work.at
            seat, step = int(at[paired_play.SEAT]), int(at[paired_play.STEPS])
            if self.hung > MAX_HUNG_THREADS or seat < 0 or seat in benched:
                name = self.job.seating(match)[seat] if seat >= 0 else "chance"
                raise RuntimeError(f"{name} hangs in match {match}, seat {seat}, step {step}; the job cannot continue.")
            benched = benched | {seat: step}
            self.compiled_match, self._thread = self._new_compiled_match(), None
            self._jobs, self._answers = queue.SimpleQueue(), queue.SimpleQueue()

    def _run(self, jobs: Any, answers: Any) -> None:
        while True:
            compiled_match, match, benched = jobs.get()
            number = self.job.deal_seed(self.job.deal(match))
            try:
                answers.put(compiled_match.play(number, self.job.seating(match), benched))
            except BaseException as error:  # raised again in the thread that waits for the answer
                answers.put(error)


def play_chunk(job: Job, matches: Sequence[int], keep: bool = False) -> list[tuple[MatchResult, str]]:
    """Play some matches of a job in order. Rules and bots are compiled once per process."""
    digest = job.digest()
    if digest not in _players:
        _players[digest] = MatchPlayer(job)
        _players[digest].warm_up()
    return [_players[digest].play(match, keep) for match in matches]


def watch_parent() -> None:
    """Exit this worker process when its parent has exited."""
    import multiprocessing
    import multiprocessing.connection
    import signal

    with contextlib.suppress(ValueError):
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl-C
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def wait() -> None:
        multiprocessing.connection.wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()
