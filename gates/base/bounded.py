"""What gates have in common that judge one metric: its range, in whose unit their limits are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import inf, isinf
from typing import Any

import numpy as np
from pydantic import Field, ValidationInfo, field_validator, model_validator

from gates.base.gate import Gate
from gates.base.labels import by_label, labels_in
from gates.evidence.arrays import Bools
from gates.inputs.observations import Batch
from gates.units.names import suggestion
from gates.units.scale import UNIT, Scale, is_known, scale_of
from scorers.base import Metric

UNBOUNDED = (
    "has no upper bound, which every confidence bound needs; judge how often it is on the wrong side of a value instead"
    " `type: objective`, `good`"
)


class BoundedGate(Gate):
    """A gate over one metric. Limits are in the unit of the metric, and so is what it says.

    A gate with an option ``good`` may name labels there: then it judges the share of answers with a good one.
    """

    metric: str = Field(description="Metric that is judged.")
    bounds: tuple[float, float | None] | None = Field(
        default=None,
        description="Range of a metric that no scorer gives, such as `[1, 5]`; 0 to 1 where not given. The range of a"
        " scorer's metric is known.",
    )

    @field_validator("bounds")
    @classmethod
    def _range(cls, bounds: tuple[float, float | None] | None, given: ValidationInfo) -> Any:
        if bounds is None:
            return None
        lower, upper = bounds
        if not (-inf < lower < inf and (upper is None or lower < upper < inf)):
            raise ValueError("expected two numbers, the lower one first")
        if upper is not None and isinf(upper - lower):
            raise ValueError("the range is too wide to compute with")
        metric = given.data.get("metric", "")
        if is_known(metric) and scale_of(metric) != (lower, inf if upper is None else upper):
            raise ValueError(f"{metric!r} has values from {scale_of(metric)}; leave bounds out")
        return bounds

    @model_validator(mode="after")
    def _with_an_end(self) -> BoundedGate:
        for _, problem in self.range_problems(None):
            raise ValueError(problem)
        if self.good_labels and getattr(self, "worse", "lower") == "higher":
            raise ValueError("worse: with labels as good, the share of good answers is judged: set worse to lower")
        if self.good_labels and getattr(self, "at_most", None) is not None:
            raise ValueError("at_most: with labels as good, the share of good answers is judged: set at_least instead")
        return self

    @property
    def good_labels(self) -> tuple[str, ...]:
        """The labels of good answers; none where answers are judged by value."""
        return labels_in(getattr(self, "good", None))

    @property
    def counts_labels(self) -> bool:
        """Whether answers are judged by the label of their score rather than by its value."""
        return bool(self.good_labels)

    @property
    def judged(self) -> str:
        """What is judged, as reasons say it: the metric, or the share of its answers with a good label."""
        labels = " or ".join(self.good_labels)
        return f"share of answers with {self.metric} {labels}" if labels else self.metric

    @property
    def estimates_metric(self) -> bool:
        """Whether estimates are values of the metric, rather than shares of answers."""
        return not self.good_labels

    @property
    def scale(self) -> Scale:
        """The range of what is judged: that of the metric, or of a share."""
        return UNIT if self.good_labels else self._own_scale

    @property
    def _own_scale(self) -> Scale:
        return scale_in({"metric": self.metric, "bounds": self.bounds})

    @property
    def scales(self) -> Mapping[str, Scale]:
        """The range of its metric."""
        return {self.metric: self._own_scale}

    @property
    def metrics(self) -> frozenset[str]:
        """The one metric this gate listens to."""
        return frozenset({self.metric})

    def problems(self, metrics: Mapping[str, Metric], dimensions: frozenset[str]) -> Iterator[tuple[str, str]]:
        """Yield what keeps this gate from working: an unknown or unbounded metric, a dimension that is not cut by."""
        metric = metrics.get(self.metric)
        if metric is None:
            near = suggestion(self.metric, metrics)
            yield "metric", f"no scorer gives {self.metric!r}{near}; there are: {', '.join(sorted(metrics)) or 'none'}"
        elif not self.good_labels:
            yield from self._direction_problems(metric)
        yield from self.range_problems(metric)
        yield from dimension_problems("by", self.dimensions, dimensions)

    def _direction_problems(self, metric: Metric) -> Iterator[tuple[str, str]]:
        """Yield why this metric is not to be judged that way."""
        raise NotImplementedError

    def range_problems(self, metric: Metric | None) -> Iterator[tuple[str, str]]:
        """Yield why values of this metric cannot be judged, if they cannot."""
        if self.good_labels:
            return
        if isinf(self.scale.upper) or (metric is not None and metric.upper is None):
            yield "metric", f"{self.metric!r} {UNBOUNDED}"
        elif metric is not None and self.scale != (metric.lower, metric.upper):
            yield "bounds", f"{self.metric!r} has values from {Scale(metric.lower, metric.upper or 0.0)}"

    def _unused(self) -> set[str]:
        """Return the options that a configuration of before they were there did not have either."""
        return {name for name in ("bounds", "good") if getattr(self, name, None) is None}

    def _parts(self, batch: Batch) -> tuple[Batch, Bools]:
        """Return the batch with this metric's values as parts of its range, and which rows these are.

        Where labels are counted, the values are 1 for a good label and 0 for another; rows without a label are none of
        this gate's. Raises `ValueError` on a value outside.
        """
        scale = self._own_scale
        if self.good_labels:
            if batch.label is None:
                return batch, batch.of_metric(self.metric)
            mine, good = by_label(batch, batch.of_metric(self.metric, *scale), self.good_labels)
            return replace(batch, value=np.where(mine, good, batch.value)), mine
        mine = batch.of_metric(self.metric, *scale)
        if scale == UNIT or not mine.any():
            return batch, mine
        truth = batch.truth if batch.truth is None else scale.part(batch.truth)
        return replace(batch, value=np.where(mine, scale.part(batch.value), batch.value), truth=truth), mine


def scale_in(given: Mapping[str, Any]) -> Scale:
    """Return the range that options of a gate speak of, as far as these have been read.

    >>> scale_in({"metric": "judge_says", "bounds": (1, 5)}), scale_in({"metric": "composite"}).upper
    (Scale(lower=1.0, upper=5.0), 100.0)
    """
    bounds = given.get("bounds")
    if labels_in(given.get("good")):
        return UNIT
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


def dimension_problems(field_: str, names: Sequence[str], dimensions: frozenset[str]) -> Iterator[tuple[str, str]]:
    """Yield which of a gate's dimensions are not cut by."""
    for i, name in enumerate(names):
        if name not in dimensions:
            there = ", ".join(sorted(dimensions)) or "none"
            yield f"{field_}[{i}]", f"no slice dimension {name!r}{suggestion(name, dimensions)}; there are: {there}"
