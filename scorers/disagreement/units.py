"""One figure in two units of one kind: 15 miles and 15 kilometres, 25 MB and 25 GB, 8 EUR and 8 USD.

Two passages that give the same figure to what is asked speak of the same thing, and only one of the units can be right.
"""

from __future__ import annotations

from typing import NamedTuple

from adapters.caching import cached_by_text
from scorers.statements.quantities.reading import quantities_in
from scorers.statements.ties import LONGEST
from scorers.support.ruling import sets_rule

_UNITS = frozenset({"time", "working time", "money", "mass", "length", "area", "volume", "data", "temperature"})
"""Dimensions whose units are told apart."""

ONE = 1.0
"""What comes once comes so in many units: a day, a week, a year."""


class _Figure(NamedTuple):
    """What a quantity is an amount of, the figure as written, and in which unit, for what each."""

    dimension: str
    amount: float
    unit: str
    rate: str


@cached_by_text(cost=4)
def _figures(sentence: str) -> tuple[_Figure, ...]:
    return tuple([
        _Figure(each.dimension.removeprefix("working "), each.amount, each.unit, each.rate)
        for each in quantities_in(sentence[:LONGEST], "en")
        if each.dimension in _UNITS and each.amount > ONE
    ])  # fmt: skip


def other_unit(one: str, other: str) -> bool:
    """Tell whether two sentences give one figure in two units, and neither gives what the other does.

    >>> other_unit("Files of up to 25 MB are accepted.", "A file may have 25 GB.")
    True
    >>> other_unit("Files of up to 25 MB are accepted.", "A file may have 30 MB.")
    False
    """
    mine, its = _figures(one), _figures(other)
    same = [(figure, each) for figure in mine for each in its if figure[:2] == each[:2]]
    if not same or not all(_apart(*pair) for pair in same):
        return False
    # A few hours, days or years are said of much: only what sets rules is held to them.
    return any(figure.dimension != "time" for figure, _ in same) or (sets_rule(one) and sets_rule(other))


def _apart(one: _Figure, other: _Figure) -> bool:
    return one.unit != other.unit or bool(one.rate and other.rate and one.rate != other.rate)
