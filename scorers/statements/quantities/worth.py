"""Whether two quantities are worth the same, whatever unit, format, rounding or calendar they are written in."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Literal

from scorers.statements.quantities.quantity import Quantity
from scorers.statements.quantities.rates import SECONDS
from scorers.statements.quantities.units import SAME_MONEY

Worth = Literal["same", "about", "other", "unit"]
"""``same``; ``about`` the same (90 days, 3 months); ``other``; ``unit``: the same number of another unit."""

ROUNDING = 1e-6
CALENDAR = 0.035
"""How much a number of mean months and one of days differ at most that people call the same: 28 days, 1 month less."""

ABOUT = 0.1
"""How far "about" reaches, as a share."""

_CALENDAR = frozenset({"month", "quarter", "semester", "year", "decade", "century"})
_DAY = 1440.0
FAMILIES = {"working time": "time", "points": "percent"}
"""Dimensions whose quantities can answer to those of another."""


def family(quantity: Quantity) -> str:
    """Return what a quantity can be compared within: its dimension, days of work with those of the calendar."""
    return FAMILIES.get(quantity.dimension, quantity.dimension)


def one_unit(one: Quantity, other: Quantity) -> bool:
    """Tell whether two quantities of one family are in units that can be converted: not euros and dollars."""
    if one.dimension != other.dimension:
        return False
    if one.dimension != "money" or one.unit == other.unit:
        return True
    return other.unit in SAME_MONEY.get(one.unit, ()) or one.unit in SAME_MONEY.get(other.unit, ())


def in_working_time(one: Quantity, other: Quantity) -> bool:
    """Tell whether of two times one says itself that working time counts, and beside the other it is said.

    >>> from scorers.statements.quantities import read_quantities
    >>> times = "within 4 business hours", "within 4 hours during business hours"
    >>> in_working_time(*(read_quantities(time)[0] for time in times))
    True
    """
    if {one.dimension, other.dimension} != {"time", "working time"}:
        return False
    plain = one if one.dimension == "time" else other
    return not _WORKED.isdisjoint(plain.about) and not _COUNTED.isdisjoint(plain.about)


_WORKED, _COUNTED = frozenset({"business", "work", "offic"}), frozenset({"hour", "day", "tim"})
"""Stems of what counts working hours and days alone, which stand side by side."""


def close(one: float, other: float, share: float = ROUNDING) -> bool:
    """Tell whether two values differ by at most a share of the larger; nothing is close to what overflows."""
    return abs(one - other) <= share * max(abs(one), abs(other)) < math.inf


def worth(one: Quantity, other: Quantity) -> Worth:
    """Compare the values of two quantities of one family, their bounds and rates apart.

    >>> from scorers.statements.quantities import read_quantities
    >>> def of(text):
    ...     return read_quantities(text)[0]
    >>> worth(of("60 minutes"), of("one hour")), worth(of("90 days"), of("3 months")), worth(of("5 EUR"), of("5 USD"))
    ('same', 'about', 'unit')
    """
    plain = _PLAIN.get(one.dimension)
    if plain is not None:
        return "same" if plain(one, other) else "other"
    if in_working_time(one, other):
        return "same" if close(one.value, other.value) else "other"
    if not one_unit(one, other):
        return "unit" if close(one.amount, other.amount) else "other"
    if any(close(mine, theirs) for mine in (one.value, *one.others) for theirs in (other.value, *other.others)):
        return "same"
    if _by_calendar(one, other) or _rounded(one, other):
        return "about"
    named = one.unit != other.unit and one.dimension not in ("count", "frequency", "ordinal")
    return "unit" if named and close(one.amount, other.amount) else "other"


def _by_calendar(one: Quantity, other: Quantity) -> bool:
    mixed = (one.unit in _CALENDAR) != (other.unit in _CALENDAR)
    return mixed and one.dimension == "time" and close(one.value, other.value, CALENDAR)


def _rounded(one: Quantity, other: Quantity) -> bool:
    """Tell whether one is the other, rounded to its own last digit, or said to be about it."""
    gap = abs(one.value - other.value)
    if "~" in (one.bound, other.bound) and gap <= ABOUT * max(abs(one.value), abs(other.value)):
        return True
    if one.step == other.step or one.dimension == "frequency":
        return False
    return gap <= max(one.step, other.step) / 2 * (1 + ROUNDING) and gap <= ABOUT * abs(other.value)


def _days(one: Quantity, other: Quantity) -> bool:
    if one.upper is not None and other.upper is not None and one.upper != other.upper:
        return False
    return any(
        all(not mine or not theirs or mine == theirs for mine, theirs in zip(first, second, strict=True))
        and any(mine and theirs for mine, theirs in zip(first, second, strict=True))
        for first in one.days
        for second in other.days
    )


def _named(one: Quantity, other: Quantity) -> bool:
    return one.unit == other.unit and one.value == other.value


def _timed(one: Quantity, other: Quantity) -> bool:
    mine = {value % _DAY for value in (one.value, *one.others)}
    return any(value % _DAY in mine for value in (other.value, *other.others))


_PLAIN: Mapping[str, Callable[[Quantity, Quantity], bool]] = {
    "date": _days, "version": _named, "reference": _named, "clock": _timed,
}  # fmt: skip


def same_rate(one: Quantity, other: Quantity) -> bool:
    """Tell whether two quantities are for the same, or one does not say for what."""
    return not one.rate or not other.rate or one.rate == other.rate


def same_paid(one: Quantity, other: Quantity) -> bool:
    """Tell whether two quantities come to the same over time: 10 EUR a month, 120 EUR a year."""
    mine, theirs = SECONDS.get(one.rate), SECONDS.get(other.rate)
    return bool(mine and theirs and one_unit(one, other) and close(one.value / mine, other.value / theirs, 0.002))
