"""Checking a record against the opening of its deal, or against what its own tags open."""

from __future__ import annotations

import re

from tacit.core.errors import TacitError
from tacit.core.keyed_chance import (
    Beginning,
    DealChance,
    MatchChance,
    commitment,
    deal_name,
    first_foreign_draw,
    named_deal_key,
    stirred_key,
)
from tacit.core.match import Match
from tacit.core.messages import Message
from tacit.server.deal_protocol import Checked
from tacit.server.errors import RequestRefused
from tacit.server.protocol import Opening

_OPENING = re.compile(r"([0-9a-f]{64}) ([0-9a-f]{2,128})")
_STIRRED = re.compile(r"stirred([0-9]{1,2})")


def loaded(record: str) -> Match:
    """The match of a record; refused if it cannot be read."""
    try:
        return Match.load(record)
    except TacitError as error:
        raise RequestRefused(error.message, 400) from error


def checked(match: Match, opening: Opening | None) -> Checked:
    """Does every draw of a record follow from an opening, and is that what was committed to?"""
    tags, begins = match.tags, _begins(match)
    draws = sum(line.startswith("* ") for line in match.lines[begins:])
    promised = tags.get("commitment")
    name = deal_name(tags)
    if name is not None:  # a deal by name needs no promise
        wrong = first_foreign_draw(match, lambda played: DealChance(named_deal_key(name, match.game.name), played))
        if wrong is None:
            return Checked(verdict="fair", draws=draws)
        return Checked(verdict="wrong", draws=draws, line=wrong, reason=_reason("draw", n=wrong))
    if opening is None:
        found = _OPENING.fullmatch(tags.get("opening", ""))
        if found is None:
            return Checked(verdict="unknown", draws=draws, commitment=promised, reason=_reason("closed"))
        key, salt = bytes.fromhex(found[1]), bytes.fromhex(found[2])
        stirred = {int(fits[1]): text for name, text in tags.items() if (fits := _STIRRED.fullmatch(name))}
        chance = stirred_key(key, stirred)
        wrong = first_foreign_draw(match, lambda played: MatchChance(chance, played), begins)
    else:
        key, salt = bytes.fromhex(opening.key), bytes.fromhex(opening.salt)
        beginning = Beginning.of(loaded(opening.beginning)) if opening.beginning is not None else None
        wrong = first_foreign_draw(match, lambda played: DealChance(key, played, beginning), begins)
    if promised is None:
        return Checked(verdict="unknown", draws=draws, reason=_reason("nothing"))
    if commitment(key, salt) != promised:
        return Checked(verdict="wrong", draws=draws, commitment=promised, reason=_reason("commitment"))
    if wrong is not None:
        return Checked(verdict="wrong", draws=draws, commitment=promised, line=wrong, reason=_reason("draw", n=wrong))
    return Checked(verdict="fair", draws=draws, commitment=promised)


def _begins(match: Match) -> int:
    """How many lines of a record are another match's."""
    step = match.tags.get("branched", "").rpartition(" ")[2]
    return int(step) if step.isascii() and step.isdecimal() and len(step) < 7 else 0


def _reason(code: str, **params: int) -> Message:
    return Message(f"server.check.{code}", params)
