"""What a batch's seed means: where its stream of match seeds begins.

Match i of `Batch(seed=s)` has the seed `first_seed(s) + i`, and n more each time it begins anew. `first_seed`
multiplies by 2**62 over the golden ratio, modulo 2**62: it is one to one, and multiples of the golden ratio keep as
far apart as points on a circle can. So the streams of two seeds that differ by d (below 2**30) have no match in common
as long as each plays fewer than 2**60 / d matches: neighbours for ever, any two seeds below a million for 10**12
matches each.
"""

from __future__ import annotations

SEED_BITS = 62
LARGEST_SEED = (1 << SEED_BITS) - 1
GOLDEN = 2850178704830799621  # odd, nearest to 2**62 / 1.618…
DICE = 1 << SEED_BITS  # from here on: streams of a batch's own dice and of what it imagines; no match has such a seed


def first_seed(seed: int) -> int:
    """The seed of match 0 of a batch with this seed.

    >>> [first_seed(seed) >> 58 for seed in range(5)]  # sixteenths of the circle
    [0, 9, 3, 13, 7]
    """
    return seed * GOLDEN & LARGEST_SEED
