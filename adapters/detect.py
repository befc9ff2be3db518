"""From one trace to its answers, whatever wrote it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from pydantic import ValidationError

from adapters import ADAPTERS
from adapters.assembly.answers import answers_of
from adapters.assembly.tree import views_of
from adapters.assembly.view import View
from adapters.base import AdaptOptions, MalformedRecord
from adapters.dialects.base import Adapter
from adapters.schema import Answer
from adapters.trace import Span, Trace

__all__ = ["AdaptOptions", "Adapted", "adapt_trace", "dialect_of", "read_trace"]

NO_DIALECT = "none"
"""What spans count under that no dialect claims: the application's own, or of an instrumentation unknown here."""


@dataclass(frozen=True, slots=True)
class Adapted:
    """The answers of one trace, and how many of its spans each dialect read; `NO_DIALECT` for those none claimed."""

    answers: tuple[Answer, ...]
    dialects: Counter[str] = field(default_factory=Counter)


def dialect_of(span: Span) -> str | None:
    """Return the dialect that reads ``span``; ``None`` for a plain application span, which gives structure only.

    >>> dialect_of(Span("t", "s", None, "GET /", 1, 2, {"http.route": "/"})) is None
    True
    >>> both = {"openinference.span.kind": "LLM", "gen_ai.operation.name": "chat"}
    >>> dialect_of(Span("t", "s", None, "chat", 1, 2, both))
    'openinference'
    """
    adapter = _reader_of(span)
    return None if adapter is None else adapter.dialect


def _reader_of(span: Span) -> Adapter | None:
    return next((adapter for adapter in ADAPTERS if adapter.claims(span)), None)


def read_trace(trace: Trace, options: AdaptOptions) -> Adapted:
    """Return the answers of ``trace`` and the dialects they came from. Raises nothing but `MalformedRecord`."""
    claimed: dict[type[View], list[Span]] = {adapter.view: [] for adapter in ADAPTERS}
    for span in trace.spans:
        if (adapter := _reader_of(span)) is not None:
            claimed[adapter.view].append(span)
    views = views_of(trace, claimed, json_limit=options.max_json_chars)
    dialects = Counter(view.dialect for view in views)
    dialects[NO_DIALECT] = len(trace.spans) - len(views)
    try:
        return Adapted(tuple(answers_of(trace, views, options)), dialects)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        raise MalformedRecord(f"{place}: {first['msg']}", f"trace {trace.trace_id}") from error


def adapt_trace(trace: Trace, options: AdaptOptions) -> tuple[Answer, ...]:
    """Return the answers of ``trace``; none where it holds no answered question. Raises nothing but `MalformedRecord`.

    Where two instrumentations watched one application, its answers and tokens are counted once.

    >>> adapt_trace(Trace.of("0af7651916cd43dd8448eb211c80319c", []), AdaptOptions())
    ()
    """
    return read_trace(trace, options).answers
