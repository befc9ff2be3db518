import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gates.evidence.detector import CAP, advance, bets, level

levels = st.floats(0.001, 0.999)


def alarms(losses, *, q0, variance, weight, threshold, at_change=0.0):
    """Return at which losses a detector alarms, with a start ``weight`` a loss and ``at_change`` before the first."""
    lam, found = bets(q0, variance), []
    evidence = np.full(lam.shape, at_change)
    for index, loss in enumerate(losses):
        evidence = advance(evidence, weight, 1.0 + lam * (loss - q0))
        if level(evidence) >= threshold:
            found.append(index)
            evidence = np.zeros_like(evidence)
    return found


@pytest.mark.parametrize(("q0", "threshold"), [(0.1, 1.2), (0.3, 1.5), (0.5, 2.0)])
def test_over_all_paths_alarms_times_threshold_never_exceed_the_start_weight_given(q0: float, threshold: float) -> None:
    # Every one of the 2 ** 12 paths of failures at the boundary, with its probability: no simulation, no tolerance.
    length, weight = 12, 0.25
    expected = remaining = 0.0
    for path in itertools.product((0.0, 1.0), repeat=length):
        chance = np.prod([q0 if loss else 1.0 - q0 for loss in path])
        found = alarms(path, q0=q0, variance=q0 * (1 - q0), weight=weight, threshold=threshold)
        expected += chance * len(found)
        lam, evidence = bets(q0, q0 * (1 - q0)), np.zeros(5)
        for index, loss in enumerate(path):
            evidence = advance(evidence, weight, 1.0 + lam * (loss - q0))
            if index in found:
                evidence = np.zeros(5)
        remaining += chance * float(level(evidence))
    assert 0.0 < expected * threshold <= length * weight + 1e-9
    assert expected * threshold + remaining <= length * weight + 1e-9, "the supermartingale of the proof has risen"


def test_where_the_mean_is_below_the_level_evidence_is_lost_in_the_mean() -> None:
    lam = bets(0.2, 0.16)
    factor = 0.9 * (1.0 + lam * (0.0 - 0.2)) + 0.1 * (1.0 + lam * (1.0 - 0.2))
    assert (factor < 1.0).all()


@given(levels, st.floats(0.0, 0.25), st.floats(0.0, 1.0), levels)
def test_no_factor_is_ever_below_a_quarter(q0: float, variance: float, loss: float, raised: float) -> None:
    against = max(q0, raised)
    lam = bets(q0, variance, level=against)
    assert np.isfinite(lam).all()
    assert (lam >= 0.0).all()
    assert (1.0 + lam * (loss - against) >= 0.25 - 1e-12).all()


@given(st.lists(st.floats(0, 1e300), min_size=5, max_size=5), st.floats(0, 100), st.floats(0.25, 1e300))
def test_evidence_is_capped_and_never_undefined(before: list[float], weight: float, factor: float) -> None:
    after = advance(np.array([before]), weight, np.full((1, 5), factor))
    assert np.isfinite(after).all()
    assert (after <= CAP).all()
    assert (after >= 0.0).all()


def test_a_jump_is_found_and_found_sooner_after_a_known_change() -> None:
    rng = np.random.default_rng(3)
    losses = np.concatenate([rng.random(2000) < 0.02, rng.random(4000) < 0.06]).astype(float)
    plain = {"q0": 0.022, "variance": 0.02, "weight": 1 / 10080, "threshold": 200.0}
    found = alarms(losses, **plain)
    assert found
    assert found[0] >= 2000
    assert alarms(losses[2000:], **plain, at_change=0.1)[0] < alarms(losses[2000:], **plain)[0]


def test_alarms_are_the_same_every_time() -> None:
    losses = (np.random.default_rng(5).random(3000) < 0.1).astype(float)
    options = {"q0": 0.05, "variance": 0.05, "weight": 0.01, "threshold": 20.0}
    assert alarms(losses, **options) == alarms(losses, **options)


def _growth(lam: np.ndarray, q0: float, values: np.ndarray, chance: np.ndarray) -> float:
    """Return by how much the logarithm of the evidence that grows fastest rises in expectation, an answer."""
    return float((chance * np.log1p(lam[:, None] * (values - q0))).sum(axis=1).max())


@given(levels, st.floats(0.0, 1.0), st.floats(0.0, 1.0), st.floats(0.0, 1.0))
def test_evidence_grows_wherever_a_mean_is_found_whatever_the_past_was_like_and_the_fall_is(
    q0: float, share: float, good: float, further: float
) -> None:
    room = min(q0, 1.0 - q0)
    seen = {"only 0 and 1": (q0 * (1.0 - q0), q0 + 0.2 * room)}
    seen["scores"] = (share * q0 * (1.0 - q0), 2.25 * q0 if q0 <= 4 / 9 else (1.0 + q0) / 2.0)
    for past, (variance, found) in seen.items():
        mean = found + further * (1.0 - found)
        # Some answers are as bad as can be, the others as good as they please below the level.
        others = good * q0
        failing = (mean - others) / (1.0 - others)
        lam = bets(q0, variance)
        law = np.array([1.0, others]), np.array([failing, 1.0 - failing])
        assert _growth(lam, q0, *law) > 0.0, past
        assert _growth(lam, q0, np.array([mean]), np.ones(1)) > 0.0, past


def test_a_past_that_hardly_varied_does_not_make_every_bet_too_large() -> None:
    failing = np.array([1.0, 0.0]), np.array([0.04, 0.96])
    assert _growth(bets(0.011, 1e-7), 0.011, *failing) > 0.0
    too_large = np.minimum(1.0 / (0.011 * np.array([0.2, 0.4, 0.8, 1.6, 3.2])), 0.75 / 0.011)
    assert _growth(too_large, 0.011, *failing) < 0.0, "what bets were when sized by the past alone"


def test_of_scores_the_largest_shift_is_bet_on_most_and_of_failures_as_before() -> None:
    scores, failures = bets(0.1, 0.015), bets(0.1, 0.1 * 0.9)
    assert scores[-1] == scores.max() == pytest.approx(7.5)
    assert failures.round(3).tolist() == [0.221, 0.437, 0.83, 1.384, 1.663]
    losses = np.random.default_rng(3).beta(1.0, 4.0, 20_000)
    grown = np.log1p(scores * (losses - 0.1)[:, None]).mean(axis=0)
    assert grown[-1] > 1.2 * grown[:-1].max(), "a fall from .9 to .8 is found by it"
