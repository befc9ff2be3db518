"""One entry of a catalog file, from texts as they were written to a `Document`, or all that is wrong with it."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any

from scorers.catalog.document import Document, parse_instant
from scorers.catalog.place import EntryPlace

_FIELDS = frozenset(Document.model_fields)
LISTS = frozenset({"supersedes", "permitted"})
MAX_PROBLEMS = 100
"""Problems that are told; a file of another kind altogether has one on every line."""

_INSTANTS = frozenset({"effective_from", "effective_to", "modified_at"})
_TEXTS = _FIELDS - LISTS - _INSTANTS - {"authority"}
_EMPTY = {"supersedes": ()}
_SHOWN = 60


class Problems:
    """What was found wrong, a line each: the first `MAX_PROBLEMS` are kept, the others counted."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self.count = 0

    def add(self, problem: str) -> None:
        """Note a problem."""
        self.count += 1
        if len(self.told) < MAX_PROBLEMS:
            self.told.append(problem)

    def lines(self, where: str) -> tuple[str, ...]:
        """Return what is told, with the number of those that are not."""
        left = self.count - len(self.told)
        return (*self.told, f"{where}: and {left} more problems") if left else tuple(self.told)


def document_of(place: EntryPlace, pairs: Iterable[tuple[str, Any]], problems: Problems) -> Document | None:
    """Return the entry that ``pairs`` of key and value make up; ``None`` where something is wrong with one.

    Values are texts, lists of texts and null, not typed yet, so that version 4.10 stays ``4.10``; whatever else a file
    has is named as wrong.
    """
    before = problems.count
    values: dict[str, Any] = {}
    failed: set[str] = set()
    for key, value in pairs:
        if key in _TEXTS and key not in values and key not in failed and isinstance(value, str) and value.isascii():
            values[key] = value  # most of every file; what follows would say the same, in three times the time
        elif key in values or key in failed:
            problems.add(f"{place}.{key}: duplicate key")
        elif key not in _FIELDS:
            problems.add(f"{place}.{shown(key)}: unknown key{_near(key)}")
        elif not _readable(key, value):
            failed.add(key)
            problems.add(f"{place}.{key}: expected {'a list of strings' if key in LISTS else 'a single value'}")
        else:
            try:
                values[key] = _EMPTY.get(key) if value is None else _typed(key, value)
            except ValueError as error:
                failed.add(key)
                problems.add(f"{place}.{key}: {error}")
    if not values.get("id") and "id" not in failed:
        problems.add(f"{place}.id: required")
    start, end = values.get("effective_from"), values.get("effective_to")
    if start is not None and end is not None and start >= end:
        problems.add(f"{place}.effective_to: must be after effective_from; this entry would never be in force")
    if problems.count > before:
        return None
    return Document(**values)


def shown(key: Any) -> str:
    """Return a key that may be of any length fit for a line."""
    return str(key)[:_SHOWN]


def _readable(key: str, value: Any) -> bool:
    if type(value) is list and key in LISTS:  # an object of a JSON file is a list of another type
        return all(isinstance(item, str) for item in value)
    return value is None or isinstance(value, str)


def _near(key: str) -> str:
    near = difflib.get_close_matches(key[:_SHOWN], sorted(_FIELDS), n=1)
    return f" (did you mean {near[0]}?)" if near else ""


def _typed(key: str, value: str | list[str]) -> Any:
    if isinstance(value, str):
        _check_encodable(value)
    if key in LISTS:
        items = (value,) if isinstance(value, str) else tuple(value)
        for item in items:
            _check_encodable(item)
            if not item.strip():
                raise ValueError("must not be empty")
        return items
    assert isinstance(value, str)
    if key in _INSTANTS:
        return parse_instant(value, end=key == "effective_to")
    if key == "authority":
        try:
            authority = float(value)
        except ValueError:
            authority = -1.0
        if not 0 <= authority <= 1:
            raise ValueError(f"expected a number from 0 to 1, not {value[:40]!r}")
        return authority
    return value


def _check_encodable(text: str) -> None:
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise ValueError(f"invalid Unicode: unpaired surrogate at character {error.start + 1}") from None
