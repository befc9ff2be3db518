"""Scores as judges and tools write them: the same few facts, whatever they are called there."""

import pytest

from adapters.external.rows import score_of
from adapters.ids import span_id_of

UUID = "0af76519-16cd-43dd-8448-eb211c80319c"
TRACE = "0af7651916cd43dd8448eb211c80319c"
LANGFUSE = {
    "id": "s-1",
    "traceId": TRACE,
    "observationId": "b7ad6b7169203331",
    "name": "helpfulness",
    "value": 4,
    "dataType": "NUMERIC",
    "source": "EVAL",
    "comment": "short",
    "timestamp": "2026-11-20T10:00:00.000Z",
    "projectId": "p",
}
LANGSMITH = {
    "id": "f-1",
    "run_id": UUID,
    "trace_id": UUID,
    "key": "thumbs",
    "score": True,
    "value": None,
    "comment": None,
    "created_at": "2026-11-20T10:00:00.123456",
    "feedback_source": {"type": "app", "metadata": None},
}
MLFLOW = {
    "assessment_name": "relevance",
    "trace_id": f"tr-{TRACE}",
    "source": {"source_type": "LLM_JUDGE", "source_id": "gpt-judge"},
    "feedback": {"value": "yes"},
    "rationale": "on topic",
    "create_time": "2026-11-20T10:00:00Z",
    "metadata": {"evaluator_version": "3"},
}
PHOENIX = {
    "id": "a-1",
    "trace_id": TRACE,
    "span_id": "b7ad6b7169203331",
    "name": "qa",
    "annotator_kind": "LLM",
    "identifier": "nightly",
    "result": {"score": 0.5, "label": "partly", "explanation": "half of it"},
    "metadata": {},
    "created_at": "2026-11-20T10:00:00+00:00",
}


@pytest.mark.parametrize(
    ("row", "name", "value", "label", "evaluator", "trace"),
    [
        (LANGFUSE, "helpfulness", 4.0, None, "EVAL", TRACE),
        (LANGFUSE | {"dataType": "CATEGORICAL", "stringValue": "good"}, "helpfulness", None, "good", "EVAL", TRACE),
        (LANGSMITH, "thumbs", 1.0, None, "app", TRACE),
        (LANGSMITH | {"score": None, "value": "wrong"}, "thumbs", None, "wrong", "app", TRACE),
        (MLFLOW, "relevance", 1.0, None, "gpt-judge@3", TRACE),
        (PHOENIX, "qa", 0.5, "partly", "nightly", TRACE),
        (
            {"name": "tone", "value": 4, "trace_id": TRACE, "evaluator": "j", "version": "2"},
            "tone",
            4.0,
            None,
            "j@2",
            TRACE,
        ),
    ],
)
def test_a_row_is_read_as_its_tool_exports_it(row, name, value, label, evaluator, trace):
    score = score_of(row)
    assert (score.name, score.value, score.label, score.measured_by, score.trace_id) == (
        name,
        value,
        label,
        evaluator,
        trace,
    )


def test_the_span_of_a_run_is_the_one_its_trace_was_read_with():
    assert score_of(LANGSMITH).span_id == span_id_of(UUID)


@pytest.mark.parametrize(
    "row",
    [
        LANGFUSE | {"id": "groundwire-0123"},
        LANGFUSE | {"metadata": {"answer_id": "a", "revision": 0}},
        PHOENIX | {"identifier": "groundwire"},
        PHOENIX | {"metadata": {"answer_id": "a", "revision": 0}},
        {"name": "tone", "value": 4, "trace_id": TRACE, "evaluator": "groundwire"},
    ],
)
def test_what_this_agent_wrote_to_a_tool_is_known(row):
    assert score_of(row).ours


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ({"name": "tone", "value": 4}, "give answer_id, trace_id or response_id"),
        ({"name": "tone", "answer_id": "a"}, "give a value or a label"),
        ({"name": "tone", "value": float("nan"), "answer_id": "a"}, "finite number"),
        ({"name": "tone", "value": 1, "answer_id": "a", "verdict": "?"}, "Extra inputs"),
        ({"name": "tone", "value": 1, "answer_id": "a", "probability": 0}, "greater than 0"),
        (LANGSMITH | {"score": None}, "give a value or a label"),
        (LANGFUSE | {"value": [1]}, "give a value or a label"),
    ],
)
def test_a_row_that_is_no_score_says_why(row, problem):
    with pytest.raises(ValueError, match=problem):
        score_of(row)


def test_hostile_text_is_shortened_and_what_no_database_takes_is_refused():
    assert len(score_of({"name": "t", "value": 1, "answer_id": "a", "explanation": "x" * 10**6}).explanation) == 2_000
    with pytest.raises(ValueError, match="unicode"):
        score_of({"name": "t\ud800", "value": 1, "answer_id": "a"})
