"""Growing files, read line by line: answers as JSON lines, OTLP/JSON, and the exports of other tools."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Literal

import orjson
from msgspec.structs import replace
from pydantic import Field

from adapters.base import MalformedRecord
from adapters.files import line_records
from adapters.jsonl import MAX_LINE_BYTES
from adapters.schema import Answer
from adapters.trace import Span
from collector.sources import tailing
from collector.sources.base import Batch, SourceOptions, Unreachable
from collector.sources.tailing import FileState, Identity, Seen
from gates.duration import Duration

MIB = 1024 * 1024
MAX_FILES = 2000
"""Files that may match; each is looked at in every round, and stands in the cursor."""
MAX_KEPT = 128
"""Files that stay open, so that what they hold can still be read when they are deleted."""
QUIET_NS = 5 * 10**9
"""How long a last line without its end is waited for before it is taken as it is."""
SHOWN_FILES = 20
PACKED = ("*.gz", "*.bz2", "*.xz", "*.zst")
_GZIP_MAGIC, _BOM = b"\x1f\x8b", b"\xef\xbb\xbf"
_NOT_TAILED = "packed with gzip, which is not tailed: exclude it, or read it with `groundwire adapt`"


class Files(SourceOptions):
    """Growing files of JSON lines, through rotation, from their beginning.

    A line is an answer, an OTLP/JSON request (of traces, or of logs that hold content), or a record of a tool's export;
    each is told on its own. The file may be renamed, copied and truncated, or replaced.
    """

    type: Literal["files"] = "files"
    poll: Duration = Field(default=timedelta(seconds=1), description="Time between two looks at the files.")
    paths: tuple[str, ...] = Field(
        min_length=1,
        description="Paths of files; `*`, `?`, `[...]` and `**` stand for what they do in a shell. Rotated names "
        "belong here too (`app.log*`): of a file rotated twice between two looks, only such a name is found.",
    )
    exclude: tuple[str, ...] = Field(default=PACKED, description="Names, or patterns of names, of files to leave out.")
    max_line_bytes: int = Field(
        default=MAX_LINE_BYTES, ge=1024, le=256 * MIB, description="Longest line; a longer one is counted and skipped."
    )
    batch_bytes: int = Field(default=4 * MIB, ge=1024, le=256 * MIB, description="Most that is read at once.")

    def problems(self, where: str) -> Iterator[str]:
        """Yield paths of packed files."""
        for index, path in enumerate(self.paths):
            if path.endswith(".gz"):
                yield f"{where}.paths[{index}]: gzip is not tailed: read such files with `groundwire adapt`"

    def open(self, where: str) -> FileTail:
        """Return the source."""
        del where
        return FileTail(self)


@dataclass(slots=True)
class _Taken:
    """What one batch has taken so far, and how much it may still take."""

    left: int
    spans: list[Span] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)
    malformed: list[MalformedRecord] = field(default_factory=list)
    more: bool = False

    def refuse(self, reason: str, where: str) -> None:
        self.malformed.append(MalformedRecord(reason, where))

    def take(self, line: bytes, where: str) -> None:
        for record in line_records(line, where):
            if isinstance(record, Span):
                self.spans.append(record)
            elif isinstance(record, Answer):
                self.answers.append(record)
            else:
                self.malformed.append(record)


class FileTail:
    """Reads on where the cursor says. Everything it must know stands there; open files only spare and save reading."""

    def __init__(self, options: Files) -> None:
        self._options = options
        self._lock = threading.Lock()
        self._kept: dict[Identity, int] = {}
        self._refused: set[str] = set()
        self._turn: Identity | None = None

    def fetch(self, cursor: bytes | None, *, now: int) -> Batch:
        """Return the lines that came since, of all files together `batch_bytes` or one line."""
        with self._lock:
            there = tailing.listed(self._options.paths, self._options.exclude)
            if len(there) > MAX_FILES:
                raise Unreachable(f"{', '.join(self._options.paths)}: {len(there)} files match, more than {MAX_FILES}")
            states = {state.identity: state for state in tailing.follow(tailing.load(cursor), there, now=now)}
            taken = _Taken(self._options.batch_bytes)
            self._notice_truncated(states, there, taken)
            held = self._notice_new(states, there, taken)
            self._read_in_turn(states, held, taken, now)
            self._drop(states)
        return Batch(tailing.dump(states.values()), taken.spans, taken.answers, taken.malformed, taken.more)

    def position(self, cursor: bytes) -> Mapping[str, Any]:
        """Say how far which file was read."""
        states = tailing.load(cursor)
        shown = [{"path": state.path, "offset": state.offset, "line": state.line} for state in states[:SHOWN_FILES]]
        return {"n_files": len(states), "files": shown}

    def close(self) -> None:
        """Close the files."""
        with self._lock:
            for descriptor in self._kept.values():
                os.close(descriptor)
            self._kept.clear()

    def _notice_truncated(
        self, states: dict[Identity, FileState], there: Mapping[Identity, Seen], taken: _Taken
    ) -> None:
        """Begin anew with files that are not what was read of them, and go on in the copy that was made, if any."""
        for state in list(states.values()):
            with self._file(state, taken) as descriptor:
                if descriptor is None or tailing.mark_of(descriptor, state.offset) == state.mark:
                    continue
            copy = self._copy_left(state, states, there, taken)
            if copy is not None:
                states[copy.identity] = copy
            states[state.identity] = FileState(path=state.path, device=state.device, inode=state.inode)

    def _copy_left(
        self, state: FileState, states: Mapping[Identity, FileState], there: Mapping[Identity, Seen], taken: _Taken
    ) -> FileState | None:
        for seen in (*there.values(), *tailing.beside(state.path)):
            known = states.get(seen.identity)
            if (known is not None and known.offset) or not tailing.may_be_copy(seen.path, state.path):
                continue
            copy = replace(state, path=seen.path, device=seen.identity[0], inode=seen.identity[1], rotated=True, gone=0)
            with self._file(copy, taken) as descriptor:
                if descriptor is not None and tailing.mark_of(descriptor, state.offset) == state.mark:
                    return copy
        return None

    def _notice_new(
        self, states: dict[Identity, FileState], there: Mapping[Identity, Seen], taken: _Taken
    ) -> frozenset[Identity]:
        """Add files that were not there before; return those that are copies of another, and not to be read."""
        held: set[Identity] = set()
        read = [state for state in states.values() if state.offset and not state.gone]
        for seen in there.values():
            state = states.get(seen.identity)
            if not seen.size or (state is not None and state.offset):
                continue
            if state is None:
                state = FileState(path=seen.path, device=seen.identity[0], inode=seen.identity[1])
                states[seen.identity] = state
            if any(self._is_copy(state, seen, other, taken) for other in read):
                held.add(seen.identity)
            else:
                read.append(state)
        return frozenset(held)

    def _is_copy(self, fresh: FileState, seen: Seen, of: FileState, taken: _Taken) -> bool:
        """Whether a new file is a copy of one that is being read: about to be truncated, or just a copy."""
        if fresh.identity == of.identity or not tailing.may_be_copy(seen.path, of.path):
            return False
        with self._file(of, taken) as known, self._file(fresh, taken) as descriptor:
            return known is not None and descriptor is not None and tailing.is_copy(descriptor, seen.size, known)

    def _read_in_turn(
        self, states: dict[Identity, FileState], held: frozenset[Identity], taken: _Taken, now: int
    ) -> None:
        """Read what is new, beginning after the file that filled the batch before: no file may starve the others."""
        order = sorted(states.values(), key=lambda state: (not state.rotated, state.path, state.identity))
        start = next((i for i, state in enumerate(order, 1) if state.identity == self._turn), 0)
        self._turn = None
        for state in (*order[start:], *order[:start]):
            if taken.left <= 0:
                taken.more = True
                return
            with self._file(state, taken) as descriptor:
                if descriptor is not None and not state.ignored and state.identity not in held:
                    states[state.identity] = self._read(state, descriptor, taken, now)
            self._turn = state.identity if taken.left <= 0 else None

    def _read(self, state: FileState, descriptor: int, taken: _Taken, now: int) -> FileState:
        found = os.fstat(descriptor)
        unread = found.st_size - state.offset
        if unread <= 0:
            return state
        limit = self._options.max_line_bytes
        data = os.pread(descriptor, min(taken.left, unread), state.offset)
        if b"\n" not in data and len(data) < min(unread, limit + 1):
            data = os.pread(descriptor, min(unread, limit + 1), state.offset)
            data = data[: data.find(b"\n") + 1] or data  # one line beyond what was left, and no more
        if state.offset == 0 and data.startswith(_GZIP_MAGIC):
            taken.refuse(_NOT_TAILED, state.path)
            return replace(state, ignored=True)
        end = data.rfind(b"\n") + 1
        cut = not end and (state.skipping or len(data) > limit)
        if cut or (not end and self._is_final(state, data, quiet=now - found.st_mtime_ns >= QUIET_NS)):
            end = len(data)
        after = replace(state, offset=state.offset + end, mark=tailing.mark_of(descriptor, state.offset + end))
        if not end or tailing.mark_of(descriptor, state.offset) != state.mark:
            # Nothing is complete yet; or the file was truncated just now, and these lines are torn.
            return state
        taken.left -= end
        taken.more |= end < unread
        if cut:
            if not state.skipping:
                taken.refuse(f"longer than {limit} bytes", f"{state.path}:{state.line + 1}")
            return replace(after, skipping=True)
        return replace(after, skipping=False, line=self._take(state, data[:end], taken))

    def _take(self, state: FileState, data: bytes, taken: _Taken) -> int:
        """Take the lines of ``data``; return the number of the last."""
        number = state.line
        lines = data.removesuffix(b"\n").split(b"\n")
        for index, line in enumerate(lines):
            number += 1
            where = f"{state.path}:{number}"
            if index == 0 and state.skipping:
                continue
            text = line.removeprefix(_BOM) if number == 1 else line
            if len(text) > self._options.max_line_bytes:
                taken.refuse(f"longer than {self._options.max_line_bytes} bytes", where)
            elif text.strip():
                taken.take(text, where)
        return number

    @staticmethod
    def _is_final(state: FileState, data: bytes, *, quiet: bool) -> bool:
        """Whether a last line without its end is all there will be: of a rotated file, or a whole object by itself."""
        if not quiet or state.skipping:
            return False
        return state.rotated or _is_object(data)

    @contextmanager
    def _file(self, state: FileState, taken: _Taken) -> Iterator[int | None]:
        """Yield a descriptor of the file, kept open if it may be deleted before it was read; ``None`` without one."""
        kept = self._kept.get(state.identity)
        if kept is not None:
            yield kept
            return
        descriptor = None
        try:
            descriptor = None if state.gone else tailing.opened(state.path, state.identity)
        except OSError as error:
            # Said once: it would be so in every round.
            if state.path not in self._refused:
                self._refused.add(state.path)
                taken.refuse(f"cannot be read: {error.strerror}", state.path)
        if descriptor is not None and not state.rotated and len(self._kept) < MAX_KEPT:
            self._kept[state.identity] = descriptor
            yield descriptor
            return
        try:
            yield descriptor
        finally:
            if descriptor is not None:
                os.close(descriptor)

    def _drop(self, states: Mapping[Identity, FileState]) -> None:
        """Close what needs not stay open: files forgotten, and files gone or rotated that were read to their end."""
        for identity, descriptor in list(self._kept.items()):
            state = states.get(identity)
            if state is None or ((state.rotated or state.gone) and os.fstat(descriptor).st_size <= state.offset):
                os.close(self._kept.pop(identity))


def _is_object(data: bytes) -> bool:
    if not data.rstrip().endswith(b"}"):
        return False
    try:
        orjson.loads(data)
    except orjson.JSONDecodeError:
        return False
    return True
