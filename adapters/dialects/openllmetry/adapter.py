"""Spans of OpenLLMetry's instrumentations and of the Traceloop SDK."""

from __future__ import annotations

from typing import ClassVar

from adapters.dialects.base import EMBEDDED, IN_METADATA, Adapter, Carrier
from adapters.dialects.openllmetry.keys import KIND, REQUEST_TYPE, is_traceloops
from adapters.dialects.openllmetry.view import OpenLLMetryView
from adapters.trace import Span


class OpenLLMetry(Adapter):
    """Reads the spans that OpenLLMetry's instrumentations and the Traceloop SDK write, of both generations.

    >>> OpenLLMetry().claims(Span("t", "s", None, "chat", 1, 2, {"traceloop.span.kind": "workflow"}))
    True
    """

    view = OpenLLMetryView
    carriers: ClassVar[tuple[Carrier, ...]] = (
        Carrier(
            "openllmetry",
            "OpenLLMetry",
            lost={"usage.cost_usd": "the instrumentations report tokens but no cost"},
            seldom={
                "passages": "since 0.53; before that, if the prompt announces its context",
                "passages.score": f"for LlamaIndex and for stores that return a score; otherwise {IN_METADATA}",
                "response_ids": "only for clients whose instrumentation records it",
                "stages.rerank": "only with LlamaIndex",
                "usage.first_token_ms": "only for clients whose instrumentation records an event per chunk",
                "versions.embedder": EMBEDDED,
                "versions.reranker": "only with LlamaIndex",
                "versions.prompt": "only for prompts from the Traceloop registry",
            },
        ),
    )

    def claims(self, span: Span) -> bool:
        """Whether the span has a kind of Traceloop's, or one of its instrumentations wrote it."""
        attributes = span.attributes
        return KIND in attributes or REQUEST_TYPE in attributes or is_traceloops(span.scope_name)
