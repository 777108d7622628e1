"""What a training run is made of: with the same configuration and seed it is the same run."""

from __future__ import annotations

from typing import get_args

import msgspec

from tacit.core.game import Game
from tacit.research.device import DeviceName


class Config(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One run. The defaults are for a minute of one or two processor cores; `for_gpu` has those for a GPU."""

    game: str
    seats: tuple[int, ...] = ()  # every match has one of these numbers of seats; (): all that the game has
    shares: tuple[int, ...] = ()  # how many of the matches have each of them, in proportion; (): alike
    seed: int = 0
    device: DeviceName = "cpu"
    bfloat16: bool = False  # half as many bits, for a CPU that multiplies them faster; a GPU always does it
    updates: int = 0  # the run ends after this many updates; 0: by the clock
    # self-play
    matches: int = 256  # side by side
    steps: int = 16  # decisions of each between two updates
    # other players: compiled bots, or networks' files, on some seats of some matches
    bots: tuple[str, ...] = ()
    bot_share: float = 0.0  # of the matches, divided evenly among the bots
    bot_seats: tuple[int, ...] = ()  # matches with these numbers of seats have bots; (): all. The others are self-play
    own_seats: int = 0  # the policy has at most so many seats beside a bot; 0: any number, but not all
    # what must stay as it is, of a policy that was trained before
    held_seats: tuple[int, ...] = ()  # matches with these numbers of seats teach nothing but to play on as it did
    hold: float = 0.0  # weight of that
    magnet: float = 0.0  # the same weight in all other matches: so self-play stays near the play it began with
    # a start by imitation
    teacher: str = ""  # the compiled bot whose decisions the policy learns to make
    teacher_updates: int = 0
    teacher_share: float = 1.0  # of these matches the teacher also plays; in the others it corrects the policy's play
    # the policy
    width: int = 128
    blocks: int = 1
    history: int = 16  # heard decisions that it reads
    embedding: int = 8
    open_hands: bool = False  # it sees the hidden cards of all seats, too: for a bound on what can be reached
    last_hands: bool = False  # … as each seat held them when it last decided: more than can be inferred of them
    # the critic; with the policy's width and blocks it begins as the value head of a policy that was trained before
    critic_width: int = 128
    critic_blocks: int = 1
    # learning (PPO)
    rate: float = 1e-3  # of Adam
    muon_rate: float = 0.0  # of Muon, for hidden matrices; 0: Adam has those too (on a CPU Muon costs too much)
    gae_lambda: float = 0.92
    clip: float = 0.2
    last_rate: float = 0.05  # of the rates, at the end of the run
    entropy: float = 0.01  # weight of the entropy bonus at the beginning
    last_entropy: float = 0.0005  # at the end
    value_weight: float = 0.25  # of the policy's own value head
    belief: float = 0.0  # weight of telling the hidden cards from what the seat knows; that head stays in training
    epochs: int = 2
    minibatch: int = 512
    average: float = 0.95  # decay of the averaged weights, which are evaluated and exported
    critic_first: int = 0  # updates at the beginning that train the critic alone: for a policy that was trained before
    # returns
    best_bonus: float = 1.0  # in co-operative games, for the best score
    win: float = 1.0  # in competitive games, for a win (shared where several win)
    points: float = 0.0  # in competitive games, for a point
    rivals: float = 0.0  # in competitive games, the part of the others' mean points that counts against one's own
    dense: bool = False  # points are given as they are scored, not at the end

    def check(self, game: Game) -> Config:
        """The same with seats and shares filled in; ValueError or BadOptions if something is impossible."""
        seats = self.seats or tuple(range(game.min_seats, game.max_seats + 1))
        for number in seats:
            game.check(number)
        for name in ("matches", "steps", "width", "critic_width", "epochs", "minibatch"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be at least 1, not {getattr(self, name)}.")
        for name in ("blocks", "critic_blocks", "history", "embedding", "updates", "seed", "own_seats", "magnet"):
            if getattr(self, name) < 0:
                raise ValueError(f"{name} must be at least 0, not {getattr(self, name)}.")
        if self.device not in get_args(DeviceName):
            raise ValueError(f"There is no device {self.device!r}: choose cpu or cuda.")
        shares = self.shares or (1,) * len(seats)
        if len(shares) != len(seats) or min(shares) < 1:
            raise ValueError(f"shares must be {len(seats)} whole numbers from 1, one for each number of seats.")
        if not 0 <= self.bot_share <= 1 or bool(self.bots) != bool(self.bot_share):
            raise ValueError("bot_share is the share of matches with bots, from 0 to 1, and goes with bots.")
        if not set(self.bot_seats) <= set(seats) or bool(self.bot_seats) > bool(self.bots):
            raise ValueError(f"bot_seats goes with bots, and must be among the numbers of seats {list(seats)}.")
        if not set(self.held_seats) <= set(seats) or bool(self.held_seats) != (self.hold > 0):
            raise ValueError(f"held_seats goes with hold, and must be among the numbers of seats {list(seats)}.")
        if bool(self.teacher) != bool(self.teacher_updates):
            raise ValueError("A teacher needs teacher_updates, and teacher_updates a teacher.")
        if not 0 <= self.teacher_share <= 1:
            raise ValueError(f"teacher_share is a share of the matches, from 0 to 1, not {self.teacher_share}.")
        if self.last_hands and not self.open_hands:
            raise ValueError("last_hands goes with open_hands: it says which of the hidden cards are seen.")
        if self.matches < sum(shares):
            raise ValueError(f"{self.matches} matches cannot be divided among {len(seats)} numbers of seats.")
        return msgspec.structs.replace(self, seats=seats, shares=shares)

    @property
    def holds(self) -> bool:
        """Does the run hold to the policy that it begins with, in any of its matches?"""
        return bool(self.held_seats) or self.magnet > 0

    def sizes(self) -> list[int]:
        """How many matches have each number of seats."""
        total = sum(self.shares)
        ends = [self.matches * sum(self.shares[: k + 1]) // total for k in range(len(self.shares))]
        return [end - begin for begin, end in zip([0, *ends], ends, strict=False)]

    def tables(self) -> list[tuple[int, int, str]]:
        """What is played side by side: numbers of seats, of matches, and the bot on some seats, or ""."""
        found = []
        for seats, n in zip(self.seats, self.sizes(), strict=True):
            share = self.bot_share if not self.bot_seats or seats in self.bot_seats else 0.0
            with_bot = int(n * share / max(1, len(self.bots)))
            found += [(seats, n - with_bot * len(self.bots), "")] if share < 1 else []
            found += [(seats, with_bot, bot) for bot in self.bots]
        return [table for table in found if table[1]]


def for_gpu(config: Config) -> Config:
    """The sizes that learn fastest on one H200."""
    return msgspec.structs.replace(
        config, device="cuda", matches=65536, width=1024, blocks=2, history=32, embedding=24, critic_width=512,
        critic_blocks=2, rate=4e-4, muon_rate=0.02, epochs=1, minibatch=65536,
    )  # fmt: skip
