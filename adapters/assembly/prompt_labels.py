"""Texts of passages that only their ids were told of, where the prompt labels each text with its id: ``[id] text``.

A text's place among others ("[2]") tells nothing: applications reorder, drop and merge what they retrieved.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from itertools import pairwise

from adapters.assembly.prompt_question import LABEL

_MARK = re.compile(r"^[ \t]*\[([^\]\n]{1,256})\][ \t]*:?[ \t]*", re.MULTILINE)
_BLANK = re.compile(r"\n[ \t]*\n")
_CLOSING = re.compile(r"^[ \t]*(?:</|---|===|\"\"\"|```)", re.MULTILINE)
_TELLING = re.compile(r"[^\W\d_]|\d{4}")
"""A letter or a number of four digits: shorter numbers number the passages of any prompt."""


def labelled(ids: Collection[str], texts: Iterable[str]) -> dict[str, str]:
    r"""Find what ``texts`` label with one of ``ids``, up to the next label; not where one label has different texts.

    >>> labelled({"T-1@2", "T-2@1"}, ["Context:\n[T-1@2] Up to 180 EUR.\n\n[T-2@1] By train.\n\nQuestion: How much?"])
    {'T-1@2': 'Up to 180 EUR.', 'T-2@1': 'By train.'}
    """
    wanted = {each for each in ids if _TELLING.search(each)}
    found: dict[str, str | None] = {}
    for text in texts if wanted else ():
        for identity, block in _blocks(wanted, text):
            same = found.setdefault(identity, block) == block
            found[identity] = block if same else None
    return {identity: block for identity, block in found.items() if block}


def _blocks(wanted: Collection[str], text: str) -> Iterable[tuple[str, str]]:
    marks = [mark for mark in _MARK.finditer(text) if mark[1].strip() in wanted]
    simple = True  # no text so far has a paragraph of its own
    for mark, following in pairwise(marks):
        block = text[mark.end() : following.start()].strip()
        simple = simple and _BLANK.search(block) is None
        yield mark[1].strip(), block
    if marks:
        yield marks[-1][1].strip(), _last(text[marks[-1].end() :], simple=simple)


def _last(rest: str, *, simple: bool) -> str:
    """Return the last text: up to another part of the prompt, or a blank line where no other text has one."""
    ends = [LABEL.search(rest), _CLOSING.search(rest), _BLANK.search(rest) if simple else None]
    return rest[: min((end.start() for end in ends if end is not None), default=len(rest))].strip()
