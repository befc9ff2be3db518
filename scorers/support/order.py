"""Whether the claim's words follow and neighbour each other in the context as they do in the claim."""

from __future__ import annotations

import itertools
import math

from scorers.support.alignment import Alignment
from scorers.support.context import FAR, nearest

NAMES = (
    "pairs_unseen", "longest_run", "common_order", "pairs_far", "pair_distance", "pair_farthest", "pairs_inverted",
    "neighbours_lost", "neighbours_worst",
)  # fmt: skip


def features(a: Alignment) -> tuple[float, ...]:
    """Return the values of `NAMES`."""
    items = a.claim.terms.items
    pairs = list(itertools.pairwise(items))
    own = frozenset(pairs)
    held = own.intersection(itertools.chain.from_iterable(own & source.pairs for source in a.context.sources))
    run = longest = seen = 0
    for pair in pairs:
        run = run + 1 if pair in held else 0
        seen += run > 0
        longest = max(longest, run)
    return (
        1 - seen / len(pairs) if pairs else 0.0,
        longest / len(pairs) if pairs else 0.0,
        _common(a) / (len(items) or 1),
        *_neighbourhood(a),
    )


def _neighbourhood(a: Alignment) -> tuple[float, ...]:
    """Return how far apart neighbours of the claim stand in the context, and how many of each term's do not stand near.

    Pairs one or two apart: the share that is far, the mean logarithm of the distance, the rarest far pair, the share
    in the other order. Of each term's three neighbours on both sides: the share that is not near, mean and worst.
    """
    items = a.claim.terms.items
    weights = [a.weight[term] for term in items]
    places = [a.found[term].positions for term in items]
    held, near = [0.0] * len(items), [0.0] * len(items)
    far = inverted = total = spread = worst = 0.0
    for i, term in enumerate(items):
        place = places[i]
        if not place:
            continue
        own, around = weights[i], a.context.around(term)
        for j in range(i + 1, min(i + 4, len(items))):
            other = places[j]
            if not other or items[j] == term:
                continue
            its = weights[j]
            is_near = around & other
            held[i] += its
            held[j] += own
            if is_near:
                near[i] += its
                near[j] += own
            if j > i + 2:
                continue
            weight = min(its, own)
            total += weight
            if is_near:
                distance = nearest(place, other)
                spread += weight * _LOGS[abs(distance)]
                if distance < 0:
                    inverted += weight
            else:
                spread += weight * _LOGS[-1]
                far += weight
                worst = max(worst, weight)
    total = total or 1.0
    lost = [w * (1 - n / h) if h else 0.0 for w, n, h in zip(weights, near, held, strict=True)]
    known = sum([weight for weight, place in zip(weights, places, strict=True) if place], 0.0) or 1.0
    return far / total, spread / total, worst, inverted / total, sum(lost, 0.0) / known, max(lost, default=0.0)


_LOGS = [math.log1p(length) for length in range(2 * FAR + 1)]


def _common(a: Alignment) -> int:
    """Return the length of the longest common subsequence of the claim and the best window, bit-parallel.

    H. Hyyrö, "Bit-parallel LCS-length computation revisited", AWOCA 2004.
    """
    items = a.claim.terms.items
    masks: dict[str, int] = {}
    for at, term in enumerate(items):
        masks[term] = masks.get(term, 0) | 1 << at
    full = (1 << len(items)) - 1
    row = full
    for read in a.near_reads:
        for term in read.items:
            mask = masks.get(term)
            if mask is not None:
                hit = row & mask
                row = (row + hit) | (row - hit)
    return (~row & full).bit_count()
