"""How much a choice of threshold owes to the weights of reward and penalty, and how alike the metrics are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from scipy import stats

from evaluation.thresholds.composite import stable_score
from evaluation.thresholds.report import PENALTIES, REWARDS, SweepReport
from gates.evidence.arrays import Floats


class WeightSensitivity(NamedTuple):
    """T-CPS of all configurations under `REWARDS` x `PENALTIES`.

    ``steady`` of the ``configurations`` keep their rank among all of them with every weight; ``by_reward`` is the
    share of the variation of T-CPS within configurations that the reward explains, the rest is the penalty's.
    """

    configurations: int
    steady: int
    by_reward: float | None


class DomainShift(NamedTuple):
    """One model in two domains: the threshold with the highest CPS in each, and what it gains there."""

    name: str
    first: float
    first_gain_percent: float | None
    second: float
    second_gain_percent: float | None

    @property
    def shift(self) -> float:
        """How far the threshold lies from that of the first domain."""
        return self.second - self.first


def weight_sensitivity(reports: Sequence[SweepReport]) -> WeightSensitivity:
    """Return what the weights do to the ranks of all configurations, baselines included (PaSSER, section 3.5.2)."""
    known = [(row.mean, row.cv) for each in reports for row in each.rows if row.mean is not None and row.cv is not None]
    table = np.array(
        [[[stable_score(mean, cv, reward=a, penalty=b) for b in PENALTIES] for a in REWARDS] for mean, cv in known]
    )
    if not known:
        return WeightSensitivity(0, 0, None)
    flat = table.reshape(len(known), -1)
    ranks = stats.rankdata(-flat, axis=0, method="min")
    total = float(((flat - flat.mean(axis=1, keepdims=True)) ** 2).sum())
    rewarded = table.mean(axis=2)
    explained = float(((rewarded - rewarded.mean(axis=1, keepdims=True)) ** 2).sum()) * len(PENALTIES)
    steady = int((ranks == ranks[:, :1]).all(axis=1).sum())
    return WeightSensitivity(len(known), steady, explained / total if total > 0.0 else None)


def metric_correlations(columns: Mapping[str, Sequence[float | None]]) -> Mapping[str, Mapping[str, float | None]]:
    """Return Spearman's correlation of each metric with each, over answers that have both; ``None`` where one is flat.

    >>> found = metric_correlations({"a": [1.0, 2.0, 3.0], "b": [3.0, 2.0, 1.0], "c": [1.0, 1.0, None]})
    >>> found["a"]["b"].__round__(6), found["a"]["c"]
    (-1.0, None)
    """
    table: dict[str, Floats] = {
        name: np.array([np.nan if value is None else value for value in values]) for name, values in columns.items()
    }
    return {one: {other: _spearman(a, b) for other, b in table.items()} for one, a in table.items()}


def domain_shifts(first: Sequence[SweepReport], second: Sequence[SweepReport]) -> list[DomainShift]:
    """Return the sweeps of one name in two domains, side by side (PaSSER, Table 4.20)."""
    others = {each.name: each for each in second}
    return [
        DomainShift(
            each.name,
            best_threshold(each),
            _gain(each, best_threshold(each)),
            best_threshold(others[each.name]),
            _gain(others[each.name], best_threshold(others[each.name])),
        )
        for each in first
        if each.name in others
    ]


def best_threshold(report: SweepReport) -> float:
    """Return the threshold that gains most in mean CPS over the baseline, which it is if there is no other."""
    against = {row.threshold: row.against.difference for row in report.rows if row.against is not None}
    return max(against, key=lambda threshold: against[threshold]) if against else report.best_mean


def _gain(report: SweepReport, threshold: float) -> float | None:
    found = {row.threshold: row.against.gain_percent for row in report.rows if row.against is not None}
    return found.get(threshold)


def _spearman(one: Floats, other: Floats) -> float | None:
    both = ~(np.isnan(one) | np.isnan(other))
    a, b = one[both], other[both]
    if len(a) < 3 or np.ptp(a) == 0.0 or np.ptp(b) == 0.0:  # noqa: PLR2004 - two are always in line
        return None
    return float(stats.spearmanr(a, b).statistic)
