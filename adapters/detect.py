"""From one trace to its answers, whatever wrote it."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import field
from itertools import chain

from pydantic import ValidationError

from adapters import ADAPTERS
from adapters.assembly.answers import answers_of
from adapters.assembly.tree import let_go, views_of
from adapters.assembly.view import View
from adapters.base import AdaptOptions, MalformedRecord
from adapters.caching import cached
from adapters.dialects.base import Adapter
from adapters.dialects.keyed import adapters_by
from adapters.frozen import frozen
from adapters.quirks import litellm
from adapters.schema import Answer
from adapters.trace import Span, Trace

__all__ = ["AdaptOptions", "Adapted", "adapt_trace", "dialect_of", "read_trace"]

UNNAMED = "without a name"
"""The scope of spans whose tracer has no name."""
_LONGEST_NAME = 200
NO_DIALECT = "none"
"""What spans count under that no dialect claims: the application's own, or of an instrumentation unknown here."""


@frozen(frozen=True, slots=True)
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


def unread_of(spans: Sequence[Span], read: Sequence[Span]) -> Counter[str]:
    """Count the ``spans`` that tell of a model, a search or an agent and that no dialect reads, by their scope.

    A span tells of one by its keys, or by its scope where it stands alone: a step between two spans that are ``read``,
    and one without attributes, hold nothing that could be read, nor does one that repeats the call above it.

    >>> unread_of([Span("t", "s", None, "call", 1, 2, {"acme.llm.prompt": "Hi"}, scope_name="acme")], [])
    Counter({'acme': 1})
    >>> unread_of([Span("t", "s", None, "GET /", 1, 2, {"http.route": "/"})], [])
    Counter()
    """
    if not spans:
        return Counter()
    above, below = {span.span_id for span in read}, {span.parent_id for span in read}
    return Counter(
        span.scope_name or UNNAMED
        for span in spans
        if not (span.name == litellm.REPEATED and span.parent_id in above)
        and (
            any(map(_is_telling, span.attributes))
            or (
                span.attributes
                and _is_telling(span.scope_name)
                and not (span.parent_id in above and span.span_id in below)
            )
        )
    )


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
    adapter = next((each for each in ADAPTERS if each.claims(span)), None)
    return None if adapter is None else adapter.dialect


@frozen(frozen=True, slots=True)
class _Readers:
    """Who reads the spans of one scope: the first whose mark a span bears, else whoever reads the whole scope."""

    marks: Mapping[str, Adapter]
    otherwise: Adapter | None

    def of(self, span: Span) -> Adapter | None:
        attributes = span.attributes
        for mark, adapter in self.marks.items():
            if mark in attributes:
                return adapter
        return self.otherwise


@cached(maxsize=1024, longest=_LONGEST_NAME)
def _readers(scope: str, adapters: Sequence[Adapter]) -> _Readers:
    """Return who reads the spans of ``scope``; nobody is asked who comes behind one that reads all of them."""
    marks: dict[str, Adapter] = {}
    for adapter in adapters:
        if adapter.writes(scope):
            return _Readers(marks, adapter)
        for mark in adapter.marks_within(scope):
            marks.setdefault(mark, adapter)
    return _Readers(marks, None)


def _claimed(spans: Sequence[Span], adapters: Sequence[Adapter]) -> tuple[dict[type[View], list[Span]], list[Span]]:
    """Divide spans by the views that read them, in the order of ``adapters``, and return those of nobody beside."""
    of_scope: dict[str, _Readers] = {}
    claimed: defaultdict[Adapter, list[Span]] = defaultdict(list)
    others: list[Span] = []
    for span in spans:
        scope = span.scope_name
        readers = of_scope.get(scope)
        if readers is None:
            readers = of_scope[scope] = _readers(scope, adapters)
        adapter = readers.of(span)
        if adapter is None:
            others.append(span)
        else:
            claimed[adapter].append(span)
    return {adapter.view: claimed[adapter] for adapter in adapters if adapter in claimed}, others


def read_trace(trace: Trace, options: AdaptOptions) -> Adapted:
    """Return the answers of ``trace`` and the dialects they came from. Raises nothing but `MalformedRecord`."""
    adapters = (*adapters_by(options.dialects), *ADAPTERS) if options.dialects else ADAPTERS
    claimed, others = _claimed(trace.spans, adapters)
    unread = unread_of(others, list(chain.from_iterable(claimed.values()))) if others else Counter()
    views = views_of(trace, claimed, json_limit=options.max_json_chars)
    dialects: Counter[str] = Counter()
    dialects[NO_DIALECT] = len(others)
    for view, spans in claimed.items():
        dialects[view.dialect] += len(spans)
    try:
        return Adapted(tuple(answers_of(trace, views, options)), dialects, unread)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        raise MalformedRecord(f"{place}: {first['msg']}", f"trace {trace.trace_id}") from error
    finally:
        let_go(views)


def adapt_trace(trace: Trace, options: AdaptOptions) -> tuple[Answer, ...]:
    """Return the answers of ``trace``; none where it holds no answered question. Raises nothing but `MalformedRecord`.

    Where two instrumentations watched one application, its answers and tokens are counted once.

    >>> adapt_trace(Trace.of("0af7651916cd43dd8448eb211c80319c", []), AdaptOptions())
    ()
    """
    return read_trace(trace, options).answers
