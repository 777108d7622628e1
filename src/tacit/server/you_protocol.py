"""The messages about oneself: passkeys, devices, matches, results, ratings, people, invitations. Over HTTP alone."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta

from tacit.core.game import OptionValue
from tacit.core.messages import Message
from tacit.server.deal_protocol import TableName
from tacit.server.protocol import Aids, DeciderKind, Name, Phase, Wire

PAGE = 30  # matches in one answer
PersonName = Annotated[str, Meta(pattern="^[0-9a-f]{16}$")]  # of somebody else, for one asker alone
Challenge = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{20,64}$")]


# ------------------------------------------------------------------ passkeys and devices
class PasskeyOptions(Wire, frozen=True, kw_only=True):
    """What the browser's `navigator.credentials` needs, as JSON of WebAuthn. `challenge` goes back with its answer."""

    challenge: str
    options: dict[str, Any]


class PasskeyAnswer(Wire, frozen=True, kw_only=True):
    """What `navigator.credentials` answered (`toJSON`)."""

    challenge: Challenge
    credential: dict[str, Any]


class Passkey(Wire, frozen=True, kw_only=True):
    """A passkey of yours. `label` is the device on which it was made."""

    passkey: str
    label: str
    made: float
    used: float | None = None


class Device(Wire, frozen=True, kw_only=True):
    """A device that is yours by a passkey."""

    device: str
    label: str
    added: float
    here: bool  # it is the one that asks


class RemovePasskey(Wire, frozen=True, kw_only=True):
    """A passkey shall open nothing any more."""

    passkey: Annotated[str, Meta(min_length=1, max_length=1400)]


class RemoveDevice(Wire, frozen=True, kw_only=True):
    """A device shall be yours no longer."""

    device: Annotated[str, Meta(pattern="^[0-9a-f]{16}$")]


class KeepName(Wire, frozen=True, kw_only=True):
    """Keep a name for yourself; null gives it up. Needs a passkey."""

    name: Name | None = None


# ------------------------------------------------------------------ what one has played
class Rating(Wire, frozen=True, kw_only=True):
    """How well you play a game, with the half of a 95 % interval (null: too few matches to say).

    `skill`: against people, by OpenSkill, around 1500. `deal`: how much better your matches ended, on average, than
    those of the bot `measure` with the same cards.
    """

    game: str
    kind: Literal["skill", "deal"]
    value: float
    margin: float | None
    matches: int
    provisional: bool
    measure: str | None = None


class GameRecord(Wire, frozen=True, kw_only=True):
    """Your results in a game with these options and seats. A seat that a bot finished counts as played, no more."""

    game: str
    options: dict[str, OptionValue]
    seats: int
    played: int
    finished: int  # by yourself
    best: int | None = None  # score; more is better
    best_result: Any = None
    average: float | None = None
    won: int | None = None  # null: co-operative
    in_a_row: int | None = None  # won, up to the last


class Acquaintance(Wire, frozen=True, kw_only=True):
    """Somebody you played with. `person` names them for you alone."""

    person: PersonName
    name: str | None
    matches: int
    last: float
    game: str  # of the last match, with its options and seats
    options: dict[str, OptionValue]
    seats: int
    avoided: bool


class You(Wire, frozen=True, kw_only=True):
    """What this server knows of you."""

    recognised: bool  # by a passkey
    name: str | None  # that you keep
    passkeys: list[Passkey]
    devices: list[Device]
    matches: int
    days: int  # in a row with a finished match, up to today
    longest_days: int
    records: list[GameRecord]
    ratings: list[Rating]
    measuring: int  # matches that are still being compared with the bot
    people: list[Acquaintance]
    shut_out: Message | None = None


class Export(Wire, frozen=True, kw_only=True):
    """All that is kept about you. What others did is not in it."""

    format: str
    made: float
    name: str | None
    devices: list[dict[str, Any]]
    passkeys: list[dict[str, Any]]
    matches: list[dict[str, Any]]
    attempts: list[dict[str, Any]]  # on deals
    cards_seen: list[dict[str, Any]]  # of deals: an attempt on them would not count
    said: list[dict[str, Any]]
    ratings: list[dict[str, Any]]
    people: list[dict[str, Any]]
    invitations: list[dict[str, Any]]
    notices: list[dict[str, Any]]  # when and where you want to be reached


class MatchSeat(Wire, frozen=True, kw_only=True):
    """Who sat there, and who finished: `by` is null while the match runs."""

    name: str | None
    bot: str | None
    by: DeciderKind | None


class MyMatch(Wire, frozen=True, kw_only=True):
    """A match of yours. Its replay is at its table."""

    table: str
    game: str
    options: dict[str, OptionValue]
    phase: Phase
    made: float
    seat: int
    seats: list[MatchSeat]
    score: int | None = None
    result: Any = None
    baseline: int | None = None  # the bot's score with the same cards
    aids: Aids = "none"  # that the table had
    hints: int = 0  # that you asked for


class MyMatches(Wire, frozen=True, kw_only=True):
    total: int
    offset: int
    matches: list[MyMatch]


# ------------------------------------------------------------------ others
class Avoid(Wire, frozen=True, kw_only=True):
    """You do not want to meet somebody any more (or you do again). They are not told."""

    person: PersonName
    avoid: bool


class InvitePerson(Wire, frozen=True, kw_only=True):
    """Invite somebody you played with to a table at which you sit."""

    person: PersonName
    table: TableName


class Invitation(Wire, frozen=True, kw_only=True):
    """Somebody invites you to their table."""

    table: str
    game: str
    options: dict[str, OptionValue]
    seats: int
    name: str | None  # of who invites
    at: float


class Invitations(Wire, frozen=True, kw_only=True):
    invitations: list[Invitation]


class Dismiss(Wire, frozen=True, kw_only=True):
    """An invitation is not wanted."""

    table: TableName


class Delete(Wire, frozen=True, kw_only=True):
    """Delete all that is kept about you. Matches stay, without your name."""

    sure: Literal[True]


class SignIn(Wire, frozen=True, kw_only=True):
    """Begin to sign in with a passkey of this site."""
