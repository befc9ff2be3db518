"""Probabilities held against labels: temperature and Platt scaling, calibration error, accuracy by band.

Source: the hybrid verified review, equations 7 and 8 (temperature by the negative log-likelihood; its print of (7) lost
a minus sign) and 4.1 (expected calibration error, band accuracy); J. Platt, "Probabilistic outputs for support vector
machines" (1999).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from scipy import optimize, special

from evaluation.fitting.composites import logit
from gates.evidence.arrays import Bools, Floats

BINS = 15
BANDS = (0.2, 0.8)
"""Ends of the bands: probably not, not known, probably."""
MAX_SLOPE, MAX_INTERCEPT = 100.0, 100.0
"""What `unsafe_probability` takes."""


class Scaling(NamedTuple):
    """What log-odds are multiplied with, and what is added: temperature scaling is ``1 / slope`` with nothing added."""

    slope: float = 1.0
    intercept: float = 0.0

    def applied(self, probabilities: Floats) -> Floats:
        """Return scaled probabilities.

        >>> Scaling(0.5).applied(np.array([0.5, 0.9])).round(2).tolist()
        [0.5, 0.75]
        """
        return np.asarray(special.expit(self.slope * logit(probabilities) + self.intercept))


class ProbabilityBand(NamedTuple):
    """Answers whose probability is from ``low`` to ``high``: how many, what was said of them, and what is so."""

    low: float
    high: float
    n: int
    said: float | None
    seen: float | None


def log_loss(probabilities: Floats, happened: Bools) -> float:
    """Return the mean negative log-likelihood.

    >>> log_loss(np.array([0.5, 0.5]), np.array([True, False])).__round__(4)
    0.6931
    """
    z = logit(probabilities)
    return float(np.mean(np.logaddexp(0.0, np.where(happened, -z, z))))


def temperature(probabilities: Floats, happened: Bools) -> Scaling:
    """Return the temperature scaling with the least negative log-likelihood.

    >>> said, so = np.array([0.9] * 10), np.array([True] * 8 + [False] * 2)
    >>> temperature(said, so).applied(said).round(3)[0].item()
    0.8
    """
    z = logit(probabilities)

    def loss(slope: float) -> float:
        return float(np.mean(np.logaddexp(0.0, np.where(happened, -slope * z, slope * z))))

    found = optimize.minimize_scalar(loss, bounds=(1e-3, MAX_SLOPE), method="bounded", options={"xatol": 1e-8})
    return Scaling(float(found.x))


def platt(probabilities: Floats, happened: Bools) -> Scaling:
    """Return the slope and intercept with the least negative log-likelihood, of targets that Platt smooths.

    Smoothing keeps both finite where the labels are told apart without an error.
    """
    z = logit(probabilities)
    positive, negative = int(happened.sum()), int((~happened).sum())
    target = np.where(happened, (positive + 1.0) / (positive + 2.0), 1.0 / (negative + 2.0))

    def loss(given: Floats) -> tuple[float, Floats]:
        line = given[0] * z + given[1]
        rest = special.expit(line) - target
        value = float(np.mean(np.logaddexp(0.0, line) - target * line))
        return value, np.array([np.mean(rest * z), np.mean(rest)])

    bounds = [(1e-3, MAX_SLOPE), (-MAX_INTERCEPT, MAX_INTERCEPT)]
    found = optimize.minimize(loss, np.array([1.0, 0.0]), jac=True, bounds=bounds, method="L-BFGS-B")
    return Scaling(float(found.x[0]), float(found.x[1]))


def calibration_error(probabilities: Floats, happened: Bools, *, bins: int = BINS) -> float:
    """Return the expected calibration error over bins of equal numbers of answers, 0 to 1.

    Ties stay in one bin. It is biased upwards where bins are small.

    >>> calibration_error(np.array([0.25] * 4), np.array([True, False, False, False]))
    0.0
    """
    order = np.argsort(probabilities, kind="stable")
    said, seen = probabilities[order], happened[order]
    place = np.searchsorted(said, said, side="left") * bins // len(said)
    gaps = [abs(said[place == each].sum() - seen[place == each].sum()) for each in np.unique(place)]
    return float(sum(gaps)) / len(said)


def bands(probabilities: Floats, happened: Bools, ends: Sequence[float] = BANDS) -> list[ProbabilityBand]:
    """Return the answers by bands of their probability.

    >>> bands(np.array([0.1, 0.9, 0.95]), np.array([False, True, True]))[2][2:]
    (2, 0.925, 1.0)
    """
    edges = [0.0, *ends, 1.0]
    place = np.searchsorted(np.array(ends), probabilities, side="right")
    found = []
    for number, (low, high) in enumerate(pairwise(edges)):
        here = place == number
        some = bool(here.any())
        said = float(probabilities[here].mean()) if some else None
        found.append(ProbabilityBand(low, high, int(here.sum()), said, float(happened[here].mean()) if some else None))
    return found


def band_accuracy(probabilities: Floats, happened: Bools, ends: Sequence[float] = BANDS) -> float | None:
    """Return the share of answers outside the middle band whose label is that of their band; ``None`` for none there.

    >>> band_accuracy(np.array([0.1, 0.9, 0.95, 0.5]), np.array([False, True, False, True])).__round__(4)
    0.6667
    """
    low, high = probabilities < ends[0], probabilities >= ends[-1]
    sure = low | high
    return float((happened[sure] == high[sure]).mean()) if sure.any() else None
