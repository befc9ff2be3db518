"""What alerts say of a failure: how it moved, since when, over how many answers, why, and what to do first."""

from datetime import UTC, datetime, timedelta

import pytest

from gates.attribution.report import Attribution, Figures
from gates.base.verdict import SliceVerdict
from gates.decisions.record import AnswerEvidence, DecisionRecord, Examined, Recommendation
from gates.decisions.words import MAX_TEXT, failure_words

NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)
PART = SliceVerdict(
    slice={"domain": "travel"},
    state="fail",
    reason="r",
    n=1412,
    effective_n=1412.0,
    estimate=0.314,
    evidence={"reference": 0.1},
    alarmed_at=NOON - timedelta(minutes=5),
)
FALL = Attribution(
    metric="claim_support",
    kind="quality within strata",
    summary="s",
    alpha=0.05,
    answers=400,
    since=NOON - timedelta(hours=1),
    total=Figures(n_before=900, n_after=400, before=0.951, after=0.82, change=-0.13, lower=-0.2, upper=-0.1),
)
BACK = Recommendation(
    action="roll_back",
    reason="release changed from 2.0 to 2.1",
    component="release",
    scope={"service": "desk"},
    version="2.1",
    to_version="2.0",
)


def record(**given):
    return DecisionRecord.model_validate(
        {
            "gate": "fresh",
            "policy_version": "p",
            "slice": {"domain": "travel"},
            "state": "fail",
            "previous_state": "pass",
            "reason": "at least 5.9 % of answers, limit 5 %",
            "at": NOON,
            "since": None,
            "expires_at": NOON,
            "metrics": ("stale_source_use",),
            "slices": (PART,),
            "causes_excluded": (),
            "causes_open": (),
            "recommended": BACK,
            **given,
        }
    )


def test_a_fall_that_is_attributed_is_told_from_where_it_came_and_since_when():
    words = failure_words(record(attribution=FALL, causes_carrying=(Examined(cause="release", detail="2.0 to 2.1"),)))
    assert words.metric == "claim_support"
    assert words.summary == (
        "Gate fresh failed for domain=travel: claim_support was 0.951 before 2026-11-01 11:00 UTC, 0.82 from then on"
    )
    assert words.description == "As of 2026-11-01 12:00 UTC: at least 5.9 % of answers, limit 5 %."
    assert words.cause == "release: 2.0 to 2.1"
    assert words.first_step == "Roll back release of service=desk from 2.1 to 2.0: release changed from 2.0 to 2.1"


def test_what_the_cause_says_the_first_step_does_not_repeat():
    detail = f"{BACK.reason}: answers it touched moved from 0.9 to 0.3"
    words = failure_words(record(attribution=FALL, causes_carrying=(Examined(cause="release", detail=detail),)))
    assert words.first_step == "Roll back release of service=desk from 2.1 to 2.0"
    assert words.cause == f"release: {detail}"


def test_a_canary_is_told_by_its_arms_and_not_by_all_traffic_before_and_after():
    arms = PART.model_copy(update={"evidence": {"reference": 0.03, "candidate": 0.31}})
    assert failure_words(record(slices=(arms,), attribution=FALL)).summary == (
        "Gate fresh failed for domain=travel: claim_support was 0.31 of the candidate, 0.03 of the baseline"
    )


def test_a_version_whose_predecessor_nobody_knows_is_rolled_back_to_the_one_before():
    back = BACK.model_copy(update={"to_version": None, "scope": {}})
    assert failure_words(record(recommended=back)).first_step.startswith(
        "Roll back release from 2.1 to the version before: "
    )


def test_without_an_attribution_the_figure_is_told_with_what_it_is_held_to_and_the_cause_is_not_guessed():
    words = failure_words(record())
    assert words.summary == "Gate fresh failed for domain=travel: stale_source_use was 0.314, held to 0.1"
    assert words.description.startswith("As of 2026-11-01 12:00 UTC: ")
    assert words.cause == "not known; no change is recorded in the day before"
    passed = failure_words(record(since=NOON - timedelta(hours=2)))
    assert passed.cause == "not known; no change is recorded since it last passed"
    assert words.example == ""


def test_the_gate_as_a_whole_names_its_worst_slice_and_how_many_more_there_are():
    other = PART.model_copy(update={"slice": {"domain": "leave"}})
    words = failure_words(record(slice={}, slices=(PART, other), slices_left_out=2))
    assert words.summary == (
        "Gate fresh failed: stale_source_use of domain=travel was 0.314, held to 0.1, and 3 more slices may be failing"
    )


@pytest.mark.parametrize(
    ("recommended", "step"),
    [
        (
            Recommendation(action="quarantine_documents", reason="they are stale", documents=tuple("abcde")),
            "Index a, b, c and 2 more anew in the version in force, or take the copies out until then: they are stale",
        ),
        (
            Recommendation(action="hold", reason="several components changed: index, model"),
            "Change nothing yet, and read the example: several components changed: index, model",
        ),
    ],
)
def test_the_first_step_is_what_the_record_recommends(recommended, step):
    assert failure_words(record(recommended=recommended)).first_step == step


def test_the_example_is_the_first_of_the_worst_answers():
    worst = tuple(AnswerEvidence(answer_id=each, at=NOON, metric="m", value=1, slice={}) for each in "ab")
    assert failure_words(record(answers=worst)).example == "a"


def test_hostile_text_is_one_line_that_fits_a_telephone():
    hostile = "x\n\r\u2028\x00 " + "y" * 5000
    words = failure_words(record(slice={"domain": hostile}, reason=hostile))
    for text in (words.summary, words.description):
        assert len(text) <= MAX_TEXT
        assert text.isprintable()
