"""What is said of an answer."""

from datetime import UTC, datetime

import pytest

from adapters.schema import Answer
from collector.writeback.items import EXPLANATION_CHARACTERS, ItemBuilder, place
from gates.base.verdict import SliceVerdict
from scorers.base import Evidence, Score
from tests.collector.writeback.examples import AT, METRICS, SECOND, Judge, answer, evaluated, verdict


def said(row, about, *, metrics=METRICS, gates=(), judge=None):
    builder = ItemBuilder(metrics=metrics, gates=gates, judge=judge or Judge())
    items = builder.items(row, about)
    assert builder.count(row) == len(items)
    return {item.name: item for item in items}


def test_each_metric_with_a_value_is_said_with_its_basis_version_and_what_it_rests_on():
    evidence = tuple(Evidence(kind="claim", detail=f"claim {n}") for n in range(5))
    score = Score(
        metric="claim_support", value=0.5, basis="passages", label="half", explanation="1 of 2", evidence=evidence
    )
    items = said(evaluated(scores=(score,)), answer(environment="prod", started_at=datetime(2020, 1, 1, tzinfo=UTC)))
    item = items["claim_support"]
    assert (item.value, item.label) == (0.5, "half")
    assert item.explanation == "1 of 2; claim 0; claim 1; claim 2; and 2 more"
    assert item.metadata == {"metric_version": "1", "better": "higher", "basis": "passages"}
    assert (item.trace_id, item.span_id, item.revision, item.environment) == (f"{1:032x}", f"{1:016x}", 0, "prod")
    assert (item.started_at, item.scored_at) == (1_577_836_800_000_000_000, AT + SECOND)


def test_an_answer_from_the_future_is_said_to_be_of_the_time_it_was_scored():
    items = said(evaluated(), answer(started_at=datetime(2100, 1, 1, tzinfo=UTC)))
    assert {item.started_at for item in items.values()} == {AT + SECOND}
    assert {item.started_at for item in said(evaluated(), answer()).values()} == {AT}


def test_only_the_metrics_chosen_are_said():
    assert set(said(evaluated(), answer())) == {"claim_support", "stale_source_use"}
    assert set(said(evaluated(), answer(), metrics={"claim_support": METRICS["claim_support"]})) == {"claim_support"}


def test_explanations_are_bounded_and_can_be_encoded():
    score = Score(metric="claim_support", value=0.5, label="\ud800", explanation="\udfff" + "x" * 10_000)
    item = said(evaluated(scores=(score,)), answer())["claim_support"]
    assert len(item.explanation) == EXPLANATION_CHARACTERS
    assert (item.label, item.explanation[:2]) == ("?", "?x")


def test_long_ids_are_cut_and_stay_different():
    first, second = (said(evaluated(), answer("x" * 5000 + end))["claim_support"].answer_id for end in "ab")
    assert first != second
    assert len(first) < 200


@pytest.mark.parametrize(("domain", "state"), [("travel", "pass"), ("leave", "fail")])
def test_a_gate_says_its_verdict_on_the_slice_of_the_answer(domain, state):
    judge = Judge(verdict(travel="pass", leave="fail"))
    row = evaluated(slice_={"domain": domain, "service": "s"})
    item = said(row, answer(), gates=("grounded",), judge=judge)["gate:grounded"]
    assert (item.value, item.label, item.explanation) == (None, state, f"why {domain}")
    assert item.metadata == {"policy_version": "p1", "answers": 40, "slice": f"domain={domain}"}


def test_a_gate_over_all_traffic_has_one_verdict_for_all():
    part = SliceVerdict(slice={}, state="pass", reason="fine", n=9, effective_n=9)
    whole = verdict().model_copy(update={"slices": (part,)})
    item = said(evaluated(), answer(), gates=("grounded",), judge=Judge(whole))["gate:grounded"]
    assert (item.label, item.metadata) == ("pass", {"policy_version": "p1", "answers": 9})


def test_without_a_present_verdict_on_the_slice_it_is_inconclusive_never_pass():
    for judge in (
        Judge(),
        Judge(verdict(travel="pass"), fresh=False),
        Judge(verdict(leave="pass")),
        Judge(verdict()),
    ):
        item = said(evaluated(), answer(), gates=("grounded",), judge=judge)["gate:grounded"]
        assert item.label == "inconclusive"
        assert item.explanation


def test_an_answer_has_a_place_when_it_names_trace_and_span_as_opentelemetry_does():
    assert place(answer())
    for fields in (
        {"span_id": None},
        {"trace_id": None},
        {"trace_id": "0" * 32},
        {"span_id": "0" * 16},
        {"span_id": "my-span"},
        {"trace_id": "A" * 32},
    ):
        assert not place(answer(**fields)), fields
    assert not place(Answer(id="a"))
