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


def counted(law, q0, threshold, rate, *, answers=12_000, weeks=2):
    """Return by what false alarms are rarer than proved, by counting them, and by how much that is uncertain."""
    draw, mean, variance = LAWS[law]
    slices, rng = int(answers / rate / weeks), np.random.default_rng(1)
    bets = detector.bets(np.array([q0]), np.array([variance]))[0]
    evidence, alarms, weight = np.zeros((slices, len(bets))), 0, 0.0
    for tick in range(TICKS * weeks):
        factor = np.exp(draw(rng, rng.poisson(rate, slices), mean)(bets, q0))
        evidence = detector.advance(evidence, np.full(slices, 1 / TICKS), factor)
        raised = detector.level(evidence) >= threshold
        if tick > TICKS // 2:
            alarms, weight = alarms + int(raised.sum()), weight + slices / TICKS
        evidence[raised] = 0.0
    return alarms / weight * threshold, max(alarms, 1) ** 0.5 / weight * threshold


def worked_out(law, q0, threshold, rate, error=1e-9):
    """Return what part of a threshold slices need, whose past was read without error unless one is given."""
    _, mean, variance = LAWS[law]
    columns = (np.array([each]) for each in (q0, mean, variance, error, rate * TICKS))
    return float(ratio(*columns, threshold, TICKS, graded=law == "scores")[0])


@pytest.mark.slow
@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("rate", [1.0, 5.0, 20.0])
@pytest.mark.parametrize("margin", [0.0, 0.04, 0.08])
def test_slices_alarm_as_often_as_accepted_or_less_at_the_thresholds_that_their_pasts_allow(law, rate, margin):
    q0, accepted = LAWS[law][1] * (1 + margin), 1 / 60
    part = worked_out(law, q0, 1 / accepted, rate)
    found, error = counted(law, q0, part / accepted, rate)
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
