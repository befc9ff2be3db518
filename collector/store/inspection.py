"""What `groundwire check` says of a data directory: read only, and an agent may be running on it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from collector.errors import ConfigError
from collector.store.lost import lost_rows
from collector.store.private import readable
from collector.store.reserve import Reserve, disk_free
from collector.store.sqlite import DATABASE


def inspected(data: str | Path) -> list[str]:
    """Return what there is to say of the store in ``data``, a line each; nothing where there is none yet.

    Raises `ConfigError` for one that cannot be read.
    """
    directory = Path(data)
    try:
        return list(_inspected(directory))
    except OSError as error:
        raise ConfigError(f"data: {error.filename or directory}: cannot be read: {error.strerror}") from error


def _inspected(directory: Path) -> Iterator[str]:
    if not (directory / DATABASE).is_file():
        return
    free, reserve = disk_free(directory), Reserve(directory)
    size = sum(path.stat().st_size for path in directory.glob(f"{DATABASE}*"))
    yield f"data: {directory}: {size:,} bytes used, {free:,} bytes free on the disk"
    if free + reserve.held < 2 * reserve.size:
        yield f"data: {directory}: the disk is almost full; free some space or shorten the retention"
    lost = lost_rows(directory)
    if lost is not None:
        yield f"data: {directory}: the store has lost rows: {lost} (to acknowledge: groundwire audit acknowledge)"
    for path in readable(directory):
        yield f"data: {path} is readable by others; the agent makes it private when it starts"
