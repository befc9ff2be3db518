"""From one trace to its answers, whatever wrote it."""

from __future__ import annotations

from pydantic import ValidationError

from adapters import ADAPTERS
from adapters.base import AdaptOptions, MalformedRecord
from adapters.dialect import dialect_of
from adapters.schema import Answer
from adapters.trace import Trace

__all__ = ["AdaptOptions", "adapt_trace", "dialect_of"]


def adapt_trace(trace: Trace, options: AdaptOptions) -> tuple[Answer, ...]:
    """Return the answers of ``trace``; none where it holds no answered question. Raises nothing but `MalformedRecord`.

    The first adapter of the registry that finds an answer in the spans of its dialect has the trace: where two
    instrumentations watched one application, its answers and tokens are counted once.

    >>> adapt_trace(Trace.of("0af7651916cd43dd8448eb211c80319c", []), AdaptOptions())
    ()
    """
    present = {dialect_of(span) for span in trace.spans}
    for adapter in ADAPTERS:
        if adapter.dialect not in present:
            continue
        try:
            answers = tuple(adapter.adapt(trace, options))
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            field = ".".join(str(part) for part in first["loc"])
            raise MalformedRecord(f"{field}: {first['msg']}", f"trace {trace.trace_id}") from error
        if answers:
            return answers
    return ()
