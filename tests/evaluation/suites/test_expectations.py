"""What rows may expect, what contradicts itself, and when an expectation is kept."""

import pytest

from adapters.schema import Answer, Citation, Passage
from evaluation.suites.expectations import Expectations, expectations_of


@pytest.mark.parametrize(
    ("raw", "problem"),
    [
        ([], "expect: must be an object"),
        ({"must_sight": ["a"]}, "expect.must_sight: unknown; known: must_cite"),
        ({"must_refuse": True, "must_not_refuse": True}, "must_refuse contradicts must_not_refuse"),
        ({"must_refuse": True, "must_cite": ["a"]}, "must_refuse contradicts must_cite"),
        ({"must_cite": ["a"], "must_not_cite": ["a"]}, "must_cite contradicts must_not_cite: 'a'"),
        ({"release": True, "first_failed_stage": "citation support"}, "release: true contradicts first_failed_stage"),
        ({"at_least": {"recall": 0.8}, "at_most": {"recall": 0.2}}, "at_least.recall: 0.8 contradicts at_most"),
        ({"at_least": {"recal": 0.8}}, "expect.at_least.recal: no such metric"),
        ({"at_least": {"recall": "high"}}, "expect.at_least.recall: must be a number, not text"),
        ({"first_failed_stage": "generation"}, "'generation' is none of the labels admissibility"),
        ({"label": {"recall": "good"}}, "label.recall: no metric with labels has this name"),
        ({}, "nothing is expected"),
    ],
)
def test_an_expectation_that_cannot_be_kept_is_refused_with_its_field(raw, problem):
    with pytest.raises(ValueError, match=r"^expect") as error:
        expectations_of(raw)
    assert problem in str(error.value)


def test_a_document_is_cited_by_its_id_its_version_or_its_passage():
    answer = Answer(
        id="a",
        answer="Yes [1].",
        passages=(Passage(id="p-1", doc_id="HR-7", version="3"),),
        citations=(Citation(start=4, end=7, marker="[1]", passage_id="p-1"),),
    )
    wanted = Expectations(must_cite=("p-1", "HR-7", "HR-7@3", "HR-7@4"), must_not_cite=("HR-8",))
    assert [check.kept for check in wanted.checked(answer, {})] == [True, True, True, False, True]
    assert wanted.checked(answer, {})[3].why == "cites HR-7, HR-7@3, p-1, but not HR-7@4"


def test_a_metric_without_a_value_keeps_nothing():
    missing = {"recall": {"value": None, "label": None, "reason": "missing_input", "explanation": "gold labels"}}
    for wanted in (
        Expectations(at_most={"recall": 1}),
        Expectations(must_not_refuse=True),
        Expectations(release=False),
    ):
        (check,) = wanted.checked(Answer(id="a"), missing)
        assert (check.kept, check.observed) == (False, "not scored")
    assert Expectations(at_most={"recall": 1}).checked(Answer(id="a"), missing)[0].why == (
        "recall has no value: missing_input: gold labels"
    )


def test_release_is_blocked_by_any_failed_stage():
    for stage, allowed in (("pass", True), ("citation support", False)):
        scores = {"first_failed_stage": {"label": stage, "value": float(allowed)}}
        assert Expectations(release=True).checked(Answer(id="a"), scores)[0].kept is allowed
        assert Expectations(release=False).checked(Answer(id="a"), scores)[0].kept is not allowed
