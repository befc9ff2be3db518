"""The dialect of OpenLIT's own spans: functions that are traced. Clients that it watches follow the GenAI conventions.

Source: github.com/openlit/openlit, sdk/python/src/openlit/__init__.py, `trace` (1.45).
"""

from __future__ import annotations

from typing import Any, ClassVar

from adapters.dialects.base import Carrier
from adapters.dialects.keyed import Keyed, KeyedView
from adapters.documents.shapes import is_named_search
from adapters.lazy import lazy
from adapters.mapping import DialectKeys
from adapters.values import parse_literal, text_of
from adapters.vocabulary import StepKind

_ARGUMENTS, _NAMED = "function.args", "function.kwargs"
_MAX_PRINTED = 200_000

KEYS = DialectKeys(
    name="openlit", marks=(_ARGUMENTS,), otherwise="CHAIN", output="gen_ai.output.messages", metadata="openlit."
)


class OpenLITView(KeyedView):
    """A function as OpenLIT traces it: its arguments are printed as Python does."""

    @lazy
    def kind(self) -> StepKind:
        """What the name and the result of the function tell."""
        return "RETRIEVER" if is_named_search(self.name, self.output) else "CHAIN"

    @lazy
    def raw_input(self) -> str | None:
        """The printed arguments."""
        return self.text(_ARGUMENTS)

    @lazy
    def input(self) -> Any:
        """The one argument that is a text, else the arguments by name."""
        given, named = (parse_literal(self.text(key) or "", limit=_MAX_PRINTED) for key in (_ARGUMENTS, _NAMED))
        texts = [found for each in given if (found := text_of(each))] if isinstance(given, list | tuple) else []
        return texts[0] if len(texts) == 1 else named if isinstance(named, dict) and named else None


class OpenLIT(Keyed):
    """Reads the spans of functions that OpenLIT traces.

    >>> from adapters.trace import Span
    >>> OpenLIT().claims(Span("t", "s", None, "ask", 1, 2, {"function.args": "()"}, scope_name="openlit"))
    True
    """

    carriers: ClassVar[tuple[Carrier, ...]] = ()

    def __init__(self) -> None:
        super().__init__(KEYS, OpenLITView)
