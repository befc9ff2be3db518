"""The dialect of Laminar: functions that are observed, and clients of models beside them.

Source: github.com/lmnr-ai/lmnr-python, src/lmnr/opentelemetry_lib/tracing/attributes.py (0.8).
"""

from __future__ import annotations

from typing import ClassVar

from adapters.dialects.base import Carrier
from adapters.dialects.keyed import Keyed, KeyedView
from adapters.documents.shapes import is_named_search
from adapters.lazy import lazy
from adapters.mapping import DialectKeys
from adapters.vocabulary import StepKind

KEYS = DialectKeys(
    name="laminar",
    kind="lmnr.span.type",
    kinds={
        "LLM": "LLM",
        "CACHED": "LLM",
        "TOOL": "TOOL",
        "EVALUATOR": "EVALUATOR",
        "HUMAN_EVALUATOR": "EVALUATOR",
        "EVALUATION": "EVALUATOR",
    },
    otherwise="CHAIN",
    input="lmnr.span.input",
    output="lmnr.span.output",
    asked=("gen_ai.input.messages",),
    answered=("gen_ai.output.messages",),
    model=("gen_ai.response.model", "gen_ai.request.model"),
    provider=("gen_ai.provider.name", "gen_ai.system"),
    prompt_tokens="gen_ai.usage.input_tokens",
    completion_tokens="gen_ai.usage.output_tokens",
    total_tokens="llm.usage.total_tokens",
    cost="gen_ai.usage.cost",
    session="lmnr.association.properties.session_id",
    user="lmnr.association.properties.user_id",
    metadata="lmnr.association.properties.metadata.",
)


class LaminarView(KeyedView):
    """A span of Laminar."""

    @lazy
    def kind(self) -> StepKind:
        """The type of the span; of a function that is merely observed, what its name and result tell."""
        told = super().kind
        if told == "CHAIN" and "gen_ai.request.model" in self.span.attributes:
            return "EMBEDDING" if "embed" in self.name.lower() else "LLM"
        return "RETRIEVER" if told == "CHAIN" and is_named_search(self.name, self.output) else told

    @property
    def tool(self) -> str | None:
        """The function of a tool."""
        return self.name if self.kind == "TOOL" else None


class Laminar(Keyed):
    """Reads the spans that Laminar writes.

    >>> from adapters.trace import Span
    >>> Laminar().claims(Span("t", "s", None, "ask", 1, 2, {"lmnr.span.type": "DEFAULT"}))
    True
    """

    carriers: ClassVar[tuple[Carrier, ...]] = ()

    def __init__(self) -> None:
        super().__init__(KEYS, LaminarView)
