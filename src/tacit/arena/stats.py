"""Means and proportions with 95 % confidence intervals, and a sequential test that may be checked at any time."""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec
from scipy import stats

LEVEL = 0.95
ANYWHERE = (-math.inf, math.inf)


class Estimate(msgspec.Struct, frozen=True):
    """A mean or proportion with its confidence interval and sample size."""

    mean: float
    """The mean, or the proportion."""
    low: float
    """The lower end of the 95 % interval."""
    high: float
    """The upper end of the 95 % interval."""
    n: int
    """The sample size; 0 where there is no figure."""

    def __str__(self) -> str:
        return f"{self.mean:.3f} [{self.low:.3f}, {self.high:.3f}]"


def mean(values: Sequence[float], bounds: tuple[float, float] = ANYWHERE) -> Estimate:
    """A mean with Student's t interval, cut at the bounds of all possible values; a single value says nothing else."""
    n = len(values)
    if n == 0:
        return Estimate(math.nan, math.nan, math.nan, 0)
    middle = math.fsum(values) / n
    if n == 1:
        return Estimate(middle, *bounds, 1)
    error = math.sqrt(math.fsum((v - middle) ** 2 for v in values) / (n - 1) / n)
    reach = float(stats.t.ppf((1 + LEVEL) / 2, n - 1)) * error
    return Estimate(middle, max(middle - reach, bounds[0]), min(middle + reach, bounds[1]), n)


def share(count: int, n: int) -> Estimate:
    """A proportion with Wilson's interval, which is valid near 0 and 1 too."""
    if n == 0:
        return Estimate(math.nan, math.nan, math.nan, 0)
    interval = stats.binomtest(count, n).proportion_ci(LEVEL, method="wilson")
    return Estimate(count / n, float(interval.low), float(interval.high), n)


def mean_or_share(values: Sequence[float], bounds: tuple[float, float] = ANYWHERE) -> Estimate:
    """A proportion if all values are 0 or 1, else a mean."""
    return share(int(sum(values)), len(values)) if values and set(values) <= {0, 1} else mean(values, bounds)


class SequentialTest:
    """Tests whether a mean differs from 0. It may be checked after every value and stopped as soon as it does.

    An asymptotic confidence sequence, the normal mixture (Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, Time-uniform
    central limit theory and asymptotic confidence sequences, Annals of Statistics 52, 2024, theorem 2.2; the mixture is
    Robbins's, 1970): with probability 95 % the true mean lies within it at every moment from `burn` values on.
    """

    def __init__(self, alpha: float = 1 - LEVEL, tightest: int = 500, burn: int = 50) -> None:
        self.alpha, self.burn = alpha, burn
        # The mixture's variance: the sequence is tightest after about this many values.
        self.rho2 = (-2 * math.log(alpha) + math.log(-2 * math.log(alpha) + 1)) / tightest
        self.n, self.middle, self.squares = 0, 0.0, 0.0
        self.decided: Estimate | None = None

    def add(self, value: float) -> bool:
        """Add a value; True once the difference is significant. Later values are ignored."""
        if self.decided is not None:
            return True
        self.n += 1
        step = value - self.middle
        self.middle += step / self.n
        self.squares += step * (value - self.middle)
        now = self.now()
        if self.n >= self.burn and (now.low > 0 or now.high < 0):
            self.decided = now
        return self.decided is not None

    def now(self) -> Estimate:
        """The interval after the values so far."""
        if self.n < 2:
            return Estimate(self.middle, -math.inf, math.inf, self.n)
        if self.decided is not None:
            return self.decided
        n, scaled = self.n, self.n * self.rho2 + 1
        deviation = math.sqrt(self.squares / n)
        reach = deviation * math.sqrt(2 * scaled / (n * n * self.rho2) * math.log(math.sqrt(scaled) / self.alpha))
        return Estimate(self.middle, self.middle - reach, self.middle + reach, n)
