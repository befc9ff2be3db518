"""When a phase of labelling may end, and how far metrics agree with what reviewers settled on."""

import pytest

from evaluation.reviewing.adjudication import settled
from evaluation.reviewing.criteria import exit_criterion
from evaluation.reviewing.labels import ReviewLabel
from evaluation.reviewing.metrics import metric_agreements

FINE = {
    "acceptability": "acceptable",
    "evidence_sufficiency": "sufficient",
    "citation_correctness": "correct",
    "conflict_handling": "handled",
    "safety_boundary": "safe",
    "grounding": "fully_grounded",
}
BAD = FINE | {"acceptability": "unacceptable", "grounding": "ungrounded", "primary": "stale_source_acceptance"}
SEVERE = BAD | {"safety_boundary": "severe", "rationale": "names a patient"}


def given(*labels):
    return {f"r{number}": ReviewLabel(**label) for number, label in enumerate(labels)}


def ended(phase, labels, *, queues=None, unexplained=0):
    results = {str(number): settled(list(each.values())) for number, each in enumerate(labels)}
    return exit_criterion(phase, labels, results, queues or {"ana": (4, 4), "bo": (4, 4)}, unexplained)


def test_a_calibration_ends_where_kappa_is_high_on_severe_safety_and_on_grounding():
    agreed = [given(FINE, FINE), given(SEVERE, SEVERE), given(BAD, BAD)]
    assert ended("calibration", agreed).met
    found = ended("calibration", [*agreed, given(FINE, SEVERE), given(BAD, FINE)])
    assert not found.met
    assert "pairwise kappa of severe safety 0.5" in found.said
    unseen = ended("calibration", [given(FINE, FINE), given(BAD, BAD)])
    assert (unseen.met, "severe safety undefined" in unseen.said) == (False, True)


def test_a_pilot_ends_where_at_most_a_fifth_of_the_answers_have_no_majority_on_any_axis():
    clear = [given(FINE, FINE, BAD)] * 4
    split = given(FINE, BAD, FINE | {"grounding": "partially_grounded"})
    assert ended("pilot", [*clear, split]).met
    found = ended("pilot", [*clear, split, split])
    assert (found.met, found.said) == (
        False,
        "33% of the answers have no majority on grounding; at most 20% on any axis",
    )


@pytest.mark.parametrize(
    ("queues", "met"),
    [
        ({"ana": (10, 10), "bo": (11, 11)}, True),
        ({"ana": (10, 10), "bo": (12, 12)}, False),
        ({"ana": (9, 10), "bo": (10, 10)}, False),
    ],
)
def test_production_ends_where_all_is_labelled_and_loads_are_alike(queues, met):
    assert ended("production", [given(FINE, FINE)], queues=queues).met is met


def test_an_audit_ends_where_nothing_is_left_and_each_adjudication_has_its_rationale():
    assert ended("audit", [given(FINE, FINE)]).met
    assert not ended("audit", [given(FINE, BAD)]).met
    assert not ended("audit", [given(FINE, FINE)], unexplained=1).met


def test_metrics_are_held_against_what_reviewers_settled_on():
    fine, bad = settled(list(given(FINE, FINE).values())), settled(list(given(BAD, BAD).values()))
    reviewed = [
        (fine, {"faithfulness": (0.9, "supported"), "external.hallucination": (0.9, None)}),
        (bad, {"faithfulness": (0.8, "supported"), "external.hallucination": (0.3, None)}),
        (bad, {"faithfulness": (0.1, "unsupported"), "external.hallucination": (0.6, None)}),
        (fine, {"external.hallucination": (0.61, None), "ndcg": (1.0, None)}),
    ]
    found = {each.metric: each for each in metric_agreements(reviewed)}
    assert set(found) == {"faithfulness", "external.hallucination"}
    judge, ours = found["external.hallucination"], found["faithfulness"]
    assert (judge.answers, judge.same, judge.kappa) == (4, 4, 1.0)
    assert (ours.answers, ours.same, ours.axis) == (3, 2, "grounding")
    assert judge.low == pytest.approx(0.3976, abs=1e-4)


def test_a_judge_of_identifiers_is_held_against_people_where_there_are_any():
    said = ("intact", "corrupted", "unknown", "not_applicable")
    reviewed = [
        (
            settled(
                list(given(FINE | {"identifier_integrity": level}, FINE | {"identifier_integrity": level}).values())
            ),
            {"identifier_integrity": (0.5, label), "external.identifier_integrity": (judged, None)},
        )
        for level, label, judged in zip(
            said, ("intact", "corrupted", "intact", "unknown"), (1, 0.9, 0.2, 0), strict=True
        )
    ]
    found = {each.metric: each for each in metric_agreements(reviewed)}
    assert {name: (each.axis, each.answers, each.same) for name, each in found.items()} == {
        "identifier_integrity": ("identifier_integrity", 3, 2),
        "external.identifier_integrity": ("identifier_integrity", 3, 2),
    }


def test_a_pilot_counts_the_axes_of_cases():
    torn = [given(FINE | {"identifier_integrity": "intact"}, FINE | {"identifier_integrity": "unknown"})]
    assert "100% of the answers have no majority on identifier_integrity" in ended("pilot", torn).said
