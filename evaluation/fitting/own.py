"""Weights, caps and thresholds fitted to a team's own labels, beside what the defaults would have done.

All figures are of answers that nothing was fitted to. Source: PROBE 3.4, A.7, A.8; the hybrid verified review, 3.3 and
4.1 (temperature scaling, calibration error, band accuracy).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from evaluation.fitting.ablation import VARIANTS
from evaluation.fitting.calibration import (
    ProbabilityBand,
    Scaling,
    band_accuracy,
    bands,
    calibration_error,
    log_loss,
    platt,
    temperature,
)
from evaluation.fitting.composites import unsafe_probabilities
from evaluation.fitting.fit import FULL, FittedRule, Tried, fit_profile, tuned
from evaluation.fitting.measures import EvaluatorFigures, figures
from evaluation.fitting.release_rule import (
    MOST_UNSAFE,
    CompositeProfile,
    RuleThresholds,
    RuleVariant,
    judged,
)
from evaluation.fitting.splits import TableSplit, split
from evaluation.fitting.table import LabelledTable
from gates.evidence.arrays import Floats

COMPOSITES = tuple(float(value) for value in range(40, 96, 5))
"""Least composites that are tried: those of A.7 are between 75 and 85, and others may need others."""
LEAST_OF_EACH = 10
"""Answers that are accepted, and such that are not, in each part: with fewer nothing can be fitted."""
DEFAULT_THRESHOLDS = RuleThresholds(75.0, 0.10)
"""PROBE's grid begins at 75; .10 is in the middle of its other one."""


class CalibrationFigures(NamedTuple):
    """How far probabilities are those of what happens, on held-out answers."""

    log_loss: float
    error: float
    band_accuracy: float | None
    bands: Sequence[ProbabilityBand]


class OwnFit(NamedTuple):
    """What was fitted, and what it and the defaults do with answers that were held out.

    ``ablation`` has the composite with its own threshold, whole and without one of its parts each.
    """

    answers: tuple[int, int, int]
    rule: FittedRule
    before: EvaluatorFigures
    after: EvaluatorFigures
    temperature: Scaling
    raw: CalibrationFigures
    by_temperature: CalibrationFigures
    scaled: CalibrationFigures
    ablation: Sequence[tuple[str, EvaluatorFigures]]


def fit_own(
    table: LabelledTable, rng: np.random.Generator, split_rng: np.random.Generator, *, resamples: int
) -> OwnFit:
    """Fit on three fifths of the groups, tune on one, and tell of the rest.

    Raises `ValueError` where a part has too few answers of one label.
    """
    parts = split(table, split_rng)
    _enough(parts)
    profile = fit_profile(parts.training)
    raw = unsafe_probabilities(parts.training)
    scaling = platt(raw, parts.training.unsafe)
    read = judged(parts.calibration, FULL, profile, scaling)
    candidates = [RuleThresholds(least, unsafe) for least in COMPOSITES for unsafe in (*MOST_UNSAFE, 0.2, 0.3, 0.5)]
    tried = [Tried(f"composite {each.composite:g}, unsafe {each.unsafe:g}", read.accepted(each)) for each in candidates]
    place, log = tuned("rule", tried, parts.calibration)
    rule = FittedRule(FULL, profile, scaling, candidates[place], log)
    held = parts.held_out
    plain = judged(held, FULL, CompositeProfile(), Scaling())
    fitted = rule.judged(held)
    warm = temperature(raw, parts.training.unsafe)
    unsafe = unsafe_probabilities(held)
    return OwnFit(
        (len(parts.training), len(parts.calibration), len(held)),
        rule,
        figures(held, plain.composite, plain.accepted(DEFAULT_THRESHOLDS), rng, resamples=resamples),
        figures(held, fitted.composite, fitted.accepted(rule.thresholds), rng, resamples=resamples),
        warm,
        _calibrated(unsafe, held),
        _calibrated(warm.applied(unsafe), held),
        _calibrated(fitted.unsafe, held),
        [(each.name, _ablated(each, parts, profile, rng, resamples)) for each in VARIANTS],
    )


def _ablated(
    variant: RuleVariant, parts: TableSplit, profile: CompositeProfile, rng: np.random.Generator, resamples: int
) -> EvaluatorFigures:
    """Return what the composite does with the held-out part by a variant, its threshold tuned anew."""
    read = judged(parts.calibration, variant, profile, Scaling())
    candidates = [RuleThresholds(least) for least in COMPOSITES]
    tried = [Tried(f"composite {each.composite:g}", read.accepted(each)) for each in candidates]
    place, _ = tuned(variant.name, tried, parts.calibration)
    held = judged(parts.held_out, variant, profile, Scaling())
    return figures(parts.held_out, held.composite, held.accepted(candidates[place]), rng, resamples=resamples)


def _calibrated(probabilities: Floats, held: LabelledTable) -> CalibrationFigures:
    unsafe = held.unsafe
    return CalibrationFigures(
        log_loss(probabilities, unsafe),
        calibration_error(probabilities, unsafe),
        band_accuracy(probabilities, unsafe),
        bands(probabilities, unsafe),
    )


def _enough(parts: TableSplit) -> None:
    for name, part in zip(("training", "calibration", "held-out"), parts, strict=True):
        accepted = int(part.acceptable.sum())
        if min(accepted, len(part) - accepted) < LEAST_OF_EACH:
            raise ValueError(
                f"the {name} part has {accepted:,} accepted and {len(part) - accepted:,} other answers;"
                f" {LEAST_OF_EACH} of each are needed, which takes some 50 of each in all"
            )
