"""Cases that a claim describes by a figure, which a rule with a bound or a range covers: "a purchase of 800 EUR"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from scorers.statements.quantities import Quantity
from scorers.statements.quantities.answering import bare, brackets, falls, same_kind, same_value
from scorers.statements.quantities.reading import quantities_in
from scorers.statements.quantities.worth import close, family
from scorers.statements.ties import LONGEST
from scorers.support.alignment import Alignment
from scorers.support.contraries.reading import content, held, keys_in, marks_of, negations
from scorers.text.normalize import behind_particle, word_set

HELD = 0.75
"""Share of what else a claim says that the rule which covers its case must have."""
LEAST = 2
"""Words with content that a claim must have beside its case."""
MOST_SENTENCES = 1_000
"""Sentences of a context that are looked through."""

_DESCRIBED = re.compile(
    r"(?:^for (?:an? )?|\b(?:an?|any|each|every|your|the) (?:[a-z-]{2,20} )?(?P<of>[a-z-]{2,20})"
    r" (?:of|worth|costing|weighing|for|over) |^if (?:you|they|it|an? [a-z-]{2,20}|your [a-z-]{2,20}) [a-z]{2,12} )"
    r"(?:(?:eur|usd|gbp|chf) |[$\u20ac\u00a3] ?)?$",
    re.IGNORECASE,
)
"""What stands before a figure that describes a case."""
_AGE = re.compile(r"-olds?\b|[- ]years?[- ]olds?\b| olds?\b", re.IGNORECASE)
_YEAR = "year"
VALUES = word_set(
    "amount sum fee fees maximum minimum total limit rate price cost allowance budget period deadline notice term cap"
    " charge deposit fine discount surcharge bonus duration length time number weight size"
)
"""Nouns of which the figure behind them is the value itself: "the fee of 40 EUR"."""


def described_cases(a: Alignment) -> tuple[Quantity, ...]:
    """Return the figure of a claim that describes a case, where a rule that covers it says the rest of the claim.

    "A purchase of 800 EUR is approved by the team lead" follows from "Purchases up to 1,000 EUR are approved by the
    team lead". The fee of 40 EUR does not follow from a fee of up to 50 EUR.
    """
    words = a.claim.sentence.words[:LONGEST]
    stated = words[behind_particle(words) :]
    found = quantities_in(stated, "en")
    case = next((each for each in found if _describes(each, stated)), None)
    if case is None:
        return ()
    others = [each for each in found if each is not case]
    aged = _AGE.match(stated, case.end)
    end = case.end if aged is None else aged.end()
    marks = [mark for mark in marks_of(stated) if not case.start <= mark.start < end]
    beside = content(marks)
    if len(beside) < LEAST:
        return ()
    covering = other = (0.0, 0.0)
    for rule in islice(_rules(a), MOST_SENTENCES):
        read = quantities_in(rule, "en")
        valued = all(any(same_kind(one, two) and same_value(one, two) for two in read) for one in others)
        told = [each for each in read if valued and _bounds(each, case)]
        its = marks_of(rule) if told else ()
        if negations(its) == negations(marks):
            there = keys_in(its)
            # A head of department is as good as a team lead, unless another rule has the team lead itself.
            share = held(beside, there), held([mark._replace(keys=mark.keys[:1]) for mark in beside], there)
            if any(_covers(each, case) for each in told):
                covering = max(covering, share)
            else:
                other = max(other, share)
    # What the team lead approves is told of smaller purchases, whatever is told of this one.
    return (case,) if covering[0] >= HELD and covering >= other else ()


def _describes(quantity: Quantity, text: str) -> bool:
    before = _DESCRIBED.search(text[: quantity.start])
    plain = quantity.bound == "=" and quantity.upper is None
    if plain and _AGE.match(text, quantity.end):
        return True
    return plain and before is not None and (before["of"] or "").lower() not in VALUES


def is_aged(quantity: Quantity, text: str) -> bool:
    """Tell whether a figure is an age: "five-year-old", "two years old"."""
    return _AGE.match(text, quantity.end) is not None


def _rules(a: Alignment) -> Iterator[str]:
    for source in a.context.sources:
        if source.record is None:
            for sentence in source.sentences:
                if sentence.kind != "question":
                    yield from sentence.words[:LONGEST].split(";")


def _bounds(told: Quantity, case: Quantity) -> bool:
    alike = family(told) == family(case) or (told.dimension == "count" and case.unit == _YEAR)
    return told.dimension != "date" and alike and brackets(told)


def _covers(told: Quantity, case: Quantity) -> bool:
    if told.dimension == "count" and case.unit == _YEAR:  # "drivers under 25" are younger than 25 years
        case, told = bare(case), told._replace(unit="")
    if told.bound in ("<", ">") and close(told.value, case.value):
        return False
    return falls(case, told)
