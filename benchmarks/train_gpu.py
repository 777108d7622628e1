"""Training runs on a GPU elsewhere: kernels are compiled here, networks come back as files.

    python benchmarks/train_gpu.py compile DIR GAME BOTS…     here: the kernels of a game and of bots beside the policy
    python benchmarks/train_gpu.py run DIR RUN SECONDS [FROM TO]
                                                              there, with PyTorch and CuPy: train as RUN.json says
    python benchmarks/train_gpu.py mean DIR RUN ONE=0.8 OTHER=0.2
                                                              anywhere: the mean of the weights of runs, as another RUN
    python benchmarks/train_gpu.py export DIR RUN OUT.npz [BASE.npz]
                                                              here: the network's file, or how it differs from BASE.npz,
                                                              which lies beside it and which it went on from
    python benchmarks/train_gpu.py values DIR RUN SECONDS     there: a value network for a policy that stays as it is
    python benchmarks/train_gpu.py export-values DIR RUN OUT.npz
                                                              here: its file

A RUN is a file of `benchmarks/training/`: configuration, learning curve and evaluation of a run. `run` goes on
from DIR/RUN.checkpoint, .pt or .npz where there is one. It writes DIR/RUN.pt (the averaged policy, and the critic),
DIR/RUN-curve.json and, at the end, DIR/RUN.checkpoint. FROM and TO are the part of the rates' course, 0 to 1.
`values` needs "values" in RUN.json: the policy's file (from the root of the package's bots), width and blocks. It goes
on from, and writes, DIR/RUN-value.pt and DIR/RUN-critic.pt.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import msgspec

RUNS = Path(__file__).parent / "training"
SAVED_EVERY = {"cuda": 60, "cpu": 600}  # seconds
DEALS_ON_THE_WAY = 8192  # that are played to see how far a run is


def configured(run: str) -> Any:
    """The configuration of a run."""
    from tacit.learn.config import Config

    return msgspec.convert(json.loads((RUNS / f"{run}.json").read_text())["config"], Config)


def compile_all(folder: Path, game: str, bots: list[str]) -> None:
    """Cross-compile what a run needs into DIR/kernels; needs the extra `gpu`, but no GPU."""
    from tacit import game_named
    from tacit.learn.bot_seats import write_bot_kernels
    from tacit.research.cuda import write_kernels

    write_kernels(game_named(game), folder / "kernels")
    write_bot_kernels(game_named(game), bots, folder / "kernels")


def train(folder: Path, run: str, seconds: float, part: tuple[float, float]) -> None:
    """Train, and print what comes of it on 16,384 fresh deals, alone and beside `steady`.

    `part` is the part of the run's course that these seconds are: the next one goes on where this one ends.
    """
    import torch

    from tacit.learn.trainer import Trainer

    kernels, kept, half, file = folder / "kernels", *(folder / f"{run}{end}" for end in (".checkpoint", ".pt", ".npz"))
    config = configured(run)
    if kept.exists():
        trainer = Trainer.resume(kept, kernels, **msgspec.structs.asdict(config))
    else:
        trainer = Trainer(config, kernels)
        if half.exists():
            found = torch.load(half, map_location=config.device, weights_only=True)
            trainer.start_from({name: value.float() for name, value in found["policy"].items()})
            trainer.critic.load_state_dict({name: value.float() for name, value in found["critic"].items()})
        elif file.exists():
            trainer.start_from_file(file)
    saved = 0.0

    def save() -> None:
        nets = {"policy": trainer.average, "critic": trainer.critic.state_dict()}
        halved = {net: {name: value.half().cpu() for name, value in state.items()} for net, state in nets.items()}
        torch.save(halved, half)
        done = {"curve": trainer.curve, "seconds": trainer.seconds, "decisions": trainer.decisions}
        (folder / f"{run}-curve.json").write_text(json.dumps(done | {"updates": trainer.updates}))

    def report(progress: Any) -> None:
        nonlocal saved
        print(run, progress, flush=True)
        if progress.seconds - saved >= SAVED_EVERY[config.device]:
            save()
            saved = progress.seconds
            print(run, "beside steady", trainer.evaluate(DEALS_ON_THE_WAY, beside="steady"), flush=True)
            print(run, "alone", trainer.evaluate(DEALS_ON_THE_WAY), flush=True)

    trainer.run(seconds, report, 10, part)
    save()
    trainer.save(kept)
    print(run, "critic explains", explained(trainer), flush=True)
    print(run, "alone", trainer.evaluate(16384), flush=True)
    print(run, "beside steady", trainer.evaluate(16384, beside="steady"), flush=True)


def explained(trainer: Any) -> dict[int, float]:
    """The share of the returns' variance that the critic explains for the deciding seat, by number of seats."""
    import torch

    play = trainer.play
    with torch.no_grad():
        trainer._collect()
        _, goals = trainer._judge()
        found = {}
        for seats in trainer.config.seats:
            at = (play.seats == seats).nonzero().squeeze(1)
            wanted = goals[:, at, 0]
            rows = range(trainer.config.steps)
            told = torch.stack([trainer.expected(*(x[t, at] for x in (play.cells, play.tokens, play.hidden)))[:, 0]
                                for t in rows])  # fmt: skip
            mine = play.mine[:-1, at]
            found[seats] = round(float(1 - (wanted - told)[mine].var() / wanted[mine].var()), 4)
    return found


def mean(folder: Path, run: str, parts: list[str]) -> None:
    """Write the weighted mean of what several runs learned, `parts` as RUN=SHARE, with their seconds and decisions."""
    import torch

    shares = {name: float(share) for name, share in (part.split("=") for part in parts)}
    if abs(sum(shares.values()) - 1) > 1e-6:
        sys.exit(f"The shares must sum to 1, not {sum(shares.values()):g}.")
    total: dict[str, dict[str, Any]] = {"policy": {}, "critic": {}}
    done = {"seconds": 0.0, "decisions": 0}
    for name, share in shares.items():
        found = torch.load(folder / f"{name}.pt", map_location="cpu", weights_only=True)
        for net, state in total.items():
            for key, value in found[net].items():
                state[key] = state.get(key, 0.0) + share * value.float()
        curve = json.loads((folder / f"{name}-curve.json").read_text())
        done = {key: value + curve[key] for key, value in done.items()}
    torch.save(total, folder / f"{run}.pt")
    (folder / f"{run}-curve.json").write_text(json.dumps(done))


def export(folder: Path, run: str, out: Path, base: str = "") -> None:
    """Write the network's file."""
    import torch

    from tacit import game_named
    from tacit.learn.export import export_network

    config = configured(run)
    state = torch.load(folder / f"{run}.pt", map_location="cpu", weights_only=True)["policy"]
    done = json.loads((folder / f"{run}-curve.json").read_text())
    training = {"seconds": done["seconds"], "decisions": done["decisions"], "config": msgspec.to_builtins(config)}
    game = game_named(config.game)
    print(export_network({name: value.float().numpy() for name, value in state.items()}, game, out,
                         seats=config.seats, matches=120, training=training, base=base))  # fmt: skip


def value_run(run: str, kernels: Path | None = None, **changes: Any) -> Any:
    """A run that trains a value network."""
    import tacit.bots
    from tacit.learn.value_training import ValueTrainer

    said = json.loads((RUNS / f"{run}.json").read_text())["values"]
    config = msgspec.structs.replace(configured(run), **changes)
    policy = Path(tacit.bots.__file__).parent / said["policy"]
    return ValueTrainer(config, policy, said["width"], said["blocks"], kernels)


def train_values(folder: Path, run: str, seconds: float) -> None:
    """Train a value network, and print how far it is from what comes."""
    import torch

    value, critic = folder / f"{run}-value.pt", folder / f"{run}-critic.pt"
    trainer = value_run(run, folder / "kernels")
    if value.exists():
        trainer.go_on(*(torch.load(file, map_location="cuda", weights_only=True) for file in (value, critic)))
    trainer.run(seconds, lambda progress: print(run, progress, flush=True), 20)
    for file, state in ((value, trainer.state()), (critic, trainer.critic.state_dict())):
        torch.save({name: part.half().cpu() for name, part in state.items()}, file)
    done = {"seconds": trainer.seconds, "decisions": trainer.decisions, "errors": trainer.errors()}
    (folder / f"{run}-curve.json").write_text(json.dumps(done))
    print(run, done, flush=True)


def export_values(folder: Path, run: str, out: Path) -> None:
    """Write the value network's file."""
    import torch

    trainer = value_run(run, device="cpu", matches=16, muon_rate=0.0)
    state = torch.load(folder / f"{run}-value.pt", map_location="cpu", weights_only=True)
    trainer.go_on(state, trainer.critic.state_dict())
    done = json.loads((folder / f"{run}-curve.json").read_text())
    trainer.seconds, trainer.decisions = done["seconds"], done["decisions"]
    print(trainer.export_values(out, matches=240))


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["compile", folder, game, *bots]:
            compile_all(Path(folder), game, bots)
        case ["run", folder, run, seconds]:
            train(Path(folder), run, float(seconds), (0.0, 1.0))
        case ["run", folder, run, seconds, first, last]:
            train(Path(folder), run, float(seconds), (float(first), float(last)))
        case ["mean", folder, run, *parts] if parts:
            mean(Path(folder), run, parts)
        case ["export", folder, run, out, *base] if len(base) < 2:
            export(Path(folder), run, Path(out), *base)
        case ["values", folder, run, seconds]:
            train_values(Path(folder), run, float(seconds))
        case ["export-values", folder, run, out]:
            export_values(Path(folder), run, Path(out))
        case _:
            sys.exit(__doc__)
