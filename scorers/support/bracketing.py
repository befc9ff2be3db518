"""Cases of a claim beside the bound of a rule: a child of five under "all aged six and over need a ticket".

Of a case that falls into the bound a claim must say what the rule says, of one that does not the opposite. A rule that
goes on with "later changes" or "above that" says itself what goes for the other side.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from scorers.statements.base import Difference
from scorers.statements.quantities import Quantity
from scorers.statements.quantities.answering import same_kind, same_value
from scorers.statements.quantities.reading import quantities_in
from scorers.statements.quantities.worth import close
from scorers.statements.ties import LONGEST
from scorers.statements.words import is_verb
from scorers.support.alignment import Alignment
from scorers.support.bounded import OTHER_SIDE, BoundedRule, falls_into, is_age, rules_of
from scorers.support.contraries.reading import RuleWord, clauses_in, held, hits, keys_in, keys_of_text, marks_of, nouns
from scorers.support.described import VALUES
from scorers.support.parity import CONDITIONED, ClauseParity, compared, named_in, turns
from scorers.support.placements import placements
from scorers.text.normalize import behind_particle, word_set

SURE = 0.7
"""How sure it is that a claim is wrong that says of its case what a rule says of the others."""
HELD, NEARLY = 0.6, 0.75
"""Share of what else a claim says that a rule must have to tell of its case, and to speak against it."""
TAKEN = 0.6
"""Share of what a sentence says of the other side that a claim must have."""
MOST_CASES = 4
"""Figures of a claim that are taken for cases: a table has more, and no sentence."""

_BEHIND = re.compile(
    r"\s?(?:[a-z]{2,12} )?(?:late|away|early|long|old|before|after|ago|prior|in advance|ahead|overdue)\b|-[a-z]{3,}"
    r"|[- ]old\b",
    re.IGNORECASE,
)
_BOUNDED = re.compile(
    r"\b(?:below|under|(?<!carry )(?<!carried )(?<!roll )over|above|least|most|up to|until|than|within|from|minimum"
    r"|maximum) (?:the |an? )?(?:age )?(?:of )?$",
    re.IGNORECASE,
)
_AGO = re.compile(r"\sago\b")
_ARTICLE = re.compile(r"\b(?:an?|the|your|any|each|every)\s$", re.IGNORECASE)
_NOUN = re.compile(r"[- ][a-z]{3,}", re.IGNORECASE)
_OPENING = re.compile(r"(?:if|when|with|for|at|on|after|whoever|anyone|somebody|someone)\b[^,;:]{0,60}$", re.IGNORECASE)
_DESCRIBED = re.compile(
    r"\b(?:an?|any|each|every|your|the) (?:[a-z-]{2,20} )?(?P<of>[a-z-]{2,20})"
    r" (?:of|worth|costing|weighing|for|over|lasting|taking|with|that lasts|that costs|that weighs|after) "
    r"(?:(?:eur|usd|gbp|chf) |[$\u20ac\u00a3] ?)?$",
    re.IGNORECASE,
)
_PREMISE = re.compile(
    r"^(?:i|we|you|he|she|they|it|my|your|our|the|this|that|an?)\b[^,;:]{0,80}[,;]"
    r" (?:so|and so|therefore|hence|which means(?: that)?)\b",
    re.IGNORECASE,
)
"""A case told as a sentence of its own, from which the claim concludes: "my dog weighs 14 kg, so ..."."""
_THEREFORE = re.compile(r",?\s(?:so|therefore|hence|which means(?: that)?)\s", re.IGNORECASE)
_AGAINST = re.compile(r", (?:and )?not (?:the|an?|your|its|for|at|as|in|to|by) [^,;:]{2,60}$")
"""What a claim sets its case against: "the current value, not the price of a new one"."""
_WELL = re.compile(
    r"\b(?:is|are|would be|will be) (?:still )?(?:fine|okay|ok|in time|on time|early enough|soon enough)\b"
)
"""What says of a case that all is well with it, in words that no rule has."""
_TIED = re.compile(
    r"\s(?:after|from|since|following|before|ago|later|wide|long|high|tall|deep|thick|heavy)\b", re.IGNORECASE
)
_AFTER = re.compile(r"\b(?:after|since|from)\s$", re.IGNORECASE)
_GIVEN = re.compile(r"\b(?:have|has|get|gets|got|had)\s{1,2}$", re.IGNORECASE)
_AGED_THING = re.compile(r"[- ](?:years?[- ])?old (?P<of>[a-z]{3,20})(?![\w'\u2019])", re.IGNORECASE)
_THING_AGED = re.compile(
    r"\b(?:an?|your|the|my|any) (?P<of>[a-z]{3,20}) (?:that|which|who)(?: is|'s|'re| are) $", re.IGNORECASE
)
_MEASURED_THING = re.compile(
    r"\b(?:an?|your|the|my|any) (?P<of>[a-z]{3,20}) (?:that (?:is|measures) )?$", re.IGNORECASE
)
_SIZED = re.compile(r"\s(?:wide|long|high|tall|deep|thick)\b", re.IGNORECASE)
_GROUP = re.compile(
    r"\b(?:an?|any|each|every|your|the|our) (?:[a-z-]{2,20} )?(?P<of>group|class|team|party|family|crowd) of $",
    re.IGNORECASE,
)
"""People by their number, whom a rule names by another word."""
_COUNTED = re.compile(r"\s[a-z]{3,20}\b", re.IGNORECASE)
_FINITE = word_set(
    "can cannot may must shall will would should could need needs has have had does did are was were isn and but for"
    " with from who that which you they she gets get pays pay free only also never not"
)
_COSTS = word_set("cost costs pay pays paid charge charged charges")
_MEASURED = frozenset({"time", "working time", "money", "mass", "length", "area", "volume", "data", "percent", "count",
                       "temperature"})  # fmt: skip
_YEAR = "year"


class Bracketed(NamedTuple):
    """What a rule says of the case of a claim: it agrees, or ``difference`` tells what it says otherwise."""

    source: int
    words: str
    difference: Difference | None = None


class _Case(NamedTuple):
    """A figure of a claim that a bound may cover, and what a clause says of it.

    ``marks`` are the words of the clause beside the case, ``others`` its other values. ``described``: the figure tells
    whom or what the claim is about, and is not what is said.
    """

    value: Quantity
    marks: tuple[RuleWord, ...]
    others: tuple[Quantity, ...]
    described: bool


def bracketed(a: Alignment) -> Bracketed | None:
    """Return what the rules of a context say of the case that a claim describes by a figure; ``None`` of no case."""
    words = a.claim.sentence.words[:LONGEST]
    stated = _WELL.sub("", _AGAINST.sub("", words[behind_particle(words) :].lstrip()))
    limits = [(each.start, each.end) for each in placements(stated)]  # "the required two years" are no case
    found = [
        each
        for each in quantities_in(stated, "en")
        if _plain(each, stated) and not any(start <= each.start < end for start, end in limits)
    ]
    if not found or CONDITIONED.search(stated):
        return None
    said: list[tuple[float, bool, Bracketed]] = []
    for value in found[:MOST_CASES]:
        rules = tuple(rules_of(a, value, stated))
        said += _of_case(value, stated, rules) if rules else ()
    # What the owner orders above a sum is told of larger repairs, whatever the caretaker orders below.
    surest = max(said, key=_surest)[2] if said else None
    return None if surest is not None and surest.difference is not None and a.cases else surest


def _surest(said: tuple[float, bool, Bracketed]) -> tuple[float, bool]:
    return said[:2]


def _of_case(value: Quantity, stated: str, rules: Sequence[BoundedRule]) -> Iterator[tuple[float, bool, Bracketed]]:
    """Yield what rules say of a case, each with its share: where clauses follow that tell values, of all of them."""
    own, further = _cases(value, stated)
    later: list[tuple[float, bool, Bracketed]] = []
    for case in further:
        told = [(share, each.difference is None, each) for share, each in _answers(case, rules)]
        if not told and case.others:
            return  # a value that no rule tells of the case
        later += [max(told, key=_surest)] if told else []
    yield from (each for each in later if not each[1])
    if own is not None:
        for share, each in _answers(own, rules):
            yield share, each.difference is None, each
    elif later and all(agrees for _, agrees, _ in later):
        yield later[0]


def _answers(case: _Case, rules: Sequence[BoundedRule]) -> Iterator[tuple[float, Bracketed]]:
    yield from filter(None, (_said(case, rule) for rule in rules))


def _cases(value: Quantity, stated: str) -> tuple[_Case | None, list[_Case]]:
    """Return the case as the clause has it in which it stands, and as each clause behind it has it that has values.

    The first is ``None`` where that clause tells nothing but the case: "my dog weighs 14 kg, so it travels below".
    """
    clauses = [each.marks for each in clauses_in(stated)]
    at = next((at for at, marks in enumerate(clauses) if marks[-1].end >= value.end), len(clauses))
    others = [each for each in quantities_in(stated, "en") if each is not value and _counts(each)]
    premise = _PREMISE.match(stated)
    concluded = premise is not None and premise.end() > value.end
    concluded = concluded or any(
        _THEREFORE.search(stated, each.end) and value.end <= each.end for each in placements(stated)
    )
    thing, (start, end) = _thing(value, stated), _extent(value, stated)
    described = concluded or describes(value, stated)
    found: list[_Case] = []
    for place, marks in enumerate(clauses[at:]):
        first, last = (marks[0].start if place else 0), marks[-1].end
        its = tuple([each for each in others if first <= each.start < last])
        priced = any(each.dimension == "money" for each in its)
        beside = tuple([
            mark
            for mark in marks
            if not (start <= mark.start < end or thing[0] <= mark.start < thing[1] or (priced and mark.text in _COSTS))
        ])  # fmt: skip
        found.append(_Case(value, beside, its, described))
    own = found[0] if found and not concluded else None
    return own, [each for each in found[1:] if each.others or concluded]


def _extent(case: Quantity, text: str) -> tuple[int, int]:
    """Return where a case stands, with the noun that is counted, what is measured, or its tie to an event."""
    after = _AFTER.search(text, 0, case.start)
    start = case.start if after is None else after.start()
    if case.dimension == "count" and case.unit and (noun := _COUNTED.match(text, case.end)) is not None:
        return start, noun.end()
    tied = _TIED.match(text, case.end)
    return start, case.end if tied is None else tied.end()


def _thing(case: Quantity, text: str) -> tuple[int, int]:
    """Return where the noun stands of which an age or a number is told: a rule may name it by another one."""
    before = _THING_AGED.search(text, 0, case.start) or _GROUP.search(text, 0, case.start)
    if before is not None:
        return before.span("of")
    if _SIZED.match(text, case.end) and (before := _MEASURED_THING.search(text, 0, case.start)) is not None:
        return before.span("of")
    found = _AGED_THING.match(text, case.end)
    if found is None or found["of"].lower() in _FINITE or is_verb(found["of"].lower()):
        return (0, 0)
    return found.span("of")


def _plain(quantity: Quantity, text: str) -> bool:
    """Tell whether a figure is a value, and not itself a bound: "below the age of 26" is none."""
    bounded = _BOUNDED.search(text, 0, quantity.start) is not None or bool(quantity.bound_word)
    if bounded and quantity.bound_word.lower() != "after" and not _AGO.match(text, quantity.end):
        return False
    if _GIVEN.search(text, 0, quantity.start) is not None and text[quantity.end :].startswith(" to "):
        return False  # "you have 30 days to ask"
    return quantity.bound in ("=", "after") and quantity.upper is None and quantity.dimension in _MEASURED


def _counts(quantity: Quantity) -> bool:
    """Tell whether a value must be that of the rule: "nothing" and "one" are said without a figure."""
    return quantity.amount > 1 and quantity.dimension != "frequency"


def _said(case: _Case, rule: BoundedRule) -> tuple[float, Bracketed] | None:
    """Return what one rule says of a case, and the share of the claim's words that it has."""
    if _told((case.value,), f"{rule.words[: rule.bound.start]} {rule.words[rule.bound.end :]}"):
        return None  # the rule tells this value of something else
    inside = falls_into(case.value, rule)
    found = _compared(case, rule.beside, rule.words)
    if rule.behind and (other := _said_behind(case, rule, found, inside=inside)) is not None:
        return other
    if found is None or not _told(case.others, rule.words) or found.share < HELD or not _enough(found, case.marks):
        return None
    if inside == found.even:
        if inside and case.described and _from_behind(case, rule, found):
            return found.share, Bracketed(rule.source, rule.words, _difference(case, rule))
        agrees = (case.described and found.share >= NEARLY) or not inside
        return (found.share, Bracketed(rule.source, rule.words)) if agrees else None
    behind = _compared(case, rule.behind, rule.behind)
    also = behind is not None and behind.share >= found.share  # what is said may be what goes for the other side
    if found.share < NEARLY or not (case.described or inside) or also:
        return None
    return found.share, Bracketed(rule.source, rule.words, _difference(case, rule))


def _said_behind(
    case: _Case, rule: BoundedRule, found: ClauseParity | None, *, inside: bool
) -> tuple[float, Bracketed] | None:
    """Return what the sentence for the other side says of a case."""
    if found is not None and case.others and not _named_behind(rule):
        return _of_all_others(case, rule, found, inside=inside)
    behind = _compared(case, rule.behind, rule.behind)
    if behind is None:
        return None
    if inside:
        if case.described and _of_the_rest(case, rule, behind, found):
            return behind.share, Bracketed(rule.source, rule.behind, _difference(case, rule))
        return None
    named = named_in(case.marks)
    both = hits(named, behind.clause.keys | keys_of_text(rule.words)) / len(named) if named else 1.0
    fits = behind.even and both >= HELD and (found is None or behind.share >= found.share)
    if fits and _told(case.others, rule.behind) and _takes(rule, case):
        return both, Bracketed(rule.source, rule.behind)
    return None


def _compared(case: _Case, text: str, words: str) -> ClauseParity | None:
    """Return the clause of a text that has most of what a claim says of a case, which may be a value alone."""
    found = compared(case.marks, text) if text else None
    if found is not None or not text or not case.others or named_in(case.marks) or not _told(case.others, words):
        return found
    clause = max(clauses_in(text), key=lambda each: len(each.marks))
    return ClauseParity(clause, 1.0, 1, (), (turns(case.marks) + turns(clause.marks)) % 2 == 0)


def _of_all_others(
    case: _Case, rule: BoundedRule, found: ClauseParity, *, inside: bool
) -> tuple[float, Bracketed] | None:
    """Return what is said of a case where a rule goes on with a value for all others: "all others get 27"."""
    own, rest = _told(case.others, rule.words), _told(case.others, rule.behind)
    if not case.described or found.share < HELD or own == rest or (own and not found.even):
        return None
    words = rule.words if own else rule.behind
    return found.share, Bracketed(rule.source, words, None if own == inside else _difference(case, rule))


def _named_behind(rule: BoundedRule) -> list[RuleWord]:
    """Return what the sentence behind a rule names beside the other side and a price."""
    return [word for word in named_in(marks_of(OTHER_SIDE.sub(" ", rule.behind))) if word.text not in _COSTS]


def _from_behind(case: _Case, rule: BoundedRule, found: ClauseParity) -> bool:
    """Tell whether what a rule lacks of a claim is what it says of the other side: the library, and not the hall."""
    lacking = [word for word in named_in(case.marks) if found.clause.keys.isdisjoint(word.keys)]
    return found.share < 1 and bool(lacking) and bool(rule.behind) and held(lacking, keys_of_text(rule.behind)) == 1


def _difference(case: _Case, rule: BoundedRule) -> Difference:
    return Difference("bound", case.value.told, rule.bound.told, SURE)


def _of_the_rest(case: _Case, rule: BoundedRule, behind: ClauseParity, own: ClauseParity | None) -> bool:
    """Tell whether a claim says of a case inside a bound what its rule says of the rest."""
    if not behind.even or behind.share < NEARLY or (own is not None and own.even and own.share >= behind.share):
        return False
    return _takes(rule, case) and _told(case.others, rule.behind)


def _takes(rule: BoundedRule, case: _Case) -> bool:
    """Tell whether a claim has what the sentence behind a rule says of the other side, or a value of it alone."""
    behind, other = rule.behind, OTHER_SIDE.search(rule.behind)
    if other is None:
        return False
    if case.others and not _told(case.others, rule.words):
        return True
    named = named_in(marks_of(f"{behind[: other.start()]} {behind[other.end() :]}"))
    there, things = keys_in(case.marks), nouns(named)
    return not named or held(named, there) >= TAKEN or (bool(things) and held(things, there) == 1)


def _enough(found: ClauseParity, marks: Sequence[RuleWord]) -> bool:
    return found.common > 1 or found.common >= len(named_in(marks))


def _told(others: Sequence[Quantity], words: str) -> bool:
    """Tell whether all other values of a claim are those of a sentence."""
    told = quantities_in(words[:LONGEST], "en")
    return all(any(_one_value(one, two) for two in told) for one in others)


def _one_value(one: Quantity, two: Quantity) -> bool:
    """Tell whether two values are one; an age is told without its unit as well, and what was told before: "27"."""
    if {one.dimension, two.dimension} == {"count", "time"} and (_YEAR in (one.unit, two.unit) or not two.unit):
        return close(one.amount, two.amount)
    return same_kind(one, two) and same_value(one, two)


def describes(case: Quantity, text: str) -> bool:
    """Tell whether a figure tells whom or what a claim is about, and is not what is said of it."""
    before = text[: case.start]
    described = _DESCRIBED.search(before)
    if described is not None:
        return described["of"].lower() not in VALUES
    if _SIZED.match(text, case.end) and _MEASURED_THING.search(before):
        return True
    if is_age(case, text) or _BEHIND.match(text, case.end) or _OPENING.match(before):
        return True
    return _ARTICLE.search(before) is not None and _NOUN.match(text, case.end) is not None
