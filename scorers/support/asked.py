"""Values that follow from what a question gives: "60 GB a day" of which 50 are included leaves 10, at 1.80 each 18."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from scorers.statements.quantities import Quantity
from scorers.statements.quantities.reading import quantities_in
from scorers.statements.quantities.worth import close
from scorers.support.alignment import Alignment

LONGEST = 400
"""Characters of a question, and of each sentence beside a claim, that figures are read of."""
MOST_ASKED, MOST_TOLD = 4, 10
"""Figures of a question, and of the sentences nearest to a claim, that are put together."""


def follows_from_asked(number: float, a: Alignment, told: str = "") -> bool:
    """Tell whether a number comes from one of the question and one or two of what is told, by arithmetic."""
    asked = list(_numbers([a.claim.asked], MOST_ASKED))
    if not asked:
        return False
    known = list(_numbers([told, *a.near_sentences], MOST_TOLD))
    return any(close(number, each) for each in _combined(asked, known))


def follows_within(number: Quantity, claimed: Sequence[Quantity]) -> bool:
    """Tell whether a number of a claim comes from two others of it: "90 users at $7 each, so $630"."""
    others = [each.amount for each in claimed if each is not number and each.amount > 1][:MOST_TOLD]
    return any(close(number.amount, each) for one, other in combinations(others, 2) for each in _of_two(one, other))


def _of_two(one: float, other: float) -> tuple[float, ...]:
    return one + other, abs(one - other), one * other, one / other, other / one


def _numbers(texts: Iterable[str], most: int) -> Iterator[float]:
    found = [each.amount for text in texts for each in quantities_in(text[:LONGEST], "en") if each.amount > 1]
    yield from dict.fromkeys(found[:most])


def _combined(asked: Iterable[float], known: list[float]) -> Iterator[float]:
    for one in asked:
        for other in known:
            yield from _of_two(one, other)
            yield from ((one - other) * third for third in known if one > other)
