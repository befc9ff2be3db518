import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gates.evidence.clusters import ClusterMemory, TickClusters, expected_excess


@pytest.mark.parametrize(("q0", "icc", "size"), [(0.02, 0.2, 5), (0.1, 0.5, 4), (0.3, 0.05, 8)])
def test_in_beta_binomial_clusters_no_next_loss_is_expected_above_the_raised_level(
    q0: float, icc: float, size: int
) -> None:
    # The posterior mean of a Beta(a, b) rate after k failures of n is (a + k) / (a + b + n), exactly.
    total = 1.0 / icc - 1.0
    for n in range(1, size):
        for k in range(n + 1):
            posterior = (q0 * total + k) / (total + n)
            assert posterior <= q0 + float(expected_excess(n, k / n - q0, icc)) + 1e-12
            assert k / n < q0 or posterior == pytest.approx(q0 + float(expected_excess(n, k / n - q0, icc)))


@given(st.integers(0, 50), st.floats(-1, 1), st.floats(0, 1), st.floats(0, 1))
def test_assuming_more_correlation_never_lowers_the_level(n: int, excess: float, icc: float, other: float) -> None:
    low, high = sorted((icc, other))
    assert 0.0 <= expected_excess(n, excess, low) <= expected_excess(n, excess, high) + 1e-12
    assert expected_excess(n, excess, high) <= max(0.0, excess) + 1e-12


@given(st.lists(st.lists(st.integers(1, 9), min_size=1, max_size=6, unique=True), min_size=1, max_size=8))
def test_memory_is_what_a_dictionary_would_hold(ticks: list[list[int]]) -> None:
    memory, plain = ClusterMemory(), {}
    for tick, keys in enumerate(ticks):
        values = np.array(keys, dtype=float)
        memory = memory.remember(TickClusters(tick, np.array(keys), values, values / 2), since=tick - 3)
        plain |= {(tick, key): key for key in keys}
    since = len(ticks) - 4
    n, over = memory.recall(np.arange(1, 10), since=since)
    for place, key in enumerate(range(1, 10)):
        expected = sum(value for (tick, each), value in plain.items() if each == key and tick >= since)
        assert (n[place], over[place]) == (expected, expected / 2)
    assert ClusterMemory.load(memory.dump()).dump() == memory.dump()
