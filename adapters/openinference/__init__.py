"""The OpenInference dialect: LangChain, LlamaIndex, Haystack and many others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pydantic import BaseModel, ConfigDict

from adapters.assembly.view import Reading, View
from adapters.openinference.keys import SCOPE
from adapters.openinference.view import OpenInferenceView
from adapters.trace import Span


class OpenInference(BaseModel):
    """Reads the spans that OpenInference instrumentations write.

    >>> OpenInference().claims(Span("t", "s", None, "chat", 1, 2, {"openinference.span.kind": "LLM"}))
    True
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    type: Literal["openinference"] = "openinference"

    @property
    def dialect(self) -> str:
        """The dialect's name."""
        return self.type

    @property
    def lost(self) -> Mapping[str, str]:
        """What OpenInference never carries."""
        return {}

    def claims(self, span: Span) -> bool:
        """Whether the span has a kind of OpenInference, or one of its instrumentations wrote it."""
        return "openinference.span.kind" in span.attributes or span.scope_name.startswith(SCOPE)

    def view(self, span: Span, reading: Reading) -> View:
        """Return the span as OpenInference describes it."""
        return OpenInferenceView(span, reading)
