"""A figure that was changed: two texts with the same words around it, and another figure between them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from scorers.catalog.overlap import words_of

AROUND = 3
"""Words on each side of a figure that are compared; at the beginning and the end of a passage there may be fewer."""

LEAST_AROUND = 4
"""Words that must be the same on both sides together, one on each at least: fewer stand around other figures too."""

MAX_FIGURES = 16
"""Figures of one passage that are looked for; each takes a search of the whole text."""

_LIST_MARK = re.compile(r"(?m)^[ \t]*\(?\d{1,3}[.)][ \t]+")
"""The number of a list item: loaders number items anew."""
_DIGIT = re.compile(r"\d")
_PARTS = 4
"""Parts that a figure has at most, as `words_of` parts it: "1,250.50" has three, a date too."""
_LONGEST = 60
"""Characters of a figure."""
MAX_PLACES = 1_000
"""Places of the words before a figure that are looked at."""


class ChangedFigure(NamedTuple):
    """A figure with the words around it, as the passage has it and as the text has it now."""

    copied: str
    now: str


def changed_figure(passage: str, texts: Iterable[str]) -> ChangedFigure | None:
    """Return the first figure of ``passage`` in whose place ``texts`` have another one; ``None`` where there is none.

    Loaders change texts: they drop marks, add headers and page numbers, join lines. None of that puts another figure
    between the same words. What one of the ``texts`` says somewhere with the figure of the passage was not changed.

    >>> now = ["A hotel may cost up to 160 EUR a night."]
    >>> changed_figure("A hotel may cost up to 120 EUR a night.", now)
    ChangedFigure(copied='cost up to 120 eur a night', now='cost up to 160 eur a night')
    >>> changed_figure("Page 3. A hotel may cost up to 160 EUR.", now) is None
    True
    """
    words = words_of(_LIST_MARK.sub("", passage)).split()
    whole: str | None = None
    at = looked = 0
    while at < len(words) and looked < MAX_FIGURES:
        end = at
        while end < len(words) and _DIGIT.search(words[end]):
            end += 1
        if end == at:
            at += 1
            continue
        before, after = _beside(words, at, end)
        if before and after and len(before) + len(after) >= LEAST_AROUND:
            looked += 1
            if whole is None:
                whole = "\n".join(words_of(_LIST_MARK.sub("", text)) for text in texts)
            head, tail = f" {' '.join(before)} ", f" {' '.join(after)} "
            said = " ".join(words[at:end])
            if len(said) <= _LONGEST and f"{head}{said}{tail}" not in whole:
                now = _between(head, tail, whole)
                if now and _value(now) != _value(said):
                    return ChangedFigure(f"{head}{said}{tail}".strip(), f"{head}{now}{tail}".strip())
        at = end
    return None


def _between(head: str, tail: str, whole: str) -> str:
    """Return the first figure between ``head`` and ``tail``; empty where there is none."""
    place = whole.find(head)
    for _ in range(MAX_PLACES):
        if place < 0:
            break
        start = place + len(head)
        end = whole.find(tail, start, start + _LONGEST + len(tail))
        figure = whole[start:end].split() if end > start else []
        if 0 < len(figure) <= _PARTS and all(map(_DIGIT.search, figure)):
            return " ".join(figure)
        place = whole.find(head, place + 1)
    return ""


def _value(figure: str) -> str:
    """Return a figure however it is written: "1,200" and "1200", "120.00" and "120" are one."""
    parts = figure.split()
    while len(parts) > 1 and not parts[-1].strip("0"):
        parts.pop()
    return "".join(parts)


def _beside(words: list[str], start: int, end: int) -> tuple[list[str], list[str]]:
    """Return the words before and behind a figure, as far as no other figure stands between."""
    before: list[str] = []
    for word in reversed(words[max(0, start - AROUND) : start]):
        if _DIGIT.search(word):
            break
        before.insert(0, word)
    after: list[str] = []
    for word in words[end : end + AROUND]:
        if _DIGIT.search(word):
            break
        after.append(word)
    return before, after
