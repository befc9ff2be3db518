"""Files that stand there whole or not at all: what was cut short is never taken for what it should have been."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EISDIR
from pathlib import Path
from stat import S_IMODE
from tempfile import TemporaryFile
from typing import BinaryIO

from collector.errors import ConfigError


@contextmanager
def whole_file(path: Path, *, option: str | None = None, mode: int | None = None) -> Iterator[BinaryIO]:
    """Yield a file that takes the place of ``path`` once all is on the disk; before that ``path`` is what it was.

    A file that is replaced keeps its permissions, a new one has ``mode``, by default that of the process. A link is
    followed, and what is no file, such as a pipe, is written to directly. Raises `ConfigError` that names ``path``, and
    ``option`` before it.
    """
    part: Path | None = None
    try:
        target = path.resolve() if path.is_symlink() else path
        if target.exists() and not (target.is_file() or target.is_dir()):
            with target.open("wb") as file:
                yield file
            return
        part = target.with_name(f".{target.name}.part")
        kept = S_IMODE(target.stat().st_mode) if target.is_file() else mode
        part.touch(0o666 if mode is None else mode)
        with part.open("wb") as file:
            if kept is not None:
                part.chmod(kept)
            yield file
            file.flush()
            os.fsync(file.fileno())
        part.replace(target)
    except OSError as error:
        raise _unwritable(path, option, error) from error
    finally:
        if part is not None:
            with suppress(OSError):
                part.unlink(missing_ok=True)


def check_writable(path: Path, *, option: str | None = None) -> None:
    """Raise the `ConfigError` of `whole_file` where a file could not be written, before anybody waits for its content.

    Nothing is left behind, and what is there stays.
    """
    try:
        if path.is_dir():
            raise IsADirectoryError(EISDIR, os.strerror(EISDIR))
        if not path.exists() or path.is_file():
            with TemporaryFile(dir=path.resolve().parent):
                pass
    except OSError as error:
        raise _unwritable(path, option, error) from error


def write_whole(path: Path, data: bytes, *, option: str | None = None, mode: int | None = None) -> None:
    """Write ``data`` as `whole_file` does. Raises `ConfigError` that names ``path``.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     write_whole(Path(folder) / "a.txt", b"whole")
    ...     [(each.name, each.read_bytes()) for each in Path(folder).iterdir()]
    [('a.txt', b'whole')]
    """
    with whole_file(path, option=option, mode=mode) as file:
        file.write(data)


def _unwritable(path: Path, option: str | None, error: OSError) -> ConfigError:
    return ConfigError(f"{f'{option} ' if option else ''}{path}: cannot be written: {error.strerror or error}")
