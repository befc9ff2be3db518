"""Functions of an application as spans: what they are called and gave back tells which of them search."""

from __future__ import annotations

import json
from typing import Any

import pytest

from adapters.detect import AdaptOptions, adapt_trace
from adapters.schema import Answer
from adapters.trace import Span, Trace

QUESTION, SAID = "For how long are books lent?", "Four weeks."
ROWS = [{"id": "b-1", "text": "Books are lent for four weeks.", "score": 0.8, "metadata": {"doc_id": "b"}}]
CHAT = {
    "gen_ai.operation.name": "chat",
    "gen_ai.input.messages": json.dumps([{"role": "user", "content": QUESTION}]),
    "gen_ai.output.messages": json.dumps([{"role": "assistant", "content": SAID}]),
}


def logfire(name: str, given: Any, returned: Any) -> dict[str, Any]:
    named = {"query" if name == "retrieve" else "question": given}
    return {**named, "return": returned, "logfire.json_schema": "{}", "code.lineno": 3}


def laminar(_: str, given: Any, returned: Any) -> dict[str, Any]:
    return {"lmnr.span.type": "DEFAULT", "lmnr.span.input": json.dumps({"q": given}), "lmnr.span.output": returned}


def mlflow(_: str, given: Any, returned: Any) -> dict[str, Any]:
    told = {"mlflow.spanType": '"UNKNOWN"', "mlflow.spanInputs": json.dumps({"question": given})}
    return {**told, "mlflow.spanOutputs": returned}


def answered(function: Any, scope: str, found: Any) -> Answer:
    spans = [
        Span("t", "1", None, "ask", 1, 90, function("ask", QUESTION, SAID), scope_name=scope),
        Span("t", "2", "1", "retrieve", 2, 9, function("retrieve", QUESTION, json.dumps(found)), scope_name=scope),
        Span("t", "3", "1", "chat", 10, 80, CHAT, scope_name="client"),
    ]
    (answer,) = adapt_trace(Trace.of("t", spans), AdaptOptions())
    return answer


DIALECTS = [(logfire, "logfire"), (laminar, "lmnr.tracer"), (mlflow, "mlflow.tracing.provider")]


@pytest.mark.parametrize(("function", "scope"), DIALECTS)
def test_a_function_called_a_search_that_gave_back_documents_retrieved_them(function: Any, scope: str) -> None:
    found = answered(function, scope, ROWS)
    assert (found.question, found.answer, found.llm_calls) == (QUESTION, SAID, 1)
    assert [(p.id, p.score, p.doc_id) for p in found.passages] == [("b-1", 0.8, "b")]
    assert [(stage.kind, stage.name) for stage in found.stages] == [("retrieve", "retrieve")]


@pytest.mark.parametrize(("function", "scope"), DIALECTS)
def test_a_function_that_gave_back_something_else_is_a_mere_step(function: Any, scope: str) -> None:
    assert answered(function, scope, {"count": 3}).passages is None


def test_documents_among_the_attributes_of_a_span_by_hand_were_retrieved() -> None:
    by_hand = {"query": QUESTION, "documents": json.dumps(ROWS), "logfire.json_schema": "{}"}
    spans = [
        Span("t", "1", None, "look up", 1, 9, by_hand, scope_name="logfire"),
        Span("t", "2", None, "chat", 10, 80, CHAT, scope_name="client"),
    ]
    (answer,) = adapt_trace(Trace.of("t", spans), AdaptOptions())
    assert [passage.id for passage in answer.passages] == ["b-1"]
