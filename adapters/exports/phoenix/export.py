"""The files that people write with Phoenix's client: lists of spans, and data frames in any form pandas gives them.

``get_spans`` gives spans as the API lists them. ``get_spans_dataframe`` gives a data frame with columns like
``context.trace_id`` and ``attributes.input.value``, which pandas writes as JSON by row or by column, or as CSV with
nested values as Python prints them. Nulls in documents' metadata are still there, times may be cut to milliseconds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from adapters.exports.phoenix.spans import is_span, spans_of_rows
from adapters.values import parse_literal
from adapters.wire.decoded import Decoded

MAX_CELL_CHARS = 1_000_000
"""Longest nested value of a CSV cell that is parsed; a longer one stays text."""
PARQUET = b"PAR1"
"""What a Parquet file begins with."""
PARQUET_HINT = (
    "Parquet is not supported; convert it to JSON lines, for example with "
    "python -c \"import pandas; pandas.read_parquet('spans.parquet').to_json('spans.jsonl', orient='records', "
    "lines=True, date_format='iso', date_unit='us')\""
)
"""What to tell who brings Parquet, which takes a library of 100 MB to read."""

_COLUMNS = ("context.trace_id", "context.span_id", "span_kind")
_TEXT_COLUMNS = (".value", ".content", ".template", ".invocation_parameters", "name", "message")
"""Columns that hold text whatever it looks like: JSON, or Python's prints, of the application's own."""


def is_record(value: Any) -> bool:
    """Tell whether a JSON value is a span of Phoenix, or a data frame of them by column.

    >>> is_record({"context.trace_id": {"0": "0a"}, "context.span_id": {"0": "0b"}, "span_kind": {"0": "LLM"}})
    True
    >>> is_record({"question": "Q?"})
    False
    """
    return is_span(value)


def spans_of_records(values: Iterable[Mapping[str, Any]]) -> Decoded:
    """Convert what `is_record` knows, as it comes out of a file."""
    return spans_of_rows(row for value in values for row in _rows(value))


def _rows(value: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    if isinstance(value.get(_COLUMNS[0]), dict):
        for index in value[_COLUMNS[0]]:
            yield {name: column.get(index) for name, column in value.items() if isinstance(column, dict)}
    elif isinstance(value.get("context"), dict):
        yield value
    else:
        yield {column: _cell(column, cell) for column, cell in value.items()}


def _cell(column: str, cell: Any) -> Any:
    """Return a cell; a nested value that was printed is read back."""
    if not isinstance(cell, str) or not cell.startswith(("{", "[")) or column.endswith(_TEXT_COLUMNS):
        return cell
    found = parse_literal(cell, limit=MAX_CELL_CHARS)
    return cell if found is None else found
