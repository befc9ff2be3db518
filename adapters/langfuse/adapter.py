"""Spans of Langfuse's SDKs, from 3 on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pydantic import BaseModel, ConfigDict

from adapters.assembly.view import Reading, View
from adapters.langfuse.keys import SCOPE, TYPE
from adapters.langfuse.view import LangfuseView
from adapters.trace import Span


class Langfuse(BaseModel):
    """Reads what Langfuse's SDKs write: by ``@observe``, by hand, by the LangChain handler and the OpenAI wrapper.

    Spans of other instrumentations that Langfuse's exporter forwards are of their own dialects.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    type: Literal["langfuse"] = "langfuse"

    @property
    def dialect(self) -> str:
        """``langfuse``."""
        return "langfuse"

    @property
    def lost(self) -> Mapping[str, str]:
        """What no Langfuse span carries."""
        return {}

    def claims(self, span: Span) -> bool:
        """Whether a Langfuse SDK wrote the span, or code that speaks its keys."""
        return span.scope_name == SCOPE or TYPE in span.attributes

    def view(self, span: Span, reading: Reading) -> View:
        """Return the span as Langfuse's SDKs mean it."""
        return LangfuseView(span, reading)
