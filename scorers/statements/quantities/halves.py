"""Which half of the day a time is in that does not say so, by the times beside it."""

from __future__ import annotations

from collections.abc import Sequence

from scorers.statements.quantities.quantity import Quantity

NOON = 12 * 60


def in_their_half(found: Sequence[Quantity]) -> tuple[Quantity, ...]:
    """Return quantities, times of day without a second reading where one of them counts 24 hours.

    "From 9 to 20 Uhr" begins in the morning; "from 9 to 5" leaves open in which half of the day either is.
    """
    if not any(each.dimension == "clock" and _counts_24_hours(each) for each in found):
        return tuple(found)
    return tuple([each._replace(others=()) if each.dimension == "clock" else each for each in found])


def _counts_24_hours(one: Quantity) -> bool:
    hour = "".join(ch if ch.isdigit() else " " for ch in one.written).split()
    return one.value > NOON and bool(hour) and int(hour[0][:2]) > NOON // 60
