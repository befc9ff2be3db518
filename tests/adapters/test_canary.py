"""Traffic of canaries is recognised however an application hands the mark on."""

from __future__ import annotations

import pytest

from adapters.canary import TRACE_PREFIX, is_canary_trace
from adapters.trace import Span, Trace
from collector.pipeline.adapt_task import AdaptOptions, TraceTask, adapt
from tests.traffic import rag_trace

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"


@pytest.mark.parametrize(
    "attributes",
    [
        {"groundwire.canary": "c1"},
        {"http.request.header.x-groundwire-canary": ["c1"]},
        {"http.request.header.x_groundwire_canary": ["c1"]},
        {"http.request.header.baggage": ["a=b,groundwire.canary=c1"]},
        {"langfuse.trace.metadata.groundwire.canary": "c1"},
        {"metadata": '{"groundwire.canary": "c1"}'},
        {"traceloop.association.properties.groundwire.canary": "c1"},
    ],
)
def test_a_mark_on_any_span_tells(attributes: dict) -> None:
    plain = Span(TRACE, "a1", None, "POST", 1, 2, {"http.route": "/ask"})
    marked = Span(TRACE, "a2", "a1", "retrieve", 1, 2, attributes)
    assert is_canary_trace(Trace.of(TRACE, [plain, marked], complete=True))
    assert not is_canary_trace(Trace.of(TRACE, [plain], complete=True))


def test_a_trace_that_goes_on_with_the_request_is_known_by_its_id() -> None:
    trace = TRACE_PREFIX + "0123456789abcdef"
    assert is_canary_trace(Trace.of(trace, [Span(trace, "a1", None, "POST", 1, 2)], complete=True))


def test_a_question_that_speaks_of_canaries_is_a_users() -> None:
    span = Span(TRACE, "a1", None, "ask", 1, 2, {"input.value": 'What is "groundwire.canary"?'})
    assert not is_canary_trace(Trace.of(TRACE, [span], complete=True))


def test_such_a_trace_has_no_answer_and_its_spans_are_accounted_for() -> None:
    data = rag_trace(
        "c", question="?", answer="Up to 180 EUR.", passages=({"text": "Up to 180 EUR.", "metadata": {}},), at=10**18,
        metadata={"groundwire.canary": "c1"},
    )  # fmt: skip
    task = TraceTask(bytes.fromhex(TRACE), (data.SerializeToString(),), complete=True)
    adapted = adapt(task, AdaptOptions())
    assert (adapted.canary, adapted.outcome, adapted.answers, adapted.external) == (True, "not_an_answer", (), ())
    assert adapted.n_spans > 0
    again = adapt(TraceTask(task.trace_id, task.chunks * 2, complete=True), AdaptOptions())
    assert (again.n_spans, again.n_duplicates) == (adapted.n_spans, adapted.n_spans)
