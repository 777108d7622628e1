"""The journal loses and doubles nothing, even when its writer is killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import msgspec
import pytest

from tacit import Match, game_named
from tacit.arena.job import make_job
from tacit.arena.journal import Journal, JournalError, with_checksum, without_checksum
from tacit.arena.match_player import play_chunk
from tacit.arena.match_result import MatchResult
from tacit.arena.scheduler import run_job, verify
from tacit.arena.workers import InProcess, ProcessWorkers
from tests.arena.jobs import GAMBLER, ROOT, alike, all_of, play_job, read_journal, toy_job

SLOW = (GAMBLER, GAMBLER)  # some 300 matches a second: time enough to be killed
CLI = "import tests.conftest; from tacit.cli import main; main()"


def started(folder: Path, matches: int, *more: str) -> subprocess.Popen[str]:
    words = ["arena", "toy", "--seats", ",".join(SLOW), "--matches", str(matches), "--out", str(folder)]
    return subprocess.Popen(
        [sys.executable, "-c", CLI, *words, "--no-pictures", *more], cwd=ROOT, text=True, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )  # fmt: skip


def lines_in(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


def wait_for_lines(path: Path, n: int, process: subprocess.Popen[str]) -> None:
    for _ in range(1800):  # 90 s: a busy machine starts slowly
        if lines_in(path) > n:
            return
        assert process.poll() is None, process.communicate()[0]
        time.sleep(0.05)
    raise AssertionError("nothing was played")


def children(pid: int) -> list[int]:
    found = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [int(child) for child in found]


def gone(pid: int) -> bool:
    try:
        return "\nState:\tZ" in Path(f"/proc/{pid}/status").read_text()
    except FileNotFoundError:
        return True


def test_after_kill_9_nothing_is_lost_or_doubled(tmp_path: Path) -> None:
    """The command is killed in the middle, its workers end with it, and the same command goes on."""
    journal = tmp_path / "matches.jsonl"
    process = started(tmp_path, 900, "--jobs", "2")
    wait_for_lines(journal, 100, process)
    workers = children(process.pid)
    assert len(workers) >= 2
    process.kill()
    process.communicate()
    assert lines_in(journal) < 901
    for _ in range(600):
        if all(map(gone, workers)):
            break
        time.sleep(0.05)
    assert all(map(gone, workers))
    with journal.open("ab") as file:  # and what was being written is torn in the middle of a line
        file.write(b'{"match":777,"deal":7')
    last = started(tmp_path, 900, "--jobs", "2")
    said = " ".join(last.communicate()[0].split())
    assert last.returncode == 0, said
    assert "is incomplete" in said
    assert "Resuming after" in said
    job, lines = read_journal(journal)
    played = list(lines)
    assert len(played) == 900
    assert sorted(p.match for p in played) == list(range(900))
    assert alike({p.match: p for p in played}, all_of(job, 900))


def test_ctrl_c_stops_at_once_and_says_how_to_go_on(tmp_path: Path) -> None:
    process = started(tmp_path, 100_000)
    wait_for_lines(tmp_path / "matches.jsonl", 20, process)
    process.send_signal(signal.SIGINT)
    said = " ".join(process.communicate(timeout=60)[0].split())
    assert process.returncode == 130, said
    assert "The same command resumes it" in said
    _, lines = read_journal(tmp_path / "matches.jsonl")
    numbers = [p.match for p in lines]
    assert len(numbers) == len(set(numbers)) >= 20


def test_a_worker_that_dies_takes_no_match_with_it(tmp_path: Path) -> None:
    job = toy_job(SLOW)
    workers = ProcessWorkers(job, keep=False, size=2)
    journal = Journal(tmp_path / "matches.jsonl", job)
    killed: list[int] = []

    def on_results(new: list[MatchResult]) -> None:
        if not killed and len(journal.results) > 20:
            killed.append(next(iter(workers.pool._processes or {})))
            os.kill(killed[0], signal.SIGKILL)

    run_job(journal, 300, workers, on_results=on_results)
    workers.close()
    journal.close()
    assert killed
    assert workers.deaths == 1
    _, lines = read_journal(journal.path)
    assert sorted(p.match for p in lines) == list(range(300))
    assert alike(journal.results, all_of(job, 300))


def test_many_processes_play_what_one_plays(tmp_path: Path) -> None:
    job = toy_job(("random", "random", "random"), ("random", GAMBLER, "random"))
    workers = ProcessWorkers(job, keep=False, size=2)
    many = play_job(job, 120, tmp_path, workers)
    workers.close()
    assert alike(many, all_of(job, 120))


def test_a_journal_is_gone_on_with_and_made_longer(tmp_path: Path) -> None:
    job = toy_job()
    first = play_job(job, 10, tmp_path)
    before = (tmp_path / "matches.jsonl").read_bytes()
    second = play_job(job, 25, tmp_path)
    assert (tmp_path / "matches.jsonl").read_bytes().startswith(before)
    assert first.items() <= second.items()
    assert alike(second, all_of(job, 25))


def test_a_line_that_was_changed_is_found(tmp_path: Path) -> None:
    job = toy_job()
    play_job(job, 5, tmp_path)
    path = tmp_path / "matches.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole.replace(b'"scores":[', b'"scores":[ ', 1))
    with pytest.raises(JournalError, match="line 2: the checksum is wrong"):
        Journal(path, job)
    lines = whole.splitlines(keepends=True)
    path.write_bytes(whole + lines[3])
    with pytest.raises(JournalError, match="line 7: match 2 appears twice"):
        Journal(path, job)
    path.write_bytes(whole)
    with pytest.raises(JournalError, match="another job"):
        Journal(path, toy_job(seed=1))
    assert json.loads(without_checksum(lines[1]))["match"] == 0


def test_a_journal_of_bots_that_have_changed_is_not_gone_on_with(tmp_path: Path) -> None:
    job = toy_job()
    play_job(job, 5, tmp_path)
    path = tmp_path / "matches.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    last = msgspec.json.decode(without_checksum(lines[-1]), type=MatchResult)
    other = msgspec.structs.replace(last, decisions=last.decisions + 1)
    path.write_bytes(b"".join(lines[:-1]) + with_checksum(other))
    journal = Journal(path, job)
    with pytest.raises(JournalError, match="match 4 has another result now"):
        verify(journal)
    journal.close()


def test_two_cannot_write_one_journal(tmp_path: Path) -> None:
    job = toy_job()
    one = Journal(tmp_path / "matches.jsonl", job)
    with pytest.raises(JournalError, match="another arena"):
        Journal(tmp_path / "matches.jsonl", job)
    one.close()
    Journal(tmp_path / "matches.jsonl", job).close()


def test_a_record_holds_the_signals_too() -> None:
    nods = "tests.bots.odd_bots:Nods"
    job = make_job(game_named("silent-planet"), [(nods, nods, nods)], path=[str(ROOT)])
    ((_, record),) = play_chunk(job, [0], keep=True)
    assert " nod\n" in record
    assert Match.load(record).over


def test_every_match_has_its_record(tmp_path: Path) -> None:
    job = toy_job(("random", GAMBLER))
    journal = Journal(tmp_path / "matches.jsonl", job)
    records = tmp_path / "records"
    run_job(journal, 6, InProcess(job, keep=True), records=records)
    (records / "toy-000003-0.tacit").unlink()
    before = (tmp_path / "matches.jsonl").read_bytes()
    run_job(journal, 6, InProcess(job, keep=True), records=records)
    journal.close()
    assert (tmp_path / "matches.jsonl").read_bytes() == before
    for match in range(6):
        loaded = Match.load((records / f"toy-{match:06}-0.tacit").read_text())
        assert loaded.over
        assert loaded.result == journal.results[match].result
        assert [loaded.tags[f"seat{q}"] for q in range(2)] == list(job.seating(match))
