"""Where the store stood, kept beside it: a store that was set back would look whole by itself.

A log of writes that was deleted, or a database restored from an old copy, leaves a store that is consistent and older.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, TypeVar

import sqlalchemy as sa
from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from adapters.trace import Nanoseconds
from collector.clock import instant
from collector.errors import ConfigError

T = TypeVar("T")

MARK, NOTE = "mark.json", "rewound.json"
LARGEST = 2**63 - 1
"""What a column of the database holds."""
COUNTED = {
    "chunk_seq": ("chunk of spans", "chunks of spans"),
    "answer_seq": ("answer", "answers"),
    "evaluation_seq": ("evaluation, change or label", "evaluations, changes and labels"),
    "decision_seq": ("decision", "decisions"),
}
_Number = Annotated[int, Field(ge=0, le=LARGEST)]
_STRICT = ConfigDict(strict=True, extra="forbid")


@dataclass(frozen=True, slots=True)
class Position:
    """The newest numbers that a store has given, and the hash of its newest decision."""

    __pydantic_config__ = _STRICT

    chunk_seq: _Number = 0
    answer_seq: _Number = 0
    evaluation_seq: _Number = 0
    decision_seq: _Number = 0
    head: str = ""


@dataclass(frozen=True, slots=True)
class Mark:
    """Where the store stood when the mark was made."""

    __pydantic_config__ = _STRICT

    at: Annotated[Nanoseconds, Field(ge=0, le=LARGEST)]
    position: Position


@dataclass(frozen=True, slots=True)
class Rewind:
    """A store found older than its mark: when, what is missing, and when somebody acknowledged that."""

    __pydantic_config__ = _STRICT

    found_at: Nanoseconds
    missing: str
    acknowledged_at: Nanoseconds | None = None


@dataclass(frozen=True, slots=True)
class _Rewinds:
    __pydantic_config__ = _STRICT

    rewinds: list[Rewind]


_MARK = TypeAdapter(Mark)
_REWINDS = TypeAdapter(_Rewinds)


def position(connection: sa.Connection) -> Position:
    """Return where the store stands."""
    row = connection.execute(sa.text(f"SELECT {', '.join(COUNTED)} FROM books")).one()  # noqa: S608 - our own names
    return Position(**row._mapping, head=_hash(connection, row.decision_seq))  # noqa: SLF001 - a row by its names


def missing(mark: Mark, connection: sa.Connection) -> str | None:
    """Return what the store of ``connection`` had at the mark and has no more; ``None`` if it has all of it."""
    here, there = position(connection), mark.position
    lost = []
    for name, (one, several) in COUNTED.items():
        have, had = getattr(here, name), getattr(there, name)
        if had == have + 1:
            lost.append(f"1 {one} (number {had})")
        elif have < had:
            lost.append(f"{had - have} {several} (numbers {have + 1} to {had})")
    if not lost and there.decision_seq and _hash(connection, there.decision_seq) != there.head:
        lost.append(f"the decision log was replaced up to number {there.decision_seq}")
    if not lost:
        return None
    at = instant(mark.at).isoformat(timespec="seconds").replace("+00:00", "Z")
    return f"{', '.join(lost)}; the store was complete at {at}"


def _hash(connection: sa.Connection, seq: int) -> str:
    row = connection.execute(sa.text("SELECT hash FROM decisions WHERE seq = :seq"), {"seq": seq})
    return row.scalar_one_or_none() or ""


def read_mark(directory: Path) -> Mark | None:
    """Return the mark of a data directory, ``None`` if it has none. Raises `ConfigError` if it cannot be read."""
    return _read(directory / MARK, _MARK)


def write_mark(directory: Path, mark: Mark) -> None:
    """Replace the mark of a data directory at once. Raises `OSError`."""
    _write(directory / MARK, asdict(mark))


def rewinds(directory: Path) -> list[Rewind]:
    """Return every time the store was found older than its mark. Raises `ConfigError` if that cannot be read."""
    noted = _read(directory / NOTE, _REWINDS)
    return [] if noted is None else noted.rewinds


def write_rewinds(directory: Path, rewinds: Sequence[Rewind]) -> None:
    """Replace what is known of rewinds at once. Raises `OSError`."""
    _write(directory / NOTE, {"rewinds": [asdict(each) for each in rewinds]})


def unacknowledged(rewinds: Sequence[Rewind]) -> str | None:
    """Return what is missing of a store and was not acknowledged; ``None`` if nothing is."""
    return "; ".join(each.missing for each in rewinds if each.acknowledged_at is None) or None


def looked_up(directory: Path, read: Callable[[], AbstractContextManager[sa.Connection]]) -> str | None:
    """Return what a store lacks by the mark beside it, or why that is not known; ``None`` if it lacks nothing.

    The mark is read first: a store that goes on meanwhile is only further than it says.
    """
    try:
        mark = read_mark(directory)
    except ConfigError as error:
        return f"unknown which, if any: {error}"
    if mark is None:
        return None
    with read() as connection:
        return missing(mark, connection)


def _read(path: Path, kind: TypeAdapter[T]) -> T | None:
    try:
        return kind.validate_json(path.read_bytes())
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ConfigError(f"data: {path}: cannot be read: {error.strerror}") from error
    except ValidationError as error:
        place = ".".join(map(str, error.errors()[0]["loc"]))
        problem = f"{place}: {error.errors()[0]['msg']}" if place else error.errors()[0]["msg"]
        raise ConfigError(f"data: {path}: file is damaged: {problem}") from error


def _write(path: Path, content: object) -> None:
    draft = path.with_suffix(".part")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        json.dump(content, file)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
    directory = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)
