"""A passage read once: its sentences, where each term stands, and the runs of words it holds."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise

from adapters.caching import cached_by_text
from scorers.text.everyday import LOOSELY
from scorers.text.normalize import CAPITAL, FIGURE, Terms, terms
from scorers.text.record import JsonRecord, read_record
from scorers.text.sentences import Sentence, split_sentences
from scorers.text.synonyms import SYNONYMS

MAX_SOURCE = 50_000
"""Characters of one source that are read."""

MAX_CONTEXT = 200_000
"""Characters of all passages of a context together that are read; what is past it is left out, and reported."""

VARIANT_RATIO = 0.6
VARIANT_LETTERS = 4
"""Words with the same first four letters that share at least .6 of the longer are variants ("approve", "approval")."""

SYNONYM = 0.8
"""How well a word stands for one that says nearly the same."""

MAX_PLACES = 8_192
"""Positions of a source of which it is known what stands there, more than `MAX_SOURCE` characters of prose have.

As many bits are held for each of its terms, so that a source of nothing but new words costs a few megabytes."""

MAX_VARIANTS = 20
"""Words with the same first letters that are compared, so that a hostile source costs no more than a long one."""


@dataclass(frozen=True, slots=True)
class SourceText:
    """A passage or document, read once.

    ``text`` is what was read. ``read[i]`` are the terms of sentence i, ``sets[i]`` the distinct ones; ``at`` holds the
    positions of each term, a bit set for each of the first `MAX_PLACES`, and ``postings`` its sentences. ``pairs`` are
    its runs of two terms; ``units`` holds the figures that stand before a term, ``leads`` those after it; ``words`` are
    its words, ``lengths`` how many letters these have; ``names`` the terms with a capital; ``record`` its structure
    where it is JSON.
    """

    text: str
    sentences: tuple[Sentence, ...]
    read: tuple[Terms, ...]
    sets: tuple[frozenset[str], ...]
    at: Mapping[str, int]
    postings: Mapping[str, tuple[int, ...]]
    families: Mapping[str, tuple[str, ...]]
    pairs: frozenset[tuple[str, str]]
    units: Mapping[str, frozenset[str]]
    leads: Mapping[str, frozenset[str]]
    words: frozenset[str]
    lengths: frozenset[int]
    names: frozenset[str]
    record: JsonRecord | None
    length: int

    def covers(self, term: str) -> bool:
        """Return whether the source has ``term`` or a variant of it."""
        return bool(variants(term, self))

    def joins(self, term: str) -> bool:
        """Return whether ``term`` is two words of the source as one ("take out", "takeout")."""
        words = self.words
        for at in self.lengths:
            if term[:at] in words and term[at:] in words:
                pair = term[:at], term[at:]
                if any(pair in pairwise(found.words) for found in self.read):
                    return True
        return False


def within(texts: Iterable[str]) -> Iterator[str]:
    """Yield of each text what is read of it: `MAX_CONTEXT` characters of all together, the first ones first.

    >>> [len(text) for text in within(["a" * 150_000, "b" * 150_000, "c"])]
    [150000, 50000, 0]
    """
    left = MAX_CONTEXT
    for text in texts:
        yield text[: max(0, left)]
        left -= len(text)


def read_source(text: str) -> SourceText:
    """Read the first `MAX_SOURCE` characters of a source."""
    text = text[:MAX_SOURCE]
    record = read_record(text)
    if record is None:
        sentences = _titled(split_sentences(text))
    else:  # each of the whole text: a leaf has no place of its own that reads as it
        pieces = (piece for line in record.sentences for piece in split_sentences(line))
        sentences = tuple(Sentence(0, len(text), piece.words, piece.kind) for piece in pieces)
    read = tuple(terms(sentence.words) for sentence in sentences)
    at, postings = _index(read)
    families: dict[str, list[str]] = {}
    for term in sorted(at):
        if len(term) > VARIANT_LETTERS and term[0] != "#":
            families.setdefault(term[:VARIANT_LETTERS], []).append(term)
    units, leads = _beside_figures(read)
    rows = [found.items for found in read]
    words = frozenset(chain.from_iterable([found.words for found in read]))
    return SourceText(
        text=text,
        sentences=sentences,
        read=read,
        sets=tuple(frozenset(items) for items in rows),
        at=at,
        postings={term: tuple(where) for term, where in postings.items()},
        families={head: tuple(words) for head, words in families.items()},
        pairs=frozenset(chain.from_iterable(map(pairwise, rows))),
        units={word: frozenset(figures) for word, figures in units.items()},
        leads={word: frozenset(figures) for word, figures in leads.items()},
        words=words,
        lengths=frozenset(map(len, words)),
        names=frozenset(
            [term for found in read for term, mark in zip(found.items, found.marks, strict=True) if mark & CAPITAL]
        ),
        record=record,
        length=sum(map(len, rows)),
    )


def _titled(sentences: tuple[Sentence, ...]) -> tuple[Sentence, ...]:
    """Return sentences with the title of a text apart from its first one: "Pension plan: The employer pays 4 %".

    Where more of them have a label, they tell of several things, each of its own.
    """
    if not sentences or (title := _TITLE.match(sentences[0].words)) is None:
        return sentences
    if any(_TITLE.match(each.words) for each in sentences[1:]):
        return sentences
    first, at = sentences[0], title.end()
    behind = first.start + at if len(first.words) == first.end - first.start else first.start
    return (
        Sentence(first.start, max(first.start, behind - 1), title.group().strip(), "heading"),
        replace(first, start=behind, words=first.words[at:]),
        *sentences[1:],
    )


_TITLE = re.compile(r"[A-Z][^\W\d_]{1,24}(?: [^\W\d_][\w'-]{0,24}){0,5}: (?=[A-Z][a-z]*(?: [^\s:]{1,30}){4})")


def _index(read: Sequence[Terms]) -> tuple[dict[str, int], dict[str, list[int]]]:
    """Return the positions and the sentences of each term."""
    at: dict[str, int] = {}
    postings: dict[str, list[int]] = {}
    place = 1
    for index, found in enumerate(read):
        for term in found.items:
            held = at.get(term)
            if held is None:
                at[term] = place
                postings[term] = [index]
            else:
                at[term] = held | place
                if postings[term][-1] != index:
                    postings[term].append(index)
            place = (place << 1) & _PLACES
    return at, postings


_PLACES = (1 << MAX_PLACES) - 1
"""What is shifted past these bits is gone."""


def _beside_figures(read: Sequence[Terms]) -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """Return for each term the figures that stand right before it, and right after it."""
    units: dict[str, set[str]] = {}
    leads: dict[str, set[str]] = {}
    for found in read:
        items = found.items
        for offset, mark in enumerate(found.marks):
            if mark & FIGURE:
                if offset + 1 < len(items):
                    units.setdefault(items[offset + 1], set()).add(items[offset])
                if offset:
                    leads.setdefault(items[offset - 1], set()).add(items[offset])
    return units, leads


def variants(term: str, source: SourceText) -> tuple[tuple[str, float], ...]:
    """Return the words of ``source`` that stand for ``term``, each with how well (1: the same)."""
    if term in source.at:
        return ((term, 1.0),)
    near = [word for word in SYNONYMS.get(term, ()) if word in source.at]
    if not near:
        near = [word for word in sorted(LOOSELY.get(term, ())) if word in source.at]
    if near:
        return tuple((word, SYNONYM) for word in near)
    if len(term) <= VARIANT_LETTERS or term[0] == "#":
        return ()
    found: list[tuple[str, float]] = []
    for word in source.families.get(term[:VARIANT_LETTERS], ())[:MAX_VARIANTS]:
        shared = VARIANT_LETTERS
        shortest = min(len(word), len(term))
        while shared < shortest and word[shared] == term[shared]:
            shared += 1
        ratio = shared / max(len(word), len(term))
        if ratio >= VARIANT_RATIO:
            found.append((word, ratio))
    return tuple(found)


_memo = cached_by_text(cost=52)(read_source)


def source_of(text: str) -> SourceText:
    """Return what `read_source` does, remembered: the same passages are retrieved again and again."""
    return _memo(text[:MAX_SOURCE])
