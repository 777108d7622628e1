"""`tacit arena`: plays a job, summarises it, writes and prints the report."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from tacit.arena import report, scheduler
from tacit.arena.cross_play import CrossPlay, cross_play
from tacit.arena.job import Job
from tacit.arena.journal import Journal
from tacit.arena.match_player import play_chunk
from tacit.arena.match_result import MatchResult
from tacit.arena.summary import SequentialStop, Summary, summarise
from tacit.arena.timing import seconds_per_decision
from tacit.arena.workers import InProcess, ProcessWorkers, Workers
from tacit.core.game import Game

JOURNAL, REPORT = "matches.jsonl", "report.json"


@dataclass(frozen=True)
class ArenaOptions:
    """The options of `tacit arena` that do not change how a match is played."""

    out: Path  # folder for journal, report and plots
    deals: int  # matches of each line-up
    jobs: int = 1  # worker processes
    ray: str | None = None  # address of a Ray cluster
    records: Path | None = None  # folder for match records
    until: bool = False  # stop when the difference is significant
    crossed: tuple[str, ...] = ()  # bots of a cross-play table
    pictures: bool = True
    bound: int = 0  # decisions that the solver tries for each deal; 0: do not solve
    review: int = 0  # deals whose luck is taken off the scores


def run(game: Game, job: Job, options: ArenaOptions, console: Console) -> Summary:
    """Play the matches that the journal lacks, then report. After a KeyboardInterrupt the same call resumes."""
    journal = Journal(options.out / JOURNAL, job)
    try:
        if journal.cut:
            console.print(f"The last line of {journal.path} is incomplete; its match is played again.", style="dim")
        with console.status("Compiling the rules and bots (the first time takes a while) …"):
            play_chunk(job, [])
            scheduler.verify(journal)
        if journal.results:
            console.print(f"Resuming after {len(journal.results)} matches.", style="dim")
        stop = SequentialStop(game, job, journal.results) if options.until else None
        play_matches(job, journal, options, stop, console)
        matches = _counted_results(job, journal, options, stop)
    finally:
        journal.close()
    summary = summarise(game, job, matches)
    crossed = None
    if options.crossed:
        crossed = cross_play(game, job, options.crossed, {played.match: played for played in matches})
    extra: dict[str, Any] = {"cost": summary.cost | _decision_costs(job)}
    if stop is not None:
        extra["until"] = _until_report(job, stop)
    if options.bound and game.cooperative:
        from tacit.arena.bound import bound_of

        with console.status("Solving the deals …"):
            extra["bound"] = bound_of(game, job, matches, options.bound)
    if options.review:
        from tacit.arena.luck import without_luck

        with console.status("Valuing what chance did …"):
            extra["luck"] = without_luck(game, job, matches, options.review)
    summary = msgspec.structs.replace(summary, **extra)
    _write_report(game, job, options, summary, crossed, matches)
    report.show(console, game, summary, crossed)
    return summary


def play_matches(
    job: Job, journal: Journal, options: ArenaOptions, stop: SequentialStop | None, console: Console
) -> None:
    """Play the matches that the journal lacks, with a progress bar; until `stop` has decided, where there is one."""
    total = options.deals * len(job.line_ups)
    with Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(),
        TextColumn("left:"), TimeRemainingColumn(), console=console, transient=True,
    ) as bar:  # fmt: skip
        task = bar.add_task("matches", total=total, completed=sum(match < total for match in journal.results))

        def on_results(new: list[MatchResult]) -> None:
            bar.advance(task, len(new))
            if stop is not None and stop.test.n > 1:
                now = stop.test.now()
                bar.update(task, description=f"difference {now.mean:+.3f} [{now.low:+.3f}, {now.high:+.3f}]")

        if stop is not None and stop.decided():
            return
        workers = _make_workers(job, options)
        try:
            scheduler.run_job(
                journal, total, workers, records=options.records, on_results=on_results,
                should_stop=stop.decided if stop is not None else lambda: False,
            )  # fmt: skip
        finally:
            workers.close()


def _make_workers(job: Job, options: ArenaOptions) -> Workers:
    keep = options.records is not None
    if options.ray is not None:
        from tacit.arena.ray_workers import RayWorkers

        return RayWorkers(job, keep, options.ray)
    return ProcessWorkers(job, keep, options.jobs) if options.jobs > 1 else InProcess(job, keep)


def _counted_results(
    job: Job, journal: Journal, options: ArenaOptions, stop: SequentialStop | None
) -> list[MatchResult]:
    """The results to report: of the matches asked for; with --until, of the deals that the test has used."""
    deals = options.deals if stop is None else min(stop.deals, options.deals)
    return [journal.results[match] for match in sorted(journal.results) if job.deal(match) < deals]


def _until_report(job: Job, stop: SequentialStop) -> dict[str, Any]:
    now = stop.test.now()
    interval = f"{now.mean:+.3f} [{now.low:+.3f}, {now.high:+.3f}]"
    names = [", ".join(line_up) for line_up in job.line_ups[:2]]
    if len(job.line_ups) == 1:
        names = list(dict.fromkeys(job.line_ups[0]))[:2]
    if stop.test.decided is not None:
        says = f"{names[0]} minus {names[1]}: {interval}, significant after {now.n} deals (sequential test, 95 %)."
    else:
        says = f"{names[0]} minus {names[1]}: {interval}, not significant after {now.n} deals (sequential test, 95 %)."
    return {"decided": stop.test.decided is not None, "deals": now.n, "difference": now, "says": says}


def _decision_costs(job: Job) -> dict[str, float]:
    found = {name: seconds_per_decision(job, name) for name in job.bots}
    return {name: seconds for name, seconds in found.items() if seconds is not None}


def _write_report(
    game: Game,
    job: Job,
    options: ArenaOptions,
    summary: Summary,
    crossed: CrossPlay | None,
    matches: Sequence[MatchResult],
) -> None:
    whole = {"job": job, "summary": summary, "cross_play": crossed}
    part = options.out / (REPORT + ".part")
    part.write_bytes(msgspec.json.format(msgspec.json.encode(whole)) + b"\n")
    os.replace(part, options.out / REPORT)
    if options.pictures and matches:
        from tacit.arena import plots

        if crossed is not None:
            plots.cross_play_table(game, job, crossed, options.out)
        plots.score_distribution(game, job, matches, options.out)
