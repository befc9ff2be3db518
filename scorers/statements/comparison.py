"""Compares a claim with the sentences of its sources, as statements rather than as words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from scorers.statements.base import Comparison, Difference, Kind, Outcome
from scorers.text.normalize import behind_particle, terms

__all__ = ["Comparison", "Difference", "Kind", "Outcome", "compare"]

_FORBIDS = re.compile(
    r"\b(?:(?:must|may|can|shall)\s?not|can't|mustn't|prohibited|forbidden|not (?:allowed|permitted))\b"
)
_REQUIRES = re.compile(r"\b(?:must|shall|required|mandatory|have to|has to)\b")
_FREES = re.compile(r"\b(?:need not|optional|(?:not|n't) (?:need|have|required))\b")
_PERMITS = re.compile(r"\b(?:may|can|allowed|permitted)\b")
_NEAR = 0.8


def compare(claim: str, sources: Sequence[str], question: str | None = None) -> Comparison:  # noqa: ARG001 - to come
    """Return whether a source agrees with a claim, contradicts it, or neither can be told.

    >>> compare("Yes, gift cards can be returned.", ["Gift cards cannot be returned."]).outcome
    'contradicts'
    """
    said = claim[behind_particle(claim) :]
    items = frozenset(terms(said).items)
    best: tuple[float, int] = (0.0, -1)
    for index, source in enumerate(sources):
        shared = len(items.intersection(terms(source).items)) / (len(items) or 1)
        best = max(best, (shared, -index))
    if best[0] < _NEAR:
        return Comparison("undecided", undecided="no source sentence is close enough to the claim")
    index = -best[1]
    ours, theirs = _force(said), _force(sources[index])
    if ours == theirs:
        return Comparison("agrees", source=index)
    kind: Kind = "polarity" if "forbids" in (ours, theirs) else "modality"
    return Comparison("contradicts", Difference(kind, ours, theirs, 0.8), index)


def _force(text: str) -> str:
    folded = text.lower()
    for name, pattern in (("forbids", _FORBIDS), ("frees", _FREES), ("requires", _REQUIRES), ("permits", _PERMITS)):
        if pattern.search(folded):
            return name
    return "denies" if terms(text).negators else "states"
