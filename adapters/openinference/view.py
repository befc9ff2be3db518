"""One OpenInference span as the adapter sees it: its kind, its attributes without redacted ones, its place in the tree.

Source of the keys: the OpenInference semantic conventions, spec/semantic_conventions.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from adapters.dialect import dialect_of
from adapters.trace import Span, Trace
from adapters.values import is_cut_json, parse_json, plain, salvage_json, text_of

REDACTED = "__REDACTED__"
"""What OPENINFERENCE_HIDE_* writes in place of a value."""

JSON_MIME = "application/json"

# Keys that only one kind writes: for a span that lost its kind to the SDK's attribute limit, and for LangChain, which
# calls AGENT whatever has "agent" in its name. Its chains write llm.input_messages too, so those tell nothing.
_KIND_BY_KEY = (
    ("retrieval.documents.", "RETRIEVER"),
    ("reranker.", "RERANKER"),
    ("llm.token_count.", "LLM"),
    ("llm.output_messages.", "LLM"),
    ("llm.invocation_parameters", "LLM"),
    ("embedding.", "EMBEDDING"),
    ("tool.name", "TOOL"),
)


@dataclass(eq=False)
class View:
    """A span of the OpenInference dialect; ``parent`` and ``children`` skip the spans of other dialects."""

    span: Span
    cap: int | None
    json_limit: int
    parent: View | None = None
    children: list[View] = field(default_factory=list)
    above: frozenset[str] = frozenset()
    """The kinds of all views above this one."""

    @cached_property
    def redacted(self) -> bool:
        """Whether any value of this span was redacted."""
        return REDACTED in self.span.attributes.values()

    @cached_property
    def attributes(self) -> Mapping[str, Any]:
        """Attributes with redacted values taken out: redacted is absent."""
        attributes = self.span.attributes
        if not self.redacted:
            return attributes
        return {key: value for key, value in attributes.items() if value != REDACTED}

    @cached_property
    def kind(self) -> str:
        """CHAIN, RETRIEVER, RERANKER, LLM, EMBEDDING, TOOL, AGENT, PROMPT, ...; upper case."""
        told = self.span.attributes.get("openinference.span.kind")
        kind = told.upper() if isinstance(told, str) else ""
        if kind and not (kind == "AGENT" and self.framework == "langchain"):
            return kind
        for prefix, inferred in _KIND_BY_KEY:
            if any(key.startswith(prefix) for key in self.span.attributes):
                return inferred
        return kind or "CHAIN"

    @property
    def name(self) -> str:
        """The span's name."""
        return self.span.name

    @property
    def framework(self) -> str | None:
        """``langchain``, ``llamaindex``, ``haystack``, ...: the last part of the instrumentation's scope."""
        scope = self.span.scope_name
        if not scope.startswith("openinference.instrumentation."):
            return None
        return scope.rsplit(".", 1)[1].replace("_", "") or None

    def text(self, key: str) -> str | None:
        """Return the attribute if it is a string with something in it."""
        return text_of(self.attributes.get(key))

    def json(self, key: str) -> Any:
        """Parse a JSON attribute; of one that the exporter cut, what is whole before the cut."""
        return self.parsed(self.attributes.get(key))

    def parsed(self, value: Any) -> Any:
        """Parse a JSON value of this span; a structured one is taken as it is."""
        if not isinstance(value, str):
            return plain(value)
        if self.is_cut(value):
            return salvage_json(value, limit=self.json_limit)
        return parse_json(value, limit=self.json_limit)

    def is_cut(self, value: str) -> bool:
        """Tell whether the exporter's value length limit cut ``value``."""
        return self.cap is not None and len(value) == self.cap

    @cached_property
    def input(self) -> Any:
        """``input.value``: a string where it is plain text, else the parsed JSON."""
        return self._io("input")

    @cached_property
    def output(self) -> Any:
        """``output.value``: a string where it is plain text, else the parsed JSON."""
        return self._io("output")

    def _io(self, side: str) -> Any:
        mime, text = self.attributes.get(f"{side}.mime_type"), self.text(f"{side}.value")
        if mime == JSON_MIME:
            return self.json(f"{side}.value")
        # Without a type it is plain text, unless the type may be among the attributes the SDK dropped.
        if mime is None and self.span.dropped_attributes and text is not None and text.startswith(("{", "[")):
            parsed = self.parsed(text)
            return text if parsed is None else parsed
        # LangChain writes what a run never produced (an abandoned stream) as a bare null.
        return None if text == "null" and self.framework == "langchain" else text

    @cached_property
    def metadata(self) -> Mapping[str, Any]:
        """The ``metadata`` JSON of the run."""
        parsed = self.json("metadata")
        return parsed if isinstance(parsed, dict) else {}

    def subtree(self) -> Iterator[View]:
        """Yield this view and all below it, in no particular order."""
        waiting = [self]
        while waiting:
            view = waiting.pop()
            yield view
            waiting += view.children

    def ancestors(self) -> Iterator[View]:
        """Yield the views above, nearest first."""
        current = self.parent
        while current is not None:
            yield current
            current = current.parent


def views_of(trace: Trace, *, json_limit: int) -> list[View]:
    """Return the OpenInference spans of ``trace`` in its order, linked to each other."""
    spans = [span for span in trace.spans if dialect_of(span) == "openinference"]
    cap = length_cap(spans)
    views = {span.span_id: View(span, cap, json_limit) for span in spans}
    for view in views.values():
        for ancestor in trace.ancestors(view.span):
            if (parent := views.get(ancestor.span_id)) is not None:
                view.parent = parent
                break
    ordered = list(views.values())
    _cut_cycles(ordered)
    for view in ordered:
        if view.parent is not None:
            view.parent.children.append(view)
    waiting = [view for view in ordered if view.parent is None]
    while waiting:
        view = waiting.pop()
        below = view.above if view.kind in view.above else view.above | {view.kind}
        for child in view.children:
            child.above = below
        waiting += view.children
    return ordered


def length_cap(spans: list[Span]) -> int | None:
    """Find the value length limit the exporter cut strings at, if it did (OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT).

    A cut leaves no mark. It shows in the longest values: one that begins as JSON and never ends, or several different
    ones of exactly one length. Values that differ in an id only are of one length too; that they are whole JSON shows
    that nothing was cut.
    """
    longest: set[str] = set()
    length = _SHORTEST_CAP
    for span in spans:
        for value in span.attributes.values():
            if type(value) is str and (size := len(value)) >= length:
                if size > length:
                    longest, length = set(), size
                longest.add(value)
    if any(is_cut_json(value) for value in longest):
        return length
    if len(longest) > 1 and all(parse_json(value, limit=length) is None for value in longest):
        return length
    return None


_SHORTEST_CAP = 32
"""Shorter limits would cut the ids themselves; nobody sets them."""


def _cut_cycles(views: list[View]) -> None:
    """Make roots of spans that are their own ancestors, so that walks end."""
    done: set[int] = set()
    for view in views:
        path: dict[int, View] = {}
        current: View | None = view
        while current is not None and id(current) not in done:
            if id(current) in path:
                current.parent = None
                break
            path[id(current)] = current
            current = current.parent
        done.update(path)
