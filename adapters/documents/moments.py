"""Instants in metadata: as text or number, or as the objects that stores make of a time."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from adapters.values import instant_of

_WITHIN = ("$date", "$numberLong", "seconds", "_seconds")
"""MongoDB's extended JSON, and the times of Protocol Buffers and Firestore: the seconds say what is needed of them."""
_MAX_DEPTH = 2


def moment_of(value: Any) -> datetime | None:
    """Read an instant as `instant_of` does, or the object that a store makes of one.

    >>> print(moment_of({"$date": "2025-03-04T05:06:07Z"}), moment_of({"_seconds": 1741064767, "_nanoseconds": 0}))
    2025-03-04 05:06:07+00:00 2025-03-04 05:06:07+00:00
    """
    return instant_of(_within(value) if isinstance(value, Mapping) else value)


def last_moment_of(value: Any) -> datetime | None:
    """Read until when a document holds: all through the day that is named."""
    return instant_of(_within(value) if isinstance(value, Mapping) else value, end_of_day=True)


def _within(value: Any) -> Any:
    for _ in range(_MAX_DEPTH):
        if isinstance(value, Mapping):
            value = next((value[name] for name in _WITHIN if name in value), None)
    return value
