"""From one trace to its answers, whatever wrote it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from pydantic import ValidationError

from adapters import ADAPTERS
from adapters.assembly.answers import answers_of
from adapters.assembly.tree import views_of
from adapters.assembly.view import View
from adapters.base import AdaptOptions, MalformedRecord
from adapters.caching import cached
from adapters.dialects.base import Adapter
from adapters.dialects.keyed import adapters_by
from adapters.schema import Answer
from adapters.trace import Span, Trace

__all__ = ["AdaptOptions", "Adapted", "adapt_trace", "dialect_of", "read_trace"]

UNNAMED = "without a name"
"""The scope of spans whose tracer has no name."""
_LONGEST_NAME = 200
NO_DIALECT = "none"
"""What spans count under that no dialect claims: the application's own, or of an instrumentation unknown here."""


@dataclass(frozen=True, slots=True)
class Adapted:
    """The answers of one trace, and how many of its spans each dialect read; `NO_DIALECT` for those none claimed.

    ``unread`` counts those of the latter that tell of a model, a search or an agent, by their instrumentation scope.
    """

    answers: tuple[Answer, ...]
    dialects: Counter[str] = field(default_factory=Counter)
    unread: Counter[str] = field(default_factory=Counter)


_TELLING = re.compile(
    r"(?:^|[._-])(?:gen_?ai|llm|ai|prompts?|completions?|agents?|retriev\w*|embeddings?|rag|tokens?|chat|tools?|traceloop)"
    r"(?:$|[._-])"
)


def tells_of_a_model(span: Span) -> bool:
    """Tell whether a span that no dialect reads may be of a model, a search or an agent, by its scope and its keys.

    >>> tells_of_a_model(Span("t", "s", None, "call", 1, 2, {"acme.llm.prompt": "Hi"}))
    True
    >>> tells_of_a_model(Span("t", "s", None, "GET /", 1, 2, {"http.route": "/"}))
    False
    """
    return _is_telling(span.scope_name) or any(_is_telling(key) for key in span.attributes)


@cached(maxsize=4096, longest=200)
def _is_telling(name: str) -> bool:
    return len(name) <= _LONGEST_NAME and _TELLING.search(name.lower()) is not None


def dialect_of(span: Span) -> str | None:
    """Return the dialect that reads ``span``; ``None`` for a plain application span, which gives structure only.

    >>> dialect_of(Span("t", "s", None, "GET /", 1, 2, {"http.route": "/"})) is None
    True
    >>> both = {"openinference.span.kind": "LLM", "gen_ai.operation.name": "chat"}
    >>> dialect_of(Span("t", "s", None, "chat", 1, 2, both))
    'openinference'
    """
    adapter = _reader_of(span, ADAPTERS)
    return None if adapter is None else adapter.dialect


def _reader_of(span: Span, adapters: Sequence[Adapter]) -> Adapter | None:
    for adapter in adapters:  # a generator would take longer than most answers to the question
        if adapter.claims(span):
            return adapter
    return None


def read_trace(trace: Trace, options: AdaptOptions) -> Adapted:
    """Return the answers of ``trace`` and the dialects they came from. Raises nothing but `MalformedRecord`."""
    adapters = (*adapters_by(options.dialects), *ADAPTERS) if options.dialects else ADAPTERS
    claimed: dict[type[View], list[Span]] = {adapter.view: [] for adapter in adapters}
    unread: Counter[str] = Counter()
    for span in trace.spans:
        if (adapter := _reader_of(span, adapters)) is not None:
            claimed[adapter.view].append(span)
        elif tells_of_a_model(span):
            unread[span.scope_name or UNNAMED] += 1
    views = views_of(trace, claimed, json_limit=options.max_json_chars)
    dialects = Counter(view.dialect for view in views)
    dialects[NO_DIALECT] = len(trace.spans) - len(views)
    try:
        return Adapted(tuple(answers_of(trace, views, options)), dialects, unread)
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
