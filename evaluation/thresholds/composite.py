"""The composite performance score (CPS) of an answer, and what it says of a configuration.

CPS is the weighted mean of metrics, each brought to 0 (worst value seen) to 1 (best value seen). T-CPS weighs the mean
of a configuration with its spread: with the coefficient of variation ``cv``, the deviation over the mean,

    T-CPS = mean (1 + alpha (1 - cv)) - beta cv**2                                                                  (1)

and the balance score is the gain in T-CPS over the baseline for each unit of ``cv``.

Source: the threshold-aware evaluation of PaSSER, equations 3.27 to 3.34.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

import numpy as np

from gates.evidence.arrays import Floats

REWARD, PENALTY = 0.1, 0.05
"""``alpha`` and ``beta`` of (1)."""
PERCENT_DIGITS, CV_DIGITS = 2, 3
"""Decimals that a gain in percent and a coefficient of variation are shown with."""


class PanelMetric(NamedTuple):
    """A metric of the panel: its weight, and which of its ends is the better one."""

    name: str
    weight: float
    better: Literal["higher", "lower"] = "higher"


class ObservedRange(NamedTuple):
    """The lowest and the highest value seen of a metric."""

    low: float
    high: float


PANEL = (
    PanelMetric("METEOR", 0.15),
    PanelMetric("Rouge-2.f", 0.075),
    PanelMetric("Rouge-l.f", 0.075),
    PanelMetric("Bert-Score.f1", 0.125),
    PanelMetric("B-RT.average", 0.125),
    PanelMetric("F1 score", 0.15),
    PanelMetric("B-RT.fluency", 0.1),
    PanelMetric("Laplace Perplexity", 0.1, "lower"),
    PanelMetric("Lidstone Perplexity", 0.1, "lower"),
)
"""The nine metrics that PaSSER weighs (its Table 4.6, phases III and IV)."""
PILOT_PANEL = (
    PanelMetric("METEOR", 0.15),
    PanelMetric("Rouge-1.f", 0.075),
    PanelMetric("Rouge-l.f", 0.075),
    PanelMetric("BLEU", 0.15),
    PanelMetric("Laplace Perplexity", 0.075, "lower"),
    PanelMetric("Lidstone Perplexity", 0.075, "lower"),
    PanelMetric("Cosine similarity", 0.1),
    PanelMetric("Pearson correlation", 0.1),
    PanelMetric("F1 score", 0.2),
)
"""Those of its pilot (Table 4.3, phase II)."""
LEXICAL_PANEL = (
    PanelMetric("Rouge-2.f", 0.15),
    PanelMetric("Rouge-l.f", 0.15),
    PanelMetric("F1 score", 0.3),
    PanelMetric("Laplace Perplexity", 0.2, "lower"),
    PanelMetric("Lidstone Perplexity", 0.2, "lower"),
)
"""Those of `PANEL` that need neither WordNet nor a language encoder, with twice the weight."""
PANELS: Mapping[str, Sequence[PanelMetric]] = {"passer": PANEL, "passer-pilot": PILOT_PANEL, "lexical": LEXICAL_PANEL}
"""Panels by the names that the command line knows."""


def composite_scores(values: Floats, panel: Sequence[PanelMetric], ranges: Mapping[str, ObservedRange]) -> Floats:
    """Return the CPS of each row of ``values``, which has one column for each metric of the panel.

    A metric that has one value everywhere tells nothing apart, and counts as a half.

    >>> panel = (PanelMetric("recall", 0.6), PanelMetric("perplexity", 0.4, "lower"))
    >>> ranges = {"recall": ObservedRange(0.0, 1.0), "perplexity": ObservedRange(10.0, 50.0)}
    >>> composite_scores(np.array([[1.0, 10.0], [0.5, 30.0], [0.0, 10.0]]), panel, ranges).tolist()
    [1.0, 0.5, 0.4]
    """
    total = np.zeros(len(values))
    for column, metric in zip(values.T, panel, strict=True):
        low, high = ranges[metric.name]
        part = (column - low) / (high - low) if high > low else np.full(len(values), 0.5)
        total += metric.weight * (part if metric.better == "higher" else 1.0 - part)
    return total


def variation(mean: float, deviation: float) -> float:
    """Return the coefficient of variation; 0 where the mean is 0, as then every CPS is.

    >>> variation(0.5, 0.05)
    0.1
    """
    return deviation / mean if mean else 0.0


def stable_score(mean: float, cv: float, *, reward: float = REWARD, penalty: float = PENALTY) -> float:
    """Return T-CPS.

    >>> round(stable_score(0.5, 0.1), 4)
    0.5445
    """
    return mean * (1.0 + reward * (1.0 - cv)) - penalty * cv**2


def gain_percent(value: float, baseline: float) -> float | None:
    """Return how much higher a value is than that of the baseline, in percent; ``None`` for a baseline of 0.

    >>> gain_percent(0.55, 0.5).__round__(9)
    10.0
    """
    return 100.0 * (value / baseline - 1.0) if baseline else None


def balance(gain: float, cv: float) -> float | None:
    """Return the balance score of a gain in T-CPS in percent: from both as they are shown, so that readers find it.

    ``None`` where nothing varies.

    >>> round(balance(4.5399, 0.13412), 3)
    0.339
    """
    shown = round(cv, CV_DIGITS)
    return round(gain, PERCENT_DIGITS) / 100.0 / shown if shown else None
