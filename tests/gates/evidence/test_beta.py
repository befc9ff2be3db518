import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gates.evidence.beta import FEW, cdf, quantile, quantiles

shapes = st.floats(0.1, 1e6)


@pytest.mark.parametrize(
    ("p", "a", "b", "expected"),
    [
        # Values of an independent implementation (SciPy 1.17, beta.ppf).
        (0.99, 807, 39514, 0.021671785506669414),
        (0.99, 1, 300, 0.015233347889841823),
        (0.99, 3.7, 1e6, 9.563191411606544e-06),
        (0.99, 2e5, 8e5, 0.2009314204091684),
        (0.01, 300, 0.5, 0.9889936465857085),
        (0.3, 0.5, 0.5, 0.2061073738537634),
    ],
)
def test_quantiles_agree_with_another_implementation(p: float, a: float, b: float, expected: float) -> None:
    assert quantile(p, a, b) == pytest.approx(expected, rel=1e-9)


@given(st.integers(1, 200), st.integers(0, 200), st.floats(0.001, 0.999))
def test_the_distribution_function_is_the_tail_of_a_binomial(n: int, k: int, x: float) -> None:
    k = min(k, n - 1)
    tail = sum(math.comb(n, i) * x**i * (1 - x) ** (n - i) for i in range(k + 1, n + 1))
    assert cdf(x, k + 1, n - k) == pytest.approx(tail, rel=1e-8, abs=1e-12)


@given(shapes, shapes, st.floats(0.001, 0.999))
def test_a_quantile_leads_back_to_its_probability(a: float, b: float, p: float) -> None:
    x = quantile(p, a, b)
    assert 0.0 <= x <= 1.0
    if 1e-9 < x < 1 - 1e-9:
        assert cdf(x, a, b) == pytest.approx(p, rel=1e-5, abs=1e-7)


@pytest.mark.parametrize(("a", "b"), [(0.0, 1.0), (1.0, -1.0), (float("nan"), 1.0)])
def test_shapes_that_are_none_are_refused(a: float, b: float) -> None:
    with pytest.raises(ValueError, match="must be positive"):
        cdf(0.5, a, b)


@pytest.mark.parametrize("p", [0.0, 1.0, float("nan")])
def test_probabilities_that_are_none_are_refused(p: float) -> None:
    with pytest.raises(ValueError, match="probability"):
        quantile(p, 1.0, 1.0)


@given(st.floats(0.001, 0.999), st.integers(0, 2**32), st.integers(FEW, 2 * FEW))
def test_quantiles_asked_for_together_are_those_asked_for_one_by_one(p: float, seed: int, many: int) -> None:
    rng = np.random.default_rng(seed)
    a, b = (np.exp(rng.uniform(np.log(0.1), np.log(1e3), many)) for _ in range(2))
    alone = [quantile(p, *shapes) for shapes in zip(a.tolist(), b.tolist(), strict=True)]
    assert quantiles(p, a, b).tolist() == alone


@pytest.mark.parametrize("many", [1, 2 * FEW])
def test_a_shape_that_is_none_among_others_is_refused(many: int) -> None:
    with pytest.raises(ValueError, match="must be positive"):
        quantiles(0.5, np.append(np.ones(many), 0.0), np.ones(many + 1))
    with pytest.raises(ValueError, match="probability"):
        quantiles(1.0, np.ones(many), np.ones(many))
