"""Lengths of time as people write them: ``30s``, ``15m``, ``1h30m``."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Annotated, Any

from pydantic import BeforeValidator, PlainSerializer, WithJsonSchema

from adapters.caching import cached

_PATTERN = re.compile(r"(?=\d)(\d{1,6}d)?(\d{1,6}h)?(\d{1,6}m)?(\d{1,6}s)?(\d{1,6}ms)?", re.ASCII)
SCHEMA_PATTERN = r"^([0-9]{1,6}(ms|[smhd]))+$"
"""For JSON Schema, whose readers do not all know lookahead; only the order of units is not in it."""

_UNITS = (
    ("d", timedelta(days=1)),
    ("h", timedelta(hours=1)),
    ("m", timedelta(minutes=1)),
    ("s", timedelta(seconds=1)),
    ("ms", timedelta(milliseconds=1)),
)


def parse_duration(value: Any) -> timedelta:
    """Read a length of time. A bare number is refused, because it does not say its unit.

    >>> parse_duration("1h30m"), parse_duration("250ms")
    (datetime.timedelta(seconds=5400), datetime.timedelta(microseconds=250000))
    >>> parse_duration("15")
    Traceback (most recent call last):
    ...
    ValueError: '15' is not a duration; write it like 30s, 15m, 1h30m or 7d
    """
    if isinstance(value, timedelta):
        length = value
    else:
        match = _PATTERN.fullmatch(value) if isinstance(value, str) else None
        if match is None:
            raise ValueError(f"{value!r:.40} is not a duration; write it like 30s, 15m, 1h30m or 7d")
        length = timedelta()
        for part, (suffix, unit) in zip(match.groups(), _UNITS, strict=True):
            if part is not None:
                length += int(part.removesuffix(suffix)) * unit
    if length <= timedelta():
        raise ValueError("a duration must be longer than zero")
    return length


@cached(maxsize=256)
def format_duration(value: timedelta) -> str:
    """Write a length of time so that `parse_duration` reads it back, to the millisecond.

    >>> format_duration(timedelta(minutes=90)), format_duration(timedelta(milliseconds=1500))
    ('1h30m', '1s500ms')
    """
    text = ""
    for suffix, unit in _UNITS:
        count, value = divmod(value, unit)
        if count:
            text += f"{count}{suffix}"
    return text or "0s"


Duration = Annotated[
    timedelta,
    BeforeValidator(parse_duration),
    PlainSerializer(format_duration, when_used="json"),
    WithJsonSchema({"type": "string", "pattern": SCHEMA_PATTERN, "examples": ["30s", "15m", "1h30m"]}),
]
"""A positive length of time, written like ``15m`` in configuration files."""
