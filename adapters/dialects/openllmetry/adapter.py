"""Spans of OpenLLMetry's instrumentations and of the Traceloop SDK."""

from __future__ import annotations

from typing import ClassVar

from adapters.dialects.base import EMBEDDED, IN_METADATA, Adapter, Carrier
from adapters.dialects.openllmetry.keys import KIND, REQUEST_TYPE, is_traceloops
from adapters.dialects.openllmetry.view import OpenLLMetryView


class OpenLLMetry(Adapter):
    """Reads the spans that OpenLLMetry's instrumentations and the Traceloop SDK write, of both generations.

    >>> from adapters.trace import Span
    >>> OpenLLMetry().claims(Span("t", "s", None, "chat", 1, 2, {"traceloop.span.kind": "workflow"}))
    True
    """

    view = OpenLLMetryView
    marks = (KIND, REQUEST_TYPE)
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

    def writes(self, scope: str) -> bool:
        """Whether the SDK or one of OpenLLMetry's instrumentations writes it."""
        return is_traceloops(scope)
