"""One run against another: what is called a difference, and what is not."""

import numpy as np
import pytest

from evaluation.comparison.compare import compare
from evaluation.comparison.pairing import PairingError, paired
from evaluation.comparison.runs import Provenance, ScoredRun


def run(name, values, *, sessions=None, attributes=None):
    columns = values if isinstance(values, dict) else {"m": values}
    n = len(next(iter(columns.values())))
    told = {
        f"q{i}": Provenance(sessions[i] if sessions is not None else None, attributes[i] if attributes else {})
        for i in range(n)
    }
    named = {
        metric: {f"q{i}": None if value is None else float(value) for i, value in enumerate(column)}
        for metric, column in columns.items()
    }
    return ScoredRun(name, named, dict.fromkeys(named, "1"), told)


def rows(before, after, *, better="higher", seed=0, resamples=2_000, **pairing):
    metrics = dict.fromkeys(before.values, better)
    pairs = paired(before, after, **pairing)
    return compare(before, [(after, pairs)], metrics, np.random.default_rng(seed), resamples=resamples)


def noise(n=200, seed=1):
    return np.random.default_rng(seed).normal(0.5, 0.1, n)


def test_a_clear_fall_is_worse_and_a_clear_rise_better():
    low, high = run("a", noise()), run("b", noise() + noise(seed=2) * 0.2)
    assert rows(low, high)[0].verdict == "better"
    assert rows(high, low)[0].verdict == "worse"
    assert rows(low, high, better="lower")[0].verdict == "worse"
    assert rows(low, high, better=None)[0].verdict == "higher"


def test_what_is_not_shown_comes_with_the_difference_that_would_have_been_found():
    [row] = rows(run("a", noise()), run("b", noise(seed=2)))
    assert row.verdict == "no difference shown"
    assert row.compared.interval.low < 0 < row.compared.interval.high
    seen = run("b", np.array(noise(seed=2)) - row.difference + 1.3 * row.detectable)
    assert rows(run("a", noise()), seen)[0].verdict == "better"


def test_pairing_finds_what_two_means_would_not():
    before = noise()
    after = before + np.random.default_rng(3).normal(0.01, 0.01, before.size)
    assert rows(run("a", before), run("b", after))[0].verdict == "better"
    assert rows(run("a", before), run("b", np.random.default_rng(4).permutation(after)))[0].verdict != "better"


def test_answers_without_a_value_are_counted_and_not_taken_for_zero():
    [row] = rows(run("a", [0.5, None, 0.7, 0.6]), run("b", [0.6, 0.9, None, 0.7]))
    assert (row.pairs, row.unpaired, row.difference) == (2, 2, pytest.approx(0.1))


def test_a_run_that_has_no_value_more_often_is_no_better_for_its_other_answers():
    before = noise(80)
    after = [None if i % 4 == 0 else value + 0.2 for i, value in enumerate(before)]
    [row] = rows(run("a", before), run("b", after))
    assert (row.verdict, row.unscored.baseline, row.unscored.candidate) == ("more unscored", 0, 20)
    assert row.unscored.holm == pytest.approx(2 * 0.5**20, rel=1e-6), (
        "McNemar's test of 20 pairs, as its p-value is the last"
    )
    assert rows(run("b", after), run("a", before))[0].verdict == "worse", "to gain values excuses no fall"
    talk = ["one" if i % 4 == 0 else f"c{i}" for i in range(80)]
    [row] = rows(run("a", before, sessions=talk), run("b", after, sessions=talk))
    assert (row.verdict, row.unscored.test.p_value) == ("better", 1.0), "the turns of one conversation fail together"
    [row] = rows(run("a", before), run("b", after), better=None)
    assert (row.verdict, row.unscored.test) == ("higher", None)


def test_a_metric_of_no_pair_has_no_figures():
    [row] = rows(run("a", [None, None]), run("b", [1, 0]))
    assert (row.pairs, row.difference, row.compared, row.verdict) == (0, None, None, "too few pairs")


def test_equal_answers_are_identical_and_need_no_test():
    [row] = rows(run("a", noise()), run("b", noise()))
    assert (row.verdict, row.holm) == ("identical", None)


def test_zeros_and_ones_are_tested_by_mcnemar_and_anything_else_by_the_paired_t_test():
    rng = np.random.default_rng(0)
    before = {"yes": rng.integers(0, 2, 50), "part": rng.uniform(size=50)}
    after = {"yes": rng.integers(0, 2, 50), "part": rng.uniform(size=50)}
    found = {row.metric: row.compared.test.name for row in rows(run("a", before), run("b", after))}
    assert found == {"yes": "McNemar", "part": "paired t"}


def test_a_slice_is_compared_by_itself():
    before = noise(100)
    attributes = [{"domain": "travel" if i % 2 else "shop"} for i in range(100)]
    after = before - np.where(np.arange(100) % 2, 0.2, 0.0) + noise(100, seed=5) * 0.01
    found = rows(
        run("a", before, attributes=attributes), run("b", after, attributes=attributes), by=["domain"], strata="domain"
    )
    assert [(row.value, row.pairs) for row in found] == [(None, 100), ("shop", 50), ("travel", 50)]
    assert (found[1].difference, found[2].difference) == (
        pytest.approx(0.005, abs=1e-3),
        pytest.approx(-0.195, abs=1e-3),
    )


def test_answers_of_one_conversation_count_once():
    once = np.random.default_rng(6).normal(0.02, 0.1, 30)
    before = noise(300)
    alone = run("a", before), run("b", before + np.repeat(once, 10))
    sessions = [f"s{i // 10}" for i in range(300)]
    together = run("a", before, sessions=sessions), run("b", before + np.repeat(once, 10), sessions=sessions)
    naive, fair = rows(*alone)[0], rows(*together)[0]
    assert fair.groups == 30
    assert fair.compared.error.standard_error == pytest.approx(once.std(ddof=1) / np.sqrt(30))
    assert fair.compared.error.standard_error > 3 * naive.compared.error.standard_error


def test_the_same_seed_gives_the_same_figures():
    before, after = run("a", noise()), run("b", noise(seed=2))
    assert rows(before, after, seed=7) == rows(before, after, seed=7)


def test_runs_are_paired_by_an_attribute():
    before = run("a", [1, 0], attributes=[{"case": "x"}, {"case": "y"}])
    after = run("b", [1, 0], attributes=[{"case": "y"}, {"case": "x"}])
    assert [(pair.baseline, pair.candidate) for pair in paired(before, after, key="case").pairs] == [
        ("q0", "q1"),
        ("q1", "q0"),
    ]


@pytest.mark.parametrize(
    ("before", "after", "pairing", "message"),
    [
        ([{}], [{"case": "x"}], {"key": "case"}, "a: answer 'q0' has no attribute case"),
        (
            [{"case": "x"}, {"case": "x"}],
            [{"case": "x"}, {"case": "y"}],
            {"key": "case"},
            "a: case is 'x' of two answers, 'q0' and 'q1'",
        ),
        ([{"case": "x"}], [{"case": "y"}], {"key": "case"}, "a and b have no values of case in common"),
        ([{"tier": "1"}], [{"tier": "2"}], {"by": ["tier"]}, "tier of answer 'q0' is '1' in a and '2' in b"),
        ([{"tier": "1"}], [{}], {"strata": "tier"}, "tier of answer 'q0' is '1' in a and missing in b"),
        (
            [{}],
            [{}],
            {"by": ["tier"]},
            "a: no paired answer has an attribute tier; a conversation has one only where all its answers agree in it",
        ),
    ],
)
def test_what_cannot_be_paired_is_named(before, after, pairing, message):
    one, two = run("a", [1] * len(before), attributes=before), run("b", [1] * len(after), attributes=after)
    with pytest.raises(PairingError) as caught:
        paired(one, two, **pairing)
    assert str(caught.value) == message


def test_an_attribute_with_a_value_for_each_answer_splits_nothing():
    attributes = [{"case": str(i)} for i in range(201)]
    one = run("a", [1] * 201, attributes=attributes)
    with pytest.raises(PairingError, match="case has 201 values; at most 200"):
        paired(one, one, by=["case"])


@pytest.mark.slow
def test_at_most_one_in_twenty_comparisons_of_equal_systems_finds_anything():
    rng = np.random.default_rng(20261128)
    found = 0
    for number in range(1_000):
        n = int(rng.choice([20, 80, 200]))
        hard, sessions = rng.normal(size=n), [f"s{i // 2}" for i in range(n)]
        told = np.repeat(rng.normal(size=(2, (n + 1) // 2)), 2, axis=1)[:, :n] + rng.normal(size=(2, n))
        sides = [
            run(
                name,
                {
                    "graded": 1 / (1 + np.exp(hard + one)),
                    "binary": hard + one > 0,
                    "rare": hard + one > 2.5,
                    "skewed": np.exp(hard + one),
                },
                sessions=sessions,
            )
            for name, one in zip("ab", told, strict=True)
        ]
        verdicts = {row.verdict for row in rows(*sides, seed=number, resamples=1_000)}
        found += bool(verdicts & {"better", "worse"})
    assert found <= 50
