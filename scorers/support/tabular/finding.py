"""What a table says about one thing that a claim states."""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

FindingKind = Literal[
    "value",
    "stated",
    "number",
    "figure",
    "bound",
    "extreme",
    "range",
    "comparison",
    "difference",
    "count",
    "only",
    "all",
    "total",
    "trend",
    "span",
]
"""What kind of statement was checked: a value looked up, what is said behind a key, a number looked up, a number that
nothing of the table yields, a bound on one, an extreme, the ends of a range, a comparison, how much two differ, a
count, that something is the only one, that all are so, a sum or mean, a direction over time, first and last."""

KINDS: tuple[FindingKind, ...] = get_args(FindingKind)


class TableFinding(NamedTuple):
    """One thing that a claim states: whether the table agrees, how sure that is, and what each of them says.

    ``of`` names row and column, ``at`` is the place of the claim that was looked up, -1 where it is several.
    """

    kind: FindingKind
    agrees: bool
    sure: float
    claimed: str = ""
    told: str = ""
    of: str = ""
    at: int = -1
