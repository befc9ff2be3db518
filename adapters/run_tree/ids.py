"""Ids and times of runs, as OTLP has them.

A span's id is made of the whole id of its run: the SDK takes the first half, which two runs of a millisecond can share.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from typing import Any
from uuid import UUID

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_TRACE_ID, _SPAN_ID = re.compile(r"[0-9a-fA-F]{32}"), re.compile(r"[0-9a-fA-F]{16}")
_SECONDS_MAX = 10_000_000_000  # the year 2286; larger figures are milliseconds
_DOTTED = re.compile(r"(\d{8}T\d{6})(\d{0,6})Z(.+)")


def trace_id_of(identity: str) -> str:
    """Return the trace id of a run's ``trace_id``: a UUID's digits, the same hex, else a hash of the text.

    >>> trace_id_of("01a1f868-675e-710e-9b0f-98b65f2ad19a")
    '01a1f868675e710e9b0f98b65f2ad19a'
    """
    if _TRACE_ID.fullmatch(identity) is not None:
        return identity.lower()
    uuid = _uuid(identity)
    return _digest(identity, 16) if uuid is None else uuid.hex


def span_id_of(identity: str) -> str:
    """Return the span id of a run's ``id``: the same hex, else a hash of the text, a UUID's in its usual form.

    >>> span_id_of("01A1F868675E710E9B0F98B65F2AD19A") == span_id_of("01a1f868-675e-710e-9b0f-98b65f2ad19a")
    True
    """
    if _SPAN_ID.fullmatch(identity) is not None:
        return identity.lower()
    uuid = _uuid(identity)
    return _digest(identity if uuid is None else str(uuid), 8)


def ancestry_of(dotted_order: Any) -> list[tuple[int, str]]:
    """Return the starts in Unix nanoseconds and the ids of a run's ancestors and, last, of itself.

    >>> ancestry_of("20261120T100234206128Zroot.20261120T100234206529Zchild")
    [(1795168954206128000, 'root'), (1795168954206529000, 'child')]
    """
    found = []
    for part in dotted_order.split(".") if isinstance(dotted_order, str) else ():
        match = _DOTTED.fullmatch(part)
        at = nanoseconds_of(f"{match[1]}.{match[2] or 0}Z") if match is not None else None
        if match is None or at is None:
            return []
        found.append((at, match[3]))
    return found


def nanoseconds_of(value: Any) -> int | None:
    """Return a time in Unix nanoseconds: ISO 8601, UTC where it does not say; a number is milliseconds, or seconds.

    >>> nanoseconds_of("2026-11-20T10:02:34.206128"), nanoseconds_of(1795168954206), nanoseconds_of("soon")
    (1795168954206128000, 1795168954206000000, None)
    """
    try:
        if isinstance(value, int | float) and not isinstance(value, bool):
            elapsed = timedelta(milliseconds=value) if abs(value) > _SECONDS_MAX else timedelta(seconds=value)
        elif isinstance(value, str):
            moment = datetime.fromisoformat(value)
            elapsed = (moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment) - _EPOCH
        else:
            return None
    except (ValueError, OverflowError):
        return None
    found = elapsed // timedelta(microseconds=1) * 1_000
    return found if found > 0 else None


def _uuid(identity: str) -> UUID | None:
    try:
        return UUID(identity)
    except ValueError:
        return None


def _digest(identity: str, size: int) -> str:
    return blake2b(identity.encode("utf-8", "surrogatepass"), digest_size=size).hexdigest()
