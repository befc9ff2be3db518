"""The clauses of a sentence of an answer: parted at signs, at "but" and the like, and at "and" before who acts."""

from __future__ import annotations

import re
from typing import NamedTuple

from scorers.text.glance import glance
from scorers.text.normalize import word_set

_TURNS = (
    r"\b(?:but|however|because|since|although|though|so|while)\b"
    r"|\band (?=(?:i|we|you|your|they|it|the|this|that|please|let|will|can|am)\b)"
)
_BREAK = re.compile(
    r"(?<![,;:!?.(){}\[\]\"/\u2013\u2014])[,;:!?.(){}\[\]\"/\u2013\u2014]+(?:\s|$)|\s[\u2013\u2014-]\s"
    r"|[\u2600-\u27bf\U0001f300-\U0001faff]+"
    rf"|{_TURNS}",
    re.IGNORECASE,
)
# The same of texts of nothing but ASCII in two: signs, told by their first character, and words where there are some.
_SIGNED = re.compile(
    r"[,;:!?.(){}\[\]\"/ \t-\r\x1c-\x1f]"
    r"(?:(?<=[,;:!?.(){}\[\]\"/])(?<![,;:!?.(){}\[\]\"/]{2})[,;:!?.(){}\[\]\"/]*(?:[ \t-\r\x1c-\x1f]|$)"
    r"|(?<=[ \t-\r\x1c-\x1f])-[ \t-\r\x1c-\x1f])"
)
_WORDED = re.compile(_TURNS, re.IGNORECASE | re.ASCII)
_WORDS = word_set("but however because since although though so while and")
FIRST = re.compile(r"[^\W_]+")
"""The first word of a clause."""


class ReplyClause(NamedTuple):
    """A clause of a sentence: where it stands, and what introduces it."""

    start: int
    end: int
    led_by: str


def clauses_of(sentence: str, start: int = 0) -> list[ReplyClause]:
    """Return the clauses of ``sentence`` from ``start`` on, those without words left out.

    >>> [each.led_by for each in clauses_of("I looked, but found none.")]
    ['', 'but']
    """
    found: list[ReplyClause] = []
    led_by = ""
    for begins, ends in (*_breaks(sentence, start), (len(sentence), len(sentence))):
        if FIRST.search(sentence, start, begins) is not None:
            found.append(ReplyClause(start, begins, led_by))
        start, led_by = ends, sentence[begins:ends].strip().lower()
    return found


def _breaks(sentence: str, start: int) -> list[tuple[int, int]]:
    """Return where clauses end and the next begin."""
    if not sentence.isascii():
        return [found.span() for found in _BREAK.finditer(sentence, start)]
    signs = [found.span() for found in _SIGNED.finditer(sentence, start)]
    if _WORDS.isdisjoint(glance(sentence)):
        return signs
    return sorted([*signs, *[found.span() for found in _WORDED.finditer(sentence, start)]])
