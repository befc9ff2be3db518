"""Logistic models over named features and n-grams of words, small enough to read in their file.

A file holds, as JSON: ``kind`` (``"linear"``), ``name``, ``version``, ``data`` and ``command`` (what it was trained on,
and how to do it again), ``intercept``, ``features`` (name to coefficient), ``ngrams`` (n-gram to coefficient, may be
empty), ``calibration`` (``slope`` and ``intercept`` over the logit) and ``threshold`` (the decision's probability).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any

from adapters.caching import cached
from scorers.models.loading import read_model

_LARGE = 700.0
"""Beyond this logit the exponential leaves the floats."""


@dataclass(frozen=True, slots=True)
class LinearModel:
    """A trained logistic model. Coefficients of features that a text does not have count nothing.

    The n-grams of a text count by presence, and their sum is divided by the root of how many of them the model knows,
    so that a long text says no more than a short one.

    >>> model = LinearModel("toy", "1", -1.0, {"questions": 2.0}, {"right now": 1.5, "now": 0.5}, 1.0, 0.0, 0.5)
    >>> round(model.probability({"questions": 1.0}), 3)
    0.731
    >>> round(model.logit({}, {"right now", "now", "unknown"}), 3)
    0.414
    """

    name: str
    version: str
    intercept: float
    features: Mapping[str, float]
    ngrams: Mapping[str, float]
    slope: float
    shift: float
    threshold: float

    def logit(self, features: Mapping[str, float], ngrams: AbstractSet[str] = frozenset()) -> float:
        """Return the log-odds before calibration."""
        coefficients = self.features
        total = self.intercept + math.fsum([coefficients.get(name, 0.0) * value for name, value in features.items()])
        if not ngrams:
            return total
        known = [weight for weight in map(self.ngrams.get, ngrams) if weight is not None]
        return total + math.fsum(known) / math.sqrt(len(known)) if known else total

    def probability(self, features: Mapping[str, float], ngrams: AbstractSet[str] = frozenset()) -> float:
        """Return the calibrated probability, strictly between 0 and 1."""
        logit = self.slope * self.logit(features, ngrams) + self.shift
        return 1 / (1 + math.exp(-min(max(logit, -_LARGE), _LARGE)))


def parsed(content: Mapping[str, Any]) -> LinearModel:
    """Return the model that a file's content describes."""
    calibration = content["calibration"]
    return LinearModel(
        name=content["name"],
        version=content["version"],
        intercept=content["intercept"],
        features=content["features"],
        ngrams=content["ngrams"],
        slope=calibration["slope"],
        shift=calibration["intercept"],
        threshold=content["threshold"],
    )


@cached(maxsize=16)
def linear_model(name: str) -> LinearModel:
    """Return the shipped model of that name, read once."""
    return parsed(read_model(name))
