"""The reader of match records; docs/records.md describes the format."""

from __future__ import annotations

import json
import re
from typing import Any

from tacit.core.chance import Chance
from tacit.core.errors import BadDeck, BadRecord, TacitError
from tacit.core.match import ANNULLED, Match
from tacit.core.messages import Message
from tacit.core.registry import game_named


def read(text: object, chance: Chance | None, deck: object = None) -> Match:
    """The match of a record; raises BadRecord with the number of the first wrong line, or BadDeck."""
    if not isinstance(text, str):
        raise BadRecord(1, Message("core.record.text"))
    reader = _Reader(text, chance, deck)
    try:
        return reader.match()
    except (BadRecord, BadDeck):
        raise
    except TacitError as error:
        raise BadRecord(reader.number, error.message) from error


class _Reader:
    def __init__(self, text: str, chance: Chance | None, deck: object) -> None:
        self.lines = text.replace("\r\n", "\n").split("\n")
        self.number = 0  # of the line read last, counted from 1
        self.annulled: list[str] = []  # decisions that were taken back, since the last step
        self.chance = chance
        self.deck = deck

    def next(self) -> str | None:
        """The next line that is neither empty nor a comment, stripped; None at the end."""
        while self.number < len(self.lines):
            self.number += 1
            line = self.lines[self.number - 1].strip(" \t")
            if line and not line.startswith("#"):
                return line
            if line.startswith(ANNULLED):
                self.annulled.append(line.removeprefix(ANNULLED))
        return None

    def fail(self, code: str, **params: Any) -> BadRecord:
        return BadRecord(max(self.number, 1), Message(f"core.record.{code}", params))

    def match(self) -> Match:
        line = self.next()
        if line is None:
            raise self.fail("empty")
        words = _words(line)
        if len(words) != 2 or words[0] != "tacit":
            raise self.fail("head")
        if words[1] != "1":
            raise self.fail("version", given=words[1][:20])
        words = _words(self.next())
        if len(words) != 3 or words[0] != "game":
            raise self.fail("game")
        game = game_named(words[1])
        own_deck = game.deck
        if self.deck is not None:
            game = game.with_deck(self.deck)
        version = game.check_rules(int(words[2]) if re.fullmatch("[1-9][0-9]{0,8}", words[2]) else words[2][:20])
        words = _words(self.next())
        if len(words) != 2 or words[0] != "seats" or not re.fullmatch("[0-9]{1,3}", words[1]):
            raise self.fail("seats")
        seats = int(words[1])
        game.check(seats)
        options: Any = None
        tags: dict[str, str] = {}
        line = self.next()
        if line is not None and re.match(r"options\b", line):
            options = self.json("options", line[len("options") :])
            game.check(seats, options)
            line = self.next()
        while line is not None and re.match(r"tag\b", line):
            name, text = self.tag(line)
            tags[name] = text
            line = self.next()
        if own_deck is not None:
            options = {"deck": own_deck} | dict(options or {})
            game.check(seats, options)
        match = Match(game, seats, options, chance=self.chance, settle=False, tags=tags, rules_version=version)
        while line is not None:
            self.annul(match)
            if line.startswith("="):
                self.result(match, line)
                if self.next() is not None:
                    raise self.fail("after-result")
                break
            self.step(match, line)
            line = self.next()
        self.annul(match)
        match._settles = True
        return match

    def annul(self, match: Match) -> None:
        """Keep what was taken back before the line that is read now."""
        match.annulled += [(len(match.lines), line) for line in self.annulled]
        self.annulled = []

    def step(self, match: Match, line: str) -> None:
        line = line.partition("#")[0].rstrip(" \t")
        if line.startswith("! ") and not match.game.signals:
            raise BadRecord(self.number, Message("core.signal.none", {"game": match.game.title}))
        if not re.match(r"(\*|(! )?(0|[1-9][0-9]?))( |$)", line):
            raise self.fail("unreadable", text=line[:40])
        match.replay(line)

    def tag(self, line: str) -> tuple[str, str]:
        found = re.match(r'tag[ \t]+([^\s"#]+)[ \t]+', line)
        text = self.json("tag", line[found.end() :]) if found else None
        if not found or not isinstance(text, str):
            raise self.fail("tag")
        return found[1], text

    def result(self, match: Match, line: str) -> None:
        given = self.json("=", line[1:])
        if match.result is None:
            raise self.fail("not-over")
        if given != match.result:
            raise self.fail("result", ours=_short(json.dumps(match.result)), given=_short(json.dumps(given)))

    def json(self, word: str, text: str) -> Any:
        """The JSON value in a line; only a comment may follow it."""
        text = text.strip(" \t")
        try:
            value, end = json.JSONDecoder().raw_decode(text)
            json.dumps(value, ensure_ascii=False).encode()  # a lone surrogate cannot be encoded
        except (ValueError, RecursionError):
            raise self.fail("json", word=word) from None
        rest = text[end:].strip(" \t")
        if rest and not rest.startswith("#"):
            raise self.fail("json", word=word)
        return value


def _short(text: str) -> str:
    return text if len(text) <= 150 else text[:149] + "…"


def _words(line: str | None) -> list[str]:
    return (line or "").partition("#")[0].split()
