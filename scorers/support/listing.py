"""Which statements a sentence that lists values is to a claim: one for each, where the claim tells one and whose."""

from __future__ import annotations

import re

from scorers.statements.coordination import told_apart
from scorers.statements.gapping import spelled_out, values_told
from scorers.statements.lexicon.functions import MEASURES, NUMERALS
from scorers.support.alignment import Alignment
from scorers.text.normalize import STOP_WORDS, word_set
from scorers.text.stemming import stem

_LETTERS = re.compile(r"[^\W\d_]+(?:\d{1,3}\b)?")
_COUNTING = word_set("first second third one other further additional each every per total business working calendar")
_ORDINALS = frozenset(map(stem, word_set("first second third fourth fifth sixth last")))
_BEYOND = frozenset(map(stem, word_set("after each every further additional beyond")))
"""Words by which an ordinal counts what comes behind it: "each dog after the first"."""
_NO_NAMES = frozenset(map(stem, _COUNTING | NUMERALS | MEASURES | STOP_WORDS))
"""Words that name none of a list by themselves: "each dog after the first", "150 EUR a month"."""


def in_full(aligned: Alignment, words: str) -> tuple[str, ...]:
    """Return a statement, or those of each value that it lists where a claim tells and names one of them."""
    claim = aligned.claim.sentence.words
    listed = (_with_values(told_apart(words)) or spelled_out(words)) if values_told(claim) == 1 else ()
    if not listed:
        return (words,)
    terms = [{stem(word) for word in _LETTERS.findall(each.lower())} for each in listed]
    own = [each - set().union(*(other for other in terms if other is not each)) for each in terms]
    told = {stem(word) for word in _LETTERS.findall(claim.lower())}
    ordinals = told & _ORDINALS if told.isdisjoint(_BEYOND) else set()
    # "In their first year 900 EUR, in their second year 1,100 EUR": nothing else tells them apart.
    for naming in (told - _NO_NAMES, ordinals):
        named = [words for words, each in zip(listed, own, strict=True) if not each.isdisjoint(naming)]
        if named:
            break
    return listed if len(named) == 1 else (words,)


def _with_values(told: tuple[str, ...]) -> tuple[str, ...]:
    """Return the statements of a sentence if several of them have values: a claim may have that of another one."""
    return told if sum(values_told(each) > 0 for each in told) > 1 else ()
