"""The names of the OpenInference conventions that more than one module here looks for.

Source: the OpenInference semantic conventions, spec/semantic_conventions.md.
"""

from __future__ import annotations

from collections.abc import Mapping

from adapters.vocabulary import DocumentList, StepKind

SCOPE = "openinference.instrumentation"
KIND = "openinference.span.kind"
REDACTED = "__REDACTED__"
"""What OPENINFERENCE_HIDE_* writes in place of a value."""
JSON_MIME = "application/json"
TOKENS = "llm.token_count."
OUTPUT = "llm.output_messages."
INPUT = "llm.input_messages."

DOCUMENTS: Mapping[DocumentList, str] = {
    "retrieved": "retrieval.documents.",
    "reranked": "reranker.output_documents.",
    "rerank_input": "reranker.input_documents.",
}

# Keys that only one kind writes: for a span that lost its kind to the SDK's attribute limit, and for LangChain, which
# calls AGENT whatever has "agent" in its name. Its chains write llm.input_messages too, so those tell nothing.
KIND_BY_KEY: tuple[tuple[str, StepKind], ...] = (
    (DOCUMENTS["retrieved"], "RETRIEVER"),
    ("reranker.", "RERANKER"),
    (TOKENS, "LLM"),
    (OUTPUT, "LLM"),
    ("llm.invocation_parameters", "LLM"),
    ("embedding.", "EMBEDDING"),
    ("tool.name", "TOOL"),
)
