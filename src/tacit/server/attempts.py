"""What a match comes to: score, who finished each seat, whether it is ranked; what its record says of seats, chance."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence

from tacit.core.keyed_chance import commitment
from tacit.core.match import Match
from tacit.core.messages import Message
from tacit.server.deal_rows import DealRow
from tacit.server.deciders import write_tag
from tacit.server.models import Ended, TableRow
from tacit.server.protocol import Branched, Span

_BRANCHED = re.compile(r"([A-Za-z0-9_-]{1,40}) ([0-9]{1,6})")


def attempt_result(match: Match, row: TableRow, played: Sequence[Sequence[Span]]) -> Ended:
    """How a finished match went. In a co-operative game all seats share the score; otherwise it is that of the best
    person. What a bot finished in a person's place is not ranked.
    """
    scores = [0] * match.seats
    match.game.rules.score(match.state, scores)
    people = [q for q, seat in enumerate(row.seats) if seat.kind == "person"]
    sat_in = {span.bot for q in people for span in played[q] if span.kind == "bot" and span.bot}
    finished = [q for q in people if not (played[q] and played[q][-1].kind == "bot")]
    ranked = bool(people) and (len(finished) == len(people) if match.game.cooperative else bool(finished))
    best = scores[0] if match.game.cooperative else max(scores[q] for q in finished or people or range(match.seats))
    by = [played[q][-1].kind if played[q] else None for q in range(match.seats)]
    return Ended(
        best, scores, match.result, sorted(sat_in), by, None if ranked else "bot",
        on_deal=row.deal is not None,
        rated=not match.game.cooperative and row.aids != "hints" and by.count("person") > 1,
    )  # fmt: skip


def names_of(row: TableRow) -> list[str | None]:
    """The name of the person on each seat; None for a bot's."""
    return [(seat.name or "") if seat.kind == "person" else None for seat in row.seats]


def reason_message(reason: str | None) -> Message | None:
    """Why an attempt does not count, for people."""
    return Message(f"server.uncounted.{reason}") if reason else None


def salt_of(row: TableRow) -> bytes:
    """The salt of a match's commitment."""
    return (row.salt or "").encode()


def stirred(row: TableRow) -> dict[int, str]:
    """What people added to the chance of a match, by seat."""
    return {q: seat.stirred for q, seat in enumerate(row.seats) if seat.stirred}


def branched_from(row: TableRow) -> Branched | None:
    """Where the match of a table was played on from."""
    if row.branched is None:
        return None
    return Branched(table=row.branched["table"], step=len(row.branched["lines"]))


def branched_by_record(tags: Mapping[str, str]) -> Branched | None:
    """Where the match of a record was played on from, as its tag says; None also for a tag that says nothing."""
    found = _BRANCHED.fullmatch(tags.get("branched", ""))
    if found is None:
        return None
    return Branched(table=None if found[1] == "record" else found[1], step=int(found[2]))


def seat_tags(row: TableRow, played: Sequence[Sequence[Span]], names: bool) -> dict[str, str]:
    """What a record says of its seats, with the names of people or without; which aids they had, and when it was."""
    seats = list(enumerate(row.seats))
    tags = {f"seat{q}": (seat.name if names else None) or seat.bot or "" for q, seat in seats}
    tags |= {f"bot{q}": seat.bot for q, seat in seats if seat.bot}
    tags |= {f"played{q}": write_tag(spans) for q, spans in enumerate(played) if spans}
    tags |= {"aids": row.aids} if row.aids != "none" else {}
    tags |= {f"hints{q}": str(len(seat.hints)) for q, seat in seats if seat.hints}
    return tags | {"date": time.strftime("%Y-%m-%d", time.gmtime(row.made))}


def chance_tags(row: TableRow, deal: DealRow | None, key: bytes | None, over: bool) -> dict[str, str]:
    """What a record can be checked by: its deal, or once the match is over what chance followed from."""
    branch = branched_from(row)
    tags = {"branched": f"{branch.table or 'record'} {branch.step}"} if branch else {}
    if deal is not None:
        return tags | {"deal": deal.id, "commitment": deal.commitment}
    if key is None:
        return tags
    tags |= {"commitment": commitment(key, salt_of(row))}
    tags |= {f"stirred{q}": text for q, text in stirred(row).items()}
    return tags | ({"opening": f"{key.hex()} {salt_of(row).hex()}"} if over else {})
