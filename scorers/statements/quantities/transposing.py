"""Whether figures of a claim are those of a source with digits or values exchanged."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, permutations
from typing import NamedTuple

from scorers.statements.quantities.comparing import MOST
from scorers.statements.quantities.quantity import Quantity
from scorers.statements.quantities.worth import close, family, one_unit, worth
from scorers.text.numbers import ascii_digits

_EXCHANGED = 2
_MOST_VALUES = 12


class Transposition(NamedTuple):
    """What a claim writes, and what the source writes there."""

    claimed: str
    told: str


def transposed(claimed: Sequence[Quantity], told: Sequence[Quantity]) -> Transposition | None:
    """Return the first figure of a claim that is one of a source transposed, ``None`` where none is.

    Either two digits of one number have changed places (81 and 18, 1,540 and 1,450), where the source nowhere has the
    claim's number and the claim nowhere the source's; or two values have changed places between what they are of. Any
    other difference is none. Quadratic in at most `MOST` quantities.

    >>> from scorers.statements.quantities import read_quantities
    >>> def found(claim, source):
    ...     return transposed(read_quantities(claim), read_quantities(source))
    >>> found("It costs 1,540 EUR.", "It costs 1,450 EUR.")
    Transposition(claimed='1,540 EUR', told='1,450 EUR')
    >>> found("Adults pay 8 EUR, children pay 5 EUR.", "Adults pay 5 EUR, children pay 8 EUR.")
    Transposition(claimed='8 EUR and 5 EUR', told='5 EUR and 8 EUR')
    >>> found("It costs 1,550 EUR.", "It costs 1,450 EUR.") is None
    True
    """
    claimed, told = claimed[:MOST], told[:MOST]
    if list(claimed) == list(told):
        return None  # one text may have a value and another of two things: nothing disagrees with itself
    return _digits_exchanged(claimed, told) or _values_exchanged(claimed[:_MOST_VALUES], told[:_MOST_VALUES])


def may_be_transposed(claimed: Sequence[Quantity], told: str) -> bool:
    """Tell whether `transposed` may find something in what a source says, before its quantities are read.

    Two values must be there to be exchanged, or the digits of a number in a row but for two of them.

    >>> from scorers.statements.quantities import read_quantities
    >>> [may_be_transposed(read_quantities("It costs 1,540 EUR."), told) for told in ("It is 1,450.", "It is 1,541.")]
    [True, False]
    """
    if any(each.days or each.dimension == "clock" for each in claimed):
        return True
    if any(_apart(one, other) for one, other in combinations(claimed[:_MOST_VALUES], 2)):
        return True
    there = _digits_of(told)
    return any(
        len(set(digits := _digits(each))) >= _EXCHANGED
        and any(_one_exchange(digits, there[at : at + len(digits)]) for at in range(len(there) - len(digits) + 1))
        for each in claimed[:MOST]
    )


def _digits_exchanged(claimed: Sequence[Quantity], told: Sequence[Quantity]) -> Transposition | None:
    new = [each for each in claimed if not any(_same(each, other) for other in told)]
    lost = [each for each in told if not any(_same(each, other) for other in claimed)]
    for one in new:
        for other in lost:
            alike = one.unit == other.unit or (one.dimension == "count" and not (one.unit and other.unit))
            if family(one) == family(other) and alike and _one_exchange(_digits(one), _digits(other)):
                return Transposition(one.written, other.written)
    return None


def _same(one: Quantity, other: Quantity) -> bool:
    return family(one) == family(other) and worth(one, other) in ("same", "about")


def _digits(quantity: Quantity) -> str:
    """Return the digits of a quantity; of a day those of the year, the month and the day."""
    if quantity.days:
        year, month, day = quantity.days[0]
        return f"{year:04}{month:02}{day:02}"
    if quantity.dimension == "clock":
        return f"{int(quantity.value) // 60:02}{int(quantity.value) % 60:02}"
    return _digits_of(quantity.written) if quantity.upper is None else ""


def _digits_of(text: str) -> str:
    return "".join([c for c in ascii_digits(text) if c.isdigit()])


def _one_exchange(one: str, other: str) -> bool:
    """Tell whether two digits of a number have changed places."""
    if len(one) != len(other) or one == other:
        return False
    places = [at for at, (mine, theirs) in enumerate(zip(one, other, strict=True)) if mine != theirs]
    if len(places) != _EXCHANGED:
        return False
    first, second = places
    return one[first] == other[second] and one[second] == other[first]


def _values_exchanged(claimed: Sequence[Quantity], told: Sequence[Quantity]) -> Transposition | None:
    for one, other in combinations(claimed, 2):
        if not _apart(one, other):
            continue
        for first, second in permutations(told, 2):
            if _apart(first, second) and _crossed(one, other, first, second):
                return Transposition(f"{one.written} and {other.written}", f"{first.written} and {second.written}")
    return None


def _apart(one: Quantity, other: Quantity) -> bool:
    """Tell whether two quantities could change places: of one dimension and money, and not worth the same."""
    return one_unit(one, other) and one.amount > 0 and other.amount > 0 and not close(one.value, other.value)


def _crossed(one: Quantity, other: Quantity, first: Quantity, second: Quantity) -> bool:
    """Tell whether ``one`` is of what ``first`` is of, with the value of ``second``, and ``other`` likewise."""
    if not (one_unit(one, first) and close(one.value, second.value) and close(other.value, first.value)):
        return False
    if one.dimension == "count" and one.unit != other.unit:
        return one.unit == first.unit and other.unit == second.unit
    mine, theirs = set(one.about), set(other.about)
    here, there = set(first.about), set(second.about)
    own, foreign = here - there, there - here
    return bool(mine & own and theirs & foreign) and not (mine & foreign or theirs & own)
