"""Growing files, read line by line: answers as JSON lines, OTLP/JSON, and the exports of other tools."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from typing import Any, Literal

from msgspec.structs import replace
from pydantic import Field

from adapters.jsonl import MAX_LINE_BYTES
from collector.sources import tailing
from collector.sources.base import Batch, SourceOptions, Unreachable
from collector.sources.lines import Taken, read_lines
from collector.sources.tailing import FileState, Identity, Seen, is_text
from gates.duration import Duration

MIB = 1024 * 1024
MAX_FILES = 2000
"""Files that may match; each is looked at in every round, and stands in the cursor."""
MAX_KEPT = 128
"""Files that stay open, so that what they hold can still be read when they are deleted."""
SHOWN_FILES = 20
PACKED = ("*.gz", "*.bz2", "*.xz", "*.zst")


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
            taken = Taken(self._options.batch_bytes)
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
        self, states: dict[Identity, FileState], there: Mapping[Identity, Seen], taken: Taken
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
        self, state: FileState, states: Mapping[Identity, FileState], there: Mapping[Identity, Seen], taken: Taken
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
        self, states: dict[Identity, FileState], there: Mapping[Identity, Seen], taken: Taken
    ) -> frozenset[Identity]:
        """Add files that were not there before; return those that are copies of another, and not to be read."""
        held: set[Identity] = set()
        read = [state for state in states.values() if state.offset and not state.gone]
        for seen in there.values():
            state = states.get(seen.identity)
            if not seen.size or (state is not None and state.offset):
                continue
            if not is_text(seen.path):
                self._refuse(seen.path, "its name is not UTF-8", taken)
                continue
            if state is None:
                state = FileState(path=seen.path, device=seen.identity[0], inode=seen.identity[1])
                states[seen.identity] = state
            if any(self._is_copy(state, seen, other, taken) for other in read):
                held.add(seen.identity)
            else:
                read.append(state)
        return frozenset(held)

    def _is_copy(self, fresh: FileState, seen: Seen, of: FileState, taken: Taken) -> bool:
        """Whether a new file is a copy of one that is being read: about to be truncated, or just a copy."""
        if fresh.identity == of.identity or not tailing.may_be_copy(seen.path, of.path):
            return False
        with self._file(of, taken) as known, self._file(fresh, taken) as descriptor:
            return known is not None and descriptor is not None and tailing.is_copy(descriptor, seen.size, known)

    def _read_in_turn(
        self, states: dict[Identity, FileState], held: frozenset[Identity], taken: Taken, now: int
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
                    limit = self._options.max_line_bytes
                    states[state.identity] = read_lines(state, descriptor, taken, limit=limit, now=now)
            self._turn = state.identity if taken.left <= 0 else None

    @contextmanager
    def _file(self, state: FileState, taken: Taken) -> Iterator[int | None]:
        """Yield a descriptor of the file, kept open if it may be deleted before it was read; ``None`` without one."""
        kept = self._kept.get(state.identity)
        if kept is not None:
            yield kept
            return
        descriptor = None
        try:
            descriptor = None if state.gone else tailing.opened(state.path, state.identity)
        except OSError as error:
            self._refuse(state.path, f"cannot be read: {error.strerror}", taken)
        if descriptor is not None and not state.rotated and len(self._kept) < MAX_KEPT:
            self._kept[state.identity] = descriptor
            yield descriptor
            return
        try:
            yield descriptor
        finally:
            if descriptor is not None:
                os.close(descriptor)

    def _refuse(self, path: str, reason: str, taken: Taken) -> None:
        """Tell once what would be so in every round."""
        if path not in self._refused:
            self._refused.add(path)
            taken.refuse(reason, path.encode("utf-8", "replace").decode())

    def _drop(self, states: Mapping[Identity, FileState]) -> None:
        """Close what needs not stay open: files forgotten, and files gone or rotated that were read to their end."""
        for identity, descriptor in list(self._kept.items()):
            state = states.get(identity)
            if state is None or ((state.rotated or state.gone) and os.fstat(descriptor).st_size <= state.offset):
                os.close(self._kept.pop(identity))
