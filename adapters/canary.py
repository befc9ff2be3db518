"""What marks the traffic of canaries: questions that an agent asks itself, which are no user's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from adapters.schema import Answer
from adapters.trace import Trace

MARKER = "groundwire.canary"
"""The member of W3C baggage, and the attribute of spans and metadata, that marks the traffic of canaries."""
HEADER = "x-groundwire-canary"
"""The header that marks a request."""
TRACE_PREFIX = "6777636e61727900"
"""What the ids of their traces begin with; the rest is random, as W3C Trace Context asks of the right-most bytes."""

_UNDERSCORED = HEADER.replace("-", "_")
_LONGEST = 10_000
"""Characters of a text of metadata that are looked at."""


def is_canary_trace(trace: Trace) -> bool:
    """Return whether a trace is of a canary: by its id, or by the mark on any of its spans.

    An application that goes on with the trace of the request has the id; one that copies baggage into attributes, that
    records headers, or that puts either into metadata has the mark.

    >>> from adapters.trace import Span
    >>> span = Span("t", "s", None, "POST /ask", 1, 2, {"http.request.header.x-groundwire-canary": ["c1"]})
    >>> is_canary_trace(Trace.of("4bf92f3577b34da6a3ce929d0e0e4736", [span], complete=True))
    True
    """
    return trace.trace_id.startswith(TRACE_PREFIX) or any(_marked(span.attributes) for span in trace.spans)


def is_canary_answer(answer: Answer) -> bool:
    """Return whether an answer that came without spans is of a canary: by its trace, or by the mark among attributes.

    >>> is_canary_answer(Answer(id="a", attributes={"groundwire.canary": "c1"})), is_canary_answer(Answer(id="b"))
    (True, False)
    """
    return (answer.trace_id or "").startswith(TRACE_PREFIX) or MARKER in answer.attributes


def _marked(attributes: Mapping[str, Any]) -> bool:
    for key, value in attributes.items():
        if key.endswith((MARKER, HEADER, _UNDERSCORED)):
            return True
        if key.endswith("header.baggage") and f"{MARKER}=" in str(value)[:_LONGEST]:
            return True
        if "metadata" in key and isinstance(value, str) and f'"{MARKER}"' in value[:_LONGEST]:
            return True
    return False
