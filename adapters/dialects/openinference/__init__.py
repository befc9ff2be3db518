"""The OpenInference dialect: LangChain, LlamaIndex, Haystack and many others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from adapters.assembly.adapter import Adapter
from adapters.dialects.openinference.keys import SCOPE
from adapters.dialects.openinference.view import OpenInferenceView
from adapters.trace import Span

LOST_BY_FRAMEWORK: Mapping[str, Mapping[str, str]] = {
    "langchain": {
        "stages.rerank": "a compressor is a plain call inside its retriever, without a span",
        "versions.reranker": "a compressor is a plain call inside its retriever, without a span",
        "versions.embedder": "the query is embedded inside the vector store, without a span",
        "usage.first_token_ms": "no event marks the first token",
    },
    "llamaindex": {"provider": "its spans name the model only"},
    "haystack": {
        "provider": "its spans name the model only",
        "usage.first_token_ms": "no event marks the first token",
    },
}
"""What the instrumentation of one framework leaves out beside that."""


class OpenInference(Adapter):
    """Reads the spans that OpenInference instrumentations write.

    >>> OpenInference().claims(Span("t", "s", None, "chat", 1, 2, {"openinference.span.kind": "LLM"}))
    True
    """

    view = OpenInferenceView
    lost: ClassVar[Mapping[str, str]] = {"usage.cost_usd": "its instrumentations count tokens and price nothing"}

    def claims(self, span: Span) -> bool:
        """Whether the span has a kind of OpenInference, or one of its instrumentations wrote it."""
        return "openinference.span.kind" in span.attributes or span.scope_name.startswith(SCOPE)
