"""How much it says that a term of a claim is nowhere in its context, from a table that ships.

Some words frame what is told ("customers praise", "overall") and are rarely in the context; others ("vegan",
"catering") are the thing told, and where they are missing they were made up.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from adapters.caching import cached
from scorers.models.loading import read_model


@dataclass(frozen=True, slots=True)
class Absence:
    """For each known term, and any other, ``-ln(1 - rate)``: how often people mark it where its context lacks it.

    >>> absence().of("vegan") > absence().of("overall")
    True
    """

    weights: Mapping[str, float]
    unknown: float

    def of(self, term: str) -> float:
        """Return the weight of a term."""
        return self.weights.get(term, self.unknown)


def absence_of(rates: Mapping[str, float], unknown: float) -> Absence:
    """Return the table of rates below 1."""
    return Absence({term: -math.log1p(-rate) for term, rate in rates.items()}, -math.log1p(-unknown))


@cached(maxsize=1)
def absence() -> Absence:
    """Return the shipped table, read once."""
    content = read_model("absence")
    rates = {term: float(rate) for rate, terms in content["terms"].items() for term in terms.split(" ")}
    return absence_of(rates, float(content["unknown"]))
