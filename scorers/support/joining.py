"""Conditions that a sentence joins by "and" and a claim by "or", word for word the same besides."""

from __future__ import annotations

import re

from scorers.statements.base import Difference
from scorers.text.glance import glance
from scorers.text.normalize import word_set

SURE = 0.85
"""How sure it is that a claim is wrong that asks for one of two things where the sentence asks for both."""

_WORD = re.compile(r"[^\W_]+(?:['\u2019-][^\W_]+)*")
_JOINS = {("or", "and"), ("and", "or")}
_CONDITION = word_set("if unless provided when where only once both either must need needs requires require required")


def joined_otherwise(claim: str, sentence: str) -> Difference | None:
    """Return that a claim joins by the other word what a sentence asks for.

    >>> joined_otherwise("It is paid if you ask or we agree.", "It is paid if you ask and we agree.").kind
    'condition'
    >>> joined_otherwise("Tea or coffee is free.", "Tea and coffee is free.") is None
    True
    """
    mine, its = glance(claim), glance(sentence)
    if not any(one in mine and other in its for one, other in _JOINS):
        return None
    ours, theirs = (_WORD.findall(text.lower()) for text in (claim, sentence))
    if len(ours) != len(theirs):
        return None
    differing = [at for at, (one, other) in enumerate(zip(ours, theirs, strict=True)) if one != other]
    if len(differing) != 1:
        return None
    at = differing[0]
    pair = ours[at], theirs[at]
    if pair not in _JOINS or _CONDITION.isdisjoint(theirs[:at]):
        return None
    return Difference("condition", *pair, SURE)
