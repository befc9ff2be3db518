"""Builds traces of a small RAG application as OpenInference writes them, for tests that need traffic."""

import json
from hashlib import blake2b

from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status, TracesData

SCOPE = "openinference.instrumentation.langchain"


def trace_id_of(name):
    return blake2b(name.encode(), digest_size=16).digest()


def span_id_of(name):
    return blake2b(name.encode(), digest_size=8).digest()


def passage(doc_id, version, text, **metadata):
    return {"text": text, "metadata": {"doc_id": doc_id, "version": version, **metadata}}


def rag_trace(
    name, *, question, answer, passages=(), at, metadata=None, service="assistant", release=None, failed=False, extra=0
):
    """Return TracesData of one request: a root chain over a retriever and a model call, and ``extra`` plain spans."""
    data = TracesData()
    group = data.resource_spans.add()
    _attribute(group.resource.attributes, "service.name", service)
    if release is not None:
        _attribute(group.resource.attributes, "service.version", release)
    scope = group.scope_spans.add()
    scope.scope.name = SCOPE
    ids = {part: span_id_of(f"{name}/{part}") for part in ("root", "retriever", "model")}
    common = {"metadata": json.dumps(metadata)} if metadata else {}
    root = _span(scope, name, "RunnableSequence", ids["root"], b"", at, 400)
    _fill(root, {"openinference.span.kind": "CHAIN", "input.value": question, **common})
    if failed:
        root.status.code = Status.STATUS_CODE_ERROR
        root.status.message = "TimeoutError: no reply"
    else:
        _fill(root, {"output.value": answer})
    retriever = _span(scope, name, "Retriever", ids["retriever"], ids["root"], at, 100)
    _fill(retriever, {"openinference.span.kind": "RETRIEVER", "input.value": question, **common})
    for i, item in enumerate(passages):
        prefix = f"retrieval.documents.{i}.document"
        _fill(retriever, {f"{prefix}.content": item["text"], f"{prefix}.metadata": json.dumps(item["metadata"])})
    model = _span(scope, name, "ChatModel", ids["model"], ids["root"], at + 100_000_000, 300)
    context = "\n".join(f"[{i}] {item['text']}" for i, item in enumerate(passages, 1))
    _fill(
        model,
        {
            "openinference.span.kind": "LLM",
            "llm.model_name": "local-1",
            "llm.input_messages.0.message.role": "system",
            "llm.input_messages.0.message.content": f"Use this context:\n{context}",
            "llm.input_messages.1.message.role": "user",
            "llm.input_messages.1.message.content": question,
            "llm.token_count.prompt": 100,
            "llm.token_count.completion": 20,
            "llm.token_count.total": 120,
            **common,
        },
    )
    if not failed:
        _fill(
            model, {"llm.output_messages.0.message.role": "assistant", "llm.output_messages.0.message.content": answer}
        )
    for i in range(extra):
        _span(scope, name, f"GET /{i}", span_id_of(f"{name}/extra{i}"), ids["root"], at, 5)
    return data


def policy_trace(i, *, stale=False, domain="travel", at, metadata=None, **options):
    """Return a trace of a question about a policy, answered from its current or its superseded version."""
    old = passage("TRV-1", "2", "The hotel limit is 150 EUR per night.", effective_to="2025-12-31")
    new = passage(
        "TRV-1", "3", "The hotel limit is 180 EUR per night.", effective_from="2026-01-01", supersedes="TRV-1@2"
    )
    amount, passages = (150, (old, new)) if stale else (180, (new,))
    return rag_trace(
        f"policy-{domain}-{i}",
        question="What is the hotel limit per night?",
        answer=f"The hotel limit is {amount} EUR per night [1].",
        passages=passages,
        at=at,
        metadata={"domain": domain} | (metadata or {}),
        **options,
    )


def merged(traces):
    """Return one request that holds all of these traces."""
    data = TracesData()
    for trace in traces:
        data.resource_spans.extend(trace.resource_spans)
    return data


def spans_of(data):
    return [span for group in data.resource_spans for scope in group.scope_spans for span in scope.spans]


def without(data, *span_names):
    """Return a copy that lacks the spans of these names."""
    copy = TracesData()
    copy.CopyFrom(data)
    for group in copy.resource_spans:
        for scope in group.scope_spans:
            kept = [span for span in scope.spans if span.name not in span_names]
            del scope.spans[:]
            scope.spans.extend(kept)
    return copy


def _span(scope, trace, name, span_id, parent, start, milliseconds):
    span = scope.spans.add()
    span.trace_id = trace_id_of(trace)
    span.span_id = span_id
    span.parent_span_id = parent
    span.name = name
    span.kind = Span.SPAN_KIND_INTERNAL
    span.start_time_unix_nano = start
    span.end_time_unix_nano = start + milliseconds * 1_000_000
    return span


def _fill(span, attributes):
    for key, value in attributes.items():
        _attribute(span.attributes, key, value)


def _attribute(attributes, key, value):
    entry = attributes.add()
    entry.key = key
    if isinstance(value, int):
        entry.value.int_value = value
    else:
        entry.value.string_value = value


__all__ = [
    "merged",
    "passage",
    "policy_trace",
    "rag_trace",
    "span_id_of",
    "spans_of",
    "trace_id_of",
    "without",
]
