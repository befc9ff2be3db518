"""Bounds of ages as people tell them: "free for under-18s", "up to the age of 18", "until they turn 18"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from scorers.statements.quantities.bounds import BoundWords
from scorers.statements.quantities.quantity import Comparator
from scorers.statements.quantities.text import TokenizedText
from scorers.text.normalize import word_set


class AgeBound(NamedTuple):
    """How an age is bounded, from which token on, and where the age itself ends."""

    bound: Comparator
    start: int
    end: int


_ARTICLES = frozenset({"the", "an"})
_AGE, _AGES = frozenset({"age", "ages"}), "ages"
_HYPHENS = frozenset("-\u2010\u2011")
_SIDES: dict[str, Comparator] = {"under": "<", "over": ">"}
_BEFORE_GROUPS = word_set("for the all to of and or are with by but if only , . : ; ( | \u2022")
"""What stands before people named by their ages: "for under 18s", and no response that takes "under 30s"."""
_BECOME = word_set("turn turns turned are is reach reaches reached become becomes 're")
_WHO = word_set("you they he she child children")
_WHOSE = word_set("their your his her the a child's")
_TURNING: dict[str, Comparator] = {
    "until": "<", "till": "<", "before": "<", "once": ">=", "after": ">=", "from": ">=", "when": ">=",
}  # fmt: skip
_LEAST = frozenset({("must", "be"), ("to", "be")})
_POINTS: dict[Comparator, Comparator] = {"after": ">=", "before": "<"}


def named_age(words: Sequence[str], at: int) -> int:
    """Return where "the age of" begins before a number at a token, the token itself where nothing does.

    >>> named_age("up to the age of 18".split(), 5)
    2
    """
    place = at - 1 - (at > 1 and words[at - 1] == "of")
    if place < 0 or words[place] not in _AGE:
        return at
    return place - (place > 0 and words[place - 1] in _ARTICLES)


def age_bound(words: Sequence[str], at: int, bounds: BoundWords) -> AgeBound | None:
    """Return how an age at a token is bounded by what stands before it, ``None`` of what is no age.

    >>> from scorers.statements.quantities.bounds import bounds
    >>> age_bound("valid until they turn 18".split(), 4, bounds("en"))
    AgeBound(bound='<', start=1, end=4)
    """
    first = named_age(words, at)
    if first < at:
        found = bounds.before(words, first)
        return None if found is None else AgeBound(_POINTS.get(found[0], found[0]), found[1], at)
    if at > 2 and words[at - 1] in _BECOME and words[at - 2] in _WHO and words[at - 3] in _TURNING:  # noqa: PLR2004
        return AgeBound(_TURNING[words[at - 3]], at - 3, at)
    if words[at + 1 : at + 2] == ["to"] and tuple(words[max(0, at - 2) : at]) in _LEAST:
        return AgeBound(">=", at - 2, at)  # "you must be 21 to enter"
    return None


def age_group(read: TokenizedText, at: int, end: int) -> AgeBound | None:
    """Return the bound of people named by their ages, of whom the number is at a token: "under-18s", "the over 65s"."""
    words = read.words
    if end >= len(words) or words[end] != "s" or not read.touching(end):
        return None
    joined = at > 1 and words[at - 1] in _HYPHENS
    side = at - 1 - joined
    if side < 0 or words[side] not in _SIDES:
        return None
    if not joined and side and words[side - 1] not in _BEFORE_GROUPS:
        return None
    return AgeBound(_SIDES[words[side]], side, end + 1)


def birthday(words: Sequence[str], at: int) -> AgeBound | None:
    """Return the bound of an age told by a birthday whose number is at a token: "until their 73rd birthday"."""
    if at > 1 and words[at - 1] in _WHOSE and words[at - 2] in _TURNING:
        return AgeBound(_TURNING[words[at - 2]], at - 2, at)
    return None
