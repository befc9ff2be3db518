"""What a comparison of statements returns."""

from __future__ import annotations

from typing import Literal, NamedTuple

DifferenceKind = Literal[
    "polarity", "modality", "bound", "order", "quantity", "unit", "scope", "condition", "exception", "entity", "role",
    "opposite", "date",
]  # fmt: skip
"""In what two statements differ."""

ComparisonOutcome = Literal["agrees", "contradicts", "undecided"]


class Difference(NamedTuple):
    """One difference between a claim and what a source says.

    ``claimed`` and ``told`` are short words of the claim and of the source, for people; ``strength`` is the
    probability, 0 to 1, that the difference makes the claim wrong.
    """

    kind: DifferenceKind
    claimed: str
    told: str
    strength: float


class StatementComparison(NamedTuple):
    """What sources say of a claim.

    ``difference`` is the strongest one of a contradiction, ``source`` the index of the source that decided, and
    ``undecided`` says in plain English what could not be decided.
    """

    outcome: ComparisonOutcome
    difference: Difference | None = None
    source: int | None = None
    undecided: str = ""
