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
    held = a.context.pairs
    pairs = [pair in held for pair in itertools.pairwise(items)]
    longest = run = 0
    for there in pairs:
        run = run + 1 if there else 0
        longest = max(longest, run)
    return (
        1 - sum(pairs) / len(pairs) if pairs else 0.0,
        longest / len(pairs) if pairs else 0.0,
        _common(a) / (len(items) or 1),
        *_neighbourhood(a),
    )


def _neighbourhood(a: Alignment) -> tuple[float, ...]:
    """Return how far apart neighbours of the claim stand in the context, and how many of each term's do not stand near.

    Pairs one or two apart: the share that is far, the mean logarithm of the distance, the rarest far pair, the share
    in the other order. Of each term's three neighbours on both sides: the share that is not near, mean and worst.
    """
    items, context = a.claim.terms.items, a.context
    there = [(at, term, a.weight[term], place) for at, term in enumerate(items) if (place := a.found[term].positions)]
    held, near = [0.0] * len(items), [0.0] * len(items)
    far = inverted = total = spread = worst = 0.0
    for number, (i, term, own, place) in enumerate(there, start=1):
        around, beside, close_by = context.around(term), held[i], near[i]
        for j, following, its, other in there[number : number + 3]:
            if j > i + 3 or following == term:
                continue
            beside += its
            held[j] += own
            close = around & other
            if close:
                close_by += its
                near[j] += own
            if j > i + 2:
                continue
            weight = min(own, its)
            total += weight
            if close:
                distance = nearest(place, close)
                spread += weight * _LOGS[abs(distance)]
                if distance < 0:
                    inverted += weight
            else:
                spread += weight * _LOGS[-1]
                far += weight
                worst = max(worst, weight)
        held[i], near[i] = beside, close_by
    total = total or 1.0
    lost = [own * (1 - near[i] / held[i]) if held[i] else 0.0 for i, _, own, _ in there]
    known = sum([own for _, _, own, _ in there], 0.0) or 1.0
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
