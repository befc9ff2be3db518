"""What looks like a difference and is none: another case told beside it, an end as a beginning, advice as no duty.

Each takes back what a single statement seems to say against a claim.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from scorers.statements.base import Difference
from scorers.statements.parallels import part_of
from scorers.statements.quantities import Quantity
from scorers.statements.quantities.answering import same_kind, same_value
from scorers.statements.quantities.reading import quantities_in
from scorers.statements.roles import is_transfer
from scorers.statements.ties import LONGEST, WordKey
from scorers.statements.words import excludes, word_of
from scorers.support.alignment import Alignment
from scorers.support.conditioned import of_another, told_from_behind, waived_case
from scorers.support.contraries.reading import content, held, hits, keys_in, keys_of_text, marks_of, negations, nouns
from scorers.support.contraries.times import is_fewer
from scorers.support.hours import spoken
from scorers.support.lapsing import kept_until_gone, not_by_then, waived_there
from scorers.support.membered import of_own_member, of_row
from scorers.support.parity import DUTY, turned_twice
from scorers.support.restated import (
    DENIED,
    at_its_end,
    at_its_most,
    both_closed,
    excepted_so,
    figure_first,
    free_too,
    from_behind,
    in_time,
    kept_inside,
    names_exception,
    none_above,
    on_that_side,
    one_of_two,
    only_from_there,
    says_instead,
    valid_until,
)
from scorers.support.seasons import months_in
from scorers.text.glance import glance
from scorers.text.normalize import behind_particle, word_set

TOLD = 0.75
"""Share of what a claim says that a statement and the one beside it must have together."""

_OF_A_CASE = frozenset({"opposite", "quantity", "entity", "unit", "date", "role", "bound"})
_REFERS = re.compile(r"\b(?:it|they|ones?|that|those|these|this|others?|the (?:former|latter))\b", re.IGNORECASE)
_LATE, _EARLY = re.compile(r"\b(?:after|from|once|since|starting)\b"), re.compile(r"\b(?:until|till|before|by|up to)\b")
_ENDS = re.compile(
    r"\b(?:not|never|no longer|unable|cannot|can't|won't|isn't|aren't|clos(?:e|es|ed|ing)|expires?|expired|ends?|ended"
    r"|lapses?|lapsed|forfeit(?:ed|s)?|lost|too late|stay|stays|remain|remains|wait|waits|keep|keeps|kept|void)\b"
)
_OVER = re.compile(r"\b(?:clos(?:e|es|ed|ing)|expires?|expired|ends?|ended|lapses?|shuts?)\b", re.IGNORECASE)
_ADVICE = re.compile(
    r"\b(?:should|recommend\w{0,6}|advi[sc]\w{0,6}|may|can|optional|voluntary|encouraged)\b", re.IGNORECASE
)
_NO = re.compile(r"\W{0,4}(?:no|nope|not necessarily|not really)\b", re.IGNORECASE)


def acquitted(difference: Difference, words: str, a: Alignment, question: str | None) -> bool:
    """Tell whether what ``words`` of a context say against a claim is none of its case."""
    claim = a.claim.sentence.words[:LONGEST]
    kind = difference.kind
    return (
        (kind in ("order", "bound", "opposite") and _ends_there(difference, claim, words))
        or (kind == "opposite" and (_other_side(claim, words) or _taken_as_given(difference, claim, words)))
        or (kind == "opposite" and (_told_of_its_part(difference, claim, words) or _is_rest(difference, claim)))
        or (kind == "opposite" and (valid_until(difference, claim, words) or kept_until_gone(claim, words)))
        or (kind == "bound" and (not_by_then(claim, words) or difference.claimed == difference.told))
        or (kind in _OF_A_VALUE and of_own_member(difference.claimed, claim, words))
        or (kind in _STATED and of_row(words, a.context))
        or (kind in ("exception", "condition") and waived_there(claim, words))
        or (kind == "modality" and question is not None and _advises(claim, words, question))
        or (
            kind == "polarity" and (_on_other_days(claim, words) or _between(claim, words) or kept_inside(claim, words))
        )
        or (kind in ("polarity", "entity") and _but_so(claim, words))
        or (kind == "polarity" and (at_its_most(claim, words) or says_instead(claim, words, question)))
        or (kind == "entity" and (is_fewer(claim, words) or _in_that_period(difference, claim, a)))
        or (kind in ("order", "bound") and _on_one_side(claim, words))
        or (kind == "bound" and (_denied_beyond(claim, words) or _smaller_ones(claim, words) or in_time(claim, words)))
        or (kind in ("order", "polarity") and _not_before(claim, words))
        or (kind == "order" and (from_behind(claim, words) or on_that_side(claim, words)))
        or (kind == "modality" and one_of_two(claim, words))
        or (kind in ("exception", "condition") and (excepted_so(claim, words) or names_exception(claim, words)))
        or (kind == "scope" and only_from_there(difference, claim, words))
        or (kind in ("quantity", "entity") and figure_first(difference, claim, words))
        or (kind == "polarity" and (free_too(claim, words) or both_closed(claim, words) or none_above(claim, words)))
        or (kind == "entity" and bool(_on_other_sides(claim, words)) and _SMALLER.search(words) is not None)
        or (
            kind in _TURNED
            and (told_from_behind(claim, words) or turned_twice(claim, words, of_force=kind == "modality"))
        )
        or (kind == "role" and _denied_of_others(claim, words))
        or (kind == "polarity" and question is not None and _of_another_member(claim, words, question))
        or (kind in ("quantity", "unit") and at_its_end(difference.claimed, claim, words, _sentences(a)))
        or (kind in ("quantity", "entity") and _some_of_them(difference.claimed, words))
        or (kind in ("date", "entity") and _in_season(difference.claimed, claim, words))
        or (kind == "polarity" and of_another(difference.claimed, claim, words, _sentences(a)))
        or (kind in ("quantity", "entity") and waived_case(difference.claimed, claim, words))
        or (kind in _OF_A_CASE and _told_beside(difference, claim, words, a))
    )


_STATED = frozenset({"polarity", "opposite", "modality"})
_OF_A_VALUE = frozenset({"quantity", "entity"})


_TURNED = frozenset({"polarity", "modality", "opposite", "condition", "exception"})


def _in_that_period(difference: Difference, claim: str, a: Alignment) -> bool:
    """Tell whether a claim has another period than a statement, and one with its figure has that: a monthly limit."""
    period = _PERIOD.fullmatch(difference.claimed)
    if period is None:
        return False
    figures = {mark.text for mark in marks_of(claim) if mark.text[0].isdigit()}
    names = {period["of"].lower(), _ADVERBS.get(period["of"].lower(), "")}
    return bool(figures) and any(
        figures <= {mark.text for mark in marks_of(each)} and not names.isdisjoint(glance(each))
        for each in _sentences(a)
    )


_PERIOD = re.compile(r"(?:an?|per|each|every) (?P<of>hour|day|week|month|quarter|year)", re.IGNORECASE)
_ADVERBS = {
    "hour": "hourly", "day": "daily", "week": "weekly", "month": "monthly", "quarter": "quarterly", "year": "annual",
}  # fmt: skip


def _taken_as_given(difference: Difference, claim: str, told: str) -> bool:
    """Tell whether one has somebody take what the other says is given, by nobody named: buy what is sold."""
    if not (is_transfer(difference.claimed) and is_transfer(difference.told)):
        return False
    return _given_by_none(difference.told, told) or _given_by_none(difference.claimed, claim)


def _given_by_none(verb: str, text: str) -> bool:
    texts = [mark.text for mark in marks_of(text)]
    at = texts.index(verb.lower()) if verb.lower() in texts else 0
    return "by" not in texts[at:] and at > 0 and texts[at - 1] in _BEING


_BEING = word_set("is are was were be been being only also")


def _denied_of_others(claim: str, told: str) -> bool:
    """Tell whether a claim denies of one what is told of another: viewers can't, where editors can."""
    ours, theirs = (negations(marks_of(text[behind_particle(text) : LONGEST])) for text in (claim, told))
    return ours % 2 == 1 and theirs == 0


def _of_another_member(claim: str, told: str, question: str) -> bool:
    """Tell whether a claim denies of what is asked what is told of another one of its kind: no, that is for Gold."""
    if _NO.match(claim) is None:
        return False
    ours, theirs, asked = (
        {word: word_of(word) for word in glance(text[:LONGEST].lower())}
        for text in (claim[behind_particle(claim) :], told, question)
    )
    others = [word for word in ours.keys() & theirs.keys() - asked.keys() if ours[word].members]
    own = [each for word, each in asked.items() if each.members and word not in theirs]
    return any(excludes(ours[word], each) for word in others for each in own)


def _but_so(claim: str, told: str) -> bool:
    """Tell whether a claim says what is told behind a "not ... but": "not in the glass bin but in residual waste"."""
    found = _NOT_BUT.search(told[:LONGEST])
    if found is None:
        return False
    named, denied = content(marks_of(found["so"])), content(marks_of(found["not"]))
    there = keys_of_text(claim)
    return held(named, there) == 1 and bool(named) and held(denied[-len(named) :], there) < 1


_NOT_BUT = re.compile(r"\b(?:not|never)\b(?P<not>[^,;.]{2,80}?),? but (?P<so>[^,;.]{2,60})", re.IGNORECASE)


def _on_other_days(claim: str, told: str) -> bool:
    """Tell whether one denies of some days of the week what the other says of others: not on Sunday, on Mondays."""
    ours, theirs = (
        {day for days, _, _ in spoken(text[:LONGEST]) for day in days}
        for text in (claim[behind_particle(claim) :], told)
    )
    return bool(ours) and bool(theirs) and ours.isdisjoint(theirs)


def _denied_beyond(claim: str, told: str) -> bool:
    """Tell whether a claim denies of one side of a bound what is told of the other side alone."""
    stated = claim[behind_particle(claim) :]
    if _ONLY.search(told[:LONGEST]) is None or DENIED.search(stated.lower()) is None or DENIED.search(told.lower()):
        return False
    return bool(_on_other_sides(stated, told))


def _smaller_ones(claim: str, told: str) -> bool:
    """Tell whether what is told goes on with the other side of its bound: "smaller orders cost 5 EUR"."""
    bounded = _on_other_sides(claim, told)
    other = _SMALLER.search(told[:LONGEST])
    if not bounded or other is None:
        return False
    its = quantities_in(told[other.start() : LONGEST], "en")
    rest = [each for each in quantities_in(claim, "en") if each not in bounded]
    return bool(rest) and all(any(_same(one, two) for two in its) for one in rest)


def _on_other_sides(claim: str, told: str) -> list[Quantity]:
    """Return the values of a claim that stand in what is told, too, with a bound to the other side."""
    its = quantities_in(told[:LONGEST], "en")
    return [one for one in quantities_in(claim, "en") if any(_same(one, two) and _apart(one, two) for two in its)]


def _apart(one: Quantity, other: Quantity) -> bool:
    return one.bound[:1] in "<>" and other.bound[:1] in "<>" and one.bound[:1] != other.bound[:1]


_ONLY = re.compile(r"\b(?:only|solely|exclusively)\b", re.IGNORECASE)
_SMALLER = re.compile(
    r"\b(?:smaller|larger|shorter|longer|lower|higher|lighter|heavier|younger|older|cheaper|bigger|later|earlier|other)"
    r" (?:ones?|[a-z]{3,20})\b",
    re.IGNORECASE,
)


def _between(claim: str, told: str) -> bool:
    """Tell whether one speaks of the time between two points and the other of that before the one and after the other.

    "Between 9 am and 7 pm hoses are not allowed", where they are before 9 am and after 7 pm.
    """
    ours, theirs = claim[behind_particle(claim) :].lower(), told[:LONGEST].lower()
    for inside, outside in ((ours, theirs), (theirs, ours)):
        if "between" in inside and "between" not in outside and _LATE.search(outside) and _EARLY.search(outside):
            mine, its = quantities_in(inside, "en"), quantities_in(outside, "en")
            values = [bound for each in mine for bound in (each.value, each.upper) if bound is not None]
            return len(values) > 1 and all(any(each.value == value for each in its) for value in values)
    return False


def _on_one_side(claim: str, told: str) -> bool:
    """Tell whether each time of a claim stands on the same side as in what is told: until 9 am, again from 7 pm."""
    its = quantities_in(told[:LONGEST], "en")
    sides = []
    for value in quantities_in(claim, "en"):
        same = next((each for each in its if each.dimension in _POINTS and _same(value, each)), None)
        if value.dimension not in _POINTS or same is None:
            return False
        sides.append((_side(claim, value), _side(told, same)))
    return len(sides) > 1 and all(one == other != 0 for one, other in sides)


_TO = re.compile(r"\b(?:to|through|and|-|\u2013)\s[^\s]{0,12}$|\d\D{0,8}\b(?:to|through|and)\b")
"""What stands before the end of a range."""
_POINTS = frozenset({"clock", "date"})
_BEFORE_VALUE = 16
"""Characters before a value among which the word stands that tells its side."""


def _side(text: str, value: Quantity) -> int:
    """Return 1 for what begins at a value, -1 for what ends there, 0 where that is not told."""
    before = text[max(0, value.start - _BEFORE_VALUE) : value.end].lower()
    if _TO.search(before):
        return -1
    late = max((found.start() for found in _LATE.finditer(before)), default=-1)
    early = max((found.start() for found in _EARLY.finditer(before)), default=-1)
    return (late > early) - (late < early)


def _not_before(claim: str, told: str) -> bool:
    """Tell whether one forbids a thing before another, and the other tells of them the other way round.

    "Do not book before it is approved" and "do not book until it is approved" are what "it is approved before booking"
    and "booking is possible only after it is approved" say.
    """
    ours, theirs = claim.lower(), told[:LONGEST].lower()
    allowed, forbidden = _ONLY_AFTER.search(theirs), _DENIED_UNTIL.search(ours)
    if allowed is not None and forbidden is not None and DENIED.search(theirs[: allowed.start()]) is None:
        return held(content(marks_of(ours[forbidden.end() :])), keys_of_text(theirs[allowed.end() :])) >= TOLD
    mine, its = (
        _DENIED_UNTIL.search(ours) or _BEFORE.search(ours),
        _DENIED_UNTIL.search(theirs) or _BEFORE.search(theirs),
    )
    if mine is None or its is None:
        return False
    first, behind = ours[: mine.start("at")], content(marks_of(ours[mine.end() :]))
    other, rest = theirs[: its.start("at")], theirs[its.end() :]
    if (DENIED.search(first) is None) == (DENIED.search(other) is None):
        return False
    return held(behind, keys_in(marks_of(other))) >= TOLD > held(behind, keys_in(marks_of(rest)))


_BEFORE = re.compile(r"\b(?P<at>before)\b")
_DENIED_UNTIL = re.compile(r"(?:\b(?:not|never|cannot|nobody|no)\b|n't\b)[^,;:]{1,80}?\b(?P<at>until|unless|before)\b")
_ONLY_AFTER = re.compile(r"\bonly (?:after|once|when|if)\b")


def _some_of_them(claimed: str, told: str) -> bool:
    """Tell whether what is told counts as many by a pronoun: "12 shelves, and each renter may use 2 of them"."""
    counted = next(iter(quantities_in(claimed, "en")), None)
    if counted is None or counted.dimension != "count":
        return False
    return any(
        each.dimension == "count" and each.amount == counted.amount and _OF_THEM.match(told, each.end)
        for each in quantities_in(told[:LONGEST], "en")
    )


_OF_THEM = re.compile(r"\sof (?:them|these|those)\b")


def _in_season(claimed: str, claim: str, told: str) -> bool:
    """Tell whether what differs is a month that the other text has between two: July of "June to August".

    A claim that begins or ends a period with it tells of no case: "from 1 July".
    """
    months = months_in(f"in {claimed}")
    between = bool(months) and not any(map(str.isdigit, claimed)) and months <= months_in(told)
    return between and re.search(rf"{_EDGE}{re.escape(claimed)}\b", claim, re.IGNORECASE) is None


_EDGE = r"\b(?:from|until|till|to|through|between)\s(?:the\s)?(?:\d{1,2}(?:st|nd|rd|th)?\s(?:of\s)?)?"


def _ends_there(difference: Difference, claim: str, told: str) -> bool:
    """Tell whether one tells of the end of what the other tells of the beginning: open until noon, closed from noon."""
    part = _part_of(told[:LONGEST], claim)
    if difference.kind == "opposite":
        shown, against = claim.lower(), part
    else:
        shown, against = difference.claimed.lower(), difference.told.lower()
    sides = [(_EARLY.search(each) is not None, _LATE.search(each) is not None) for each in (shown, against)]
    if difference.kind != "opposite" and (sides[0] == sides[1] or any(all(each) or not any(each) for each in sides)):
        return False
    values, its = quantities_in(claim, "en"), quantities_in(told[:LONGEST], "en")
    if not values or not all(any(_same(one, two) for two in its) for one in values):
        return False
    if difference.kind == "opposite":
        return sides[0][0] != sides[1][0] and (_OVER.search(claim) is None) != (_OVER.search(part) is None)
    return (_ENDS.search(claim.lower()) is None) != (_ENDS.search(part) is None)


def _is_rest(difference: Difference, claim: str) -> bool:
    """Tell whether what looks like leaving is what remains: "you'd be left with 25 credits"."""
    return difference.claimed.lower() == "left" and _LEFT_WITH.search(claim) is not None


_LEFT_WITH = re.compile(r"\bleft with (?:only |just |exactly )?[$\u20ac\u00a3]?\d", re.IGNORECASE)


def _told_of_its_part(difference: Difference, claim: str, told: str) -> bool:
    """Tell whether a sentence says of the case of a claim what it does, and the opposite of another one.

    "The card costs 30 EUR; it is free for pupils" says of pupils what a claim does for whom it is free.
    """
    ours, theirs = (content(marks_of(word)) for word in (difference.claimed, difference.told))
    if not ours or not theirs:
        return False
    parts = [(part, keys_in(marks_of(part))) for part in _PARTS.split(told[:LONGEST].lower())]
    own = [(part, keys) for part, keys in parts if held(ours[:1], keys) == 1]
    if len(own) != 1 or held(theirs[:1], own[0][1]) == 1:
        return False
    ((part, here),) = own
    others = frozenset[WordKey]().union(*(keys for _, keys in parts if keys is not here))
    shown = {mark.text for mark in ours}
    named = [mark for mark in nouns(content(marks_of(claim))) if mark.text not in shown]
    mine = [mark for mark in named if others.isdisjoint(mark.keys) and not here.isdisjoint(mark.keys)]
    # What "it" stands for is named in a part before.
    refers = parts[0][0] != part and _REFERS.search(part) is not None
    return bool(mine) and all(
        refers or not here.isdisjoint(mark.keys) or others.isdisjoint(mark.keys) for mark in named
    )


def _part_of(told: str, claim: str) -> str:
    """Return the part of a sentence that has most of the words of a claim, in lower case."""
    named = content(marks_of(claim))
    return max(_PARTS.split(told.lower()), key=lambda part: hits(named, keys_in(marks_of(part))))


_PARTS = re.compile(r"[,;:]\s|\s(?:and|but|while|whereas)\s")


def _other_side(claim: str, told: str) -> bool:
    """Tell whether a claim tells of the time from when on, and the other of that until then: from, until departure."""
    ours, theirs = _LATE.search(claim.lower()), _EARLY.search(told[:LONGEST].lower())
    if ours is None or theirs is None or _EARLY.search(claim.lower()) or _LATE.search(told[:LONGEST].lower()):
        return False
    anchor = content(marks_of(claim[ours.end() :]))[:ANCHOR]
    there = keys_in(marks_of(told[theirs.end() : LONGEST]))
    return held(anchor, there) >= HALF


ANCHOR, HALF = 2, 0.5
"""Words behind "from" or "after" that name a point in time, and the share of them that the other text must have."""


def _advises(claim: str, told: str, question: str) -> bool:
    """Tell whether a claim says no to the question whether something is a duty that is only recommended."""
    asked = DUTY.search(question[:LONGEST]) is not None and _NO.match(claim) is not None
    return asked and _ADVICE.search(told[:LONGEST]) is not None and DUTY.search(told[:LONGEST]) is None


def _told_beside(difference: Difference, claim: str, told: str, a: Alignment) -> bool:
    """Tell whether the sentence beside the one that differs says it of the case that a claim speaks of.

    "Domestic parcels are held for 10 days. International ones are held for 21" says how long international parcels are.
    """
    stated = claim[behind_particle(claim) :]
    part = part_of(stated)
    named = content(marks_of(stated))
    values = quantities_in(stated, "en")
    here = keys_in(marks_of(told))
    heads = [word for word in part.words[: part.head] if word.keys[0] not in here]
    if not heads or not named:
        return False
    for beside in _neighbours(told, a):
        marks = marks_of(beside)
        there = keys_in(marks)
        if _REFERS.search(beside) is None or any(word.keys[0] not in there for word in heads):
            continue
        if held(named, here | there) < TOLD or negations(marks) != negations(marks_of(stated)):
            continue
        its = quantities_in(beside[:LONGEST], "en")
        if values and all(any(_same(one, two) for two in its) for one in values):
            return True
        if not values and held(content(marks_of(difference.claimed)), there) >= TOLD:
            return True
    return False


def _sentences(a: Alignment) -> Iterator[str]:
    return (each.words for source in a.context.sources for each in source.sentences[:MOST])


def _neighbours(told: str, a: Alignment) -> Iterator[str]:
    """Yield the sentences before and behind one of a context."""
    for source in a.context.sources:
        sentences = [each.words for each in source.sentences[:MOST]]
        for one, other in pairwise(sentences):
            if other == told:
                yield one
            if one == told:
                yield other


MOST = 400
"""Sentences of a source that are looked through."""


def _same(one: Quantity, other: Quantity) -> bool:
    return same_kind(one, other) and same_value(one, other)
