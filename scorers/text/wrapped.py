"""Lines that a program broke at a width, as PDF, mail and editors leave prose: read as the sentences they are.

A loader hands on the lines of a page as they were set. A break within a sentence parts its condition from its rule:
"Private devices may be used only if they" states what the policy does not. A break counts as one of layout where the
next word had no room on the line; lists, tables, headings and code keep theirs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from scorers.text.normalize import word_set

SHORTEST = 40
"""Characters of a line that may have been broken for want of room; columns of prose are hardly narrower."""
ROOM = 0.85
"""Share of the widest line of its paragraph that a broken line fills with the next word: letters differ in width."""
FILLED = 3
"""Lines of a paragraph that tell its width: where all are full, a break before a capital is one of layout as well."""

_OPENS = re.compile(r"(?:[-*+\u2022\u2023\u25e6>|#]|\d{1,3}[.)]\s|[a-z][.)]\s|```|~~~|[\w ]{1,30}:(?:\s|$))")
"""What begins a line that is no continuation: a mark of a list, a quotation, a row, a heading, code or a label."""
_SET = re.compile(r"[|\t]|\S {3,}\S")
"""What a line of a table has."""
_RUNS_ON = re.compile(r"[\w,;)%\"'\u20ac$&/\u2013\u2014-]\Z")
_LAST = re.compile(r"(?<![^\W\d_])[^\W\d_]{1,20}\Z")
_LINKS = word_set(
    """a an the of to in on at by for with from and or than as is are was were be been must may can shall should will
    not no per only if unless until between within than this these those each every any its their your our
    der die das den dem des ein eine einen einem einer eines am im zum zur von vom bei mit für auf aus nach und oder
    als ist sind wird werden darf dürfen muss müssen kann können nicht kein keine keinen je pro bis zu wenn sofern
    jede jeder höchstens mindestens"""
)
"""Words that end no line but one that was broken."""


def unwrapped(text: str) -> str:
    r"""Return ``text`` with a blank for each break of layout, so that every offset stays what it was.

    >>> print(unwrapped("Private devices may be used to read e-mail only if they\nare enrolled.\n- Phones\n- Tablets"))
    Private devices may be used to read e-mail only if they are enrolled.
    - Phones
    - Tablets
    """
    if "\n" not in text:
        return text
    lines = text.split("\n")
    if max(map(len, lines)) < SHORTEST:
        return text
    return "\n".join("".join(_joined(lines[first:last])) for first, last in _paragraphs(lines))


def _paragraphs(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield where paragraphs begin and end: at blank lines, marks of lists, tables and code."""
    start, fenced = 0, False
    for at, line in enumerate(lines):
        fence = line.lstrip(" ").startswith(("```", "~~~"))
        if at and (fenced or fence or not line.strip() or not lines[at - 1].strip() or _OPENS.match(line.lstrip())):
            yield start, at
            start = at
        fenced ^= fence
    yield start, len(lines)


def _joined(paragraph: Sequence[str]) -> list[str]:
    """Return the lines of a paragraph and what parts them."""
    width = max(map(len, paragraph))
    pairs = list(pairwise(paragraph))
    rooms = [len(line.rstrip()) + 1 + len(following.split(None, 1)[0]) for line, following in pairs]
    filled = len(paragraph) >= FILLED and all(room > width for room in rooms)
    # A short line before a small letter was not broken for want of room: these are items, one a line.
    items = any(room <= ROOM * width and _goes_on(*pair) for room, pair in zip(rooms, pairs, strict=True))
    pieces = [paragraph[0]]
    for (line, following), room in zip(pairs, rooms, strict=True):
        broken = not items and room > ROOM * width and _breaks(line.rstrip(), following.lstrip(), filled=filled)
        pieces += [" " if broken else "\n", following]
    return pieces


def _goes_on(line: str, following: str) -> bool:
    return _RUNS_ON.search(line.rstrip()) is not None and following.lstrip()[:1].islower()


def _breaks(line: str, following: str, *, filled: bool) -> bool:
    """Tell whether a sentence goes on from one line to the next."""
    if len(line) < SHORTEST or _RUNS_ON.search(line) is None or line.lstrip().startswith("#"):
        return False
    if _SET.search(line) or _SET.search(following):
        return False
    last = _LAST.search(line)
    linked = line.endswith(",") or (last is not None and last.group().lower() in _LINKS)
    return filled or linked or following[:1].islower() or following[:1].isdigit()
