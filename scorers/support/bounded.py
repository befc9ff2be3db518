"""Rules of a context that bound cases: "children under 12 need an adult", "parcels up to 20 kg are delivered"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from itertools import islice
from typing import NamedTuple

from scorers.statements.quantities import Quantity
from scorers.statements.quantities.answering import bare, falls
from scorers.statements.quantities.rates import SECONDS
from scorers.statements.quantities.reading import quantities_in
from scorers.statements.quantities.worth import close, family, one_unit
from scorers.statements.reading import in_full
from scorers.statements.ties import LONGEST
from scorers.statements.words import is_verb
from scorers.support.alignment import Alignment
from scorers.support.context import Context
from scorers.text.normalize import behind_particle

MOST_SENTENCES = 400
"""Sentences of a context that are looked through."""

_AGE = re.compile(r"[- ]old\b|\s?years? old\b")
_AGED = re.compile(r"\b(?:aged|age of|age)\s$", re.IGNORECASE)
_AT_AGE = re.compile(
    r"(?<!stops )(?<!ends )(?<!starts )(?<!begins )\b(?:at|am|is|are|turn|turns|turned|'m|'re)\s$", re.IGNORECASE
)
OTHER_SIDE = re.compile(
    r"^(?:later|longer|larger|bigger|heavier|older|younger|smaller|shorter|higher|lower|further|greater|earlier"
    r"|others?|otherwise|after(?:wards| that)|any(?:thing|one) (?:else|above|over|later|longer|more))\b"
    r"|\b(?:everything|everyone|everybody|anything|all) (?:else|above|over|others?)\b|\ball the (?:rest|others?)\b"
    r"|\bfor (?:later|longer|larger|bigger|heavier|older|younger|smaller|shorter|higher|lower|greater|other)"
    r" [a-z]{3,20}\b"
    r"|\b(?:above|over|beyond|below|under|after|past|exceeding|outside|more than|less than)"
    r" (?:that|this|it|these|those)\b",
    re.IGNORECASE,
)
"""What says that a sentence is of the cases that the bound of the one before leaves out."""
_BACKWARDS = re.compile(r"\s(?:before|prior|in advance|ahead|beforehand)\b", re.IGNORECASE)
_ONWARDS = re.compile(r"\s(?:after|following|from|since|afterwards)\b", re.IGNORECASE)
_BOOKED = re.compile(
    r"\b(?:book(?:ed|able|ings?)?|reserv(?:ed?|ations?)|schedul(?:ed?|ing)|order(?:ed)?|b(?:uy|ought)|sold|on sale)\b"
    r"(?![^;]{0,60}\b(?:cancel\w*|changed?|amended|refunded|returned)\b)[^;]{0,60}$",
    re.IGNORECASE,
)
"""What is done up to four weeks ahead is done no earlier; what is cancelled up to a day ahead, no later."""
_INWARDS = ("within", "less", "under", "fewer")
_YEAR = "year"


class BoundedRule(NamedTuple):
    """A sentence with its source, the sentence behind it that tells of the other side, and the bound of a kind.

    ``beside`` is what it says beside the bound, with the subject of the sentence before where it begins with "it".
    """

    source: int
    words: str
    behind: str
    bound: Quantity
    beside: str


def rules_of(a: Alignment, case: Quantity, stated: str) -> Iterator[BoundedRule]:
    """Yield the sentences that have one bound of the kind of a case."""
    for index, before, words, behind, bounded in a.context.once(_bounded):
        bounds = [
            each
            for each in bounded
            if _bounds(each, case, stated) and not _turned((stated, case.end), (words, each.end))
        ]
        # "Up to 80 EUR each, and at most 240 EUR a year": a single case falls under the first.
        single = [each for each in bounds if each.rate not in SECONDS]
        bounds = single if single and not case.rate else bounds
        if len({(each.value, each.bound) for each in bounds}) == 1:
            beside = in_full(_without(words, bounds[0]), before)
            yield BoundedRule(index, words, behind if OTHER_SIDE.search(behind) else "", bounds[0], beside)


def _turned(claimed: tuple[str, int], told: tuple[str, int]) -> bool:
    """Tell whether of two figures one counts up to an event and the other from one: no case of the other's bound."""
    sides = [(bool(_BACKWARDS.match(text, at)), bool(_ONWARDS.match(text, at))) for text, at in (claimed, told)]
    return (sides[0][0] and sides[1][1]) or (sides[0][1] and sides[1][0])


def _bounded(context: Context) -> tuple[tuple[int, str, str, str, list[Quantity]], ...]:
    """Return the sentences of a context that have a bound.

    Of each the source, the sentence before, its words, the sentence behind, and the bounds.
    """
    found: list[tuple[int, str, str, str, list[Quantity]]] = []
    for index, source in enumerate(context.sources):
        if source.record is not None:
            continue
        read = islice(source.sentences, MOST_SENTENCES)
        sentences = [
            part.strip()
            for each in read
            if each.kind != "question"
            for part in each.words[behind_particle(each.words) : LONGEST].split(";")
        ]
        for before, words, behind in zip(("", *sentences), sentences, (*sentences[1:], ""), strict=False):
            bounds = [
                each for each in map(partial(_lasting, words), quantities_in(words, "en")) if _is_bound(each, words)
            ]
            if bounds:
                found.append((index, before, words, behind, bounds))
    return tuple(found)


def _is_bound(told: Quantity, words: str) -> bool:
    """Tell whether cases fall into a value: a bound, or a range of ages."""
    return told.bound in _SIDES if told.upper is None else is_age(told, words)


def _lasting(words: str, told: Quantity) -> Quantity:
    """Return a span for which something is kept as the bound that it is of how old it may be."""
    lasts = told.bound == "=" and told.dimension == "time" and _LASTS.search(words, 0, told.start)
    return told._replace(bound="<=") if lasts else told


_LASTS = re.compile(r"\b(?:kept|stored|retained|saved|held|archived|valid|available) for $", re.IGNORECASE)


_SIDES = frozenset({"<", "<=", ">", ">="})


def _bounds(told: Quantity, case: Quantity, stated: str) -> bool:
    """Tell whether a bound is of what a case is measured by: an age is told without its unit as well."""
    aged = is_age(case, stated) and (case.dimension == "count" or case.unit == _YEAR)
    if aged and (told.unit == _YEAR or case.dimension == "time"):
        return told.unit == _YEAR or (told.dimension == "count" and _of_people(told))
    if family(told) != family(case):
        return False
    if case.dimension == "count":
        return not told.unit or not case.unit or told.unit in (case.unit, _PEOPLE)
    return one_unit(told, case) and (told.rate == case.rate or not told.rate or not case.rate)


_PEOPLE = "peopl"


def _of_people(told: Quantity) -> bool:
    """Tell whether a number counts nothing but years of age: "skippers under 25 pay a surcharge"."""
    return told.unit in ("", _PEOPLE) or is_verb(told.written.split()[-1].lower())


def is_age(case: Quantity, stated: str) -> bool:
    """Tell whether a figure of a text is an age: "14-year-old", "aged 14", "at 14"."""
    if _AGE.match(stated, case.end) is not None or _AGED.search(stated, 0, case.start) is not None:
        return True
    return case.dimension == "count" and not case.unit and _AT_AGE.search(stated, 0, case.start) is not None


def falls_into(case: Quantity, rule: BoundedRule) -> bool:
    """Tell whether a case falls into a bound; what is bounded before a date is bounded backwards."""
    told = rule.bound
    if told.dimension != case.dimension:
        case, told = bare(case), bare(told)
    if told.bound in ("<", ">") and close(told.value, case.value):
        return False
    inwards = told.bound_word.lower().startswith(_INWARDS)
    backwards = _BACKWARDS.match(rule.words, told.end) and not _BOOKED.search(rule.words, 0, told.start)
    if told.bound == "<=" and not inwards and backwards:
        told = told._replace(bound=">=")
    return falls(case, told)


def _without(words: str, bound: Quantity) -> str:
    """Return the words of a rule with its bound left out, whose "no more than" denies nothing."""
    start, word = bound.start, bound.bound_word.lower()
    if word:
        before = words.lower().rfind(word, 0, start)
        start = before if before >= 0 else start
    return f"{words[:start]} {words[bound.end :]}"
