"""What series are held against: levels that follow the hours, from their own pasts or from those of other slices.

With two weeks of a past the level follows the hours of the week (`gates.evidence.profile`), and what is tolerated is
the uncertainty of that profile, unless a gate says otherwise. With less, a swing over the week is not known, and what
is tolerated is as much as a mean usually swings (`gates.evidence.reference`). Two weeks also tell how often a slice
alarms where nothing is wrong (`gates.evidence.calibration`).

Until its own past is enough a series is held against those of other slices, if these are enough
(`gates.evidence.siblings`), and so is one that does not come to so many answers within the length of a reference;
without others it then goes by what it has.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from gates.evidence import calibration, profile
from gates.evidence.arrays import Bools, Floats, Integers
from gates.evidence.profile import HOURS, Profile, hour_of_week
from gates.evidence.reference import NOTHING_SEEN, Moments, Reference, effective_n, references, spread, without_swing
from gates.evidence.siblings import SliceSiblings, siblings
from gates.monitoring.detectors import EpochTable, SeriesTable
from gates.monitoring.rules import LEAST_THRESHOLD, Rules

LEAST_ANSWERS = 30
"""Answers a series needs to be held against its own past alone, however long that is."""

LEAST_LEVEL = 0.2
"""No hour's level is below this part of the mean one: a profile cannot promise that nothing fails."""

TOLERATED_SHIFT = 0.8
"""The shift, in parts of the level, up to whose bet the uncertainty of a profile is tolerated: the middle one."""

LEAST_VARIANCE = 0.1
"""Where nothing was seen to fail, means are known about so well, in parts of the variance of failures, as others'."""


def hourly_levels(series: SeriesTable, answers: Integers, own: Integers, rules: Rules) -> Floats:
    """Return the level of each answer: that of its series, at the hour of its own time, in which the tick ``own`` lies.

    ``answers`` numbers their series.
    """
    q0 = series.q0[answers]
    if not (rules.own_past or rules.predicted_past):
        return q0
    offset = series.offset[answers, hour_of_week(own, rules.tick)]
    return np.where(offset == 0.0, q0, np.clip(q0 + offset, LEAST_LEVEL * q0, 1.0))


def alarm_thresholds(series: SeriesTable, epochs: EpochTable, watched: int, rules: Rules) -> tuple[Floats, Floats]:
    """Return how much evidence of each slice-epoch is an alarm, and by what its false alarms are rarer than proved.

    The second is 1 where nothing but the proof is known of it. Over several series it is that of the worst. It is 1 as
    well where a slice's own past, which learned its reference, had evidence that would have been an alarm: such a past
    is not what thresholds are calibrated for.
    """
    proved, ratio = rules.alarm_threshold(watched), np.zeros(len(epochs.level))
    np.maximum.at(ratio, series.epoch, np.where(series.ratio > 0.0, series.ratio, (series.q0 > 0.0).astype(np.float64)))
    ratio = np.where((ratio > 0.0) & (epochs.peak < np.maximum(LEAST_THRESHOLD, proved * ratio)), ratio, 1.0)
    if not rules.calibrated or rules.threshold is not None:
        return np.full(len(ratio), proved), ratio
    return np.maximum(min(LEAST_THRESHOLD, proved), proved * ratio), ratio


class HeldAgainst(NamedTuple):
    """What slices are held against, in the mean over their strata by recent traffic: losses, a row for each slice.

    ``level`` is what is bet against, ``mean`` that of the reference: of other slices for the part ``others`` of the
    traffic, which is held against these, and the level where nothing is known. ``variance`` is that of a loss as bets
    take it; ``graded`` says where losses other than 0 and 1 were seen. ``worth`` is the part of an answer's worth that
    is left where answers fail together, ``traffic`` the weight of recent answers. ``learning`` is the part of these in
    strata that have no level yet: they are in none of the rest.
    """

    level: Floats
    mean: Floats
    variance: Floats
    graded: Bools
    worth: Floats
    others: Floats
    traffic: Floats
    learning: Floats


def held_against(series: SeriesTable, slices: int) -> HeldAgainst:
    """Return what so many slice-epochs are held against; ``level`` is 0 where that is not known yet."""
    seen, ready = series.seen, series.q0 > 0.0
    known = np.maximum(seen.weight, 1e-300)
    mean = np.where(seen.n > 0.0, np.minimum(seen.loss / known, 1.0), series.q0)
    mean = np.where(series.others > 0.0, series.others, mean)
    most = series.q0 * np.maximum(1.0 - series.q0, 0.0)
    variance = np.where(seen.graded == 0.0, np.maximum(series.variance, most), series.variance)
    size = np.where(seen.n > 0.0, np.maximum(seen.cluster2 / np.maximum(seen.n, 1.0), 1.0), 1.0)
    worth = 1.0 / (1.0 + (size - 1.0) * series.icc)
    recent = np.maximum(series.weights.total.sum(axis=1), 1e-9)
    part, whole = np.where(ready, recent, 0.0), np.bincount(series.epoch, weights=recent, minlength=slices)
    total = np.maximum(np.bincount(series.epoch, weights=part, minlength=slices), 1e-300)

    def over_strata(values: Floats) -> Floats:
        return np.asarray(np.bincount(series.epoch, weights=part * values, minlength=slices) / total, np.float64)

    graded = np.bincount(series.epoch, weights=seen.graded, minlength=slices) > 0.0
    return HeldAgainst(
        level=over_strata(series.q0),
        mean=over_strata(mean),
        variance=over_strata(variance),
        graded=np.asarray(graded),
        worth=over_strata(worth),
        others=over_strata((series.others > 0.0).astype(np.float64)),
        traffic=total,
        learning=np.asarray(1.0 - np.minimum(total / np.maximum(whole, 1e-300), 1.0)),
    )


def from_own_past(series: SeriesTable, due: Integers, number: int, rules: Rules, threshold: float) -> None:
    """Take the references of these series from their own pasts.

    ``threshold`` is what an alarm takes if nothing but the proof is known.
    """
    samples = learned_moments(series, due)
    series.taken[due], series.others[due] = [moments.n for moments in samples], 0.0
    if not rules.own_past or rules.declared is not None:
        _hold(series, due, references(samples, [rules.tolerance] * len(samples), declared=rules.declared))
    else:
        uncertainty = _follow_hours(series, due, samples, (number + 1 - series.since[due]) / rules.week, rules)
        known = series.ratio[due] > 0.0
        series.ratio[due[known]] = _ratios(series, due[known], uncertainty[known], threshold, number, rules)
        # Once the week is known, what differs from it is no swing.
        series.doubts[due[known]] = 0
    # What is complete is not learned from again.
    done = due[series.pinned[due]]
    series.cells[done], series.aside_cells[done], series.aside[done] = 0.0, 0.0, NOTHING_SEEN


def _hold(series: SeriesTable, due: Integers, found: Sequence[Reference]) -> None:
    """Hold these series against what was found of each."""
    series.q0[due], series.variance[due], series.icc[due] = np.array(found, np.float64).T


def _follow_hours(
    series: SeriesTable, due: Integers, samples: Sequence[Moments[float]], weeks: Floats, rules: Rules
) -> Floats:
    """Take profiles, whose uncertainty is returned, and the levels; where whole weeks are known, set ``ratio`` to 1."""
    n, found = hourly_profile(series, due, samples, weeks)
    series.offset[due] = found.offset
    swing = (n * found.offset**2).sum(axis=1) / np.maximum(n.sum(axis=1), 1.0)
    known = weeks >= profile.WEEKS_NEEDED
    flat = [without_swing(moments, variance) for moments, variance in zip(samples, swing.tolist(), strict=True)]
    tolerated = [0.0 if whole and rules.tolerance is None else rules.tolerance for whole in known.tolist()]
    _hold(series, due, references(flat, tolerated))
    series.ratio[due] = np.where(known, 1.0, 0.0)
    if rules.tolerance is None:
        series.tolerance[due] = np.where(known, tolerated_error(series, due, n, weeks, found.uncertainty), 0.0)
        series.q0[due] = np.minimum(series.q0[due] + series.tolerance[due], 1.0)
    return found.uncertainty


def hourly_profile(
    series: SeriesTable, due: Integers, samples: Sequence[Moments[float]], weeks: Floats
) -> tuple[Floats, Profile]:
    """Return what answers are worth by hour of the week, and the profile of what was learned over so many weeks."""
    n, loss = (series.cells[due] * (_worth(series, due) / _weights(series, due))[:, None, None]).transpose(2, 0, 1)
    return n, profile.fit(n, loss, np.array([spread(moments) for moments in samples]), weeks)


def tolerated_error(series: SeriesTable, due: Integers, n: Floats, weeks: Floats, uncertainty: Floats) -> Floats:
    """Return the tolerance that takes back what a profile is uncertain by (`gates.evidence.profile`, (1))."""
    an_hour = n.sum(axis=1) / np.maximum(weeks * HOURS, 1.0)
    shift = TOLERATED_SHIFT * series.q0[due]
    bet = shift / np.maximum(series.variance[due] + shift**2, 1e-300)
    return np.asarray(bet * an_hour * uncertainty / 2.0)


def _ratios(
    series: SeriesTable, due: Integers, uncertainty: Floats, threshold: float, number: int, rules: Rules
) -> Floats:
    """Return what part of its threshold each of these series needs, by its past and the error of its profile."""
    seen = Moments.columns(series.moments[due])
    error = np.sqrt(series.variance[due] / np.maximum(_worth(series, due), 1.0) + calibration.LASTING * uncertainty)
    answers = seen.n * rules.week / (number + 1 - series.since[due])
    mean = np.asarray(seen.loss / seen.weight, dtype=np.float64)
    past = series.q0[due], mean, series.variance[due], error, answers
    return calibration.ratio(*past, threshold, rules.week, graded=seen.graded > 0.0)


def _weights(series: SeriesTable, places: Integers) -> Floats:
    return np.asarray(np.maximum(series.cells[places, :, 0].sum(axis=1), 1e-300))


def _worth(series: SeriesTable, places: Integers) -> Floats:
    return np.array([_independent(moments) for moments in learned_moments(series, places)])


def learned_moments(series: SeriesTable, places: Integers) -> list[Moments[float]]:
    """Return the sums of these references."""
    return [Moments(*row) for row in series.moments[places].tolist()]


def _independent(moments: Moments[float]) -> float:
    """Return how many independent answers of equal weight have the same error."""
    return effective_n(moments) * moments.weight**2 / (moments.n * moments.weight2) if moments.n else 0.0


def from_others(
    series: SeriesTable, epochs: EpochTable, little: Integers, number: int, rules: Rules, threshold: float
) -> None:
    """Hold series with little past against those of other slices, or against what they have after a long time."""
    for pool in np.unique(series.pool[little]).tolist():
        mine = little[series.pool[little] == pool]
        others = np.flatnonzero((series.pool == pool) & (series.taken >= rules.min_reference))
        alike, offset, variance = _common(series, others)
        seen, lasted = Moments.columns(series.moments[mine]), number + 1 - series.since[mine]
        if alike is None:
            long = mine[(seen.n >= LEAST_ANSWERS) & (lasted >= rules.reference)]
            if long.size:
                from_own_past(series, long, number, rules, threshold)
            continue
        new = mine[series.q0[mine] == 0.0]
        n = np.where(lasted >= rules.min_time, _worth(series, mine), 0.0)
        n *= alike.mean * (1.0 - alike.mean) / variance
        mean = np.where(seen.weight > 0.0, seen.loss / np.maximum(seen.weight, 1e-300), 0.0)
        series.q0[mine] = np.minimum(alike.upper_bounds(n, n * mean) + (rules.tolerance or 0.0), 1.0)
        series.variance[mine], series.icc[mine] = variance, np.max(series.icc[others])
        series.offset[mine] = offset
        series.taken[mine], series.others[mine] = seen.n, alike.mean
        # That a slice appeared is a change: it may be bad from its first answer on.
        np.add.at(epochs.pending_weight, series.epoch[new], rules.change_weight)


def _common(series: SeriesTable, others: Integers) -> tuple[SliceSiblings | None, Floats, float]:
    """Return what series have in common: the law of their means, the mean profile, and the mean variance of a loss."""
    seen = Moments.columns(series.moments[others])
    means, worth = seen.loss / seen.weight, _worth(series, others)
    pooled = np.sort(means * (1.0 - means)).mean() if len(others) else 0.0
    # Where nothing was seen to fail, the error is that of the others.
    variance = np.maximum(series.variance[others], max(pooled * LEAST_VARIANCE, 1e-6))
    alike = siblings(means, variance / np.maximum(worth, 1.0))
    if alike is None:
        return None, np.zeros(HOURS), 0.0
    order = np.lexsort((worth, means))
    share = (worth / worth.sum())[order]
    return alike, share @ series.offset[others][order], float(share @ variance[order])
