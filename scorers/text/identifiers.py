"""What must be copied letter by letter: versions, codes, commands, paths, addresses, names of code."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from scorers.text.grouped import grouped, is_date
from scorers.text.normalize import word_set
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
    r"\d{1,9}(?:\.\d{1,4})?(?:st|nd|rd|th|s|am|pm|bn|k|m|x|d|h|min|mins|sec|kg|g|mg|km|kmh|mph|cm|mm|ft|lb|lbs|oz|mi"
    r"|ml|cl|l|hr|hrs|[kMGT]i?B|kb|mb|gb|tb|[kMG]?Hz|k?Wh?|[Vm]Ah?|V|px|pt|pp|bps|USD|EUR|GBP|CHF)"
    r"|(?:19|20)\d\d-?\w*|Q[1-4]|H[12]|(?:mm|cm|m|km|ft)[23]|\d{1,4}(?:\.\d{1,2})?(?:x\d{1,4}){1,3}"
)
_VERSION = re.compile(r"[vV]?\d{1,6}(?:\.\d{1,6}){2,5}(?:[-+.]\w{1,20})?|[vV]\d{1,6}(?:\.\d{1,6}){0,5}")
_COMMON = word_set(
    """2D 3D 4D 4K 8K 3G 4G 5G 2FA A3 A4 A5 B2B B2C C2C MP3 MP4 K12 K-12 24x7 CO2 H2O O2 O3 N2 N2O NO2 SO2 CH4 NH3 TiO2
    B1 B2 B3 B6 B12 D2 D3 K2 PM10 COVID19 covid19 R2D2 F1 G7 G8 G20 P2P O2O I18n L10n W3C 401k 403b 1099s W2 W9 H1N1"""
)
"""Words that are written with digits, and name no version, part or order."""

_WORDS = re.compile(
    r"\d{1,4}(?:\.\d{1,2})?(?:st|nd|rd|th|s)?(?:-[A-Za-z]{2,20}){1,4}|\d{1,4}(?:-(?:[a-z]{2,20}|\d{1,3})){1,5}"
    r"|[a-z]{1,20}-\d{1,4}(?:s|st|nd|rd|th)|[A-Za-z]{4,20}-\d{1,2}|[A-Z]?[a-z]{2,20}-\d{1,2}|[a-z]{1,60}-[a-z-]{1,60}|(?:[a-z]{1,60}-)?\d{1,4}"
)
_EDGE = ".,;:!?"
_MIN_PATH = 3


@dataclass(frozen=True, slots=True)
class Identifier:
    """An identifier at ``start:end`` of a text, in plain spelling; letter case is no matter with ``any_case``.

    With ``grouped`` it is an account number, a phone number or an e-mail address, which `stands_among` compares.
    """

    text: str
    start: int
    end: int
    any_case: bool = False
    grouped: bool = False


def identifiers(text: str) -> tuple[Identifier, ...]:
    """Return the distinct identifiers of ``text``, in order. Linear in its length.

    >>> [each.text for each in identifiers("Run `pip install acme`, set MAX_RETRY in /etc/acme.conf (E-4012, v2.1).")]
    ['pip install acme', 'MAX_RETRY', '/etc/acme.conf', 'E-4012', 'v2.1']
    >>> [each.text for each in identifiers("Call 030 123456 by 03.03.2025 or write to help@acme.test.")]
    ['030 123456', 'help@acme.test']
    >>> identifiers("In 2024 the 3-year limit is 180 EUR, up 5% in the 1990s, e.g. for well-known people.")
    ()
    """
    found: dict[str, Identifier] = {}
    placed = Placed(text)
    taken: set[int] = set()
    for each, start, end in islice(grouped(placed.text), MAX_IDENTIFIERS):
        found.setdefault(each, Identifier(each, placed.place(start), placed.place(end), grouped=True))
        taken.update(range(start, end))
    for match in _written(placed.text):
        kind = match.lastgroup or "word"
        written = match[kind].rstrip(_EDGE) if kind != "code" else match[kind].strip()
        if len(written) < 2 or (kind == "word" and not _coded(written)):  # noqa: PLR2004 - one letter names nothing
            continue
        if kind == "path" and len(written) < _MIN_PATH:
            continue
        start = match.start(kind)
        end = start + len(match[kind])
        if start in taken and kind != "code":
            continue
        any_case = kind == "url" or _VERSION.fullmatch(written) is not None
        found.setdefault(written, Identifier(written, placed.place(start), placed.place(end), any_case))
        if len(found) >= MAX_IDENTIFIERS:
            break
    return tuple(sorted(found.values(), key=lambda each: each.start))


def _written(text: str) -> Iterator[re.Match[str]]:
    if any(mark in text for mark in _MARKS):
        return _IDENTIFIER.finditer(text)
    return (match for run in _NUMBERED.finditer(text) for match in _WORD.finditer(text, *run.span()))


def _coded(word: str) -> bool:
    """Return whether a word is a name of code, a version, or a code of letters and digits, and not a plain amount."""
    if is_date(word):
        return False
    if _VERSION.fullmatch(word):
        return True
    if "_" in word.strip("_"):
        return True
    if not (_DIGIT.search(word) and _LETTER.search(word)):
        return False
    return not (word in _COMMON or _PLAIN.fullmatch(word) or _WORDS.fullmatch(word))


def nearest(identifier: str, candidates: Iterable[str]) -> str | None:
    """Return the candidate that shares the longest beginning and end with ``identifier``; ``None`` below half of it.

    >>> nearest("v2.3.2", ["E-4012", "v2.3.1"])
    'v2.3.1'
    """
    best, shared = None, len(identifier) // 2
    for candidate in sorted(candidates):
        shortest = min(len(candidate), len(identifier))
        head = next((i for i in range(shortest) if candidate[i] != identifier[i]), shortest)
        tail = next((i for i in range(shortest - head) if candidate[-1 - i] != identifier[-1 - i]), shortest - head)
        if head + tail > shared:
            best, shared = candidate, head + tail
    return best
