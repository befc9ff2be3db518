"""A text cut into words, numbers, dates, times and signs."""

from __future__ import annotations

import re
from functools import partial
from typing import Final, NamedTuple

from scorers.text.plain import for_ascii

MAX_TEXT = 4_000
"""Characters of a text whose quantities are read; a sentence is shorter."""

# Every alternative begins with another kind of character and repeats one class, bounded: linear.
_TOKEN: Final = re.compile(
    r"(?P<word>[^\W\d_]{1,64}(?:['\u2019][^\W\d_]{1,20})?)"
    r"|(?P<date>\d{4}-\d{1,2}-\d{1,2}(?!\d)|\d{1,2}[./]\d{1,2}[./](?:\d{4}|\d{2})(?![\d./]\d)(?!\d)|\d{4}/\d{1,2}/\d{1,2}(?!\d)"
    r"|\d{1,2}-\d{1,2}-(?:19|20)\d{2}(?![\d-]))"
    r"|(?P<clock>\d{1,2}:(?:\d{2}(?::\d{2})?|0)(?![\d:]))"
    r"|(?P<number>\d{1,3}(?:[\u00a0\u2009\u202f]\d{3}){1,5}(?:[.,]\d{1,9})?(?!\d)|\d(?:[\d.,'\u2019\u066b\u066c]{0,30}\d)?)"
    r"|(?P<sign>[<>]=|[^\w\s]|_)"
)
_TOKEN_ASCII: Final = for_ascii(_TOKEN)
_SPACED: Final = re.compile(r"\d{1,3}(?: \d{3}){1,4}(?:[.,]\d{1,9})?(?![\d.,])(?!\d)")

WORD, DATE, CLOCK, NUMBER, SIGN = 1, 2, 3, 4, 5
"""Kinds of tokens: the groups of the expression."""


_EMPHASIS: Final = frozenset("*`")
"""Marks of markdown, which stand for nothing."""


class QuantityToken(NamedTuple):
    """A token in lower case, its kind, and where it stands."""

    text: str
    kind: int
    start: int
    end: int


_token: Final = partial(tuple.__new__, QuantityToken)
"""A token out of its fields, in a third of the time: a text has many."""


def tokens(text: str, *, spaced: bool = False) -> list[QuantityToken]:
    """Return the tokens of the first `MAX_TEXT` characters; with ``spaced``, blanks group digits ("1 500").

    >>> [token.text for token in tokens("Up to 1,500 EUR by 5:30 (2026-01-31).")]
    ['up', 'to', '1,500', 'eur', 'by', '5:30', '(', '2026-01-31', ')', '.']
    """
    if len(text) > MAX_TEXT:
        text = text[:MAX_TEXT]
    found = []
    behind = 0
    owned = "'" in text or "\u2019" in text
    for match in (_TOKEN_ASCII if text.isascii() else _TOKEN).finditer(text):
        start, end = match.span()
        kind = match.lastindex or SIGN
        if start < behind or (kind == SIGN and text[start] in _EMPHASIS):
            continue
        if kind == NUMBER and spaced and end < len(text) and text[end] == " ":
            wide = _SPACED.match(text, start)
            if wide is not None:
                end = behind = wide.end()
        word = text[start:end].lower()
        # "One month's notice" tells a month.
        if owned and kind == WORD and word.endswith(("'s", "\u2019s")):
            word = word[:-2]
        found.append(_token((word, kind, start, end)))
    return found
