"""Files of traces and answers, read record by record: lines are never all in memory, and a trace only until it ends."""

from __future__ import annotations

import codecs
import gzip
import io
import os
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import chain
from math import inf
from pathlib import Path
from typing import Any, BinaryIO, cast

import orjson

from adapters.base import AdaptOptions, MalformedRecord
from adapters.documents.given import described
from adapters.files.jsonl import line_parts
from adapters.files.read import LeftOver, adapted, detect_format, located_records
from adapters.files.records import FileRecord, RecordReader
from adapters.keys import KeyCount
from adapters.schema import Answer
from adapters.trace import Span, Trace
from collector.commands.progress import Progress
from collector.errors import ConfigError
from collector.security.text import one_line

MAX_BYTES = 1024 * 1024 * 1024
"""Largest file that is not lines, as it is read at once; and of lines, those that only make sense together."""
MAX_LINE = 128 * 1024 * 1024
STANDARD_INPUT = "-"
_GZIP = b"\x1f\x8b"
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_BOM = b"\xef\xbb\xbf"

TABLE = (
    "is a CSV table, which only `groundwire evaluate` reads; write it as JSON lines, one answer a line, in pandas with "
    "to_json(FILE, orient='records', lines=True)"
)

_Place = tuple[int, float]
"""Index of a file, and of a part of it."""
_NOWHERE: _Place = (-1, 0)
_Located = tuple[str, FileRecord]
"""A record with its place in its file."""


def answers(
    files: Sequence[Path],
    options: AdaptOptions,
    progress: Progress,
    left: LeftOver | None = None,
    keys: KeyCount | None = None,
) -> Iterator[tuple[Path, Answer | MalformedRecord]]:
    """Yield every answer of ``files`` and every record that could not be read, each with its file.

    A trace may be spread over files and lines: it is adapted when the last part that has spans of it was read. What
    comes from a pipe is read first, and once. What is in no answer is counted in ``left``, and keys of traces in
    ``keys``. Raises `ConfigError` for a file that cannot be read at all.
    """
    for path, _, item in located_answers(files, options, progress, left, keys):
        yield path, item


def located_answers(
    files: Sequence[Path],
    options: AdaptOptions,
    progress: Progress,
    left: LeftOver | None = None,
    keys: KeyCount | None = None,
) -> Iterator[tuple[Path, str, Answer | MalformedRecord]]:
    """Yield `answers`, each with its place in its file: a line, an item of a list or a trace; empty if it has none."""
    pipes = [path for path in files if _is_pipe(path)]
    ordered = [*pipes, *(path for path in files if not _is_pipe(path))]
    traces = _Traces(ordered, len(pipes), progress)
    for index, path in enumerate(ordered):
        for number, (whole, part) in enumerate(_parts(path, progress, str(path))):
            touched: dict[str, None] = {}
            for where, record in part:
                if isinstance(record, Span):
                    traces.add(record, alone=whole and len(files) == 1)
                    touched[record.trace_id] = None
                elif isinstance(record, Answer):
                    if keys is not None:
                        keys.add_answer(record)
                    yield path, where, described(record, options.passages)
                else:
                    yield path, where, record
            for spans in traces.ended((index, number), list(touched)):
                yield from ((path, *found) for found in _adapted(spans, options, left, keys))
        for spans in traces.ended((index, inf)):
            yield from ((path, *found) for found in _adapted(spans, options, left, keys))


def _adapted(
    spans: Sequence[Span], options: AdaptOptions, left: LeftOver | None, keys: KeyCount | None
) -> Iterator[tuple[str, Answer | MalformedRecord]]:
    if keys is not None and spans:
        keys.add(Trace.of(spans[0].trace_id, spans, complete=True), options)
    where = f"trace {one_line(spans[0].trace_id, 60)}" if spans else ""
    return ((where, item) for item in adapted(list(spans), options, left))


class _Traces:
    """The spans of traces that may go on. The first ``pipes`` of the files can be read only once."""

    def __init__(self, files: Sequence[Path], pipes: int, progress: Progress) -> None:
        self._files = files
        self._pipes = pipes
        self._progress = progress
        self._last: dict[str, _Place] | None = None
        self._waiting: dict[str, list[Span]] = {}
        # While a pipe is not over, no trace is known to have ended.
        self._piped: _Place = (pipes - 1, inf) if pipes else _NOWHERE

    def add(self, span: Span, *, alone: bool) -> None:
        """Keep a span; ``alone``: of all that is read, everything was read at once."""
        if self._last is None:
            self._last = {} if alone else self._places()
        self._waiting.setdefault(span.trace_id, []).append(span)

    def ended(self, here: _Place, traces: Sequence[str] | None = None) -> Iterator[list[Span]]:
        """Yield the spans of those of ``traces``, all if left out, of which nothing comes after ``here``."""
        last = self._last
        if last is None or here < self._piped:
            return
        for trace_id in list(self._waiting) if traces is None else traces:
            if last.get(trace_id, _NOWHERE) <= here:
                yield self._waiting.pop(trace_id)

    def _places(self) -> dict[str, _Place]:
        """Return where each trace ends. Reading twice costs time, and spares holding the spans of all in memory."""
        last: dict[str, _Place] = {}
        for index, path in enumerate(self._files[self._pipes :], self._pipes):
            for number, (_, part) in enumerate(_parts(path, self._progress, f"{path} (looking for traces)")):
                last.update((record.trace_id, (index, number)) for _, record in part if isinstance(record, Span))
        return last


def _is_pipe(path: Path) -> bool:
    """Whether something can be read only once: standard input, a named pipe, and what a shell puts for `<(command)`."""
    return str(path) == STANDARD_INPUT or path.is_fifo() or path.is_char_device()


def _parts(path: Path, progress: Progress, what: str) -> Iterator[tuple[bool, Iterable[_Located]]]:
    """Yield the records of a file with their places, and whether they are all: by lines where it is, else at once."""
    with opened(path, partly=True) as stream:
        first = _nonblank(stream)
        second = _nonblank(stream) if _is_json(first[-1]) else []
        head = first + second
        if second and second[-1].strip():
            lines = progress.over(_lines(head, stream, path), what, share=_share(stream, path))
            yield from ((False, part) for part in lines)
        else:
            data = b"".join(head)
            data += stream.read(max(0, MAX_BYTES + 1 - len(data)))
            if len(data) > MAX_BYTES:
                raise ConfigError(f"{path}: larger than {MAX_BYTES} bytes, and not JSON lines")
            if is_csv(path) and data.strip()[:1] not in (b"", b"{", b"[") and detect_format(data) == "lines":
                raise ConfigError(f"{path}: {TABLE}")
            yield True, progress.over(located_records(data), what)
        raw = getattr(stream, "raw", None)
        if isinstance(raw, _Unpacked) and raw.cut:
            yield False, (("", MalformedRecord(f"gzip data ends early, at byte {raw.unpacked} of what is in it")),)


def _share(stream: BinaryIO, path: Path) -> Callable[[], float | None]:
    """Return what tells how much of a file was read, by its bytes on disk; unknown of a pipe."""

    def read() -> float | None:
        try:
            size = path.stat().st_size
            return os.lseek(stream.fileno(), 0, os.SEEK_CUR) / size if size else None
        except OSError:
            return None

    return read


def _lines(head: Sequence[bytes], stream: BinaryIO, path: Path) -> Iterator[Iterable[_Located]]:
    reading, held = RecordReader(), 0
    rest = iter(lambda: stream.readline(MAX_LINE + 1), b"")
    for number, line in enumerate(chain(head, rest), start=1):
        where = f"line {number}"
        if len(line) > MAX_LINE:
            while line and not line.endswith(b"\n"):
                line = stream.readline(MAX_LINE)  # noqa: PLW2901 - the rest of the same line
            yield ((where, MalformedRecord(f"longer than {MAX_LINE} bytes", where)),)
        elif text := (line.removeprefix(_BOM) if number == 1 else line).strip():
            line_records = tuple((where, record) for record in _read_line(text, where, reading))
            held += 0 if line_records else len(line)
            if held > MAX_BYTES:
                raise ConfigError(f"{path}: more than {MAX_BYTES} bytes of records that have to be read together")
            yield line_records
    yield tuple(("", record) for record in reading.rest())


def _read_line(text: bytes, where: str, reading: RecordReader) -> Iterator[FileRecord]:
    try:
        for part in line_parts(text, where, limit=MAX_LINE):
            yield from reading.read(part, where)
    except MalformedRecord as error:
        yield error


def _nonblank(stream: BinaryIO) -> list[bytes]:
    """Return the next line that is not blank, with the blank ones before it; the last one is empty at the end."""
    lines, size = [stream.readline(MAX_LINE + 1)], 0
    while lines[-1] and not lines[-1].strip() and size <= MAX_LINE:
        lines.append(stream.readline(MAX_LINE + 1))
        size += len(lines[-1])
    return lines


def _is_json(line: bytes) -> bool:
    text = line.removeprefix(_BOM).strip()
    if text[:1] not in (b"{", b"["):
        return False
    try:
        orjson.loads(text)
    except orjson.JSONDecodeError:
        return False
    return True


class _Unpacked(io.RawIOBase):
    """Gzip data unpacked as far as it goes; ``cut`` says that it ended early."""

    def __init__(self, packed: BinaryIO) -> None:
        super().__init__()
        self._packed = gzip.GzipFile(fileobj=packed)
        self.cut = False
        self.unpacked = 0

    def readable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._packed.fileno()

    def readinto(self, buffer: Any) -> int:
        # No more than one block at a time: what was unpacked before the end would be lost with it.
        try:
            data = self._packed.read1(len(buffer))
        except EOFError:
            self.cut = True
            return 0
        buffer[: len(data)] = data
        self.unpacked += len(data)
        return len(data)


def is_csv(path: Path) -> bool:
    """Whether a file is a table of texts by its name.

    >>> is_csv(Path("rows.csv")), is_csv(Path("rows.tsv.gz")), is_csv(Path("rows.jsonl"))
    (True, True, False)
    """
    return any(each in (".csv", ".tsv") for each in path.suffixes[-2:])


@contextmanager
def opened(path: Path, *, partly: bool = False) -> Iterator[BinaryIO]:
    """Open a file, or standard input, unpacked; raises `ConfigError` for what goes wrong while it is read.

    With ``partly``, gzip data that ends early is read as far as it goes.
    """
    try:
        with ExitStack() as stack:
            raw: BinaryIO = sys.stdin.buffer if str(path) == STANDARD_INPUT else stack.enter_context(path.open("rb"))
            buffered = raw if isinstance(raw, io.BufferedReader) else io.BufferedReader(cast("io.RawIOBase", raw))
            begin = buffered.peek(len(_GZIP))[: len(_GZIP)]
            if begin in _UTF16:
                raise ConfigError(f"{path}: is UTF-16 text; save it as UTF-8")
            packed = begin == _GZIP
            if packed and partly:
                yield cast("BinaryIO", io.BufferedReader(_Unpacked(buffered)))
            else:
                yield cast("BinaryIO", stack.enter_context(gzip.GzipFile(fileobj=buffered))) if packed else buffered
    except EOFError as error:
        raise ConfigError(f"{path}: gzip data ends early") from error
    except (gzip.BadGzipFile, zlib.error) as error:
        raise ConfigError(f"{path}: broken gzip: {error}") from error
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror or error}") from error
