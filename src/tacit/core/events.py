"""What a seat heard of each step, as numbers: the events that compiled bots and searches read.

An event is one integer, `EVENT_STRIDE * who + heard + 1`. `who` is a seat or CHANCE. `heard` is

    HIDDEN (-1)               the seat learns only that a step was made
    0 … FIRST_SIGNAL - 1      the number of the decision or outcome
    FIRST_SIGNAL + i          the game's signal number i

The layout is the same for every game, so bots and drivers are compiled against constants. `event_faults` checks that a
game's numbers fit; a game that is loaded has passed this check.
"""

from __future__ import annotations

from typing import Any

from tacit.core.rulekit import hook, rule
from tacit.core.state_layout import Cells

EVENT_BITS = 16
EVENT_STRIDE = 1 << EVENT_BITS
FIRST_SIGNAL = 1 << (EVENT_BITS - 1)
EVENT_CAPACITY = 1 << 12  # events kept for one seat of one match; later steps are not noted
# What a compiled bot reads of its events, as its module's `HEARS`: none, signals, these and what seats decided, or all.
HEARS_NOTHING, HEARS_SIGNALS, HEARS_DECISIONS, HEARS_ALL = range(4)
HIDDEN, UNHEARD = -1, -2  # `overhear` returns these: the seat hears that a step was made; it hears nothing


@rule
def encode_event(who: int, heard: int) -> int:
    """The event for a step of `who`, of which a seat heard `heard`: an action, HIDDEN or FIRST_SIGNAL + i."""
    return who * EVENT_STRIDE + heard + 1


@rule
def event_actor(event: int) -> int:
    """Who made the step: a seat or CHANCE."""
    return event >> EVENT_BITS


@rule
def event_heard(event: int) -> int:
    """What was heard: an action's number, HIDDEN, or FIRST_SIGNAL + i for signal i."""
    return (event & (EVENT_STRIDE - 1)) - 1


@rule
def event_signal(event: int) -> int:
    """The number of the signal; negative if the event is not a signal."""
    return (event & (EVENT_STRIDE - 1)) - 1 - FIRST_SIGNAL


@hook
def overhear(s: Any, seat: int, who: int, action: int) -> int:
    """What a seat hears of a step about to be made in s: the action, HIDDEN or UNHEARD. Games may replace it."""
    return UNHEARD


@rule
def note_events(s: Any, who: int, action: int, events: Any, heard: Cells) -> None:
    """Append to every seat's events[seat] what it hears of a step about to be made in s; heard[seat] counts them."""
    for seat in range(s.seats):
        told = overhear(s, seat, who, action)
        if told != UNHEARD and heard[seat] < len(events[seat]):
            events[seat, heard[seat]] = encode_event(who, told)
            heard[seat] += 1


def event_faults(actions: int, outcomes: int, signals: int) -> list[str]:
    """A sentence for each of these counts that is too large for an event; [] if all fit."""
    limits = [
        ("ACTIONS", actions, FIRST_SIGNAL),
        ("OUTCOMES", outcomes, FIRST_SIGNAL),
        ("len(SIGNALS)", signals, EVENT_STRIDE - 1 - FIRST_SIGNAL),
    ]
    return [f"{name} is {n}; events have room for {most}." for name, n, most in limits if n > most]
