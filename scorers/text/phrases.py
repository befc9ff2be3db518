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

from scorers.text.plain import plain, runs_of

MAX_ELEMENTS = 16
"""Elements of one pattern: more is a text, not a phrase."""

MAX_GAP = 10
"""Words that one gap may skip; together with `MAX_ELEMENTS` it bounds the places of a pattern."""

_GAP = 3
_STEM = 3
"""Letters that a word with ``*`` needs, so that it is not every word."""

_REMEMBERED = 8_192
_REMEMBERED_LETTERS = 24
"""Words of which it is remembered what takes them, and how long they may be: a bound on memory."""

_OF_NO_PATTERN = 0
"""The kind of most words: those that only a gap takes."""

_STATES = 1_024
_STEPS = 32_768
"""States, and steps between them, that are remembered: a bound on memory."""

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
    if ".e" in text or ".g" in text:
        text = text.replace("i.e.", "that is").replace("e.g.", "for example")  # the "i" is nobody who speaks
    if "'" in text or "cannot" in text:
        for short, full in _CONTRACTIONS:
            text = text.replace(short, full)
    return runs_of(text)


@dataclass(frozen=True, slots=True)
class _Element:
    literals: frozenset[str]
    prefixes: tuple[str, ...]
    optional: bool
    gap: int


@dataclass(frozen=True, slots=True)
class _Pattern:
    elements: tuple[_Element, ...]
    at_start: bool
    at_end: bool


class _State:
    """The places that matches have come to behind a word, a bit for each, and the states behind a further one.

    ``found`` are the families of which a match is complete, ``ended`` those of which one is if no word follows.
    """

    __slots__ = ("after", "ended", "found", "places")

    def __init__(self, places: int, found: frozenset[str], ended: frozenset[str]) -> None:
        self.places = places
        self.found = found
        self.ended = ended
        self.after: dict[int, _State] = {}


class Phrases:
    """Families of patterns, compiled once into one automaton that reads each word once, whatever their number.

    Its places are the words of all patterns one behind the other, a gap being so many words that may be missing, and
    a state is the set of places that matches have come to (V. M. Glushkov, Russian Mathematical Surveys 16, 1961). What
    state follows on which word is worked out when it is first met, as in the search of K. Thompson, Communications of
    the ACM 11 (1968), and remembered: a text is mostly words that lead from few states to few.

    >>> said = Phrases({"unable": ["can|could not ~ help", "unable to"], "sorry": ["^ sorry|apolog*"]})
    >>> sorted(said.find(words("Apologies, I cannot really help you.")))
    ['sorry', 'unable']
    >>> said.find(words("You could help, sorry."))
    set()
    """

    __slots__ = (
        "_again", "_any", "_begin", "_closes", "_complete", "_completes", "_ends", "_first", "_kinds", "_lengths",
        "_literals", "_missing", "_numbers", "_prefixes", "_states", "_steps", "_taken",
    )  # fmt: skip

    def __init__(self, families: Mapping[str, Iterable[str]]) -> None:
        """Compile ``families``; a pattern that is not one raises ``ValueError`` naming it."""
        self._literals: dict[str, int] = {}
        self._prefixes: dict[str, int] = {}
        self._complete: dict[int, str] = {}
        self._ends: dict[int, str] = {}
        # Places where any word is taken, none need be, a match begins, and where one begins behind another word.
        self._any = self._missing = self._first = self._again = 0
        place = 0
        for family, patterns in families.items():
            for text in patterns:
                place = self._add(_compiled(text), family, place)
        # Most words begin as no prefix does, which their first letters tell.
        self._lengths: dict[str, list[int]] = {}
        for head, length in sorted({(prefix[:_STEM], len(prefix)) for prefix in self._prefixes}):
            self._lengths.setdefault(head, []).append(length)
        self._completes, self._closes = sum(self._complete), sum(self._ends)
        self._numbers: dict[int, int] = {self._any: _OF_NO_PATTERN}
        self._taken: list[int] = [self._any]
        self._kinds: dict[str, int] = {}
        self._kinds = {word: self._kind(word) for word in self._literals}
        self._forget()

    def _add(self, pattern: _Pattern, family: str, place: int) -> int:
        """Lay the words of a pattern out from ``place`` on, and return the place behind them."""
        self._first |= 1 << place
        if not pattern.at_start:
            self._again |= 1 << place
        for element in pattern.elements:
            for _ in range(element.gap or 1):
                bit = 1 << place
                for word in element.literals:
                    self._literals[word] = self._literals.get(word, 0) | bit
                for prefix in element.prefixes:
                    self._prefixes[prefix] = self._prefixes.get(prefix, 0) | bit
                if element.gap:
                    self._any |= bit
                if element.gap or element.optional:
                    self._missing |= bit
                place += 1
        (self._ends if pattern.at_end else self._complete)[1 << place] = family
        return place + 1

    def find(self, tokens: Sequence[str]) -> set[str]:
        """Return the families that occur in ``tokens``."""
        found: set[str] = set()
        kinds, lengths, state = self._kinds, self._lengths, self._begin
        for word in tokens:
            kind = kinds.get(word)
            if kind is None:
                kind = self._kind(word) if word[:_STEM] in lengths else _OF_NO_PATTERN
            after = state.after.get(kind)
            state = self._step(state, kind) if after is None else after
            if not state.places:
                break  # every pattern is tied to the start, and none goes on
            if state.found:
                found |= state.found
        found |= state.ended
        return found

    def _kind(self, word: str) -> int:
        """Return the number of a word's kind: words of one kind are taken at the same places."""
        taken = self._any | self._literals.get(word, 0)
        for length in self._lengths.get(word[:_STEM], ()):
            if length <= len(word):
                taken |= self._prefixes.get(word[:length], 0)
        kind = self._numbers.setdefault(taken, len(self._taken))
        if kind == len(self._taken):
            self._taken.append(taken)
        if len(word) <= _REMEMBERED_LETTERS and len(self._kinds) < _REMEMBERED:
            self._kinds[word] = kind
        return kind

    def _step(self, state: _State, kind: int) -> _State:
        """Return the state behind a word of a kind, to be found at once the next time."""
        places = (state.places & self._taken[kind]) << 1
        passed = places & self._missing
        while passed:
            further = (passed << 1) & ~places
            places |= further
            passed = further & self._missing
        places |= self._again
        after = self._states.get(places)
        if after is None:
            if len(self._states) >= _STATES or self._steps >= _STEPS:
                self._forget()
            after = self._states[places] = _State(
                places,
                _families(self._complete, places & self._completes),
                _families(self._ends, places & self._closes),
            )
        state.after[kind] = after
        self._steps += 1
        return after

    def _forget(self) -> None:
        self._begin = _State(self._first, frozenset(), frozenset())
        self._states: dict[int, _State] = {}
        self._steps = 0


def _families(ends: Mapping[int, str], places: int) -> frozenset[str]:
    found: list[str] = []
    while places:
        bit = places & -places
        found.append(ends[bit])
        places ^= bit
    return frozenset(found)


def _compiled(text: str) -> _Pattern:
    parts = text.lower().split()
    at_start, at_end = parts[:1] == ["^"], parts[-1:] == ["$"]
    parts = parts[at_start : len(parts) - at_end]
    if not 1 <= len(parts) <= MAX_ELEMENTS:
        raise ValueError(f"pattern {text[:80]!r} has no word or more than {MAX_ELEMENTS} elements")
    elements = tuple(_element(part, text) for part in parts)
    if elements[0].gap or elements[0].optional:
        raise ValueError(f"pattern {text[:80]!r} must begin with a required word")
    return _Pattern(elements, at_start, at_end)


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
    if any(len(prefix) < _STEM for prefix in prefixes):
        raise ValueError(f"{part[:40]!r} in pattern {text[:80]!r}: a word with * needs at least {_STEM} letters")
    literals = frozenset(word for word in alternatives if not word.endswith("*"))
    return _Element(literals, prefixes, optional=part.startswith("?"), gap=0)
