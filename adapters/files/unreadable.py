"""Why a text is no JSON, as whoever wrote the file can mend it."""

from __future__ import annotations

import re

import orjson

_KEY = re.compile(rb'"((?:[^"\\]|\\.)*)"\s*:[^"{}]*$')
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
        key = _KEY.search(text, max(0, at - 4_000), at)
        field = "" if key is None else f"{key[1].decode(errors='replace')}: "
        return f"{field}{found[0].decode()} is no number of JSON: write null, or leave the field out"
    return f"not JSON: {error.msg}, column {error.colno}{HINTS.get(error.msg, '')}"
