"""What gates have in common that judge one metric: its range, in whose unit their limits are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from math import inf, isinf
from typing import Any

import numpy as np
from pydantic import Field, ValidationInfo, field_validator, model_validator

from gates.base import Gate
from gates.inputs.observations import Batch, Bools
from gates.units.scale import UNIT, Scale, is_known, scale_of
from scorers.base import Metric

UNBOUNDED = (
    "has no upper bound, which every confidence bound needs; an `objective` gate can judge how often it is on the wrong"
    " side of a value: `type: objective` with `good`"
)


class BoundedGate(Gate):
    """A gate over one metric. Limits are in the unit of the metric, and so is what it says."""

    metric: str = Field(description="Metric that is judged.")
    bounds: tuple[float, float | None] | None = Field(
        default=None,
        description="Least and largest value of a metric that no scorer gives, `[1, 5]`; 0 and 1 where not given. Those"
        " of a scorer's metric are known.",
    )

    @field_validator("bounds")
    @classmethod
    def _range(cls, bounds: tuple[float, float | None] | None, given: ValidationInfo) -> Any:
        if bounds is None:
            return None
        lower, upper = bounds
        if not (-inf < lower < inf and (upper is None or lower < upper < inf)):
            raise ValueError("expected two numbers, the least value first")
        if upper is not None and isinf(upper - lower):
            raise ValueError("the values lie too far apart to be reckoned with")
        metric = given.data.get("metric", "")
        if is_known(metric) and scale_of(metric) != (lower, inf if upper is None else upper):
            raise ValueError(f"{metric!r} has values from {scale_of(metric)}; leave bounds out")
        return bounds

    @model_validator(mode="after")
    def _with_an_end(self) -> BoundedGate:
        for _, problem in self.range_problems(None):
            raise ValueError(problem)
        return self

    @property
    def scale(self) -> Scale:
        """The range of the metric."""
        return scale_in({"metric": self.metric, "bounds": self.bounds})

    @property
    def metrics(self) -> frozenset[str]:
        """The one metric this gate listens to."""
        return frozenset({self.metric})

    def range_problems(self, metric: Metric | None) -> Iterator[tuple[str, str]]:
        """Yield why values of this metric cannot be judged, if they cannot."""
        if isinf(self.scale.upper) or (metric is not None and metric.upper is None):
            yield "metric", f"{self.metric!r} {UNBOUNDED}"
        elif metric is not None and self.scale != (metric.lower, metric.upper):
            yield "bounds", f"{self.metric!r} has values from {Scale(metric.lower, metric.upper or 0.0)}"

    def _unused(self) -> set[str]:
        """Return the options that a configuration of before they were there did not have either."""
        return {"bounds"} if self.bounds is None else set()

    def _parts(self, batch: Batch) -> tuple[Batch, Bools]:
        """Return the batch with this metric's values as parts of its range, and which rows these are.

        Raises `ValueError` on a value outside.
        """
        scale = self.scale
        mine = batch.of_metric(self.metric, *scale)
        if scale == UNIT or not mine.any():
            return batch, mine
        return replace(batch, value=np.where(mine, scale.part(batch.value), batch.value)), mine


def scale_in(given: Mapping[str, Any]) -> Scale:
    """Return the range that options of a gate speak of, as far as these have been read.

    >>> scale_in({"metric": "judge_says", "bounds": (1, 5)}), scale_in({"metric": "composite"}).upper
    (Scale(lower=1.0, upper=5.0), 100.0)
    """
    bounds = given.get("bounds")
    if bounds is None:
        return scale_of(given.get("metric", ""))
    lower, upper = bounds
    return Scale(float(lower), inf if upper is None else float(upper))


def inside(value: float | None, given: ValidationInfo, *, low: bool = True, high: bool = True) -> float | None:
    """Return an option that is a value of the metric. Raises `ValueError` for one outside its range.

    ``low`` and ``high`` say whether it may be the least and the largest value.
    """
    if value is None:
        return None
    scale = scale_in(given.data)
    if not (value <= scale.upper if high else value < scale.upper):
        raise ValueError(f"should be less than {'or equal to ' if high else ''}{scale.upper:g}{_unless(given)}")
    if not (value >= scale.lower if low else value > scale.lower):
        raise ValueError(f"should be greater than {'or equal to ' if low else ''}{scale.lower:g}{_unless(given)}")
    return value


def distance(value: float | None, given: ValidationInfo) -> float | None:
    """Return an option that is a difference of two values. Raises `ValueError` for one as large as the range."""
    if value is not None and not value < (width := scale_in(given.data).width):
        raise ValueError(f"should be less than {width:g}{_unless(given)}")
    return value


def _unless(given: ValidationInfo) -> str:
    metric = given.data.get("metric")
    if metric is None or is_known(metric) or given.data.get("bounds") is not None:
        return ""
    return f": no scorer gives {metric!r}, and bounds are not given"
