"""Spans of OpenInference's instrumentations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from adapters.dialects.base import EMBEDDED, IN_METADATA, Adapter, Carrier
from adapters.dialects.openinference.keys import KIND, SCOPE
from adapters.dialects.openinference.view import OpenInferenceView
from adapters.quirks import haystack, langchain, llamaindex

_LOST: Mapping[str, str] = {
    "usage.cost_usd": "the instrumentations report tokens but no cost",
    "response_ids": "the instrumentations do not record the ids of completions",
}
_PROVIDERS = "only for providers the instrumentation knows"
_NEWER = "only by newer instrumentations, for providers they know"
_IN_THE_PROMPT = "if the prompt contains earlier turns"


class OpenInference(Adapter):
    """Reads the spans that OpenInference instrumentations write.

    >>> from adapters.trace import Span
    >>> OpenInference().claims(Span("t", "s", None, "chat", 1, 2, {"openinference.span.kind": "LLM"}))
    True
    """

    view = OpenInferenceView
    marks = (KIND,)
    carriers: ClassVar[tuple[Carrier, ...]] = (
        Carrier(
            langchain.FRAMEWORK,
            "OpenInference, LangChain",
            lost={**_LOST, **langchain.LOST_BY_OPENINFERENCE},
            seldom={"passages.score": IN_METADATA, "provider": _PROVIDERS},
        ),
        Carrier(
            llamaindex.FRAMEWORK,
            "OpenInference, LlamaIndex",
            lost=_LOST,
            seldom={"history": _IN_THE_PROMPT, "provider": _NEWER, "versions.embedder": EMBEDDED},
        ),
        Carrier(
            haystack.FRAMEWORK,
            "OpenInference, Haystack",
            lost={**_LOST, **haystack.LOST_BY_OPENINFERENCE},
            seldom={"history": _IN_THE_PROMPT, "provider": _NEWER, "versions.embedder": EMBEDDED},
        ),
    )

    def writes(self, scope: str) -> bool:
        """Whether one of OpenInference's instrumentations writes it."""
        return scope.startswith(SCOPE)
