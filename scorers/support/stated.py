"""What the sentences nearest to a claim say of it, as statements: agreed, contradicted, or not decided."""

from __future__ import annotations

from typing import NamedTuple

from scorers.statements.base import Comparison, Difference
from scorers.statements.comparison import compare
from scorers.support.alignment import Alignment

NEAREST = 4
"""Sentences of the context that a claim is compared with."""
CLOSE = 0.4
"""A claim of which no two adjacent sentences hold this share, weighted by rarity, is compared with none."""


class Stated(NamedTuple):
    """What the context states of a claim: the outcome, and the source and words of the sentence that decided."""

    comparison: Comparison
    source: int | None = None
    words: str = ""

    @property
    def strength(self) -> float:
        """The probability that what differs makes the claim wrong; 0 where nothing does."""
        found = self.comparison
        return found.difference.strength if found.outcome == "contradicts" and found.difference is not None else 0.0

    @property
    def differs(self) -> str:
        """What the claim and the sentence say differently, as a reader is told; empty where they do not."""
        found = self.comparison
        return told(found.difference) if found.outcome == "contradicts" and found.difference is not None else ""


NOTHING = Stated(Comparison("undecided", undecided="no sentence of the context is close to the claim"))


def told(difference: Difference) -> str:
    """Say what differs.

    >>> told(Difference("modality", "may", "must", 0.9))
    'modality differs: "may" against "must"'
    """
    return f'{difference.kind} differs: "{difference.claimed}" against "{difference.told}"'


def stated(aligned: Alignment, question: str | None) -> Stated:
    """Return what the sentences nearest to a claim state of it.

    Sentences of structured data are left out: they are labels and values, which the features of facts compare.
    """
    context = aligned.context
    least = CLOSE * aligned.total
    if not aligned.total or aligned.window_weight < least:
        return NOTHING
    order = sorted(
        (at for at, weight in enumerate(aligned.covered) if weight >= least / 2),
        key=lambda at: (-aligned.covered[at], at),
    )
    places: list[tuple[int, str]] = []
    for at in order[: 2 * NEAREST]:
        source = context.source_of(at)
        local = at - context.sentence_base[source]
        if context.sources[source].record is None and local < len(context.sources[source].sentences):
            places.append((source, context.sources[source].sentences[local].words))
    places = list(dict.fromkeys(places))[:NEAREST]
    if not places:
        return NOTHING
    found = compare(aligned.claim.sentence.words, [words for _, words in places], question)
    if found.source is None:
        return Stated(found)
    return Stated(found, *places[found.source])
