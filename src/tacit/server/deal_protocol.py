"""The messages about deals: the daily, challenges, duplicate matches, playing on from a moment, checking a record.

They go over HTTP alone. protocol.py has the others; docs/fair-deals.md says what they promise.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, field

from tacit.core.game import OptionValue
from tacit.core.messages import Message
from tacit.server.protocol import MAX_RECORD, Chair, Client, DealKind, Name, Opening, Phase, Seat, Visibility, Wire

MAX_TEAMS, MAX_DEALS = 12, 8  # of a duplicate match
PAGE = 100  # results in one answer
MAX_HOURS = 24 * 90  # that a challenge stays open
TableName = Annotated[str, Meta(min_length=1, max_length=40)]
RecordText = Annotated[str, Meta(max_length=MAX_RECORD)]


# ------------------------------------------------------------------ deals
class MyAttempt(Wire, frozen=True, kw_only=True):
    """The attempt of whoever asks: the counted one if there is one, otherwise the first."""

    table: str
    phase: Phase
    counted: bool
    reason: Message | None = None  # why it does not count
    score: int | None = None  # more is better; null until the match is over


class DealInfo(Wire, frozen=True, kw_only=True):
    """A deal: which match is played on it, until when, and what proves its cards.

    `bot` has every seat without a person. `opening` is null until the cards are public: once the deal is closed and
    nobody plays it any more.
    """

    deal: str
    kind: DealKind
    game: str
    rules_version: int
    options: dict[str, OptionValue]
    seats: int
    bot: str
    number: int | None = None  # of the daily, or within a duplicate match
    date: str | None = None  # of the daily: 2026-11-16
    opened: float  # seconds since 1970
    closes: float | None = None  # null: when its maker closes it
    open: bool
    commitment: str
    opening: Opening | None = None
    finished: int  # attempts that are over
    mine: MyAttempt | None = None
    would_count: bool  # if you began an attempt now
    reason: Message | None = None  # why it would not


class Daily(Wire, frozen=True, kw_only=True):
    """The deals of a day (UTC). `streak` counts the days in a row, up to this one, with a counted attempt of yours."""

    number: int
    date: str
    ends: float
    today: int  # the number of the present day
    deals: list[DealInfo]
    streak: int
    longest_streak: int


class Team(Wire, frozen=True, kw_only=True):
    """One attempt in a list of results. `table` is where its replay is.

    In a co-operative game `score` is the team's; otherwise it is that of the best person, and `scores` has each seat's.
    """

    table: str
    names: list[str]
    people: int
    score: int
    scores: list[int]
    result: Any
    counted: bool
    place: int | None = None  # among those that count; equal scores share a place
    reason: Message | None = None  # why it does not count
    sat_in: list[str] = field(default_factory=list)  # bots that sat in for a person
    finished: float
    mine: bool = False


class Bar(Wire, frozen=True, kw_only=True):
    """How many counted attempts ended with a score."""

    score: int
    count: int


BestKind = Literal["possible", "found", "reached", "searching", "unknown"]


class Results(Wire, frozen=True, kw_only=True):
    """The results of a deal, for those who have finished it, and for everyone once its cards are public.

    Counted attempts come first, the best one first. `bots` is the score of the deal's bot on all seats, `best` the best
    that is known; null where they are not known (yet). `best_is` says what it is: the best "possible" on these cards
    for seats that know them all; the best that was "found" by a search that could not try everything; in games that are
    not co-operative the best that was "reached" by anybody or by the bots; "searching": the server still looks for it.
    `share` tells your result without telling a card.
    """

    deal: DealInfo
    cooperative: bool
    counted: int
    distribution: list[Bar]
    bots: int | None
    best: int | None
    best_is: BestKind
    mine: Team | None
    share: str | None
    total: int
    offset: int
    teams: list[Team]


# ------------------------------------------------------------------ challenges
class Challenge(Wire, frozen=True, kw_only=True):
    """Let others play the deal of this finished match."""

    hours: Annotated[int, Meta(ge=1, le=MAX_HOURS)] | None = 24 * 14  # that it stays open; null: until you close it


class Challenged(Wire, frozen=True, kw_only=True):
    """A challenge. Whoever opens `link` can play the same deal at a table of their own."""

    link: str
    deal: DealInfo


class Close(Wire, frozen=True, kw_only=True):
    """Close a deal or a duplicate match that you made."""


# ------------------------------------------------------------------ duplicate matches
class NewDuplicate(Wire, frozen=True, kw_only=True):
    """Make tables that play the same deals."""

    game: Annotated[str, Meta(max_length=40)]
    seats: Seat
    options: dict[str, OptionValue] = field(default_factory=dict)
    tables: Annotated[int, Meta(ge=2, le=MAX_TEAMS)]
    deals: Annotated[int, Meta(ge=1, le=MAX_DEALS)]
    title: Name | None = None
    clock: Annotated[int, Meta(ge=5, le=86_400)] | None = None


class MadeDuplicate(Wire, frozen=True, kw_only=True):
    """A duplicate match. `key` closes it, and is the maker's at each of its tables: keep it secret."""

    duplicate: str
    key: str
    link: str


class DuplicateTable(Wire, frozen=True, kw_only=True):
    """One table of a duplicate match: where it plays now. It goes on to the next deal by `rematch`."""

    team: int  # counted from 0
    table: str
    deal: int  # the number of the deal it is at, counted from 1
    phase: Phase
    names: list[str | None]  # of each seat; null: free, or a bot's
    finished: list[int]  # the numbers of the deals that it has finished


class Standing(Wire, frozen=True, kw_only=True):
    """One row of a standing: a table in a co-operative game, otherwise a person.

    Co-operative games: `points` are matchpoints, two for every table with a lower score and one for every other with
    the same. Other games: `points` are the game's own, and `places` the sum of the places at the own table.
    """

    team: int
    seat: int | None = None
    names: list[str]
    score: int | None = None  # of one deal
    points: int
    places: int | None = None
    place: int | None = None  # null: it does not count
    sat_in: list[str] = field(default_factory=list)
    reason: Message | None = None  # why it does not count


class DealStanding(Wire, frozen=True, kw_only=True):
    """The standing of one deal. It is empty until you have finished the deal, or all tables have."""

    number: int
    deal: str
    finished: int
    shown: bool
    rows: list[Standing]


class Duplicate(Wire, frozen=True, kw_only=True):
    """A duplicate match: its tables, the standing of each deal, and in all of those that are shown."""

    duplicate: str
    title: str | None
    game: str
    options: dict[str, OptionValue]
    seats: int
    cooperative: bool
    open: bool
    opened: float
    tables: list[DuplicateTable]
    deals: list[DealStanding]
    total: list[Standing]


# ------------------------------------------------------------------ play from here
class Branch(Wire, frozen=True, kw_only=True):
    """Play on from a moment of a finished match (`table`) or of a record: after its first `step` lines.

    The maker gets seat `seat`; the others are as `chairs` say, or open.
    """

    table: TableName | None = None
    record: RecordText | None = None
    step: Annotated[int, Meta(ge=0, le=1_000_000)]
    name: Name
    seat: Seat = 0
    kind: Client | None = None
    chairs: list[Chair] = field(default_factory=list)
    visibility: Visibility = "private"


# ------------------------------------------------------------------ checking
class Check(Wire, frozen=True, kw_only=True):
    """Check what chance did in a record: by its own tags, or by the opening of its deal, if it has one."""

    record: RecordText
    opening: Opening | None = None


class Checked(Wire, frozen=True, kw_only=True):
    """`fair`: every draw follows from the opening, and the opening fits the commitment. Otherwise `reason` says what
    is wrong or missing, and `line` where.
    """

    verdict: Literal["fair", "wrong", "unknown"]
    draws: int  # that were checked; in a match that was played on from another, those since
    commitment: str | None = None
    line: int | None = None
    reason: Message | None = None


class Player(Wire, frozen=True, kw_only=True):
    """Who you are on this server: a random name that a cookie keeps. Programs send it in the header `Tacit-Player`."""

    player: str
