"""Cases of a claim beside the bound of a rule: a child of five under "all aged six and over need a ticket".

Of a case that falls into the bound a claim must say what the rule says, of one that does not the opposite. A rule that
goes on with "later changes" or "above that" says itself what goes for the other side.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice, zip_longest
from typing import NamedTuple

from scorers.statements.base import Difference
from scorers.statements.quantities import Quantity
from scorers.statements.quantities.answering import falls, same_kind, same_value
from scorers.statements.quantities.rates import SECONDS
from scorers.statements.quantities.reading import quantities_in
from scorers.statements.quantities.worth import close, family, one_unit
from scorers.statements.ties import LONGEST
from scorers.statements.words import is_verb
from scorers.support.alignment import Alignment
from scorers.support.context import Context
from scorers.support.contraries.reading import RuleWord, clauses_in, held, hits, keys_in, keys_of_text, marks_of, nouns
from scorers.support.described import VALUES
from scorers.support.parity import CONDITIONED, ClauseParity, compared, named_in
from scorers.text.normalize import behind_particle, word_set

SURE = 0.7
"""How sure it is that a claim is wrong that says of its case what a rule says of the others."""
HELD, NEARLY = 0.6, 0.75
"""Share of what else a claim says that a rule must have to tell of its case, and to speak against it."""
MOST_SENTENCES = 400
"""Sentences of a context that are looked through."""
MOST_CASES = 4
"""Figures of a claim that are taken for cases: a table has more, and no sentence."""

_AGE = re.compile(r"[- ]old\b|\s?years? old\b")
_AGED = re.compile(r"\b(?:aged|age of|age)\s$", re.IGNORECASE)
_BEHIND = re.compile(
    r"\s?(?:[a-z]{2,12} )?(?:late|away|early|long|old|before|prior|in advance|ahead|overdue)\b|-[a-z]{3,}|[- ]old\b",
    re.IGNORECASE,
)
_BOUNDED = re.compile(
    r"\b(?:below|under|(?<!carry )(?<!carried )(?<!roll )over|above|least|most|up to|until|than|within|from|minimum"
    r"|maximum) (?:the |an? )?(?:age )?(?:of )?$",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"\b(?:an?|the|your|any|each|every)\s$", re.IGNORECASE)
_NOUN = re.compile(r"[- ][a-z]{3,}", re.IGNORECASE)
_OPENING = re.compile(r"(?:if|when|with|for|at|on|after|whoever|anyone|somebody|someone)\b[^,;:]{0,60}$", re.IGNORECASE)
_DESCRIBED = re.compile(
    r"\b(?:an?|any|each|every|your|the) (?:[a-z-]{2,20} )?(?P<of>[a-z-]{2,20})"
    r" (?:of|worth|costing|weighing|for|over|lasting|taking|with|that lasts|that costs|that weighs|after) "
    r"(?:(?:eur|usd|gbp|chf) |[$\u20ac\u00a3] ?)?$",
    re.IGNORECASE,
)
_BACKWARDS = re.compile(r"\s(?:before|prior|in advance|ahead|beforehand)\b", re.IGNORECASE)
_ONWARDS = re.compile(r"\s(?:after|following|from|since|afterwards)\b", re.IGNORECASE)
_BOOKED = re.compile(
    r"\b(?:book(?:ed|able|ings?)?|reserv(?:ed?|ations?)|schedul(?:ed?|ing)|order(?:ed)?|b(?:uy|ought)|sold|on sale)\b"
    r"(?! (?:may|can) be (?:cancelled|canceled|changed))[^;]{0,60}$",
    re.IGNORECASE,
)
"""What is done up to four weeks ahead is done no earlier; what is cancelled up to a day ahead, no later."""
_INWARDS = ("within", "less", "under", "fewer")
_OTHER_SIDE = re.compile(
    r"^(?:later|longer|larger|bigger|heavier|older|younger|smaller|shorter|higher|lower|further|greater|earlier"
    r"|others?|otherwise|after(?:wards| that)|any(?:thing|one) (?:else|above|over|later|longer|more))\b"
    r"|\b(?:everything|everyone|everybody|anything|all) (?:else|above|over|others?)\b|\ball the (?:rest|others?)\b"
    r"|\bfor (?:later|longer|larger|bigger|heavier|older|younger|smaller|shorter|higher|lower|greater|other)"
    r" [a-z]{3,20}\b"
    r"|\b(?:above|over|beyond|below|under|after|past|exceeding|outside|more than|less than)"
    r" (?:that|this|it|these|those)\b",
    re.IGNORECASE,
)
_MEASURED = frozenset({"time", "working time", "money", "mass", "length", "area", "volume", "data", "percent", "count",
                       "temperature"})  # fmt: skip
_YEAR = "year"


class Bracketed(NamedTuple):
    """What a rule says of the case of a claim: it agrees, or ``difference`` tells what it says otherwise."""

    source: int
    words: str
    difference: Difference | None = None


class BoundedRule(NamedTuple):
    """A sentence with its source, the sentence behind it that tells of the other side, and the bound of a kind."""

    source: int
    words: str
    behind: str
    bound: Quantity


def bracketed(a: Alignment) -> Bracketed | None:
    """Return what the rules of a context say of the case that a claim describes by a figure; ``None`` of no case."""
    words = a.claim.sentence.words[:LONGEST]
    stated = _AGAINST.sub("", words[behind_particle(words) :])
    found = [each for each in quantities_in(stated, "en") if _plain(each, stated)]
    if not found or CONDITIONED.search(stated):
        return None
    clauses = clauses_in(stated)
    said: list[tuple[float, bool, Bracketed]] = []
    for case in found[:MOST_CASES]:
        others = [each for each in quantities_in(stated, "en") if each is not case and _counts(each)]
        own = next((each.marks for each in clauses if each.marks[-1].end >= case.end), ())
        thing = _thing(case, stated)
        marks = [m for m in own if not case.start <= m.start < case.end and not thing[0] <= m.start < thing[1]]
        described = _describes(case, stated)
        told = (_said(case, rule, marks, others, described=described) for rule in rules_of(a, case, stated))
        said += [(share, each.difference is None, each) for share, each in filter(None, told)]
    # What the owner orders above a sum is told of larger repairs, whatever the caretaker orders below.
    surest = max(said, key=_surest)[2] if said else None
    return None if surest is not None and surest.difference is not None and a.cases else surest


_AGAINST = re.compile(r", (?:and )?not (?:the|an?|your|its|for|at|as|in|to|by) [^,;:]{2,60}$")
"""What a claim sets its case against: "the current value, not the price of a new one"."""


def _surest(said: tuple[float, bool, Bracketed]) -> tuple[float, bool]:
    return said[:2]


_GIVEN = re.compile(r"\b(?:have|has|get|gets|got|had)\s{1,2}$", re.IGNORECASE)


def _thing(case: Quantity, text: str) -> tuple[int, int]:
    """Return where the noun stands that an age is told of: a rule names it by another one, "items" for a sofa."""
    before = _THING_AGED.search(text, 0, case.start)
    if before is not None:
        return before.span("of")
    found = _AGED_THING.match(text, case.end)
    if found is None or found["of"].lower() in _FINITE or is_verb(found["of"].lower()):
        return (0, 0)
    return found.span("of")


_AGED_THING = re.compile(r"[- ](?:years?[- ])?old (?P<of>[a-z]{3,20})(?![\w'\u2019])", re.IGNORECASE)
_THING_AGED = re.compile(
    r"\b(?:an?|your|the|my|any) (?P<of>[a-z]{3,20}) (?:that|which|who)(?: is|'s|'re| are) $", re.IGNORECASE
)
_FINITE = word_set(
    "can cannot may must shall will would should could need needs has have had does did are was were isn and but for"
    " with from who that which you they she gets get pays pay free only also never not"
)


def _plain(quantity: Quantity, text: str) -> bool:
    """Tell whether a figure is a value, and not itself a bound: "below the age of 26" is none."""
    if _BOUNDED.search(text, 0, quantity.start) is not None:
        return False
    if _GIVEN.search(text, 0, quantity.start) is not None and text[quantity.end :].startswith(" to "):
        return False  # "you have 30 days to ask"
    return quantity.bound in ("=", "after") and quantity.upper is None and quantity.dimension in _MEASURED


def _counts(quantity: Quantity) -> bool:
    """Tell whether a value must be that of the rule: "nothing" and "one" are said without a figure."""
    return quantity.amount > 1 and quantity.dimension != "frequency"


def _said(
    case: Quantity, rule: BoundedRule, marks: Sequence[RuleWord], others: Sequence[Quantity], *, described: bool
) -> tuple[float, Bracketed] | None:
    """Return what one rule says of a case, and the share of the claim's words that it has."""
    if _told((case,), f"{rule.words[: rule.bound.start]} {rule.words[rule.bound.end :]}"):
        return None  # the rule tells this value of something else
    inside = falls_into(case, rule)
    if not inside and rule.behind and (found := compared(marks, rule.behind)) is not None:
        named = named_in(marks)
        both = hits(named, found.clause.keys | keys_of_text(rule.words)) / len(named)
        if found.even and both >= HELD and _told(others, rule.behind) and _takes(rule.behind, marks):
            return both, Bracketed(rule.source, rule.behind)
    if inside and described and rule.behind and (other := _of_the_rest(case, rule, marks, others)) is not None:
        return other
    found = compared(marks, _without(rule))
    if found is None or not _told(others, rule.words) or found.share < HELD or not _enough(found, marks):
        return None
    if inside == found.even:
        agrees = (described and found.share >= NEARLY) or not inside
        return (found.share, Bracketed(rule.source, rule.words)) if agrees else None
    if found.share < NEARLY or not (described or inside) or rule.behind:
        return None
    difference = Difference("bound", case.told, rule.bound.told, SURE)
    return found.share, Bracketed(rule.source, rule.words, difference)


def _of_the_rest(
    case: Quantity, rule: BoundedRule, marks: Sequence[RuleWord], others: Sequence[Quantity]
) -> tuple[float, Bracketed] | None:
    """Return that a claim says of a case inside a bound what its rule says of the rest."""
    found, own = compared(marks, rule.behind), compared(marks, _without(rule))
    if found is None or not found.even or found.share < NEARLY or (own is not None and own.share >= found.share):
        return None
    if not _takes(rule.behind, marks) or not _told(others, rule.behind):
        return None
    difference = Difference("bound", case.told, rule.bound.told, SURE)
    return found.share, Bracketed(rule.source, rule.behind, difference)


def _takes(behind: str, marks: Sequence[RuleWord]) -> bool:
    """Tell whether a claim has what a sentence says of the other side, and not what stands in front of it."""
    other = _OTHER_SIDE.search(behind)
    if other is None:
        return False
    named = named_in(marks_of(f"{behind[: other.start()]} {behind[other.end() :]}"))
    there, things = keys_in(marks), nouns(named)
    return not named or held(named, there) >= TAKEN or (bool(things) and held(things, there) == 1)


TAKEN = 0.6
"""Share of what a sentence says of the other side that a claim must have."""


def _enough(found: ClauseParity, marks: Sequence[RuleWord]) -> bool:
    return found.common > 1 or found.common == len(named_in(marks))


def _told(others: Sequence[Quantity], words: str) -> bool:
    """Tell whether all other values of a claim are those of a sentence."""
    told = quantities_in(words[:LONGEST], "en")
    return all(any(_one_value(one, two) for two in told) for one in others)


def _one_value(one: Quantity, two: Quantity) -> bool:
    """Tell whether two values are one; an age is told without its unit as well."""
    if {one.dimension, two.dimension} == {"count", "time"} and _YEAR in (one.unit, two.unit):
        return close(one.amount, two.amount)
    return same_kind(one, two) and same_value(one, two)


def rules_of(a: Alignment, case: Quantity, stated: str) -> Iterator[BoundedRule]:
    """Yield the sentences that have one bound of the kind of a case."""
    for index, words, behind, bounded in a.context.once(_bounded):
        bounds = [
            each
            for each in bounded
            if _bounds(each, case, stated) and not _turned((stated, case.end), (words, each.end))
        ]
        # "Up to 80 EUR each, and at most 240 EUR a year": a single case falls under the first.
        single = [each for each in bounds if each.rate not in SECONDS]
        bounds = single if single and not case.rate else bounds
        if len({(each.value, each.bound) for each in bounds}) == 1:
            yield BoundedRule(index, words, behind if _OTHER_SIDE.search(behind) else "", bounds[0])


def _turned(claimed: tuple[str, int], told: tuple[str, int]) -> bool:
    """Tell whether of two figures one counts up to an event and the other from one: no case of the other's bound."""
    sides = [(bool(_BACKWARDS.match(text, at)), bool(_ONWARDS.match(text, at))) for text, at in (claimed, told)]
    return (sides[0][0] and sides[1][1]) or (sides[0][1] and sides[1][0])


def _bounded(context: Context) -> tuple[tuple[int, str, str, list[Quantity]], ...]:
    """Return the sentences of a context that have a bound: the source, the words, those behind, and the bounds."""
    found: list[tuple[int, str, str, list[Quantity]]] = []
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
        for words, behind in zip_longest(sentences, sentences[1:], fillvalue=""):
            bounds = [each for each in quantities_in(words, "en") if each.bound in _SIDES and each.upper is None]
            if bounds:
                found.append((index, words, behind, bounds))
    return tuple(found)


_SIDES = frozenset({"<", "<=", ">", ">="})


def _bounds(told: Quantity, case: Quantity, stated: str) -> bool:
    """Tell whether a bound is of what a case is measured by: an age is told without its unit as well."""
    if case.dimension == "time" and case.unit == _YEAR and _is_age(case, stated):
        return told.unit == _YEAR or (told.dimension == "count" and told.unit in ("", _PEOPLE))
    if family(told) != family(case):
        return False
    if case.dimension == "count":
        return not told.unit or not case.unit or told.unit in (case.unit, _PEOPLE)
    return one_unit(told, case) and (told.rate == case.rate or not told.rate or not case.rate)


_PEOPLE = "peopl"


def _is_age(case: Quantity, stated: str) -> bool:
    return _AGE.match(stated, case.end) is not None or _AGED.search(stated[: case.start]) is not None


def falls_into(case: Quantity, rule: BoundedRule) -> bool:
    """Tell whether a case falls into a bound; what is bounded before a date is bounded backwards."""
    told = rule.bound
    if told.dimension != case.dimension:
        case, told = (each._replace(dimension="count", value=each.amount, unit="", step=1.0) for each in (case, told))
    if told.bound in ("<", ">") and close(told.value, case.value):
        return False
    inwards = told.bound_word.lower().startswith(_INWARDS)
    backwards = _BACKWARDS.match(rule.words, told.end) and not _BOOKED.search(rule.words, 0, told.start)
    if told.bound == "<=" and not inwards and backwards:
        told = told._replace(bound=">=")
    return falls(case, told)


def _without(rule: BoundedRule) -> str:
    """Return the words of a rule with its bound left out, whose "no more than" denies nothing."""
    start, word = rule.bound.start, rule.bound.bound_word.lower()
    if word:
        before = rule.words.lower().rfind(word, 0, start)
        start = before if before >= 0 else start
    return f"{rule.words[:start]} {rule.words[rule.bound.end :]}"


def _describes(case: Quantity, text: str) -> bool:
    """Tell whether a figure tells whom or what a claim is about, and is not what is said of it."""
    before = text[: case.start]
    described = _DESCRIBED.search(before)
    if described is not None:
        return described["of"].lower() not in VALUES
    if _AGED.search(before) or _BEHIND.match(text, case.end) or _OPENING.match(before):
        return True
    return _ARTICLE.search(before) is not None and _NOUN.match(text, case.end) is not None
