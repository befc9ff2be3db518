"""Which instrumentation wrote a span.

Every span is judged on its own: traces mix instrumentations, and one instrumentation may write two dialects on one span
(OpenInference with its GenAI switch on). The order of the tests is what keeps such a span from being read twice.
"""

from __future__ import annotations

from typing import Literal

from adapters.trace import Span

Dialect = Literal["langfuse", "openinference", "langsmith", "openllmetry", "otel_genai"]

_GENAI_SCOPES = ("opentelemetry.instrumentation.genai", "opentelemetry.util.genai")


def dialect_of(span: Span) -> Dialect | None:
    """Return the dialect of ``span``; ``None`` for a plain application span, which gives structure only.

    >>> dialect_of(Span("t", "s", None, "GET /", 1, 2, {"http.route": "/"})) is None
    True
    >>> both = {"openinference.span.kind": "LLM", "gen_ai.operation.name": "chat"}
    >>> dialect_of(Span("t", "s", None, "chat", 1, 2, both))
    'openinference'
    """
    attributes, scope = span.attributes, span.scope_name
    if scope == "langfuse-sdk" or "langfuse.observation.type" in attributes:
        return "langfuse"
    if "openinference.span.kind" in attributes or scope.startswith("openinference.instrumentation"):
        return "openinference"
    if "langsmith.span.kind" in attributes:
        return "langsmith"
    if "traceloop.span.kind" in attributes or scope == "opentelemetry.instrumentation.langchain":
        return "openllmetry"
    if "gen_ai.operation.name" in attributes or scope.startswith(_GENAI_SCOPES):
        return "otel_genai"
    return None
