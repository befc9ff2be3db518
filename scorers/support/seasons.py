"""Months of a claim beside the seasons of its context: July is in "June to August", September is not."""

from __future__ import annotations

import re

from scorers.text.normalize import MONTHS, MONTHS_BESIDE_NUMBERS

_LONGEST = 600
_NAMES = "|".join(MONTHS)
_CLEAR = "|".join(name for name in MONTHS if name not in MONTHS_BESIDE_NUMBERS)
_UNCLEAR = "|".join(sorted(MONTHS_BESIDE_NUMBERS))
_MONTH = re.compile(
    rf"\b(?:(?P<clear>{_CLEAR})|(?:in|of|from|to|until|till|through|since|\d{{1,2}}) (?P<unclear>{_UNCLEAR}))\b",
    re.IGNORECASE,
)
_SEASON = re.compile(
    rf"\b(?P<first>{_NAMES})\b(?:\s\d{{1,2}})?\s{{0,2}}(?:to|until|till|through|[-\u2013\u2014])\s{{0,2}}"
    rf"(?:the end of\s)?(?:\d{{1,2}}\s)?(?P<last>{_NAMES})\b",
    re.IGNORECASE,
)


def months_in(text: str) -> frozenset[int]:
    """Return the months that a text names, 1 to 12, with those between the two of a season.

    >>> sorted(months_in("Ties need not be worn from November to January."))
    [1, 11, 12]
    >>> months_in("You may park here.")
    frozenset()
    """
    text = text[:_LONGEST]
    found: set[int] = set()
    for season in _SEASON.finditer(text):
        first, last = _number(season["first"]), _number(season["last"])
        found.update((first + step - 1) % 12 + 1 for step in range((last - first) % 12 + 1))
    found.update(_number(month["clear"] or month["unclear"]) for month in _MONTH.finditer(text))
    return frozenset(found)


def _number(name: str) -> int:
    return MONTHS[name.lower()]
