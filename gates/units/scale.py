"""Values of a metric in its own unit, and as parts of its range: gates work with parts, and show the metric's unit."""

from __future__ import annotations

from math import inf, isinf
from typing import Any, NamedTuple

from adapters.caching import cached
from scorers import SCORERS


class Scale(NamedTuple):
    """The least and the largest value of a metric; ``upper`` is infinite where there is none.

    >>> points = Scale(0.0, 100.0)
    >>> points.part(70.0), points.own(0.25), points.width
    (0.7, 25.0, 100.0)
    """

    lower: float = 0.0
    upper: float = 1.0

    @property
    def width(self) -> float:
        """How many of the metric's unit the whole range is; 1 where it has no end, and parts are the values."""
        return 1.0 if isinf(self.upper) else self.upper - self.lower

    def part(self, value: Any) -> Any:
        """Return a value, or many, as a part of the range: 0 to 1."""
        return (value - self.lower) / self.width

    def own(self, part: Any) -> Any:
        """Return a part of the range, or many, as values of the metric."""
        return self.lower + self.width * part

    def __str__(self) -> str:
        """Say the range, as errors tell it."""
        return f"{self.lower:g} and up" if isinf(self.upper) else f"{self.lower:g} to {self.upper:g}"


UNIT = Scale()


def scale_of(metric: str) -> Scale:
    """Return the range of a scorer's metric, and 0 to 1 for any other.

    >>> scale_of("composite"), scale_of("unheard_of")
    (Scale(lower=0.0, upper=100.0), Scale(lower=0.0, upper=1.0))
    """
    return _known().get(metric, UNIT)


def is_known(metric: str) -> bool:
    """Return whether there is a scorer for a metric."""
    return metric in _known()


@cached(maxsize=1)
def _known() -> dict[str, Scale]:
    found = (scorer.metric for scorer in SCORERS)
    return {each.name: Scale(each.lower, inf if each.upper is None else each.upper) for each in found}
