"""`tacit arena` from its options to its report."""

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
from tacit.arena.played import Played
from tacit.arena.summary import Summary, Until, summarise
from tacit.arena.timing import cost
from tacit.arena.workers import InProcess, ProcessWorkers, Workers
from tacit.core.game import Game

JOURNAL, REPORT = "matches.jsonl", "report.json"


@dataclass(frozen=True)
class Wishes:
    """What is asked of a job beside its matches."""

    out: Path
    deals: int
    jobs: int = 1
    ray: str | None = None
    records: Path | None = None
    until: bool = False
    crossed: tuple[str, ...] = ()  # the bots of a cross-play table
    pictures: bool = True
    bound: int = 0  # decisions that the clairvoyant solver tries a deal; 0 for none


def run(game: Game, job: Job, wishes: Wishes, console: Console) -> Summary:
    """Play what is not yet played, and report. KeyboardInterrupt leaves a journal that can be gone on with."""
    journal = Journal(wishes.out / JOURNAL, job)
    try:
        if journal.cut:
            console.print(f"The last line of {journal.path} was cut short; its match is played again.", style="dim")
        with console.status("Compiling the rules and bots (the first time takes a while) …"):
            play_chunk(job, [])
            scheduler.verify(journal)
        if journal.played:
            console.print(f"Going on after {len(journal.played)} matches.", style="dim")
        looked = Until(game, job, journal.played) if wishes.until else None
        _play(job, journal, wishes, looked, console)
        matches = _counted(job, journal, wishes, looked)
    finally:
        journal.close()
    summary = summarise(game, job, matches)
    crossed = None
    if wishes.crossed:
        crossed = cross_play(game, job, wishes.crossed, {played.match: played for played in matches})
    more: dict[str, Any] = {"cost": summary.cost | _costs(job)}
    if looked is not None:
        more["until"] = _said(job, looked)
    if wishes.bound and game.cooperative:
        from tacit.arena.bound import bound_of

        with console.status("Solving what the deals allowed …"):
            more["bound"] = bound_of(game, job, matches, wishes.bound)
    summary = msgspec.structs.replace(summary, **more)
    _keep(game, job, wishes, summary, crossed, matches)
    report.show(console, game, summary, crossed)
    return summary


def _play(job: Job, journal: Journal, wishes: Wishes, looked: Until | None, console: Console) -> None:
    total = wishes.deals * len(job.line_ups)
    with Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(),
        TextColumn("left:"), TimeRemainingColumn(), console=console, transient=True,
    ) as bar:  # fmt: skip
        task = bar.add_task("matches", total=total, completed=sum(match < total for match in journal.played))

        def told(new: list[Played]) -> None:
            bar.advance(task, len(new))
            if looked is not None and looked.test.n > 1:
                now = looked.test.now()
                bar.update(task, description=f"difference {now.mean:+.3f} [{now.low:+.3f}, {now.high:+.3f}]")

        if looked is not None and looked.enough():
            return
        crew = _crew(job, wishes)
        try:
            scheduler.conduct(
                journal, total, crew, records=wishes.records, told=told,
                enough=looked.enough if looked is not None else lambda: False,
            )  # fmt: skip
        finally:
            crew.close()


def _crew(job: Job, wishes: Wishes) -> Workers:
    keep = wishes.records is not None
    if wishes.ray is not None:
        from tacit.arena.ray_workers import RayWorkers

        return RayWorkers(job, keep, wishes.ray)
    return ProcessWorkers(job, keep, wishes.jobs) if wishes.jobs > 1 else InProcess(job, keep)


def _counted(job: Job, journal: Journal, wishes: Wishes, looked: Until | None) -> list[Played]:
    """The matches that count: those asked for; with --until those of the deals that were looked at."""
    deals = wishes.deals if looked is None else min(looked.deals, wishes.deals)
    return [journal.played[match] for match in sorted(journal.played) if job.deal(match) < deals]


def _said(job: Job, looked: Until) -> dict[str, Any]:
    now = looked.test.now()
    interval = f"{now.mean:+.3f} [{now.low:+.3f}, {now.high:+.3f}]"
    names = [", ".join(line_up) for line_up in job.line_ups[:2]]
    if len(job.line_ups) == 1:
        names = list(dict.fromkeys(job.line_ups[0]))[:2]
    if looked.test.decided is not None:
        says = f"{names[0]} less {names[1]}: {interval}, significant after {now.n} deals (sequential test, 95 %)."
    else:
        says = f"{names[0]} less {names[1]}: {interval}, not significant after {now.n} deals (sequential test, 95 %)."
    return {"decided": looked.test.decided is not None, "deals": now.n, "difference": now, "says": says}


def _costs(job: Job) -> dict[str, float]:
    found = {name: cost(job, name) for name in job.bots}
    return {name: seconds for name, seconds in found.items() if seconds is not None}


def _keep(
    game: Game, job: Job, wishes: Wishes, summary: Summary, crossed: CrossPlay | None, matches: Sequence[Played]
) -> None:
    whole = {"job": job, "summary": summary, "cross_play": crossed}
    part = wishes.out / (REPORT + ".part")
    part.write_bytes(msgspec.json.format(msgspec.json.encode(whole)) + b"\n")
    os.replace(part, wishes.out / REPORT)
    if wishes.pictures and matches:
        from tacit.arena import plots

        if crossed is not None:
            plots.table(game, job, crossed, wishes.out)
        plots.scores(game, job, matches, wishes.out)
