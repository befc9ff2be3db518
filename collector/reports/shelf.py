"""The folders of an agent that hold reports: what is in them, and the files themselves.

A file is opened below its folder by its name alone: no name leads elsewhere, and a link is not followed. Only what says
of itself that it is a report is listed or served.
"""

from __future__ import annotations

import hashlib
import os
import stat
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from adapters.trace import Nanoseconds
from collector.reports.summary import HEAD_BYTES, summary_of
from evaluation.reports.content import ReportSummary

MAX_FILES = 1_000
"""Files of one folder that are looked at: those written last."""
MAX_ENTRIES = 20_000
"""Entries of a folder that are counted."""
MAX_BYTES = 32 * 1024 * 1024
"""A larger file is not served."""
OWN_REPORTS = "-"
"""The name in addresses of the folder that every agent has beside its store; no schedule can be called that."""
ENDING = ".html"
LOG = ".log"
LAST_WORDS = 2_000
"""Bytes at the end of a log that are read."""


_Mark = tuple[int, int, int]


class KeptReport(NamedTuple):
    """A report in a folder: its name there, when it was written, how many bytes it has, and what it says of itself."""

    folder: str
    file: str
    written_at: Nanoseconds
    size: int
    summary: ReportSummary


class ShelfListing(NamedTuple):
    """The reports, newest first. ``others`` are names of files that are no reports of Groundwire, or too large.

    ``more`` says that a folder holds older ones that were not looked at; ``problems`` are of folders that cannot be
    read.
    """

    reports: tuple[KeptReport, ...]
    others: tuple[str, ...]
    more: bool
    problems: tuple[str, ...]


@dataclass(frozen=True)
class ReportShelf:
    """Reports in ``folders``, by the name under which a folder has its place in addresses."""

    folders: Mapping[str, Path]
    _read: dict[tuple[str, str], tuple[_Mark, ReportSummary | None]] = field(default_factory=dict)
    _digests: dict[KeptReport, str] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def listing(self) -> ShelfListing:
        """Return what is in the folders; a file that has not changed since is not read again."""
        reports: list[KeptReport] = []
        others: list[str] = []
        problems: list[str] = []
        more, seen = False, set[tuple[int, int]]()
        for name, path in self.folders.items():
            try:
                with _opened(path) as folder:
                    told = os.fstat(folder)
                    if (told.st_dev, told.st_ino) in seen:
                        continue
                    seen.add((told.st_dev, told.st_ino))
                    found, left = _files(folder)
                    more = more or left
                    for file in found:
                        report = self._report(folder, name, file)
                        if report is None:
                            others.append(file)
                        else:
                            reports.append(report)
            except FileNotFoundError:
                continue
            except OSError as error:
                problems.append(f"{path}: cannot be read: {error.strerror}")
        reports.sort(key=lambda one: (-one.written_at, one.folder, one.file))
        return ShelfListing(tuple(reports), tuple(others), more, tuple(problems))

    def content(self, folder: str, file: str) -> bytes | None:
        """Return a report; ``None`` where there is none of that name in the folder."""
        path = self.folders.get(folder)
        if path is None or not _is_name(file):
            return None
        with suppress(OSError), _opened(path) as opened:
            data = _content(opened, file)
            return None if data is None or summary_of(data[:HEAD_BYTES]) is None else data
        return None

    def digest(self, report: KeptReport) -> str | None:
        """Return the SHA-256 of a report, in hex; ``None`` where it is no longer there."""
        with self._lock:
            known = self._digests.get(report)
        if known is None and (data := self.content(report.folder, report.file)) is not None:
            known = hashlib.sha256(data).hexdigest()
            with self._lock:
                _room(self._digests)
                self._digests[report] = known
        return known

    def _report(self, folder: int, name: str, file: str) -> KeptReport | None:
        try:
            told = os.stat(file, dir_fd=folder, follow_symlinks=False)
        except FileNotFoundError:
            return None
        mark = (told.st_ino, told.st_mtime_ns, told.st_size)
        with self._lock:
            known = self._read.get((name, file))
        if known is None or known[0] != mark:
            head = _content(folder, file, HEAD_BYTES) if told.st_size <= MAX_BYTES else None
            known = (mark, None if head is None else summary_of(head))
            with self._lock:
                _room(self._read)
                self._read[name, file] = known
        summary = known[1]
        if summary is None:
            return None
        return KeptReport(name, file, Nanoseconds(told.st_mtime_ns), told.st_size, summary)


def _room(remembered: dict[Any, Any]) -> None:
    """Forget everything where it has grown beyond what folders may hold."""
    if len(remembered) >= 20 * MAX_FILES:
        remembered.clear()


def unwritten(folder: Path) -> tuple[str, str] | None:
    """Return the newest scheduled report of a folder that is not there, as its name and the last line of its log.

    It is being written, was cut short or failed. ``None`` where the newest one that was begun is there.
    """
    try:
        with _opened(folder) as opened:
            names = {entry.name for entry in _entries(opened)}
            begun = max((name for name in names if name.endswith(LOG)), default=None)
            if begun is None or begun.removesuffix(LOG) + ENDING in names:
                return None
            said = _content(opened, begun) or b""
    except OSError:
        return None
    lines = said[-LAST_WORDS:].decode("utf-8", errors="replace").strip().splitlines()
    return begun.removesuffix(LOG), lines[-1] if lines else ""


@contextmanager
def _opened(path: Path) -> Iterator[int]:
    folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield folder
    finally:
        os.close(folder)


def _entries(folder: int) -> Iterator[os.DirEntry[str]]:
    with os.scandir(folder) as entries:
        for number, entry in enumerate(entries):
            if number >= MAX_ENTRIES:
                return
            yield entry


def _files(folder: int) -> tuple[list[str], bool]:
    """Return the names of the files that were written last, and whether there are more."""
    found = [
        (entry.stat(follow_symlinks=False).st_mtime_ns, entry.name)
        for entry in _entries(folder)
        if _is_name(entry.name) and entry.is_file(follow_symlinks=False)
    ]
    found.sort(reverse=True)
    return [name for _, name in found[:MAX_FILES]], len(found) > MAX_FILES


def _is_name(file: str) -> bool:
    """Whether a report can be called that: a name of a file that is not hidden, and nothing that leads elsewhere."""
    return file.endswith(ENDING) and not file.startswith(".") and "/" not in file and file.isprintable()


def _content(folder: int, file: str, beginning: int | None = None) -> bytes | None:
    """Return what is in a file of a folder, or its ``beginning`` of so many bytes.

    ``None`` where it is too large, or is no file itself.
    """
    try:
        # Without O_NONBLOCK a pipe of that name would keep whoever opens it waiting.
        opened = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
    except OSError:
        return None
    with os.fdopen(opened, "rb") as content:
        if not stat.S_ISREG(os.fstat(opened).st_mode):
            return None
        data = content.read(MAX_BYTES + 1 if beginning is None else beginning)
    return data if len(data) <= MAX_BYTES else None
