"""Columns and tables as rows: how some stores answer, each value apart from its name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from adapters.values import dig

_ROWS = ("rows", "data", "data_array", "values", "records")
_MOST_COLUMNS = 200


def rows_of(value: Mapping[str, Any]) -> list[Any] | None:
    """Return the rows of an answer in columns, or of a table with the names of its columns; ``None`` where it is none.

    >>> rows_of({"ids": [["T-1"]], "documents": [["Up to 180 EUR."]], "metadatas": [[{"page": 4}]]})
    [{'id': 'T-1', 'text': 'Up to 180 EUR.', 'metadata': {'page': 4}}]
    >>> rows_of({"columns": ["id", "text"], "rows": [["T-1", "Up to 180 EUR."]]})
    [{'id': 'T-1', 'text': 'Up to 180 EUR.'}]
    """
    ids = value.get("ids")
    return _of_columns(value, ids) if isinstance(ids, list) else _of_table(value)


def _of_columns(value: Mapping[str, Any], ids: list[Any]) -> list[Any]:
    """Read ``{"ids": [[..]], "documents": [[..]], "metadatas": [[..]]}``, as Chroma answers."""
    nested = bool(ids) and isinstance(ids[0], list)
    columns: dict[str, list[Any]] = {}
    for name, key in (("id", "ids"), ("text", "documents"), ("metadata", "metadatas"), ("distance", "distances")):
        column = value.get(key)
        column = column[0] if nested and isinstance(column, list) and column else column
        if isinstance(column, list):
            columns[name] = column
    rows = len(columns.get("id", ()))
    return [{name: column[i] for name, column in columns.items() if i < len(column)} for i in range(rows)]


def _of_table(value: Mapping[str, Any]) -> list[Any] | None:
    """Read the names of columns beside rows of their values: those of pandas, of Databricks, of tools for SQL."""
    named = _names(value.get("columns")) or _names(dig(value, "manifest", "columns"))
    if named is None:
        return None
    for holder in (value, value.get("result")):
        rows = next((holder[key] for key in _ROWS if key in holder), None) if isinstance(holder, dict) else None
        if isinstance(rows, list) and all(isinstance(row, list) and len(row) == len(named) for row in rows):
            return [dict(zip(named, row, strict=True)) for row in rows]
    return None


def _names(columns: Any) -> Sequence[str] | None:
    if not isinstance(columns, list) or not 0 < len(columns) <= _MOST_COLUMNS:
        return None
    told = (column.get("name") if isinstance(column, dict) else column for column in columns)
    names = [name for name in told if isinstance(name, str)]
    return names if len(set(names)) == len(columns) else None
