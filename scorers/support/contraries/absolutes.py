"""Absolutes of a claim against what a rule bounds, charges or demands: free, unlimited, at any time, regardless.

"There is no deadline for using them" is ruled out by "they must be used by 31 March", though no word of it is denied.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from scorers.statements.base import Difference
from scorers.statements.coordination import told_apart
from scorers.statements.parallels import PERSONAL
from scorers.statements.ties import LONGEST
from scorers.support.contraries.absolute_words import (
    ABSOLUTES,
    AT_ONCE,
    EVERYBODY,
    FREE,
    FREED,
    FULL,
    NONE,
    REGARDLESS,
    UNLIMITED,
    Absolute,
)
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

_DENIED = re.compile(
    r"\b(?:not|no|never|isn't|aren't|cannot|can't|neither|nor|hardly|won't|rather than"
    r"|instead of)\s(?:\w{1,12}\s){0,2}$"
)
_OF_WORTH = word_set(
    "cost costs charge charges charged fee fees pay pays paid price payment amount limit limits free needed required"
    " necessary payable mandatory stay stays get gets included allowed permitted"
)


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
    # "Are requested within 30 days and never exceed half": what is denied of one is denied of it alone.
    told = [one for each in told for one in (each, *(each._replace(words=part) for part in told_apart(each.words)))]
    lower = claim.lower()
    before: list[RuleWord] = []
    for clause, named, _, denied in clauses_in(claim):
        start = clause[0].start
        words = lower[start : clause[-1].end]
        for absolute in possible:
            found = absolute.claimed.search(words)
            if found is None or _DENIED.search(words, 0, found.start()):
                continue
            if found.group().startswith("any") and negations(marks_of(words[: found.start()])):
                continue  # "you need not show any of them"
            beside = [
                mark
                for mark in _but_included(clause, named, start + found.end())
                if not found.start() <= mark.start - start < found.end() and mark.text not in _OF_WORTH
            ]
            if not PERSONAL.isdisjoint(mark.text for mark in clause):
                beside += before
            aside = f"{words[: found.start()]}{words[found.end() :]}"
            if (absolute in _BESIDE and absolute.told.search(aside)) or (absolute is FREE and _PAYS.search(aside)):
                continue
            if absolute is AT_ONCE and _URGED.match(claim):
                continue
            if len(beside) >= LEAST:
                denials = denied - negations(marks_of(found.group()))
                yield from _ruled(absolute, found.group(), beside, denials, told)
        before = [mark for mark in nouns(named) if mark.text not in _OF_WORTH]


_URGED = re.compile(
    r"(?:please )?(?!(?:if|when|in|for|on|at|after|before|once|all|any|with|from|by|as|since|until|unless|and|or|but"
    r")\b)"
    r"[a-z]{3,12}(?<!s) (?:it|them|this|that|the|your|an?|any|all)\s",
    re.IGNORECASE,
)
"""A claim that tells somebody to do a thing at once keeps a rule by which it is to be done within some hours."""


def _but_included(marks: Sequence[RuleWord], named: Sequence[RuleWord], end: int) -> Sequence[RuleWord]:
    """Return the words of a clause without the case included behind an absolute: "at any time, including at night"."""
    cut = next((mark.start for mark in marks if mark.start >= end and mark.text in _INCLUDING), LONGEST)
    return [mark for mark in named if mark.start < cut]


_INCLUDING = word_set("including even")


def _ruled(
    absolute: Absolute, shown: str, beside: Sequence[RuleWord], denials: int, told: Sequence[ToldRule]
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
            if _says_as_much(absolute, words):
                return
            ruling = absolute.told.search(words)
            if ruling is None or (
                absolute not in _WHOLE and not _denies_as_much(denials, denied, part, ruling.group())
            ):
                continue
            if _other_case(absolute, part, words[ruling.end() :], beside):
                return
            if not subject or held(subject, there) >= ALIKE:
                against.append((own, each, ruling.group()))
    if against:
        _, one, ruling_words = max(against, key=_share)
        yield Ruled(Difference(absolute.kind, shown, ruling_words, SURE), one.source, one.words)


def _says_as_much(absolute: Absolute, words: str) -> bool:
    """Tell whether a rule says absolutely what a claim does; a room that is free costs something all the same."""
    if absolute is FREE:
        return bool(FREE.claimed.search(_IF_FREE.sub("", words)) or _WAIVED.search(words))
    if absolute is NONE and _NO_CHARGE.search(words):
        return True
    if absolute is FULL and _HUNDRED.search(words):
        return True
    return absolute.claimed.search(words) is not None


_HUNDRED = re.compile(r"\b100 ?(?:%|percent\b|per cent\b)")
_NO_CHARGE = re.compile(r"\b(?:no|without(?: any| a)?) (?:[a-z]{2,20} ){0,3}(?:charges?|requirements?|needs?)\b")
"""What a rule says of what is not charged or needed, with the word that elsewhere says that it is."""


def _denies_as_much(denials: int, denied: int, part: Sequence[RuleWord], ruling: str) -> bool:
    """Tell whether a clause denies as often as a claim, what rules it out ("no later than") or conditions aside."""
    return denials in (denied, denied - negations(marks_of(ruling)), _denied_outside(part))


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


def _other_case(absolute: Absolute, marks: Sequence[RuleWord], behind: str, beside: Sequence[RuleWord]) -> bool:
    """Tell whether a claim has the words of another case of a rule: "above 60 euros or with a gift set"."""
    if absolute is FREE:
        return _of_exception(marks, beside)
    if absolute is NONE:
        return any(mark.text in _OTHERS for mark in marks)
    if absolute is not REGARDLESS:
        return False
    _, _, other = behind.partition(" or ")
    return not keys_in(beside).isdisjoint(keys_in(nouns(marks_of(other[:LONGEST_CASE]))))


_IF_FREE = re.compile(r"\b(?:if|when|as long as|provided) [^,;]{2,30}? free\b")
_WAIVED = re.compile(r"\b(?:waive[ds]?|exempt(?:ed)?|refunded|reimbursed)\b")
_OTHERS = frozenset({"other", "others"})
LONGEST_CASE = 60


def _share(found: tuple[float, ToldRule, str]) -> float:
    return found[0]


_PAYS = re.compile(r"\b(?:pays?|charged)\b")
"""What follows on a free time: "after 18 hours without charge the tenant pays"."""
_BESIDE = (EVERYBODY, AT_ONCE, UNLIMITED)
"""Absolutes that say no more than a rule where what rules them out stands beside them."""
_WHOLE = (REGARDLESS, FREED, EVERYBODY)
"""Absolutes that the condition or the case beside a statement rules out, wherever in it."""
