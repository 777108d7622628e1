"""Train a small policy on Silencio with PyTorch in less than five minutes on two cores, and draw how it learns.

    pip install 'tacit-games[research]' torch matplotlib
    python examples/train_silencio.py                       # at most five minutes; writes silencio-learning.png
    python examples/train_silencio.py --seconds 20 --out x  # a short look

One network plays every seat: it is shown what the seat that decides observes, and what that seat may decide. All
seats share the score (the cards left, as a loss), so every decision of a match is worth what the match brought. The
method is proximal policy optimisation (Schulman et al., 2017) with generalised advantages, in its plainest form.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
import torch
from torch import nn

from tacit.research.dlpack import torch_views
from tacit.research.vector import TacitVectorEnv

ENVS, STEPS = 512, 32  # matches side by side, decisions of each between two updates
EPOCHS, PARTS = 2, 4  # how often each decision is learnt from, in how many parts
LAMBDA, CLIP, ENTROPY, RATE = 0.95, 0.2, 0.01, 1e-3


class Policy(nn.Module):
    """Observation in; a score for each decision, and the expected result, out."""

    def __init__(self, cells: int, actions: int) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(cells, 256), nn.ReLU(), nn.Linear(256, 128), nn.ReLU())
        self.decide = nn.Linear(128, actions)
        self.expect = nn.Linear(128, 1)

    def forward(self, observation: torch.Tensor, mask: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        hidden = self.body(observation.float())
        return self.decide(hidden).masked_fill(~mask, -1e9), self.expect(hidden).squeeze(-1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=280, help="stop after so many seconds …")
    parser.add_argument("--decisions", type=int, default=3_000_000, help="… or so many decisions")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("silencio-learning"), help="where to write .png and .pt")
    wishes = parser.parse_args()
    torch.manual_seed(wishes.seed)
    env = TacitVectorEnv("silencio", ENVS, wishes.seats)
    env.reset(seed=wishes.seed)
    batch, views = env.batch, torch_views(env.batch)  # the tensors show the batch's own arrays: nothing is copied
    policy = Policy(batch.game.observation, batch.game.actions)
    optimiser = torch.optim.Adam(policy.parameters(), RATE)
    scale = batch.game.module.score_range(wishes.seats)[0] / -10.0  # so that results are about 1 apart

    print(f"random play leaves {random_play(wishes.seats):.2f} cards")
    curve: list[tuple[float, int, float]] = []  # seconds, decisions, mean of cards left
    began, decisions = time.perf_counter(), 0
    worked = time.process_time()
    while time.perf_counter() - began < wishes.seconds and decisions < wishes.decisions:
        kept: dict[str, list[torch.Tensor]] = {name: [] for name in ("observation", "mask", "action", "log", "value")}
        rewards, dones, results = [], [], []
        with torch.no_grad():
            for _ in range(STEPS):
                logits, value = policy(views["observation"], views["mask"])
                choice = torch.distributions.Categorical(logits=logits)
                action = choice.sample()
                for name, tensor in (
                    ("observation", views["observation"].clone()), ("mask", views["mask"].clone()), ("action", action),
                    ("log", choice.log_prob(action)), ("value", value),
                ):  # fmt: skip
                    kept[name].append(tensor)
                _, reward, done, _, _ = env.step(action.numpy())
                rewards.append(torch.from_numpy(reward / scale))
                dones.append(torch.from_numpy(done.copy()))
                results += reward[done].tolist()
            _, after = policy(views["observation"], views["mask"])
        decisions += ENVS * STEPS
        learn(policy, optimiser, {name: torch.stack(tensors) for name, tensors in kept.items()}, rewards, dones, after)
        if results:
            curve.append((time.perf_counter() - began, decisions, -float(np.mean(results))))
            if len(curve) % 10 == 1:
                print(f"{curve[-1][0]:5.0f} s  {decisions:9,} decisions  {curve[-1][2]:5.2f} cards left", flush=True)
    last = float(np.mean([left for _, _, left in curve[-10:]]))
    worked = time.process_time() - worked
    print(f"the policy leaves {last:.2f} cards after {decisions:,} decisions, {worked:.0f} s of processor time")
    torch.save(policy.state_dict(), wishes.out.with_suffix(".pt"))
    draw(curve, random_play(wishes.seats), wishes.seats, wishes.out.with_suffix(".png"))


def learn(
    policy: Policy, optimiser: torch.optim.Optimizer, kept: dict[str, torch.Tensor], rewards: list[torch.Tensor],
    dones: list[torch.Tensor], after: torch.Tensor,
) -> None:  # fmt: skip
    """One update from what was just played."""
    advantage, following = torch.zeros_like(after), after
    advantages = torch.zeros_like(kept["value"])
    for t in reversed(range(STEPS)):
        goes_on = (~dones[t]).float()
        surprise = rewards[t] + goes_on * following - kept["value"][t]
        advantage = surprise + LAMBDA * goes_on * advantage
        advantages[t], following = advantage, kept["value"][t]
    goals = (advantages + kept["value"]).flatten()
    flat = {name: tensor.flatten(0, 1) for name, tensor in kept.items()}
    worth = advantages.flatten()
    worth = (worth - worth.mean()) / (worth.std() + 1e-8)
    for _ in range(EPOCHS):
        for part in torch.randperm(len(goals)).chunk(PARTS):
            logits, value = policy(flat["observation"][part], flat["mask"][part])
            choice = torch.distributions.Categorical(logits=logits)
            ratio = (choice.log_prob(flat["action"][part]) - flat["log"][part]).exp()
            gain = torch.min(ratio * worth[part], ratio.clamp(1 - CLIP, 1 + CLIP) * worth[part]).mean()
            loss = 0.5 * (value - goals[part]).square().mean() - gain - ENTROPY * choice.entropy().mean()
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
            optimiser.step()


def random_play(seats: int) -> float:
    """The mean of the cards that random decisions leave."""
    env = TacitVectorEnv("silencio", 1024, seats)
    env.reset(seed=1)
    left: list[float] = []
    for _ in range(150):
        _, reward, done, _, _ = env.step(env.batch.random())
        left += (-reward[done]).tolist()
    return float(np.mean(left))


def draw(curve: list[tuple[float, int, float]], chance: float, seats: int, path: Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 3.6), layout="constrained")
    axes.plot([decisions / 1e6 for _, decisions, _ in curve], [left for _, _, left in curve], color="#2b6cb0", lw=1.2)
    axes.axhline(chance, color="#999999", ls="--", lw=1)
    axes.text(
        0.99, chance, "random play", transform=axes.get_yaxis_transform(), ha="right", va="bottom", color="#666666"
    )
    axes.set_xlabel("million decisions")
    axes.set_ylabel("cards left (mean)")
    axes.set_title(f"Silencio, {seats} seats, one policy on every seat")
    axes.set_xlim(left=0)
    axes.set_ylim(bottom=0)
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=120)
    print(f"the learning curve: {path}")


if __name__ == "__main__":
    main()
