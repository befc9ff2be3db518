import numpy as np
import pytest

from gates.verdicts.summary import DETECTABLE
from tests.gates.made import batch
from tests.gates.test_drift import at, days, gate, served

SLICES = tuple((("domain", f"d{place}"),) for place in range(100))


@pytest.mark.parametrize("rate", [0.5, pytest.param(4.0, marks=pytest.mark.slow)])
def test_a_rise_that_a_pass_says_would_have_been_found_is_found(rate):
    rng = np.random.default_rng(7)
    subject = gate(slices=100, fdr=None, reference="4d", tolerance=0.0)
    state = subject.fold(subject.initial(), served(rng, rate, days(0, 6), np.full(100, 0.05), SLICES))
    before = subject.verdict(state, at(6 * 288))
    told = {part.slice["domain"]: part.evidence.get(DETECTABLE, 1.0) for part in before.slices}
    assert all(0.05 < mean < (0.6 if rate < 1 else 0.2) for mean in told.values())
    failing = np.array([told[f"d{place}"] for place in range(100)])
    # As many answers as the verdict was over: those of a day.
    state = subject.fold(state, served(rng, rate, days(6, 7), failing, SLICES))
    after = subject.verdict(state, at(7 * 288))
    found = sum(part.state == "fail" for part in after.slices if part.slice)
    assert found >= 95, "of a hundred, 95 are found by what is proved"


@pytest.mark.slow
def test_the_figure_of_scores_that_vary_little_is_found_too():
    rng = np.random.default_rng(8)

    def scored(span, mean):
        place, tick = np.tile(np.arange(100), 2 * span.size), np.repeat(span, 200)
        level = np.broadcast_to(mean, 100)[place]
        return batch(SLICES, place, tick, rng.beta(20 * level, 20 * (1 - level)))

    subject = gate(slices=100, fdr=None, reference="2d")
    state = subject.fold(subject.initial(), scored(days(0, 4), 0.1))
    told = {part.slice["domain"]: part.evidence[DETECTABLE] for part in subject.verdict(state, at(4 * 288)).slices}
    failing = np.array([told[f"d{place}"] for place in range(100)])
    assert failing.max() < 0.2
    state = subject.fold(state, scored(days(4, 5), failing))
    found = sum(part.state == "fail" for part in subject.verdict(state, at(5 * 288)).slices if part.slice)
    assert found >= 95
