"""What a training run is made of: with the same configuration and seed it is the same run."""

from __future__ import annotations

import msgspec

from tacit.core.game import Game


class Config(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One run. The defaults are for two processor cores; `for_gpu` has those for a GPU."""

    game: str
    seats: tuple[int, ...] = ()  # every match has one of these; () stands for all that the game has
    seed: int = 0
    device: str = "cpu"
    updates: int = 0  # the run ends after so many updates, or, if 0, by the clock
    # self-play
    matches: int = 512  # side by side, shared out among the numbers of seats
    steps: int = 16  # decisions of each between two updates
    # the network
    width: int = 128
    blocks: int = 1
    history: int = 16  # heard decisions that it reads
    embedding: int = 8
    # learning (PPO)
    rate: float = 1e-3  # of Adam, for all that is no hidden matrix
    muon_rate: float = 0.02  # of Muon, for hidden matrices
    gae_lambda: float = 0.95
    clip: float = 0.2
    entropy: float = 0.01
    epochs: int = 2
    minibatch: int = 2048
    average: float = 0.95  # of the weights that are kept and exported: the part that stays at each update
    bonus: float = 1.0  # in co-operative games, for the best score there is

    def check(self, game: Game) -> Config:
        """The same with the seats filled in; ValueError or BadOptions if something is impossible."""
        seats = self.seats or tuple(range(game.min_seats, game.max_seats + 1))
        for number in seats:
            game.check(number)
        for name in ("matches", "steps", "width", "epochs", "minibatch"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be at least 1, not {getattr(self, name)}.")
        for name in ("blocks", "history", "embedding", "updates", "seed"):
            if getattr(self, name) < 0:
                raise ValueError(f"{name} must not be below 0, and is {getattr(self, name)}.")
        if self.device not in ("cpu", "cuda"):
            raise ValueError(f"There is no device {self.device!r}: choose cpu or cuda.")
        if self.matches < len(seats):
            raise ValueError(f"{self.matches} matches cannot be shared out among {len(seats)} numbers of seats.")
        return msgspec.structs.replace(self, seats=seats)


def for_gpu(config: Config) -> Config:
    """The sizes that learn fastest on one H200."""
    return msgspec.structs.replace(
        config, device="cuda", matches=65536, width=1024, blocks=2, history=32, embedding=24, rate=4e-4, epochs=1,
        minibatch=65536,
    )  # fmt: skip
