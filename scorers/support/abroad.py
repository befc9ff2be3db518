"""Values of claims in other languages than English that their context has not, where it has another one of the kind."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain

from scorers.statements.base import Difference
from scorers.statements.clauses import read_clauses
from scorers.statements.quantities import Quantity
from scorers.statements.quantities.answering import answers, brackets, falls, same_kind, same_value, vague
from scorers.statements.quantities.arithmetic import derivable
from scorers.statements.quantities.reading import quantities_in
from scorers.statements.ties import LONGEST
from scorers.statements.words import root_of
from scorers.support.alignment import Alignment
from scorers.support.binding import UNBOUND, Bound
from scorers.text.language import LanguageCode

MEASURING = frozenset(
    {"time", "working time", "money", "percent", "mass", "length", "volume", "data", "temperature", "ordinal"}
)
"""Dimensions of values that a context would have to tell: anything can be counted."""

ABSENT = 0.7
"""How sure it is that a value is wrong that the context has not, where it has another one of the kind."""

MAX_SENTENCES = 200
"""Sentences of a context whose values are read."""


def bind_abroad(a: Alignment, question: str | None, language: LanguageCode) -> Bound:
    """Return what the values of a context say of one of a claim that it has nowhere, in ``language``.

    The other value is that of the sentence which holds most of the claim; without a word in common nothing is said.
    """
    claimed = [each for each in quantities_in(a.claim.sentence.words[:LONGEST], language) if _measures(each)]
    if not claimed:
        return UNBOUND
    claim = a.claim.sentence.words
    told = _told(a, language)
    copied = _copied(a, question, claimed, told, language)
    if copied.difference is not None:
        return copied
    every = tuple(chain.from_iterable(values for _, _, _, values in told))
    given = quantities_in(question, language) if question else ()
    for each in claimed:
        if _there(each, every, given):
            continue
        near = [
            (-held, source, words, value)
            for held, source, words, values in told
            for value in values
            if held > 0
            and answers(each, value) == "rival"
            and value.unit == each.unit
            and _rivals(each, value)
            and (each.dimension != "ordinal" or _ranked(claim, each, language) == _ranked(words, value, language) != "")
        ]
        if near:
            _, source, words, value = min(near, key=lambda one: one[:3])
            difference = Difference("quantity", each.told, value.told, ABSENT)
            return UNBOUND._replace(difference=difference, source=source, words=words)
    return UNBOUND


_Values = list[tuple[float, int, str, Sequence[Quantity]]]
"""Sentences with values: what each holds of a claim, its source, its words and its values."""


def _copied(
    a: Alignment, question: str | None, claimed: list[Quantity], told: _Values, language: LanguageCode
) -> Bound:
    """Return the one other value that the sentence has whose words a claim has.

    What a claim says in the words of a sentence is of that sentence, whatever follows from the values of others.
    """
    if len(claimed) != 1 or claimed[0].dimension == "ordinal":
        return UNBOUND
    (value,) = claimed
    claim = a.claim.sentence.words[:LONGEST]
    said = _told_words(claim, language)
    if len(said) < SHORT and question:
        said |= _told_words(question[:LONGEST], language)
    shares = [(len(said & _told_words(words, language)), source, words, values) for _, source, words, values in told]
    shared, source, words, values = max(shares, key=lambda one: (one[0], -one[1], one[2]), default=(0, 0, "", ()))
    own = [each for each in values if each.dimension == value.dimension]
    if shared < LEAST or shared < COPIED * len(said) or len(own) != 1:
        return UNBOUND
    (other,) = own
    bound = other.bound if _allows(claim, value, language) else value.bound
    if answers(value, other) not in ("rival", "unit") or bound != other.bound or other.upper is not None:
        return UNBOUND
    return UNBOUND._replace(
        difference=Difference("quantity", value.told, other.told, ABSENT), source=source, words=words
    )


def _told_words(text: str, language: LanguageCode) -> frozenset[str]:
    """Return the roots of the words of a text that tell something."""
    return frozenset(
        item.word.root for clause in read_clauses(text, language) for item in clause.items if not item.figure
    )


SHORT, LEAST = 3, 2
"""Words below which a claim is read with its question, and words in common with a sentence, at least."""
COPIED = 0.5
"""Share of the words of a claim that a sentence has of which it is one in other words."""
_ALLOWANCES: dict[str, re.Pattern[str]] = {
    language: re.compile(rf"\s(?:{words})\b", re.IGNORECASE)
    for language, words in {
        "de": "(?:lang )?Zeit",
        "es": "para",
        "fr": "pour",
        "it": "per|di tempo",
        "nl": "(?:de )?tijd|om",
        "pt": "para",
    }.items()
}
"""What stands behind a length of time that is had for something: a limit, however it is put."""


def _allows(claim: str, value: Quantity, language: LanguageCode) -> bool:
    """Return whether a value of a claim is the time one has for something: "30 Tage Zeit", "30 jours pour"."""
    behind = _ALLOWANCES.get(language)
    return value.bound == "=" and behind is not None and behind.match(claim, value.end) is not None


def _told(a: Alignment, language: LanguageCode) -> _Values:
    """Return the sentences with values."""
    found: _Values = []
    for index, source in enumerate(a.context.sources):
        base = a.context.sentence_base[index]
        for local, sentence in enumerate(source.sentences[: MAX_SENTENCES - len(found)]):
            if values := quantities_in(sentence.words[:LONGEST], language):
                found.append((round(a.covered[base + local], 9), index, sentence.words, values))
    return found


def _measures(claimed: Quantity) -> bool:
    return claimed.dimension in MEASURING and claimed.upper is None and not vague(claimed)


def _there(claimed: Quantity, told: Sequence[Quantity], given: Sequence[Quantity]) -> bool:
    """Tell whether a context or a question has a value, in whichever unit, or it follows from theirs."""
    if any(answers(claimed, each) in ("own", "unit") for each in told):
        return True
    if any(same_kind(claimed, each) and same_value(claimed, each) for each in given):
        return True
    return derivable(claimed, told, given)


def _ranked(words: str, ordinal: Quantity, language: LanguageCode) -> str:
    """Return the root of the word behind an ordinal, which it is a number of: the fourth day, the fourth floor."""
    behind = _NEXT.match(words, ordinal.end - len(ordinal.written.partition(" ")[2]))
    return "" if behind is None else root_of(behind[1].lower(), language)


_NEXT = re.compile(r"\s{0,3}([^\W\d_]{4,40})")


def _rivals(claimed: Quantity, value: Quantity) -> bool:
    """Tell whether a value speaks against another one: "up to 30 days" does not speak against 10, nor "5 to 20"."""
    if value.upper is not None and claimed.bound == "=" and falls(claimed, value):
        return False
    return claimed.bound == value.bound or not (brackets(value) and falls(claimed, value))
