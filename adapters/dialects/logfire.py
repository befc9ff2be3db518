"""The dialect of Logfire's own spans: functions that are instrumented, and spans with attributes of an application.

A function's span has its arguments by name and, where that is recorded, what it gave back; spans by hand have what the
application puts there. Clients of models that Logfire watches follow the GenAI conventions, and are read as those.

Source: github.com/pydantic/logfire, logfire/_internal/constants.py, instrument.py and json_schema.py (5.x).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from adapters.assembly.view import View
from adapters.dialects.base import Adapter, Carrier
from adapters.documents.passages import Documents
from adapters.documents.shapes import documents_in, documents_or_text, is_named_search, lists_documents
from adapters.lazy import lazy
from adapters.values import text_of
from adapters.vocabulary import ANSWER, DocumentList, StepKind

SCHEMA = "logfire.json_schema"
RETURNED = "return"
SCOPE = "logfire"
_OTHERS = ("gen_ai.", "logfire.", "code.", "thread.", "http.", "url.", "server.", "db.", "otel.", "exception.")
"""What is no attribute of the application's own."""


class LogfireView(View):
    """A span of a function, or by hand."""

    dialect: ClassVar[str] = "logfire"

    @lazy
    def kind(self) -> StepKind:
        """A retriever where documents came out of what is called a search, or stand among a span's attributes."""
        if is_named_search(self.name, self.output):
            return "RETRIEVER"
        if RETURNED not in self.attributes and lists_documents(self.input):
            return "RETRIEVER"
        return "CHAIN"

    @lazy
    def input(self) -> Any:
        """The arguments of the function, or the attributes of the span."""
        return {
            key: self.text_or_json(value) if isinstance(value, str) else value
            for key, value in self.attributes.items()
            if key != RETURNED and not key.startswith(_OTHERS)
        } or None

    @lazy
    def raw_output(self) -> str | None:
        """What the function gave back."""
        return self.text(RETURNED)

    @lazy
    def output(self) -> Any:
        """What the function gave back; of a span by hand, what its attributes call the answer."""
        if self.raw_output is not None:
            return self.text_or_json(self.raw_output)
        return None if self.input is None else ANSWER.first(self.input, text_of)

    @lazy
    def metadata(self) -> Mapping[str, Any]:
        """The attributes of the span."""
        return {key: value for key, value in (self.input or {}).items() if isinstance(value, str | int | float | bool)}

    def documents(self, listing: DocumentList, *, most: int) -> Documents | None:
        """What the function gave back, else the documents among the attributes."""
        if listing != "retrieved":
            return None
        if RETURNED in self.attributes:
            return documents_or_text(self.output, most=most)
        return documents_in(self.input, most=most)


class Logfire(Adapter):
    """Reads the spans of functions and by hand that Logfire writes.

    >>> from adapters.trace import Span
    >>> Logfire().claims(Span("t", "s", None, "ask", 1, 2, {"logfire.json_schema": "{}"}, scope_name="logfire"))
    True
    """

    view = LogfireView
    marks = (SCHEMA,)
    carriers: ClassVar[tuple[Carrier, ...]] = ()

    def marks_within(self, scope: str) -> Sequence[str]:
        """Return the mark of spans with attributes of an application, under Logfire's own scope alone."""
        return self.marks if scope == SCOPE else ()
