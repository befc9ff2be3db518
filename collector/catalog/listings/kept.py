"""A listing as it is kept: a file of catalog entries, one a line, that takes the place of the one before at once."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

import orjson

from collector.catalog.files import MAX_BYTES
from collector.errors import ConfigError
from scorers.catalog import Document


def line_of(document: Document) -> bytes:
    r"""Return an entry as a line of a catalog.

    >>> line_of(Document(id="T", version="2"))
    b'{"id":"T","version":"2"}\n'
    """
    return orjson.dumps(
        document.model_dump(mode="json", exclude_defaults=True), option=orjson.OPT_APPEND_NEWLINE | orjson.OPT_UTC_Z
    )


def kept_in(path: Path) -> Iterator[Document]:
    """Yield the entries of a listing that `keep` wrote, none where there is none. Raises `ValueError` for another."""
    with suppress(FileNotFoundError), path.open("rb") as file:
        for line in file:
            yield Document.model_validate_json(line)


def keep(entries: Iterable[Document], path: Path) -> tuple[int, bool]:
    """Write a listing; return how many entries it has, and whether it is another than before.

    One that is the same leaves the file as it is. Raises `ConfigError` for one larger than a catalog may be, and where
    it cannot be written.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.part")
    count = size = 0
    digest = sha256()
    try:
        with draft.open("wb") as file:
            for entry in entries:
                line = line_of(entry)
                count += 1
                size += len(line)
                if size > MAX_BYTES:
                    raise ConfigError(f"the listing is larger than {MAX_BYTES} bytes; list a part of it")
                digest.update(line)
                file.write(line)
            file.flush()
            os.fsync(file.fileno())
        changed = digest.digest() != _digest(path)
        if changed:
            draft.replace(path)
    except OSError as error:
        raise ConfigError(f"{path}: cannot be written: {error.strerror}") from error
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
    return count, changed


def _digest(path: Path) -> bytes | None:
    with suppress(OSError), path.open("rb") as file:
        digest = sha256()
        while piece := file.read(1024 * 1024):
            digest.update(piece)
        return digest.digest()
    return None
