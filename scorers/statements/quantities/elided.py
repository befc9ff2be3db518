"""Numbers whose unit is told before, or behind: "180 dollars in Boston, 210 in York", "5 of your 8 remaining days"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from scorers.statements.quantities import Quantity

_BEFORE = re.compile(r"(?:[,;]|\b(?:and|or|but|than)\b)\s{0,2}(?:[\w'-]{1,20}\s){0,3}$", re.IGNORECASE)
"""What stands right before a number that goes on from another one: a new part of the sentence."""
_BEHIND = re.compile(r"\s{0,2}(?:[,;.()]|$|(?:in|for|on|at|to|from|if|when|and|or|per)\b)", re.IGNORECASE)


def with_elided(text: str, read: Sequence[Quantity]) -> tuple[Quantity, ...]:
    """Return quantities of which a bare number has the unit of the one before it, where it only goes on.

    >>> from scorers.statements.quantities.reading import quantities_in
    >>> text = "The limit is 180 dollars a night in Boston, 210 in York."
    >>> [each.unit for each in with_elided(text, quantities_in(text, "en"))]
    ['$', '$']
    """
    found: list[Quantity] = []
    for each in read:
        before = found[-1] if found else None
        if before is not None and _goes_on(text, before, each):
            found.append(
                each._replace(
                    dimension=before.dimension,
                    unit=before.unit,
                    rate=before.rate,
                    value=each.amount * (before.value / before.amount if before.amount else 1.0),
                )
            )
        else:
            if before is not None and _is_part(text, before, each):
                found[-1] = before._replace(
                    dimension=each.dimension,
                    unit=each.unit,
                    value=before.amount * (each.value / each.amount if each.amount else 1.0),
                )
            found.append(each)
    return tuple(found)


def _is_part(text: str, before: Quantity, each: Quantity) -> bool:
    """Tell whether a bare number is of those that are counted right behind it."""
    bare = before.dimension == "count" and not before.unit and before.upper is None
    return bare and bool(each.unit) and _OF_THOSE.fullmatch(text, before.end, each.start) is not None


_OF_THOSE = re.compile(r" of (?:the|your|these|those|his|her|their|my|our) ", re.IGNORECASE)


def _goes_on(text: str, before: Quantity, each: Quantity) -> bool:
    if each.dimension != "count" or each.unit or not before.unit or before.dimension in ("date", "clock", "ordinal"):
        return False
    begins = _BEFORE.search(text, before.end, each.start)
    return begins is not None and _BEHIND.match(text, each.end) is not None
