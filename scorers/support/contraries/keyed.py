"""The value of another key: "carbon frames are covered for 5 years" beside "Aluminium: 5 years. Carbon: 3 years.".

Leaflets and tariffs set keys before their values without a table. A claim that names one key, with a value that only
another key has, takes that of the other.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from scorers.statements.base import Difference
from scorers.statements.quantities import Quantity
from scorers.statements.quantities.answering import same_kind, same_value
from scorers.statements.quantities.reading import quantities_in
from scorers.statements.ties import LONGEST, WordKey
from scorers.support.alignment import Alignment
from scorers.support.context import Context
from scorers.support.contraries.reading import Ruled, RuleWord, hits, keys_in, keys_of_text, marks_of
from scorers.text.normalize import word_set

SURE = 0.85
"""How sure it is that a claim with the value of another key is wrong."""
MOST = 200
"""Keys of a context that are looked at."""
_KEY = re.compile(r"[-*\u2022\s]{0,6}(?P<key>[A-Z0-9][^:.;,!?\n]{1,47}?):\s{1,3}(?=\S)")
_EACH = re.compile(r"[,/&]|\b(?:and|or)\b")
_FIGURE = re.compile(r"\d")
_ASIDE = word_set(
    "than other others except besides instead rather unlike compared difference more less longer shorter cheaper dearer"
    " both together total sum altogether combined average"
)
"""Words with which a claim may speak of another key beside its own, or of several."""


class _Name(NamedTuple):
    """What a key is known by: the words that tell it from other keys, and its figures."""

    words: tuple[RuleWord, ...]
    figures: frozenset[str]

    def stands_in(self, there: frozenset[WordKey], texts: frozenset[str]) -> bool:
        """Tell whether a claim with these words names it."""
        return hits(self.words, there) == len(self.words) and self.figures <= texts


class _Keyed(NamedTuple):
    """A key with its values: its source, its sentence, its names, and its quantities."""

    source: int
    words: str
    names: tuple[_Name, ...]
    quantities: tuple[Quantity, ...]


def keyed(claim: str, a: Alignment) -> Iterator[Ruled]:
    """Yield the key that a claim names, where the claim has not its value but that of another one."""
    entries = a.context.once(_entries) if _FIGURE.search(claim) is not None else ()
    if len(entries) <= 1:
        return
    marks = marks_of(claim[:LONGEST])
    texts = frozenset([mark.text for mark in marks])
    if not _ASIDE.isdisjoint(texts):
        return
    there = keys_in(marks)
    named = [each for each in entries if any(name.stands_in(there, texts) for name in each.names)]
    if len(named) != 1:
        return
    entry = named[0]
    for value in quantities_in(claim[:LONGEST], "en"):
        mine = [each for each in entry.quantities if same_kind(each, value)]
        if not mine or value.written in entry.words[: mine[0].start] or _has(mine, value):
            continue
        if any(_has(each.quantities, value) for each in entries) and not _told_besides(value, marks, a.context):
            yield Ruled(Difference("entity", value.written, mine[0].written, SURE), entry.source, entry.words)


def _entries(context: Context) -> tuple[_Keyed, ...]:
    """Return the keys of prose that stand before values."""
    found: list[tuple[int, str, str, tuple[Quantity, ...]]] = []
    for source, read in enumerate(context.sources):
        for sentence in read.sentences if read.record is None else ():
            head = _KEY.match(sentence.words)
            if head is None or len(sentence.words) > LONGEST or _FIGURE.search(sentence.words, head.end()) is None:
                continue
            quantities = tuple(each for each in quantities_in(sentence.words, "en") if each.start >= head.end())
            if quantities and len(found) < MOST:
                found.append((source, sentence.words, head["key"], quantities))
    of_several = Counter(key for _, _, head, _ in found for key in keys_of_text(head))
    return tuple(_Keyed(source, words, _names(head, of_several), values) for source, words, head, values in found)


def _names(head: str, of_several: Mapping[WordKey, int]) -> tuple[_Name, ...]:
    """Return the names of a key, each by the words that no other key has, if it has one: "Aluminium" of "frames"."""
    found = []
    for part in _EACH.split(head):
        marks = marks_of(part)
        words = tuple([mark for mark in marks if mark.keys])
        own = tuple([mark for mark in words if all(of_several[key] <= 1 for key in mark.keys)])
        figures = frozenset([mark.text for mark in marks if mark.text[0].isdigit()])
        if words:
            found.append(_Name(own or words, figures))
    return tuple(found)


def _has(quantities: Sequence[Quantity], value: Quantity) -> bool:
    return any(same_kind(each, value) and same_value(each, value) for each in quantities)


def _told_besides(value: Quantity, marks: Sequence[RuleWord], context: Context) -> bool:
    """Tell whether a sentence without a key has the value and a word of the claim."""
    things = keys_in(marks)
    return any(
        _KEY.match(each.words) is None
        and _FIGURE.search(each.words) is not None
        and _has(quantities_in(each.words[:LONGEST], "en"), value)
        and not things.isdisjoint(keys_of_text(each.words))
        for read in context.sources
        for each in read.sentences
    )
