"""What a claim says from the other side: warned before it is deleted, where it is deleted after a warning."""

from __future__ import annotations

import re
from collections.abc import Iterable

from scorers.statements.base import Difference
from scorers.statements.judging import ENDINGS
from scorers.statements.quantities import Quantity
from scorers.statements.quantities.answering import same_kind, same_value
from scorers.statements.quantities.reading import quantities_in
from scorers.statements.ties import LONGEST
from scorers.statements.words import root_of
from scorers.support.contraries.reading import NEGATING, content, held, hits, keys_in, keys_of_text, marks_of, negations
from scorers.text.glance import glance
from scorers.text.normalize import behind_particle

HALF = 0.5
"""Share of what one has on one side that the other must have on its other side."""
DENIED = re.compile(r"\b(?:not|never|cannot|nobody|no)\b|n't\b")
"""What denies, in lower case."""


def from_behind(claim: str, told: str) -> bool:
    """Tell whether one has before what the other has after it: warned before it is deleted, deleted after a warning."""
    one, other = _ORDER.search(claim), _ORDER.search(told[:LONGEST])
    if one is None or other is None or one.group().lower() == other.group().lower():
        return False
    first, behind = content(marks_of(claim[: one.start()])), content(marks_of(claim[one.end() :]))
    earlier, later = keys_of_text(told[: other.start()]), keys_of_text(told[other.end() : LONGEST])
    if not first or not behind or held(behind, later) >= HALF or held(first, earlier) >= HALF:
        return False
    return held(behind, earlier) >= HALF and held(first, later) > 0


_ORDER = re.compile(r"\b(?:before|after)\b", re.IGNORECASE)


def on_that_side(claim: str, told: str) -> bool:
    """Tell whether one thing comes after another in both: "wait after a tattoo", "after a tattoo you must wait"."""
    one = _ORDER.search(claim)
    behind = content(marks_of(claim[one.end() :])) if one is not None else ()
    if one is None or not behind:
        return False
    return any(
        held(behind, keys_of_text(_ENDED.split(told[at.end() : LONGEST])[0])) == 1
        for at in _ORDER.finditer(told[:LONGEST])
        if at.group().lower() == one.group().lower()
    )


_ENDED = re.compile(r"[,;:.]|\b(?:you|they|we|it|must|may|can|should|is|are|before|after)\b", re.IGNORECASE)


def one_of_two(claim: str, told: str) -> bool:
    """Tell whether a claim permits one of two ways of which a rule requires either: "must be shredded or burnt"."""
    must, join = _MUST.search(told[:LONGEST]), _OR.search(told[:LONGEST])
    if must is None or join is None or join.start() < must.end() or _MAY.search(claim) is None:
        return False
    if DENIED.search(claim.lower()) is not None or _ONLY.search(told) is not None:
        return False
    named = content(marks_of(_MAY.sub(" ", claim)))
    ways = told[must.end() : join.start()], told[join.end() : LONGEST]
    return any(held(named, keys_of_text(way)) >= HALF and held(named, keys_of_text(told)) == 1 for way in ways)


_MUST = re.compile(r"\b(?:must|ha(?:s|ve) to|needs? to)\b", re.IGNORECASE)
_MAY = re.compile(r"\b(?:you )?(?:may|can|could)\b", re.IGNORECASE)
_OR = re.compile(r"\bor\b", re.IGNORECASE)
_ONLY = re.compile(r"\b(?:only|unless|never)\b", re.IGNORECASE)


def excepted_so(claim: str, told: str) -> bool:
    """Tell whether a claim says of an exception what its rule says of it: "except guide dogs, which fly free"."""
    found = _EXCEPTED.search(told[:LONGEST])
    if found is None or DENIED.search(claim.lower()) is not None or DENIED.search(found["what"].lower()) is not None:
        return False
    named = content(marks_of(claim))
    return bool(named) and held(named, keys_of_text(found.group())) == 1


def names_exception(claim: str, told: str) -> bool:
    """Tell whether a claim names the exception of a rule: "the only exception is X" of what holds "except for X"."""
    named, there = _IS_EXCEPTION.search(claim), _EXCEPTING.search(told[:LONGEST])
    if named is None or there is None:
        return False
    ours, theirs = marks_of(named["what"]), marks_of(there["what"])
    wanted = content(ours)
    return bool(wanted) and held(wanted, keys_in(theirs)) == 1 and negations(ours) == negations(theirs)


_IS_EXCEPTION = re.compile(
    r"\bthe (?:(?:only|one|sole) )?exceptions? (?:is|are|appl(?:y|ies) to|is for|are for) (?P<what>[^;.]{3,160})",
    re.IGNORECASE,
)
_EXCEPTING = re.compile(
    r"\b(?:except(?: for)?|other than|apart from|with the exception of|excluding) (?P<what>[^;.]{3,160})", re.IGNORECASE
)


def only_from_there(difference: Difference, claim: str, told: str) -> bool:
    """Tell whether a claim says "only" of a bound up to which "every" holds: "every item above 15 EUR"."""
    if difference.claimed.lower() != "only" or difference.told.lower() not in _ALL:
        return False
    stated = claim[behind_particle(claim) :]
    ours, theirs = quantities_in(stated, "en"), quantities_in(told[:LONGEST], "en")
    bounded = [each for each in ours if each.bound[:1] in _BOUNDS]
    alike = [any(_alike(one, two) for two in theirs) for one in ours]
    return bool(bounded) and all(alike) and held(content(marks_of(stated)), keys_of_text(told)) == 1


def _alike(one: Quantity, other: Quantity) -> bool:
    return same_kind(one, other) and same_value(one, other) and one.bound == other.bound


_ALL, _BOUNDS = frozenset({"every", "all", "each", "any"}), frozenset({"<", ">"})

_EXCEPTED = re.compile(
    r"\bexcept(?: for)? (?P<who>[^,;.]{3,60}), (?:which|who|where) (?P<what>[^;.]{3,160})", re.IGNORECASE
)


def figure_first(difference: Difference, claim: str, told: str) -> bool:
    """Tell whether a claim begins with a bare figure of what is told, as an answer does: "12 EUR, or 8 for seniors"."""
    found = _BARE.match(claim)
    return found is not None and found["figure"] in difference.claimed and found["figure"] in told


_BARE = re.compile(
    r"\W{0,3}(?:(?:it is|it's|that is|that's) )?(?P<figure>[$\u20ac\u00a3]?\d[\d.,]{0,12}\d|[$\u20ac\u00a3]?\d)"
    r"(?: ?(?:eur|euros?|usd|dollars?|gbp|pounds?|%))?(?:,| or\b| and\b| but\b)",
    re.IGNORECASE,
)


def both_closed(claim: str, told: str) -> bool:
    """Tell whether a claim says that something closes that is told to be closed, and neither denies it."""
    ours, theirs = marks_of(claim), marks_of(told[:LONGEST])
    closing = [any(mark.text in _CLOSING for mark in marks) for marks in (ours, theirs)]
    return all(closing) and not negations(ours) and not negations(theirs)


_CLOSING = frozenset({"close", "closes", "closed", "closing"})


def free_too(claim: str, told: str) -> bool:
    """Tell whether a claim says of no fee what is told to be free of charge."""
    no_fee = _NO_FEE.search(claim)
    free = _FREE.search(told[:LONGEST])
    return no_fee is not None and free is not None and DENIED.search(told[: free.start()].lower()) is None


_NO_FEE = re.compile(
    r"\bno (?:\w{2,15} ){0,2}(?:fees?|charges?|costs?|postage|surcharges?)\b"
    r"|\b(?:do|does|won't|don't|doesn't) (?:not )?(?:have to )?(?:pay|cost)\b",
    re.IGNORECASE,
)
_FREE = re.compile(r"\bfree(?: of charge)?\b|\bat no (?:extra |additional )?(?:charge|cost)\b", re.IGNORECASE)


def valid_until(difference: Difference, claim: str, told: str) -> bool:
    """Tell whether one is valid for what the other says it expires after: the same figures, denied as often."""
    pair = {root_of(difference.claimed.lower()), root_of(difference.told.lower())}
    if pair.isdisjoint(ENDINGS) or pair.isdisjoint(_LASTING):
        return False
    values, its = quantities_in(claim, "en"), quantities_in(told[:LONGEST], "en")
    same = bool(values) and all(any(same_kind(one, two) and same_value(one, two) for two in its) for one in values)
    return same and negations(marks_of(claim)) == negations(marks_of(told[:LONGEST]))


def none_above(claim: str, told: str) -> bool:
    """Tell whether a claim says that nothing exceeds an amount at which what is told ends.

    >>> none_above("No budget for dinners exceeds 900 EUR.", "Budgets for dinners end at 900 EUR.")
    True
    """
    passed = _NONE_ABOVE.search(claim)
    if passed is None or negations(marks_of(told[:LONGEST])):
        return False
    amounts, its = quantities_in(claim[passed.end() :], "en"), quantities_in(told[:LONGEST], "en")
    ends = [each for each in its if each.bound not in (">", ">=", "after")]
    return bool(amounts) and any(same_kind(amounts[0], each) and same_value(amounts[0], each) for each in ends)


_NONE_ABOVE = re.compile(
    r"^\W{0,3}(?:no|none|nothing)\b[^,;.]{0,80}?\b(?:exceeds?|goes (?:over|above|beyond)"
    r"|(?:is|are|costs?|lasts?|takes?|weighs?) (?:over|above|(?:more|longer|higher|heavier) than))\s",
    re.IGNORECASE,
)


def in_time(claim: str, told: str) -> bool:
    """Tell whether a claim has as the least notice what may be done up to then: cancelled up to 24 hours in advance.

    >>> in_time("Cancel at least 24 hours ahead.", "Visits can be cancelled up to 24 hours in advance.")
    True
    >>> in_time("Book at least 24 hours ahead.", "Visits can be booked up to 24 hours in advance.")
    False
    """
    least, until = _LEAST_AHEAD.search(claim), _UP_TO_AHEAD.search(told[:LONGEST])
    if least is None or until is None or _CALLED_OFF.search(told[: until.start()]) is None:
        return False
    spans = [quantities_in(found["span"], "en") for found in (least, until)]
    return all(len(each) == 1 for each in spans) and same_value(spans[0][0], spans[1][0])


_SPAN = r"(?P<span>[\w-]{1,12} [a-z]{3,10}) (?:ahead|in advance|before(?:hand)?|prior)\b"
_LEAST_AHEAD = re.compile(rf"\b(?:at least|no later than|at the latest) {_SPAN}", re.IGNORECASE)
_UP_TO_AHEAD = re.compile(rf"\b(?:up to|until) {_SPAN}", re.IGNORECASE)
_CALLED_OFF = re.compile(
    r"\b(?:cancel\w{0,8}|chang(?:e|ed|ing)|postpon\w{1,4}|reschedul\w{1,4}|withdr\w{2,6}|revok\w{1,4}|mov(?:e|ed|ing))\b",
    re.IGNORECASE,
)
"""What is done up to a time before, and no later; what is booked up to then is booked no earlier."""


def at_its_most(claim: str, told: str) -> bool:
    """Tell whether a claim names the largest there may be, or denies more of it, where more is denied or one is told.

    >>> at_its_most("The heaviest parcel weighs 20 kg.", "A parcel must not weigh more than 20 kg.")
    True
    >>> at_its_most("You cannot get more than one permit.", "One permit is issued per person.")
    True
    """
    told = told[:LONGEST]
    passed = _NO_MORE.search(claim)
    if passed is not None:
        few = passed["few"].lower()
        return not DENIED.search(told.lower()) and few in glance(told) and _MORE.search(told) is None
    if _LARGEST.search(claim) is None or not negations(marks_of(told)):
        return False
    ends = [each for each in quantities_in(told, "en") if each.bound in (">", "<=")]
    return any(same_kind(one, each) and same_value(one, each) for one in quantities_in(claim, "en") for each in ends)


_NO_MORE = re.compile(
    r"\b(?:not|never|cannot|no|nobody|\w{2,8}n't)\b[^,;.]{0,60}?"
    r" more than (?P<few>\d{1,6}|one|two|three|four|five|six|ten)\b",
    re.IGNORECASE,
)
_MORE = re.compile(r"\b(?:at least|or more|minimum|more than)\b", re.IGNORECASE)
_LARGEST = re.compile(
    r"\b(?:heaviest|largest|biggest|longest|tallest|highest|widest|oldest|latest|maximum|most)\b", re.IGNORECASE
)

_LASTING = frozenset(root_of(word) for word in ("valid", "lasts", "good", "usable", "runs", "keep"))


def kept_inside(claim: str, told: str) -> bool:
    """Tell whether a claim keeps within a place what the other denies outside of it."""
    found = _NOT_OUTSIDE.search(told[:LONGEST])
    if found is None or negations(marks_of(claim)):
        return False
    within = _WITHIN.search(claim)
    return within is not None and held(content(marks_of(within["of"])), keys_of_text(found["of"])) == 1


_NOT_OUTSIDE = re.compile(
    r"\b(?:not|never|cannot|nobody|no)\b[^.;]{0,60}\boutside (?:of )?(?P<of>[^.,;]{2,40})", re.IGNORECASE
)
_WITHIN = re.compile(r"\b(?:within|inside|in) (?:of )?(?P<of>[^.,;]{2,40})", re.IGNORECASE)


def says_instead(claim: str, told: str, question: str | None) -> bool:
    """Tell whether a claim says no to what was asked and goes on with what a statement says instead.

    The question has a word that the statement has not, which is what the no denies.

    >>> says_instead(
    ...     "No, it must be approved before it is worked.",
    ...     "Overtime must be approved by the manager before it is worked.",
    ...     "Can overtime be approved afterwards?",
    ... )
    True
    """
    at = behind_particle(claim)
    if not at or not question or _SAYS_NO.match(claim) is None:
        return False
    stated, there = marks_of(claim[at:]), keys_of_text(told)
    named = content(stated)
    if len(named) < LEAST_NAMED or hits(named, there) < len(named) or negations(stated) % 2:
        return False
    if {mark.text for mark in stated if mark.text in NEGATING} - {mark.text for mark in marks_of(told)}:
        return False  # "not refused", where it is refused
    return any(there.isdisjoint(word.keys) for word in content(marks_of(question[:LONGEST])))


_SAYS_NO = re.compile(r"\W{0,4}no\b", re.IGNORECASE)
LEAST_NAMED = 2
"""Words with content that a claim must say behind its no."""


def at_its_end(claimed: str, claim: str, told: str, every: Iterable[str]) -> bool:
    """Tell whether a claim says until when what a statement says from when: "until one hour before" it closes.

    The value is told there of the end: "opens 24 hours before and closes 60 minutes before".

    >>> told = "Check-in opens 24 hours before take-off and closes 60 minutes before."
    >>> at_its_end("one hour", "Check in until one hour before take-off.", told, [told])
    True
    """
    if _BY_WHEN.search(claim) is None or _OPENS.search(told) is None:
        return False
    value = next((each for each in quantities_in(claim, "en") if each.written == claimed), None)
    return value is not None and any(
        same_kind(value, each) and same_value(value, each)
        for words in every
        for found in _CLOSES.finditer(words[:LONGEST])
        for each in quantities_in(words[found.start() : found.start() + _BEHIND], "en")
    )


_BY_WHEN = re.compile(r"\b(?:until|till|up to|by|latest|clos(?:es|ed|ing)|ends?)\b", re.IGNORECASE)
_OPENS = re.compile(r"\b(?:opens?|opened|starts?|begins?)\b", re.IGNORECASE)
_CLOSES = re.compile(r"\b(?:closes?|closed|ends?|stops?)\b", re.IGNORECASE)
_BEHIND = 60
"""Characters behind a verb in which what it says of a time stands."""
