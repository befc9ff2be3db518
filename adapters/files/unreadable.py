"""Why a text is no JSON, as whoever wrote the file can mend it."""

from __future__ import annotations

import json
import re
from typing import Any

import orjson

_NO_NUMBER = re.compile(rb"-?(NaN|Infinity)\b")
HINTS = {
    "trailing comma is not allowed": "; delete the comma",
    "unexpected content after document": "; the record ended before it: move it inside, or write one record a line",
    "unexpected end of data": "; the record is cut short",
    "unexpected control character in string": "; the record is cut short, or a line break in a text is not written \\n",
}
"""What to do about errors that people make when they copy records."""


def not_json(text: bytes, error: orjson.JSONDecodeError) -> str:
    r"""Return why a text cannot be read as JSON, with the column, and the field where it is a number that JSON lacks.

    >>> def why(text):
    ...     try:
    ...         orjson.loads(text)
    ...     except orjson.JSONDecodeError as error:
    ...         return not_json(text, error)
    >>> why(b'{"score": NaN}')
    'score: NaN is no number of JSON: write null, or leave the field out'
    >>> why(b'{"passages": [{"id": "a"}, {"score": NaN}]}')
    'passages[1].score: NaN is no number of JSON: write null, or leave the field out'
    >>> why("für".encode("latin-1"))
    'not UTF-8, at byte 2: save the file as UTF-8'
    >>> why(b'{"id": "a", "ques')
    'not JSON: unexpected end of data, column 18; the record is cut short'
    """
    try:
        text.decode()
    except UnicodeDecodeError as encoding:
        return f"not UTF-8, at byte {encoding.start + 1}: save the file as UTF-8"
    # Positions of the error are of characters.
    at = len(text.decode()[: error.pos].encode())
    found = _NO_NUMBER.match(text, at)
    if found is not None:
        return f"{_place(text)}{found[0].decode()} is no number of JSON: write null, or leave the field out"
    return f"not JSON: {error.msg}, column {error.colno}{HINTS.get(error.msg, '')}"


class _NoNumber:
    """Stands where a text has NaN or an infinity."""


def _place(text: bytes) -> str:
    """Return the path of the first such number with a colon; nothing where the rest of the text is no JSON either."""
    try:
        path = _path_in(json.loads(text, parse_constant=lambda _: _NoNumber()))
    except (ValueError, RecursionError):
        return ""
    return f"{path.removeprefix('.')}: " if path else ""


def _path_in(value: Any) -> str | None:
    if isinstance(value, _NoNumber):
        return ""
    parts = (
        ((f".{name}", each) for name, each in value.items())
        if isinstance(value, dict)
        else ((f"[{place}]", each) for place, each in enumerate(value))
        if isinstance(value, list)
        else ()
    )
    return next((step + inner for step, each in parts if (inner := _path_in(each)) is not None), None)
