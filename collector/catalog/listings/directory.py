"""A directory of documents as a source: its files, what was there before, and what moved."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from fnmatch import fnmatch
from hashlib import sha256
from pathlib import Path
from typing import Literal

from pydantic import Field

from collector.catalog.listings.base import ListedFilesOptions, ListingRun
from collector.catalog.listings.editions import Editions
from collector.catalog.listings.entry import MAX_TEXT, VERSION, entry_of, uri_of
from collector.catalog.listings.notes import Notes
from collector.catalog.listings.renewal import renewed
from collector.errors import ConfigError
from scorers.catalog import Document
from scorers.catalog.history import KEEP, SourceHistory

MAX_FILES = 200_000
MAX_TEXTS = 512 * 1024 * 1024
"""Bytes of all texts of a listing; files beyond are listed without text."""
_PIECE = 1024 * 1024
_AT_REST = 2.0
"""Seconds after which another change of a file shows in its time: file systems keep times this roughly at worst."""


class DirectorySource(ListedFilesOptions):
    """A directory of documents."""

    type: Literal["directory"] = "directory"
    path: Path = Field(description="The directory; all below it is listed.")
    base: str | None = Field(
        default=None, description="Address or path that the files are known by; by default where they are."
    )

    @property
    def address(self) -> str:
        """The path."""
        return str(self.path)

    def fingerprint(self, at: datetime) -> str | None:
        """Return a digest of the names, sizes and times of the files; ``None`` where one has just changed."""
        return directory_fingerprint(self.path, at=at, include=self.include)

    def entries(self, run: ListingRun) -> tuple[Document, ...]:
        """Return the entries of the files, and of what was there before."""
        return directory_listing(
            self.path,
            at=run.at,
            notes=run.notes,
            base=self.base,
            include=self.include,
            previous=run.previous,
            keep=self.keep,
        )


def directory_listing(
    root: Path,
    *,
    at: datetime,
    notes: Notes,
    base: str | None = None,
    include: Sequence[str] = (),
    previous: Iterable[Document] = (),
    keep: int = KEEP,
) -> tuple[Document, ...]:
    """Return the entries of the files below ``root``, and those of ``previous`` that they replaced, ended at ``at``.

    Hidden files are passed over, and links, except those to a file below ``root``: volumes of Kubernetes are made of
    such. ``root`` itself may be a link; its files are known by the path that was given. A file that cannot be read
    counts as unchanged. Raises `ConfigError` where ``root`` is no directory that can be read.
    """
    base = _place(root) if base is None else base
    history = SourceHistory(previous, keep=keep)
    held = {one.uri: one for one in map(history.now, history.current) if one is not None}
    found = Editions()
    left = MAX_TEXTS
    for name, path in _files(root, include, notes):
        try:
            entry = _entry(path, name, base, notes, texts=left > 0)
        except OSError as error:
            notes.add(f"cannot be read ({error.strerror}), left as they were", name, passing=True)
            entry = held.get(uri_of(name, base))
        if entry is None:
            continue
        left -= len(entry.text or "")
        found.add(entry, name, notes, "file")
    return renewed(history, found.last, at, found.earlier)


def directory_fingerprint(root: Path, *, at: datetime, include: Sequence[str] = ()) -> str | None:
    """Return what is the same as long as no file below ``root`` was changed, put there, taken away or moved.

    The time at which the system noted a change counts, which no program sets back as it may the date of a file. Of a
    file that changed within `_AT_REST` of ``at`` it may not tell the next change: ``None``. Raises `ConfigError` where
    ``root`` is no directory that can be read.
    """
    digest = sha256()
    rested = int((at.timestamp() - _AT_REST) * 1e9)
    for name, path in _files(root, include, Notes()):
        try:
            about = path.lstat()
        except OSError:
            return None
        if about.st_ctime_ns > rested:
            return None
        facts = (about.st_mode, about.st_size, about.st_mtime_ns, about.st_ctime_ns, about.st_dev, about.st_ino)
        digest.update(f"{name}\0{facts}\0".encode(errors="surrogateescape"))
    return digest.hexdigest()


def _files(root: Path, include: Sequence[str], notes: Notes) -> Iterator[tuple[str, Path]]:
    if not root.is_dir():
        raise ConfigError(f"{root}: not a directory")
    count, within = 0, root.resolve()
    for directory, below, names in os.walk(root, onerror=_unreadable):
        below[:] = sorted(name for name in below if not name.startswith("."))
        for path in (Path(directory, name) for name in below):
            if path.is_symlink():
                notes.add("links, not followed", path.relative_to(root).as_posix())
        for name in sorted(names):
            path = Path(directory, name)
            relative = path.relative_to(root).as_posix()
            if name.startswith(".") or (include and not any(fnmatch(relative, glob) for glob in include)):
                continue
            target = _linked(path, within) if path.is_symlink() else path
            if target is None:
                notes.add("links, not followed", relative)
                continue
            count += 1
            if count > MAX_FILES:
                raise ConfigError(f"{root}: more than {MAX_FILES} files; name a part of it, or use --include")
            yield relative, target


def _place(root: Path) -> str:
    """Return the path that a directory is known by: a link is not replaced by what it leads to, which may change."""
    return (root.resolve() if ".." in root.parts else root.absolute()).as_posix()


def _linked(path: Path, root: Path) -> Path | None:
    """Return the file below ``root`` that a link leads to; ``None`` where it leads elsewhere, or nowhere."""
    try:
        target = path.resolve(strict=True)
    except (OSError, RuntimeError):
        return None
    return target if target.is_relative_to(root) and target.is_file() else None


def _entry(path: Path, name: str, base: str, notes: Notes, *, texts: bool) -> Document | None:
    try:
        name.encode()
    except UnicodeEncodeError:
        notes.add("names that are not UTF-8, passed over", ascii(name))
        return None
    # What took the place of a file since it was listed is not followed, and not waited for.
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as file:
        about = os.fstat(descriptor)
        if not stat.S_ISREG(about.st_mode):
            notes.add("not regular files, passed over", name)
            return None
        modified = datetime.fromtimestamp(about.st_mtime, UTC)
        data = file.read(MAX_TEXT + 1) if texts else b""
        if texts and len(data) <= MAX_TEXT:
            return entry_of(data, name=name, base=base, modified_at=modified, notes=notes)
        digest = sha256(data)
        while piece := file.read(_PIECE):
            digest.update(piece)
    notes.add("listed without text for their size", name)
    checksum = digest.hexdigest()
    uri = uri_of(name, base)
    return Document(id=name, version=checksum[:VERSION], checksum=checksum, uri=uri, modified_at=modified)


def _unreadable(error: OSError) -> None:
    raise ConfigError(f"{error.filename}: cannot be read: {error.strerror}")
