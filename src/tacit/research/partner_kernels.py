"""Partners of a batch on a GPU: a kernel that begins, and one for each bot; compiled where they are wanted."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tacit.bots.compiled import CompiledBot
from tacit.core.game import Game
from tacit.core.rulekit import build
from tacit.research import partners, stepping
from tacit.research.cuda import CAPABILITY, Cuda, Simulator, cached, write
from tacit.research.partners import PartnerPlay, partners_of


class CudaPartnerPlay(PartnerPlay):
    """Plays the partners of a batch on a GPU, or in the simulator.

    Args:
        game: The game.
        names: The names of the bots.
        device: Where the batch lives; it gets the kernels.
        kernels: A folder that `write_partner_kernels` filled; None: they are compiled, or come from the cache.
    """

    def __init__(self, game: Game, names: Sequence[str], device: Cuda | Simulator, kernels: Path | None) -> None:
        self.names, self.device = tuple(names), device
        bots = partners_of(game, names)
        self._kernels = [_name(bot) for bot in bots]
        for bot in (None, *bots):
            name = _name(bot)
            if not isinstance(device, Cuda):
                device.add(name, _kernel(game, bot))
                continue
            stem, folder = f"{game.name}-{name}", kernels
            if folder is None:
                drivers = [*_modules(bot), partners, stepping]
                folder = cached(game, device.xp, stem, drivers, {name: _kernel(game, bot)})
            device.kernels |= device.load(folder, stem)

    def begin(self, mode: int, w: Any) -> None:
        self.device.launch(_name(None), self.device.n, mode, w)

    def decide(self, kind: int, w: Any) -> None:
        self.device.launch(self._kernels[kind], self.device.n, kind, w)

    def report(self, w: Any) -> None:
        self.device.write_down(w)


def write_partner_kernels(
    game: Game, names: Sequence[str], folder: Path, capability: tuple[int, int] = CAPABILITY
) -> None:
    """Compile the kernels of these bots into a folder, beside those of `write_kernels`; no GPU is needed."""
    for name, kernel in [(_name(bot), _kernel(game, bot)) for bot in (None, *partners_of(game, names))]:
        write(game, folder, f"{game.name}-{name}", {name: kernel}, capability)


def _name(bot: CompiledBot | None) -> str:
    """The name of a bot's kernel, or of the one that begins."""
    return "begin-partners" if bot is None else f"partner-{bot.name}"


def _modules(bot: CompiledBot | None) -> list[Any]:
    return [] if bot is None else [bot.module]


def _kernel(game: Game, bot: CompiledBot | None) -> Any:
    """The kernel in which a bot decides, or the one that begins. Raises ValueError if the bot is a network."""
    from tacit.research.kernels import begin_partners, partner_decides

    try:
        rules = build(game.module, "cuda", drivers=[*_modules(bot), partners, stepping])
    except RuntimeError as error:  # of a network
        name = "" if bot is None else bot.name
        raise ValueError(f"The partner {name!r} plays on the CPU only: choose device='cpu'.") from error
    return begin_partners(rules.advance) if bot is None else partner_decides(rules.partner_plays)
