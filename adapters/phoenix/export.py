"""The files that people write with Phoenix's client: data frames as JSON tables and as CSV.

``get_spans`` gives spans as the API lists them. ``get_spans_dataframe`` gives a data frame with columns like
``context.trace_id`` and ``attributes.input.value``; what pandas makes of it depends on how it is written: JSON by row
or by column, and CSV with nested values as Python prints them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from typing import Any

from adapters.base import MalformedRecord

MAX_CELL_CHARS = 1_000_000
"""Longest nested value of a CSV cell that is parsed; it is kept as text beyond."""
PARQUET = b"PAR1"
PARQUET_HINT = (
    "a Parquet file; write JSON lines from it, for example with "
    "python -c \"import pandas; pandas.read_parquet('spans.parquet').to_json('spans.jsonl', orient='records', "
    "lines=True, date_format='iso', date_unit='us')\""
)
"""What to tell who brings Parquet, which takes a library of 100 MB to read."""

_COLUMNS = ("context.trace_id", "context.span_id")
_CELL = re.compile(r'(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|\r|\n|\Z)')
_TEXT_COLUMNS = (".value", ".content", ".template", ".invocation_parameters", ".mime_type", "name", "message")
"""Columns that hold text whatever it looks like: JSON of the application's own."""


def is_export(value: Any) -> bool:
    """Tell whether a JSON value is a data frame of spans by column: an object of objects, or the parts of a table.

    >>> is_export({"context.trace_id": {"0": "0a"}, "context.span_id": {"0": "0b"}}), is_export({"question": "Q?"})
    (True, False)
    """
    if not isinstance(value, dict):
        return False
    if all(isinstance(value.get(name), dict) for name in _COLUMNS):
        return True
    columns = value.get("columns")
    return isinstance(columns, list) and isinstance(value.get("data"), list) and set(_COLUMNS) <= _strings(columns)


def rows_of_table(value: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the rows of a data frame that `is_export` knows."""
    if "columns" in value:
        columns = [str(name) for name in value["columns"]]
        for row in value["data"]:
            yield dict(zip(columns, row if isinstance(row, list) else (), strict=False))
        return
    for index in value[_COLUMNS[0]]:
        yield {name: column.get(index) for name, column in value.items() if isinstance(column, dict)}


def rows_of_csv(text: str) -> Iterator[dict[str, Any]]:
    r"""Yield the rows of a data frame of spans written as CSV. Raises `MalformedRecord` where it is none.

    >>> list(rows_of_csv('context.trace_id,context.span_id,events\n0a,0b,"[{\'name\': \'x\'}]"\n'))
    [{'context.trace_id': '0a', 'context.span_id': '0b', 'events': [{'name': 'x'}]}]
    """
    lines = _lines(text)
    columns = next(lines, [])
    if not set(_COLUMNS) <= set(columns):
        raise MalformedRecord(f"not a CSV of Phoenix spans: no columns {' and '.join(_COLUMNS)}")
    for cells in lines:
        if any(cells):
            yield {name: _value(name, cell) for name, cell in zip(columns, cells, strict=False) if cell}


def _lines(text: str) -> Iterator[list[str]]:
    """Split CSV as RFC 4180 has it. The standard library's reader bounds cells by a setting of the whole process."""
    cells: list[str] = []
    at = 0
    while at < len(text):
        match = _CELL.match(text, at)
        if match is None:
            raise MalformedRecord(f"no CSV: a quote stands inside a cell, or never closes, near character {at}")
        quoted, plain, end = match.groups()
        cells.append(plain if quoted is None else quoted.replace('""', '"'))
        at = match.end()
        if end != ",":
            yield cells
            cells = []
    if cells:
        yield cells


def _value(column: str, cell: str) -> Any:
    """Return a cell; a nested value, which pandas writes as Python prints it, is read back."""
    if not cell.startswith(("{", "[")) or column.endswith(_TEXT_COLUMNS) or len(cell) > MAX_CELL_CHARS:
        return cell
    try:
        return ast.literal_eval(cell)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return cell


def _strings(values: list[Any]) -> set[str]:
    return {value for value in values if isinstance(value, str)}
