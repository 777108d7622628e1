"""Partners of a batch: compiled bots on all seats but the learner's, drawn anew for each match.

`build(game.module, "cpu", drivers=[bot, partners, stepping])` makes one bot's copy of the rules; all copies share the
batch's workspace. Each plays on in the matches in which one of its seats is due, until none is. On a GPU the kernels of
`partner_kernels` do so.
"""

from __future__ import annotations

import sys
from collections import namedtuple
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, get_type_hints

import numpy as np

from tacit.bots import bot_named
from tacit.bots.bot_play import at_once, choose_with
from tacit.bots.compiled import CompiledBot
from tacit.core.bits import LOCAL_CELLS, marked
from tacit.core.chance import RNG_WORDS, below, seed
from tacit.core.events import HEARS_ALL, HEARS_DECISIONS, note_events
from tacit.core.game import Game, whole
from tacit.core.random_play import CHANCE, clear, know
from tacit.core.rulekit import build, inlined, rule
from tacit.core.workspace import Int, IntBlocks, IntRows, Ints, States
from tacit.research import stepping
from tacit.research.stepping import BEGIN, RESUME, WHOLE, Workspace, advance, write_down

LEARNER = -1  # in `partner`: this seat is the learner's
STREAM = 1 << 31  # in the high word of a match's seed: the stream of its partners, which no match and no dice have
EVENT_CAPACITY = 1024  # events kept for one seat of one match; later steps are not noted
ILLEGAL = 2  # in `illegal`: a partner's decision was not legal


class Partnered(NamedTuple):
    """What a batch with partners has beside its `Workspace`: `workspace` joins them."""

    partner: IntRows  # (n, seats): which of the partners has a seat, or LEARNER
    partner_rngs: IntRows  # the partners' generators
    events: IntBlocks  # (n, seats, EVENT_CAPACITY): what every seat heard (`core.events`), as far as partners read it
    told: IntRows  # how many events each seat has
    memory: IntBlocks  # (n, seats, LOCAL_CELLS): what every seat keeps from decision to decision
    known: States  # scratch memory: what the deciding partner knows
    offered: IntRows  # scratch memory: its copy of the mask
    spare: Ints  # scratch memory: matches that wait for another partner
    kinds: Int  # how many partners there are to draw from
    hears: Int  # what the one of them that reads most of its events reads of them
    learner: Int  # the learner's seat; LEARNER: drawn for each match


if TYPE_CHECKING:
    PartnerWorkspace = Any
else:
    PartnerWorkspace = namedtuple("PartnerWorkspace", Workspace._fields + Partnered._fields)
    PartnerWorkspace.__annotations__ = {
        name: hint
        for part in (Workspace, Partnered)
        for name, hint in get_type_hints(part, include_extras=True).items()
    }


# ------------------------------------------------------------------ in place of the hooks of `stepping`
@inlined
def begun(i: int, w: PartnerWorkspace) -> None:
    """Draw the partners of a match that has just begun, from a stream of its own; nobody has heard anything."""
    seed(w.partner_rngs[i], w.seeds[i] & 0xFFFFFFFF, (w.seeds[i] >> 32) | STREAM)
    seats = w.partner.shape[1]
    own = w.learner if w.learner >= 0 else below(w.partner_rngs[i], seats)
    for q in range(seats):
        w.told[i, q] = 0
        clear(w.memory[i, q])
        w.partner[i, q] = LEARNER if q == own else below(w.partner_rngs[i], w.kinds)


@inlined
def noted(i: int, who: int, action: int, w: PartnerWorkspace) -> None:
    """Every seat hears a step that is about to be made, as far as partners read what they hear."""
    if w.hears == HEARS_ALL or (w.hears == HEARS_DECISIONS and who != CHANCE):
        note_events(w.states[i], who, action, w.events[i], w.told[i])


# ------------------------------------------------------------------ play
@rule
def begin_slice(lo: int, hi: int, row: int, mode: int, w: PartnerWorkspace) -> None:
    """The matches go on to the next decision, whoever makes it."""
    for i in range(lo, hi):
        advance(i, row, mode, WHOLE, w)


@inlined
def partner_plays(i: int, row: int, kind: int, w: PartnerWorkspace) -> int:
    """This partner decides in match i as long as it is due; 1 if the match then waits for another partner, else 0."""
    seat, asked = w.seat[i] + 0, w.actions[i] + 0
    while w.partner[i, seat] == kind and w.illegal[i] != ILLEGAL:
        action = at_once(w.words[i], w.partner_rngs[i])
        if action < 0:
            w.known[row] = w.blank[1]
            know(w.states[i], seat, w.known[row])
            for word in range(w.words.shape[1]):
                w.offered[row, word] = w.words[i, word]
            heard, told, memory = w.events[i, seat], w.told[i, seat], w.memory[i, seat]
            action = choose_with(w.known[row], seat, heard, told, w.offered[row], w.partner_rngs[i], memory)
        w.actions[i] = action
        if action < 0 or action >= 64 * w.words.shape[1] or not marked(w.words[i], action):
            w.illegal[i] = ILLEGAL
        else:
            advance(i, row, RESUME, WHOLE, w)
        seat = w.seat[i] + 0
    waits = 0
    if w.illegal[i] != ILLEGAL:
        w.actions[i] = asked  # as the learner gave it
        waits = 1 if w.partner[i, seat] != LEARNER else 0
    return waits


@rule
def partner_slice(lo: int, hi: int, row: int, kind: int, w: PartnerWorkspace) -> None:
    """This partner decides wherever it is due; spare[row] counts the matches that then wait for another partner."""
    waiting = 0
    for i in range(lo, hi):
        waiting += partner_plays(i, row, kind, w)
    w.spare[row] = waiting


@rule
def report_slice(lo: int, hi: int, row: int, number: int, w: PartnerWorkspace) -> None:
    """Write down what the learner sees, once it is due in every match."""
    for i in range(lo, hi):
        write_down(i, w)


# ------------------------------------------------------------------ for `Batch`
def partners_of(game: Game, names: Sequence[str]) -> list[CompiledBot]:
    """The compiled bots with these names; ValueError if there is none, or one that is not compiled."""
    bots = [bot_named(game, name) for name in names]
    for name, bot in zip(names, bots, strict=True):
        if not isinstance(bot, CompiledBot):
            raise ValueError(f"The bot {name!r} is not compiled: it cannot be a partner in a batch.")
    return bots  # type: ignore[return-value]


def learner_seat(seat: int | None, seats: int) -> int:
    """The learner's seat as the workspace has it; ValueError if there is no such seat."""
    seat = whole(seat)
    if seat is not None and (type(seat) is not int or not 0 <= seat < seats):
        raise ValueError(f"There are seats 0 to {seats - 1}, not {seat!r}.")
    return LEARNER if seat is None else seat


def workspace(w: Workspace, game: Game, device: Any, names: Sequence[str], learner: int) -> Any:
    """The workspace of a batch with partners. On the CPU, of the events only the memory that is written is taken."""
    bots = partners_of(game, names)
    n, seats, zeros = len(w.seat), w.reward.shape[1], device.zeros
    return PartnerWorkspace(
        **w._asdict(),
        partner=zeros((n, seats), np.int64),
        partner_rngs=zeros((n, RNG_WORDS), np.int64),
        events=zeros((n, seats, EVENT_CAPACITY), np.int64),
        told=zeros((n, seats), np.int64),
        memory=zeros((n, seats, LOCAL_CELLS), np.int64),
        known=device.states(device.rows),
        offered=zeros((device.rows, game.words), np.int64),
        spare=zeros((device.rows,), np.int64),
        kinds=len(bots),
        hears=max(bot.hears for bot in bots),
        learner=learner,
    )


class PartnerPlay:
    """Plays the partners of a batch.

    Args:
        game: The game.
        names: The names of the bots.
        device: The CPU that the batch lives on.
    """

    def __init__(self, game: Game, names: Sequence[str], device: Any) -> None:
        self.names, self.device = tuple(names), device
        here = sys.modules[__name__]
        bots = partners_of(game, names)
        self.rules = [build(game.module, "cpu", drivers=[bot.module, here, stepping]) for bot in bots]

    def begin(self, mode: int, w: Any) -> None:
        """The matches go on to the next decision, whoever makes it."""
        self.device.run_slices(self.rules[0].begin_slice, mode, w)

    def decide(self, kind: int, w: Any) -> None:
        """One of the partners decides wherever it is due."""
        self.device.run_slices(self.rules[kind].partner_slice, kind, w)

    def report(self, w: Any) -> None:
        """Write down what the learner sees."""
        self.device.run_slices(self.rules[0].report_slice, 0, w)

    def play(self, mode: int, w: Any) -> None:
        """One decision of the learner (or a new match), then the partners', until the learner is due everywhere.

        Raises RuntimeError if a partner's decision is not legal.
        """
        self.begin(mode, w)
        kind = 0
        while True:
            self.decide(kind, w)
            if not w.spare.any():
                break
            kind = (kind + 1) % len(self.names)
        wrong = np.flatnonzero(self.device.fetch(w.illegal) == ILLEGAL)
        if len(wrong):
            i = int(wrong[0])
            name = self.names[int(w.partner[i, w.seat[i]])]
            raise RuntimeError(f"Match {i}: the partner {name!r} decided {int(w.actions[i])}, which is not legal.")
        if mode == BEGIN:  # matches that ended before the learner was asked do not count
            w.done[:], w.reward[:] = 0, 0
        self.report(w)
