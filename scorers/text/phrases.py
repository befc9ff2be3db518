"""Phrases over words: a small pattern language that a person can read, matched in linear time.

A pattern is a row of elements between blanks. ``can|could`` is either word, ``provid*`` any word that begins so,
``?really`` a word that may be missing, ``~`` up to three words whatever they are, ``~6`` up to six. ``^`` in front
ties the pattern to the start of the words, ``$`` behind to their end. Contractions are read in full: "can't" and
"cannot" are ``can not``, "I'm" is ``i am``. There is no repetition without bound, so no pattern can blow up.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from scorers.text.plain import plain

MAX_ELEMENTS = 16
"""Elements of one pattern: more is a text, not a phrase."""

MAX_GAP = 10
"""Words that one gap may skip; together with `MAX_ELEMENTS` it bounds the work at each word."""

_GAP = 3
_HEAD = 3
"""Letters by which a pattern is found; a word with ``*`` needs as many, or every word would be a candidate."""

_REMEMBERED = 8_192
_REMEMBERED_LETTERS = 24
"""Words of which it is remembered what they begin, and how long they may be: a bound on memory."""

_ANY = re.compile(r"[^\W_]+")
_ELEMENT = re.compile(r"\??[^\W_]+\*?(?:\|[^\W_]+\*?){0,400}")
_CONTRACTIONS = (
    ("cannot", "can not"),
    ("can't", "can not"),
    ("won't", "will not"),
    ("n't", " not"),
    ("'m ", " am "),
    ("'re ", " are "),
    ("'ll ", " will "),
    ("'ve ", " have "),
    ("'d ", " would "),
    ("it's ", "it is "),
    ("'s ", " "),
)


def words(text: str) -> list[str]:
    """Return the words of ``text`` in lower case, numbers included, contractions written out.

    >>> words("I can't say: it's Ann's 2nd.")
    ['i', 'can', 'not', 'say', 'it', 'is', 'ann', '2nd']
    """
    text = plain(text).lower()
    if "'" in text or "cannot" in text:
        for short, full in _CONTRACTIONS:
            text = text.replace(short, full)
    return _ANY.findall(text)


@dataclass(frozen=True, slots=True)
class _Element:
    literals: frozenset[str]
    prefixes: tuple[str, ...]
    optional: bool
    gap: int

    def takes(self, word: str) -> bool:
        return word in self.literals or (bool(self.prefixes) and word.startswith(self.prefixes))


@dataclass(frozen=True, slots=True)
class _Pattern:
    """``later`` are the elements behind the first: the words and beginnings that each takes, may be missing, gap.

    ``wants`` are words of which there must be one for a match, as far as an element behind the first tells.
    """

    family: str
    first: _Element
    later: tuple[tuple[frozenset[str], tuple[str, ...], bool, int], ...]
    wants: frozenset[str]
    at_start: bool
    at_end: bool


class Phrases:
    """Families of patterns, compiled once.

    >>> said = Phrases({"unable": ["can|could not ~ help", "unable to"], "sorry": ["^ sorry|apolog*"]})
    >>> sorted(said.find(words("Apologies, I cannot really help you.")))
    ['sorry', 'unable']
    >>> said.find(words("You could help, sorry."))
    set()
    """

    __slots__ = ("_begun", "_by_head")

    def __init__(self, families: Mapping[str, Iterable[str]]) -> None:
        """Compile ``families``; a pattern that is not one raises ``ValueError`` naming it."""
        self._by_head: dict[str, list[_Pattern]] = {}
        self._begun: dict[str, tuple[_Pattern, ...]] = {}
        for family, patterns in families.items():
            for text in patterns:
                pattern = _compiled(family, text)
                for head in sorted({word[:_HEAD] for word in (*pattern.first.literals, *pattern.first.prefixes)}):
                    self._by_head.setdefault(head, []).append(pattern)

    def find(self, tokens: Sequence[str]) -> set[str]:
        """Return the families that occur in ``tokens``."""
        found: set[str] = set()
        begun = self._begun
        there: set[str] | None = None
        for at, word in enumerate(tokens):
            patterns = begun.get(word)
            if patterns is None:
                patterns = self._beginning(word)
            if not patterns:
                continue
            there = there or set(tokens)
            for pattern in patterns:
                if (
                    pattern.family in found
                    or (at and pattern.at_start)
                    or (pattern.wants and pattern.wants.isdisjoint(there))
                ):
                    continue
                if _ends(pattern, tokens, at + 1):
                    found.add(pattern.family)
        return found

    def _beginning(self, word: str) -> tuple[_Pattern, ...]:
        """Return the patterns that may begin with ``word``, remembered: a language has few words."""
        found = tuple(pattern for pattern in self._by_head.get(word[:_HEAD], ()) if pattern.first.takes(word))
        if len(word) <= _REMEMBERED_LETTERS:
            if len(self._begun) >= _REMEMBERED:
                self._begun.clear()
            self._begun[word] = found
        return found


def _ends(pattern: _Pattern, tokens: Sequence[str], at: int) -> bool:
    """Return whether a match whose first word was taken comes to an end. All ways are followed side by side."""
    length = len(tokens)
    places: Sequence[int] = (at,)
    for literals, prefixes, optional, gap in pattern.later:
        if gap:
            if len(places) == 1:
                places = range(places[0], min(places[0] + gap, length) + 1)
            else:
                places = sorted({to for place in places for to in range(place, min(place + gap, length) + 1)})
            continue
        after = [
            place + 1
            for place in places
            if place < length and (tokens[place] in literals or (prefixes and tokens[place].startswith(prefixes)))
        ]
        places = sorted({*after, *places}) if optional else after
        if not places:
            return False
    return not pattern.at_end or length in places


def _compiled(family: str, text: str) -> _Pattern:
    parts = text.lower().split()
    at_start, at_end = parts[:1] == ["^"], parts[-1:] == ["$"]
    parts = parts[at_start : len(parts) - at_end]
    if not 1 <= len(parts) <= MAX_ELEMENTS:
        raise ValueError(f"pattern {text[:80]!r} has no word or more than {MAX_ELEMENTS} elements")
    elements = tuple(_element(part, text) for part in parts)
    if elements[0].gap or elements[0].optional:
        raise ValueError(f"pattern {text[:80]!r} must begin with a required word")
    later = tuple((each.literals, each.prefixes, each.optional, each.gap) for each in elements[1:])
    told = [each.literals for each in elements[1:] if not (each.gap or each.optional or each.prefixes)]
    return _Pattern(family, elements[0], later, min(told, key=len, default=frozenset()), at_start, at_end)


def _element(part: str, text: str) -> _Element:
    if part.startswith("~"):
        gap = part[1:] or str(_GAP)
        if not gap.isascii() or not gap.isdigit() or not 1 <= int(gap[:4]) <= MAX_GAP:
            raise ValueError(f"{part[:20]!r} in pattern {text[:80]!r} is not a gap of 1 to {MAX_GAP} words")
        return _Element(frozenset(), (), optional=False, gap=int(gap))
    if not _ELEMENT.fullmatch(part):
        raise ValueError(f"{part[:40]!r} in pattern {text[:80]!r} is not a word; use letters, digits, | * ? ~ ^ $")
    alternatives = part.removeprefix("?").split("|")
    prefixes = tuple(word[:-1] for word in alternatives if word.endswith("*"))
    if any(len(prefix) < _HEAD for prefix in prefixes):
        raise ValueError(f"{part[:40]!r} in pattern {text[:80]!r}: a word with * needs at least {_HEAD} letters")
    literals = frozenset(word for word in alternatives if not word.endswith("*"))
    return _Element(literals, prefixes, optional=part.startswith("?"), gap=0)
