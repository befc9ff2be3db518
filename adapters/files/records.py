"""What one parsed JSON value is, whoever wrote it: answers, or spans, or why it is neither.

Export files, growing files and `groundwire adapt` all read through here, so that a record means the same everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from adapters.base import MalformedRecord
from adapters.exports import langfuse as langfuse_api
from adapters.exports import phoenix, run_tree
from adapters.files.jsonl import answer_of, place
from adapters.files.labelled_rows import answer_of_row, is_row
from adapters.files.problems import OF_SUITES
from adapters.schema import Answer
from adapters.trace import Span
from adapters.wire.decoded import Decoded
from adapters.wire.otlp import decode_json
from adapters.wire.otlp_json import camel_cased

FileRecord = Answer | Span | MalformedRecord
JsonObject = Mapping[str, Any]

_TRACES, _LOGS = "resourceSpans", "resourceLogs"
_SNAKE = frozenset({"resource_spans", "resource_logs"})


@dataclass(frozen=True, slots=True)
class Foreign:
    """Records of another tool: how one is told, and what spans many of them make together."""

    name: str
    claims: Callable[[JsonObject], bool]
    convert: Callable[[Sequence[JsonObject]], Decoded]


FOREIGN: tuple[Foreign, ...] = (
    Foreign("langfuse", langfuse_api.is_record, langfuse_api.spans_of),
    Foreign("phoenix", phoenix.is_record, phoenix.spans_of_records),
    Foreign("run tree", run_tree.is_run, run_tree.spans_of_runs),
)
"""Every foreign kind of record, in the order they are asked."""


def is_trace(value: JsonObject) -> bool:
    """Whether an object holds spans, as OTLP or another tool writes them; any other is an answer or nothing known.

    >>> is_trace({"resourceSpans": []}), is_trace({"question": "How long?", "answer": "14 days."})
    (True, False)
    """
    return not {_TRACES, _LOGS, *_SNAKE}.isdisjoint(value) or any(kind.claims(value) for kind in FOREIGN)


@dataclass(slots=True)
class RecordReader:
    """Reads the records of one file. What one foreign record says may be about another: they are converted together."""

    _held: dict[str, list[JsonObject]] = field(default_factory=dict)

    def read(self, value: Any, where: str) -> Iterator[FileRecord]:
        """Yield what ``value`` holds, if that can be told at once; ``where`` is its place in the file.

        A `MalformedRecord` is yielded as it is.
        """
        if isinstance(value, MalformedRecord):
            yield value
            return
        try:
            yield from self._read(value, where)
        except MalformedRecord as error:
            yield error

    def rest(self, where: str = "") -> Iterator[FileRecord]:
        """Yield what had to wait for the end of the file."""
        held, self._held = self._held, {}
        for kind in FOREIGN:
            if kind.name in held:
                decoded = kind.convert(held[kind.name])
                yield from decoded.spans
                yield from (
                    MalformedRecord(error.reason, place(where, error.where or "")) for error in decoded.malformed
                )

    def _read(self, value: Any, where: str) -> Iterator[FileRecord]:
        if not isinstance(value, dict):
            raise MalformedRecord("not an object", where)
        if not _SNAKE.isdisjoint(value):
            value = camel_cased(value)
        if _TRACES in value or _LOGS in value:
            decoded = decode_json(value)
            yield from decoded.spans
            yield from _placed(decoded, where)
            return
        if is_row(value):
            yield answer_of_row(value, where)
            return
        kind = next((kind for kind in FOREIGN if kind.claims(value)), None)
        if kind is None:
            yield answer_of({name: each for name, each in value.items() if name not in OF_SUITES}, where)
        else:
            self._held.setdefault(kind.name, []).append(value)


def unwrapped(value: Any, where: str) -> Iterator[tuple[Any, str]]:
    """Yield the records of a document, each with its place: a list of them, or an API's page of them, or one.

    >>> list(unwrapped({"data": [{"id": 1}], "next_cursor": None}, ""))
    [({'id': 1}, 'data[0]')]
    """
    if isinstance(value, dict) and isinstance(value.get("data"), list) and "question" not in value:
        value, where = value["data"], place(where, "data")
    if not isinstance(value, list):
        yield value, where
        return
    for i, item in enumerate(value):
        yield item, f"{where}[{i}]"


def _placed(decoded: Decoded, where: str) -> Iterator[MalformedRecord]:
    for error in decoded.malformed:
        yield MalformedRecord(error.reason, place(where, error.where or ""))
