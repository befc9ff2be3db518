"""Values of a claim inside a range that the nearest sentences tell: 40 of "aged 18 to 65", 4 of "3 to 5 days"."""

from __future__ import annotations

from collections.abc import Iterator

from scorers.statements.quantities import Quantity
from scorers.statements.quantities.answering import falls
from scorers.statements.quantities.reading import quantities_in
from scorers.statements.quantities.worth import family
from scorers.statements.ties import LONGEST
from scorers.support.alignment import Alignment
from scorers.text.normalize import FIGURE, terms, word_set


def spanned(a: Alignment) -> tuple[Quantity, ...]:
    """Return those values of a claim that a range told by a nearest sentence has inside."""
    return tuple([each for each, _ in _inside(a)])


def spanned_cases(a: Alignment) -> tuple[Quantity, ...]:
    """Return those that are cases of what a nearest sentence says of the whole range.

    All else of the claim stands in that sentence, and the value tells whom or what it is about, as "aged 40" and
    "groups of 15 people". What is said to be a value is none: delivery in 3 to 5 days need not take 4.
    """
    claim = a.claim.terms
    found: list[Quantity] = []
    for each, sentence in _inside(a):
        told = terms(sentence)
        own = set(terms(each.written).items)
        rest = {term for term, mark in zip(claim.items, claim.marks, strict=True) if not mark & FIGURE} - own
        if rest <= set(told.items) and claim.negators == told.negators and _is_case(a.claim.sentence.words, each):
            found.append(each)
    return tuple(found)


def _inside(a: Alignment) -> Iterator[tuple[Quantity, str]]:
    claimed = [each for each in quantities_in(a.claim.sentence.words[:LONGEST], "en") if _exact(each)]
    for sentence in a.near_sentences if claimed else ():
        spans = [each for each in quantities_in(sentence[:LONGEST], "en") if each.upper is not None]
        for each in claimed:
            if any(_holds(span, each) for span in spans):
                yield each, sentence


def _exact(claimed: Quantity) -> bool:
    return claimed.upper is None and claimed.bound == "=" and claimed.dimension != "date"


def _holds(span: Quantity, claimed: Quantity) -> bool:
    alike = family(span) == family(claimed) and (span.dimension != "money" or span.unit == claimed.unit)
    counts = span.dimension != "count" or span.unit == claimed.unit or not (span.unit and claimed.unit)
    return alike and counts and span.dimension != "date" and falls(claimed, span)


def _is_case(words: str, value: Quantity) -> bool:
    """Tell whether a value says whom or what a claim is about: a fee of 200 EUR is what it is said to be."""
    before = words[: value.start].lower().split()
    return bool(before) and before[-1] in _BEFORE.get(value.dimension, frozenset())


_AGED = word_set("aged age of with having")
_BEFORE = {
    "count": _AGED, "time": _AGED, "mass": _AGED, "length": _AGED, "temperature": word_set("at"),
    "percent": word_set("with having"),
}  # fmt: skip
"""Words behind which a quantity tells a case."""
