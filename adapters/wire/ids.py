"""Ids of traces and spans: a fixed length, and not all zero."""

from __future__ import annotations

from typing import Literal, NoReturn

from adapters.base import MalformedRecord

TRACE_ID_BYTES, SPAN_ID_BYTES = 16, 8
NO_TRACE, NO_SPAN = bytes(TRACE_ID_BYTES), bytes(SPAN_ID_BYTES)

IdFlaw = Literal["invalid_trace_id", "invalid_span_id"]
"""Which id of a span is unusable; that of its parent is a span id too."""


class InvalidId(MalformedRecord):
    """A span that cannot be placed, for its own id or that of its trace or parent."""

    def __init__(self, flaw: IdFlaw, reason: str, where: str | None = None) -> None:
        super().__init__(reason, where)
        self.flaw = flaw


def flaw_of(trace_id: bytes, span_id: bytes, parent_id: bytes) -> IdFlaw | None:
    """Return which id makes a span impossible to place, if one does; a root has no parent id, or one of zeros.

    >>> flaw_of(b"t" * 16, b"s" * 8, b""), flaw_of(b"t" * 16, bytes(8), b"")
    (None, 'invalid_span_id')
    """
    if len(trace_id) != TRACE_ID_BYTES or trace_id == NO_TRACE:
        return "invalid_trace_id"
    if len(span_id) != SPAN_ID_BYTES or span_id == NO_SPAN or (parent_id and len(parent_id) != SPAN_ID_BYTES):
        return "invalid_span_id"
    return None


def refuse_ids(flaw: IdFlaw, trace_id: bytes, span_id: bytes, parent_id: bytes) -> NoReturn:
    """Raise `InvalidId` for a span that cannot be placed, for the ``flaw`` of its ids."""
    if flaw == "invalid_trace_id":
        raise InvalidId(flaw, f"trace id {trace_id[:32].hex()!r} must be {TRACE_ID_BYTES} bytes, not all zero")
    if len(span_id) != SPAN_ID_BYTES or span_id == NO_SPAN:
        raise InvalidId(flaw, f"span id {span_id[:32].hex()!r} must be {SPAN_ID_BYTES} bytes, not all zero")
    raise InvalidId(flaw, f"parent span id {parent_id[:32].hex()!r} must be {SPAN_ID_BYTES} bytes")
