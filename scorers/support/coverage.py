"""How much of a claim's rarity the context holds at all, in one place, and in one passage."""

from __future__ import annotations

import re

from scorers.support.alignment import Alignment

NAMES = (
    "unseen", "unseen_weight", "unseen_first", "unseen_second", "unseen_count", "unseen_run", "unseen_plain", "variant",
    "best_sentence", "best_window", "best_three", "scattered", "best_passage", "second_passage", "other_passage",
    "margin", "window_place", "window_unused", "not_near_first", "not_near_count", "named_passage_lost",
    "stretch_unseen",
    "stretch_not_near", "tail_unseen",
)  # fmt: skip
_SEEN = 0.6
_PASSAGES = frozenset({"document", "documents", "passage", "passages", "source", "sources"})
_NUMBERED = re.compile(r"(?:document|passage|source)s?\s(?:and\s)?(\d)", re.IGNORECASE)


def features(a: Alignment) -> tuple[float, ...]:
    """Return the values of `NAMES`."""
    total = a.total or 1.0
    misses = sorted((a.weight[t] * (1 - a.match[t]) for t in a.unique), reverse=True) or [0.0]
    lost = sum(misses)
    count = len(a.unique) or 1
    unseen = [t for t in a.unique if a.match[t] < _SEEN]
    run = longest = 0.0
    for term in a.claim.terms.items:
        run = run + a.weight[term] if a.match[term] < _SEEN else 0.0
        longest = max(longest, run)
    partial = sum(a.weight[t] for t in a.unique if 0 < a.match[t] < 1)
    best = max(a.covered)
    best_at = a.covered.index(best)
    three = _greedy(a)
    window = a.window_weight / total
    passages = sorted(a.by_source, reverse=True)
    home = a.context.source_of(best_at)
    low = a.context.sentence_base[home] if a.context.sources else 0
    high = low + (len(a.context.sources[home].sentences) if a.context.sources else 0)
    elsewhere = max(max(a.covered[:low], default=0.0), max(a.covered[high:], default=0.0))
    runner = max(max(a.covered[: max(0, best_at - 1)], default=0.0), max(a.covered[best_at + 2 :], default=0.0))
    near_total = len(a.near) or 1
    not_near = [a.weight[t] for t in a.unique if t not in a.near and a.match[t] >= _SEEN]
    return (
        lost / total,
        lost,
        misses[0],
        misses[1] if len(misses) > 1 else 0.0,
        float(len(unseen)),
        longest,
        len(unseen) / count,
        partial / total,
        best / total,
        window,
        three / total,
        1 - lost / total - window,
        (passages[0] if passages else 0.0) / total,
        (passages[1] if len(passages) > 1 else 0.0) / total,
        elsewhere / total,
        (best - runner) / total,
        a.window / (a.context.sentences or 1),
        len(a.near.difference(a.unique)) / near_total,
        max(not_near, default=0.0),
        len(not_near) / count,
        _named(a) / total,
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
    for start in range(max(1, len(items) - STRETCH + 1)):
        held = sum(weights[start : start + STRETCH]) or 1.0
        most = max(most, sum(lost[start : start + STRETCH]) / held)
        furthest = max(furthest, sum(away[start : start + STRETCH]) / held)
    tail = len(items) - len(items) // 3
    return most, furthest, sum(lost[tail:]) / (sum(weights[tail:]) or 1.0)


def _named(a: Alignment) -> float:
    """Return how much less of the claim the passages that it names by number hold than the best one does."""
    words = a.claim.terms.words
    if not _PASSAGES.intersection(words) or len(a.by_source) < 2:  # noqa: PLR2004 - one passage is no choice
        return 0.0
    named = [int(n) - 1 for n in _NUMBERED.findall(a.claim.sentence.words)]
    held = [a.by_source[n] for n in named if 0 <= n < len(a.by_source)]
    return max(a.by_source) - max(held) if held else 0.0


def _greedy(a: Alignment) -> float:
    """Return the weight that three sentences together cover, each chosen for what it adds."""
    left = list(a.unique)
    gained = 0.0
    for _ in range(3):
        gain: dict[int, float] = {}
        for term in left:
            worth = a.weight[term] * a.match[term]
            for at in a.found[term].sentences:
                gain[at] = gain.get(at, 0.0) + worth
        if not gain:
            break
        most = max(gain.values()) - 1e-9
        chosen = min(at for at, worth in gain.items() if worth >= most)
        gained += gain[chosen]
        left = [term for term in left if chosen not in a.found[term].sentences]
    return gained
