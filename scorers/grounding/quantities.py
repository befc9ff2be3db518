"""The quantities of a claim that its context does not state, and what it states instead."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from scorers.statements.quantities import Quantity, compare_quantities, quantities_of
from scorers.statements.quantities.arithmetic import follows
from scorers.statements.quantities.rates import SECONDS
from scorers.statements.quantities.worth import close, family, same_paid, same_rate, worth
from scorers.support.alignment import Alignment
from scorers.support.figures import seen
from scorers.text.language import LanguageCode
from scorers.text.normalize import FIGURE, terms

MAX_SENTENCES = 100
"""Sentences of a context that are searched for a quantity whose number stands nowhere near the claim."""

_MEASURED = frozenset({"time", "working time", "money", "mass", "length", "area", "volume", "temperature", "data",
                       "percent", "points"})  # fmt: skip
_NO_FIGURES = frozenset({"ordinal", "reference", "frequency"})


class CheckedQuantities(NamedTuple):
    """How many quantities a claim states, and the differences of those that the context does not state so."""

    total: int
    differing: tuple[str, ...]


UNCHECKED = CheckedQuantities(0, ())
"""What is said of a sentence that claims nothing."""


def checked(aligned: Alignment, question: str, language: LanguageCode = "en") -> CheckedQuantities:
    """Compare the quantities of a claim with its context and question.

    ``language`` is that of the answer: a sentence is read in it that is too short to tell its own.
    A quantity is stated where the context or the question has it, in whatever format or unit, where it follows from a
    few of the nearest sentences by arithmetic, and, for a mere count, where its number stands.
    """
    read = aligned.claim.terms
    text = aligned.claim.sentence.words
    if not any(mark & FIGURE for mark in read.marks):
        return UNCHECKED
    own = quantities_of(text, language)
    claimed = [each for each in own if _checks(each)]
    if not claimed:
        return UNCHECKED
    asked = quantities_of(question, language) if question else ()
    near = [each for sentence in aligned.near_sentences for each in quantities_of(sentence, language)]
    counts = [each for each in own if each.dimension == "count"]
    differing = []
    for one in claimed:
        if one in aligned.cases:
            continue
        taken_up = (*asked, *(counts if one.dimension != "count" else ()))
        if not _stated(one, aligned, near, asked, language) and not follows(one, near, taken_up):
            differing.append(_against(one, near))
    return CheckedQuantities(len(claimed), tuple(differing))


def _checks(one: Quantity) -> bool:
    """Tell whether a quantity of a claim must be that of its context: all in digits, and measures in words."""
    if one.dimension in _NO_FIGURES or _always(one):
        return False
    return one.dimension in _MEASURED or any(map(str.isdigit, one.written))


def _always(one: Quantity) -> bool:
    """Tell whether a quantity says that something is always: "seven days a week"."""
    return one.dimension == "time" and close(one.value, SECONDS.get(one.rate, 0.0), 0.01)


def _stated(
    one: Quantity, aligned: Alignment, near: Sequence[Quantity], asked: Sequence[Quantity], language: LanguageCode
) -> bool:
    if _among(one, near) or _among(one, asked):
        return True
    read = terms(one.written)
    numbers = [term for term, mark in zip(read.items, read.marks, strict=True) if mark & FIGURE]
    there = bool(numbers) and all(
        term in aligned.claim.question or (term in aligned.found and seen(aligned, term)) for term in numbers
    )
    if there and one.dimension not in _MEASURED and one.dimension != "date":
        return True
    beside = [each for sentence in _with_numbers(aligned, numbers) for each in quantities_of(sentence, language)]
    if _among(one, beside):
        return True
    if there and one.dimension == "date":
        return not _of_other_month(one, (*near, *beside))
    if there:
        # A number whose unit the context does not say, as under the head of a column, is not of another unit.
        return not any(each.dimension in _MEASURED and close(each.amount, one.amount) for each in (*near, *beside))
    return one.dimension in _MEASURED and any(
        _among(one, quantities_of(sentence, language)) for sentence in _with_figures(aligned)
    )


def _of_other_month(one: Quantity, told: Sequence[Quantity]) -> bool:
    """Tell whether dates are told, and none of the month of one whose day and year stand there as numbers."""
    own = {month for _, month, _ in one.days if month}
    months = {month for each in told for _, month, _ in each.days if month}
    return bool(own) and bool(months) and own.isdisjoint(months)


def _among(one: Quantity, told: Sequence[Quantity]) -> bool:
    """Tell whether one of the quantities told is worth the same, for the same."""
    for other in told:
        if family(one) != family(other):
            bare = "count" in (one.dimension, other.dimension) and not (one.unit and other.unit)
            if bare and one.amount and close(one.amount, other.amount):
                return True
            continue
        if one.upper is not None and not _ends(one, told):
            continue
        if worth(one, other) in ("same", "about") and same_rate(one, other):
            return True
        if same_paid(one, other):
            return True
    return False


def _ends(one: Quantity, told: Sequence[Quantity]) -> bool:
    """Tell whether both ends of a range are told, as a range or one by one."""
    if one.dimension == "date":
        return True
    ends = [
        end for other in told if family(other) == family(one) for end in (other.value, other.upper) if end is not None
    ]
    return one.upper is not None and all(any(close(own, end) for end in ends) for own in (one.value, one.upper))


def _with_numbers(aligned: Alignment, numbers: Sequence[str]) -> Iterator[str]:
    """Yield the sentences in which a number of the claim stands."""
    places = {at for term in numbers if term in aligned.found for at in aligned.found[term].sentences}
    for at in sorted(places)[:MAX_SENTENCES]:
        source = aligned.context.source_of(at)
        index = at - aligned.context.sentence_base[source]
        sentences = aligned.context.sources[source].sentences
        if 0 <= index < len(sentences):
            yield sentences[index].words


def _with_figures(aligned: Alignment) -> Iterator[str]:
    """Yield the sentences that tell a number: in another unit it can be that of the claim."""
    left = MAX_SENTENCES
    for base, source in zip(aligned.context.sentence_base, aligned.context.sources, strict=True):
        for index, sentence in enumerate(source.sentences):
            read = aligned.context.read(base + index)
            if left and read is not None and any(mark & FIGURE for mark in read.marks):
                left -= 1
                yield sentence.words


def _against(one: Quantity, near: Sequence[Quantity]) -> str:
    """Return what a quantity is against what the nearest sentences tell, for people."""
    (match,) = compare_quantities((one,), near)
    if match.outcome == "disagrees" and match.words:
        return match.words
    return f"{one.written} not in the context as stated"
