"""Attribute values as instrumentations write them: JSON in strings, cut JSON, Python reprs, tolerant numbers and dates.

All of it is hostile text. Every function is total: what cannot be read is ``None``, and nothing takes more than linear
time or unbounded depth.
"""

from __future__ import annotations

import ast
import json
import re
from datetime import UTC, datetime, timedelta
from typing import Any

import orjson

from adapters.instants import written_day, written_instant
from adapters.trace import Nanoseconds

MAX_DEPTH = 16
"""Deepest nesting kept of a parsed JSON value; what lies deeper is kept as its JSON text."""

_NUMBERS = (int, float)
_WRITTEN_NUMBERS = (*_NUMBERS, str)
_NUMBER_MAX = 1e15  # beyond any score, price or time; what is summed from such figures stays finite
_COUNT_MAX = 10**12  # beyond the tokens of any model call

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_EPOCH_SECONDS_MAX = 10_000_000_000  # the year 2286; larger figures are of smaller units
_EPOCH_SECONDS_MIN = 100_000_000  # 1973; a smaller figure is a year or a serial number, not an instant
_SMALLER_UNITS = 3  # than seconds that instants are written in: milliseconds, microseconds, nanoseconds
_TO_ITS_END = timedelta(days=1, microseconds=-1)
"""From the first moment of a day to the last."""
_BARE_DATE = re.compile(r"(\d{4})[-/](\d{1,2})[-/](\d{1,2})")
_COMPACT_DATE = re.compile(r"\d{8}")
_EPOCH_TEXT = re.compile(r"\d{9,10}(?:\.\d{1,9})?|\d{13}|\d{16}|\d{19}")
_TOKEN = re.compile(r'\s*(?:("(?:[^"\\]|\\.)*")|(-?\d[-+.\deE]*)|(true|false|null)|([][{}:,]))', re.DOTALL)
_OBJECT = (
    r"(?:\w+\.){0,8}[A-Z]\w*\((?:\w+=|\)\Z)"
    r"|<(?:[\w.]+ )*(?:object|function|method|class|module|coroutine|generator)\b|<[\w.]+\("
)
_LISTED_REPR = re.compile(_OBJECT)
_REPR = re.compile(rf"{_OBJECT}|content=['\"]")
_CONTAINERS = (dict, list)
"""Of parsed JSON. A tuple is asked faster than a union, which is built anew each time."""


def parse_json(text: str, *, limit: int) -> Any:
    """Parse ``text``, at most ``limit`` characters of it; ``None`` where it is no JSON.

    Python's encoder writes ``NaN``, which JSON does not know; such values become ``None``.

    >>> parse_json('{"a": [1, NaN]}', limit=100)
    {'a': [1, None]}
    >>> parse_json("Is [1] enough?", limit=100) is None
    True
    """
    if len(text) > limit:
        return None
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        if "NaN" not in text and "Infinity" not in text:
            return None
    try:
        return orjson.loads(orjson.dumps(json.loads(text)))
    except (
        TypeError,
        ValueError,
        RecursionError,
    ):  # TypeError: half a surrogate pair, which Python reads and UTF-8 has not
        return None


def parse_literal(text: str, *, limit: int) -> Any:
    """Parse nested values as Python prints them, at most ``limit`` characters; ``None`` where ``text`` is none.

    >>> parse_literal("{'a': [1, None]}", limit=100), parse_literal("Is [1] enough?", limit=100)
    ({'a': [1, None]}, None)
    """
    if len(text) > limit:
        return None
    try:
        return plain(ast.literal_eval(text))
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None


def plain(value: Any) -> Any:
    """Return a structured attribute value as JSON would hold it: bytes as hex, and no infinite number.

    >>> plain({"a": b"hi", "b": [float("nan")]})
    {'a': '6869', 'b': [None]}
    """
    try:
        return orjson.loads(orjson.dumps(value, default=bytes.hex))
    except (TypeError, ValueError):
        return None


def json_text(value: Any) -> str | None:
    """Return text as it is and anything else as its JSON text, bytes as hex; ``None`` for what JSON cannot hold.

    >>> json_text({"top_k": 5}), json_text("top_k=5"), json_text(None)
    ('{"top_k":5}', 'top_k=5', None)
    """
    if value is None or isinstance(value, str):
        return value
    try:
        return orjson.dumps(value, default=bytes.hex).decode()
    except (TypeError, ValueError):
        return None


def is_cut_json(text: str) -> bool:
    """Tell whether ``text`` begins a JSON object or array that never ends.

    >>> is_cut_json('{"doc_id": "TRV-0'), is_cut_json("[1] Travel"), is_cut_json("{}")
    (True, False, False)
    """
    if not text.startswith(("{", "[")):
        return False
    try:
        orjson.loads(text)
    except orjson.JSONDecodeError as error:
        return error.pos >= len(text) and "unexpected end" in str(error)
    return False


def salvage_json(text: str, *, limit: int) -> Any:
    """Parse what is whole at the beginning of cut JSON: the members before the cut; ``None`` where there are none.

    >>> salvage_json('{"doc_id": "TRV-001", "version": "2.0", "effective_fr', limit=100)
    {'doc_id': 'TRV-001', 'version': '2.0'}
    >>> salvage_json('{"documents": [{"id": "a", "n": 12', limit=100)
    {'documents': [{'id': 'a'}]}
    """
    text = text[:limit]
    nesting = _Nesting()
    whole, closers, at = 0, "", 0
    while (token := _TOKEN.match(text, at)) is not None:
        at = token.end()
        string, _, literal, mark = token.groups()
        # A number that ends with the text may have lost digits.
        ended = nesting.take(mark) if mark else string is not None or literal is not None or at < len(text)
        if ended is None:
            break
        if ended and nesting.holds_values:
            whole, closers = at, nesting.closers
    return parse_json(text[:whole] + closers, limit=limit + MAX_DEPTH) if whole else None


class _Nesting:
    """The containers open at one point of a JSON text."""

    def __init__(self) -> None:
        self._open: list[str] = []
        self._valued: list[bool] = []  # per container: whether a value may stand here; in objects after a colon only

    @property
    def closers(self) -> str:
        """What would close everything that is open."""
        return "".join(reversed(self._open))

    @property
    def holds_values(self) -> bool:
        """Whether what just ended is a value, not a key."""
        return not self._open or self._valued[-1]

    def take(self, mark: str) -> bool | None:
        """Take one structural character: whether it ends a value; ``None`` where the text is no JSON, or too deep."""
        if mark in "{[":
            self._open.append("}" if mark == "{" else "]")
            self._valued.append(mark == "[")
            return None if len(self._open) > MAX_DEPTH else False
        if not self._open:
            return None
        if mark in "}]":
            self._valued.pop()
            return True if self._open.pop() == mark else None
        self._valued[-1] = mark == ":" or self._open[-1] == "]"
        return False


def shallow(value: Any, depth: int = MAX_DEPTH) -> Any:
    """Return ``value`` with everything below ``depth`` levels replaced by its JSON text.

    >>> shallow({"a": {"b": {"c": 1}}}, 2)
    {'a': {'b': '{"c":1}'}}
    """
    if not isinstance(value, _CONTAINERS):
        return value
    if depth == 0:
        try:
            return orjson.dumps(value).decode()
        except (TypeError, ValueError):
            return None
    if isinstance(value, dict):
        below = depth - 1
        return {key: shallow(item, below) if isinstance(item, _CONTAINERS) else item for key, item in value.items()}
    return [shallow(item, depth - 1) for item in value]


def dig(value: Any, *path: str | int) -> Any:
    """Return what lies at ``path`` of parsed JSON; ``None`` where nothing does."""
    for step in path:
        if isinstance(value, dict) and isinstance(step, str):
            value = value.get(step)
        elif isinstance(value, list) and isinstance(step, int) and step < len(value):
            value = value[step]
        else:
            return None
    return value


def is_repr(text: str) -> bool:
    """Tell whether ``text`` is how Python prints an object: never an answer, never a question.

    >>> is_repr("<generator object>"), is_repr("ChatMessage(role='user')"), is_repr("content='Hi' id='1'")
    (True, True, True)
    >>> is_repr("The limit is 180 EUR (see [1])."), is_repr("<b>180 EUR</b>")
    (False, False)
    """
    head = text[:200].lstrip()
    if head.startswith("["):
        return _LISTED_REPR.match(head[1:].lstrip()) is not None
    return _REPR.match(head) is not None


def text_of(value: Any) -> str | None:
    """Return ``value`` if it is a string with something in it."""
    return value if isinstance(value, str) and value and not value.isspace() else None


def number_of(value: Any) -> float | None:
    """Return a number of at most 1e15 in size, given as a number or as its text.

    >>> number_of("0.5"), number_of(float("nan")), number_of(1e300), number_of(True)
    (0.5, None, None, None)
    """
    if not isinstance(value, _WRITTEN_NUMBERS) or isinstance(value, bool):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if abs(number) <= _NUMBER_MAX else None  # nor is this true of NaN


def count_of(value: Any) -> int | None:
    """Return a whole number from 0 to 1e12, given as a number or as its text.

    >>> count_of("12"), count_of(-1), count_of(1.5), count_of(10**13)
    (12, None, None, None)
    """
    if type(value) is int:
        return value if 0 <= value <= _COUNT_MAX else None
    number = number_of(value)
    return int(number) if number is not None and 0 <= number <= _COUNT_MAX and number.is_integer() else None


def instant_of(value: Any, *, end_of_day: bool = False) -> datetime | None:
    """Read an instant: ISO 8601, ``2025/01/31``, Unix time in any unit, or a form of `adapters.instants`.

    Numbers may be given as text. Without a zone it is UTC. A bare date is its first moment, or with ``end_of_day`` its
    last: a document valid *to* a date is valid on it.

    >>> instant_of("2024-12-31", end_of_day=True).isoformat()
    '2024-12-31T23:59:59.999999+00:00'
    >>> instant_of("2025-01-01T10:00:00+02:00").isoformat(), instant_of("soon") is None
    ('2025-01-01T08:00:00+00:00', True)
    """
    if not isinstance(value, str):
        return _epoch(value) if isinstance(value, _NUMBERS) and not isinstance(value, bool) else None
    if not 8 <= len(value := value.strip()) <= 40:  # noqa: PLR2004 - shortest and longest ISO forms
        return None
    bare = _BARE_DATE.fullmatch(value)
    if bare is None and _EPOCH_TEXT.fullmatch(value) is not None:
        return _epoch(float(value))
    try:
        if bare is not None:
            year, month, day = bare.groups()
            found, is_date = datetime(int(year), int(month), int(day), 0, 0, 0, 0, UTC), True
        else:
            found, is_date = datetime.fromisoformat(value), _COMPACT_DATE.fullmatch(value) is not None
            found = found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
    except (ValueError, OverflowError):
        spelled = written_day(value)
        if spelled is None:
            return written_instant(value)
        found, is_date = spelled, True
    return found + _TO_ITS_END if is_date and end_of_day else found


def nanoseconds_of(value: Any) -> Nanoseconds | None:
    """Read an instant after 1970 as `instant_of` does, in Unix nanoseconds.

    >>> nanoseconds_of("2026-11-20T10:02:34.206128"), nanoseconds_of(1795168954206), nanoseconds_of("soon")
    (1795168954206128000, 1795168954206000000, None)
    """
    at = instant_of(value)
    ns = 0 if at is None else (at - _EPOCH) // timedelta(microseconds=1) * 1_000
    return Nanoseconds(ns) if ns > 0 else None


def _epoch(value: Any) -> datetime | None:
    try:  # with whole numbers as such: nanoseconds have more digits than a float
        seconds = value
        for _ in range(_SMALLER_UNITS):
            seconds = seconds / 1000 if abs(seconds) > _EPOCH_SECONDS_MAX else seconds
        return datetime.fromtimestamp(seconds, UTC) if seconds > _EPOCH_SECONDS_MIN else None
    except (ValueError, OverflowError, OSError):
        return None
