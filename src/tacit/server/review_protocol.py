"""The messages about reviews of finished matches. `tacit.review.model` has what a review says."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from tacit.review.model import Review
from tacit.server.protocol import MAX_RECORD, Wire
from tacit.server.requests import MAX_WAIT

ReviewState = Literal["queued", "working", "ready", "failed"]


class BringReview(Wire, frozen=True, kw_only=True):
    """A record of a finished match to review. The server does not store it. `after`: the mark of the last answer."""

    record: Annotated[str, Meta(max_length=MAX_RECORD)]
    after: Annotated[str, Meta(max_length=40)] = ""
    wait: Annotated[float, Meta(ge=0, le=MAX_WAIT)] = 0.0


class Reviewed(Wire, frozen=True, kw_only=True):
    """A review as far as it is made. Ask again with `mark` as `after` and with `wait`: the answer comes when there is
    more, until its state is `ready` or `failed`.
    """

    state: ReviewState
    place: int  # how many are made before this one
    mark: str
    review: Review | None = None  # null: there is nothing to show yet
