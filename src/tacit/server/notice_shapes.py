"""How a notice is worded, and the shape in which each kind of service wants it."""

from __future__ import annotations

import datetime
import hashlib
from typing import Any
from urllib.parse import quote
from zoneinfo import ZoneInfo

import msgspec

from tacit.core.messages import Message, render
from tacit.core.registry import game_named
from tacit.server.outbound import Letter
from tacit.server.push import PushKey

JSON = {"Content-Type": "application/json"}


class Notice(msgspec.Struct, frozen=True):
    """What somebody is told: never a card, a hand or a decision. `table` is null in a test message."""

    kind: str
    game: str | None
    table: str | None
    who: str | None
    language: str
    base: str  # the address of this server

    @property
    def title(self) -> str:
        return "tacit" if self.game is None else game_named(self.game).title

    @property
    def text(self) -> str:
        code = "notice.invited-nobody" if self.kind == "invited" and not self.who else f"notice.{self.kind}"
        return render(Message(f"server.{code}", {"game": self.title, "who": self.who or ""}), self.language)

    @property
    def path(self) -> str:
        return "/settings" if self.table is None else f"/t/{quote(self.table)}"

    @property
    def mark(self) -> str:
        """The same for all notices of a table, so that a later one replaces an earlier one."""
        return hashlib.sha256(f"notice {self.table}".encode()).hexdigest()[:24]


class Way(msgspec.Struct, frozen=True):
    """Where a notice goes. `once` is the same for all attempts to send one notice."""

    kind: str
    address: str
    keys: dict[str, str]
    once: str = ""


def letter(notice: Notice, way: Way, key: PushKey | None) -> Letter:
    """What is sent there."""
    link, keys = notice.base + notice.path, way.keys
    words = f"{notice.title}: {notice.text}"
    line = f"{words} {link}"
    if way.kind == "push":
        assert key is not None  # only a process with the key takes these
        content = {"title": notice.title, "body": notice.text, "url": notice.path, "tag": notice.mark}
        body, headers = key.letter(way.address, keys, msgspec.json.encode(content), notice.mark)
        return Letter(way.address, body, headers)
    if way.kind == "discord":
        return _json(way.address, {"content": f"{_plain(words)} {link}", "allowed_mentions": {"parse": []}})
    if way.kind == "slack":
        escaped = line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        return _json(way.address, {"text": escaped})
    if way.kind == "matrix" and "token" in keys:  # a room, as a client of its server
        once = f"{way.address.rstrip('/')}/{notice.mark}{hashlib.sha256(way.once.encode()).hexdigest()[:8]}"
        headers = JSON | {"Authorization": f"Bearer {keys['token']}"}
        return Letter(once, msgspec.json.encode({"msgtype": "m.text", "body": line}), headers, "PUT")
    if way.kind == "matrix":  # a webhook of a bridge
        return _json(way.address, {"text": line})
    told = {"kind": notice.kind, "game": notice.game, "table": notice.table, "text": notice.text, "link": link}
    return _json(way.address, told)


def _json(address: str, content: Any) -> Letter:
    return Letter(address, msgspec.json.encode(content), JSON)


def _plain(text: str) -> str:
    """Without the marks by which Discord makes bold text, links and mentions of a name."""
    return "".join(f"\\{c}" if c in "*_~`|<>[]@#\\" else c for c in text)


def quiet_until(now: float, start: int | None, to: int | None, zone: str) -> float | None:
    """When quiet hours end that hold now; None if none do."""
    if start is None or to is None or start == to:
        return None
    here = datetime.datetime.fromtimestamp(now, ZoneInfo(zone))
    minute = here.hour * 60 + here.minute
    quiet = start <= minute < to if start < to else minute >= start or minute < to
    if not quiet:
        return None
    end = here.replace(hour=to // 60, minute=to % 60, second=0, microsecond=0)
    if end <= here:
        end += datetime.timedelta(days=1)
    return end.timestamp()
