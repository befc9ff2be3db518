"""What `groundwire check` says of a data directory: read only, and an agent may be running on it."""

from __future__ import annotations

from pathlib import Path

from collector.store.lost import lost_rows
from collector.store.private import readable
from collector.store.reserve import Reserve, disk_free
from collector.store.sqlite import DATABASE


def inspected(data: str | Path) -> list[str]:
    """Return what there is to say of the store in ``data``, a line each; nothing where there is none yet.

    Raises `ConfigError` for one that cannot be read.
    """
    directory = Path(data)
    if not (directory / DATABASE).is_file():
        return []
    free, reserve = disk_free(directory), Reserve(directory)
    size = sum(path.stat().st_size for path in directory.glob(f"{DATABASE}*"))
    found = [f"data: {directory}: {size:,} bytes, {free:,} bytes free on its disk"]
    if free + reserve.held < 2 * reserve.size:
        found.append(f"data: {directory}: the disk is almost full: the agent removes what is past its retention")
    lost = lost_rows(directory)
    if lost is not None:
        found.append(f"data: {directory}: the store has lost rows: {lost} (to end this: groundwire audit acknowledge)")
    exposed = "others may read it; the agent takes that right from them when it starts"
    found.extend(f"data: {path}: {exposed}" for path in readable(directory))
    return found
