"""Which value of a context a value of a claim is, or rivals: its own, another one, the same number of another unit."""

from __future__ import annotations

from typing import Literal

from scorers.statements.quantities.quantity import Quantity
from scorers.statements.quantities.worth import close, family, one_unit, same_rate, worth

ValueAnswer = Literal["own", "rival", "unit", ""]
"""The claim's own value, another of its dimension, the same number of another unit, and nothing of the kind."""


def same_kind(claimed: Quantity, told: Quantity) -> bool:
    """Tell whether two quantities are of one dimension, a count of the same noun."""
    if family(claimed) != family(told):
        return False
    if claimed.dimension in ("reference", "version"):
        return claimed.unit == told.unit
    if claimed.dimension == "count":
        return claimed.unit == told.unit or not claimed.unit or not told.unit
    if claimed.dimension == "date":
        return any(x and y for x, y in zip(claimed.days[0], told.days[0], strict=True))
    return True


def same_value(claimed: Quantity, told: Quantity) -> bool:
    """Tell whether two quantities of one kind are worth the same."""
    return worth(claimed, told) in ("same", "about")


def answers(claimed: Quantity, told: Quantity) -> ValueAnswer:
    """Return whether a value of the context is the claim's own, a rival, the same number of another unit, or nothing.

    A number without a unit may be of any: "two to three days, express one".
    """
    bare = "count" in (claimed.dimension, told.dimension)
    if bare and told.amount and any(close(claimed.amount, each) for each in (told.amount, *_end(told))):
        return "own"
    if {claimed.unit, told.unit} == _POUNDS:
        return "own" if close(told.amount, claimed.amount) else ""
    if not same_kind(claimed, told):
        equal = bool(told.amount) and close(told.amount, claimed.amount)
        return "unit" if equal and _measured(told) and _measured(claimed) else ""
    found = worth(claimed, told)
    if found in ("same", "about") or _ends(claimed, told):
        return "own"
    if found == "unit":
        return "unit"
    return "rival" if claimed.dimension == told.dimension else ""


_POUNDS = frozenset({"lb", "GBP"})


def _end(told: Quantity) -> tuple[float, ...]:
    """Return the other end of a range in the unit in which it is written."""
    return (told.upper * told.amount / told.value,) if told.upper is not None and told.value else ()


def _ends(claimed: Quantity, told: Quantity) -> bool:
    """Tell whether one is an end of the other: "until 18:00" of "9:00 to 18:00"."""
    if claimed.dimension == "date" or (claimed.upper is None) == (told.upper is None) or not one_unit(claimed, told):
        return False
    mine = (claimed.value,) if claimed.upper is None else (claimed.value, claimed.upper)
    its = (told.value,) if told.upper is None else (told.value, told.upper)
    return any(close(one, other) for one in mine for other in its)


def vague(claimed: Quantity) -> bool:
    """Tell whether a quantity is hardly a figure that a context would have to tell."""
    first = claimed.written.lower().split(" ", 1)[0].split("-", 1)[0]
    return (
        first in _ARTICLES
        or (claimed.dimension == "count" and not claimed.unit)
        or (claimed.dimension == "frequency" and not claimed.written.lower().startswith("every"))
    )


_ARTICLES = frozenset({"a", "an", "each", "half", "quarter", "one", "once"})


def _measured(quantity: Quantity) -> bool:
    return quantity.dimension not in ("count", "date", "clock", "ordinal", "reference", "version", "frequency")


def brackets(told: Quantity) -> bool:
    """Tell whether a quantity is a range or a bound, into which cases fall."""
    return told.upper is not None or told.bound in ("<", "<=", ">", ">=")


def falls(case: Quantity, told: Quantity) -> bool:
    """Tell whether a value falls into a bracket: six years into "5 to 9 years"."""
    if told.upper is not None:
        return told.value <= case.value <= told.upper
    if worth(case, told) in ("same", "about"):
        return True
    return {
        ">=": case.value >= told.value, ">": case.value > told.value, "<=": case.value <= told.value,
        "<": case.value < told.value,
    }.get(told.bound, False)  # fmt: skip


def bare(value: Quantity) -> Quantity:
    """Return the number of a value alone, as "under 25" has it of years.

    >>> from scorers.statements.quantities.reading import read_quantities
    >>> [(each.value, each.upper) for each in map(bare, read_quantities("between 18 and 35 years old"))]
    [(18.0, 35.0)]
    """
    upper = next(iter(_end(value)), None)
    return value._replace(dimension="count", value=value.amount, upper=upper, unit="", step=1.0)


FORM, UNLIKE = 0.12, -0.25
"""What the same bound, rate or noun of two values adds to what ties them, and what another takes off."""


def form(claimed: Quantity, told: Quantity) -> float:
    """Return what bound, rate and noun of two values add to their ties."""
    found = FORM if claimed.bound == told.bound else 0.0
    if claimed.rate and told.rate:
        found += FORM if same_rate(claimed, told) else UNLIKE
    if claimed.dimension == "count" and claimed.unit != told.unit:
        found += UNLIKE
    if claimed.dimension == "time" and claimed.unit != told.unit:
        found -= FORM
    return found
