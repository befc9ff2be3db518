"""Citation markers in an answer: ``[2]``, ``[1, 3]``, and the names of passages and documents, ``[POL-12]``."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from adapters.schema import Citation, Passage

# Three digits at most: [2024] is a year. The list is bounded so that matching stays linear.
_GROUP = re.compile(r"\[(\d{1,3}(?: ?, ?\d{1,3}){0,19})\]")
_NUMBER = re.compile(r"\d+")
_NAMES = re.compile(r"\[([^\[\]\n]{1,400})\]")
_NAME = re.compile(r"[^\s,;|](?:[^,;|]{0,400}[^\s,;|])?")
_LEAD = re.compile(r"(?:sources?|ref(?:erence)?s?|citations?|doc(?:ument)?s?|passages?) ?[:#]? ?(?=\S)", re.IGNORECASE)

_TITLES = ("title", "file_name", "filename", "source")
"""Keys of metadata under which loaders write what people call a document."""


def find_citations(
    answer: str, context: Sequence[str] | None, passages: Sequence[Passage] = ()
) -> tuple[Citation, ...]:
    """Return the markers of ``answer``, each with the passage of ``context`` it counts to, from 1; ``None`` if beyond.

    What stands in brackets cites a passage if it is its id, or the id, address, file or title of its document.

    >>> find_citations("Yes [2], no [9].", ["a", "b"])[0]
    Citation(start=4, end=7, marker='[2]', passage_id='b')
    >>> [c.passage_id for c in find_citations("Yes [1, 2], no [9].", ["a", "b"])]
    ['a', 'b', None]
    >>> shown = (Passage(id="a", doc_id="POL-12"),)
    >>> [c.passage_id for c in find_citations("Yes [POL-12]. No [a; POL-13]. [sic]", ["a"], shown)]
    ['a', 'a']
    """
    if "[" not in answer:
        return ()
    found = []
    for group in _GROUP.finditer(answer):
        numbers = list(_NUMBER.finditer(answer, group.start(), group.end()))
        for number in numbers:
            start, end = group.span() if len(numbers) == 1 else number.span()
            position = int(number.group())
            passage = context[position - 1] if context and 1 <= position <= len(context) else None
            found.append(Citation(start=start, end=end, marker=answer[start:end], passage_id=passage))
    return _in_order(found, _by_name(answer, _named(context or (), passages)))


def _in_order(numbered: list[Citation], named: list[Citation]) -> tuple[Citation, ...]:
    return tuple(sorted((*numbered, *named), key=lambda each: each.start) if named else numbered)


def _named(context: Sequence[str], passages: Sequence[Passage]) -> Mapping[str, str]:
    """Return the passage that each name stands for: of a document the first one of it."""
    names: dict[str, str] = {}
    for passage in passages:
        told = passage.metadata or {}
        for name in (passage.doc_id, passage.uri, *[told.get(key) for key in _TITLES]):
            if isinstance(name, str) and name:
                names.setdefault(name.casefold(), passage.id)
                names.setdefault(name.rpartition("/")[2].casefold(), passage.id)
    for identity in (*context, *(passage.id for passage in passages)):
        names[identity.casefold()] = identity
    return names


def _by_name(answer: str, names: Mapping[str, str]) -> list[Citation]:
    found: list[Citation] = []
    for group in _NAMES.finditer(answer) if names else ():
        if _GROUP.fullmatch(group.group()):
            continue
        pieces = list(_NAME.finditer(answer, group.start(1), group.end(1)))
        for piece in pieces:
            name = piece.group().casefold()
            identity = names.get(name) or names.get(_LEAD.sub("", name, count=1))
            if identity is not None:
                start, end = group.span() if len(pieces) == 1 else piece.span()
                found.append(Citation(start=start, end=end, marker=answer[start:end], passage_id=identity))
    return found
