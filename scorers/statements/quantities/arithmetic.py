"""Whether a quantity follows from a few others: a sum, a difference, a product, a share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from scorers.statements.quantities.quantity import Quantity
from scorers.statements.quantities.worth import close, family

FEW = 8
"""Quantities that are combined: of more nearly every number follows."""

_EXACT = 1e-6
_ADDED = frozenset({"time", "working time", "money", "mass", "length", "area", "volume", "data", "count", "percent"})


def follows(claimed: Quantity, source: Sequence[Quantity], given: Sequence[Quantity] = ()) -> bool:
    """Tell whether a quantity is the sum, difference, product or share of a few that are told.

    >>> from scorers.statements.quantities import read_quantities
    >>> told = read_quantities("Two of the six weeks are taken; 3 nights cost 120 EUR per night.")
    >>> [follows(read_quantities(text)[0], told) for text in ("four weeks", "360 EUR", "five weeks")]
    [True, True, False]
    """
    if claimed.upper is not None or claimed.dimension not in _ADDED or not claimed.amount:
        return False
    told = [each for each in (*source, *given) if each.upper is None][:FEW]
    half = max(claimed.step / 2 if claimed.step else 0.0, 0.0) * 0.999
    return any(_is(claimed, value, half) for value in _results(claimed, told))


def _is(claimed: Quantity, value: float, half: float) -> bool:
    gap = abs(claimed.value - value)
    exact = gap <= _EXACT * max(abs(value), 1e-9)
    return exact or (claimed.dimension == "percent" and gap <= half)


def _results(claimed: Quantity, told: Sequence[Quantity]) -> Iterator[float]:
    alike = [each.value for each in told if each.dimension == claimed.dimension and _one_money(each, claimed)]
    bare = [each.amount for each in told if each.dimension == "count" and not each.unit]
    if claimed.dimension == "time" and alike:
        # "Two of the six weeks": a number without its own unit counts in that of the next.
        units = {each.value / each.amount for each in told if each.dimension == "time" and each.amount}
        alike += [number * factor for number in bare for factor in units][:FEW]
    if len(alike) > 1:
        yield sum(alike, 0.0)
    for first, second in combinations(alike, 2):
        yield first + second
        yield abs(first - second)
    if claimed.dimension == "percent":
        amounts = [each for each in told if each.dimension != "percent" and each.value > 0]
        for one in amounts:
            for other in amounts:
                if one.dimension == other.dimension and one.value < other.value:
                    yield one.value / other.value * 100.0
                    yield (other.value - one.value) / other.value * 100.0
        yield from (100.0 - value for value in alike)
    else:
        factors = [each.amount for each in told if each.dimension in ("count", "time", "working time")]
        shares = [each.value / 100.0 for each in told if each.dimension == "percent"]
        for value in alike:
            yield from (value * factor for factor in factors if factor > 1)
            yield from (value * share for share in shares)
            yield from (value * (1 - share) for share in shares)


def _one_money(one: Quantity, other: Quantity) -> bool:
    if one.dimension == "count":
        return True
    return one.dimension != "money" or one.unit == other.unit


def derivable(claimed: Quantity, told: Sequence[Quantity], given: Sequence[Quantity]) -> bool:
    """Tell whether a value follows from two others by arithmetic, times of day from a time and a length."""
    every = [*told, *given][:MOST]
    if claimed.dimension == "date":
        return not all(claimed.days[0][1:]) and any(each.dimension == "time" for each in every)
    alike = {each.value for each in every if family(each) == family(claimed)}
    alike |= {each.upper for each in every if family(each) == family(claimed) and each.upper is not None}
    unit = claimed.value / claimed.amount if claimed.amount else 1.0
    numbers = {each.amount for each in every if each.amount} | _FACTORS
    if claimed.dimension == "clock":
        alike = {each.value for each in every if each.dimension == "clock"}
        spans = {each.value / 60 for each in every if each.dimension == "time"}
        return any(close(claimed.value, one + sign * span) for one in alike for span in spans for sign in (1, -1))
    alike |= {each.amount * unit for each in every if each.dimension == "count" and each.amount}
    shares = {each.value / 100 for each in every if each.dimension == "percent"}
    for one in alike:
        results = {one + other for other in alike} | {abs(one - other) for other in alike}
        results |= {one * number for number in numbers} | {one / number for number in numbers if number > 1}
        results |= {one * share for share in shares} | {one * (1 - share) for share in shares}
        if any(close(claimed.value, result, _ROUGHLY) for result in results):
            return True
    return False


MOST = 24
"""Values of which any two are combined."""
_ROUGHLY = 0.004
_FACTORS = frozenset({2.0, 3.0, 4.0, 7.0, 12.0})
