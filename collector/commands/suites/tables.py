"""Rows of tables that people keep labelled data in: CSV of spreadsheets, pandas and `datasets`, and Parquet."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TextIO

import orjson

from collector.commands.reading import MAX_BYTES, opened
from collector.errors import ConfigError
from collector.runs.tables import needs_pyarrow, read_table
from evaluation.suites.case import SuiteError
from evaluation.suites.cells import cut_list, unprinted
from evaluation.suites.datasets import REFERENCES, RETRIEVED

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


def is_csv(path: Path) -> bool:
    """Whether a file is a table of texts by its name.

    >>> is_csv(Path("rows.csv")), is_csv(Path("rows.tsv.gz")), is_csv(Path("rows.jsonl"))
    (True, True, False)
    """
    return any(each in (".csv", ".tsv") for each in path.suffixes[-2:])


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


def parquet_rows(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each row with its place, as JSON would have it."""
    for number, row in enumerate(read_table(path), 1):
        told = orjson.loads(orjson.dumps(row, default=str))
        yield f"row {number}", _record({name: unprinted(each) for name, each in told.items() if each is not None})


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
    """Return a row with its columns `attributes.NAME` in one object, and without the index that pandas writes."""
    found: dict[str, Any] = {}
    attributes: dict[str, Any] = {}
    for name, value in row.items():
        if name.startswith(ATTRIBUTES):
            attributes[name.removeprefix(ATTRIBUTES)] = value
        elif name not in INDEX and not name.startswith("Unnamed: "):
            found[_known(name)] = value
    return found | ({"attributes": attributes} if attributes else {})


def _known(name: str) -> str:
    plain = "_".join(name.split()).casefold()
    return plain if plain in NAMES else name.strip()


def _double(header: Sequence[str]) -> str | None:
    """Return a column that a table has twice: nobody can say which of them is meant."""
    names = [name for each in header if (name := _known(each)) not in INDEX]
    return next((name for place, name in enumerate(names) if name in names[:place]), None)


def _cell(name: str, cell: str) -> Any:
    found = unprinted(cell) if name in LISTED else cell
    if isinstance(found, str) and name in LISTED and (begin := cut_list(found)) is not None:
        raise SuiteError(
            f"{name}: begins as a list ({begin}) and ends as none; spreadsheets cut a cell at 32,767 characters. "
            "If it is one text, write a list of one"
        )
    return [found] if name in TEXTS and isinstance(found, str) else found
