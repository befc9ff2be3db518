"""Differences from what a sentence says aside: of a class, of whoever, in another part, under another label.

Each takes back what a single statement seems to say against a claim.
"""

from __future__ import annotations

import re

from scorers.statements.base import Difference
from scorers.statements.ties import LONGEST
from scorers.support.alignment import Alignment
from scorers.support.contraries.reading import NEGATING, content, held, keys_of_text, marks_of, negations
from scorers.support.contraries.swaps import reordered

_SHOWN = 12
MOSTLY = 0.75
"""Share of the words of one part that the other must have to be the same."""


def told_aside(difference: Difference, words: str, a: Alignment) -> bool:
    """Tell whether what ``words`` of a context say against a claim they say of something else, or do not say."""
    claim, told = a.claim.sentence.words[:LONGEST], words[:LONGEST]
    kind = difference.kind
    return (
        (kind == "polarity" and (_RELATIVE.match(difference.claimed) is not None or _reckons_time(a)))
        or (kind == "role" and (_are_both(difference, claim, told) or reordered(claim, told)))
        or (kind in ("condition", "exception") and _not_even(difference, claim, told))
        or (kind == "exception" and re.search(rf"\([^()]*{re.escape(difference.told[:_SHOWN])}", told) is not None)
        or (kind == "entity" and (_of_a_class(difference, told) or _whoever(difference, told)))
        or (kind == "entity" and _is_ours(difference, claim, told))
        or (kind == "opposite" and _denied_too(difference, told))
    )


def _reckons_time(a: Alignment) -> bool:
    """Tell whether a claim says until when something may be done that a rule forbids for hours before a time."""
    return any(each.dimension in ("clock", "date") for each in a.derived)


_RELATIVE = re.compile(r"(?:that|which|who|whose) ", re.IGNORECASE)


def _are_both(difference: Difference, claim: str, told: str) -> bool:
    """Tell whether both texts name both of whom they seem to take one for the other: lead and HR approve."""
    mine, its = content(marks_of(difference.claimed)), content(marks_of(difference.told))
    return (
        held(mine, keys_of_text(told)) == 1 and held(its, keys_of_text(claim)) == 1 and _BOTH.search(claim) is not None
    )


_BOTH = re.compile(r"\b(?:both|as well as)\b", re.IGNORECASE)


def _not_even(difference: Difference, claim: str, told: str) -> bool:
    """Tell whether a claim denies "even for" a case what is told to be denied "also for" it."""
    if not _EVEN.match(difference.claimed) or not negations(marks_of(claim)) or not negations(marks_of(told)):
        return False
    return held(content(marks_of(difference.claimed)), keys_of_text(difference.told)) >= MOSTLY


_EVEN = re.compile(r"even (?:for|if|when|with|on|in|at) ", re.IGNORECASE)


def _of_a_class(difference: Difference, told: str) -> bool:
    """Tell whether what is told stands beside a class of its like: "another EU country or Switzerland"."""
    at = told.find(difference.told)
    return at > 0 and _CLASS.search(told[max(0, at - _BEFORE) : at]) is not None


_BEFORE = 60
_CLASS = re.compile(
    r"\b(?:(?:an)?other|any|all|every|each|most|similar) [^,;.]{2,40} (?:or|and) (?:the |an? )?$", re.IGNORECASE
)


def _whoever(difference: Difference, told: str) -> bool:
    """Tell whether what is told stands in a part by which it does not matter: "whether or not they are residents"."""
    at = told.find(difference.told)
    return at > 0 and _WHETHER.search(told[max(0, at - _BEFORE) : at]) is not None


_WHETHER = re.compile(r"\b(?:whether|regardless|irrespective|no matter|even if|independent)\b[^,;.]*$", re.IGNORECASE)


def _is_ours(difference: Difference, claim: str, told: str) -> bool:
    """Tell whether a claim names by "the bank" who speaks as "we" in what is told."""
    if _WE.search(told) is None or _WE.search(claim) is not None:
        return False
    return re.search(rf"\b(?:the|your|our) {re.escape(difference.claimed)}\b", claim, re.IGNORECASE) is not None


_WE = re.compile(r"\b(?:we|us|our)\b", re.IGNORECASE)


def _denied_too(difference: Difference, told: str) -> bool:
    """Tell whether the word that is told is denied elsewhere in it: "covered only if ...; never covered"."""
    word = difference.told.lower()
    texts = [mark.text for mark in marks_of(told)]
    return any(
        text == word and not NEGATING.isdisjoint(texts[max(0, at - _NEAR) : at]) for at, text in enumerate(texts)
    )


_NEAR = 2
