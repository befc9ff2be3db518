"""The lines of one file that came since it was last read."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

import orjson
from msgspec.structs import replace

from adapters.base import MalformedRecord
from adapters.files.read import line_records
from adapters.schema import Answer
from adapters.trace import Span
from collector.security.jsonbounds import has_more_objects, most_objects
from collector.sources.tailing import FileState, mark_of

QUIET_NS = 5 * 10**9
"""How long a last line without its end is waited for before it is taken as it is."""
TORN_NS = 2 * 60 * 60 * 10**9
"""How long a last line that is no whole record may wait for its rest in silence: writers that buffer may rest long."""
_GZIP_MAGIC, _BOM = b"\x1f\x8b", b"\xef\xbb\xbf"
_NOT_TAILED = "gzip files are not tailed; exclude it, or read it with `groundwire adapt`"


@dataclass(slots=True)
class LineBatch:
    """What one batch has taken so far, and how much it may still take."""

    left: int
    spans: list[Span] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)
    malformed: list[MalformedRecord] = field(default_factory=list)
    more: bool = False

    def refuse(self, reason: str, where: str) -> None:
        """Note what cannot be read."""
        self.malformed.append(MalformedRecord(reason, where))

    def take(self, line: bytes, where: str) -> None:
        """Add what a line holds."""
        try:
            records = list(line_records(line, where))
        except Exception as error:  # noqa: BLE001 - a defect of ours must not hold a file at one line for ever
            self.refuse(f"internal error: {type(error).__name__}: {error}", where)
            return
        for record in records:
            if isinstance(record, Span):
                self.spans.append(record)
            elif isinstance(record, Answer):
                self.answers.append(record)
            else:
                self.malformed.append(record)


def read_lines(state: FileState, descriptor: int, taken: LineBatch, *, limit: int, now: int) -> FileState:
    """Take what is complete of a file behind ``state``, lines of ``limit`` bytes at most; return where that ends."""
    found = os.fstat(descriptor)
    unread = found.st_size - state.offset
    if unread <= 0:
        return state
    data = os.pread(descriptor, min(taken.left, unread), state.offset)
    if b"\n" not in data and len(data) < min(unread, limit + 1):
        data = os.pread(descriptor, min(unread, limit + 1), state.offset)
        data = data[: data.find(b"\n") + 1] or data  # one line beyond what was left, and no more
    if state.offset == 0 and data.startswith(_GZIP_MAGIC):
        taken.refuse(_NOT_TAILED, state.path)
        return replace(state, ignored=True)
    end = data.rfind(b"\n") + 1
    cut = not end and (state.skipping or len(data) > limit)
    silence = now - found.st_mtime_ns
    if cut or (not end and _is_final(state, data, limit=limit, quiet=silence >= QUIET_NS)):
        end = len(data)
    if mark_of(descriptor, state.offset) != state.mark:
        # The file was truncated just now, and these lines are torn.
        return state
    if not end:
        return _waiting(state, len(data), taken) if silence >= TORN_NS else state
    after = replace(state, offset=state.offset + end, mark=mark_of(descriptor, state.offset + end), torn=False)
    taken.left -= end
    taken.more |= end < unread
    if cut:
        if not state.skipping:
            taken.refuse(f"longer than {limit} bytes", f"{state.path}:{state.line + 1}")
        return replace(after, skipping=True)
    return replace(after, skipping=False, line=_take(state, data[:end], taken, limit))


def _waiting(state: FileState, size: int, taken: LineBatch) -> FileState:
    """Tell once of a last line that waits for its rest: its writer may have died over it."""
    if not state.torn:
        hours = TORN_NS // (60 * 60 * 10**9)
        taken.refuse(
            f"the last line ({size} bytes) has no end and is no whole record, and nothing was written for {hours} "
            "hours; it is read once its rest comes",
            f"{state.path}:{state.line + 1}",
        )
    return replace(state, torn=True)


def _take(state: FileState, data: bytes, taken: LineBatch, limit: int) -> int:
    """Take the lines of ``data``; return the number of the last."""
    number = state.line
    lines = data.removesuffix(b"\n").split(b"\n")
    for index, line in enumerate(lines):
        number += 1
        where = f"{state.path}:{number}"
        if index == 0 and state.skipping:
            continue
        text = line.removeprefix(_BOM) if number == 1 else line
        if len(text) > limit:
            taken.refuse(f"longer than {limit} bytes", where)
        elif _is_crowded(text, limit):
            taken.refuse(f"more than {most_objects(limit)} JSON objects and arrays", where)
        elif text.strip():
            taken.take(text, where)
    return number


def _is_crowded(text: bytes, limit: int) -> bool:
    """Whether a line would take far more memory than its bytes, of which there may be ``limit``."""
    return has_more_objects(text, most_objects(limit))


def _is_final(state: FileState, data: bytes, *, limit: int, quiet: bool) -> bool:
    """Whether a last line without its end is all there will be: of a rotated file, or a whole object by itself."""
    if not quiet or state.skipping:
        return False
    return state.rotated or _is_crowded(data, limit) or _is_object(data)


def _is_object(data: bytes) -> bool:
    if not data.rstrip().endswith(b"}"):
        return False
    try:
        orjson.loads(data)
    except orjson.JSONDecodeError:
        return False
    return True
