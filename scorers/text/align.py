"""How far a source supports a claim: coverage weighted by rarity, checked for numbers and negation.

This is a first, uncalibrated version with constants set by hand. It orders claims; its value is not yet a frequency.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from scorers.text.normalize import Terms
from scorers.text.source import Source, variants

SUPPORTED = 0.5
"""A source supports a claim from this probability on, wherever a yes or no is needed."""

TIE = 0.05
"""Strengths no further apart than this are a tie: about one common word of a twenty-word claim."""

WINDOW_SHARE = 0.75
"""Share of the best window (two adjacent sentences) in the strength; the rest is the whole source. Words that are all
there but scattered support a claim less than the same words side by side."""

NUMBER_WEIGHT = 1.5
"""A number counts this much more than an equally rare word: it is what a claim is usually about."""

ABSENT_NUMBER = 0.45
"""Factor on the strength for a number of the claim that the source does not have."""

DISTANT_NUMBER = 0.85
"""The same for a number that the source has, but not in the best window."""

NEGATION_MISMATCH = 0.45
"""The same where one of claim and nearest sentence turns round a term that they share, and the other none."""

MIDPOINT = 0.5
STEEPNESS = 10.0
"""The logistic curve from strength to probability: .5 at ``MIDPOINT``, about .99 at strength 1, .01 at 0."""

_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Support:
    """What one source does for one claim.

    ``strength`` (0-1) is the covered share of the claim's rarity after the checks, ``probability`` its logistic map.
    ``sentence`` is the index of the nearest sentence; ``missing`` are the claim's terms that the best window lacks.
    """

    strength: float
    probability: float
    sentence: int | None = None
    missing: tuple[str, ...] = ()
    negation: bool = False

    @property
    def missing_numbers(self) -> tuple[str, ...]:
        """The claim's numbers, times and months that the best window lacks, in canonical form."""
        return tuple(term[1:] for term in self.missing if term.startswith("#"))

    @property
    def missing_words(self) -> tuple[str, ...]:
        """The claim's stems that the best window lacks."""
        return tuple(term for term in self.missing if not term.startswith("#"))


def rarities(sources: Iterable[Source], wanted: Iterable[str]) -> dict[str, float]:
    """Return the weight of each wanted term: ``ln((N + 1) / (n + 1)) + 0.5``, over the sentences of all sources.

    N is the number of sentences and n how many hold the term, so that what every sentence has counts least and what
    none has counts most. Inverse document frequency: K. Sparck Jones, Journal of Documentation 28 (1972); smoothed.
    """
    read = tuple(sources)
    total = sum(len(source.sets) for source in read)
    weights: dict[str, float] = {}
    for term in wanted:
        held = sum(len(source.postings.get(term, ())) for source in read)
        weight = math.log((total + 1) / (held + 1)) + 0.5
        weights[term] = weight * NUMBER_WEIGHT if term.startswith("#") else weight
    return weights


def support(claim: Terms, source: Source, weights: Mapping[str, float]) -> Support:
    """Return how far ``source`` supports ``claim``; ``weights`` hold the rarity of each of its terms.

    A claim without any content word is supported by nothing.
    """
    unique = tuple(dict.fromkeys(claim.items))
    total = sum(weights[term] for term in unique)
    if not unique or not source.sets:
        return Support(0.0, probability(0.0), None, unique)
    matches = {term: variants(term, source) for term in unique}
    covered = sum(weights[term] * max((ratio for _, ratio in found), default=0.0) for term, found in matches.items())
    window, inside = _best_window(matches, source, weights)
    strength = (WINDOW_SHARE * inside + (1 - WINDOW_SHARE) * covered) / total
    present = source.sets[window] | (source.sets[window + 1] if window + 1 < len(source.sets) else frozenset())
    missing = tuple(term for term in unique if not any(word in present for word, _ in matches[term]))
    for term in missing:
        if term.startswith("#"):
            strength *= DISTANT_NUMBER if term in source.postings else ABSENT_NUMBER
    nearest = _nearest(matches, source, weights, window)
    negation = _negation_differs(claim, matches, source, nearest)
    if negation:
        strength *= NEGATION_MISMATCH
    strength = min(1.0, max(0.0, strength))
    return Support(strength, probability(strength), nearest, missing, negation)


def probability(strength: float) -> float:
    """Return the logistic map of a strength: an order-preserving guess at a probability, not calibrated.

    >>> round(probability(0.5), 2), round(probability(1.0), 2)
    (0.5, 0.99)
    """
    return 1.0 / (1.0 + math.exp(-STEEPNESS * (strength - MIDPOINT)))


def _best_window(
    matches: Mapping[str, tuple[tuple[str, float], ...]], source: Source, weights: Mapping[str, float]
) -> tuple[int, float]:
    """Return the first sentence of the two adjacent ones that cover most, and the weight they cover.

    Walks the postings of the claim's terms only, so that a long source costs what it has in common with the claim.
    """
    covered: dict[int, float] = {}
    for term, found in matches.items():
        weight = weights[term]
        if found and found[0][1] == 1.0:  # the word itself, as nearly always: each window that touches it, once
            last = -1
            for index in source.postings[term]:
                if index and index - 1 != last:
                    covered[index - 1] = covered.get(index - 1, 0.0) + weight
                covered[index] = covered.get(index, 0.0) + weight
                last = index
            continue
        best: dict[int, float] = {}
        for word, ratio in found:
            for index in source.postings[word]:
                best[index] = max(ratio, best.get(index, 0.0))
                if index:
                    best[index - 1] = max(ratio, best.get(index - 1, 0.0))
        for index, ratio in best.items():
            covered[index] = covered.get(index, 0.0) + weight * ratio
    if not covered:
        return 0, 0.0
    # The first of equal windows wins; sums of the same weights in another order differ by a rounding.
    most = max(covered.values()) - _ROUNDING
    first = min(index for index, weight in covered.items() if weight >= most)
    return first, covered[first]


def _negation_differs(
    claim: Terms, matches: Mapping[str, tuple[tuple[str, float], ...]], source: Source, sentence: int
) -> bool:
    """Return whether exactly one of the two negates a term they share.

    "X is not allowed" and "does not allow X" negate different words of the same statement, so that both negate some
    shared term is taken for agreement.
    """
    present, turned = source.sets[sentence], source.read[sentence].negated
    in_claim = in_source = False
    for term, found in matches.items():
        shared = [word for word, _ in found if word in present]
        if shared:
            in_claim = in_claim or term in claim.negated
            in_source = in_source or any(word in turned for word in shared)
    return in_claim != in_source


def _nearest(
    matches: Mapping[str, tuple[tuple[str, float], ...]], source: Source, weights: Mapping[str, float], window: int
) -> int:
    """Return the one sentence of the window that covers more of the claim."""
    if window + 1 >= len(source.sets):
        return window
    first, second = (
        sum(weights[term] for term, found in matches.items() if any(word in source.sets[at] for word, _ in found))
        for at in (window, window + 1)
    )
    return window + 1 if second > first else window
