"""A language model at the table: a local command stands for it, which takes the last decision that it is offered.

python examples/language_model.py
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path

from tacit import Match, game_named
from tacit.bots import MatchBots, Runner, bot_named
from tacit.bots.language import figures

MODEL = """import json, sys
told = json.loads(json.load(sys.stdin)[1]["content"])
print(json.dumps({"decision": told["legal"][-1]}))
"""

with tempfile.TemporaryDirectory() as folder:
    model, transcript = Path(folder, "model.py"), Path(folder, "transcript.jsonl")
    model.write_text(MODEL)
    command = json.dumps([sys.executable, str(model)])
    Path(folder, "models.toml").write_text(
        f'[mine]\ncommand = {command}\nform = "json"\ntranscript = {json.dumps(str(transcript))}\n'
    )
    os.environ["TACIT_LLM"] = str(Path(folder, "models.toml"))
    game = game_named("silencio")
    match = Match(game, 2, seed=3)
    seats = {seat: Runner(game, bot_named(game, name)) for seat, name in enumerate(("llm:mine", "random"))}
    bots, asked = MatchBots(match, seats), 0
    while asked < 3 and not match.over:
        seat = min(match.due)
        asked += seat == 0
        bots.play(seat)
    with transcript.open() as lines:
        found = figures(lines)
    print(f"decisions {found.decisions}, illegal answers {found.illegal}")
