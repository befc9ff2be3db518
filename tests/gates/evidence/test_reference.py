import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gates.evidence.reference import LEAST_ICC, Moments, effective_n, icc, reference, upper_bound

losses = st.lists(st.sampled_from([0.0, 1.0, 0.25, 0.9]), min_size=1, max_size=12)
clusters = st.lists(losses, min_size=1, max_size=12).map(lambda each: [tuple(one) for one in each])


def singles(values: np.ndarray) -> Moments:
    return Moments.of(*[(float(value),) for value in values])


@given(clusters)
def test_everything_is_finite_and_in_its_bounds(seen: list[tuple[float, ...]]) -> None:
    moments = Moments.of(*seen)
    mean = moments.loss / moments.weight
    assert mean - 1e-9 <= upper_bound(moments) <= 1.0
    assert LEAST_ICC <= icc(moments) <= 1.0
    assert 0.0 < effective_n(moments) <= moments.n
    assert all(math.isfinite(value) for value in reference(moments))
    assert 0.0 < reference(moments).q0 <= 1.0


@pytest.mark.parametrize("kind", ["failures", "scores"])
def test_the_upper_bound_misses_the_mean_no_more_often_than_promised(kind: str) -> None:
    rng = np.random.default_rng(1)
    missed = 0
    for _ in range(1000):
        seen = rng.beta(0.5, 4.5, 400) if kind == "scores" else (rng.random(400) < 0.05).astype(float)
        missed += upper_bound(singles(seen)) < (0.1 if kind == "scores" else 0.05)
    assert missed <= 20, "1 % of 1000 runs, and three standard errors"


def test_answers_that_fail_together_count_as_fewer() -> None:
    rng = np.random.default_rng(2)
    alike = [tuple((rng.random(5) < rate).astype(float)) for rate in rng.beta(0.08, 3.92, 4000)]
    assert icc(Moments.of(*alike)) == pytest.approx(0.2, abs=0.05)
    mixed = rng.permutation(np.concatenate(alike)).reshape(-1, 5)
    assert icc(Moments.of(*map(tuple, mixed))) < 0.02
    assert upper_bound(Moments.of(*alike)) > upper_bound(Moments.of(*map(tuple, mixed)))


def test_unequal_weights_widen_the_bound() -> None:
    even = singles(np.array([0.0] * 95 + [1.0] * 5))
    uneven = even._replace(heaviest=10.0)
    assert upper_bound(uneven) > upper_bound(even)


def test_a_declared_level_stands_whatever_was_seen() -> None:
    assert reference(Moments.of(), declared=0.03).q0 == 0.03
    assert reference(singles(np.zeros(500)), declared=0.03).q0 == 0.03
    assert reference(Moments.of()).q0 == 1.0


def test_scores_and_failures_have_their_own_tolerance() -> None:
    rare, often = singles(np.array([0.0] * 990 + [1.0] * 10)), singles(np.array([0.0, 1.0] * 500))
    assert reference(rare).q0 - reference(rare, tolerated=0.0).q0 == pytest.approx(0.005)
    assert reference(often).q0 - reference(often, tolerated=0.0).q0 == pytest.approx(0.125)
    graded = singles(np.array([0.1, 0.2] * 500))
    assert reference(graded).q0 - reference(graded, tolerated=0.0).q0 == pytest.approx(0.01)
