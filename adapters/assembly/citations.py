"""Citation markers in an answer: ``[2]``, ``[1, 3]``, and the names of passages and documents, ``[POL-12]``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from adapters.schema import Citation, Passage

# Three digits at most: [2024] is a year. The list is bounded so that matching stays linear.
_GROUP = re.compile(r"\[(\d{1,3}(?: ?, ?\d{1,3}){0,19})\]")
_NUMBER = re.compile(r"(\d+)")
_NAMES = re.compile(r"\[([^\[\]\n]{1,400})\]")
_NAME = re.compile(r"[^\s,;|](?:[^,;|]{0,400}[^\s,;|])?")
_LEAD = re.compile(r"(?:sources?|ref(?:erence)?s?|citations?|doc(?:ument)?s?|passages?) ?[:#]? ?(?=\S)", re.IGNORECASE)

_BEHIND = re.compile(r"\s{0,4}(?:\Z|[.,;:!?)\[(\n])")
"""What follows a citation by a title: the end of what it stands for."""

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
        alone = "," not in group[1]
        for number in (group,) if alone else _NUMBER.finditer(answer, group.start(), group.end()):
            start, end = number.span()
            position = int(number[1])
            passage = context[position - 1] if context and 1 <= position <= len(context) else None
            found.append(Citation(start=start, end=end, marker=answer[start:end], passage_id=passage))
    named = [group for group in _NAMES.finditer(answer) if not _GROUP.fullmatch(group.group())]
    if named:
        found += _by_name(answer, named, *_named(context or (), passages))
        found.sort(key=lambda each: each.start)
    return tuple(found)


def _named(context: Sequence[str], passages: Sequence[Passage]) -> tuple[Mapping[str, str], Mapping[str, str]]:
    """Return the passage that each id stands for, and each title or file: of a document the first one of it."""
    ids: dict[str, str] = {}
    titles: dict[str, str] = {}
    for passage in passages:
        told = passage.metadata or {}
        for names, given in ((ids, (passage.doc_id, passage.uri)), (titles, [told.get(key) for key in _TITLES])):
            for name in given:
                if isinstance(name, str) and name:
                    names.setdefault(name.casefold(), passage.id)
                    titles.setdefault(name.rpartition("/")[2].casefold(), passage.id)
    for identity in (*context, *(passage.id for passage in passages)):
        ids[identity.casefold()] = identity
    return ids, titles


def _by_name(
    answer: str, groups: Sequence[re.Match[str]], ids: Mapping[str, str], titles: Mapping[str, str]
) -> Iterator[Citation]:
    every = {**titles, **ids}
    for group in groups:
        # "Click [Save] in the toolbar" names a button, whatever a passage is titled.
        names = every if _BEHIND.match(answer, group.end()) else ids
        pieces = list(_NAME.finditer(answer, group.start(1), group.end(1)))
        for piece in pieces:
            name = piece.group().casefold()
            identity = names.get(name) or names.get(_LEAD.sub("", name, count=1))
            if identity is not None:
                start, end = group.span() if len(pieces) == 1 else piece.span()
                yield Citation(start=start, end=end, marker=answer[start:end], passage_id=identity)
