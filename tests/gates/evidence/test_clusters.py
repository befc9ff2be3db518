import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gates.evidence import clusters
from gates.evidence.clusters import ClusterMemory, TickClusters, expected_excess
from gates.evidence.detector import SHIFTS, bets


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


def _product(q0: float, kinds: list[tuple[float, float]], n: int, icc: float) -> np.ndarray:
    """The exact mean of the product of factors over a cluster, by bet; ``kinds`` are its means with their chances."""
    total = np.zeros(len(SHIFTS))
    for path in itertools.product((0.0, 1.0), repeat=n):
        chance = sum(share * np.prod([p if lost else 1.0 - p for lost in path]) for p, share in kinds)
        product, excess = np.ones(len(SHIFTS)), 0.0
        for seen, lost in enumerate(path):
            level = q0 + float(expected_excess(seen, excess / max(seen, 1), icc))
            product *= 1.0 + bets(q0, q0 * (1.0 - q0), level=level) * (lost - level)
            excess += lost - q0
        total += chance * product
    return total


@pytest.mark.parametrize("n", [2, 5])
@pytest.mark.parametrize("icc", [0.02, 0.1, 0.3])
@pytest.mark.parametrize("q0", [0.02, 0.1, 0.3])
def test_of_clusters_of_two_kinds_the_factors_are_an_e_value(q0: float, icc: float, n: int) -> None:
    some = q0 + icc * (1.0 - q0)
    assert (_product(q0, [(0.0, 1.0 - q0 / some), (some, q0 / some)], n, icc) <= 1.0 + 1e-9).all(), "some never fail"
    apart = np.sqrt(icc * q0 * (1.0 - q0))
    if apart <= q0:
        assert (_product(q0, [(q0 - apart, 0.5), (q0 + apart, 0.5)], n, icc) <= 1.0 + 1e-9).all(), "as many are worse"


def test_where_a_few_clusters_fail_wholly_the_premise_is_broken_as_it_says() -> None:
    q0, icc, wholly = 0.1, 0.02, 0.00221729
    others = (q0 - wholly) / (1.0 - wholly)
    assert wholly * (1.0 - wholly) * (1.0 - others) ** 2 == pytest.approx(icc * q0 * (1.0 - q0), rel=1e-3)
    product = _product(q0, [(1.0, wholly), (others, 1.0 - wholly)], 8, icc).max()
    assert f"a mean of {product:.2f} for the largest bet" in " ".join((clusters.__doc__ or "").split())
