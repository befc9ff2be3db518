import numpy as np
import pytest

from gates.evidence import detector
from gates.evidence.calibration import HELD_BACK, ratio

TICKS = 2016
"""Ticks of a week."""


def counted(q0, mean, threshold, *, slices=1500, weeks=2, rate=5.0):
    """Return by what false alarms are rarer than proved, by counting them, and by how much that is uncertain."""
    rng = np.random.default_rng(1)
    bets = detector.bets(np.array([q0]), np.array([q0 * (1 - q0)]))[0]
    evidence, alarms, weight = np.zeros((slices, len(bets))), 0, 0.0
    for tick in range(TICKS * weeks):
        n = rng.poisson(rate, slices)
        failed = rng.binomial(n, mean)
        factor = (1 + bets * (1 - q0)) ** failed[:, None] * (1 - bets * q0) ** (n - failed)[:, None]
        evidence = detector.advance(evidence, np.full(slices, 1 / TICKS), factor)
        raised = detector.level(evidence) >= threshold
        if tick > TICKS // 2:
            alarms, weight = alarms + int(raised.sum()), weight + slices / TICKS
        evidence[raised] = 0.0
    return alarms / weight * threshold, max(alarms, 1) ** 0.5 / weight * threshold


@pytest.mark.slow
@pytest.mark.parametrize("margin", [0.0, 0.0008, 0.0016])
def test_a_calibrated_rate_is_at_least_what_is_counted(margin):
    mean, threshold = 0.02, 30.0
    q0 = mean + margin
    found, error = counted(q0, mean, threshold)
    columns = (np.array([each]) for each in (q0, mean, mean * (1 - mean), 1e-9, 5.0 * TICKS))
    worked_out = float(ratio(*columns, threshold)[0])
    assert worked_out >= min(1.0, found) - 2 * error
    assert worked_out <= HELD_BACK * (2 * found + 4 * error)


def test_a_wider_margin_and_a_longer_past_lower_the_threshold_more():
    def of(margin, error):
        columns = (np.array([each]) for each in (0.1 + margin, 0.1, 0.015, error, 10_000.0))
        return float(ratio(*columns, 200.0)[0])

    assert of(0.0, 0.001) >= of(0.001, 0.001) >= of(0.003, 0.001)
    assert of(0.002, 0.003) >= of(0.002, 0.0005)
    assert 0.0 < of(0.5, 1e-6) <= of(0.0, 0.1) <= 1.0
