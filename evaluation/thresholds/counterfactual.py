"""Which threshold recorded answers would have stood: the highest that costs no more than a margin."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from evaluation.comparison.compare import ComparisonRow

Admissibility = Literal["within the margin", "may cost more", "not judged"]


class ThresholdEffect(NamedTuple):
    """What a threshold would have done to recorded answers: the passages it keeps, and what the metrics lose.

    ``kept`` is the share of passages of the context that stay, ``emptied`` the share of answers left without any.
    """

    threshold: float
    kept: float
    emptied: float
    rows: Sequence[ComparisonRow]
    admissible: Admissibility = "not judged"


def judged(effects: Sequence[ThresholdEffect], *, margin: float) -> list[ThresholdEffect]:
    """Say of each threshold, in rising order, whether every metric loses at most ``margin``, by its interval's end.

    Thresholds are taken from the lowest up, and the search ends at the first that may cost more. So the chance that the
    highest one within the margin costs more than it is no more than that of one interval, however many are tried (P.
    Bauer, "Multiple testing in clinical trials", Statistics in Medicine 10, 1991).
    """
    found: list[ThresholdEffect] = []
    for effect in effects:
        ended = bool(found) and found[-1].admissible != "within the margin"
        state: Admissibility = (
            "not judged" if ended else "within the margin" if _within(effect.rows, margin) else "may cost more"
        )
        found.append(effect._replace(admissible=state))
    return found


def recommended(effects: Sequence[ThresholdEffect]) -> ThresholdEffect | None:
    """Return the highest threshold within the margin, if there is one."""
    within = [effect for effect in effects if effect.admissible == "within the margin"]
    return within[-1] if within else None


def _within(rows: Sequence[ComparisonRow], margin: float) -> bool:
    return bool(rows) and all(_loss(row) is not None and (_loss(row) or 0.0) <= margin for row in rows)


def _loss(row: ComparisonRow) -> float | None:
    """Return the largest loss that the interval of a row admits; ``None`` where there is none."""
    if row.compared is None:
        return None
    low, high = row.compared.interval
    return high if row.better == "lower" else -low
