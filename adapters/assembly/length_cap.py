"""The length that an exporter cut values at, which shows in the values alone."""

from __future__ import annotations

from collections.abc import Sequence

from adapters.trace import Span
from adapters.values import is_cut_json, parse_json

_SHORTEST_CAP = 32
"""Shorter limits would cut the ids themselves; nobody sets them."""


def length_cap(spans: Sequence[Span], beside: Sequence[Span] = ()) -> int | None:
    """Find the value length limit the exporter cut strings at, if it did (OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT).

    A cut leaves no mark. It shows in the longest values: one that begins as JSON and never ends, or several different
    ones of exactly one length. Values that differ in an id only are of one length too; that they are whole JSON shows
    that nothing was cut. So are passages that were split by length; that spans ``beside`` these, which the same process
    sent, have longer values shows the same.
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
        resource = spans[0].resource
        others = (value for span in beside if span.resource == resource for value in span.attributes.values())
        return None if any(type(value) is str and len(value) > length for value in others) else length
    return None
