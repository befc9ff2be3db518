"""Which rows a store has lost: read from its data directory, whoever owns it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from adapters.trace import Nanoseconds
from collector.errors import ConfigError
from collector.store import mark as marks
from collector.store.readonly import database_of, read_only


def lost_rows(data: str | Path) -> str | None:
    """Return which rows are missing of the store in ``data`` by the mark beside it, and nobody has acknowledged that.

    Nothing is written or locked: an agent may be running. Raises `ConfigError` where that cannot be read.
    """
    directory = Path(data)
    missing = marks.looked_up(directory, lambda: read_only(directory))
    known = marks.unacknowledged(marks.rewinds(directory))
    return "; ".join(each for each in (known, missing) if each is not None) or None


def acknowledged(data: str | Path, at: Nanoseconds) -> list[str]:
    """Note at ``at`` that somebody knows what `lost_rows` returns; return each loss that was new.

    Raises `ConfigError` where there is no store, or that cannot be noted.
    """
    directory = Path(data)
    database_of(directory)
    known = marks.rewinds(directory)
    missing = marks.looked_up(directory, lambda: read_only(directory))
    if missing is not None:
        known.append(marks.Rewind(at, missing))
    new = [each.missing for each in known if each.acknowledged_at is None]
    if not new:
        return []
    rewinds = [each if each.acknowledged_at is not None else replace(each, acknowledged_at=at) for each in known]
    try:
        marks.write_rewinds(directory, rewinds)
        if missing is not None:
            # No agent has run since: it would find the same again.
            with read_only(directory) as connection:
                marks.write_mark(directory, marks.Mark(at, marks.position(connection)))
    except OSError as error:
        raise ConfigError(f"data: {error.filename or directory}: cannot be written: {error.strerror}") from error
    return new
