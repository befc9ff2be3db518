"""What each term weighs, from tables that ship: how rare it is, and how much it says that a context lacks it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from adapters.caching import cached
from scorers.models.loading import read_model


@dataclass(frozen=True, slots=True)
class TermWeights:
    """The weight of each known term, and of any other."""

    weights: Mapping[str, float]
    unknown: float

    def of(self, term: str) -> float:
        """Return the weight of a term."""
        return self.weights.get(term, self.unknown)

    def each(self, terms: Iterable[str]) -> dict[str, float]:
        """Return the weight of each of several terms."""
        weights, unknown = self.weights, self.unknown
        return {term: weights.get(term, unknown) for term in terms}


@cached(maxsize=1)
def rarity() -> TermWeights:
    """Return how rare each term is; what a common term shares between two texts says little.

    A term weighs ``ln((N + 1) / (n + 1)) + 0.5`` over N texts of which n hold it. Inverse document frequency:
    K. Sparck Jones, Journal of Documentation 28 (1972); smoothed.

    >>> rarity().of("the-term-nobody-wrote") > rarity().of("year")
    True
    """
    return TermWeights(*_shipped("rarity"))


@cached(maxsize=1)
def absence() -> TermWeights:
    """Return how much it says that a term of a claim is nowhere in its context.

    A term weighs ``-ln(1 - rate)``: how often people mark it where its context lacks it. Some words frame what is told
    ("customers praise", "overall") and are rarely in the context; others ("vegan", "catering") are the thing told, and
    where they are missing they were made up.

    >>> absence().of("vegan") > absence().of("overall")
    True
    """
    return absence_of(*_shipped("absence"))


def absence_of(rates: Mapping[str, float], unknown: float) -> TermWeights:
    """Return the weights of rates below 1."""
    return TermWeights({term: -math.log1p(-rate) for term, rate in rates.items()}, -math.log1p(-unknown))


def _shipped(name: str) -> tuple[dict[str, float], float]:
    content = read_model(name)
    figures = {term: float(figure) for figure, terms in content["terms"].items() for term in terms.split(" ")}
    return figures, float(content["unknown"])
