"""How far answers to the same question differ: figures by hand, and laws."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.consistency.citations import ALONE, NO_CITATION, citation_agreement, jaccard
from evaluation.consistency.spread import RepeatedScore, repeat_spreads

SETS = st.frozensets(st.sampled_from("abcde"))


def scores(table, metric="f1", labels=None):
    return [
        RepeatedScore(f"q{question}", metric, value, None if labels is None else labels[question][number])
        for question, values in enumerate(table)
        for number, value in enumerate(values)
    ]


def test_the_spread_is_that_within_questions_and_not_between_them():
    [found] = repeat_spreads(scores([[0.1, 0.3], [0.8, 1.0], [0.5, 0.5]]))
    assert found.within == pytest.approx(math.sqrt((0.02 + 0.02 + 0.0) / 3))
    assert found.between == pytest.approx(np.std([0.2, 0.9, 0.5], ddof=1))
    assert (found.questions, found.answers, found.changing, found.flips, found.labelled) == (3, 6, 2, 0, 0)


def test_labels_that_change_are_flips_and_values_that_come_and_go_are_told():
    table, labels = [[1.0, 1.0], [1.0, None], [0.0, 1.0]], [["a", "a"], ["a", None], ["b", "a"]]
    [found] = repeat_spreads(scores(table, labels=labels))
    assert (found.flips, found.labelled, found.partly, found.questions) == (1, 2, 1, 2)


def test_a_metric_without_two_values_of_any_question_has_no_spread():
    assert repeat_spreads(scores([[1.0], [None, 0.5]])) == []


def test_two_runs_of_one_release_differ_by_less_than_said_in_95_of_100():
    rng = np.random.default_rng(7)
    questions, sigma, outside = 40, 0.2, 0
    levels = rng.uniform(0, 1, questions)
    for _ in range(400):
        runs = levels + sigma * rng.normal(size=(2, questions))
        repeats = levels[:, None] + sigma * rng.normal(size=(questions, 5))
        [spread] = repeat_spreads(scores(repeats.tolist()))
        outside += abs(runs[0].mean() - runs[1].mean()) > spread.rerun
    assert 6 <= outside <= 36


def test_answers_that_cite_the_same_agree_and_alone_or_uncited_ones_say_so():
    groups = [{"a": frozenset("x"), "b": frozenset("xy")}, {"c": frozenset("x")}, {"d": frozenset(), "e": frozenset()}]
    found = citation_agreement(groups)
    assert found == {"a": 0.5, "b": 0.5, "c": ALONE, "d": NO_CITATION, "e": NO_CITATION}


@given(SETS, SETS)
def test_jaccard_is_symmetric_and_one_only_for_equal_sets(one, other):
    assert jaccard(one, other) == jaccard(other, one)
    assert (jaccard(one, other) == 1.0) == (one == other)


@settings(max_examples=50)
@given(st.dictionaries(st.text("pqrs", min_size=1, max_size=3), SETS, min_size=2, max_size=5))
def test_agreement_is_within_its_bounds_in_any_order(group):
    found = citation_agreement([group])
    assert all(each == NO_CITATION or 0.0 <= each <= 1.0 for each in found.values())
    turned = citation_agreement([dict(reversed(group.items()))])
    assert {
        name: pytest.approx(value) if isinstance(value, float) else value for name, value in found.items()
    } == turned
