"""Rows of tables that people keep labelled data in: CSV of spreadsheets, pandas and `datasets`, and Parquet."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TextIO, get_origin

import orjson
from pydantic import BaseModel

from adapters.schema import Gold
from collector.commands.reading import MAX_BYTES, opened
from collector.errors import ConfigError
from collector.runs.tables import needs_pyarrow, read_table
from evaluation.suites.case import SuiteError
from evaluation.suites.cells import cut_list, unprinted
from evaluation.suites.datasets import REFERENCES, RETRIEVED
from evaluation.suites.expectations import Expectations

PARQUET = "PAR1"
"""What a Parquet file begins with."""
SEPARATORS = ",;\t"
_SEPARATOR_LINE = re.compile("sep=([,;\t|])?", re.IGNORECASE)
"""What some spreadsheets write above the header; a tab at its end may be lost."""
TEXTS = frozenset({*RETRIEVED, "reference_contexts", "passages"})
"""Columns of lists of texts: a cell that shows no list is one text."""
LISTED = TEXTS | {
    "user_input", "retrieved_context_ids", "reference_context_ids", "ground_truths", "inputs", "outputs", "input",
    "output", "expected_output", "expectedOutput", "metadata", "citations", "history", "attributes", "gold",
    "expect", "claims", "usage", "versions",
}  # fmt: skip
"""Columns whose cells may show a list or an object."""
NAMES = frozenset({"id", "question", "answer", "response", "reference", *REFERENCES, *LISTED})
"""Columns that are known however they are spelt: spreadsheets have `Ground truth`."""
CSV_HINTS = {"unexpected end of data": "a cell begins with a quote here, and no line after has the quote that ends it"}
"""What the parser says, as whoever wrote the file can mend it."""
INDEX = ("", "__index_level_0__")
"""What pandas calls a column that has no name."""
ATTRIBUTES = "attributes."
PARTS: Mapping[str, type[BaseModel]] = {"expect": Expectations, "gold": Gold}
"""What may stand in a column for each of its fields: `expect.must_say`, `expect.at_least.faithfulness`."""


def csv_rows(path: Path, header: str) -> Iterator[tuple[str, dict[str, Any] | SuiteError]]:
    """Yield each row with its line.

    Cells are parted by what a first line such as ``sep=;`` says, else by what the header has most of: comma, semicolon
    or tab.
    """
    told = _SEPARATOR_LINE.fullmatch(header)
    separator = max(SEPARATORS, key=header.count) if told is None else told[1] or "\t"
    with opened(path) as stream:
        csv.field_size_limit(MAX_BYTES)
        text = io.TextIOWrapper(stream, "utf-8-sig", newline="")
        skipped = 0 if told is None else _skip(text)
        rows = csv.DictReader(text, strict=True, delimiter=separator)
        try:
            double = _double(rows.fieldnames or ())
            if double is not None:
                yield f"line {skipped + 1}", SuiteError(f"has the column {double!r} twice; rename one of them")
                return
            for row in rows:
                where = f"line {skipped + rows.line_num}"
                if not any(row.values()):
                    continue  # a spreadsheet writes its empty rows too
                if None in row or None in row.values():
                    many = "more" if None in row else "fewer"
                    yield where, SuiteError(f"has {many} cells than the header has columns")
                    continue
                try:
                    yield where, _record({name: _cell(_known(name), cell) for name, cell in row.items() if cell})
                except SuiteError as error:
                    yield where, error
        except UnicodeDecodeError:
            yield "", SuiteError("not UTF-8; a spreadsheet can save it as CSV UTF-8")
        except csv.Error as error:
            yield f"line {skipped + rows.line_num + 1}", SuiteError(f"not CSV: {CSV_HINTS.get(str(error), error)}")


def _skip(text: TextIO) -> int:
    """Pass over the first line with words; return how many lines were passed over."""
    passed = 1
    while not text.readline().strip():
        passed += 1
    return passed


def parquet_rows(path: Path) -> Iterator[tuple[str, dict[str, Any] | SuiteError]]:
    """Yield each row with its place, as JSON would have it."""
    for number, row in enumerate(read_table(path), 1):
        told = orjson.loads(orjson.dumps(row, default=str))
        try:
            record = _record({name: unprinted(each) for name, each in told.items() if each is not None})
        except SuiteError as error:
            yield f"row {number}", error
        else:
            yield f"row {number}", record


def parquet_columns(path: Path) -> frozenset[str]:
    """Return the names of the columns of a Parquet file."""
    needs_pyarrow()
    import pyarrow as pa
    from pyarrow import parquet

    try:
        return frozenset(parquet.read_schema(path).names)
    except (OSError, pa.ArrowException) as error:
        raise ConfigError(f"{path}: cannot be read: {' '.join(str(error).split())[:300]}") from error


def _record(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row with its columns `attributes.NAME`, `expect.NAME` and `gold.NAME` in one object each.

    The index that pandas writes is left out.
    """
    found: dict[str, Any] = {}
    attributes: dict[str, Any] = {}
    parts: dict[str, dict[str, Any]] = {}
    for name, value in row.items():
        if name.startswith(ATTRIBUTES):
            attributes[name.removeprefix(ATTRIBUTES)] = value
        elif (known := _part_of(name)) is not None:
            _put(parts, known, value)
        elif name not in INDEX and not name.startswith("Unnamed: "):
            found[_known(name)] = value
    both = next((name for name in parts if found.get(name) is not None), None)
    if both is not None:
        raise SuiteError(f"{both}: stands in a column of its own and in {both}.{next(iter(parts[both]))}; keep one")
    return found | parts | ({"attributes": attributes} if attributes else {})


def _put(parts: dict[str, dict[str, Any]], name: str, value: Any) -> None:
    """Put a cell of a column such as `expect.must_say` in its place; a text where a list belongs is a list of one."""
    head, inner, *keys = name.split(".", 2)
    holder: Any = parts.setdefault(head, {})
    key = inner
    if keys:
        holder, key = holder.setdefault(inner, {}), keys[0]
    if not isinstance(holder, dict) or key in holder:
        raise SuiteError(f"{name}: contradicts another column")
    field = None if keys else PARTS[head].model_fields.get(inner)
    listed = field is not None and get_origin(field.annotation) is tuple
    holder[key] = [value] if listed and isinstance(value, str) else value


def _known(name: str) -> str:
    plain = _plain(name)
    return plain if plain in NAMES else _part_of(name) or name.strip()


def _part_of(name: str) -> str | None:
    """Return the name of a column such as `Expect.must say` as it is known; ``None`` for any other."""
    head, point, rest = name.partition(".")
    if not point or _plain(head) not in PARTS:
        return None
    inner, *keys = rest.split(".", 1)
    return ".".join([_plain(head), _plain(inner), *(key.strip() for key in keys)])


def _plain(name: str) -> str:
    return "_".join(name.split()).casefold()


def _double(header: Sequence[str]) -> str | None:
    """Return a column that a table has twice: nobody can say which of them is meant."""
    names = [name for each in header if (name := _known(each)) not in INDEX]
    return next((name for place, name in enumerate(names) if name in names[:place]), None)


def _cell(name: str, cell: str) -> Any:
    listed = name in LISTED or _part_of(name) is not None
    found = unprinted(cell) if listed else cell
    if isinstance(found, str) and listed and (begin := cut_list(found)) is not None:
        raise SuiteError(
            f"{name}: begins as a list ({begin}) and ends as none; spreadsheets cut a cell at 32,767 characters. "
            "If it is one text, write a list of one"
        )
    return [found] if name in TEXTS and isinstance(found, str) else found
