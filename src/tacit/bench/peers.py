"""Measures OpenSpiel in a virtual environment of its own."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import click
from rich.console import Console

from tacit.core.rulekit import cache_home

GAMES = ("hanabi(players=4)", "crazy_eights", "bridge(use_double_dummy_result=false)")
VERSION = "open_spiel==2.0.2"
LOOP = """
import json, sys, time
import pyspiel
name, seconds = sys.argv[1], float(sys.argv[2])
game = pyspiel.load_game(name)
bots = [pyspiel.make_uniform_random_bot(p, 1 + p) for p in range(game.num_players())]
best = 0.0
for part in range(5):
    states = []
    begin = time.process_time()
    while time.process_time() - begin < seconds / 5:
        state = game.new_initial_state()
        pyspiel.evaluate_bots(state, bots, 1000 * part + len(states))
        states.append(state)
    spent = time.process_time() - begin
    made = sum(step.player >= 0 for state in states for step in state.full_history())
    best = max(best, made / spent)
print(json.dumps(best))
"""


def environment(console: Console, packages: Sequence[str] = (VERSION,)) -> Path:
    """The Python of a virtual environment with these packages; created on first use in the cache folder."""
    name = "-".join(packages) if len(packages) == 1 else hashlib.sha256(" ".join(packages).encode()).hexdigest()[:12]
    home = cache_home() / "peers" / name.replace("==", "-")
    python = home / "bin" / "python"
    ready = home / "ready"
    if not ready.exists():
        console.print(f"Creating an environment with {', '.join(packages)} in {home} (once; this takes a while).")
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(home)], check=True)
        done = subprocess.run([str(python), "-m", "pip", "install", "-q", *packages], capture_output=True, text=True)
        if done.returncode:
            raise click.ClickException(f"pip could not install the peers:\n{done.stderr.strip()[-800:]}")
        ready.touch()
    return python


def decisions_per_second(python: Path, name: str, seconds: float) -> float:
    """Decisions per second of OpenSpiel's C++ loop. Chance nodes are not counted; their cost is included."""
    done = subprocess.run([str(python), "-c", LOOP, name, str(seconds)], capture_output=True, text=True, check=True)
    return float(json.loads(done.stdout))
