"""One interpreted decision at a live table with what all its seats then see, of two versions in turns.

    python benchmarks/interpreted_turns.py --before OTHER/src --seats 2 --chunks 40

Microseconds of processor time a decision: the match copied, a random decision played, chance settled, `see` for every
seat; below it parts of it, each by itself. Each version plays 40 tables in a process of its own; a chunk is one
decision at each table. The versions take turns, so that other work on the machine meets both; medians and the median
ratio are printed. Without --before only this version is measured.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

TABLES = 40
WARM = 25  # chunks that are not counted: tables come to different moments, caches fill
SOURCE = Path(__file__).resolve().parent.parent / "src"


def timed(work: Callable[..., Any], items: Iterable[tuple[Any, ...]]) -> float:
    begin = time.process_time_ns()
    for item in items:
        work(*item)
    return (time.process_time_ns() - begin) / TABLES / 1000


def serve(name: str, seats: int) -> None:
    """A version's process: a chunk for each line that it reads."""
    import msgspec

    from tacit import Match
    from tacit.server.app import tune_interpreter

    rng, encode, eyes = random.Random(1), msgspec.json.Encoder().encode, range(seats)
    seeds = iter(range(1, 1 << 30))

    def new() -> Any:
        match: Any = Match(name, seats, seed=next(seeds))
        for q in eyes:
            match.see(q)
        return match

    def decide(at: int, seat: int, text: str) -> None:
        match = matches[at].copy()
        match.play(seat, text)
        for q in eyes:
            match.see(q)
        matches[at] = match

    def texts(k: Any, q: int) -> None:
        for action in game.legal(k, q):
            game.rules.show(k, q, action)

    def chunk() -> dict[str, float]:
        todo = []
        for at, match in enumerate(matches):
            seat = rng.choice([q for q in eyes if match.due_bits >> q & 1])
            todo.append((at, seat, rng.choice([*match.hearing(seat).legal()])))
        found = {"whole": timed(decide, todo)}
        known = [(game.know(match.state, q), q) for match in matches for q in eyes]
        views = [(match.see(q).view,) for match in matches for q in eyes]
        found["copy the match"] = timed(Match.copy, [(match,) for match in matches])
        found["know, all seats"] = timed(game.know, [(match.state, q) for match in matches for q in eyes])
        found["legal decisions and their texts, all seats"] = timed(texts, known)
        found["views, all seats"] = timed(game.view, known)
        found["views as JSON, not in the whole"] = timed(encode, views)
        for at, match in enumerate(matches):
            if match.over:
                matches[at] = new()
        return found

    matches = [new() for _ in range(TABLES)]
    game = matches[0].game
    tune_interpreter()
    for _ in range(WARM):
        chunk()
    print("ready", flush=True)
    for _ in sys.stdin:
        print(chunk(), flush=True)


def measure(name: str, seats: int, chunks: int, sources: list[str]) -> None:
    versions = []
    for source in sources:
        command = [sys.executable, __file__, "--serve", name, "--seats", str(seats)]
        env = os.environ | {"PYTHONPATH": source}
        versions.append(subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env))
    found: list[list[dict[str, float]]] = [[] for _ in versions]
    for version in versions:
        assert version.stdout is not None
        version.stdout.readline()
    for _ in range(chunks):
        for version, times in zip(versions, found, strict=True):
            assert version.stdin is not None
            assert version.stdout is not None
            print(file=version.stdin, flush=True)
            times.append(eval(version.stdout.readline()))  # a dict that this file printed
    for version in versions:
        version.communicate()
    for part in found[0][0]:
        medians = [statistics.median(times[part] for times in each) for each in found]
        ratios = [new[part] / old[part] for old, new in zip(found[0], found[-1], strict=True)]
        row = " | ".join(f"{median:.1f}" for median in medians)
        ratio = f" | {statistics.median(ratios):.2f} ×" if len(found) > 1 else ""
        print(f"| {name if part == 'whole' else ''} | {part} | {row}{ratio} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", help="the folder `src` of another version")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--chunks", type=int, default=40)
    parser.add_argument("--games", nargs="*")
    parser.add_argument("--serve", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve:
        serve(given.serve, given.seats)
        return
    from tacit import game_names

    for name in given.games or game_names():
        measure(name, given.seats, given.chunks, [*([given.before] if given.before else []), str(SOURCE)])


if __name__ == "__main__":
    main()
