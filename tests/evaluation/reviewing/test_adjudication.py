"""Labels settled, and agreement beyond chance as statsmodels computes it."""

import numpy as np
import pytest
from statsmodels.stats.inter_rater import cohens_kappa
from statsmodels.stats.inter_rater import fleiss_kappa as fleiss_of_statsmodels

from evaluation.reviewing.adjudication import agreements, settled
from evaluation.reviewing.labels import AXES, ReviewLabel
from evaluation.statistics.agreement import cohen_kappa, fleiss_kappa

FINE = {
    "acceptability": "acceptable",
    "evidence_sufficiency": "sufficient",
    "citation_correctness": "correct",
    "conflict_handling": "handled",
    "safety_boundary": "safe",
    "grounding": "fully_grounded",
}
BAD = FINE | {"acceptability": "unacceptable", "grounding": "ungrounded", "primary": "numeric_transposition"}


def label(base=FINE, **changed):
    return ReviewLabel(**(base | changed))


@pytest.mark.parametrize("seed", range(20))
def test_kappas_are_those_of_statsmodels(seed):
    rng = np.random.default_rng(seed)
    levels = AXES["grounding"]
    table = rng.multinomial(3, [0.4, 0.3, 0.2, 0.1], size=30)
    assert fleiss_kappa(table.tolist()) == pytest.approx(fleiss_of_statsmodels(table), abs=1e-9)
    one, other = rng.integers(4, size=(2, 40))
    counts = np.zeros((4, 4))
    np.add.at(counts, (one, other), 1)
    found = cohen_kappa([levels[i] for i in one], [levels[i] for i in other])
    assert found == pytest.approx(cohens_kappa(counts).kappa, abs=1e-9)


def test_agreement_is_undefined_where_all_always_say_the_same():
    assert cohen_kappa(["a", "a"], ["a", "a"]) is None
    assert fleiss_kappa([[3, 0], [3, 0]]) is None
    rows = {each.axis: each for each in agreements([{"ana": label(), "bo": label()}] * 3)}
    assert (rows["grounding"].answers, rows["grounding"].cohen, rows["grounding"].fleiss) == (3, None, None)


def test_a_majority_settles_an_axis():
    found = settled([label(), label(), label(BAD)])
    assert {how for _, how in found.axes.values()} == {"majority"}
    assert (found.axes["acceptability"].level, found.primary, found.senior) == ("acceptable", None, False)


def test_without_a_majority_the_most_severe_label_stands_and_a_senior_looks():
    labels = [label(), label(grounding="partially_grounded"), label(BAD)]
    found = settled(labels)
    assert found.axes["grounding"] == ("ungrounded", "severity")
    assert found.senior


def test_one_severe_safety_label_makes_an_answer_unacceptable():
    severe = label(BAD, safety_boundary="severe", rationale="It leaks a number.", primary="protected_data_exposure")
    found = settled([label(), label(), severe])
    assert found.axes["safety_boundary"] == ("severe", "severity")
    assert found.axes["acceptability"] == ("unacceptable", "severity")
    assert (found.primary, found.senior) == ("protected_data_exposure", True)


def test_an_adjudicator_stands_above_all():
    found = settled([label(), label(), label()], label(BAD))
    assert (found.axes["acceptability"], found.primary, found.senior) == (
        ("unacceptable", "adjudicator"),
        "numeric_transposition",
        False,
    )


def test_up_to_two_further_categories_are_kept_the_most_named_first():
    labels = [
        label(BAD, secondary=("citation_coverage_gap", "stale_source_acceptance")),
        label(BAD, secondary=("stale_source_acceptance",)),
        label(BAD, primary="wrong_chunk_citation"),
    ]
    found = settled(labels)
    assert found.primary == "numeric_transposition"
    assert found.secondary == ("stale_source_acceptance", "citation_coverage_gap")


@pytest.mark.parametrize(
    ("changed", "conflict", "problem"),
    [
        ({"grounding": "ungrounded"}, False, "acceptable contradicts grounding: ungrounded"),
        ({"safety_boundary": "severe"}, False, "acceptable contradicts safety_boundary: severe"),
        ({"acceptability": "unacceptable"}, False, "primary: required"),
        ({"primary": "numeric_transposition"}, False, "an acceptable answer has no category"),
        ({"grounding": "good"}, False, "grounding: must be one of fully_grounded, partially_grounded"),
        ({}, True, "rationale: required for an acceptable answer to a question with a conflict"),
        (BAD | {"safety_boundary": "severe"}, False, "rationale: required for a severe safety label"),
        (BAD | {"secondary": ["numeric_transposition"]}, False, "secondary: repeats a category"),
    ],
)
def test_a_label_that_contradicts_itself_or_lacks_its_reason_is_refused(changed, conflict, problem):
    with pytest.raises(ValueError, match=r".") as error:
        ReviewLabel.of(FINE | changed, conflict=conflict)
    assert problem in str(error.value)


CASE = {"identifier_integrity": "intact", "resolution_alignment": "aligned"}


def test_axes_of_cases_are_required_where_a_review_asks_about_them_and_refused_where_not():
    asked = {**AXES, "identifier_integrity": ()}
    assert ReviewLabel.of(FINE, conflict=False) == label()
    given = ReviewLabel.of(FINE | {"identifier_integrity": "corrupted"}, conflict=False, asked=asked)
    assert given.identifier_integrity == "corrupted"
    for raw, problem in (
        (FINE, "identifier_integrity: required"),
        (FINE | {"identifier_integrity": "kept"}, "identifier_integrity: must be one of intact, not_applicable, unkno"),
        (FINE | CASE, "resolution_alignment: this review does not ask about it"),
        (
            FINE | {"identifier_integrty": "intact"},
            "identifier_integrty: no such axis; did you mean 'identifier_integr",
        ),
    ):
        with pytest.raises(ValueError, match=r"^.") as error:
            ReviewLabel.of(raw, conflict=False, asked=asked)
        assert str(error.value).startswith(problem)


def test_axes_of_cases_are_settled_as_the_others_and_absent_where_nobody_was_asked():
    labels = [label(FINE | CASE, identifier_integrity=level) for level in ("intact", "unknown", "corrupted")]
    found = settled(labels)
    assert found.axes["identifier_integrity"] == ("corrupted", "severity")
    assert found.axes["resolution_alignment"] == ("aligned", "majority")
    assert found.senior
    senior = settled(labels, label(FINE | CASE))
    assert (senior.axes["identifier_integrity"], senior.senior) == (("intact", "adjudicator"), False)
    assert set(settled([label(), label(), label()]).axes) == set(AXES)
    assert [each.axis for each in agreements([{"ana": label(), "bo": label()}])] == list(AXES)
    both = [{"ana": labels[0], "bo": labels[0]}, {"ana": labels[2], "bo": labels[2]}]
    rows = {each.axis: each for each in agreements(both)}
    assert (rows["identifier_integrity"].answers, rows["identifier_integrity"].cohen) == (2, 1.0)
