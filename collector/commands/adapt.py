"""`groundwire adapt`: files of traces in, answers as JSONL out."""

from __future__ import annotations

import sys
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from adapters.base import MalformedRecord
from adapters.detect import AdaptOptions
from adapters.files import adapted, records
from adapters.schema import Answer
from adapters.trace import Span
from collector.commands.progress import Progress, watched
from collector.errors import ConfigError

MAX_BYTES = 1024 * 1024 * 1024
GZIP_MAGIC = b"\x1f\x8b"
STANDARD_INPUT = "-"


def adapt_files(files: Sequence[Path], attributes: Sequence[str], *, out: TextIO, err: TextIO) -> int:
    """Print every answer of ``files``; return 0, or 1 if something in them could not be read.

    A trace may be spread over several of them: it is adapted when the last file that has spans of it was read. What
    comes from a pipe is read first, and once.
    """
    run = _Run(AdaptOptions(attributes=_mapping(attributes)), out, err)
    pipes = [path for path in files if _is_pipe(path)]
    ordered = [*pipes, *(path for path in files if not _is_pipe(path))]
    with watched(out, err) as progress:
        last = _last_files(ordered, len(pipes), progress) if len(files) > 1 else {}
        waiting: dict[str, list[Span]] = {}
        for index, path in enumerate(ordered):
            for record in progress.over(records(_contents(path)), str(path)):
                if isinstance(record, Span):
                    waiting.setdefault(record.trace_id, []).append(record)
                else:
                    run.tell(record, path)
            done = [trace_id for trace_id in waiting if last.get(trace_id, len(pipes) - 1) <= index]
            for trace_id in done:
                for item in adapted(waiting.pop(trace_id), run.options):
                    run.tell(item, path)
    run.end()
    return 0 if run.clean else 1


@dataclass(slots=True)
class _Run:
    options: AdaptOptions
    out: TextIO
    err: TextIO
    clean: bool = True

    def tell(self, item: Answer | MalformedRecord, path: Path) -> None:
        if isinstance(item, MalformedRecord):
            self.clean = False
            self.err.write(f"groundwire: {path}: {item}\n")
        else:
            self._written(lambda: self.out.write(item.model_dump_json(exclude_defaults=True) + "\n"))

    def end(self) -> None:
        """Hand over what was written."""
        self._written(self.out.flush)

    def _written(self, write: Callable[[], object]) -> None:
        try:
            write()
        except BrokenPipeError:
            # Who reads has seen enough.
            raise
        except OSError as error:
            raise ConfigError(f"standard output: cannot be written: {error.strerror}") from error


def _is_pipe(path: Path) -> bool:
    """Whether something can be read only once: standard input, a named pipe, and what a shell puts for `<(command)`."""
    return str(path) == STANDARD_INPUT or path.is_fifo() or path.is_char_device()


def _last_files(files: Sequence[Path], start: int, progress: Progress) -> dict[str, int]:
    """Return the last file of each trace that is in those from ``start`` on.

    Reading twice costs time, and spares holding the spans of all in memory.
    """
    last: dict[str, int] = {}
    for index, path in enumerate(files[start:], start):
        for record in progress.over(records(_contents(path)), f"{path} (looking for traces)"):
            if isinstance(record, Span):
                last[record.trace_id] = index
    return last


def _mapping(attributes: Sequence[str]) -> dict[str, str]:
    pairs = [attribute.partition("=") for attribute in attributes]
    for text, (name, separator, key) in zip(attributes, pairs, strict=True):
        if not (name and separator and key):
            raise ConfigError(f"--attribute {text}: expected NAME=KEY")
    return {name: key for name, _, key in pairs}


def _contents(path: Path) -> bytes:
    try:
        if str(path) == STANDARD_INPUT:
            data = sys.stdin.buffer.read(MAX_BYTES + 1)
        else:
            with path.open("rb") as file:
                data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from error
    if data.startswith(GZIP_MAGIC):
        data = _unpacked(path, data)
    if len(data) > MAX_BYTES:
        raise ConfigError(f"{path}: larger than {MAX_BYTES} bytes")
    return data


def _unpacked(path: Path, data: bytes) -> bytes:
    unpacker = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
    try:
        unpacked = unpacker.decompress(data, MAX_BYTES + 1)
    except zlib.error as error:
        raise ConfigError(f"{path}: broken gzip: {error}") from error
    if not unpacker.eof and len(unpacked) <= MAX_BYTES:
        raise ConfigError(f"{path}: gzip data ends early")
    return unpacked
