"""Growing files, read line by line: answers as JSON lines, OTLP/JSON, and the exports of other tools."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any, Literal, TypeVar

from msgspec.structs import replace
from pydantic import Field

from adapters.files.jsonl import MAX_LINE_BYTES
from collector.outbound.errors import Unreachable
from collector.sources import tailing
from collector.sources.base import FetchedPage, SourceOptions
from collector.sources.directories import Identity, ListedFile, Siblings
from collector.sources.lines import LineBatch, read_lines
from collector.sources.tailing import FileState, Heads, is_text
from gates.units.duration import Duration

MIB = 1024 * 1024
MAX_FILES = 2000
"""Files that may match; each is looked at in every round, and stands in the cursor."""
MAX_KEPT = 128
"""Files that stay open, so that what they hold can still be read when they are deleted."""
SHOWN_FILES = 20
T = TypeVar("T")
PACKED = ("*.gz", "*.bz2", "*.xz", "*.zst")


class FilesSource(SourceOptions):
    """Growing files of JSON lines, through rotation, from their beginning.

    A line is an answer, an OTLP/JSON request (of traces, or of logs that hold content), or a record of a tool's export;
    each line is recognized on its own. The file may be renamed, copied and truncated, or replaced.
    """

    type: Literal["files"] = "files"
    poll: Duration = Field(default=timedelta(seconds=1), description="Time between two looks at the files.")
    paths: tuple[str, ...] = Field(
        min_length=1,
        description="File paths; `*`, `?`, `[...]` and `**` match as in a shell. Include rotated names (`app.log*`): a "
        "file that was rotated twice between two looks is found under such a name only.",
    )
    exclude: tuple[str, ...] = Field(default=PACKED, description="File names, or patterns of them, to skip.")
    max_line_bytes: int = Field(
        default=MAX_LINE_BYTES,
        ge=1024,
        le=256 * MIB,
        description="Longest line, in bytes. A longer line is skipped and counted, as is one with more JSON objects "
        "and arrays than a 24th of this limit.",
    )
    batch_bytes: int = Field(default=4 * MIB, ge=1024, le=256 * MIB, description="Most bytes read at once.")

    @property
    def address(self) -> str:
        """The paths."""
        return ", ".join(self.paths)

    def problems(self, where: str) -> Iterator[str]:
        """Yield paths that no file is ever read from: of packed files, and of a home directory."""
        for index, path in enumerate(self.paths):
            if path.endswith(".gz"):
                yield f"{where}.paths[{index}]: gzip files are not tailed; read them with `groundwire adapt`"
            if path.startswith("~"):
                yield f"{where}.paths[{index}]: {path}: `~` is not expanded; write the full path"

    def warnings(self, where: str) -> Iterator[str]:
        """Yield paths where nothing is read now: perhaps the files are yet to come."""
        for index, path in enumerate(self.paths):
            if Path(path).is_dir():
                yield f"{where}.paths[{index}]: {path} is a directory; for its files, write {path.rstrip('/')}/*"
            elif not tailing.listed([path], self.exclude):
                yield f"{where}.paths[{index}]: {path}: no file matches yet"

    def open(self, where: str) -> FileTail:
        """Return the source."""
        del where
        return FileTail(self)


class FileTail:
    """Reads on where the cursor says. Everything it must know stands there; open files only spare and save reading."""

    def __init__(self, options: FilesSource) -> None:
        self._options = options
        self._lock = threading.Lock()
        self._kept: dict[Identity, int] = {}
        self._refused: set[str] = set()
        self._turn: Identity | None = None

    def fetch(self, cursor: bytes | None, *, now: int) -> FetchedPage:
        """Return the lines that came since, of all files together `batch_bytes` or one line."""
        with self._lock:
            there = tailing.listed(self._options.paths, self._options.exclude)
            if len(there) > MAX_FILES:
                raise Unreachable(f"{', '.join(self._options.paths)}: {len(there)} files match, limit {MAX_FILES}")
            beside = Siblings()
            states = {state.identity: state for state in tailing.follow(tailing.load(cursor), there, beside, now=now)}
            taken = LineBatch(self._options.batch_bytes)
            self._notice_truncated(states, beside, taken)
            held = self._notice_new(states, there, taken)
            self._read_in_turn(states, held, taken, now)
            self._drop(states)
        return FetchedPage(tailing.dump(states.values()), taken.spans, taken.answers, taken.malformed, taken.more)

    def position(self, cursor: bytes) -> Mapping[str, Any]:
        """Say how far which file was read, and which end in part of a line that waits for its rest."""
        states = tailing.load(cursor)
        shown = [{"path": state.path, "offset": state.offset, "line": state.line} for state in states[:SHOWN_FILES]]
        torn = [state.path for state in states if state.torn][:SHOWN_FILES]
        return {"n_files": len(states), "files": shown} | ({"torn_last_line": torn} if torn else {})

    def close(self) -> None:
        """Close the files."""
        with self._lock:
            for descriptor in self._kept.values():
                os.close(descriptor)
            self._kept.clear()

    def _notice_truncated(self, states: dict[Identity, FileState], beside: Siblings, taken: LineBatch) -> None:
        """Begin anew with files that are not what was read of them, and go on in the copy that was made, if any."""
        for state in list(states.values()):
            if self._mark(state, state, taken) in (state.mark, None):
                continue
            copy = self._copy_left(state, states, beside, taken)
            if copy is not None:
                states[copy.identity] = copy
            states[state.identity] = FileState(path=state.path, device=state.device, inode=state.inode)

    def _copy_left(
        self, state: FileState, states: Mapping[Identity, FileState], beside: Siblings, taken: LineBatch
    ) -> FileState | None:
        for seen in beside.of(state.path):
            known = states.get(seen.identity)
            if known is not None and known.offset:
                continue
            copy = replace(state, path=seen.path, device=seen.identity[0], inode=seen.identity[1], rotated=True, gone=0)
            if self._mark(copy, state, taken) == state.mark:
                return copy
        return None

    def _mark(self, file: FileState, of: FileState, taken: LineBatch) -> str | None:
        """Return the digest of a file as far as ``of`` was read; ``None`` without one."""
        return self._looked(file, taken, lambda descriptor: tailing.mark_of(descriptor, of.offset))

    def _notice_new(
        self, states: dict[Identity, FileState], there: Mapping[Identity, ListedFile], taken: LineBatch
    ) -> frozenset[Identity]:
        """Add files that were not there before; return those that are copies of another, and not to be read."""
        held: set[Identity] = set()
        heads: Heads | None = None
        for seen in there.values():
            state = states.get(seen.identity)
            if not seen.size or (state is not None and state.offset):
                continue
            if not is_text(seen.path):
                self._refuse(seen.path, "file name is not UTF-8", taken)
                continue
            if heads is None:
                heads = self._heads(states, taken)
            if state is None:
                state = FileState(path=seen.path, device=seen.identity[0], inode=seen.identity[1])
                states[seen.identity] = state
            head = self._looked(state, taken, tailing.head_of) or b""
            if any(self._is_copy(state, seen, other, taken) for other in heads.beginning(head[: seen.size])):
                held.add(seen.identity)
            else:
                heads.add(state, head)
        return frozenset(held)

    def _heads(self, states: Mapping[Identity, FileState], taken: LineBatch) -> Heads:
        """Return the files that are being read."""
        heads = Heads()
        for state in states.values():
            if state.offset and not state.gone:
                heads.add(state, self._looked(state, taken, tailing.head_of) or b"")
        return heads

    def _is_copy(self, fresh: FileState, seen: ListedFile, of: FileState, taken: LineBatch) -> bool:
        """Whether a new file is a copy of one that is being read: about to be truncated, or just a copy."""
        if fresh.identity == of.identity or not tailing.may_be_copy(seen.path, of.path):
            return False

        def compare(known: int) -> bool | None:
            return self._looked(fresh, taken, lambda descriptor: tailing.is_copy(descriptor, seen.size, known))

        return bool(self._looked(of, taken, compare))

    def _read_in_turn(
        self, states: dict[Identity, FileState], held: frozenset[Identity], taken: LineBatch, now: int
    ) -> None:
        """Read what is new, beginning after the file that filled the batch before: no file may starve the others."""
        order = sorted(states.values(), key=lambda state: (not state.rotated, state.path, state.identity))
        start = next((i for i, state in enumerate(order, 1) if state.identity == self._turn), 0)
        self._turn = None
        for state in (*order[start:], *order[:start]):
            if taken.left <= 0:
                taken.more = True
                return
            if not state.ignored and state.identity not in held:
                limit = self._options.max_line_bytes
                read = partial(read_lines, state, taken=taken, limit=limit, now=now)
                states[state.identity] = self._looked(state, taken, read) or state
            self._turn = state.identity if taken.left <= 0 else None

    def _looked(self, state: FileState, taken: LineBatch, look: Callable[[int], T]) -> T | None:
        """Return what ``look`` finds in the file; ``None`` without one, and where it cannot be read."""
        with self._file(state, taken) as descriptor:
            try:
                return None if descriptor is None else look(descriptor)
            except OSError as error:
                self._refuse(state.path, f"cannot be read: {error.strerror}", taken)
                return None

    @contextmanager
    def _file(self, state: FileState, taken: LineBatch) -> Iterator[int | None]:
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

    def _refuse(self, path: str, reason: str, taken: LineBatch) -> None:
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
