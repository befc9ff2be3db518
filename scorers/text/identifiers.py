"""What must be copied letter by letter: versions, codes, commands, paths, addresses, names of code."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from scorers.text.plain import Placed

MAX_IDENTIFIERS = 200
"""Identifiers of one text that are looked at."""

_CODED = r"(?P<word>(?<![\w-])(?=[\w.-]{0,62}[\d_])[A-Za-z0-9_](?:[\w.-]{1,60}\w|\w)(?![\w-]))"
# Each alternative begins with another kind of character or keyword and repeats one class, bounded: linear. A word
# without a digit or underscore, which is nearly every one, is passed over where it begins.
_IDENTIFIER = re.compile(
    r"`(?P<code>[^`\n]{2,120})`"
    r"|(?P<url>\bhttps?://[^\s<>\"'`)\]]{3,200})"
    r"|(?P<path>(?<![\w/.])(?:~|\.{1,2})?/[\w.@+-]{1,60}(?:/[\w.@+-]{1,60}){0,12}/?|\b[A-Za-z]:\\[\w\\.@+ -]{2,120})"
    rf"|{_CODED}"
)
_WORD = re.compile(_CODED)
_MARKS = "`/\\"
"""Without these there are only words."""
# Possessive, and begun once a run of characters without a blank: linear.
_NUMBERED = re.compile(r"(?<!\S)[^\s\d_]*+[\d_]\S*+")
_DIGIT = re.compile(r"\d")
_LETTER = re.compile(r"[A-Za-z]")
_PLAIN = re.compile(
    r"\d{1,4}(?:st|nd|rd|th|s|am|pm|k|m|x|d|h|min|kg|g|mg|km|cm|mm|ml|hr|hrs|GB|MB|TB)|(?:19|20)\d\d-?\w*"
)
_VERSION = re.compile(r"v?\d{1,6}(?:\.\d{1,6}){2,5}(?:[-+.]\w{1,20})?|v\d{1,6}(?:\.\d{1,6}){0,5}")
_WORDS = re.compile(
    r"\d{1,4}(?:\.\d{1,2})?(?:-[A-Za-z]{2,20}){1,4}|[A-Za-z]{4,20}-\d{1,2}|[a-z]{1,60}-[a-z-]{1,60}|(?:[a-z]{1,60}-)?\d{1,4}"
)
_EDGE = ".,;:!?"
_MIN_PATH = 3


@dataclass(frozen=True, slots=True)
class Identifier:
    """An identifier at ``start:end`` of a text, in plain spelling; in an address letter case does not count."""

    text: str
    start: int
    end: int
    any_case: bool = False


def identifiers(text: str) -> tuple[Identifier, ...]:
    """Return the distinct identifiers of ``text``, in order. Linear in its length.

    >>> [each.text for each in identifiers("Run `pip install acme`, set MAX_RETRY in /etc/acme.conf (E-4012, v2.1).")]
    ['pip install acme', 'MAX_RETRY', '/etc/acme.conf', 'E-4012', 'v2.1']
    >>> identifiers("In 2024 the 3-year limit is 180 EUR, up 5% in the 1990s, e.g. for well-known people.")
    ()
    """
    found: dict[str, Identifier] = {}
    placed = Placed(text)
    for match in _written(placed.text):
        kind = match.lastgroup or "word"
        written = match[kind].rstrip(_EDGE) if kind != "code" else match[kind].strip()
        if len(written) < 2 or (kind == "word" and not _coded(written)):  # noqa: PLR2004 - one letter names nothing
            continue
        if kind == "path" and len(written) < _MIN_PATH:
            continue
        start = match.start(kind)
        end = start + len(match[kind])
        found.setdefault(written, Identifier(written, placed.place(start), placed.place(end), kind == "url"))
        if len(found) >= MAX_IDENTIFIERS:
            break
    return tuple(found.values())


def _written(text: str) -> Iterator[re.Match[str]]:
    if any(mark in text for mark in _MARKS):
        return _IDENTIFIER.finditer(text)
    return (match for run in _NUMBERED.finditer(text) for match in _WORD.finditer(text, *run.span()))


def _coded(word: str) -> bool:
    """Return whether a word is a name of code, a version, or a code of letters and digits, and not a plain amount."""
    if _VERSION.fullmatch(word):
        return True
    if "_" in word.strip("_"):
        return True
    if not (_DIGIT.search(word) and _LETTER.search(word)):
        return False
    return not (_PLAIN.fullmatch(word) or _WORDS.fullmatch(word))


def nearest(identifier: str, candidates: Iterable[str]) -> str | None:
    """Return the candidate that shares the longest beginning and end with ``identifier``; ``None`` below half of it.

    >>> nearest("v2.3.2", ["E-4012", "v2.3.1"])
    'v2.3.1'
    """
    best, shared = None, len(identifier) / 2
    for candidate in sorted(candidates):
        shortest = min(len(candidate), len(identifier))
        head = next((i for i in range(shortest) if candidate[i] != identifier[i]), shortest)
        tail = next((i for i in range(shortest - head) if candidate[-1 - i] != identifier[-1 - i]), shortest - head)
        if head + tail > shared:
            best, shared = candidate, head + tail
    return best
