"""Whether the claim's words follow and neighbour each other in the context as they do in the claim."""

from __future__ import annotations

import itertools
import math

from scorers.support.alignment import GAP, Alignment

NAMES = (
    "triples_unseen", "pairs_unseen", "longest_run", "common_order", "pairs_far", "pair_distance", "pair_farthest",
    "pairs_inverted", "slots", "neighbours_lost", "neighbours_worst",
)  # fmt: skip

FAR = 12
"""Positions between two words past which they are not said of each other."""


def features(a: Alignment) -> tuple[float, ...]:
    """Return the values of `NAMES`."""
    items = a.claim.terms.items
    sources = a.context.sources
    pairs = list(itertools.pairwise(items))
    triples = list(zip(items, items[1:], items[2:], strict=False))
    pair_seen = [any(pair in source.pairs for source in sources) for pair in pairs]
    triple_seen = [any(triple in source.triples for source in sources) for triple in triples]
    run = longest = 0
    for seen in pair_seen:
        run = run + 1 if seen else 0
        longest = max(longest, run)
    slots = 0
    for (left, _, right), seen in zip(triples, triple_seen, strict=True):
        if not seen and any((left, right) in source.skips for source in sources):
            slots += 1
    return (
        1 - sum(triple_seen) / len(triples) if triples else 0.0,
        1 - sum(pair_seen) / len(pairs) if pairs else 0.0,
        longest / len(pairs) if pairs else 0.0,
        _common(a) / (len(items) or 1),
        *_distances(a),
        float(slots),
        *_neighbours(a),
    )


def nearest(first: list[int], second: list[int]) -> int:
    """Return the signed distance from ``first`` to ``second``, both sorted, that is smallest; `GAP` where none is.

    >>> nearest([3, 40], [10, 38])
    -2
    """
    best = GAP
    i = j = 0
    while i < len(first) and j < len(second):
        distance = second[j] - first[i]
        if abs(distance) < abs(best):
            best = distance
        if distance < 0:
            j += 1
        else:
            i += 1
    return best


def _distances(a: Alignment) -> tuple[float, float, float, float]:
    items = a.claim.terms.items
    far = inverted = total = spread = worst = 0.0
    for index, term in enumerate(items):
        for other in items[index + 1 : index + 3]:
            first, second = a.places[term], a.places[other]
            if term == other or not first or not second:
                continue
            weight = min(a.weight[term], a.weight[other])
            distance = nearest(first, second)
            length = abs(distance)
            logged = math.log1p(length)
            total += weight
            spread += weight * logged
            if length > FAR:
                far += weight
                worst = max(worst, weight * logged)
            elif distance < 0:
                inverted += weight
    total = total or 1.0
    return far / total, spread / total, worst, inverted / total


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


def _neighbours(a: Alignment) -> tuple[float, float]:
    """Return how much of each term's neighbours in the claim does not stand near it in the context: mean, and worst."""
    items = a.claim.terms.items
    lost = total = worst = 0.0
    for index, term in enumerate(items):
        places = a.places[term]
        if not places:
            continue
        around = items[max(0, index - 3) : index] + items[index + 1 : index + 4]
        held = there = 0.0
        for other in around:
            found = a.places[other]
            if other == term or not found:
                continue
            weight = a.weight[other]
            held += weight
            if abs(nearest(places, found)) <= FAR:
                there += weight
        if held:
            away = 1 - there / held
            lost += a.weight[term] * away
            worst = max(worst, a.weight[term] * away)
        total += a.weight[term]
    return lost / (total or 1.0), worst
