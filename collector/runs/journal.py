"""A file that rows are appended to while a run is under way: whole lines survive a kill, a line cut short does not."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import orjson

SYNC_EVERY = 200
"""Appends between two that are forced to disk: what a crash of the machine may cost is worked out again."""


class Journal:
    """JSON lines that are appended to. Rows of one ``answer_id`` stand together.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     with Journal(Path(folder) / "rows.jsonl") as journal:
    ...         journal.append([{"answer_id": "a"}])
    ...     [row["answer_id"] for row in rows_of(Path(folder) / "rows.jsonl")]
    ['a']
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = path.open("ab")
        self._appended = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def append(self, rows: list[Mapping[str, Any]]) -> None:
        """Append the rows of one answer."""
        self.append_lines(orjson.dumps(row) + b"\n" for row in rows)

    def append_lines(self, lines: Iterator[bytes]) -> None:
        """Append the lines of one answer, as they are."""
        self._file.write(b"".join(lines))
        self._file.flush()
        self._appended += 1
        if self._appended % SYNC_EVERY == 0:
            os.fsync(self._file.fileno())

    def close(self) -> None:
        """Force everything to disk."""
        if not self._file.closed:
            try:
                self._file.flush()
                os.fsync(self._file.fileno())
            finally:
                # It is closed even where the disk takes no more.
                self._file.close()


def rows_of(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the rows of a journal in their order."""
    with path.open("rb") as file:
        for line in file:
            yield orjson.loads(line)


def resumed(path: Path, *, several: bool = False) -> frozenset[str]:
    """Return the answers that a journal has rows of, after cutting off what may not be whole.

    That is a line that was cut short; with ``several`` rows of one answer, all rows of the last one.
    """
    found: dict[str, int] = {}
    end = 0
    with suppress(FileNotFoundError), path.open("rb+") as file:
        for line in file:
            answer_id = _answer_of(line)
            if answer_id is None:
                break
            found.setdefault(answer_id, end)
            end += len(line)
        if several and found:
            _, end = found.popitem()
        file.truncate(end)
    return frozenset(found)


def _answer_of(line: bytes) -> str | None:
    if line.endswith(b"\n"):
        with suppress(orjson.JSONDecodeError):
            row = orjson.loads(line)
            if isinstance(row, dict) and isinstance(row.get("answer_id"), str):
                return str(row["answer_id"])
    return None
