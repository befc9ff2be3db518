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
    misses = sorted((a.weight[t] * (1 - a.match[t]) for t in a.unique), reverse=True) or [0.0]
    lost = sum(misses, 0.0)
    count = len(a.unique) or 1
    run = longest = 0.0
    for term in a.claim.terms.items:
        run = run + a.weight[term] if a.match[term] < SEEN else 0.0
        longest = max(longest, run)
    not_near = [a.weight[t] for t in a.unique if t not in a.near and a.match[t] >= SEEN]
    return (
        lost / total,
        lost,
        misses[0],
        misses[1] if len(misses) > 1 else 0.0,
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
    items = a.claim.terms.items
    weights = [a.weight[t] for t in items]
    lost = [a.weight[t] * (1 - a.match[t]) for t in items]
    away = [0.0 if t in a.near else a.weight[t] for t in items]
    most = furthest = 0.0
    starts = range(max(1, len(items) - STRETCH + 1)) if any(lost) or any(away) else ()
    for start in starts:
        held = sum(weights[start : start + STRETCH], 0.0) or 1.0
        most = max(most, sum(lost[start : start + STRETCH], 0.0) / held)
        furthest = max(furthest, sum(away[start : start + STRETCH], 0.0) / held)
    tail = len(items) - len(items) // 3
    return most, furthest, sum(lost[tail:], 0.0) / (sum(weights[tail:], 0.0) or 1.0)
