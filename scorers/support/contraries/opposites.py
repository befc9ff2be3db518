"""A word of a claim where the statement that says the rest of it has the opposite: "closed" for "open"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from adapters.caching import cached, cached_by_text
from scorers.statements.base import Difference
from scorers.statements.lexicon.denials import PREFIXED
from scorers.statements.ties import WordKey, keys_of
from scorers.statements.words import relation, rooted, word_of
from scorers.support.contraries.lexicon import CONTRARY
from scorers.support.contraries.reading import (
    RuleClause,
    Ruled,
    RuleWord,
    ToldRule,
    clauses_in,
    held,
    hits,
    marks_of,
    negations,
    nouns,
)
from scorers.text.glance import glance
from scorers.text.normalize import word_set

SURE = 0.75
"""How sure it is that a claim with the opposite is wrong."""
ALIKE = 0.65
"""Share of what else the clause of a claim says that the clause with the opposite must have."""
NEARLY = 0.8
"""The same from where on a clause is a near copy."""
LEAST = 2
"""Words with content that both must have in common."""
_LOOSE = word_set(
    "after before above below over under more less most least first last up down in out from to get give take go come"
    " open opens opening close closes start starts begin begins end ends make long short high low new old early"
    " late same other work works right rights damage damages send receive own use used day night"
)
"""Words whose opposites stand beside each other in one rule, or are bounds."""


def opposites(claim: str, told: Sequence[ToldRule]) -> Iterator[Ruled]:
    """Yield words of a claim of which a statement that says the rest has the opposite.

    Statements are read only where one has an opposite of a word of the claim.

    >>> told = [ToldRule(0, "Other loans are renewed automatically.", 1.0, 0)]
    >>> [each.difference.told for each in opposites("Other loans are renewed manually.", told)]
    ['automatically']
    """
    turned = [_turned_in(each.words) for each in told]
    out = frozenset[WordKey]().union(*turned)
    asking = [mark for mark in marks_of(claim) if mark.keys and _may_be_turned(mark.text, out)]
    for clause in clauses_in(claim) if asking else ():
        if len(clause.named) <= LEAST:
            continue
        for mark in clause.named:
            if mark not in asking or not _tells(mark, claim):
                continue
            word, asked = word_of(mark.text), _asked_by(mark.text)
            turning = [
                each
                for each, its in zip(told, turned, strict=True)
                if not its.isdisjoint(asked) or word.bare in rooted(each.words)
            ]
            found = _opposed(mark, [each for each in clause.named if each is not mark], clause, told, turning)
            if found is not None:
                yield found


def _may_be_turned(text: str, out: frozenset[WordKey]) -> bool:
    """Tell whether a word is one whose opposite stands in a text, by ``out``, or one with "un" before it."""
    return not out.isdisjoint(_asked_by(text)) or bool(word_of(text).bare)


@cached(maxsize=8_192)
def _asked_by(text: str) -> tuple[WordKey, ...]:
    """Return what a word has to be among that of which a text has the opposite."""
    word = word_of(text)
    return (text, word.root, *word.concepts.items())


@cached_by_text(cost=14)
def _turned_in(text: str) -> frozenset[WordKey]:
    """Return what a word may be whose opposite stands in a text."""
    return frozenset[WordKey]().union(*map(_turned_by, glance(text)))


@cached(maxsize=8_192)
def _turned_by(run: str) -> frozenset[WordKey]:
    if run in _LOOSE and run not in _ACCESS:
        return frozenset()
    word = word_of(run)
    out: set[WordKey] = {(concept, -sign) for concept, sign in word.concepts.items()}
    out.update(CONTRARY.get(run, ()), CONTRARY.get(f"{run}'s", ()))
    if word.bare:
        out.add(word.bare)
    return frozenset(out)


def _opposed(
    mark: RuleWord, beside: Sequence[RuleWord], claim: RuleClause, told: Sequence[ToldRule], turning: Sequence[ToldRule]
) -> Ruled | None:
    """Return what speaks against a word in ``turning``, the statements that may, unless one of all has the word."""
    subject = nouns(beside)
    against = next(
        (
            Ruled(Difference("opposite", mark.text, other.text, SURE), each.source, each.words)
            for each in turning
            for words in _texts(each.words)
            for clause in clauses_in(words)
            if clause.denials == claim.denials
            and _alike(beside, subject, clause)
            and (other := _other(mark, clause, words, near=held(beside, clause.keys) >= NEARLY)) is not None
            and not _told_too(other, beside)
            and not _of_price(mark, claim, clause)
            and _conditional(mark, claim) == _conditional(other, clause)
            and not _denies(mark, claim, other)
            and not _denies(other, clause, mark)
        ),
        None,
    )
    if against is None:
        return None
    mine = set(keys_of(word_of(mark.text)))
    for each in told:
        for words in _texts(each.words):
            for clause in clauses_in(words):
                if not mine.isdisjoint(clause.keys) and _has(mark, mine, clause) and _beside(beside, clause):
                    return None
    return against


def _of_price(mark: RuleWord, claim: RuleClause, clause: RuleClause) -> bool:
    """Tell whether a word of paying stands with a figure that the clause has, too: "you pay 25 USD" for one of two."""
    figures = {each.text for each in claim.marks if each.text[0].isdigit()}
    return mark.text in _PAYING and bool(figures) and figures <= {each.text for each in clause.marks}


_PAYING = word_set("pay pays paid cost costs charge charged charges")


def _told_too(other: RuleWord, beside: Sequence[RuleWord]) -> bool:
    """Tell whether a claim has the word itself beside its opposite: "withdraw without giving a reason"."""
    root = word_of(other.text).root
    return any(word_of(each.text).root == root for each in beside)


def _texts(words: str) -> tuple[str, ...]:
    """Return a statement, and with its label as one with what it says: "late work: the mark is reduced"."""
    return (words, words.replace(":", " ")) if ":" in words else (words,)


def _has(mark: RuleWord, mine: set[WordKey], clause: RuleClause) -> bool:
    """Tell whether a clause has a word, not only what an "un" before it makes of it."""
    return any(not mine.isdisjoint(each.keys) and not _turned(mark, each) for each in clause.named)


def _turned(one: RuleWord, other: RuleWord) -> bool:
    """Tell whether one word is the other with an "un" before it: "worn" and "unworn"."""
    return one.text == f"{PREFIXED}{other.text}" or other.text == f"{PREFIXED}{one.text}"


def _tells(mark: RuleWord, text: str) -> bool:
    """Tell whether a word has one sense here: "open" where it is said of whom something is for, "closed to guests"."""
    return mark.text not in _LOOSE or (mark.text in _ACCESS and text[mark.end :].startswith(" to "))


_ACCESS = frozenset({"open", "closed"})


def _beside(beside: Sequence[RuleWord], clause: RuleClause) -> bool:
    """Tell whether a clause says what stands beside a word."""
    same = hits(beside, clause.keys)
    return same >= LEAST and same / len(beside) >= ALIKE


def _alike(beside: Sequence[RuleWord], subject: Sequence[RuleWord], clause: RuleClause) -> bool:
    return _beside(beside, clause) and (not subject or held(subject, clause.keys) >= ALIKE)


def _other(mark: RuleWord, clause: RuleClause, words: str, *, near: bool) -> RuleWord | None:
    """Return the word of a clause that rules a word out, if one does."""
    return next((m for m in clause.named if _tells(m, words) and _contrary(mark, m, near=near)), None)


def _denies(one: RuleWord, clause: RuleClause, other: RuleWord) -> bool:
    """Tell whether a word is denied where the other denies by itself: "not allowed" and "prohibited" say the same."""
    if not negations((other,)):
        return False
    at = clause.marks.index(one)
    return negations(clause.marks[max(0, at - _BEFORE) : at]) > 0


def _conditional(word: RuleWord, clause: RuleClause) -> bool:
    """Tell whether a word stands behind what sets a condition: "deleted unless we may keep it", "if a seat is free"."""
    before = [mark.text for mark in clause.marks[: clause.marks.index(word)]]
    setting = _SETTING | _SUPPOSING if word.text == "free" else _SETTING
    return any(text in setting for text in before)


_SETTING = frozenset({"unless", "except"})
_SUPPOSING = frozenset({"if", "when", "provided"})

_BEFORE = 3
"""Words before a word among which the one stands that denies it: "not be allowed"."""


def _contrary(one: RuleWord, other: RuleWord, *, near: bool) -> bool:
    """Tell whether two words rule one another out; in a near copy also what is an opposite in one sense alone."""
    sides = CONTRARY.get(one.text)
    if (sides is not None and other.text in sides) or _turned(one, other):
        return True
    return near and relation(word_of(one.text), word_of(other.text)) == -1
