"""What `groundwire check` says of a data directory: read only, and an agent may be running on it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from collector.errors import ConfigError
from collector.store.lost import lost_rows
from collector.store.private import readable
from collector.store.reserve import Reserve, disk_free
from collector.store.sqlite import DATABASE, NO_DIRECTORY


def inspected(data: str | Path) -> list[str]:
    """Return what there is to say of the store in ``data``, a line each; nothing where there is none yet.

    Raises `ConfigError` for one that cannot be read, and for a place that is no directory.
    """
    directory = Path(data)
    try:
        return list(_inspected(directory))
    except OSError as error:
        raise ConfigError(f"data: {error.filename or directory}: cannot be read: {error.strerror}") from error


def _inspected(directory: Path) -> Iterator[str]:
    there = next(place for place in (directory, *directory.absolute().parents) if place.exists())
    if not there.is_dir():
        raise ConfigError(f"data: {there}: {NO_DIRECTORY}")
    if why := _unwritable(there):
        # A warning: who checks may be another user, on another machine, than who runs the agent.
        yield f"warning: data: {there} cannot be written to ({why}), so the agent would not start here"
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


def _unwritable(directory: Path) -> str | None:
    """Return why no file can be made in a directory, ``None`` where nothing speaks against it."""
    system = os.statvfs(directory)
    if not system.f_blocks:
        # As of /proc and /sys, where root passes every check of permissions.
        return "its file system keeps no files"
    if os.access(directory, os.W_OK | os.X_OK):
        return None
    return "its file system is read-only" if system.f_flag & os.ST_RDONLY else "this user may not"
