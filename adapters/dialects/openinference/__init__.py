"""The OpenInference dialect: LangChain, LlamaIndex, Haystack and many others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from adapters.dialects.base import Adapter
from adapters.dialects.openinference.keys import SCOPE
from adapters.dialects.openinference.view import OpenInferenceView
from adapters.quirks import haystack, langchain, llamaindex
from adapters.trace import Span

LOST_BY_FRAMEWORK: Mapping[str, Mapping[str, str]] = {
    quirk.FRAMEWORK: quirk.LOST_BY_OPENINFERENCE for quirk in (langchain, llamaindex, haystack)
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
