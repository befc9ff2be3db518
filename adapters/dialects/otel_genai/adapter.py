"""Spans that follow the OpenTelemetry GenAI semantic conventions."""

from __future__ import annotations

from typing import ClassVar

from adapters.dialects.base import Adapter, Carrier
from adapters.dialects.otel_genai.attributes import OPERATION
from adapters.dialects.otel_genai.view import OtelGenAIView
from adapters.trace import Span

_SCOPES = (
    "opentelemetry.instrumentation.genai",
    "opentelemetry.util.genai",
    "opentelemetry.instrumentation.openai_v2",
    "opentelemetry.instrumentation.google_genai",
)


class OtelGenAI(Adapter):
    """Reads the spans that follow the GenAI conventions, whoever writes them.

    >>> OtelGenAI().claims(Span("t", "s", None, "chat", 1, 2, {"gen_ai.operation.name": "chat"}))
    True
    """

    view = OtelGenAIView
    carriers: ClassVar[tuple[Carrier, ...]] = (
        Carrier(
            "genai",
            "OTel GenAI",
            lost={
                "stages.rerank": "the conventions know no reranking",
                "versions.reranker": "the conventions know no reranking",
            },
            seldom={
                "passages.text": "where documents hold it, the prompt labels it with their id, or the catalog has it",
                "passages.metadata": "where its documents say more than the conventions' id and score",
                "context": "where its documents hold their text, or the prompt labels them with their id",
                "usage.cost_usd": "where the application prices its calls itself",
                "user_id": "where the application sets `user.id` or `enduser.id` on a span",
                "versions.prompt": "where the application names its prompt's version",
            },
        ),
    )

    def claims(self, span: Span) -> bool:
        """Whether the span names its operation as the conventions do, or an official instrumentation wrote it."""
        return OPERATION in span.attributes or span.scope_name.startswith(_SCOPES)
