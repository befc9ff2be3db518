"""What a claim's unseen words weigh, by how often people mark them where the context lacks them.

Told of structured contexts only: prose says the same in other words, and there rarity weighs unseen words better.
"""

from __future__ import annotations

from collections.abc import Sequence

from scorers.models.terms import TermWeights, absence
from scorers.support.alignment import SEEN, Alignment

NAMES = ("absent",)


def features(a: Alignment) -> tuple[float]:
    """Return the values of `NAMES`."""
    return (worth(absent(a), absence()),)


def absent(a: Alignment) -> tuple[str, ...]:
    """Return the words of a claim that a structured context does not have; figures are judged elsewhere."""
    if not a.context.structured:
        return ()
    return tuple(term for term, match in a.match.items() if match < SEEN and term[0] != "#")


def worth(terms: Sequence[str], table: TermWeights) -> float:
    """Return minus the logarithm of the probability that none of ``terms`` was made up."""
    return sum(map(table.of, terms), 0.0)
