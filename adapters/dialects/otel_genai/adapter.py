"""Spans that follow the OpenTelemetry GenAI semantic conventions."""

from __future__ import annotations

from typing import ClassVar

from adapters.dialects.base import Adapter, Carrier
from adapters.dialects.otel_genai.attributes import OPERATION
from adapters.dialects.otel_genai.view import OtelGenAIView
from adapters.quirks import openai_agents, springai

_SCOPES = (
    "opentelemetry.instrumentation.genai",
    "opentelemetry.util.genai",
    "opentelemetry.instrumentation.openai_v2",
    "opentelemetry.instrumentation.google_genai",
    "pydantic-ai",
    openai_agents.SCOPE,
)


class OtelGenAI(Adapter):
    """Reads the spans that follow the GenAI conventions, whoever writes them.

    >>> from adapters.trace import Span
    >>> OtelGenAI().claims(Span("t", "s", None, "chat", 1, 2, {"gen_ai.operation.name": "chat"}))
    True
    """

    view = OtelGenAIView
    marks = (OPERATION, springai.KIND)
    carriers: ClassVar[tuple[Carrier, ...]] = (
        Carrier(
            "genai",
            "OTel GenAI",
            lost={
                "stages.rerank": "the conventions do not cover reranking",
                "versions.reranker": "the conventions do not cover reranking",
            },
            seldom={
                "passages.text": "if the documents or the catalog contain it, or the prompt labels it with their id",
                "passages.metadata": "if the documents carry more than the conventions' id and score",
                "context": "if the documents include their text, or the prompt labels it with their id",
                "usage.cost_usd": "if the application reports the cost of its calls",
                "user_id": "if the application sets `user.id` or `enduser.id` on a span",
                "versions.prompt": "if the application reports the version of its prompt",
            },
        ),
    )

    def writes(self, scope: str) -> bool:
        """Whether an official instrumentation writes it."""
        return scope.startswith(_SCOPES)
