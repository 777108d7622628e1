"""Events: every action, outcome and signal has its own number, interpreted and compiled."""

from __future__ import annotations

from tacit.core.events import (
    EVENT_STRIDE,
    FIRST_SIGNAL,
    HIDDEN,
    encode_event,
    event_actor,
    event_faults,
    event_heard,
    event_signal,
)
from tacit.core.random_play import CHANCE


def test_an_event_keeps_who_and_what() -> None:
    last = EVENT_STRIDE - 2
    found = set()
    for who in (0, 5, CHANCE):
        for heard in (HIDDEN, 0, 191, 192, 254, 255, 256, FIRST_SIGNAL - 1, FIRST_SIGNAL, FIRST_SIGNAL + 8, last):
            event = encode_event(who, heard)
            assert (event_actor(event), event_heard(event)) == (who, heard)
            assert (event_signal(event) >= 0) == (heard >= FIRST_SIGNAL)
            found.add(event)
    assert len(found) == 3 * 11
    assert event_signal(encode_event(2, FIRST_SIGNAL + 8)) == 8


def test_numbers_that_do_not_fit_are_named() -> None:
    assert event_faults(FIRST_SIGNAL, FIRST_SIGNAL, FIRST_SIGNAL - 1) == []
    assert event_faults(FIRST_SIGNAL + 1, 6, 9) == [f"ACTIONS is {FIRST_SIGNAL + 1}; events have room for 32768."]
    assert len(event_faults(FIRST_SIGNAL + 1, FIRST_SIGNAL + 1, FIRST_SIGNAL)) == 3
