"""Which sentences of two passages say the opposite about a question: as statements, and as words."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from adapters.caching import cached_by_text
from scorers.disagreement.asking import AskedQuestion
from scorers.disagreement.cases import ELSEWHERE, limited_apart
from scorers.disagreement.polarity import SUREST
from scorers.disagreement.tokens import tokens
from scorers.disagreement.values import reading_of
from scorers.statements.base import DifferenceKind
from scorers.statements.comparison import examine
from scorers.statements.reading import read_statements

TURNING: frozenset[DifferenceKind] = frozenset(
    {"polarity", "modality", "opposite", "scope", "exception", "role", "order"}
)
"""In what two statements oppose each other; what they put a figure on is compared as values."""

BEARS = 0.4
"""Share of the question that a statement holds to be compared, weighted by rarity."""

WHOLE = 0.7
"""Share of a statement's words that one opposed to it must have: a rule for unworn shoes and one for shoes of an outlet
are beside each other."""

MOST_STATEMENTS = 2
"""Statements of one passage that are compared, those that hold most of the question."""

MAX_READ = 20_000
"""Characters of a passage that are read."""


class Opposition(NamedTuple):
    """How surely two passages oppose each other, 0 to 1, and the sentences that do."""

    probability: float
    first: str
    second: str


class BearingStatement(NamedTuple):
    """A statement of a passage, and the share of the question that it holds."""

    words: str
    share: float


def bearing(asks: AskedQuestion, text: str) -> tuple[BearingStatement, ...]:
    """Return the statements of a passage that bear on a question, the best first."""
    weights, total = asks.weights, asks.total
    if not weights:
        return ()
    found = [
        BearingStatement(words, share)
        for words, stems in _stated(text[:MAX_READ])
        # Most statements hold no word of the question.
        if not weights.keys().isdisjoint(stems) and (share := _held(weights, frozenset(stems)) / total) >= BEARS
    ]
    return tuple(sorted(found, key=lambda each: -each.share)[:MOST_STATEMENTS])


@cached_by_text(cost=6)
def _stated(text: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the statements of a text, each with its distinct stems."""
    reading = reading_of(text)
    known = dict(zip(reading.sentences, reading.tokens, strict=True))  # most statements are sentences
    found = []
    for each in read_statements(text):
        read = known.get(each.words) or tokens(each.words)
        found.append((each.words, tuple(dict.fromkeys([token.stem for token in read if token.stem]))))
    return tuple(found)


def _held(weights: Mapping[str, float], stems: frozenset[str]) -> float:
    return sum([weight for stem, weight in weights.items() if stem in stems], 0.0)


def opposition(one: Sequence[BearingStatement], other: Sequence[BearingStatement]) -> Opposition | None:
    """Return the statements of two passages that oppose each other most, ``None`` where none do.

    A statement that the other passage agrees with is no opposition. What one passage permits and the other forbids or
    suspends is one, and so is a duty that the other waives.
    """
    found: Opposition | None = None
    for mine in one:
        for its in other:
            strength = contradicted(mine.words, its.words)
            probability = strength * math.sqrt(min(mine.share, its.share))
            if strength and (found is None or probability > found.probability):
                found = Opposition(probability, mine.words, its.words)
    return found


def contradicted(one: str, other: str) -> float:
    """Return how surely two sentences say the opposite of one thing, 0 to `SUREST`.

    What has a limit or a time of which the other says nothing is another case.

    >>> contradicted("Remote work is permitted.", "Remote work is suspended.") > 0.5
    True
    >>> contradicted("Staff may park in the garage.", "Visitors must not park in the garage.")
    0.0
    """
    return 0.0 if limited_apart(one, other) else _contradicted(*sorted((one, other), key=len, reverse=True))


# Passages recur, and so do the two statements of them that bear most on a question.
@cached_by_text(cost=1)
def _contradicted(one: str, other: str) -> float:
    return min(SUREST, max(_turned(one, other), _turned(other, one)))


def _turned(claim: str, source: str) -> float:
    examined = examine(claim, (source,), least=WHOLE)
    if examined.comparison.outcome != "contradicts":
        return 0.0
    if examined.alignment is not None and examined.alignment.covered < WHOLE:
        return 0.0
    if examined.strengths.get("entity", 0.0) >= ELSEWHERE:
        return 0.0
    return max((strength for kind, strength in examined.strengths.items() if kind in TURNING), default=0.0)
