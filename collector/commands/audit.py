"""`groundwire audit`: verifies the hash chain of the decision log, and exports it."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import BinaryIO, TextIO

from collector.clock import Clock, system_clock
from collector.commands.asking import printed
from collector.commands.objects import object_line
from collector.errors import ConfigError
from collector.security.text import one_line
from collector.store.log import PAGE, Audit, BrokenRow, exported, exported_log, stored_log, verify
from collector.store.lost import acknowledged, lost_rows
from collector.store.rows import Decision

MAX_LINE = 16 * 1024 * 1024
"""Bytes of one line of an export; a row has some ten thousand."""
WHOLE, BROKEN = 0, 1


def audit(*, data: str | Path, file: Path | None, head: str | None, as_json: bool, out: TextIO) -> int:
    """Print whether the log is intact, of ``file`` or else of the store in ``data``; return 0 if so, else 1.

    A store that has lost rows is not, until somebody acknowledges that.

    Raises `ConfigError` where there is nothing to read.
    """
    where = str(Path(data) if file is None else file)
    result = _of_store(data, head) if file is None else _of_file(file, head)
    lost = lost_rows(data) if file is None else None
    whole = result.problem is None and lost is None
    if as_json:
        text = object_line({"log": where, "whole": whole, **asdict(result), "lost": lost})
    elif result.problem is None and lost is not None:
        text = one_line(f"{where}: intact, {result.rows} rows, but the store has lost rows: {lost}") + "\n"
        text += "if the loss is known and cannot be undone, run: groundwire audit acknowledge\n"
    elif whole:
        text = f"{where}: intact, {result.rows} rows" + (f", head {result.head}" if result.rows else "") + "\n"
    else:
        text = one_line(f"{where}: broken at row {result.broken}: {result.problem}") + "\n"
        text += f"{result.last} rows before it are intact" + (f", head {result.head}" if result.head else "") + "\n"
    printed(text, out, what="the audit")
    return WHOLE if whole else BROKEN


def acknowledge(*, data: str | Path, as_json: bool, out: TextIO, clock: Clock = system_clock) -> int:
    """Note that somebody knows which rows the store in ``data`` has lost, and print them; return 0.

    Raises `ConfigError` where there is no store, or that cannot be noted.
    """
    lost = acknowledged(data, clock())
    if as_json:
        out.write(object_line({"store": str(data), "acknowledged": lost}))
        return WHOLE
    lines = [f"{data}: lost rows acknowledged: {each}" for each in lost]
    out.writelines(f"{one_line(line)}\n" for line in lines or [f"{data}: no rows are lost"])
    return WHOLE


def export(*, data: str | Path, out: TextIO) -> int:
    """Print the log of the store in ``data``, a row a line; return 0."""
    with stored_log(data) as (rows, _):
        readable = _readable(rows)
        while part := list(itertools.islice(readable, PAGE)):
            out.writelines(f"{exported(row)}\n" for row in part)
    return 0


def _readable(rows: Iterator[Decision]) -> Iterator[Decision]:
    try:
        yield from rows
    except BrokenRow as error:
        raise ConfigError(f"row {error.seq} cannot be exported: {error.problem}") from error


def _of_store(data: str | Path, head: str | None) -> Audit:
    with stored_log(data) as (rows, newest):
        return verify(rows, newest=newest, head=head)


def _of_file(file: Path, head: str | None) -> Audit:
    try:
        with file.open("rb") as lines:
            return verify(exported_log(_lines(lines)), head=head)
    except OSError as error:
        raise ConfigError(f"{file}: cannot be read: {error.strerror}") from error


def _lines(file: BinaryIO) -> Iterator[bytes]:
    while line := file.readline(MAX_LINE):
        if line.strip():
            yield line
