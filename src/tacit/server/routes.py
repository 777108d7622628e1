"""The route table: every path of the HTTP API, its handler, what it takes and what it answers.

app.py gives each path its handler; schema.py makes the OpenAPI document and the types of the web client.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Literal

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from tacit.server import (
    aid_protocol,
    deal_protocol,
    lessons,
    lobby_protocol,
    notice_protocol,
    protocol,
    review_protocol,
    wire,
)
from tacit.server import you_protocol as you
from tacit.server.api import Api
from tacit.server.requests import MAX_WAIT


class Parameter(msgspec.Struct, frozen=True):
    """A parameter in the query or in a header."""

    name: str
    schema: dict[str, Any]
    location: Literal["query", "header"] = "query"


class Endpoint(msgspec.Struct, frozen=True):
    """One path and method. It is documented if its answer has a type; `str` is plain text."""

    method: Literal["GET", "POST"]
    path: str
    handler: Callable[[Api, Request], Awaitable[Response]]
    answer: type[Any] | None = None
    body: type[Any] | None = None
    parameters: tuple[Parameter, ...] = ()
    status: int = 200

    @property
    def operation(self) -> str:
        """Its name in the OpenAPI document: the command's, or the handler's."""
        if self.handler is Api.command and self.body is not None:
            return str(self.body.__struct_config__.tag)
        return self.handler.__name__.replace("_", "-")

    @property
    def summary(self) -> str:
        """The first line of the command's or the handler's docstring."""
        about = self.body if self.handler is Api.command else self.handler
        return ((about and about.__doc__) or "").strip().partition("\n")[0]


TABLE = "/api/tables/{table}"
EYES = Parameter("eyes", msgspec.json.schema(protocol.Eyes))
STEP = Parameter("step", {"type": "integer", "minimum": 0, "maximum": 999_999})
DECISION = Parameter("decision", msgspec.json.schema(protocol.Text))
AFTER = Parameter("after", {"type": "string", "maxLength": 40})
WAIT = Parameter("wait", {"type": "number", "minimum": 0, "maximum": MAX_WAIT})
DEAL, DUPLICATE = "/api/deals/{deal}", "/api/duplicates/{duplicate}"
CHANNELS = "/api/notices/channels"
LESSON, PUZZLE = "/api/lessons/{game}/{step}", "/api/puzzles/{game}/{number}"
DAY = Parameter("day", {"type": "integer", "minimum": 1, "maximum": 999_999})
OFFSET = Parameter("offset", {"type": "integer", "minimum": 0, "maximum": 999_999})
LANGUAGE = Parameter("language", {"type": "string"})
IF_NONE_MATCH = Parameter("If-None-Match", {"type": "string"}, "header")

# A fixed part of a path comes before a parameter at the same place (dispatch.py).
ENDPOINTS = (
    Endpoint("POST", f"{TABLE}/join", Api.join, protocol.Entered, protocol.Join, status=201),
    Endpoint("POST", "/api/tables", Api.create, protocol.Entered, protocol.Create, status=201),
    Endpoint("GET", "/healthz", Api.health, lobby_protocol.Health),
    Endpoint("GET", "/metrics", Api.prometheus),
    Endpoint("GET", "/api/games", Api.games, lobby_protocol.Games),
    Endpoint("GET", "/api/words/{language}", Api.words),
    Endpoint("GET", "/api/lobby", Api.lobby, lobby_protocol.Lobby),
    Endpoint("GET", TABLE, Api.table, protocol.Table),
    Endpoint("GET", f"{TABLE}/seen", Api.seen, protocol.Seen, None, (WAIT, IF_NONE_MATCH)),
    Endpoint("GET", f"{TABLE}/record", Api.record, str),
    Endpoint("GET", f"{TABLE}/replay", Api.replay, protocol.Replayed, None, (EYES, STEP, DECISION)),
    Endpoint("GET", f"{TABLE}/outline", Api.outline, protocol.Outline, None, (EYES,)),
    Endpoint("POST", "/api/replay", Api.replay_brought, protocol.Replayed, protocol.Bring),
    Endpoint("POST", "/api/outline", Api.outline_brought, protocol.Outline, protocol.Bring),
    Endpoint("GET", f"{TABLE}/review", Api.review, review_protocol.Reviewed, None, (AFTER, WAIT)),
    Endpoint("POST", "/api/review", Api.review_brought, review_protocol.Reviewed, review_protocol.BringReview),
    Endpoint("POST", f"{TABLE}/enter", Api.enter, protocol.Entered, protocol.Enter),
    Endpoint("POST", f"{TABLE}/follow", Api.follow, protocol.Entered, protocol.Follow),
    Endpoint("GET", "/api/daily", Api.daily, deal_protocol.Daily, None, (DAY,)),
    Endpoint("GET", DEAL, Api.deal, deal_protocol.DealInfo),
    Endpoint("GET", f"{DEAL}/results", Api.results, deal_protocol.Results, None, (OFFSET,)),
    Endpoint("POST", f"{DEAL}/close", Api.close_deal, deal_protocol.DealInfo, deal_protocol.Close),
    Endpoint("POST", f"{TABLE}/challenge", Api.challenge, deal_protocol.Challenged, deal_protocol.Challenge, (), 201),
    Endpoint(
        "POST", "/api/duplicates", Api.duplicate, deal_protocol.MadeDuplicate, deal_protocol.NewDuplicate, (), 201
    ),
    Endpoint("GET", DUPLICATE, Api.standing, deal_protocol.Duplicate),
    Endpoint("GET", f"{DUPLICATE}/print", Api.printed_standing, str, None, (LANGUAGE,)),
    Endpoint("POST", f"{DUPLICATE}/close", Api.close_duplicate, deal_protocol.Duplicate, deal_protocol.Close),
    Endpoint("POST", "/api/branch", Api.branch, protocol.Entered, deal_protocol.Branch, status=201),
    Endpoint("POST", "/api/check", Api.check, deal_protocol.Checked, deal_protocol.Check),
    Endpoint("POST", "/api/player", Api.player, deal_protocol.Player),
    Endpoint("GET", "/api/notices", Api.notices, notice_protocol.NoticeSettings),
    Endpoint("POST", "/api/notices", Api.choose_notices, notice_protocol.NoticeSettings, notice_protocol.Reach),
    Endpoint("POST", CHANNELS, Api.add_channel, notice_protocol.NoticeSettings, notice_protocol.NewChannel, status=201),
    Endpoint(
        "POST",
        f"{CHANNELS}/{{channel}}/remove",
        Api.remove_channel,
        notice_protocol.NoticeSettings,
        notice_protocol.OneChannel,
    ),
    Endpoint("POST", f"{CHANNELS}/{{channel}}/test", Api.test_channel, protocol.Done, notice_protocol.OneChannel),
    Endpoint(
        "POST", f"{TABLE}/notices", Api.table_notices, notice_protocol.NoticeSettings, notice_protocol.TableNotices
    ),
    Endpoint("GET", "/api/you", Api.you, you.You),
    Endpoint("GET", "/api/you/matches", Api.my_matches, you.MyMatches, None, (OFFSET,)),
    Endpoint("GET", "/api/you/invitations", Api.invitations, you.Invitations),
    Endpoint("GET", "/api/you/export", Api.export_you, you.Export),
    Endpoint("POST", "/api/you/delete", Api.delete_you, protocol.Done, you.Delete),
    Endpoint("POST", "/api/you/passkey/begin", Api.begin_passkey, you.PasskeyOptions, you.KeepName),
    Endpoint("POST", "/api/you/passkey/finish", Api.finish_passkey, protocol.Done, you.PasskeyAnswer),
    Endpoint("POST", "/api/you/passkey/remove", Api.remove_passkey, protocol.Done, you.RemovePasskey),
    Endpoint("POST", "/api/you/sign-in/begin", Api.begin_sign_in, you.PasskeyOptions, you.SignIn),
    Endpoint("POST", "/api/you/sign-in/finish", Api.finish_sign_in, protocol.Done, you.PasskeyAnswer),
    Endpoint("POST", "/api/you/device/remove", Api.remove_device, protocol.Done, you.RemoveDevice),
    Endpoint("POST", "/api/you/name", Api.keep_name, protocol.Done, you.KeepName),
    Endpoint("POST", "/api/you/avoid", Api.avoid, protocol.Done, you.Avoid),
    Endpoint("POST", "/api/you/invite", Api.invite, protocol.Done, you.InvitePerson),
    Endpoint("POST", "/api/you/dismiss", Api.dismiss, protocol.Done, you.Dismiss),
    Endpoint("POST", LESSON, Api.lesson, lessons.Tried, lessons.Try),
    Endpoint("POST", f"{LESSON}/preview", Api.lesson_preview, protocol.Previewed, lessons.Look),
    Endpoint("POST", PUZZLE, Api.puzzle, lessons.Tried, lessons.Try),
    Endpoint("POST", f"{PUZZLE}/preview", Api.puzzle_preview, protocol.Previewed, lessons.Look),
    Endpoint("POST", f"{TABLE}/{{command}}", Api.command, protocol.Done),
)


COMMAND_ANSWERS: dict[type[Any], type[Any]] = {  # the others answer Done
    protocol.Preview: protocol.Previewed,
    aid_protocol.WorkOut: aid_protocol.WorkedOut,
    aid_protocol.Hint: aid_protocol.Hinted,
}


def documented() -> list[Endpoint]:
    """The endpoints for clients, with one for each command in place of the pattern."""
    found: list[Endpoint] = []
    for endpoint in ENDPOINTS:
        if "{command}" in endpoint.path:
            paths = {one.path for one in found}
            for tag, kind in wire.COMMANDS.items():
                path = endpoint.path.replace("{command}", tag)
                if path not in paths:
                    answer = COMMAND_ANSWERS.get(kind, endpoint.answer)
                    found.append(msgspec.structs.replace(endpoint, path=path, body=kind, answer=answer))
        elif endpoint.answer is not None:
            found.append(endpoint)
    return found
