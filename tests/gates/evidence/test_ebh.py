import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gates.evidence.ebh import rejected

e_values = st.lists(st.floats(0, 1e6), min_size=1, max_size=12)


def by_definition(values: list[float], alpha: float) -> list[bool]:
    ranked = sorted(values, reverse=True)
    most = max((r for r in range(1, len(values) + 1) if ranked[r - 1] >= len(values) / (alpha * r)), default=0)
    return [bool(most) and value >= ranked[most - 1] for value in values]


@given(e_values, st.sampled_from([0.05, 0.1, 0.5]))
def test_what_is_rejected_is_what_the_definition_says(values: list[float], alpha: float) -> None:
    found = rejected(values, alpha)
    assert found.sum() == sum(by_definition(values, alpha)) or len(set(values)) < len(values)
    if found.any():
        assert min(np.array(values)[found]) >= max(np.array(values)[~found], default=0.0)


@given(e_values, st.sampled_from([0.05, 0.1]), st.integers(0, 11), st.floats(0, 1e6))
def test_a_larger_e_value_never_makes_less_significant(
    values: list[float], alpha: float, place: int, more: float
) -> None:
    before = rejected(values, alpha)
    raised = list(values)
    raised[place % len(values)] += more
    assert rejected(raised, alpha).sum() >= before.sum()


@given(e_values)
def test_hypotheses_without_evidence_make_it_harder(values: list[float]) -> None:
    assert rejected(values, 0.1, among=len(values) + 50).sum() <= rejected(values, 0.1).sum()


def test_the_expected_share_of_wrong_rejections_is_at_most_alpha_however_nulls_depend() -> None:
    # Three nulls that are large together: an e-value of 1 / p with probability p, all at once, beside two true alarms.
    alpha, p = 0.2, 0.02
    null, true = [1 / p] * 3, [500.0, 400.0]
    expected = 0.0
    for hit in (True, False):
        found = rejected([*(null if hit else [0.0] * 3), *true], alpha)
        share = found[:3].sum() / max(1, found.sum())
        expected += (p if hit else 1 - p) * share
    assert expected <= alpha


def test_weights_let_a_parent_be_found_first() -> None:
    values = [30.0, 1.0]
    assert not rejected(values, 0.04).any()
    assert rejected(values, 0.04, weights=[1.9, 0.1]).tolist() == [True, False]


@pytest.mark.parametrize(
    ("values", "alpha", "weights"),
    [([1.0], 0.0, 1.0), ([-1.0], 0.1, 1.0), ([float("nan")], 0.1, 1.0), ([1.0, 1.0], 0.1, [2.0, 1.0])],
)
def test_what_is_no_e_value_and_no_weight_is_refused(values: list[float], alpha: float, weights: object) -> None:
    with pytest.raises(ValueError, match=r"e-BH needs|weights must"):
        rejected(values, alpha, weights=weights)


def test_with_threshold_and_joint_alarms_together_the_bound_on_incidents_holds_over_all_paths() -> None:
    # Two detectors moved by one coin: all paths of the coin, exactly, at the boundary.
    from gates.evidence.detector import advance, bets, level

    q0, weight, accepted, alpha, length = 0.3, 0.3, 1.0, 0.9, 9
    lam, total = bets(q0, q0 * (1 - q0)), 0.0
    for path in itertools.product((0.0, 1.0), repeat=length):
        chance = float(np.prod([q0 if loss else 1 - q0 for loss in path]))
        evidence, alone, joint = np.zeros((2, 5)), 0, 0
        frozen = np.zeros(2, int)
        for loss in path:
            # What was found is kept for two steps, and begins from nothing then.
            frozen = np.maximum(frozen - 1, 0)
            moved = advance(evidence, weight, np.stack([1 + lam * (loss - q0)] * 2))
            evidence = np.where((frozen > 0)[:, None], evidence, moved)
            values = level(evidence)
            over = (values >= 2 / accepted) & (frozen == 0)
            both = rejected(values, alpha) & (frozen == 0)
            alone += int(over.sum())
            joint += bool((both & ~over).any() and not (over.any() or (frozen > 0).any()))
            evidence[frozen == 1] = 0.0
            frozen[over | both] = 3
        total += chance * (alone + accepted / alpha * joint)
    assert 0.0 < total <= accepted * weight * length
