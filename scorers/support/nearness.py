"""Whether a claim is nearly a copy of a sentence, so that one thing in it may be a slip.

Told in other words, a right claim over rules looks like a slip as well, to a model that sees which words differ.
"""

from __future__ import annotations

import re
from itertools import pairwise

from adapters.caching import cached_by_text
from scorers.statements.ties import LONGEST
from scorers.support.alignment import Alignment
from scorers.text.stemming import stem

COPIED = 0.35
"""Share of the pairs of neighbouring words from which on a claim over rules may be a copy with a slip.

Of 65 claims over policies that the forest of slips calls, all 18 right ones have less, and 22 of the 47 wrong ones."""

BARE = 2
"""Words up to which a claim is a bare "Yes" or "No", which takes the words of its question."""

_WORD = re.compile(r"[^\W_]{1,64}")


def is_near_copy(a: Alignment) -> bool:
    """Tell whether a sentence near to a claim has much of it word for word."""
    claim, sources = a.claim.sentence.words, a.context.sources
    return len(_stems(claim)) <= BARE or any(
        runs(claim, sources[index].sentences[local].words) >= COPIED for _, index, local in a.nearest_sentences()
    )


def runs(claim: str, told: str) -> float:
    """Return the share of the pairs of neighbouring words of a claim that stand side by side in what is told.

    >>> round(runs("It takes two hours.", "It takes two days."), 2)
    0.67
    """
    there = set(pairwise(_stems(told[:LONGEST])))
    pairs = [pair in there for pair in pairwise(_stems(claim[:LONGEST]))]
    return sum(pairs) / len(pairs) if pairs else 0.0


@cached_by_text(cost=4)
def _stems(text: str) -> tuple[str, ...]:
    return tuple(map(stem, _WORD.findall(text.lower())))
