"""What a thread of a batch does, as rules: it waits for commands and carries them out without the interpreter's lock.

A thread that has just stepped its matches will most likely be asked to step them again in some microseconds: it spins
so long, and only then goes to sleep. To wake it takes longer than a small batch takes to step. Whoever waits for
it does the same.
"""

from __future__ import annotations

from tacit.core.rulekit import rule
from tacit.core.shared_cells import read_shared, write_shared
from tacit.core.workspace import Ints
from tacit.research.stepping import Workspace, first_illegal, play_slice, sample_actions_slice

# The cells of a thread's commands: those that the host writes, and those that the thread writes, on other cache lines.
COMMAND, KIND, NUMBER = 0, 1, 2  # how many commands there were; what the last one is
WAITING = 3  # 1: to be woken when it is done
DONE, ASLEEP, FOUND = 16, 17, 18  # how many are done; 1: to be woken for the next; what the last one found
CELLS = 32
# What a command is. SLEEP: there was none for a while; WAKE: somebody waits for what is done.
SLEEP, WAKE, STOP, CALL, PLAY, SAMPLE, CHECK = range(7)
MAX_SPINS = 200_000  # looks before one sleeps: some fifty microseconds


@rule
def await_command(cells: Ints) -> int:
    """The kind of the next command; SLEEP if there was none for a while: then somebody must wake the thread."""
    write_shared(cells, ASLEEP, 0)
    done = read_shared(cells, DONE)
    for _ in range(MAX_SPINS):
        if read_shared(cells, COMMAND) != done:
            return int(cells[KIND])
    write_shared(cells, ASLEEP, 1)
    return SLEEP if read_shared(cells, COMMAND) == done else int(cells[KIND])


@rule
def report_done(cells: Ints) -> int:
    """The last command is done; 1 if somebody is to be woken."""
    write_shared(cells, DONE, read_shared(cells, COMMAND))
    return read_shared(cells, WAITING)


@rule
def give_command(kind: int, number: int, cells: Ints) -> int:
    """Give a thread a command; 1 if it sleeps."""
    cells[KIND] = kind
    cells[NUMBER] = number
    write_shared(cells, COMMAND, cells[COMMAND] + 1)
    return read_shared(cells, ASLEEP)


@rule
def await_done(cells: Ints) -> int:
    """1 once the last command is done; 0 if it is not after a while: then the thread will wake who waits."""
    write_shared(cells, WAITING, 0)
    for _ in range(MAX_SPINS):
        if read_shared(cells, DONE) == cells[COMMAND]:
            return 1
    write_shared(cells, WAITING, 1)
    return 1 if read_shared(cells, DONE) == cells[COMMAND] else 0


@rule
def serve(lo: int, hi: int, row: int, cells: Ints, w: Workspace) -> int:
    """Carry out commands over a slice of the matches; SLEEP or WAKE, or a command that is not carried out here."""
    while True:
        kind = await_command(cells)
        if kind == PLAY:
            play_slice(lo, hi, row, cells[NUMBER], w)
        elif kind == SAMPLE:
            sample_actions_slice(lo, hi, row, cells[NUMBER], w)
        elif kind == CHECK:
            cells[FOUND] = first_illegal(lo, hi, w)
        else:
            return kind
        if report_done(cells) == 1:
            return WAKE
