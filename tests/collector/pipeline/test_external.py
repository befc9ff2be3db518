"""Scores that stand in traces: from the event of a judge to a value that gates fold."""

import pytest
from google.protobuf.json_format import MessageToJson
from opentelemetry.proto.logs.v1.logs_pb2 import LogRecord, LogsData
from structlog.testing import capture_logs

from collector.receivers.items import ItemLimits, json_items, protobuf_items
from collector.receivers.signals import LOGS
from collector.receivers.split import split
from tests.collector.pipeline.test_flow import NOON, SECOND, Flow
from tests.traffic import policy_trace, span_id_of, trace_id_of

TONE = {"name": "tone", "bounds": [1, 5], "values": {"rude": 1, "kind": 5}}
NAME, ROOT = "policy-travel-1", span_id_of("policy-travel-1/root")


@pytest.fixture
def flow(tmp_path):
    flow = Flow(tmp_path / "data", external=(TONE, {"name": "thumbs", "values": {"up": 1, "down": 0}}))
    yield flow
    flow.store.close()


def put(attributes, **values):
    for key, value in values.items():
        kind = "string_value" if isinstance(value, str) else "double_value"
        setattr(attributes.add(key=key.replace("__", ".")).value, kind, value)


def result(name, *, version=None, **score):
    told = {f"gen_ai__evaluation__{key}": value for key, value in {"name": name, **score}.items()}
    return told | (
        {"gen_ai__evaluation__evaluator__name": "judge", "gen_ai__evaluation__evaluator__version": version}
        if version
        else {}
    )


def judged_in_trace(**told):
    data = policy_trace(1, at=NOON)
    span = data.resource_spans[0].scope_spans[0].spans[0]
    put(span.events.add(name="gen_ai.evaluation.result", time_unix_nano=NOON).attributes, **told)
    return data


def log(flow, *, span=ROOT, trace=NAME, scope="my-judge", keep=1.0, as_json=False, **told):
    data = LogsData()
    group = data.resource_logs.add().scope_logs.add()
    group.scope.name, group.scope.version = scope, "7"
    record = LogRecord(
        trace_id=trace_id_of(trace) if trace else b"",
        span_id=span,
        event_name="gen_ai.evaluation.result",
        time_unix_nano=NOON,
    )
    put(record.attributes, **told)
    group.log_records.append(record)
    limits = ItemLimits(100, 10_000)
    body = MessageToJson(data).encode() if as_json else data.SerializeToString()
    items = json_items(body, LOGS.layout, limits) if as_json else protobuf_items(body, LOGS.layout, limits)
    flow.store.append(split(items, arrived=flow.now, keep=keep).chunks)


def answered_with(*responses, i=1):
    """A trace of an answer whose model call names the response that it got; of several, one more call each."""
    data = policy_trace(i, at=NOON)
    scope = data.resource_spans[0].scope_spans[0]
    (model,) = [span for span in scope.spans if span.name == "ChatModel"]
    for number, response in enumerate(responses[1:]):
        more = scope.spans.add()
        more.CopyFrom(model)
        more.span_id = bytes([number + 1]) * 8
        put(more.attributes, gen_ai__response__id=response)
    put(model.attributes, gen_ai__response__id=responses[0])
    return data


NOWHERE = {"span": b"", "trace": None}
TONE_OF_1 = result("tone", score__value=4.0) | {"gen_ai__response__id": "chatcmpl-1"}


def scores(flow):
    (row,) = flow.answers()
    return [(each.metric, each.value, each.evaluator, each.source) for each in row.external]


def outcomes(flow):
    series = flow.series("groundwire_external_scores_total{")
    return {name.split('"')[1]: int(value) for name, value in series.items() if value}


def test_an_event_on_a_span_is_a_score_of_the_answer_of_its_trace(flow):
    flow.receive(judged_in_trace(**result("tone", score__value=4.0, explanation="kind enough", version="2")))
    flow.settle()
    assert scores(flow) == [("external.tone", 4.0, "judge@2", "otlp")]
    assert outcomes(flow) == {"waiting": 1, "stored": 1}
    assert flow.series("rag_external_tone_points_count") == {"rag_external_tone_points_count": 1}
    (evaluation,) = flow.store.external_after(0, limit=9)
    assert evaluation.slice == {"service": "assistant", "domain": "travel"}
    assert evaluation.versions["scorer"] == "judge@2"


def test_a_log_record_that_comes_after_the_answer_is_a_score_and_no_new_revision(flow):
    flow.receive(policy_trace(1, at=NOON))
    flow.settle()
    log(flow, **result("tone", score__label="kind"))
    flow.settle()
    assert scores(flow) == [("external.tone", 5.0, "my-judge@7", "otlp")]
    (row,) = flow.answers()
    assert row.stored.answer.revision == 0
    assert len(flow.store.evaluations_after(0, limit=9)) == 1
    totals = flow.store.totals()
    assert (totals.accepted, totals.adapted, totals.duplicate, totals.pending) == (4, 4, 0, 0)


def test_a_log_record_that_comes_before_the_answer_waits_for_it(flow):
    log(flow, **result("tone", score__value=2.0))
    flow.settle(61)
    assert outcomes(flow) == {"waiting": 1}
    assert flow.series("groundwire_external_waiting") == {"groundwire_external_waiting": 1}
    flow.receive(policy_trace(1, at=NOON))
    flow.settle()
    assert scores(flow) == [("external.tone", 2.0, "my-judge@7", "otlp")]
    assert flow.series("groundwire_external_waiting") == {"groundwire_external_waiting": 0}


def test_a_log_record_without_a_span_is_of_its_trace(flow):
    flow.receive(policy_trace(1, at=NOON))
    log(flow, span=b"", **result("thumbs", score__label="down"))
    flow.settle()
    assert scores(flow) == [("external.thumbs", 0.0, "my-judge@7", "otlp")]


def test_a_span_that_is_a_result_is_of_its_parent_and_no_part_of_the_answer(flow):
    plain = policy_trace(1, at=NOON)
    flow.receive(plain)
    flow.settle()
    before = flow.answers()[0].stored
    with_judge = policy_trace(1, at=NOON)
    scope = with_judge.resource_spans[0].scope_spans.add()
    scope.scope.name = "my-judge"
    span = scope.spans.add(trace_id=trace_id_of(NAME), span_id=b"judgement", parent_span_id=ROOT, name="judge tone")
    span.span_id, span.start_time_unix_nano, span.end_time_unix_nano = b"j" * 8, NOON, NOON + 1
    put(span.attributes, **result("tone", score__value=1.0))
    flow.receive(with_judge)
    flow.settle()
    assert scores(flow) == [("external.tone", 1.0, "my-judge", "otlp")]
    assert flow.answers()[0].stored == before


def test_what_nobody_declared_is_counted_and_named_and_what_is_out_of_bounds_is_refused(flow):
    flow.receive(judged_in_trace(**result("tone", score__value=9.0)))
    log(flow, **result("sarcasm", score__value=1.0))
    log(flow, scope="groundwire", **result("tone", score__value=3.0))
    flow.settle()
    assert scores(flow) == []
    assert outcomes(flow) == {"undeclared": 1, "refused": 1}
    assert flow.reception.undeclared() == {"sarcasm": 1}


def test_the_first_score_of_an_answer_stands_and_another_is_counted(flow):
    flow.receive(policy_trace(1, at=NOON))
    flow.settle()
    for value in (4.0, 4.0, 2.0):
        log(flow, **result("tone", score__value=value))
        flow.settle()
    assert [value for _, value, _, _ in scores(flow)] == [4.0]
    assert outcomes(flow) == {"stored": 1, "repeated": 2, "conflicting": 1}


def test_a_score_whose_answer_never_comes_is_given_up_after_a_day(flow):
    log(flow, **result("tone", score__value=2.0))
    flow.settle(61)
    flow.now += 86_400 * SECOND
    flow.settle()
    assert outcomes(flow) == {"waiting": 1, "unmatched": 1}
    assert flow.series("groundwire_external_waiting") == {"groundwire_external_waiting": 0}


def test_gates_fold_a_score_with_its_evaluator_as_the_version_of_its_scorer(flow):
    flow.receive(policy_trace(1, at=NOON))
    flow.settle()
    log(flow, **result("tone", score__value=4.0, version="2"))
    flow.settle()
    pieces, _ = flow.store.timeline_after(0, limit=9)
    rows = [
        (context.slice, dict(context.versions).get("scorer"), piece.values("external.tone")[1].tolist())
        for piece in pieces
        for context in piece.contexts
        if "external.tone" in context.metrics
    ]
    assert rows == [((("domain", "travel"), ("service", "assistant")), "judge@2", [4.0])]


@pytest.mark.parametrize("as_json", [False, True])
@pytest.mark.parametrize("judge_first", [False, True])
def test_a_result_that_names_only_a_response_is_of_the_answer_made_from_it(flow, judge_first, as_json):
    if judge_first:
        log(flow, **NOWHERE, as_json=as_json, **TONE_OF_1)
        flow.settle()
        assert outcomes(flow) == {"waiting": 1}
    flow.receive(answered_with("chatcmpl-0", "chatcmpl-1"))
    flow.settle()
    if not judge_first:
        log(flow, **NOWHERE, as_json=as_json, **TONE_OF_1)
        flow.settle()
    assert scores(flow) == [("external.tone", 4.0, "my-judge@7", "otlp")]
    assert flow.series("groundwire_external_waiting") == {"groundwire_external_waiting": 0}
    (row,) = flow.answers()
    answer = row.stored.answer
    assert (answer.revision, set(answer.response_ids)) == (0, {"chatcmpl-0", "chatcmpl-1"})


def test_such_a_result_counts_once_however_often_it_is_sent_and_is_never_thinned(flow):
    flow.receive(answered_with("chatcmpl-1"))
    for _ in range(3):
        log(flow, **NOWHERE, keep=1e-9, **TONE_OF_1)
        flow.settle()
    assert scores(flow) == [("external.tone", 4.0, "my-judge@7", "otlp")]
    assert outcomes(flow)["stored"] == 1
    totals = flow.store.totals()
    assert (totals.accepted, totals.pending) == (6, 0)


def test_a_result_in_the_trace_of_its_judge_is_of_the_answer_whose_response_it_names(flow):
    flow.receive(answered_with("chatcmpl-1"))
    flow.receive(answered_with("judge-1", i=2))
    flow.settle()
    log(flow, trace="policy-travel-2", span=span_id_of("policy-travel-2/root"), **TONE_OF_1)
    flow.settle()
    found = {row.stored.answer.response_ids: [each.value for each in row.external] for row in flow.answers()}
    assert found == {("chatcmpl-1",): [4.0], ("judge-1",): []}


def test_of_answers_with_one_response_the_one_in_the_trace_of_the_result_is_meant(flow):
    flow.receive(answered_with("chatcmpl-1"))
    flow.settle()
    cached = answered_with("chatcmpl-1", i=2)
    event = cached.resource_spans[0].scope_spans[0].spans[0].events.add(name="gen_ai.evaluation.result")
    put(event.attributes, **TONE_OF_1)
    flow.receive(cached)
    flow.settle()
    found = {row.stored.answer.id: [each.value for each in row.external] for row in flow.answers()}
    first, second = (trace_id_of(f"policy-travel-{i}").hex() for i in (1, 2))
    assert found == {first: [], second: [4.0]}


def test_the_response_of_a_judges_own_call_is_not_taken_for_that_of_the_answer(flow):
    data = answered_with("chatcmpl-1")
    span = data.resource_spans[0].scope_spans[0].spans.add(trace_id=trace_id_of(NAME), parent_span_id=ROOT, name="chat")
    span.span_id, span.start_time_unix_nano, span.end_time_unix_nano = b"j" * 8, NOON, NOON + 1
    put(span.attributes, **TONE_OF_1 | {"gen_ai__operation__name": "chat", "gen_ai__response__id": "judge-7"})
    flow.receive(data)
    flow.settle()
    assert [value for _, value, _, _ in scores(flow)] == [4.0]


def test_a_result_whose_response_never_comes_is_named(flow):
    log(flow, **NOWHERE, **TONE_OF_1)
    flow.settle()
    flow.now += 86_400 * SECOND
    with capture_logs() as logs:
        flow.settle()
    assert outcomes(flow) == {"waiting": 1, "unmatched": 1}
    ((row, _),) = flow.store.external_unmatched(limit=9)
    assert (row.metric, row.response_id, row.trace_id) == ("external.tone", "chatcmpl-1", "")
    assert [each["scores"] for each in logs if "given up" in each["event"]] == [{"external.tone": 1}]
