"""Values of a claim that follow from the asker's own: 10 % of "my balance of 180,000".

What a rule comes to in the case of a question stands in no context. One of the values that it is reckoned from is the
asker's, or was reckoned before in the same answer; the other one the context tells, or the claim itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain

from scorers.statements.quantities import Quantity
from scorers.statements.quantities.reading import quantities_in
from scorers.statements.quantities.worth import close
from scorers.statements.ties import LONGEST
from scorers.support.alignment import Alignment

ROUNDED = 0.005
"""By what share a value may be rounded."""
MOST_BEFORE = 24
"""Values of an answer that are remembered."""

_MEASURED = frozenset({"money", "time", "working time", "mass", "length", "area", "volume", "data", "count"})
_APART = re.compile(
    r"\b(?:left|remain\w*|rest|others?|above|over|beyond|exce(?:ss|ed\w*)|extra|additional(?:ly)?|more|less|fewer|short"
    r"|differ\w*|minus|after|still|another|to go)\b",
    re.IGNORECASE,
)
"""What speaks of the difference of two values."""
_REDUCED = re.compile(
    r"\b(?:discount\w*|off|less|reduc\w+|rebate|fees?|charges?|surcharge|tax|vat|plus|after|so|comes? to|i\.e)\b",
    re.IGNORECASE,
)
"""What speaks of a share that is taken of a value, or added to it."""


def worked(a: Alignment, before: Sequence[Quantity]) -> tuple[Quantity, ...]:
    """Return those values of a claim that are reckoned from those of its question, or of the answer ``before`` it."""
    words, asked = a.claim.sentence.words[:LONGEST], quantities_in(a.claim.asked[:LONGEST], "en")
    claimed = quantities_in(words, "en")
    if not claimed or not (asked or before or len(claimed) > 1):
        return ()
    found = []
    for each in claimed:
        if each.dimension not in _MEASURED:
            continue
        rest = [other for other in claimed if other is not each]
        results = chain(
            _shares(each, words, (*asked, *before, *rest), a),
            _differences(each, words, [one for one in asked if _alike(one, each)], (*before, *rest), a),
        )
        if any(close(_own(each), value, ROUNDED) for value in results):
            found.append(each)
    return tuple(found)


def _told(a: Alignment) -> list[Quantity]:
    """Return the values of a context, which is read for them where something may follow from one."""
    return [each.quantity for each in a.context.values.values]


def _own(value: Quantity) -> float:
    return value.amount if value.dimension == "count" else value.value


def _alike(one: Quantity, other: Quantity) -> bool:
    """Tell whether two values are of one kind; a bare number is of any."""
    if one.dimension != other.dimension:
        return False
    return one.dimension not in ("money", "count") or one.unit == other.unit or "" in (one.unit, other.unit)


def _differences(
    claimed: Quantity, words: str, asked: Sequence[Quantity], others: Sequence[Quantity], a: Alignment
) -> Iterator[float]:
    """Yield what is left of the asker's values, and what they exceed others by, where a claim speaks of that."""
    if not asked or _APART.search(words) is None:
        return
    others = (*others, *_told(a))
    for own in asked:
        for other in others:
            if _alike(other, claimed):
                yield abs(_own(own) - _own(other))
            elif other.dimension == "count" and not other.unit and own.amount:  # "the 6 hours above 40"
                yield abs(own.amount - other.amount) * _own(own) / own.amount


def _shares(claimed: Quantity, words: str, given: Sequence[Quantity], a: Alignment) -> Iterator[float]:
    """Yield the shares of values that a rule takes, and what remains or comes on top."""
    reduced = _REDUCED.search(words) is not None
    if not reduced and not any(_alike(value, claimed) for value in given):
        return
    told = _told(a)
    shares = {each.value / 100 for each in (*given, *told) if each.dimension == "percent"}
    if not shares:
        return
    of_rules = told if reduced else ()
    for value in (*given, *of_rules):
        if _alike(value, claimed):
            for share in shares:
                yield from (_own(value) * share, _own(value) * (1 - share), _own(value) * (1 + share))
                if share and value in given:
                    yield _own(value) / share  # "so 200 dollars cost 3 more"
