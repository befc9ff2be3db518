"""Where an answer names in brackets the documents it is from, by what the trace calls them: no part of a claim.

"[HR-021, v4]" says whence, and its numbers are of no rule. Numbers in brackets are markers of any answer; an id, a
title or the name of a file is one where a passage of the answer has it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from adapters.schema import Answer, Passage
from scorers.text.plain import level

LONGEST = 120
"""Characters of a name; what is longer is content."""

_BRACKET = re.compile(r"[(\[]([^()\[\]\n]{3,240})[)\]]")
_LEAD = r"(?:(?:see|cf\.|per|from|source|sources|ref|siehe|vgl\.|quelle)[ :]{1,3})?"
_PLACE = (
    r"(?:v(?:ersion|ers|\.)?|rev(?:ision|\.)?|ed(?:ition|\.)?|section|sect?\.?|\u00a7|pages?|pp?\.?|para(?:graph|\.)?"
    r"|chapter|clause|art(?:icle|\.)?|chunk|abschnitt|abs\.|seite|s\.|kapitel|ziffer|ziff\.|fassung|stand)"
    r" ?[\w.-]{1,12}"
)
_PARTED = r"[ ,;:@#/\u2013-]{1,3}"
_PLACED = re.compile(
    rf"(?:{_PARTED}(?:(?:and|und|&) )?{_LEAD}(?:{_PLACE}|\x00)|[@#][\w.=-]{{1,16}})*[ .]*", re.IGNORECASE
)
_LED = re.compile(rf"{_LEAD}\x00", re.IGNORECASE)


def named_sources(answer: Answer) -> tuple[tuple[int, int], ...]:
    """Return where brackets in ``answer`` hold nothing but names of its passages' documents, and places in these.

    >>> held = (Passage(id="p1", doc_id="HR-021", metadata={"title": "Parental leave"}),)
    >>> text = "It is 26 weeks [HR-021, v4] (see Parental leave, section 2). The room (HR-021 is full) is shut."
    >>> [text[start:end] for start, end in named_sources(Answer(id="a", answer=text, passages=held))]
    ['[HR-021, v4]', '(see Parental leave, section 2)']
    """
    text = level(answer.answer or "")
    brackets = list(_BRACKET.finditer(text)) if "(" in text or "[" in text else []
    if not brackets:
        return ()
    names = {name for passage in answer.context_passages() or () for name in _names(passage)}
    if not names:
        return ()
    told = "|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in sorted(names, key=_longest))
    pattern = re.compile(told, re.IGNORECASE)
    return tuple(each.span() for each in brackets if _only_names(pattern.sub("\0", each.group(1)).strip()))


def _only_names(said: str) -> bool:
    """Tell whether a text, in which a NUL stands for each name, says nothing else but places in what is named."""
    led = _LED.match(said)
    return led is not None and _PLACED.fullmatch(said, led.end()) is not None


def _names(passage: Passage) -> Iterator[str]:
    """Yield what a passage and its document are called."""
    metadata = passage.metadata or {}
    place = (passage.uri or "").rstrip("/").rpartition("/")[2]
    for name in (passage.doc_id, passage.id, metadata.get("title"), metadata.get("file_name"), place):
        if isinstance(name, str) and 3 <= len(name := level(name).strip()) <= LONGEST and not name.isdigit():  # noqa: PLR2004
            yield name


def _longest(name: str) -> tuple[int, str]:
    return -len(name), name
