"""Whether the claim's words follow and neighbour each other in the context as they do in the claim."""

from __future__ import annotations

import itertools
import math

from scorers.support.alignment import FAR, Alignment

NAMES = (
    "triples_unseen", "pairs_unseen", "longest_run", "common_order", "pairs_far", "pair_distance", "pair_farthest",
    "pairs_inverted", "slots", "neighbours_lost", "neighbours_worst",
)  # fmt: skip


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


def _distances(a: Alignment) -> tuple[float, float, float, float]:
    items = a.claim.terms.items
    far = inverted = total = spread = worst = 0.0
    for index, term in enumerate(items):
        for other in items[index + 1 : index + 3]:
            if term == other or not a.found[term].positions or not a.found[other].positions:
                continue
            weight = min(a.weight[term], a.weight[other])
            distance = a.context.distance(term, other)
            total += weight
            spread += weight * math.log1p(min(abs(distance), 2 * FAR))
            if abs(distance) > FAR:
                far += weight
                worst = max(worst, weight)
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
        if not a.found[term].positions:
            continue
        around = items[max(0, index - 3) : index] + items[index + 1 : index + 4]
        held = there = 0.0
        for other in around:
            if other == term or not a.found[other].positions:
                continue
            weight = a.weight[other]
            held += weight
            if abs(a.context.distance(term, other)) <= FAR:
                there += weight
        if held:
            away = 1 - there / held
            lost += a.weight[term] * away
            worst = max(worst, a.weight[term] * away)
        total += a.weight[term]
    return lost / (total or 1.0), worst
