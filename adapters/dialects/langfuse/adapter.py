"""Spans of Langfuse's SDKs, from 3 on."""

from __future__ import annotations

from typing import ClassVar

from adapters.dialects.base import Adapter, Carrier
from adapters.dialects.langfuse.keys import SCOPE, TYPE
from adapters.dialects.langfuse.view import LangfuseView


class Langfuse(Adapter):
    """Reads what Langfuse's SDKs write: by ``@observe``, by hand, by the LangChain handler and the OpenAI wrapper.

    Spans of other instrumentations that Langfuse's exporter forwards are of their own dialects.

    >>> from adapters.trace import Span
    >>> Langfuse().claims(Span("t", "s", None, "ask", 1, 2, {"langfuse.observation.type": "generation"}))
    True
    """

    view = LangfuseView
    marks = (TYPE,)
    carriers: ClassVar[tuple[Carrier, ...]] = (
        Carrier("langfuse", "Langfuse SDK", lost={"response_ids": "the SDK does not record the ids of completions"}),
    )

    def writes(self, scope: str) -> bool:
        """Whether a Langfuse SDK writes it."""
        return scope == SCOPE
