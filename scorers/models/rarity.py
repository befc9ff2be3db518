"""How rare each term is, from a table that ships: what a common term shares between two texts says little."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from adapters.caching import cached
from scorers.models.loading import read_model


@dataclass(frozen=True, slots=True)
class Rarity:
    """Weight of each known term, ``ln((N + 1) / (n + 1)) + 0.5`` over N texts of which n hold it, and of any other.

    Inverse document frequency: K. Sparck Jones, Journal of Documentation 28 (1972); smoothed.

    >>> rarity().of("the-term-nobody-wrote") > rarity().of("year")
    True
    """

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
def rarity() -> Rarity:
    """Return the shipped table, read once."""
    content = read_model("rarity")
    weights = {term: float(weight) for weight, terms in content["terms"].items() for term in terms.split(" ")}
    return Rarity(weights, float(content["unknown"]))
