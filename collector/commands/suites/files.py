"""The records of the files of a suite, each form of file by its first line."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from dataclasses import replace
from difflib import get_close_matches
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

import orjson

from adapters.base import AdaptOptions, MalformedRecord
from adapters.files.jsonl import answer_of
from adapters.files.labelled_rows import answer_of_row, is_row
from adapters.files.records import is_trace
from adapters.files.unreadable import not_json
from adapters.schema import Answer
from collector.commands.progress import Progress
from collector.commands.reading import MAX_BYTES, answers, is_csv, opened
from collector.commands.suites.tables import PARQUET, csv_rows, parquet_columns, parquet_rows
from collector.commands.suites.taken import SuitePart
from collector.errors import ConfigError
from collector.runs.manifest import read_manifest
from collector.runs.tables import ANSWERS, read_table
from collector.security.text import one_line
from evaluation.suites.case import SuiteError, SuiteRow
from evaluation.suites.columns import CLOSE, unflattened, with_attributes
from evaluation.suites.datasets import KINDS
from evaluation.suites.expectations import Expectations, expectations_of
from evaluation.suites.judged import is_judged, row_of_judged
from evaluation.suites.probe import is_probe, row_of_probe
from evaluation.suites.rankings import BEIR_HEADER, QRELS, RUN, is_beir, ranking_line, row_of_beir, text_of_beir

ANSWER_KEYS = frozenset({"answer", "passages", "stages", "context", "citations"})
WRAPPERS = ("data", "examples", "items")
"""What an export calls the list of its records, outermost first."""
RECORDS = frozenset({"question", "question_id", "input", "inputs", "user_input", "_id", "answer_id"})
"""Keys of records, which are no wrappers."""
SPANS = frozenset({"context.span_id", "span_kind"})
"""Columns of spans, as Phoenix exports them."""
SUITE_FILES = (".jsonl", ".json", ".csv", ".tsv", ".parquet")
NAMED = 5
RECORD = "record"
"""What only a table of a run has."""
CORPUS = "corpus"
"""What BEIR calls the file of its documents: they need no title to be told from queries there."""
PEEK = 64 * 1024


def parts_of(path: Path, options: AdaptOptions, progress: Progress) -> Iterator[tuple[str, SuitePart | Exception]]:
    """Yield what each record of a file tells, with its place; what cannot be read as the error that says why."""
    if path.is_dir():
        yield from _of_run(path)
        return
    with opened(path) as stream:
        first = _first_line(stream)
    columns = first.split()
    if tuple(columns[:3]) == BEIR_HEADER or (
        len(columns) in (QRELS, RUN) and first[:1] not in "{[" and columns[3].lstrip("-").isdigit()
    ):
        yield from _of_lines(path)
    elif first[:1] in ("{", "["):
        yield from _of_json(path, options, progress)
    elif first.startswith(PARQUET):
        yield from _of_parquet(path, options, progress)
    elif is_csv(path):
        yield from _of_table(csv_rows(path, first))
    else:
        yield from _of_traces(path, options, progress)


def _of_run(folder: Path) -> Iterator[tuple[str, SuitePart | Exception]]:
    """Yield the answers of a finished run, to be scored again."""
    from collector.runs.folder import finished

    if read_manifest(folder) is None:
        there = sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.suffix in SUITE_FILES)
        named = f"; it has {', '.join(map(one_line, there[:NAMED]))}" if there else ""
        raise ConfigError(
            f"{folder}: is a folder without a run; name files, or a folder of `groundwire evaluate`{named}"
        )
    finished(folder, ANSWERS)
    for number, row in enumerate(read_table(folder / ANSWERS, ("record", "expect")), 1):
        expect = None if row["expect"] is None else Expectations.model_validate_json(row["expect"])
        yield f"row {number}", SuiteRow(Answer.model_validate_json(row["record"]), expect, answered=True)


def _of_lines(path: Path) -> Iterator[tuple[str, SuitePart | Exception]]:
    with opened(path) as stream:
        for number, line in enumerate(stream, 1):
            text = line.decode("utf-8", "replace").strip()
            if text:
                try:
                    part = ranking_line(text.split("\t") if "\t" in text else text.split())
                except SuiteError as error:
                    yield f"line {number}", error
                    continue
                if part is not None:
                    yield f"line {number}", part


def _of_table(rows: Iterator[tuple[str, dict[str, Any] | SuiteError]]) -> Iterator[tuple[str, SuitePart | Exception]]:
    for where, row in rows:
        yield where, row if isinstance(row, SuiteError) else _part(row, table=True)


def _of_parquet(path: Path, options: AdaptOptions, progress: Progress) -> Iterator[tuple[str, SuitePart | Exception]]:
    columns = parquet_columns(path)
    if columns & SPANS:
        yield from _of_traces(path, options, progress)
    elif RECORD in columns:
        raise ConfigError(f"{path}: is a table of a run; name the folder of the run")
    else:
        yield from _of_table(parquet_rows(path))


def _of_json(path: Path, options: AdaptOptions, progress: Progress) -> Iterator[tuple[str, SuitePart | Exception]]:
    values = values_of(path)
    first = next(values, None)
    if first is not None and _is_foreign(first[1]):
        values.close()
        yield from _of_traces(path, options, progress)
        return
    corpus = path.name.casefold().startswith(CORPUS)
    for where, value in chain([] if first is None else [first], values):
        yield where, value if isinstance(value, Exception) else _part(value, corpus=corpus)


def _of_traces(path: Path, options: AdaptOptions, progress: Progress) -> Iterator[tuple[str, SuitePart | Exception]]:
    for _, item in answers([path], options, progress):
        yield (
            ("", item)
            if isinstance(item, MalformedRecord)
            else (f"id {one_line(item.id, 60)}", SuiteRow(item, answered=True))
        )


def _is_foreign(value: Any) -> bool:
    """Whether a record is no row of a suite: traces, as other tools export them."""
    if not isinstance(value, dict):
        return False
    if (
        is_judged(value)
        or is_probe(value)
        or is_beir(value)
        or is_row(value)
        or any(claims(value) for claims, _ in KINDS)
        or value.keys() & {"question", "expect", "gold", "answer"}
    ):
        return False
    return is_trace(value)


def _part(value: Any, *, table: bool = False, corpus: bool = False) -> SuitePart | Exception:
    if not isinstance(value, dict):
        return SuiteError("not an object")
    try:
        if corpus and is_beir(value):
            return text_of_beir(value)
        return _told(unflattened(value) if table else value, table=table)
    except (SuiteError, MalformedRecord, ValueError) as error:
        return error


def _told(value: dict[str, Any], *, table: bool) -> SuitePart:
    if is_judged(value):
        return row_of_judged(value)
    expect = None if value.get("expect") is None else expectations_of(value["expect"])
    configuration = value.get("configuration")
    if configuration is not None and not isinstance(configuration, str):
        raise SuiteError("configuration: must be text")
    given = {name: each for name, each in value.items() if name not in ("expect", "configuration")}
    if is_probe(given):
        part: SuitePart = row_of_probe(given)
    elif is_beir(given):
        part = row_of_beir(given)
    elif is_row(given):
        part = SuiteRow(answer_of_row(given, ""), answered=True)
    else:
        read = next((read for claims, read in KINDS if claims(given)), None)
        if read is None:
            if not table:
                _refuse_unasked(given)
            asked = {"question": None, "answer": None, **(with_attributes(given) if table else given)}
            part = SuiteRow(answer_of(asked, ""), answered=not ANSWER_KEYS.isdisjoint(given))
            if given.get("id") is None and part.answer.question is not None:
                part = part.by_question()
        else:
            part = read(given)
    if isinstance(part, SuiteRow):
        return replace(part, expect=expect, configuration=configuration or part.configuration).consistent()
    return part


def _refuse_unasked(row: Mapping[str, Any]) -> None:
    """Raise `SuiteError` for a row that has no question, and text in a field that may be it."""
    if "question" in row:
        return
    for name, value in row.items():
        close = get_close_matches(name, Answer.model_fields, n=1, cutoff=CLOSE)
        if isinstance(value, str) and name not in Answer.model_fields and not close:
            raise SuiteError(f"{name}: unknown field, and `question` is missing; if it is that, rename it")


def values_of(path: Path) -> Generator[tuple[str, Any], None, None]:
    """Yield the objects of a file with their places: lines, or a document that is a list or holds one."""
    with opened(path) as stream:
        first, begins = stream.readline(), 1
        while first and not first.strip():
            first, begins = stream.readline(), begins + 1
        if _parsed(first.removeprefix(b"\xef\xbb\xbf")) is None or first.strip()[:1] == b"[":
            data = first + stream.read(MAX_BYTES + 1 - len(first))
            if len(data) > MAX_BYTES:
                raise ConfigError(f"{path}: larger than {MAX_BYTES} bytes, and not JSON lines")
            yield from _document(data)
            return
        for number, line in enumerate(chain([first], stream), begins):
            if line.strip():
                where = f"line {number}"
                text = line.removeprefix(b"\xef\xbb\xbf") if number == begins else line
                try:
                    value = orjson.loads(text)
                except orjson.JSONDecodeError as error:
                    yield where, SuiteError(not_json(text, error))
                else:
                    yield from _unwrapped(value, where)


def _document(data: bytes) -> Iterator[tuple[str, Any]]:
    text = data.removeprefix(b"\xef\xbb\xbf")
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        lines = text.split(b"\n")
        if sum(_parsed(line) is not None for line in lines) * 2 > sum(bool(line.strip()) for line in lines):
            for number, line in enumerate(lines, 1):
                found = _parsed(line)
                if line.strip():
                    yield f"line {number}", SuiteError(_why_not(line)) if found is None else found
            return
        # Data that ends early ends on its last line, and not behind it.
        lineno = min(error.lineno, max(1, len(text.rstrip().split(b"\n"))))
        yield f"line {lineno}", SuiteError(not_json(text, error))
        return
    yield from _unwrapped(value, "")


def _unwrapped(value: Any, where: str) -> Iterator[tuple[str, Any]]:
    """Yield the records that an export wraps in one object, each with its place; any other value as it is."""
    for name in WRAPPERS:
        if isinstance(value, dict) and isinstance(value.get(name), list | dict) and RECORDS.isdisjoint(value):
            value, where = value[name], f"{where}.{name}" if where else name
    if isinstance(value, list):
        yield from ((f"{where}[{place}]", each) for place, each in enumerate(value))
    else:
        yield where, value


def _why_not(line: bytes) -> str:
    try:
        orjson.loads(line)
    except orjson.JSONDecodeError as error:
        return not_json(line, error)
    return "not JSON: null"


def _parsed(text: bytes) -> Any:
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return None


def _first_line(stream: BinaryIO) -> str:
    """Return the beginning of the first line with words."""
    for line in iter(lambda: stream.readline(PEEK), b""):
        text = line.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace").strip()
        if text:
            return text
    return ""
