"""Absolutes of a claim against what a rule bounds, charges or demands: free, unlimited, at any time, regardless.

"There is no deadline for using them" is ruled out by "they must be used by 31 March", though no word of it is denied.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from scorers.statements.base import Difference, DifferenceKind
from scorers.statements.parallels import PERSONAL
from scorers.support.contraries.reading import (
    NEGATING,
    RuleClause,
    Ruled,
    RuleWord,
    ToldRule,
    clauses_in,
    content,
    held,
    keys_in,
    keys_of_text,
    marks_of,
    negations,
    nouns,
)
from scorers.text.glance import glance
from scorers.text.normalize import word_set

SURE = 0.75
"""How sure it is that a claim with such an absolute is wrong."""

ALIKE = 0.6
"""Share of what else a clause of a claim says that the statement which rules it out must have."""
HALF = 0.5
"""Share of what a rule excepts that a claim must have to be of that case."""
LEAST = 1
"""Words with content that a clause must have beside its absolute."""

_N = r"(?:\d[\d.,]{0,9}|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fourteen|twenty|thirty|sixty|ninety)"
_TIME = r"(?:second|minute|hour|day|night|week|month|year|semester|quarter|term)s?"
_WORKING = r"(?:working |business |calendar |full |more )?"
_SPAN = rf"{_N}[ -]{_WORKING}{_TIME}\b"
_CLOCK = (
    r"(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|june|july|august"
    r"|september|october|november|december|noon|midnight|\d{1,2}(?::\d\d)? ?[ap]\.?m)\b"
)
_MONEY = (
    r"(?:(?:\$|\u20ac|\u00a3|eur |usd |gbp |chf |\bfrancs? )\d|\d ?(?:\$|\u20ac|\u00a3|%|eur\b|usd\b|gbp\b|chf\b"
    r"|euros?\b|dollars?\b|pounds?\b"
    r"|cents?\b|francs?\b|kroner\b|percent\b)|(?:one|two|three|four|five|six|seven|eight|nine|ten|fifteen|twenty) "
    r"(?:euros?|dollars?|pounds?|cents?|francs?)\b)"
)


class _Absolute(NamedTuple):
    """What a claim says absolutely, what of a statement rules it out, and as which difference that is told."""

    kind: DifferenceKind
    words: frozenset[str]
    claimed: re.Pattern[str]
    told: re.Pattern[str]
    """``words`` are those without one of which no text has what a claim says."""


def _absolute(kind: DifferenceKind, words: str, claimed: str, told: str) -> _Absolute:
    return _Absolute(kind, word_set(words), re.compile(rf"\b(?:{claimed})\b"), re.compile(told))


_FREE = _absolute(
    "quantity",
    "free complimentary gratis nothing charge charges charged cost costs fee fees payment pay paying",
    r"free(?: of (?:any )?charge| of cost)?|complimentary|gratis|costs? (?:you )?nothing|cost-free"
    r"|at no (?:extra |additional |further )?(?:charge|cost)|(?:no|without(?: a| any)?) (?:extra "
    r"|additional )?(?:fees?|charges?|costs?|payment)"
    r"|nothing to pay|(?:do not|don't|doesn't|does not|need not|needn't|won't|will not) (?:have to |need to "
    r"|be )?(?:pay|cost|charged?)"
    r"(?: anything| a fee| for)?|not charged|pays? nothing|without paying",
    rf"{_MONEY}|\bpays?\b|\bcharged\b|\bat (?:your|their|his|her|its|the \w{{2,20}}'s) own expense|\bsurcharge\b",
)
_UNLIMITED = _absolute(
    "bound",
    "limit limits limitation limitations cap caps maximum ceiling unlimited limitless number limited capped "
    "restricted however amount as all",
    r"all (?:of )?(?:your|their|his|her|the) (?=\w+)"
    r"|no (?:upper |maximum |fixed |set )?(?:limits?|caps?|maximum|ceiling)|unlimited|limitless|without (?:any "
    r"|a )?limit(?:ation)?s?"
    r"|as (?:many|much|often|long|big|large|high) \w{0,15} ?as (?:you|they|he|she|one|people|members"
    r"|guests)(?: would|'d)? "
    r"(?:likes?|wants?|wish(?:es)?|pleases?|needs?|chooses?)|any number of|not (?:limited|capped|restricted)"
    r"|(?:isn't|aren't|is not|are not) (?:limited|capped|restricted)|however (?:many|much|long|often)|any amount",
    rf"\b(?:up to|at most|maximum|no more than|not more than|no longer than|only) (?:\w{{2,12}} ){{0,2}}{_N}\b"
    rf"|\blimit|\bcap(?:ped|s)?\b"
    rf"|\b(?:may|must|can|shall|should)(?: ?not) exceed|{_N} \w{{0,20}} ?(?:at (?:the )?most|maximum)"
    rf"|\bno \w{{2,15}} may exceed"
    rf"|\b(?:may|can) \w{{2,20}} (?:\w{{2,12}} )?{_N}\b|\btwice\b|\bonly once\b|\bonce (?:a|an|per|every)\b"
    r"|\b(?:may|can) (?:be )?\w{2,20} (?:\w{2,12} )?once\b"
    rf"|\b{_N} times\b",
)
_UNTIMED = _absolute(
    "bound",
    "deadline deadlines expiry expiration time due end cut cutoff expire expires lapse lapses run anytime "
    "whenever indefinitely forever permanently ever life good notice last any clock 24",
    r"no (?:fixed |set |particular |real )?(?:deadlines?|expiry(?: date)?|expiration(?: date)?|time limits?|due date"
    r"|end date|cut-?off)"
    r"|(?:never|don't|doesn't|do not|does not|won't|will not|no longer) (?:ever )?(?:expires?|lapses?|run out|end)"
    r"|(?:at )?any ?time|anytime|whenever (?:you|they|he|she)(?: would|'d)? (?:like|want|wish|please|choose)s?"
    r"|indefinitely|forever|for ever|permanently|for good|(?:valid|good|lasts?|last) for life"
    r"|without (?:a |any )?(?:deadline|time limit|notice)|no notice(?: period)?|at short notice"
    r"|at the last (?:minute|moment)"
    r"|at any (?:later )?(?:point|moment|stage|hour)|around the clock|24/7",
    rf"\b(?:by|before|until|till|from|between|after) (?:the )?(?:end of )?(?:\d{{1,2}}(?:st|nd|rd|th)? )?{_CLOCK}"
    rf"|\bwithin (?:the )?(?:\w{{2,12}} )?{_SPAN}"
    rf"|\bdeadline\b|\b(?:no|not) later than\b|\bat the latest\b|\bexpires?\b|\blapses?\b|{_SPAN} (?:before"
    rf"|in advance|ahead|prior|notice)"
    rf"|{_SPAN}'? notice|\b(?:up to|until|for|after|at least|at most|minimum of|maximum of|valid for) {_SPAN}"
    rf"|\bin advance\b"
    rf"|\bby the (?:end|\w{{2,12}} (?:day|of))\b|\b(?:only|not) (?:on|during|in|between)\b"
    r"|\bonly\W{0,2}$|\b(?:solely|exclusively)\b|\bin (?:an )?(?:emergency|emergencies|exceptional)\b",
)
_UNBOUNDED = _absolute(
    "bound",
    "minimum any regardless however matter age",
    r"no minimum(?: \w{2,12})?|any (?:amount|value|size|quantity|length|order)|regardless of (?:the |its "
    r"|their )?(?:amount|value|size|length|price|age|weight)"
    r"|however (?:small|short|little|young|old|heavy)|no matter how (?:small|short|little|young|old|heavy|much|many"
    r"|long|large|big)"
    r"|(?:at|of) any (?:age|size|value|weight)|no age limit",
    rf"\b(?:at least|minimum(?: \w{{2,12}})? of|minimum|above|over|more than|from|no less than|exceed\w{{0,3}}"
    rf"|older than|younger than|under|below"
    rf"|up to|aged|less than|(?:long|heavi|larg|small|short|light|high|low)e?r than) (?:the )?(?:age of )?"
    rf"(?:[$\u20ac\u00a3] ?)?(?:{_N}|an?\b)",
)
_AT_ONCE = _absolute(
    "bound",
    "immediately instantly instantaneous instantaneously away straightaway once same spot delay wait waiting first one"
    " soon",
    r"immediately|instantly|instantaneous(?:ly)?|right away|straight ?away|at once|on the same day|(?:the "
    r"|that )?(?:very )?same day|same-day|on the spot"
    r"|without (?:any |a )?(?:delay|wait(?:ing(?: period| time)?)?)|no waiting(?: period| time)?"
    r"|from (?:the )?(?:first day|day one)|as soon as (?!possible|practicable|feasible)",
    rf"\b(?:the )?next (?:working|business|calendar|following)? ?(?:day|week|month|quarter)\b|\bafter (?:a "
    rf"|the )?(?:\w{{2,12}} )?(?:of )?{_SPAN}"
    rf"|\btakes? (?:up to |about |around |between |at least )?(?:{_N} (?:to|and|-) )?{_SPAN}|\bwithin {_SPAN}"
    rf"|{_SPAN} (?:after|later|following|of waiting)"
    rf"|\bwaiting (?:period|time) of\b|\bin (?:about )?{_SPAN}|\bfollowing (?:month|week|year|day)\b|\bonly (?:from"
    rf"|after)\b|{_N} to {_SPAN}",
)
_CONDITION = (
    r"\bonly\b|\bif\b|\bprovided\b|\bunless\b|\bexcept\b|\bas long as\b|\bwhen\b|\bon condition\b|\bsubject to\b"
    rf"|\b(?:above|over|more than|at least|under|below) (?:[$\u20ac\u00a3] ?)?{_N}"
)
_REGARDLESS = _absolute(
    "condition",
    "regardless matter whether irrespective even without unconditionally case cases circumstances",
    r"regardless|no matter|whether or not|irrespective|even (?:if|when|without|though)|with or without"
    r"|whether(?=[^.;]{0,80}\bor\b)"
    r"|unconditionally|in (?:all|any|every) cases?|under all circumstances|without (?:any )?(?:conditions?"
    r"|exceptions?)",
    _CONDITION,
)
_FREED = _absolute(
    "condition", "without", r"without (?:having to|needing|the need|first)", rf"{_CONDITION}|\bmust\b|\brequire[sd]?\b"
)
_SURELY = _absolute(
    "modality",
    "guarantee guarantees guaranteed automatic automatically certain certainly always assured",
    r"guarantees?|guaranteed|automatic(?:ally)?|certain(?:ly)? to|always (?:available|granted|approved)|assured",
    r"\bdepend(?:s|ing|ent)? (?:up)?on\b|\bsubject to\b|\b(?:if|when|where) available\b"
    r"|\bcannot (?:always )?be guaranteed\b|\bnot guaranteed\b"
    r"|\bon request\b|\bdiscretion\b|\bno guarantee\b|\bavailability\b|\bmay be (?:granted|refused|approved)\b"
    r"|\b(?:must|has to|have to|needs to) be (?:requested|approved|applied|renewed)\b|\bmanual(?:ly)?\b",
)
_EVERYBODY = _absolute(
    "scope",
    "all every any everyone everything everybody anyone anybody always everywhere anywhere whole whoever",
    r"(?:all|every|any)(?! (?:\w{2,12} )?(?:months?|years?|weeks?|days?|times?|hours?|semesters?|nights?)"
    r"|(?: the)? others?\b)|(?:everyone|everything|everybody|anyone|anybody)(?! else)|always|everywhere|anywhere"
    r"|the whole|whoever",
    r"\bonly\b|\belsewhere\b|\bother(?:s| \w{2,15})?\b(?! than)|\bexcept\b|\bunless\b|(?<!at )(?<!at the )\bmost\b"
    r"|\bsome\b|\bnot (?:all|every)\b|\bexcluding\b|\bapart from\b"
    rf"|\breserved for\b|\b(?:above|over|more than|exceeding|below|under|less than"
    rf"|(?:old|young|long|heavi|larg)e?r than) (?:[$\u20ac\u00a3] ?)?(?:{_N}|an?\b)",
)
_DAYS = r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekends?|weekdays?|working days?|business days?)"
_EVERY_DAY = _absolute(
    "scope",
    "every any all daily whenever",
    r"(?:on )?(?:every|any) day(?: of the week)?|all week|daily|whenever (?:you|they) (?:like|want|wish)|at any time",
    rf"\bonly (?:on |at |from )?{_DAYS}\b|\b{_DAYS}(?: \w+ {_DAYS})? only\b|\bon (?:weekdays|working days)\b",
)
_ANYBODY = _absolute(
    "scope",
    "everyone everybody anyone anybody whoever",
    r"(?:everyone|everybody|anyone|anybody)(?! else)|whoever",
    r"\b(?:may|can) be \w{2,15} by (?!any|every|all\b)\w{2,20}",
)

ABSOLUTES = (
    _FREE,
    _UNLIMITED,
    _UNTIMED,
    _UNBOUNDED,
    _AT_ONCE,
    _REGARDLESS,
    _FREED,
    _SURELY,
    _EVERYBODY,
    _EVERY_DAY,
    _ANYBODY,
)
_DENIED = re.compile(
    r"\b(?:not|no|never|isn't|aren't|cannot|can't|neither|nor|hardly|won't|rather than"
    r"|instead of)\s(?:\w{1,12}\s){0,2}$"
)
_OF_WORTH = word_set("cost costs charge charges charged fee fees pay pays paid price payment amount limit limits free")


def absolutes(claim: str, told: Sequence[ToldRule]) -> Iterator[Ruled]:
    """Yield what statements rule out of the absolutes of a claim.

    >>> told = [ToldRule(0, "Carried-over days must be used by 31 March.", 1.0, 0)]
    >>> [each.difference.kind for each in absolutes("Carried-over days never expire.", told)]
    ['bound']
    """
    said = glance(claim)
    possible = [absolute for absolute in ABSOLUTES if not absolute.words.isdisjoint(said)]
    if not possible:
        return
    lower = claim.lower()
    before: list[RuleWord] = []
    for clause, named, _, denied in clauses_in(claim):
        start = clause[0].start
        words = lower[start : clause[-1].end]
        for absolute in possible:
            found = absolute.claimed.search(words)
            if found is None or _DENIED.search(words, 0, found.start()):
                continue
            beside = [
                mark
                for mark in named
                if not found.start() <= mark.start - start < found.end() and mark.text not in _OF_WORTH
            ]
            if not PERSONAL.isdisjoint(mark.text for mark in clause):
                beside += before
            aside = f"{words[: found.start()]}{words[found.end() :]}"
            if absolute in _BESIDE and absolute.told.search(aside):
                continue
            if len(beside) >= LEAST:
                denials = denied - negations(marks_of(found.group()))
                yield from _ruled(absolute, found.group(), beside, denials, told)
        before = [mark for mark in nouns(named) if mark.text not in _OF_WORTH]


def _ruled(
    absolute: _Absolute, shown: str, beside: Sequence[RuleWord], denials: int, told: Sequence[ToldRule]
) -> Iterator[Ruled]:
    """Yield what rules out one absolute, unless a statement that says as much of the claim has it too."""
    against: list[tuple[float, ToldRule, str]] = []
    subject = nouns(beside)
    for each in told:
        text, whole = each.words.lower(), keys_of_text(each.words)
        if held(beside, whole) < ALIKE:
            continue
        alone = (RuleClause(marks_of(each.words), (), whole, 0),)
        for part, _, there, denied in alone if absolute in _WHOLE else clauses_in(each.words):
            words = text[part[0].start : part[-1].end] if part else ""
            own = held(beside, there)
            if own < ALIKE:
                continue
            if absolute.claimed.search(words):
                return
            ruling = absolute.told.search(words)
            if ruling is None or (absolute not in _WHOLE and denied != denials and _denied_outside(part) != denials):
                continue
            if _other_case(absolute, part, words[ruling.end() :], beside):
                return
            if not subject or held(subject, there) >= ALIKE:
                against.append((own, each, ruling.group()))
    if against:
        _, one, ruling_words = max(against, key=_share)
        yield Ruled(Difference(absolute.kind, shown, ruling_words, SURE), one.source, one.words)


def _of_exception(marks: Sequence[RuleWord], beside: Sequence[RuleWord]) -> bool:
    """Tell whether a claim has the words of the case that a rule excepts: "faulty" of "pay unless it is faulty"."""
    at = next((place for place, mark in enumerate(marks) if mark.text in _EXCEPTING), None)
    excepted = () if at is None else nouns(content(marks[at + 1 :]))
    return held(excepted, keys_in(beside)) >= HALF


_EXCEPTING = word_set("unless except")


def _denied_outside(marks: Sequence[RuleWord]) -> int:
    """Return how many words deny outside conditions: "it costs 80 EUR if the flat is not left clean" denies nothing."""
    found, inside = 0, False
    for mark in marks:
        inside = mark.text in _CONDITIONAL or (inside and mark.text != ",")
        found += not inside and mark.text in NEGATING
    return found


_CONDITIONAL = word_set("if unless when where")


def _other_case(absolute: _Absolute, marks: Sequence[RuleWord], behind: str, beside: Sequence[RuleWord]) -> bool:
    """Tell whether a claim has the words of another case of a rule: "above 60 euros or with a gift set"."""
    if absolute is _FREE:
        return _of_exception(marks, beside)
    if absolute is not _REGARDLESS:
        return False
    _, _, other = behind.partition(" or ")
    return not keys_in(beside).isdisjoint(keys_in(nouns(marks_of(other[:LONGEST_CASE]))))


LONGEST_CASE = 60


def _share(found: tuple[float, ToldRule, str]) -> float:
    return found[0]


_BESIDE = (_EVERYBODY, _AT_ONCE, _UNLIMITED)
"""Absolutes that say no more than a rule where what rules them out stands beside them."""
_WHOLE = (_REGARDLESS, _FREED, _EVERYBODY)
"""Absolutes that the condition or the case beside a statement rules out, wherever in it."""
