"""Answers as JSON lines: `adapters.schema.Answer`, one object a line, only ``question`` and ``answer`` required."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

import orjson
from pydantic import ValidationError

from adapters.base import MalformedRecord
from adapters.files.cut import whole_records
from adapters.files.problems import told
from adapters.schema import Answer

MAX_LINE_BYTES = 16 * 2**20
"""Longest line that is parsed; a thousand passages of two pages each fit four times."""

_REQUIRED = ("question", "answer")


def parsed_line(line: bytes, where: str, *, limit: int = MAX_LINE_BYTES) -> Any:
    """Return the JSON value of one line. Raises `MalformedRecord` for one beyond ``limit`` bytes, or no JSON."""
    if len(line) > limit:
        raise MalformedRecord(f"longer than {limit} bytes", where)
    try:
        return orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise MalformedRecord(f"not JSON: {error}", where) from error


def line_parts(line: bytes, where: str, *, limit: int = MAX_LINE_BYTES) -> Iterator[Any]:
    """Yield the JSON value of one line; of an OTLP request that ends early, what is whole and a `MalformedRecord`.

    Raises `MalformedRecord` for a line beyond ``limit`` bytes, or no JSON.

    >>> [str(part) for part in line_parts(b'{"resourceSpans": [{}, {"sc', "line 3")]
    ["{'resourceSpans': [{}]}", 'line 3: ends early, at byte 27: resourceSpans[1] is lost']
    """
    try:
        yield parsed_line(line, where, limit=limit)
    except MalformedRecord:
        cut = whole_records(line) if len(line) <= limit and line[:1] == b"{" else None
        if cut is None or "data" in cut.value:
            raise
        yield cut.value
        yield MalformedRecord(cut.reason, where)


def answer_of(raw: Any, where: str) -> Answer:
    """Return the answer that one parsed line holds. Raises `MalformedRecord` naming the field that is wrong."""
    if not isinstance(raw, dict):
        raise MalformedRecord("not an object", where)
    for field in _REQUIRED:
        if field not in raw:
            raise MalformedRecord("missing", place(where, field))
    given = raw
    if raw.get("id") is None:
        given = {name: value for name, value in raw.items() if name != "id"}
        try:
            content = orjson.dumps(given, option=orjson.OPT_SORT_KEYS)
        except orjson.JSONEncodeError as error:  # nested deeper than what the parser takes
            raise MalformedRecord(f"cannot be serialized: {error}", where) from error
        given["id"] = f"sha256-{hashlib.sha256(content).hexdigest()[:32]}"
    try:
        return Answer.model_validate(given)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise MalformedRecord(told(first), place(where, _path(first["loc"]))) from error


def place(where: str, inner: str) -> str:
    """Return where ``inner`` is when it stands in ``where``; either may be empty.

    >>> place("line 3", "answer"), place("", "answer"), place("line 3", "")
    ('line 3: answer', 'answer', 'line 3')
    """
    return ": ".join(part for part in (where, inner) if part)


def _path(location: tuple[int | str, ...]) -> str:
    path = ""
    for part in location:
        path += f"[{part}]" if isinstance(part, int) else f".{part}" if path else part
    return path
