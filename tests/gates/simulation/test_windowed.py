"""A simulation of a threshold gate decides what the gate decides."""

from datetime import timedelta

import numpy as np
import pytest

from gates.simulation import traffic as simulated
from gates.simulation.traffic import DIMENSION, METRIC, SimulatedTraffic
from gates.simulation.windowed import WindowedThreshold
from gates.threshold import ThresholdGate

SLICES = 12


@pytest.mark.parametrize("window", ["30m", "6h"])
@pytest.mark.parametrize("limit", [{"at_most": 2.0}, {"at_least": 4.0}, {"at_most": 3.0, "min_answers": 1}])
def test_the_same_slices_fail_at_the_same_moments_as_in_the_gate(limit, window):
    gate = ThresholdGate(
        type="threshold", name="t", metric=METRIC, by=(DIMENSION,), bounds=(1, 5), window=window, **limit
    )
    subject = WindowedThreshold(gate, SLICES)
    traffic = SimulatedTraffic(np.random.default_rng(1), tick=timedelta(), slices=SLICES, answers=60)
    state, real, failed = subject.initial(), gate.initial(), 0
    for step in range(60):
        first, ticks = traffic.first + 3 * step, 3
        draw = simulated.graded(3.0 + 1.2 * np.sin(step / 8.0), 0.9, gate.scale)
        batch = traffic.batch(traffic.served(draw, first, ticks))
        state, real = subject.fold(state, batch), gate.fold(real, batch)
        at = traffic.end(first + ticks - 1)
        parts = gate.verdict(real, at).slices
        expected = {int(part.slice[DIMENSION]) for part in parts if part.state == "fail"}
        assert set(np.flatnonzero(subject.failing(state, at)).tolist()) == expected
        failed += len(expected)
    assert 0 < failed < 60 * SLICES


def test_what_has_left_the_window_no_longer_fails():
    gate = ThresholdGate(type="threshold", name="t", metric=METRIC, by=(DIMENSION,), at_most=0.1, window="1h")
    subject = WindowedThreshold(gate, 2)
    traffic = SimulatedTraffic(np.random.default_rng(1), tick=timedelta(), slices=2, answers=600)
    served = traffic.served(simulated.failing(0.5), traffic.first, traffic.ticks(timedelta(hours=1)))
    state, at = subject.fold(subject.initial(), traffic.batch(served)), traffic.end(traffic.first + 11)
    assert subject.failing(state, at).all()
    assert not subject.failing(state, at + timedelta(hours=1)).any()
    assert not subject.failing(subject.initial(), at).any()
