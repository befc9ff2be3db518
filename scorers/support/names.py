"""Names of a claim (words with a capital inside a sentence): whether the context has them, together, and doing that."""

from __future__ import annotations

import itertools

from scorers.support.alignment import SEEN, Alignment
from scorers.support.context import reach
from scorers.text.normalize import CAPITAL

NAMES = (
    "names", "names_unseen", "names_unseen_weight", "names_not_near", "names_torn", "name_company_worst", "names_plain",
)  # fmt: skip

REACH = 10
"""Positions within which a word is said of a name."""


def features(a: Alignment) -> tuple[float, ...]:
    """Return the values of `NAMES`."""
    items, marks = a.claim.terms.items, a.claim.terms.marks
    at = [i for i, mark in enumerate(marks) if mark & CAPITAL]
    if not at:
        return _NAMELESS
    names = list(dict.fromkeys([items[i] for i in at]))
    unseen = [t for t in names if a.match[t] < SEEN]
    away = [t for t in names if a.match[t] and t not in a.near]
    torn = 0
    for i, j in itertools.pairwise(at):
        if j == i + 1 and (items[i], items[j]) not in a.context.pairs:
            torn += 1
    named = [t for t in names if t not in a.context.names]
    return (
        float(len(names)),
        float(len(unseen)),
        sum([a.weight[t] for t in unseen], 0.0),
        float(len(away)),
        float(torn),
        _company(a, at),
        float(len(named)),
    )


_NAMELESS = (0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0)
"""The values of a claim that names nothing."""


def _company(a: Alignment, at: list[int]) -> float:
    """Return how much of the words around a name stands near it in the context, the least of all names."""
    items = a.claim.terms.items
    least = 1.0
    for index in at:
        place = a.found[items[index]].positions
        if not place:
            continue
        near = reach(place, REACH)
        held = there = 0.0
        for other in items[max(0, index - 4) : index] + items[index + 1 : index + 5]:
            if other != items[index] and a.found[other].positions:
                held += a.weight[other]
                if near & a.found[other].positions:
                    there += a.weight[other]
        if held:
            least = min(least, there / held)
    return least
