"""Language models at the table: the bot `llm:NAME` asks an OpenAI-compatible endpoint or a local command.

NAME is a table of the file `tacit-llm.toml` in the current folder (or the file that $TACIT_LLM names):

    [qwen]
    url = "http://localhost:8000/v1"    # or: command = ["./model", "--quiet"], which reads the messages as JSON
    model = "qwen3"
    key = "QWEN_KEY"                    # the environment variable that holds the key
    form = "text"                       # or "json": how the observation is written
    legal = true                        # whether the legal decisions are listed
    seconds = 60                        # for one answer
    prices = [0.5, 1.5]                 # of a million tokens in and out
    transcript = "qwen.jsonl"           # a line is added for each decision

No name carries an address or a command: a record's tags, which name bots, can start nothing.
"""

from __future__ import annotations

import json
import os
import subprocess
import time
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import msgspec

from tacit.bots.registry import LANGUAGE_MODEL
from tacit.bots.turn import Turn
from tacit.core.errors import TacitError
from tacit.core.game import Game
from tacit.core.messages import Message
from tacit.core.observation import json_of, text_of
from tacit.core.registry import game_named

FILE = "tacit-llm.toml"
HEARD = 200  # lines, the last ones
TASK = """You sit at a table of {title} with {seats} seats; yours is seat {seat}. Decide for it.
Answer with one JSON object and nothing else: {{"decision": "…"}}, the decision written as the game writes it."""


class Model(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a language model is reached, and what it is told."""

    url: str | None = None
    command: tuple[str, ...] | None = None
    model: str = ""
    key: str | None = None
    form: str = "text"
    legal: bool = True
    seconds: float = 60.0
    prices: tuple[float, float] = (0.0, 0.0)
    transcript: str | None = None


class BadModel(TacitError):
    """The language model is not described, or not so that it can be used."""


class Answer(msgspec.Struct, frozen=True):
    """What a model said, and what it took."""

    text: str
    tokens_in: int = 0
    tokens_out: int = 0


class Figures(msgspec.Struct, frozen=True):
    """Of a transcript."""

    decisions: int
    """How many decisions were asked for."""
    retries: int
    """How many of them needed a second answer."""
    illegal: int
    """How many had none after the second answer."""
    seconds: float
    """Mean seconds for one decision."""
    cost: float
    """By the model's prices, of all decisions."""

    @property
    def illegal_rate(self) -> float:
        """The share of decisions without a legal answer."""
        return self.illegal / self.decisions if self.decisions else 0.0


def read_model(name: str) -> Model:
    """The model's description; raises BadModel."""
    path = Path(os.environ.get("TACIT_LLM", FILE))
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
        found = msgspec.convert(tables[name], Model)
    except KeyError as error:
        raise BadModel(Message("bots.llm.unknown", {"name": name[:40], "path": str(path)})) from error
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise BadModel(Message("bots.llm.file", {"path": str(path), "why": str(error)})) from error
    if (found.url is None) == (found.command is None) or found.form not in ("text", "json"):
        raise BadModel(Message("bots.llm.file", {"path": str(path), "why": f"[{name}]: url or command, text or json"}))
    return found


def messages_of(game: Game, turn: Turn, model: Model) -> list[dict[str, str]]:
    """What a model is told of a turn: all of it follows from what the seat knows and has heard."""
    cells = memoryview(bytearray(game.observation)).cast("b")
    game.rules.observe(turn.k, turn.seat, cells)
    told: dict[str, Any] = {"heard": list(turn.heard[-HEARD:])}
    if model.form == "json":
        told["observation"] = json_of(game.fields, cells.tolist())
        if model.legal:
            told["legal"] = list(turn.legal)
        content = json.dumps(told, ensure_ascii=False)
    else:
        parts = ["What you have heard:", *told["heard"], "", "What you observe:", text_of(game.fields, cells.tolist())]
        content = "\n".join([*parts, *(["", "You may decide:", *turn.legal] if model.legal else [])])
    task = TASK.format(title=game.title, seats=turn.seats, seat=turn.seat)
    return [{"role": "system", "content": task}, {"role": "user", "content": content}]


def parse(text: str, legal: Sequence[str]) -> tuple[str | None, str]:
    """The decision in an answer, or None and what is wrong. Nothing is guessed: one JSON object, one legal decision.

    >>> parse('{"decision": "claim"}', ["claim"])
    ('claim', '')
    >>> parse("I claim!", ["claim"])
    (None, 'The answer is not one JSON object.')
    """
    try:
        found = json.loads(text.strip())
    except ValueError:
        found = None
    if not isinstance(found, dict):
        return None, "The answer is not one JSON object."
    if set(found) != {"decision"} or not isinstance(found["decision"], str):
        return None, 'The object must have one member, "decision", a text.'
    if found["decision"] not in legal:
        return None, f"“{found['decision'][:80]}” is not a legal decision."
    return found["decision"], ""


def figures(transcript: Iterable[str]) -> Figures:
    """The figures of a transcript's lines."""
    rows = [json.loads(line) for line in transcript if line.strip()]
    return Figures(
        decisions=len(rows),
        retries=sum(len(row["answers"]) > 1 for row in rows),
        illegal=sum(row["decision"] is None for row in rows),
        seconds=sum(row["seconds"] for row in rows) / max(len(rows), 1),
        cost=sum(row["cost"] for row in rows),
    )


class LanguageBot:
    """A bot in Python whose decisions a language model makes; a second illegal answer is the bot's failure."""

    compiled = False
    style = "Decides as a language model does."
    assumes = "What its model assumes."

    def __init__(self, game: Game, name: str) -> None:
        self.game, self.name = game, f"{LANGUAGE_MODEL}{name}"
        self.model = read_model(name)
        self.patience = 2 * self.model.seconds + 1  # the runner's, for one retry

    def fresh(self) -> LanguageBot:
        """Itself: it keeps nothing between decisions."""
        return self

    def decide(self, turn: Turn) -> str:
        """A legal decision, or the wrong answer itself, which the runner counts as illegal."""
        game = self.game if self.game.name == turn.game else game_named(turn.game)
        messages = messages_of(game, turn, self.model)
        started, answers, decision = time.monotonic(), [], None
        for _ in range(2):
            answer = self._ask(messages)
            answers.append(answer)
            decision, wrong = parse(answer.text, turn.legal)
            if decision is not None:
                break
            messages = [
                *messages,
                {"role": "assistant", "content": answer.text},
                {"role": "user", "content": f"{wrong} Answer again."},
            ]
        self._write(turn, messages, answers, decision, time.monotonic() - started)
        return answers[-1].text if decision is None else decision

    def _ask(self, messages: Sequence[Mapping[str, str]]) -> Answer:
        model = self.model
        if model.command is not None:
            done = subprocess.run(
                model.command, input=json.dumps(messages), capture_output=True, text=True, timeout=model.seconds,
                check=True,
            )  # fmt: skip
            return Answer(done.stdout)
        headers = {"Content-Type": "application/json"}
        if model.key is not None and model.key in os.environ:
            headers["Authorization"] = f"Bearer {os.environ[model.key]}"
        body = json.dumps({"model": model.model, "messages": messages}).encode()
        request = Request(f"{str(model.url).rstrip('/')}/chat/completions", body, headers)
        with urlopen(request, timeout=model.seconds) as response:
            reply = json.load(response)
        usage = reply.get("usage") or {}
        text = reply["choices"][0]["message"]["content"] or ""
        return Answer(text, usage.get("prompt_tokens", 0), usage.get("completion_tokens", 0))

    def _write(
        self, turn: Turn, messages: Sequence[Mapping[str, str]], answers: Sequence[Answer], decision: str | None,
        seconds: float,
    ) -> None:  # fmt: skip
        if self.model.transcript is None:
            return
        prices = self.model.prices
        cost = sum(answer.tokens_in * prices[0] + answer.tokens_out * prices[1] for answer in answers) / 1e6
        row = {
            "model": self.name, "game": turn.game, "seat": turn.seat, "messages": messages,
            "answers": [answer.text for answer in answers], "decision": decision, "seconds": seconds, "cost": cost,
        }  # fmt: skip
        with Path(self.model.transcript).open("a", encoding="utf-8") as file:  # one write: processes may share the file
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
