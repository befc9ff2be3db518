import numpy as np
import pytest

from gates.evidence import detector
from gates.evidence.calibration import HELD_BACK, LEAST_RATIO, ratio

TICKS = 2016
"""Ticks of a week."""


def scores(rng, n, mean):
    """Return the sums of the logarithms of factors of so many Beta scores a slice, as a function of the bets."""
    y = rng.beta(5 * mean, 5 * (1 - mean), int(n.sum()))
    there = np.flatnonzero(n)
    start = np.cumsum(n[there]) - n[there]

    def told(bets, q0):
        found = np.zeros((len(n), len(bets)))
        if there.size:
            found[there] = np.add.reduceat(np.log1p(bets * (y - q0)[:, None]), start, axis=0)
        return found

    return told


def failures(rng, n, mean):
    """Return the same of failures."""
    failed = rng.binomial(n, mean)[:, None]
    return lambda bets, q0: np.log1p(bets * (1 - q0)) * failed + np.log1p(-bets * q0) * (n[:, None] - failed)


LAWS = {"failures": (failures, 0.02, 0.02 * 0.98), "scores": (scores, 0.1, 0.015)}
"""How losses are drawn, their mean and variance."""


def counted(law, asked, rate, *, answers=12_000, weeks=2):
    """Return by what false alarms are rarer than proved, by counting them, and by how much that is uncertain.

    ``asked`` are levels, each with its threshold: all bet on the same answers.
    """
    draw, mean, variance = LAWS[law]
    slices, rng = int(answers / rate / weeks), np.random.default_rng(1)
    bets = [detector.bets(np.array([q0]), np.array([variance]))[0] for q0, _ in asked]
    evidence, alarms, weight = [np.zeros((slices, len(each))) for each in bets], [0] * len(asked), 0.0
    for tick in range(TICKS * weeks):
        told = draw(rng, rng.poisson(rate, slices), mean)
        weight += slices / TICKS if tick > TICKS // 2 else 0.0
        for place, (q0, threshold) in enumerate(asked):
            factor = np.exp(told(bets[place], q0))
            evidence[place] = detector.advance(evidence[place], np.full(slices, 1 / TICKS), factor)
            raised = detector.level(evidence[place]) >= threshold
            alarms[place] += int(raised.sum()) if tick > TICKS // 2 else 0
            evidence[place][raised] = 0.0
    return [
        (each / weight * threshold, max(each, 1) ** 0.5 / weight * threshold)
        for each, (_, threshold) in zip(alarms, asked, strict=True)
    ]


def worked_out(law, q0, threshold, rate, error=1e-9):
    """Return what part of a threshold slices need, whose past was read without error unless one is given."""
    _, mean, variance = LAWS[law]
    columns = (np.array([each]) for each in (q0, mean, variance, error, rate * TICKS))
    return float(ratio(*columns, threshold, TICKS, graded=law == "scores")[0])


@pytest.mark.slow
@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("rate", [1.0, 5.0, 20.0])
def test_slices_alarm_as_often_as_accepted_or_less_at_the_thresholds_that_their_pasts_allow(law, rate):
    accepted, levels = 1 / 60, [LAWS[law][1] * (1 + margin) for margin in (0.0, 0.04, 0.08)]
    parts = [worked_out(law, q0, 1 / accepted, rate) for q0 in levels]
    asked = [(q0, part / accepted) for q0, part in zip(levels, parts, strict=True)]
    for part, (found, error) in zip(parts, counted(law, asked, rate), strict=True):
        assert found <= part + 2 * error
        assert part <= max(HELD_BACK * (2 * found + 4 * error), LEAST_RATIO)


def test_a_busy_slice_whose_evidence_is_read_less_often_needs_less():
    per_tick = [worked_out("failures", 0.02, 200.0, rate) for rate in (1.0, 5.0, 20.0)]
    assert per_tick == sorted(per_tick, reverse=True)


def test_a_wider_margin_and_a_longer_past_lower_the_threshold_more():
    def of(margin, error):
        return worked_out("scores", 0.1 + margin, 200.0, 5.0, error)

    assert of(0.0, 0.001) >= of(0.001, 0.001) >= of(0.003, 0.001)
    assert of(0.002, 0.003) >= of(0.002, 0.0005)
    assert 0.0 < of(0.5, 1e-6) <= of(0.0, 0.1) <= 1.0


def test_a_slice_accepts_at_its_threshold_what_was_accepted_before():
    part = worked_out("scores", 0.102, 200.0, 5.0)
    assert worked_out("scores", 0.102, 100.0, 5.0) > part, "the lower the threshold, the less a margin gives"
