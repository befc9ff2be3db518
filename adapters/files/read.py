"""Files of traces or answers: the format is told from the bytes, then every record is read or refused on its own."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

import orjson

from adapters.base import AdaptOptions, MalformedRecord
from adapters.detect import NO_DIALECT, read_trace
from adapters.documents.given import described
from adapters.exports.phoenix import PARQUET, PARQUET_HINT
from adapters.files.cut import whole_records
from adapters.files.jsonl import line_parts
from adapters.files.records import FOREIGN, FileRecord, RecordReader, unwrapped
from adapters.schema import Answer
from adapters.trace import Span
from adapters.wire.decoded import Decoded
from adapters.wire.otlp import decode_logs, decode_traces, group

Format = Literal["protobuf", "json", "lines", "csv"]

_PEEK_BYTES = 4096
_CONTROL = bytes(set(range(32)) - set(b"\t\n\r"))
_BOM = b"\xef\xbb\xbf"


def detect_format(data: bytes) -> Format:
    r"""Tell how ``data`` holds its records: OTLP protobuf, one JSON document, JSON lines, or CSV.

    >>> detect_format(b'{"resourceSpans": []}'), detect_format(b'{"question": ""}\n{"question": ""}')
    ('json', 'lines')
    """
    # Protobuf is full of control bytes (lengths, ids); text has none but white space.
    if data[:_PEEK_BYTES].translate(None, _CONTROL) != data[:_PEEK_BYTES]:
        return "protobuf"
    text = data.removeprefix(_BOM).strip()
    first, newline, _ = text.partition(b"\n")
    if text[:1] not in (b"{", b"["):
        return "csv" if newline and _is_header(first) else "lines"
    return "lines" if newline and _parsed(first) is not None else "json"


def records(data: bytes) -> Iterator[FileRecord]:
    """Yield every answer and span in ``data``, and every record that could not be read.

    >>> [type(record).__name__ for record in records(b"no trace at all")]
    ['MalformedRecord']
    """
    for _, record in located_records(data):
        yield record


def located_records(data: bytes) -> Iterator[tuple[str, FileRecord]]:
    """Yield the `records` of ``data``, each with its place: a line, or an item of a list; empty where there is none.

    >>> [(where, answer.id) for where, answer in located_records(b'[{"id": "a", "question": "q", "answer": "b"}]')]
    [('[0]', 'a')]
    """
    if data.startswith(PARQUET):
        yield "", MalformedRecord(PARQUET_HINT)
        return
    form = detect_format(data)
    if form == "protobuf":
        yield from (("", record) for record in _of_protobuf(data))
        return
    text = data.removeprefix(_BOM)
    reading = RecordReader()
    for value, where in _csv_rows(text) if form == "csv" else _json_values(text, form):
        yield from ((where, record) for record in reading.read(value, where))
    yield from (("", record) for record in reading.rest())


def line_records(line: bytes, where: str) -> Iterator[FileRecord]:
    """Yield what one line of a growing file holds; ``where`` is its place.

    >>> [str(record) for record in line_records(b"{", "app.jsonl:7")]
    ['app.jsonl:7: not JSON: unexpected end of data, column 2; the record is cut short']
    """
    reading = RecordReader()
    try:
        # How long a line may be is for whoever cut it out to say.
        for part in line_parts(line, where, limit=len(line)):
            yield from reading.read(part, where)
    except MalformedRecord as error:
        yield error
    yield from reading.rest(where)


@dataclass(frozen=True, slots=True)
class LeftOver:
    """What was read of traces and is in no answer.

    ``spans`` counts those that tell of a model, a search or an agent and that no dialect reads, by instrumentation
    scope; ``traces`` those that dialects read and that hold no answer, by the dialect of most of their spans.
    """

    spans: Counter[str] = field(default_factory=Counter)
    traces: Counter[str] = field(default_factory=Counter)


def adapted(
    spans: Iterable[Span], options: AdaptOptions, left: LeftOver | None = None
) -> Iterator[Answer | MalformedRecord]:
    """Yield the answers of ``spans``, trace by trace; count in ``left`` what is in none of them."""
    for trace in group(spans):
        try:
            found = read_trace(trace, options)
        except MalformedRecord as error:
            yield error
            continue
        if left is not None:
            left.spans.update(found.unread)
            read_by = {name: n for name, n in found.dialects.items() if n and name != NO_DIALECT}
            if read_by and not found.answers:
                left.traces[max(sorted(read_by), key=lambda name: read_by[name])] += 1
        yield from found.answers


def read(data: bytes, options: AdaptOptions) -> Iterator[Answer | MalformedRecord]:
    """Yield every answer in ``data``, and every record that could not be read; what can be read is never hidden by it.

    >>> [type(record).__name__ for record in read(b"no trace at all", AdaptOptions())]
    ['MalformedRecord']
    """
    spans: list[Span] = []
    for record in records(data):
        if isinstance(record, Span):
            spans.append(record)
        else:
            yield described(record, options.passages) if isinstance(record, Answer) else record
    yield from adapted(spans, options)


def _of_protobuf(data: bytes) -> Iterator[FileRecord]:
    """Yield the spans of a trace message, or of a log message: the bytes do not say which, but fit only one."""
    decoded = _attempt(decode_traces, data)
    if not decoded.spans:
        as_logs = _attempt(decode_logs, data)
        if as_logs.spans or len(as_logs.malformed) < len(decoded.malformed):
            decoded = as_logs
    yield from decoded.spans
    yield from decoded.malformed


def _attempt(decode: Callable[[bytes], Decoded], data: bytes) -> Decoded:
    try:
        return decode(data)
    except MalformedRecord as error:
        return Decoded((), (error,))


def _json_values(text: bytes, form: Format) -> Iterator[tuple[Any, str]]:
    whole = _parsed(text) if form == "json" else None
    if whole is not None:
        yield from unwrapped(whole, "")
        return
    # What begins like a document and is none ends early, or is lines of which the first is broken.
    cut = whole_records(text) if form == "json" and not _is_lines(text) else None
    if cut is not None:
        yield from unwrapped(cut.value, "")
        yield MalformedRecord(cut.reason), ""
        return
    for number, line in enumerate(text.split(b"\n"), start=1):
        if line.strip():
            where = f"line {number}"
            try:
                yield from ((part, where) for part in line_parts(line, where, limit=len(line)))
            except MalformedRecord as error:
                yield error, where


def _csv_rows(text: bytes) -> Iterator[tuple[Any, str]]:
    """Yield rows as objects; a cell that is empty is ``None``, as exports write what is not there."""
    # Prompts and documents stand in one cell; the library's own bound is 128 kB, one for all of a process.
    csv.field_size_limit(max(csv.field_size_limit(), len(text) + 1))
    rows = csv.DictReader(io.StringIO(text.decode("utf-8", "replace"), newline=""))
    while True:
        try:
            row = next(rows, None)
        except csv.Error as error:
            yield MalformedRecord(f"not CSV: {error}", f"line {rows.line_num}"), ""
            return
        if row is None:
            return
        yield {name: cell or None for name, cell in row.items() if name}, f"line {rows.line_num}"


def _is_header(line: bytes) -> bool:
    """Whether a line names the columns of a known export."""
    try:
        names = next(csv.reader([line.decode("utf-8", "replace").strip()]), [])
    except csv.Error:
        return False
    return any(kind.claims(dict.fromkeys(names)) for kind in FOREIGN)


def _is_lines(text: bytes) -> bool:
    """Whether the second line is a document of its own."""
    second = text.lstrip().split(b"\n", 2)[1:2]
    return bool(second and second[0].strip()[:1] == b"{" and _parsed(second[0]) is not None)


def _parsed(text: bytes) -> Any:
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return None
