"""Names of a claim (words with a capital inside a sentence): whether the context has them, together, and doing that."""

from __future__ import annotations

import itertools

from scorers.support.alignment import Alignment
from scorers.text.normalize import CAPITAL

NAMES = (
    "names", "names_unseen", "names_unseen_weight", "names_not_near", "names_swapped", "names_torn", "name_company",
    "name_company_worst", "name_sentence_away", "names_plain",
)  # fmt: skip

REACH = 10
"""Positions within which a word is said of a name."""


def features(a: Alignment) -> tuple[float, ...]:
    """Return the values of `NAMES`."""
    items, marks = a.claim.terms.items, a.claim.terms.marks
    at = [i for i, mark in enumerate(marks) if mark & CAPITAL]
    names = list(dict.fromkeys(items[i] for i in at))
    unseen = [t for t in names if a.match[t] < 0.6]  # noqa: PLR2004 - a variant that shares less is another name
    away = [t for t in names if a.match[t] and t not in a.near]
    near = {term for read in a.near_reads for term, mark in zip(read.items, read.marks, strict=True) if mark & CAPITAL}
    torn = 0
    for i, j in itertools.pairwise(at):
        if j == i + 1 and not any((items[i], items[j]) in source.pairs for source in a.context.sources):
            torn += 1
    company, worst = _company(a, at)
    distance = 0
    for term in away:
        held = a.found[term].sentences
        distance = max(distance, min(20, min((abs(s - a.window) for s in held), default=20)))
    named = [t for t in names if not any(t in source.names for source in a.context.sources)]
    return (
        float(len(names)),
        float(len(unseen)),
        sum(a.weight[t] for t in unseen),
        float(len(away)),
        float(min(len(set(names) - near), len(near - set(names)))),
        float(torn),
        company,
        worst,
        float(distance),
        float(len(named)),
    )


def _company(a: Alignment, at: list[int]) -> tuple[float, float]:
    """Return how much of the words around each name stands near it in the context: the mean, and the least."""
    items = a.claim.terms.items
    shares = []
    for index in at:
        if not a.found[items[index]].positions:
            continue
        held = there = 0.0
        for other in items[max(0, index - 4) : index] + items[index + 1 : index + 5]:
            if other != items[index] and a.found[other].positions:
                held += a.weight[other]
                if abs(a.context.distance(items[index], other)) <= REACH:
                    there += a.weight[other]
        if held:
            shares.append(there / held)
    return (sum(shares) / len(shares), min(shares)) if shares else (1.0, 1.0)
