"""Files of traces or answers: the format is told from the bytes, then every record is read or refused on its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import orjson

from adapters.base import AdaptOptions, MalformedRecord
from adapters.detect import adapt_trace
from adapters.jsonl import read_answers
from adapters.otlp import Decoded, decode_traces, decode_traces_json, group
from adapters.schema import Answer
from adapters.trace import Span

Format = Literal["otlp_protobuf", "otlp_json", "jsonl"]

_OTLP_KEY = b'"resourceSpans"'
_PEEK_BYTES = 4096
_PEEK_LINES = 100
_CONTROL = bytes(set(range(32)) - set(b"\t\n\r"))


def detect_format(data: bytes) -> Format:
    """Tell what ``data`` is: OTLP protobuf, OTLP/JSON (one request, or one a line), or answers as JSON lines.

    >>> detect_format(b'{"resourceSpans": []}'), detect_format(b'{"question": "", "answer": ""}')
    ('otlp_json', 'jsonl')
    """
    # Protobuf is full of control bytes (lengths, ids); text has none but white space.
    if data[:_PEEK_BYTES].translate(None, _CONTROL) != data[:_PEEK_BYTES]:
        return "otlp_protobuf"
    if _OTLP_KEY not in data:
        return "jsonl"
    lines = (line for line in data.split(b"\n", _PEEK_LINES)[:_PEEK_LINES] if line.strip())
    first = next((parsed for line in lines if isinstance(parsed := _parsed(line), dict)), None)
    return "jsonl" if first is not None and "resourceSpans" not in first else "otlp_json"


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


def _decoded(data: bytes) -> Decoded:
    try:
        return decode_traces(data)
    except MalformedRecord as error:
        return Decoded((), (error,))


def _decoded_json(data: bytes) -> Decoded:
    """Decode one request over many lines, or one a line as the OpenTelemetry Collector's file exporter writes them."""
    lines = data.split(b"\n") if isinstance(_parsed(data.lstrip().split(b"\n", 1)[0]), dict) else [data]
    spans: list[Span] = []
    malformed: list[MalformedRecord] = []
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
