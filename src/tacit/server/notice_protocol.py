"""The messages about notices: where somebody wants to be reached, for which tables, and when not. They go over HTTP
alone; docs/notices.md explains them.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, field

from tacit.server.protocol import Wire

ChannelKind = Literal["push", "discord", "slack", "matrix", "json"]
Language = Literal["en", "de", "nl"]
Minute = Annotated[int, Meta(ge=0, le=1439)]  # after midnight
KeyText = Annotated[str, Meta(max_length=400)]


class QuietHours(Wire, frozen=True, kw_only=True):
    """When nothing is sent: it waits until `to`. From a later to an earlier minute is over midnight."""

    start: Minute
    to: Minute
    zone: Annotated[str, Meta(min_length=1, max_length=60)]  # Europe/Berlin


class Reach(Wire, frozen=True, kw_only=True):
    """Choose: notices of all your tables or only of some, in which language, and when not."""

    everywhere: bool = True
    language: Language = "en"
    quiet: QuietHours | None = None


class NewChannel(Wire, frozen=True, kw_only=True):
    """Another way to reach you. A test message goes there first; if it does not arrive, nothing is kept.

    `keys` of web push are the browser's `p256dh` and `auth`; of Matrix a `token`, if the address is a room's.
    """

    kind: ChannelKind
    address: Annotated[str, Meta(min_length=8, max_length=2000)]
    keys: dict[Literal["p256dh", "auth", "token"], KeyText] = field(default_factory=dict)
    language: Language | None = None


class ChannelInfo(Wire, frozen=True, kw_only=True):
    """A way to reach you. `host` is the part of its address that can be shown."""

    channel: str
    kind: ChannelKind
    host: str
    made: float
    failures: int  # since something last arrived there


class NoticeSettings(Wire, frozen=True, kw_only=True):
    """All that you chose about notices. `push_key` is what a browser subscribes with; null: no web push here."""

    push_key: str | None
    reach: Reach
    channels: list[ChannelInfo]
    tables: dict[str, bool]  # where you chose otherwise than for all
    added: str | None = None  # the channel that this request made


class OneChannel(Wire, frozen=True, kw_only=True):
    """Remove a channel, or send it a test message."""


class TableNotices(Wire, frozen=True, kw_only=True):
    """Notices of this table: wanted, not wanted, or (null) as for all tables."""

    wanted: bool | None = None
