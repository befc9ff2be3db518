"""Files of traces or answers: the format is told from the bytes, then every record is read or refused on its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import orjson

from adapters.base import AdaptOptions, MalformedRecord
from adapters.detect import adapt_trace
from adapters.jsonl import MAX_LINE_BYTES, read_answers
from adapters.otlp import Decoded, decode_traces, decode_traces_json, group
from adapters.schema import Answer

Format = Literal["otlp_protobuf", "otlp_json", "jsonl"]

_OTLP_KEY = b'"resourceSpans"'
_PEEK_BYTES = 4096


def detect_format(data: bytes) -> Format:
    """Tell what ``data`` is: OTLP protobuf, OTLP/JSON (one request, or one a line), or answers as JSON lines.

    Text that starts with an object is JSON; the protobuf of an OTLP request starts with byte 10, a newline in text.

    >>> detect_format(b'{"resourceSpans": []}'), detect_format(b'{"question": "", "answer": ""}')
    ('otlp_json', 'jsonl')
    """
    head = data[:_PEEK_BYTES].removeprefix(b"\xef\xbb\xbf").lstrip()
    if not head.startswith((b"{", b"[")):
        return "otlp_protobuf"
    return "otlp_json" if _is_otlp(data, head) else "jsonl"


def read(data: bytes, options: AdaptOptions) -> Iterator[Answer | MalformedRecord]:
    """Yield every answer in ``data``, and every record that could not be read; what can be read is never hidden by it.

    >>> [type(record).__name__ for record in read(b"no trace at all", AdaptOptions())]
    ['MalformedRecord']
    """
    data = data.removeprefix(b"\xef\xbb\xbf")
    found = detect_format(data)
    if found == "jsonl":
        yield from read_answers(data)
        return
    decoded = _decoded(data) if found == "otlp_protobuf" else _decoded_json(data)
    yield from decoded.malformed
    for trace in group(decoded.spans):
        try:
            yield from adapt_trace(trace, options)
        except MalformedRecord as error:
            yield error


def _is_otlp(data: bytes, head: bytes) -> bool:
    """Judge by the first line's own keys: a question may well quote ``resourceSpans``."""
    if _OTLP_KEY not in data:
        return False
    first_line = data.lstrip()[:MAX_LINE_BYTES].split(b"\n", 1)[0]
    parsed = _parsed(first_line)
    return "resourceSpans" in parsed if isinstance(parsed, dict) else b'"question"' not in head


def _decoded(data: bytes) -> Decoded:
    try:
        return decode_traces(data)
    except MalformedRecord as error:
        return Decoded((), (error,))


def _decoded_json(data: bytes) -> Decoded:
    """Decode one request over many lines, or one a line as the OpenTelemetry Collector's file exporter writes them."""
    lines = data.split(b"\n") if isinstance(_parsed(data.lstrip().split(b"\n", 1)[0]), dict) else [data]
    spans, malformed = [], []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        where = f"line {number}" if len(lines) > 1 else None
        try:
            decoded = decode_traces_json(line)
        except MalformedRecord as error:
            malformed.append(MalformedRecord(error.reason, where))
            continue
        spans += decoded.spans
        malformed += [
            MalformedRecord(error.reason, error.where if where is None else f"{where}: {error.where}")
            for error in decoded.malformed
        ]
    return Decoded(tuple(spans), tuple(malformed))


def _parsed(text: bytes) -> Any:
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return None
