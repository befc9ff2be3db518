"""Conditions that a claim adds: "only if you hold a subscription", where the rule it tells sets no such condition.

A rule that is told with a further condition is another rule. What the claim says before its "only if" must be told,
and no word of the condition may stand where it is told, nor in the question.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from scorers.statements.base import Difference
from scorers.statements.ties import LONGEST, WordKey
from scorers.support.alignment import Alignment
from scorers.support.context import Context
from scorers.support.contraries.reading import (
    Ruled,
    RuleWord,
    ToldRule,
    content,
    held,
    hits,
    keys_of_text,
    marks_of,
)
from scorers.text.glance import glance
from scorers.text.normalize import word_set

SURE = 0.7
"""How sure it is that a claim is wrong that adds a condition."""
ALIKE = 0.5
"""Share of what a claim says under its condition that a statement must say."""
LEAST = 2
"""Words with content of a condition, and of what is said under it."""

_SETS = re.compile(
    r"\b(?:(?P<new>provided|providing|as long as|so long as|on (?:the )?condition)"
    r"|only (?:if|when|once|where|after|on|to|for|from|with|by))\b(?: that\b)?",
    re.IGNORECASE,
)
_SETTING = word_set("provided providing long condition only")
"""Words without one of which none is set."""


def restrictions(claim: str, question: str | None, a: Alignment, told: Sequence[ToldRule]) -> Iterator[Ruled]:
    """Yield the statement that says what a claim says, without the condition that the claim adds."""
    if _SETTING.isdisjoint(glance(claim)):
        return
    found = list(_SETS.finditer(claim[:LONGEST]))
    if len(found) != 1 or not found[0].start():
        return
    at = found[0]
    asked = keys_of_text(question[:LONGEST]) if question else frozenset()
    main = content(marks_of(claim[: at.start()]))
    case = content(marks_of(claim[at.end() : LONGEST]))
    if len(main) < LEAST or len(case) < LEAST or held(case, asked) > ALIKE:
        return
    telling = [each for each in told if held(main, keys_of_text(each.words)) >= ALIKE]
    if at["new"] and hits(case, a.context.once(_every)):
        return  # another sentence may set it
    if telling and not any(_sets(case, each, main, a.context) for each in telling):
        first = telling[0]
        yield Ruled(
            Difference("condition", claim[at.start() : LONGEST].strip(" ."), first.words, SURE),
            first.source,
            first.words,
        )


def _every(context: Context) -> frozenset[WordKey]:
    return frozenset().union(*[keys_of_text(each.words) for source in context.sources for each in source.sentences])


def _sets(case: Sequence[RuleWord], told: ToldRule, main: Sequence[RuleWord], context: Context) -> bool:
    """Tell whether a statement, or a sentence beside it that goes on with it, may set a condition."""
    if hits(case, keys_of_text(told.words)):
        return True
    sentences = context.sources[told.source].sentences
    for place in (told.at - 1, told.at + 1):
        if 0 <= place < len(sentences):
            beside = keys_of_text(sentences[place].words)
            goes_on = hits(main, beside) >= LEAST or not _REFERRING.isdisjoint(glance(sentences[place].words))
            if goes_on and held(case, beside) >= ALIKE:
                return True
    return False


_REFERRING = word_set("it they this these that those such otherwise")
