"""Language models as bots, against scripted ones: over HTTP and by a command, strictly read, with one retry."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tacit import Match, game_named
from tacit.bots import MatchBots, Runner, bot_named, bot_names
from tacit.bots.language import BadModel, figures, messages_of, parse, read_model

SCRIPT: list[str] = []  # what the scripted model will answer; "" is its first legal decision
ASKED: list[dict[str, Any]] = []


class Scripted(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        ASKED.append({"path": self.path, "key": self.headers["Authorization"], **body})
        lines = body["messages"][1]["content"].splitlines()
        legal = lines[lines.index("You may decide:") + 1] if "You may decide:" in lines else "nothing"
        text = (SCRIPT.pop(0) if SCRIPT else "") or json.dumps({"decision": legal})
        reply = {"choices": [{"message": {"content": text}}], "usage": {"prompt_tokens": 100, "completion_tokens": 10}}
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps(reply).encode())

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A file of models, and the endpoint that they ask."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Scripted)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    (tmp_path / "fake.py").write_text(
        "import json, sys\n"
        "told = json.loads(json.load(sys.stdin)[1]['content'])\n"
        "print(json.dumps({'decision': told['legal'][-1]}))\n"
    )
    (tmp_path / "models.toml").write_text(f"""
[web]
url = "http://127.0.0.1:{server.server_port}/v1/"
model = "scripted"
key = "SCRIPTED_KEY"
prices = [2.0, 10.0]
transcript = {json.dumps(str(tmp_path / "web.jsonl"))}
[blind]
url = "http://127.0.0.1:{server.server_port}/v1"
legal = false
[local]
command = {json.dumps([sys.executable, str(tmp_path / "fake.py")])}
form = "json"
[both]
url = "http://127.0.0.1"
command = ["true"]
[odd]
address = "http://127.0.0.1"
""")
    monkeypatch.setenv("TACIT_LLM", str(tmp_path / "models.toml"))
    monkeypatch.setenv("SCRIPTED_KEY", "secret")
    SCRIPT.clear()
    ASKED.clear()
    yield tmp_path
    server.shutdown()
    server.server_close()
    thread.join()


def test_a_model_plays_is_asked_again_once_and_then_replaced(models: Path) -> None:
    match = Match("toy", 2, seed=3)
    runner = Runner(match.game, bot_named(match.game, "llm:web"))
    others = Runner(match.game, bot_named(match.game, "random"))
    bots = MatchBots(match, {0: runner, 1: others})
    SCRIPT.extend(["I bid!", "", "bid 1", '{"decision": "bid 10"}'])
    while not match.over:
        bots.play(min(match.due))
    bots.close()
    assert [fault.kind for fault in runner.faults] == ["illegal"]
    told = figures((models / "web.jsonl").read_text().splitlines())
    assert (told.decisions, told.retries, told.illegal, told.illegal_rate) == (2, 2, 1, 0.5)
    assert told.cost == pytest.approx(4 * (100 * 2 + 10 * 10) / 1e6)
    assert {asked["path"] for asked in ASKED} == {"/v1/chat/completions"}
    assert {(asked["key"], asked["model"]) for asked in ASKED} == {("Bearer secret", "scripted")}
    assert ASKED[1]["messages"][-1]["content"] == "The answer is not one JSON object. Answer again."
    assert "secret" not in (models / "web.jsonl").read_text()


def test_a_command_plays(models: Path) -> None:
    match = Match("toy", 2, seed=3)
    runner = Runner(match.game, bot_named(match.game, "llm:local"))
    bots = MatchBots(match, {0: runner})
    assert bots.ask(0) == match.see(0).legal[-1]
    bots.close()
    assert not runner.faults


def test_a_model_is_told_what_its_seat_knows_and_no_more(models: Path) -> None:
    """Two deals that seat 0 cannot tell apart make the same messages; without the list nothing legal is named."""
    game = game_named("toy")
    match = Match(game, 2, seed=3)
    for name in ("web", "blind", "local"):
        told = []
        for deal in range(4):
            other = match.copy()
            other.state = match._imagined(0, f"another {deal}")
            other._hearings = {0: match.hearing(0).copy()}
            turn = MatchBots(other, {}).turn(0)
            told.append(messages_of(game, turn, read_model(name)))
        assert all(each == told[0] for each in told)
        listed = [legal in told[0][1]["content"] for legal in match.see(0).legal]
        assert not any(listed) if name == "blind" else all(listed)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ('{"decision": "bid 1"} ', ""),
        ('```{"decision": "bid 1"}```', "not one JSON object"),
        ('["bid 1"]', "not one JSON object"),
        ('{"decision": "bid 1", "why": "so"}', "one member"),
        ('{"decision": 1}', "one member"),
        ('{"decision": "bid 2"}', "not a legal decision"),
    ],
)
def test_answers_are_read_strictly(text: str, wrong: str) -> None:
    decision, says = parse(text, ["bid 1"])
    assert (decision == "bid 1") == (wrong == "")
    assert wrong in says


def test_a_model_that_cannot_be_used_is_named(models: Path) -> None:
    game = game_named("toy")
    for name, says in (("nobody", "no language model “nobody”"), ("both", "url or command"), ("odd", "address")):
        with pytest.raises(BadModel, match=says):
            bot_named(game, f"llm:{name}")
    assert not any(name.startswith("llm:") for name in bot_names(game))  # so no client of a server can name one
