"""The words of a sentence as copies are compared: one key for what is the same, and a kind for what may be changed."""

from __future__ import annotations

import re
from typing import NamedTuple

from adapters.caching import cached_by_text
from scorers.statements.quantities.units import units
from scorers.text.normalize import word_set
from scorers.text.stemming import stem


class CopiedWord(NamedTuple):
    """A word as it is compared: ``key`` is equal for equal words; ``kind`` tells what it may be changed into."""

    shown: str
    key: str
    kind: str


_LEAST = r"\b(?:at least|(?:no|not) (?:less|fewer|shorter|lighter|younger) than|a minimum of)(?= \S)"
_MOST = r"\b(?:at most|(?:no|not) (?:more|longer|heavier|older) than|up to|a maximum of)(?= \S)"
_RATED = r"\b(?:each|every|per|an?) (?=(?:second|minute|hour|day|night|week|month|quarter|semester|year)\b)"
_SPELLED = tuple(
    (re.compile(pattern), words)
    for pattern, words in (
        (r"\bcan ?not\b|\bcan't\b", "can not"),
        (r"\bwon't\b", "will not"),
        (r"n't\b", " not"),
        (_LEAST, " atleast "),
        (_MOST, " atmost "),
        (r"\b(?:more|longer|heavier|older|larger|greater) than\b", " morethan "),
        (r"\b(?:less|fewer|shorter|lighter|younger|smaller) than\b", " lessthan "),
        (r"\bnot (?:to )?exceed\b", " atmost "),
        (r"\b(?:at no (?:charge|cost)|free of charge)\b", "free"),
        (r"\bprior to\b", "before"),
        (r"\bnot including\b", "excluding"),
        (_RATED, "per "),
    )
)
"""How what is said in several words is written for comparing."""

_TOKEN = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?|\d[\d.,]*\d|\d|[$€£%;:,().!?]")

_NEVER = word_set("not no never neither nor")
_LITTLE = word_set(
    "a an the is are was were be been being do does did will shall would has have had that this these those there it"
    " then also and or of to in on at for as by with from so than he she they we you i us them him who which any both"
    " must may can could should might need needs needed only"
)
ORDER = {
    "before": "before", "beforehand": "before", "after": "after", "afterwards": "after", "during": "during",
    "until": "until", "till": "until",
}  # fmt: skip
BOUNDS = {"atleast": "least", "atmost": "most", "morethan": "more", "over": "more", "above": "more",
           "lessthan": "less", "under": "less", "below": "less", "exceeding": "more"}  # fmt: skip
_UNITS = word_set("second minute hour day night week month quarter semester year")
_NO_MEASURES = word_set("pound pounds stone foot feet yard yards cup cups ton tons gig gigs degree degrees kelvin")
"""Units that are words for something else as well."""
_MEASURES = {
    form: unit.name
    for form, unit in units("en").items()
    if unit.dimension in ("mass", "length", "area", "volume", "data", "temperature")
    and len(form) > 2  # noqa: PLR2004 - "km" stands behind a figure, and is compared with it
    and form.isalpha()
    and form not in _NO_MEASURES
}
"""Units that measure nothing else, by whatever they are written as."""
_ROWS = word_set("first second third fourth fifth sixth seventh eighth ninth tenth last")
_NUMERALS = {
    "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9",
    "ten": "10", "eleven": "11", "twelve": "12", "thirteen": "13", "fourteen": "14", "fifteen": "15", "sixteen": "16",
    "seventeen": "17", "eighteen": "18", "nineteen": "19", "twenty": "20",
}  # fmt: skip
COVERS = {
    "including": "with", "include": "with", "except": "without", "excluding": "without", "with": "with",
    "without": "without", "inside": "inside", "outside": "outside", "within": "inside",
}  # fmt: skip


@cached_by_text(cost=16)
def copied_words(text: str) -> tuple[CopiedWord, ...]:
    """Return the words of a text as they are compared.

    >>> [(word.key, word.kind) for word in copied_words("Pay at least five euros.")]
    [('pay', ''), ('atleast', 'bound'), ('5', 'number'), ('eur', '')]
    """
    text = text.lower().replace("\u2019", "'").rstrip(" .!?")
    for pattern, words in _SPELLED:
        text = pattern.sub(words, text)
    found = []
    for shown in _TOKEN.findall(text):
        if shown in _ARTICLES:
            continue
        key = shown if shown in _LITTLE or not shown[0].isalpha() else stem(shown)
        key = _NUMERALS.get(shown, _MEASURES.get(shown, key))
        found.append(CopiedWord(shown, key, _kind(shown, key)))
    return tuple(found)


_ARTICLES = word_set("a an the")
_SINGULAR = {f"{unit}s": unit for unit in _UNITS} | {unit: unit for unit in _UNITS}


_KIND_OF = {
    **dict.fromkeys(_LITTLE, "little"), **dict.fromkeys(COVERS, "cover"), **dict.fromkeys(_ROWS, "row"),
    **dict.fromkeys(_SINGULAR, "unit"), **dict.fromkeys(_MEASURES, "measure"), **dict.fromkeys(BOUNDS, "bound"),
    **dict.fromkeys(ORDER, "order"), **dict.fromkeys(_NEVER, "never"),
}  # fmt: skip


def _kind(shown: str, key: str) -> str:
    if key[:1].isdigit():
        return "number"
    return _KIND_OF.get(shown, "" if shown[0].isalpha() else "little")
