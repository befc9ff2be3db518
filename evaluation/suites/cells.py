"""Cells of tables: a list or an object stands in a cell as JSON, or as Python or numpy prints it."""

from __future__ import annotations

import ast
import re
from typing import Any

import orjson

SHOWN = 4
"""Characters of a list that are shown of one that is cut."""
MOST_CELL = 4_000_000
"""Characters of a cell that is read as a list."""
_TEXT = re.compile(r"""\s*('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")\s*,?\s*""", re.DOTALL)


def unprinted(value: Any) -> Any:
    """Return the list or the object that a cell shows; anything else as it is.

    numpy prints no commas between texts, so that Python would read them as one.

    >>> unprinted('["a", "b"]'), unprinted("['a' 'b']"), unprinted("{'q': 'How long?'}"), unprinted("[sic] a")
    (['a', 'b'], ['a', 'b'], {'q': 'How long?'}, '[sic] a')
    """
    if not isinstance(value, str) or len(value) > MOST_CELL:
        return value
    text = value.strip()
    if (text[:1], text[-1:]) not in (("[", "]"), ("{", "}")):
        return value
    try:
        found = orjson.loads(text)
    except orjson.JSONDecodeError:
        found = _texts(text) if text[0] == "[" else None
        if found is None:
            found = _literal(text)
    if isinstance(found, dict) or (isinstance(found, list) and all(isinstance(each, str | dict) for each in found)):
        return found
    return value


def cut_list(cell: str) -> str | None:
    """Return how a cell begins that shows a list of texts without its end; ``None`` for any other.

    >>> cut_list('["a", "b'), cut_list('["a", "b"]'), cut_list("[1] see there")
    ('["a"', None, None)
    """
    text = cell.strip()
    return text[:SHOWN] if text[:2] in ('["', "['") and text[-1:] != "]" else None


def _texts(text: str) -> list[str] | None:
    """Return the texts of a printed list that holds nothing else."""
    found, place, end = [], 1, len(text) - 1
    while place < end:
        match = _TEXT.match(text, place, end)
        if match is None:
            return None
        read = _literal(match[1])
        if not isinstance(read, str):
            return None
        found.append(read)
        place = match.end()
    return found


def _literal(text: str) -> Any:
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
