"""How far Langfuse has been read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import orjson
from pydantic import ConfigDict, NonNegativeInt, TypeAdapter

from adapters.trace import Nanoseconds
from collector.clock import instant
from collector.sources.base import decoded

MS = 1_000_000
"""Nanoseconds of a millisecond: the finest time the API knows."""

Mode = Literal["v2", "legacy"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cursor:
    """Where reading stands; times are Unix nanoseconds, whole milliseconds.

    ``since`` is where the next window begins, ``high`` where what was read ends: between them lie traces that were held
    back, and what is read once more for their sake. ``until`` is the end of the window under way, of which ``pages``
    have come; they are in memory only, and a window whose pages are lost is read again. ``width`` is how long windows
    are tried.
    """

    __pydantic_config__ = ConfigDict(extra="forbid")

    version: Literal[1] = 1
    since: NonNegativeInt
    high: NonNegativeInt
    width: NonNegativeInt
    mode: Mode = "v2"
    recheck: NonNegativeInt = 0
    """When the current API is tried again where only the older one answered."""
    until: NonNegativeInt = 0
    pages: NonNegativeInt = 0
    attempt: NonNegativeInt = 0
    """How often the window was begun again: with the same number of pages, the cursor is still another one."""
    done: Mapping[str, int] = field(default_factory=dict)
    """Traces that were handed on and begin or go on after ``since``, by a hash: how many observations that was."""
    seen: tuple[str, ...] = ()
    """Older API: the traces of the very millisecond ``since`` that were handed on."""
    after: str = ""
    """The server's own cursor, where a window is handed on page by page, for being too large to hold."""
    streaming: bool = False

    def encode(self) -> bytes:
        """Return the cursor as JSON."""
        given = {name: getattr(self, name) for name in self.__slots__}
        return orjson.dumps(given, option=orjson.OPT_SORT_KEYS)

    def at(self, until: int) -> Cursor:
        """Return the cursor of a window's beginning."""
        return replace(self, until=until, pages=0, attempt=0, after="", streaming=False)


_CURSOR = TypeAdapter(Cursor)


def decode(raw: bytes | None) -> Cursor | None:
    """Read a cursor; ``None`` where there is none, or one that cannot be read.

    >>> decode(Cursor(since=0, high=0, width=1).encode()) == Cursor(since=0, high=0, width=1), decode(b"{}")
    (True, None)
    """
    return decoded(_CURSOR, raw)


def iso(ns: int) -> str:
    """Write an instant as the API reads it, to the millisecond.

    >>> iso(1_795_168_968_628_000_000)
    '2026-11-20T10:02:48.628Z'
    """
    return instant(Nanoseconds(ns)).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def floor(ns: int) -> int:
    """Round down to the millisecond."""
    return ns - ns % MS


def position(cursor: Cursor) -> dict[str, Any]:
    """Say for people where ``cursor`` stands."""
    found: dict[str, Any] = {"api": cursor.mode, "read_until": iso(cursor.high)}
    if cursor.since < cursor.high:
        found["read_again_from"] = iso(cursor.since)
    if cursor.pages:
        found["window"] = {"from": iso(cursor.since), "to": iso(cursor.until), "pages": cursor.pages}
    return found
