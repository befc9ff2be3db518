"""Content that comes in log records, through the door, the real store and the workers' own handler."""

from contextlib import closing

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from opentelemetry.proto.logs.v1.logs_pb2 import LogsData
from opentelemetry.proto.trace.v1.trace_pb2 import TracesData

from adapters.base import AdaptOptions
from collector.catalog.files import CatalogFile
from collector.catalog.snapshot import BuildOrder, Mapped, build
from collector.pipeline.tasks import set_up
from collector.receivers.items import ItemLimits, protobuf_items
from collector.receivers.signals import LOGS, TRACES
from collector.receivers.split import split
from tests.collector.pipeline.test_flow import NOON, SECOND, Flow
from tests.traffic import span_id_of, trace_id_of

TRACE = trace_id_of("call")
SCOPE = "opentelemetry.instrumentation.genai.openai"
QUESTION, ANSWER = "What is the hotel limit?", "The hotel limit is 180 EUR per night."


def span(name, parent=None, start=0, **attributes):
    data = TracesData()
    block = data.resource_spans.add()
    block.resource.attributes.add(key="service.name").value.string_value = "assistant"
    group = block.scope_spans.add()
    group.scope.name = SCOPE
    made = group.spans.add(
        trace_id=TRACE,
        span_id=span_id_of(name),
        parent_span_id=span_id_of(parent) if parent else b"",
        name=name,
        start_time_unix_nano=NOON + start,
        end_time_unix_nano=NOON + start + SECOND,
    )
    for key, value in attributes.items():
        made.attributes.add(key=f"gen_ai.{key.replace('__', '.')}").value.string_value = value
    return TRACES, data.SerializeToString()


def record(of, role_in, text_in, text_out, at):
    data = LogsData()
    block = data.resource_logs.add()
    block.resource.attributes.add(key="service.name").value.string_value = "assistant"
    group = block.scope_logs.add()
    group.scope.name = SCOPE
    made = group.log_records.add(
        trace_id=TRACE,
        span_id=span_id_of(of),
        event_name="gen_ai.client.inference.operation.details",
        observed_time_unix_nano=NOON + at,
    )
    for key, role, text in (("input", role_in, text_in), ("output", "assistant", text_out)):
        message = made.attributes.add(key=f"gen_ai.{key}.messages").value.array_value.values.add().kvlist_value
        message.values.add(key="role").value.string_value = role
        part = message.values.add(key="parts").value.array_value.values.add().kvlist_value
        part.values.add(key="type").value.string_value = "text"
        part.values.add(key="content").value.string_value = text
    return LOGS, data.SerializeToString()


ROOT = span("workflow", operation__name="invoke_workflow")
RETRIEVAL = span(
    "retrieval", "workflow", 1, operation__name="retrieval", retrieval__documents='[{"id": "TRV-1@3", "score": 0.8}]'
)
REWRITE = span("rewrite", "workflow", 2, operation__name="chat", request__model="m")
CHAT = span("chat", "workflow", 3 * SECOND, operation__name="chat", request__model="m")
REWRITTEN = record("rewrite", "user", QUESTION, "hotel limit", SECOND)
ANSWERED = record("chat", "user", QUESTION, ANSWER, 4 * SECOND)
SPANS, RECORDS = (ROOT, RETRIEVAL, REWRITE, CHAT), (REWRITTEN, ANSWERED)


def receive(flow, items):
    """Take items in as the receivers do: one request a signal."""
    for signal in (TRACES, LOGS):
        body = b"".join(data for of, data in items if of is signal)
        scopes = protobuf_items(body, signal.layout, ItemLimits(1000, 1 << 20))
        found = split(scopes, arrived=flow.now, keep=1.0)
        assert not found.dropped
        if found.chunks:
            flow.store.append(found.chunks)


def state(flow):
    """The answer as it stands, and the books."""
    answers = [row.stored.answer.model_copy(update={"revision": 0}) for row in flow.answers()]
    return answers, flow.store.totals()


@pytest.fixture
def flow(tmp_path):
    flow = Flow(tmp_path / "data")
    yield flow
    flow.store.close()


def test_content_in_log_records_makes_the_answer(flow):
    receive(flow, [*SPANS, *RECORDS])
    flow.settle()
    (row,) = flow.answers()
    answer = row.stored.answer
    assert (answer.question, answer.answer, answer.llm_calls) == (QUESTION, ANSWER, 2)
    totals = flow.store.totals()
    assert (totals.accepted, totals.adapted, totals.duplicate, totals.pending) == (6, 6, 0, 0)


def test_a_late_log_record_gives_a_new_revision_and_its_copy_does_not(flow):
    receive(flow, SPANS)
    flow.settle()
    (before,) = flow.answers()
    assert before.stored.answer.answer is None
    receive(flow, RECORDS)
    flow.settle()
    (after,) = flow.answers()
    assert (after.stored.answer.revision, after.stored.answer.answer) == (1, ANSWER)
    assert after.evaluation.revision == 1
    receive(flow, [*RECORDS, *SPANS])
    flow.settle()
    (again,) = flow.answers()
    assert again == after
    totals = flow.store.totals()
    assert (totals.accepted, totals.adapted, totals.duplicate, totals.pending) == (12, 6, 6, 0)


def test_log_records_whose_spans_never_come_are_no_answer_and_no_error(flow):
    receive(flow, [ANSWERED, ANSWERED])
    flow.settle(61)
    assert flow.answers() == []
    totals = flow.store.totals()
    assert (totals.accepted, totals.not_an_answer, totals.duplicate, totals.malformed) == (2, 1, 1, 0)
    receive(flow, [*SPANS, REWRITTEN])
    flow.settle()
    (row,) = flow.answers()
    assert (row.stored.answer.revision, row.stored.answer.answer) == (0, ANSWER)


@pytest.mark.slow
@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.lists(st.sampled_from(range(6)), max_size=6).flatmap(lambda copies: st.permutations([*range(6), *copies])),
    st.lists(st.tuples(st.integers(0, 12), st.sampled_from([0, 6, 61])), max_size=4),
)
def test_in_any_order_and_batching_with_any_copies_the_answer_is_the_same(tmp_path_factory, order, breaks):
    items = [(*SPANS, *RECORDS)[number] for number in order]
    together, apart = Flow(tmp_path_factory.mktemp("a")), Flow(tmp_path_factory.mktemp("b"))
    with closing(together.store), closing(apart.store):
        receive(together, [*SPANS, *RECORDS])
        together.settle(61)
        start = 0
        for at, seconds in sorted(breaks):
            receive(apart, items[start:at])
            start = max(start, at)
            if seconds:
                apart.settle(seconds)
        receive(apart, items[start:])
        apart.settle(61)
        (expected, _), (found, totals) = state(together), state(apart)
        assert found == expected
        assert found[0].answer == ANSWER
        assert (totals.accepted, totals.adapted, totals.duplicate) == (len(items), 6, len(items) - 6)
        assert (totals.pending, totals.malformed, totals.not_an_answer) == (0, 0, 0)


def test_passages_without_a_text_get_it_from_the_catalog_in_force(flow, tmp_path):
    texts = ("The limit is 180 EUR.", "The limit is 200 EUR.")
    for number, text in enumerate(texts):
        source = tmp_path / "c.yaml"
        source.write_text(f'documents: [{{id: TRV-1, version: "3", text: "{text}"}}]')
        made = build(BuildOrder((CatalogFile(source, "yaml", "c.yaml"),), tmp_path / "made"))
        flow.pool.handler = set_up(AdaptOptions(), flow.panel, Mapped(str(made.path)), 5.0)
        receive(flow, [*SPANS, RECORDS[0]] if number == 0 else [RECORDS[1]])
        flow.settle()
        (row,) = flow.answers()
        (passage,) = row.stored.answer.passages
        assert (passage.id, passage.text, passage.doc_id, passage.version) == ("TRV-1@3", text, "TRV-1", "3")
        assert passage.score == 0.8
