"""Whether a quantity follows from a few others: a sum, a difference, a product, a share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from scorers.statements.quantities.quantity import Quantity
from scorers.statements.quantities.worth import close, family

FEW = 8
"""Quantities that are combined: of more nearly every number follows."""

_EXACT = 1e-6
_SPANS = ("time", "working time")
_MULTIPLYING: frozenset[str] = frozenset((*_SPANS, "count"))
"""Dimensions of amounts that multiply others: three nights, two guests."""
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
        yield from _shares(told)
        yield from (100.0 - value for value in alike)
    else:
        yield from _products(claimed, told)
        shares = [each.value / 100.0 for each in told if each.dimension == "percent"]
        for value in alike:
            yield from (value * share for share in shares)
            yield from (value * (1 - share) for share in shares)


def _shares(told: Sequence[Quantity]) -> Iterator[float]:
    amounts = [each for each in told if each.dimension != "percent" and each.value > 0]
    for one in amounts:
        for other in amounts:
            if one.dimension == other.dimension and one.value < other.value:
                yield one.value / other.value * 100.0
                yield (other.value - one.value) / other.value * 100.0


def _products(claimed: Quantity, told: Sequence[Quantity]) -> Iterator[float]:
    own = [each for each in told if not swapped(claimed, each)]
    factors = [each for each in own if each.amount > 1 and each.dimension in _MULTIPLYING]
    for each in own:
        if each.dimension == claimed.dimension and _one_money(each, claimed):
            yield from (each.value * factor.amount for factor in factors if _times(each, factor))


def swapped(claimed: Quantity, told: Quantity) -> bool:
    """Tell whether a value is the number of another one in another unit: "60 hours" for "60 minutes".

    Multiplied by 60 the one is the other: so is every number whose unit has been exchanged.

    >>> from scorers.statements.quantities import read_quantities
    >>> swapped(read_quantities("60 hours")[0], read_quantities("60 minutes")[0])
    True
    """
    return claimed.unit != told.unit and family(claimed) == family(told) and close(claimed.amount, told.amount)


def _times(value: Quantity, factor: Quantity) -> bool:
    """Tell whether a value can be meant so many times: no value its own times, and a length of time in longer ones."""
    if value.dimension != factor.dimension:
        return value.dimension not in _SPANS or factor.dimension not in _SPANS or _size(value) < _size(factor)
    if value.dimension in _SPANS:
        return _size(value) < _size(factor)
    return (value.value, value.unit) != (factor.value, factor.unit)


def _size(quantity: Quantity) -> float:
    """Return what one of the unit of a quantity is worth."""
    return quantity.value / quantity.amount if quantity.amount else 0.0


def _one_money(one: Quantity, other: Quantity) -> bool:
    if one.dimension == "count":
        return True
    return one.dimension != "money" or one.unit == other.unit


def derivable(claimed: Quantity, told: Sequence[Quantity], given: Sequence[Quantity]) -> bool:
    """Tell whether a value follows from two others by arithmetic, times of day from a time and a length."""
    every = [*told, *given][:MOST]
    if claimed.dimension == "date":
        return not all(claimed.days[0][1:]) and any(each.dimension == "time" for each in every)
    if claimed.dimension == "clock":
        clocks = {each.value for each in every if each.dimension == "clock"}
        lengths = {each.value / 60 for each in every if each.dimension == "time"}
        return any(close(claimed.value, one + sign * span) for one in clocks for span in lengths for sign in (1, -1))
    unit = _size(claimed) or 1.0
    # Values of the kind, each with the number that it is written with: multiplied by its own it is another unit.
    own = [each for each in every if not swapped(claimed, each)]
    kin = [each for each in own if family(each) == family(claimed)]
    alike = {(each.value, each.amount) for each in kin}
    alike |= {(each.upper, 0.0) for each in kin if each.upper is not None}
    alike |= {(each.amount * unit, each.amount) for each in every if each.dimension == "count" and each.amount}
    values = {value for value, _ in alike}
    numbers = {each.amount for each in own if each.amount}
    shares = {each.value / 100 for each in every if each.dimension == "percent"}
    for one, amount in alike:
        others = numbers.difference((amount,)) | _FACTORS
        results = {one + other for other in values} | {abs(one - other) for other in values}
        results |= {one * number for number in others} | {one / number for number in others if number > 1}
        results |= {one * share for share in shares} | {one * (1 - share) for share in shares}
        if any(close(claimed.value, result, _ROUGHLY) for result in results):
            return True
    return False


MOST = 24
"""Values of which any two are combined."""
_ROUGHLY = 0.004
_FACTORS = frozenset({2.0, 3.0, 4.0, 7.0, 12.0})
