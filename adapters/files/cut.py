"""A JSON document that ends early, as where its writer was killed: what is whole in it.

One pass over the text, which keeps only what is open. A record counts as whole where its object was closed; a span of
which a part is there is none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

import orjson

_TOKEN = re.compile(rb'"[^"\\\x00-\x1f]*+(?:\\.[^"\\\x00-\x1f]*+)*+("?)|[\[\]{},:]', re.DOTALL)
_CLOSING = {"{": b"}", "[": b"]"}
_HOLDER = {
    "scopeSpans": "resourceSpans",
    "spans": "scopeSpans",
    "scopeLogs": "resourceLogs",
    "logRecords": "scopeLogs",
}
"""What lists of OTLP stand in."""
_OUTERMOST = frozenset({"resourceSpans", "resourceLogs"})
_MAX_DEPTH = 1_000
"""The parser's own bound."""


@dataclass(frozen=True, slots=True)
class CutDocument:
    """The whole records of a document, as a document, and what is wrong with the rest."""

    value: Any
    reason: str


@dataclass(slots=True)
class _Open:
    """An object or list that is not closed yet; ``records`` says that it is a list of records, with no other around."""

    kind: str
    key: str | None
    records: bool = False
    index: int = 0


def whole_records(text: bytes) -> CutDocument | None:
    """Return the whole records of a document that ends early; ``None`` where it does not, or holds none.

    >>> cut = whole_records(b'{"resourceSpans": [{"scopeSpans": []}, {"scopeSp')
    >>> cut.value, cut.reason
    ({'resourceSpans': [{'scopeSpans': []}]}, 'ends early, at byte 48: resourceSpans[1] is lost')
    >>> whole_records(b'{"question": "How lo') is None
    True
    """
    reading = _Reading()
    if not reading.read(text) or not reading.whole:
        return None
    try:
        value = orjson.loads(text[: reading.whole] + reading.closing)
    except orjson.JSONDecodeError:
        return None
    place = _place(reading.stack, text[reading.whole :])
    return CutDocument(value, f"ends early, at byte {len(text)}: {place} is lost")


@dataclass(slots=True)
class _Reading:
    """What is open, where the last whole record ended, and what closes the document there."""

    stack: list[_Open] = field(default_factory=list)
    whole: int = 0
    closing: bytes = b""

    def read(self, text: bytes) -> bool:
        """Go through ``text``; return whether it ends early, and not for want of sense."""
        string = key = b""
        for token in _TOKEN.finditer(text):
            mark = token[0][:1]
            if mark == b'"':
                if not token[1]:
                    # A line break in a string: several lines, of which one is broken.
                    return bool(self.stack) and not text[token.end() :].strip(b"\\")
                string = token[0]
            elif mark == b":":
                key = string
            elif not self._bracket(mark, key, token.end()):
                return False
            else:
                key = b""
        return bool(self.stack)

    def _bracket(self, mark: bytes, key: bytes, end: int) -> bool:
        """Take in a bracket or comma; return whether it may stand there."""
        stack = self.stack
        if mark in b"{[":
            stack.append(_opened(mark.decode(), key, stack))
            return len(stack) <= _MAX_DEPTH
        if not stack:
            return False
        if mark == b",":
            stack[-1].index += 1
            return True
        if _CLOSING[stack.pop().kind] != mark:
            return False
        if stack and stack[-1].records:
            self.whole = end
            self.closing = b"".join(_CLOSING[each.kind] for each in reversed(stack))
        return True


def _opened(kind: str, key: bytes, stack: list[_Open]) -> _Open:
    name = key[1:-1].decode("utf-8", "replace") if key and stack and stack[-1].kind == "{" else None
    return _Open(kind, name, kind == "[" and _holds_records(name, stack))


def _holds_records(name: str | None, stack: list[_Open]) -> bool:
    """Whether a list in what is open holds records: a list of them, an API's page, or one of OTLP's."""
    if not stack:
        return True
    if stack[-1].kind != "{":
        return False
    around = stack[-2] if len(stack) > 1 else None
    if around is None:
        return name == "data" or name in _OUTERMOST
    if name in _OUTERMOST:
        return around.records and around.key not in (*_OUTERMOST, *_HOLDER)
    return around.records and name in _HOLDER and _HOLDER[name] == around.key


def _place(stack: list[_Open], after: bytes) -> str:
    """Return the path of the record that is not whole."""
    place = ""
    for each in stack:
        if each.kind == "[":
            if not each.records:
                break
            # A record that is closed is not the one that is lost: the next one may have followed.
            index = each.index + (each is stack[-1] and not after.strip())
            place += f"{'.' * bool(place and each.key)}{each.key or ''}[{index}]"
    return place or "what stood behind the last list"
