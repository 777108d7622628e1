"""All commands and all events of the protocol: what a WebSocket carries."""

from __future__ import annotations

from tacit.server.aid_protocol import Hint, Hinted, Note, WorkedOut, WorkOut
from tacit.server.protocol import Command, Hello, TableCommands, TableEvents
from tacit.server.together_protocol import Agree, Contribute, Go, Lead, Lend, Mark, OpenRoom, React, Room, Undo

Commands = (
    TableCommands | WorkOut | Note | Hint | Undo | Lend | Contribute | OpenRoom | Lead | Go | Mark | React | Agree
)
Events = TableEvents | WorkedOut | Hinted | Room
COMMANDS: dict[str, type[Command]] = {
    str(kind.__struct_config__.tag): kind for kind in Command.__subclasses__() if kind is not Hello
}
