"""The one list of documents somewhere within an answer, under whatever name its service gave it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from adapters.documents.passages import Documents
from adapters.documents.shapes import documents_among

_MAX_DEPTH = 5
_MOST_OBJECTS = 200
"""How many objects are looked into."""
_MOST_PROSE = 120
"""Longest text beside a list that is no statement of its own: a message, a query, the name of an index."""


class _Listed(NamedTuple):
    """A list of documents, and the names that led to it."""

    path: tuple[str, ...]
    documents: Documents


def listed_below(value: Any, *, most: int) -> Documents | None:
    """Return the documents of the only list below ``value``; ``None`` where none is one, several are, or prose too.

    An answer that says something in words of its own beside its list is no mere list: what it says would be lost.

    >>> answer = {"ResultItems": [{"Id": "k", "Content": "Up to 180 EUR."}], "QueryId": "q"}
    >>> [each.text for each in listed_below(answer, most=5)]
    ['Up to 180 EUR.']
    >>> listed_below({"policies": [{"text": "180 EUR."}], "people": [{"text": "Ada."}]}, most=5) is None
    True
    """
    found = list(_lists(value, (), most, [_MOST_OBJECTS]))
    if not found or None in found:
        return None
    listed = [each for each in found if each is not None]
    if len({each.path for each in listed}) > 1:
        return None
    return tuple(document for each in listed for document in each.documents)[:most]


def _lists(value: Any, path: tuple[str, ...], most: int, left: list[int]) -> Iterator[_Listed | None]:
    """Yield the lists of documents below; ``None`` for what cannot stand beside one."""
    left[0] -= 1
    if left[0] < 0 or len(path) > _MAX_DEPTH:
        yield None
    elif isinstance(value, list):
        yield from _in_list(value, path, most, left)
    elif isinstance(value, Mapping):
        for name, held in value.items():
            if isinstance(held, dict | list):
                yield from _lists(held, (*path, name), most, left)
            elif isinstance(held, str) and len(held) > _MOST_PROSE and " " in held.strip():
                yield None


def _in_list(value: list[Any], path: tuple[str, ...], most: int, left: list[int]) -> Iterator[_Listed | None]:
    rows = bool(value) and all(isinstance(each, dict) for each in value)
    documents = documents_among(value, most=most) if rows else None
    if documents and all(each.text is not None for each in documents):
        yield _Listed(path, documents)
    elif documents is None or len(value) == 1:
        for each in value:
            if isinstance(each, dict | list):
                yield from _lists(each, path, most, left)
