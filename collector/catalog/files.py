"""Catalog files on disk: found, told apart by their endings, watched, and read line by line within bounds."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from collector.errors import ConfigError
from scorers.catalog import CatalogError, CatalogFormat

FORMATS: dict[str, CatalogFormat] = {".yaml": "yaml", ".yml": "yaml", ".csv": "csv", ".jsonl": "jsonl"}
MAX_BYTES = 1024**3
MAX_YAML_BYTES = 64 * 1024 * 1024
"""YAML is read whole, at a megabyte or two a second: larger catalogs are CSV or JSONL."""
MAX_LINE_BYTES = 16 * 1024 * 1024
MAX_FILES = 10_000
MAX_DEPTH = 16


@dataclass(frozen=True, slots=True)
class CatalogFile:
    """A file that is part of the catalog, under the name that messages have for it."""

    path: Path
    format: CatalogFormat
    shown: str


Stamp = tuple[str, int, int, int]
"""A file, and what changes when it does: inode, time of change, size."""


def listed(path: Path) -> tuple[CatalogFile, ...]:
    """Return the files that ``path`` stands for, in the order of their names.

    A directory stands for all files of a known format in and below it; hidden names are passed over, as are directories
    behind links, which is how a mounted volume keeps its earlier states. Raises `ConfigError`.
    """
    if not path.is_dir():
        if path.suffix not in FORMATS:
            raise ConfigError(
                f"catalog.path: {path}: expected a directory or a file name ending in {', '.join(FORMATS)}"
            )
        return (CatalogFile(path, FORMATS[path.suffix], str(path)),)
    found: list[CatalogFile] = []
    for directory, below, names in os.walk(path, onerror=_unreadable):
        depth = len(Path(directory).relative_to(path).parts)
        below[:] = sorted(name for name in below if not name.startswith(".")) if depth < MAX_DEPTH else []
        for name in sorted(names):
            file = Path(directory, name)
            if not name.startswith(".") and file.suffix in FORMATS:
                found.append(CatalogFile(file, FORMATS[file.suffix], str(file)))
        if len(found) > MAX_FILES:
            raise ConfigError(f"catalog.path: {path}: more than {MAX_FILES} files")
    return tuple(sorted(found, key=lambda file: file.shown))


def stamp(file: CatalogFile) -> Stamp | None:
    """Return what tells the states of a file apart; ``None`` where it is gone."""
    try:
        found = file.path.stat()
    except (OSError, ValueError):
        return None
    return (file.shown, found.st_ino, found.st_mtime_ns, found.st_size)


def lines(file: CatalogFile) -> Iterator[str]:
    """Yield the lines of a file with their ends; a YAML file comes as one piece.

    Raises `CatalogError` for what cannot be read: no regular file, beyond a bound, not UTF-8.
    """
    try:
        # Without O_NONBLOCK the open alone would wait for a writer where the path is a FIFO.
        descriptor = os.open(file.path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        raise _refused(file, "no such file") from None
    except (OSError, ValueError) as error:
        raise _refused(file, f"cannot be read: {getattr(error, 'strerror', None) or error}") from None
    with os.fdopen(descriptor, "rb") as opened:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise _refused(file, "not a regular file")
        whole = file.format == "yaml"
        limit = MAX_YAML_BYTES if whole else MAX_LINE_BYTES
        number = size = 0
        while True:
            try:
                line = opened.read(limit + 1) if whole else opened.readline(limit + 1)
            except OSError as error:
                raise _refused(file, f"cannot be read: {error}") from None
            if not line:
                return
            number += 1
            size += len(line)
            at = "" if whole else f"line {number}: "
            if len(line) > limit:
                raise _refused(file, f"{at}larger than {limit} bytes" + ("; use CSV or JSONL" if whole else ""))
            if size > MAX_BYTES:
                raise _refused(file, f"larger than {MAX_BYTES} bytes")
            try:
                yield line.decode("utf-8")
            except UnicodeDecodeError as error:
                raise _refused(file, f"{at}cannot be read: {error}") from None


def put(path: Path, data: bytes) -> None:
    """Write a file at once: whoever reads it finds what was there before, or all of ``data``."""
    draft = path.with_name(f"{path.name}.part")
    draft.write_bytes(data)
    draft.replace(path)


def _refused(file: CatalogFile, problem: str) -> CatalogError:
    return CatalogError((f"{file.shown}: {problem}",))


def _unreadable(error: OSError) -> None:
    raise ConfigError(f"catalog.path: {error.filename}: cannot be read: {error.strerror}")
