"""The messages about the server and its lobby: which games and open tables there are. They go over HTTP alone."""

from __future__ import annotations

from tacit.core.game import OptionValue
from tacit.server.protocol import Aids, Phase, SeatInfo, Spectators, Wire


class BotInfo(Wire, frozen=True, kw_only=True):
    """A bot of a game: its style, and what it assumes about the other seats (in English)."""

    name: str
    style: str
    assumes: str


class GameInfo(Wire, frozen=True, kw_only=True):
    """A game that this server offers."""

    game: str
    title: str
    rules_version: int
    min_seats: int
    max_seats: int
    options: dict[str, list[OptionValue]]
    cooperative: bool = False  # all seats share one score
    silent: bool
    signals: list[str]
    bots: list[BotInfo]  # the usual bot first
    puzzles: int = 0  # how many it brings


class Games(Wire, frozen=True, kw_only=True):
    protocol: int
    software: str
    games: list[GameInfo]


class LobbyTable(Wire, frozen=True, kw_only=True):
    """An open table in the lobby."""

    table: str
    game: str
    options: dict[str, OptionValue]
    phase: Phase
    seats: list[SeatInfo]
    spectators: Spectators
    clock: int | None
    aids: Aids = "none"
    deal: str | None = None  # that it plays


class Lobby(Wire, frozen=True, kw_only=True):
    tables: list[LobbyTable]


class Health(Wire, frozen=True, kw_only=True):
    ok: bool
    software: str
    protocol: int
    database: str
    bus: str  # how processes tell each other: local (there is one), postgresql or valkey
    bus_up: bool  # while it is down they are told later
    tables: int  # live in this process
