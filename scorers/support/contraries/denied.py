"""What a rule denies to those that a claim gives it to: "visiting readers cannot renew", "this does not go for X".

A denial that says who and what and nothing more goes for whatever else a claim says of the two.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from scorers.statements.base import Difference
from scorers.statements.lexicon.functions import GENERIC
from scorers.statements.parallels import DETERMINERS
from scorers.statements.ties import LONGEST, WordKey
from scorers.support.alignment import Alignment
from scorers.support.contraries.reading import (
    Ruled,
    RuleWord,
    ToldRule,
    content,
    held,
    keys_in,
    keys_of_text,
    marks_of,
    near,
    negations,
)
from scorers.text.glance import glance
from scorers.text.normalize import behind_particle, word_set

SURE = 0.8
"""How sure it is that a claim is wrong that gives to some what a rule denies them."""
ALIKE = 0.7
"""Share of what else a claim says that the statement before "this does not apply to them" must have."""
MOST_WORDS = 4
"""Words of those to whom a rule denies something."""

_CANNOT = re.compile(
    r"(?:^|[.;:!?]\s{1,3}|,\s{1,3}but\s|\sbut\s)(?P<who>[A-Za-z][^.,;:!?()]{2,60}?)\s"
    r"(?:(?P<freed>(?:do not|does not|don't|doesn't) (?:have|need) to|need not|needn't)|cannot|can't|can not|may not"
    r"|must not|(?:are|is) not (?:allowed|permitted|entitled) to)\s"
    r"(?P<does>[^.,;:!?()]{2,40}?)(?=[.;:!?]|$)"
)
_NOT_FOR = re.compile(
    r"(?:^|[.;,]\s{1,3}(?:but\s)?)(?:this|it|that|they|these)(?:\s[a-z]{2,15})?\s"
    r"(?:does not|doesn't|do not|don't|is not|isn't|are not|aren't)\s(?:apply|available|valid|go|hold|offered|open"
    r"|granted|extend|meant)\s(?:to|for)\s"
    r"(?P<who>[^.,;:!?()]{2,60}?)(?=[.,;:!?]|$)",
    re.IGNORECASE,
)
_HELD_BACK = word_set(
    "unless except without if when until before after during than only while at on in by within for from with"
)
"""Words by which a denial goes for a case alone."""
_HEDGING = word_set("only unless except not no never nor without whether hardly than")
_SUPPOSING = word_set("if when provided once where")
_THEM = word_set("it them this these those that one")
_DEMANDING = word_set("must have need required")
_AFFIRMED = word_set("cannot not can't aren't isn't don't doesn't mustn't needn't can may are is do does")
_AFFIRMING = word_set("can may could able allowed permitted entitled")


def denied(claim: str, a: Alignment, told: Sequence[ToldRule]) -> Iterator[Ruled]:
    """Yield the statements that deny to those that a claim speaks of what it gives them."""
    marks = marks_of(claim)
    if negations(marks) or not _HEDGING.isdisjoint(glance(claim)):
        return
    here, supposing = keys_in(marks), any(mark.text in _SUPPOSING for mark in marks)
    for each in told:
        if not _may_deny(each):
            continue
        if not supposing or not _has_cases(each, told):
            yield from _cannot(marks, here, each, a, _AFFIRMING)
        if not supposing:
            yield from _not_for(marks, here, each)


def denied_so(a: Alignment) -> bool:
    """Tell whether a statement denies to those what a claim says that they may not do or do not get."""
    claim = a.claim.sentence.words[behind_particle(a.claim.sentence.words) : LONGEST]
    marks = marks_of(claim)
    if negations(marks) != 1:
        return False
    here, told, whole = keys_in(marks), near(a), _HELD_BACK.isdisjoint(glance(claim))
    return any(
        (whole and next(_cannot(marks, here, each, a, _AFFIRMED), None) is not None)
        or next(_not_for(marks, here, each), None) is not None
        for each in told
        if _may_deny(each)
    )


def _may_deny(told: ToldRule) -> bool:
    said = glance(told.words)
    return "not" in said or "cannot" in said or "t" in said


def _has_cases(denial: ToldRule, told: Sequence[ToldRule]) -> bool:
    """Tell whether another statement of those to whom something is denied speaks of a case."""
    who = content(marks_of(denial.words))[:2]
    others = [each.words for each in told if each.at != denial.at and held(who, keys_of_text(each.words)) == 1]
    return any(not (_HEDGING | _SUPPOSING).isdisjoint(glance(words)) for words in others)


def _cannot(
    marks: Sequence[RuleWord], here: frozenset[WordKey], told: ToldRule, a: Alignment, affirming: frozenset[str]
) -> Iterator[Ruled]:
    """Yield that those cannot do it at all: "agency workers may not drive them"."""
    for found in _CANNOT.finditer(told.words[:LONGEST]):
        who, does = content(marks_of(found["who"])), content(marks_of(found["does"]))
        low = glance(found["does"])
        if not who or not does or len(who) > MOST_WORDS or not _HELD_BACK.isdisjoint(low | glance(found["who"])):
            continue
        said = _DEMANDING if found["freed"] and affirming is _AFFIRMING else affirming
        if held(who, here) < 1 or held(does, here) < 1 or not _begins(marks, who, said):
            continue
        if not _light(found["who"], found["does"]) <= glance(" ".join([mark.text for mark in marks])):
            continue  # "a day ticket" is no week ticket, and what is not taken out is not what stays
        if not _THEM.isdisjoint(low) and not _names_it(marks, (*who, *does), told, a):
            continue
        yield Ruled(Difference("polarity", _shown(marks), found.group().strip(" .;:"), SURE), told.source, told.words)


def _light(*texts: str) -> frozenset[str]:
    """Return the words without content of those to whom something is denied, and of that: "day", "taken out"."""
    return frozenset([mark.text for text in texts for mark in marks_of(text) if not mark.keys]) - _THEM - _SMALL


_SMALL = DETERMINERS | word_set("of be to and or in on at for from with any by ' , not")


def _begins(marks: Sequence[RuleWord], who: Sequence[RuleWord], affirming: frozenset[str]) -> bool:
    """Tell whether a claim begins with those that it speaks of, and goes on with what they may do."""
    named = [at for at, mark in enumerate(marks) if mark.keys]
    ahead = [marks[at] for at in named[: len(who)]]
    if held(ahead, keys_in(who)) < 1:
        return False
    last = named[len(who) - 1]
    return any(mark.text in affirming for mark in marks[last + 1 : last + 4])


def _names_it(marks: Sequence[RuleWord], said: Sequence[RuleWord], told: ToldRule, a: Alignment) -> bool:
    """Tell whether a claim speaks of what "them" stands for: something of the sentence before."""
    sentences = a.context.sources[told.source].sentences
    if not 0 < told.at <= len(sentences):
        return False
    known = keys_in(said)
    thing = [mark for mark in content(marks) if known.isdisjoint(mark.keys)][:1]
    return held(thing, keys_of_text(sentences[told.at - 1].words)) == 1


def _not_for(marks: Sequence[RuleWord], here: frozenset[WordKey], told: ToldRule) -> Iterator[Ruled]:
    """Yield that what a statement says does not go for those: "this does not apply to students"."""
    for found in _NOT_FOR.finditer(told.words[:LONGEST]):
        who = content(marks_of(found["who"]))
        if not who or len(who) > MOST_WORDS or held(who, here) < 1 or not _HELD_BACK.isdisjoint(glance(found["who"])):
            continue
        known = keys_in(who)
        rest = [m for m in content(marks) if known.isdisjoint(m.keys) and m.text not in GENERIC]
        ahead = told.words[: found.start()]
        if rest and held(rest, keys_of_text(ahead)) >= ALIKE and not negations(marks_of(ahead)):
            difference = Difference("exception", _shown(marks), found.group().strip(" .;,"), SURE)
            yield Ruled(difference, told.source, told.words)


def _shown(marks: Sequence[RuleWord]) -> str:
    return " ".join(mark.text for mark in marks[:8])
