"""The same job on a real Ray cluster on this machine: of one node, and of two in the long run."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tacit.arena.journal import Journal
from tacit.arena.match_result import MatchResult
from tacit.arena.scheduler import run_job
from tests.arena.jobs import GAMBLER, ROOT, alike, all_of, play_job, read_journal, toy_job

LONG = "TACIT_LONG" in os.environ
MATCHES = 120 if LONG else 60
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """One node with two workers, or two with one each; a node is a set of processes of its own."""
    import ray
    from ray.cluster_utils import Cluster as Nodes

    before = os.environ.copy()
    os.environ |= {"RAY_ENABLE_UV_RUN_RUNTIME_ENV": "0", "PYTHONPATH": f"{ROOT}:{ROOT / 'src'}"}
    small = {"num_cpus": 1 if LONG else 2, "object_store_memory": 80 * 2**20, "include_dashboard": False}
    nodes = Nodes(initialize_head=True, head_node_args=small)
    if LONG:
        nodes.add_node(num_cpus=1, object_store_memory=80 * 2**20)
    nodes.wait_for_nodes()
    ray.init(address=nodes.address, log_to_driver=False)
    yield nodes
    ray.shutdown()
    nodes.shutdown()
    os.environ.clear()
    os.environ |= before


def worker_processes() -> list[int]:
    """The processes in which Ray plays chunks now."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                if b"ray::play_chunk" in (entry / "cmdline").read_bytes():
                    found.append(int(entry.name))
            except OSError:
                continue
    return found


def test_a_cluster_plays_what_one_process_plays_also_when_a_worker_is_killed(cluster: Any, tmp_path: Path) -> None:
    from tacit.arena.ray_workers import RayWorkers

    job = toy_job(("random", "random", "random"), ("random", GAMBLER, "random"))
    ray_workers = RayWorkers(job, keep=False, address=cluster.address)
    assert ray_workers.size == 2
    there = play_job(job, MATCHES, tmp_path / "ray", ray_workers)
    ray_workers.close()
    assert alike(there, all_of(job, MATCHES))
    one_is_killed(cluster, tmp_path)  # not a test of its own: two workers of the test runner would start two clusters


def one_is_killed(cluster: Any, tmp_path: Path) -> None:
    """A worker killed in the middle takes no match with it."""
    from tacit.arena.ray_workers import RayWorkers

    job = toy_job((GAMBLER, GAMBLER))
    ray_workers = RayWorkers(job, keep=False, address=cluster.address)
    journal = Journal(tmp_path / "matches.jsonl", job)
    killed: list[int] = []

    def on_results(new: list[MatchResult]) -> None:
        if not killed and len(journal.results) > 30:
            for _ in range(100):
                at_work = worker_processes()
                if at_work:
                    os.kill(at_work[0], signal.SIGKILL)
                    killed.append(at_work[0])
                    return
                time.sleep(0.01)

    run_job(journal, 300, ray_workers, on_results=on_results)
    ray_workers.close()
    journal.close()
    assert killed
    _, lines = read_journal(journal.path)
    assert sorted(p.match for p in lines) == list(range(300))
    assert alike(journal.results, all_of(job, 300))
