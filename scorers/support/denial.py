"""Which words of a claim it denies: "no garage", "reservations are not available", "trendy rather than classy"."""

from __future__ import annotations

from collections.abc import Sequence

from scorers.text.normalize import NEGATORS, word_set

_DENIES = NEGATORS | word_set("except excluding lack lacking lacks")
_DENIED = word_set("unavailable unclear undisclosed unknown unmentioned unspecified")
_TURNS = word_set("although but despite however though whereas while yet")
_PREDICATES = word_set(
    "accepted allowed available disclosed given included indicated known listed mentioned offered option options"
    " permitted present provided specified stated supported"
)
_AFFIRMS = word_set(
    "accepts allows are can does enjoy features had has have include includes is offer offers provide provides takes"
    " will"
)
_JOINS = word_set("also and customers guests it people they there visitors you")
_NEAR = 4


def denied(words: Sequence[str]) -> tuple[bool, ...]:
    """Return for each word whether the claim denies it.

    A negator reaches forward to the end of its clause, or to where the sentence affirms again ("and offers"); backward
    where a predicate follows it ("are not available") or it ends its clause ("valet parking is not").

    >>> denied(["no", "garage", "but", "street", "parking"])
    (True, True, False, False, False)
    >>> denied(["wifi", "is", "not", "available"])
    (True, True, True, True)
    """
    flags = [False] * len(words)
    start = 0
    for end in (*(i for i, word in enumerate(words) if word in _TURNS), len(words)):
        for at in range(start, end):
            word = words[at]
            instead = at + 1 < end and (word, words[at + 1]) in (("rather", "than"), ("instead", "of"))
            negates = word in _DENIES or instead or word.endswith("n't")
            if negates and not (word == "not" and at + 1 < end and words[at + 1] == "only"):
                _forward(words, flags, at, end)
            if word in _DENIED or (
                negates and (at == end - 1 or any(w in _PREDICATES for w in words[at + 1 : min(end, at + _NEAR)]))
            ):
                _backward(words, flags, start, at)
        start = end
    return tuple(flags)


def _forward(words: Sequence[str], flags: list[bool], at: int, end: int) -> None:
    for i in range(at, end):
        if i > at and words[i] in _AFFIRMS and words[i - 1] in _JOINS:
            return
        flags[i] = True


def _backward(words: Sequence[str], flags: list[bool], start: int, at: int) -> None:
    for i in range(at, start - 1, -1):
        if words[i] in _PREDICATES and i < at:
            return
        flags[i] = True
