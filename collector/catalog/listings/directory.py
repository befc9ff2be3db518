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

    Hidden files and links are passed over. Raises `ConfigError` where ``root`` is no directory that can be read.
    """
    base = root.resolve().as_posix() if base is None else base
    history = SourceHistory(previous, keep=keep)
    found: dict[str, Document] = {}
    left = MAX_TEXTS
    for name, path in _files(root, include, notes):
        entry = _entry(path, name, base, notes, texts=left > 0)
        if entry is None:
            continue
        left -= len(entry.text or "")
        if entry.id in found:
            notes.add("of an id that another file has, listed by name", name)
            entry = entry.model_copy(update={"id": name})
        found[entry.id] = entry
    return renewed(history, found, at)


def _files(root: Path, include: Sequence[str], notes: Notes) -> Iterator[tuple[str, Path]]:
    if not root.is_dir():
        raise ConfigError(f"{root}: not a directory")
    count = 0
    for directory, below, names in os.walk(root, onerror=_unreadable):
        below[:] = sorted(name for name in below if not name.startswith("."))
        for name in sorted(names):
            path = Path(directory, name)
            relative = path.relative_to(root).as_posix()
            if name.startswith(".") or (include and not any(fnmatch(relative, glob) for glob in include)):
                continue
            if path.is_symlink():
                notes.add("links, not followed", relative)
                continue
            count += 1
            if count > MAX_FILES:
                raise ConfigError(f"{root}: more than {MAX_FILES} files; name a part of it, or use --include")
            yield relative, path


def _entry(path: Path, name: str, base: str, notes: Notes, *, texts: bool) -> Document | None:
    try:
        name.encode()
    except UnicodeEncodeError:
        notes.add("names that are not UTF-8, passed over", ascii(name))
        return None
    try:
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
    except OSError as error:
        notes.add(f"cannot be read ({error.strerror}), passed over", name)
        return None
    notes.add("listed without text for their size", name)
    checksum = digest.hexdigest()
    uri = uri_of(name, base)
    return Document(id=name, version=checksum[:VERSION], checksum=checksum, uri=uri, modified_at=modified)


def _unreadable(error: OSError) -> None:
    raise ConfigError(f"{error.filename}: cannot be read: {error.strerror}")
