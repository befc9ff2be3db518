"""How much of a claim's rarity the context holds at all, in one place, and in one passage."""

from __future__ import annotations

from scorers.support.alignment import SEEN, Alignment

NAMES = (
    "unseen", "unseen_weight", "unseen_first", "unseen_second", "unseen_run", "best_sentence", "best_window",
    "best_passage", "window_place", "not_near_first", "not_near_count", "stretch_unseen", "stretch_not_near",
    "tail_unseen",
)  # fmt: skip


def features(a: Alignment) -> tuple[float, ...]:
    """Return the values of `NAMES`."""
    total = a.total or 1.0
    weight, match = a.weight, a.match
    misses = sorted([weight[term] * (1 - there) for term, there in match.items() if there != 1], reverse=True)
    lost = sum(misses, 0.0)
    misses += (0.0, 0.0)
    count = len(a.unique) or 1
    run = longest = 0.0
    if lost:
        for term in a.claim.terms.items:
            run = run + weight[term] if match[term] < SEEN else 0.0
            longest = max(longest, run)
    not_near = [weight[term] for term, there in match.items() if term not in a.near and there >= SEEN]
    return (
        lost / total,
        lost,
        misses[0],
        misses[1],
        longest,
        max(a.covered) / total,
        a.window_weight / total,
        max(a.by_source, default=0.0) / total,
        a.window / (a.context.sentences or 1),
        max(not_near, default=0.0),
        len(not_near) / count,
        *_stretches(a),
    )


STRETCH = 5
"""Terms of the part of a claim that is looked at alone: what is invented is often only its end."""


def _stretches(a: Alignment) -> tuple[float, float, float]:
    """Return the most unseen, and the most not near, of one stretch; and what is unseen of the last third."""
    items, near, match = a.claim.terms.items, a.near, a.match
    weights = [a.weight[term] for term in items]
    away = [0.0 if term in near else weight for term, weight in zip(items, weights, strict=True)]
    lost = [weight * (1 - match[term]) for term, weight in zip(items, weights, strict=True)]
    if not any(lost) and not any(away):
        return 0.0, 0.0, 0.0
    most = furthest = 0.0
    for start in range(max(1, len(items) - STRETCH + 1)):
        end = start + STRETCH
        gone, far = sum(lost[start:end], 0.0), sum(away[start:end], 0.0)
        if gone or far:
            held = sum(weights[start:end], 0.0) or 1.0
            most, furthest = max(most, gone / held), max(furthest, far / held)
    tail = len(items) - len(items) // 3
    return most, furthest, sum(lost[tail:], 0.0) / (sum(weights[tail:], 0.0) or 1.0)
