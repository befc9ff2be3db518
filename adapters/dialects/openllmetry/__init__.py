"""The dialect of OpenLLMetry: Traceloop's instrumentations of frameworks, clients and vector stores, and its SDK."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from adapters.dialects.base import Adapter
from adapters.dialects.openllmetry.keys import KIND, REQUEST_TYPE, is_traceloops
from adapters.dialects.openllmetry.view import OpenLLMetryView
from adapters.trace import Span


class OpenLLMetry(Adapter):
    """Reads the spans that OpenLLMetry's instrumentations and the Traceloop SDK write, of both generations.

    >>> OpenLLMetry().claims(Span("t", "s", None, "chat", 1, 2, {"traceloop.span.kind": "workflow"}))
    True
    """

    view = OpenLLMetryView
    lost: ClassVar[Mapping[str, str]] = {"usage.cost_usd": "its instrumentations count tokens and price nothing"}

    def claims(self, span: Span) -> bool:
        """Whether the span has a kind of Traceloop's, or one of its instrumentations wrote it."""
        attributes = span.attributes
        return KIND in attributes or REQUEST_TYPE in attributes or is_traceloops(span.scope_name)
