"""Plays a track and makes its result; and checks one by playing a part of it again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
import numpy as np
from rich.console import Console

from tacit.arena.command import ArenaOptions, play_matches
from tacit.arena.job import Job, make_job
from tacit.arena.journal import Journal
from tacit.arena.match_player import play_chunk
from tacit.arena.match_result import MatchResult
from tacit.arena.stats import Estimate
from tacit.arena.summary import disqualified, measure
from tacit.benchmark.figures import bounds_of, figures
from tacit.benchmark.result import Played, Result, bot_file, code_hash, rules_hash, software
from tacit.benchmark.tracks import DEALS, Key, Part, Partners, TrackName, deal_seed, partners_of, parts
from tacit.bots.registry import register_bot, target_of
from tacit.core.game import Game

TOLERANCE = 1e-9  # sums of floats may differ in the last digits from machine to machine


def run(
    game: Game, track: TrackName, entries: Mapping[str, str], *, key: Key, out: Path, console: Console,
    deals: int | None = None, jobs: int = 1, path: Sequence[str] = (),
) -> Result:  # fmt: skip
    """Play a track with these entries (name -> target); journals in the folder `out` let the same call resume, as long
    as the rules and the bots are the same.

    Raises ValueError or TacitError where the game or an entry does not fit.
    """
    number = deals or DEALS[track]
    _register(game, entries)
    partners = partners_of(game) if track == "aht-v1" else Partners()
    played: list[Played] = []
    out_of_it: dict[str, str] = {}
    for place, part in enumerate(parts(track, game, list(entries), partners)):
        job = _job(game, track, key, part, path)
        journal = Journal(out / f"{track}-{game.name}-{place}-{job.digest()}-{code_hash(game, job.bots)}.jsonl", job)
        try:
            with console.status("Compiling the rules and bots (the first time takes a while) …"):
                play_chunk(job, [])
            play_matches(job, journal, ArenaOptions(out=out, deals=number, jobs=jobs), None, console)
            matches = [journal.results[match] for match in range(number * len(job.line_ups))]
        finally:
            journal.close()
        out_of_it |= disqualified(matches)
        played.append(_played(game, job, part, matches))
    names = dict.fromkeys(name for part in played for line_up in part.line_ups for name in line_up)
    found = figures(track, list(entries), partners, played, out_of_it, bounds_of(game, job.seats))
    return Result(
        track=track, game=game.name, seats=job.seats, options=job.options, rules_version=job.rules_version,
        rules_sha256=rules_hash(game), key=key.name, commitment=key.commitment, deals=number,
        counts=number >= DEALS[track], software=software(), entries=tuple(entries), partners=partners,
        bots={name: bot_file(target_of(game, name)) for name in names}, played=tuple(played),
        disqualified=out_of_it, rows=found.rows, best_responses=found.best_responses, matrix=found.matrix,
    )  # fmt: skip


def verify(
    game: Game, result: Result, *, key: Key | None, targets: Mapping[str, str], replays: int, path: Sequence[str] = ()
) -> list[str]:
    """What is wrong with a result, as sentences: hashes of rules and bots, figures, and matches that are played again.

    Of each part `replays` matches are played again, spread over its deals; without the key, only those on validation
    deals. `targets` says where bots are that the registry does not know.
    """
    wrong = []
    if key is not None and (key.name, key.commitment) != (result.key, result.commitment):
        return [f"The key “{key.name}” is not the one of this result, which is “{result.key}”."]
    if rules_hash(game) != result.rules_sha256:
        wrong.append(f"The rules of {game.title} are not those of the result.")
    _register(game, targets)
    for name, bot in result.bots.items():
        if bot_file(target_of(game, name)).sha256 != bot.sha256:
            wrong.append(f"{name} is not the bot of the result: its SHA-256 differs.")
    bounds = bounds_of(game, result.seats)
    found = figures(result.track, result.entries, result.partners, result.played, result.disqualified, bounds)
    if not (
        _alike(found.rows, result.rows)
        and _alike(found.matrix, result.matrix)
        and found.best_responses == result.best_responses
    ):
        wrong.append("The figures do not follow from the values of the deals.")
    planned = parts(result.track, game, result.entries, result.partners)
    if [(part.split, part.line_ups) for part in planned] != [(part.split, part.line_ups) for part in result.played]:
        return [*wrong, f"The line-ups are not those of {result.track}."]
    if any(len(values) != result.deals for part in result.played for values in part.values):
        return [*wrong, f"Not every line-up has {result.deals} deals."]
    return wrong if wrong else _replay(game, result, planned, key, replays, path)


def _replay(
    game: Game, result: Result, planned: Sequence[Part], key: Key | None, replays: int, path: Sequence[str]
) -> list[str]:
    wrong = []
    for part, told in zip(planned, result.played, strict=True):
        if key is None and part.split == "held-out":
            continue
        job = _job(game, result.track, key, part, path)
        total = result.deals * len(job.line_ups)
        chosen = sorted({int(n) for n in np.linspace(0, total - 1, min(replays, total))})
        for played, _ in play_chunk(job, chosen):
            said = told.values[played.line_up][played.deal]
            if abs(measure(game, job, played) - said) > TOLERANCE:
                names = ", ".join(job.line_ups[played.line_up])
                wrong.append(f"{names} on {part.split} deal {played.deal}: the result says {said:g}, played again it "
                             f"is {measure(game, job, played):g}.")  # fmt: skip
    return wrong


def _register(game: Game, entries: Mapping[str, str]) -> None:
    """Let the arena find entries by their names."""
    for name, target in entries.items():
        if name != target:
            register_bot(game.name, name, target)


def _job(game: Game, track: TrackName, key: Key | None, part: Part, path: Sequence[str]) -> Job:
    return make_job(game, part.line_ups, seed=deal_seed(key, track, game, part.split), path=path)


def _played(game: Game, job: Job, part: Part, matches: Sequence[MatchResult]) -> Played:
    values: list[list[float]] = [[] for _ in part.line_ups]
    for match in sorted(matches, key=lambda one: one.match):
        values[match.line_up].append(measure(game, job, match))
    return Played(part.split, part.line_ups, tuple(map(tuple, values)))


def _alike(one: object, other: object) -> bool:
    """Are two figures the same but for the last digits of floats?"""
    if isinstance(one, Estimate) and isinstance(other, Estimate):
        pairs = zip(msgspec.structs.astuple(one), msgspec.structs.astuple(other), strict=True)
        return all(a == b or abs(a - b) < TOLERANCE or (a != a and b != b) for a, b in pairs)
    if isinstance(one, msgspec.Struct) and isinstance(other, msgspec.Struct):
        return _alike(msgspec.structs.asdict(one), msgspec.structs.asdict(other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_alike(one[name], other[name]) for name in one)
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(_alike, one, other))
    return one == other
