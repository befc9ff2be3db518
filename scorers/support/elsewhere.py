"""Cases that a claim puts outside of a place or a group of its context: "from outside the UK" against "from elsewhere".

A sentence tells what goes inside and what goes elsewhere; of a case outside a claim must say the second.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from scorers.statements.base import Difference
from scorers.statements.ties import LONGEST
from scorers.support.alignment import Alignment
from scorers.support.bracketing import Bracketed
from scorers.support.context import Context
from scorers.support.contraries.reading import content, hits, keys_of_text, marks_of
from scorers.support.parity import turns
from scorers.text.normalize import behind_particle

SURE = 0.8
"""How sure it is that a claim is wrong that says of a case outside what goes inside."""
MOST_SENTENCES = 400
"""Sentences of a source that are looked through."""

_INSIDE = re.compile(
    r"\b(?:within|inside|in(?! [a-z' -]{2,40} within)) (?:the )?(?P<of>[a-z][\w'-]*"
    r"(?: (?!(?:within|inside|it|they|is|are|was|were|may|must|can|will|costs?|pays?|has|have)\b)[a-z][\w'-]*)?)",
    re.IGNORECASE,
)
_ELSEWHERE = re.compile(
    r"\b(?:elsewhere|(?:everywhere|anywhere) else|abroad|outside(?: of)?(?: (?:it|this|that|there))?"
    r"|beyond (?:it|this|that)|(?:in|to|from) (?:all )?other (?:countries|places|areas|regions))\b",
    re.IGNORECASE,
)
_OUTSIDE = re.compile(
    r"\b(?:(?:from )?outside(?: of)?|not (?:within|in|inside)|beyond) (?:the |your )?(?P<of>[a-z][\w'-]*)",
    re.IGNORECASE,
)
_IT = re.compile(r"\b(?:it|they|these|those)\b", re.IGNORECASE)
_VERB = re.compile(
    r"\b(?:is|are|was|were|may|must|can|cannot|will|shall|costs?|pays?|has|have|appl(?:y|ies)|needs?|gets?)\b",
    re.IGNORECASE,
)
_PARTS = re.compile(r"[;,]\s(?:(?:and|but)\s)?|\s(?:and|but|while|whereas)\s(?=[a-z ]{0,12}(?:else|out|abroad|other))")


class _Divided(NamedTuple):
    """A sentence that tells what goes inside of something, and what elsewhere."""

    source: int
    words: str
    of: str
    inside: str
    outside: str


def outside(a: Alignment) -> Bracketed | None:
    """Return what a sentence says of the case of a claim outside of what it names; ``None`` of no case."""
    words = a.claim.sentence.words[:LONGEST]
    stated = words[behind_particle(words) :]
    place = _OUTSIDE.search(stated)
    if place is None or a.context.structured:
        return None
    marks = marks_of(stated[: place.start()] + " " + stated[place.end() :])
    for each in a.context.once(_divided):
        if keys_of_text(each.of).isdisjoint(keys_of_text(place["of"])):
            continue
        # What one part is said of, the other calls "it", or does not name: "elsewhere patients pay for themselves".
        inside = _said(each.inside)
        beyond = _said(each.outside) if _IT.search(each.inside) else each.outside
        own = keys_of_text(beyond) - keys_of_text(each.inside)
        other = keys_of_text(inside) - keys_of_text(each.outside) - keys_of_text(each.of)
        said, denied = hits(content(marks), own), hits(content(marks), other)
        if bool(said) == bool(denied):
            continue
        turned = (turns(marks) + turns(marks_of(each.outside if said else each.inside))) % 2
        if bool(said) != bool(turned):
            return Bracketed(each.source, each.words)
        return Bracketed(each.source, each.words, Difference("entity", place.group(), each.of, SURE))
    return None


def _said(part: str) -> str:
    """Return a part of a sentence from its first verb on."""
    verb = _VERB.search(part)
    return part if verb is None else part[verb.start() :]


def _divided(context: Context) -> tuple[_Divided, ...]:
    return tuple(_read(context))


def _read(context: Context) -> Iterator[_Divided]:
    for index, source in enumerate(context.sources):
        for each in islice(source.sentences, MOST_SENTENCES):
            words = each.words[:LONGEST]
            if source.record is not None or each.kind == "question" or _ELSEWHERE.search(words) is None:
                continue
            parts = _PARTS.split(words)
            beyond = [part for part in parts if _ELSEWHERE.search(part)]
            inside = [(part, found) for part in parts if part not in beyond and (found := _INSIDE.search(part))]
            if len(beyond) == 1 and len(inside) == 1:
                part, found = inside[0]
                yield _Divided(index, words, found["of"], part[: found.start()] + part[found.end() :], beyond[0])
