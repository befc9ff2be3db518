"""Parts of a passage under a heading or a label of their own: what one says is not said of what another names."""

from __future__ import annotations

import re
from bisect import bisect_right
from operator import attrgetter
from typing import NamedTuple

from scorers.support.alignment import Alignment
from scorers.support.context import Context
from scorers.text.normalize import terms
from scorers.text.sentences import is_title
from scorers.text.source import SourceText

MOST_SECTIONS, MOST_WORDS = 40, 5
"""Sections of a source that are told apart, and words of a label."""

_LABEL = re.compile(
    r"^[ \t]{0,8}(?:[-+\u2022] {1,3})?[*_]{1,2}(?P<label>[^*_:\n]{2,48}):?[*_]{1,2}:?(?=[ \t])", re.MULTILINE
)


class PassagePart(NamedTuple):
    """Where a section begins, and the terms of its heading or label."""

    start: int
    named: frozenset[str]


def in_other_section(words: str, source: int, a: Alignment) -> bool:
    """Tell whether a claim names another section of a source, and not that in which ``words`` stand."""
    sections = a.context.once(_sections)[source]
    if len(sections) <= 1:
        return False
    text = a.context.sources[source]
    at = next((each.start for each in text.sentences if each.words in words or words in each.words), None)
    if at is None:
        return False
    place = bisect_right([each.start for each in sections], at) - 1
    if place < 0:
        return False
    claimed = frozenset(a.unique)
    own = sections[place].named
    if not own or own & claimed:
        return False
    return any((each.named - own) & claimed for each in sections)


def _sections(context: Context) -> tuple[tuple[PassagePart, ...], ...]:
    return tuple([tuple(_read(source)) for source in context.sources])


def _read(source: SourceText) -> list[PassagePart]:
    """Return the sections of a source: those of its labels and of the headings within it."""
    if source.record is not None:
        return []
    found = [
        PassagePart(each.start(), frozenset(terms(each["label"]).items))
        for each in _LABEL.finditer(source.text)
        if len(each["label"].split()) <= MOST_WORDS
    ]
    for each, read in zip(source.sentences, source.sets, strict=True):
        if each.kind == "heading" or is_title(source.text, each):
            found.append(PassagePart(each.start, read))
    return sorted(found, key=attrgetter("start"))[:MOST_SECTIONS]
