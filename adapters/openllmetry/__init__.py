"""The dialect of OpenLLMetry: Traceloop's instrumentations of frameworks, clients and vector stores, and its SDK."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pydantic import BaseModel, ConfigDict

from adapters.assembly.view import Reading, View
from adapters.openllmetry.keys import KIND, REQUEST_TYPE, is_traceloops
from adapters.openllmetry.view import OpenLLMetryView
from adapters.trace import Span


class OpenLLMetry(BaseModel):
    """Reads the spans that OpenLLMetry's instrumentations and the Traceloop SDK write, of both generations.

    >>> OpenLLMetry().claims(Span("t", "s", None, "chat", 1, 2, {"traceloop.span.kind": "workflow"}))
    True
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    type: Literal["openllmetry"] = "openllmetry"

    @property
    def dialect(self) -> str:
        """The dialect's name."""
        return self.type

    @property
    def lost(self) -> Mapping[str, str]:
        """What OpenLLMetry never carries."""
        return {"usage.cost_usd": "its instrumentations count tokens and price nothing"}

    def claims(self, span: Span) -> bool:
        """Whether the span has a kind of Traceloop's, or one of its instrumentations wrote it."""
        attributes = span.attributes
        return KIND in attributes or REQUEST_TYPE in attributes or is_traceloops(span.scope_name)

    def view(self, span: Span, reading: Reading) -> View:
        """Return the span as OpenLLMetry describes it."""
        return OpenLLMetryView(span, reading)
