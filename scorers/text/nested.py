"""The grids of nested data: every list of objects is a table, and the scalars of an object are a record.

Objects that a list or an object of objects holds at the same path, whatever parent they have, are rows of one table;
what names the parent is a column of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from scorers.text.normalize import word_set
from scorers.text.record import key_words
from scorers.text.tables import BELOW, MAX_CELL, MAX_CELLS, MAX_COLUMNS, MAX_ROWS, Grid

MAX_DEPTH = 24
_NAMES = frozenset({"title", "name", "caption", "id", "heading", "label"})
_FEWEST = 2
_ALIKE = 0.5

_Row = dict[str, "str | tuple[str, ...]"]


def nested_grids(data: Any) -> Iterator[Grid]:
    """Yield the grids of what was read from JSON or YAML.

    >>> [(g.title, g.header, g.rows) for g in nested_grids({"title": "Leave", "rows": [{"land": "Chile", "days": 15}]})]
    [('Leave', ('land', 'days'), (('Chile', '15'),))]
    """
    record: _Row = {}
    reader = _Reader(record)
    units = _units(data)
    if isinstance(data, list):
        reader.rows(data, (), {}, 0)
    elif isinstance(data, dict):
        if _alike(data):
            reader.keyed(data, (), {}, 0)
        else:
            reader.object(data, (), record, 0)
    title = next((text for key, text in record.items() if key in _NAMES and isinstance(text, str)), "")
    for path, rows in reader.tables.items():
        header = tuple(dict.fromkeys(key for row in rows for key in row))[:MAX_COLUMNS]
        name = " ".join(
            filter(None, (title, *(path[-1:] if path and path[-1] not in ("rows", "data", "list") else ())))
        )
        told = tuple(_unit_of(key, units) for key in header)
        yield Grid(name[:MAX_CELL], header, tuple(tuple(row.get(key, "") for key in header) for row in rows), told)
    if record and not (reader.tables and len(record) == 1 and title):
        header = tuple(record)[:MAX_COLUMNS]
        told = tuple(_unit_of(key, units) for key in header)
        yield Grid(title[:MAX_CELL], header, (tuple(record[key] for key in header),), told)


def _units(data: Any) -> list[tuple[frozenset[str], str]]:
    """Return the units that data tells of its keys, as in "hourly_units": {"temp": "C"}; the longest keys first."""
    if not isinstance(data, dict):
        return []
    found = [
        (frozenset(word.casefold() for word in key_words(str(key))), unit)
        for name, value in data.items()
        if isinstance(value, dict) and _tells_units(str(name))
        for key, unit in value.items()
        if isinstance(unit, str) and len(unit) <= _UNIT
    ]
    return sorted(found, key=lambda each: -len(each[0]))


def _tells_units(name: str) -> bool:
    return any(word.casefold() in ("unit", "units") for word in key_words(name))


def _unit_of(column: str, units: Sequence[tuple[frozenset[str], str]]) -> str:
    if not units:
        return ""
    words = {word.casefold() for key in column.split(BELOW) for word in key_words(key)}
    return next((unit for key, unit in units if key and key <= words), "")


_UNIT = 24
"""Characters of the name of a unit."""


class _Reader:
    """Collects the rows of one walk, by the path of their lists."""

    def __init__(self, record: _Row) -> None:
        self.record = record
        self.tables: dict[tuple[str, ...], list[_Row]] = {}
        self.cells = 0

    def object(self, data: Mapping[Any, Any], path: tuple[str, ...], row: _Row, depth: int, of: str = "") -> None:
        """Put the scalars of an object, one ``of`` a list, into ``row``; of objects within it under both names."""
        if depth > MAX_DEPTH:
            return
        whole = row is self.record
        if whole and (series := _series(data)):
            self.tables.setdefault((*path, "series"), []).extend(series)
            data = {key: value for key, value in data.items() if str(key) not in series[0]}
        own, later = self._parted(data, path)
        row.update(own)
        if whole and not path:
            named: _Row = {}  # what names the whole is its title
        else:
            above = path[-1:] or ((of,) if of else ())
            named = {BELOW.join((*above, key)): text for key, text in own.items() if key in _NAMES}
        if whole and (path or not later):
            self.pairs(data, path)
        for key, value in later:
            if isinstance(value, list) and len(value) == 1 and isinstance(value[0], dict) and not whole:
                self.object(value[0], (*path[-1:], key), row, depth + 1)
            elif isinstance(value, list):
                self.rows(value, (*path, key), named, depth + 1)
            elif _alike(value):
                self.keyed(value, (*path, key), named, depth + 1)
            else:
                self.object(value, (*path[-1:], key), row, depth + 1)

    def _parted(self, data: Mapping[Any, Any], path: tuple[str, ...]) -> tuple[_Row, list[tuple[str, Any]]]:
        """Return the scalars of an object, and what is walked into."""
        own: _Row = {}
        later: list[tuple[str, Any]] = []
        for raw, value in data.items():
            key = str(raw)[:MAX_CELL]
            if isinstance(value, (dict, list)) and value and not _scalars(value):
                later.append((key, value))
            elif self.cells < MAX_CELLS and (text := _text(value)) is not None:
                self.cells += 1
                own[BELOW.join((*path, key))] = text
        return own, later

    def rows(self, data: Sequence[Any], path: tuple[str, ...], named: _Row, depth: int) -> None:
        """Take the objects of a list as rows."""
        for value in data[:MAX_ROWS]:
            if isinstance(value, dict):
                row = dict(named)
                self.object(value, (), row, depth + 1, "".join(path[-1:]))
                self.tables.setdefault(path, []).append(row)

    def keyed(self, data: Mapping[Any, Any], path: tuple[str, ...], named: _Row, depth: int) -> None:
        """Take the objects of an object as rows that their keys name."""
        for key, value in list(data.items())[:MAX_ROWS]:
            row: _Row = {path[-1] if path else "": _spoken(str(key)), **named}
            self.object(value, (), row, depth + 1)
            self.tables.setdefault(path, []).append(row)

    def pairs(self, data: Mapping[Any, Any], path: tuple[str, ...]) -> None:
        """Take an object of nothing but numbers as a table of two columns: its keys are what is compared."""
        if len(data) > _FEWEST and all(
            isinstance(each, (int, float)) and each is not True and each is not False for each in data.values()
        ):
            rows: list[_Row] = [
                {"": _spoken(str(key)), path[-1] if path else "value": str(each)} for key, each in data.items()
            ]
            self.tables[path] = rows[:MAX_ROWS]


def _alike(data: Any) -> bool:
    """Whether an object holds objects with the same keys."""
    if not isinstance(data, dict) or len(data) < _FEWEST or not all(isinstance(each, dict) for each in data.values()):
        return False
    if any(_tells_units(str(name)) for name in data):
        return False
    first, *others = (set(each) for each in data.values())
    return bool(first) and all(len(first & other) >= _ALIKE * len(first | other) for other in others)


def _series(data: Mapping[Any, Any]) -> list[_Row]:
    """Return the rows of lists side by side: "time": [...], "temperature": [...], one row for each moment."""
    lists = {str(key): value for key, value in data.items() if isinstance(value, list) and value and _scalars(value)}
    axis = next((key for key in lists if not _AXES.isdisjoint(word.casefold() for word in key_words(key))), None)
    if axis is None or len(lists[axis]) < _FEWEST_MOMENTS:
        return []
    beside = {key: value for key, value in lists.items() if len(value) == len(lists[axis])}
    if len(beside) < _FEWEST:
        return []
    moments = range(min(MAX_ROWS, len(lists[axis])))
    return [{key: _text(value[at]) or "" for key, value in beside.items()} for at in moments]


_AXES = word_set(
    "time times timestamp timestamps date dates day days hour hours month months year years week weeks quarter quarters"
    " label labels category categories"
)
"""Words of keys whose list names what the lists beside it tell."""
_FEWEST_MOMENTS = 3


def _scalars(value: Any) -> bool:
    return isinstance(value, list) and not any(isinstance(each, (dict, list)) for each in value)


def _spoken(key: str) -> str:
    return " ".join(key_words(key)) if "_" in key or key.isidentifier() else key


def _text(value: Any) -> str | tuple[str, ...] | None:
    if isinstance(value, list):
        return tuple(str(each) for each in value[:MAX_ROWS] if each is not None)
    if value is None or value == {}:
        return None
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = str(value)
    return text if len(text) <= MAX_CELL else None
