"""What a gate says: a verdict over each slice, and one over all of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Literal, NamedTuple

from pydantic import Field

from adapters.schema import Instant
from scorers.base import Value

Outcome = Literal["pass", "fail", "inconclusive"]
Severity = Literal["page", "ticket"]
SEVERITIES: tuple[Severity, ...] = ("page", "ticket")
"""How urgent a failed objective is, the most urgent first: for somebody now, or for somebody today."""


CODES: Mapping[Outcome, int] = {"pass": 1, "inconclusive": 0, "fail": -1}
"""The verdict as a number, as deployment tools and Prometheus read it."""


def worst(outcomes: Iterable[Outcome]) -> Outcome:
    """Return the outcome of what has these outcomes: it fails with any of them, and passes only where all do.

    >>> worst(["pass", "inconclusive", "pass"])
    'inconclusive'
    """
    return min(outcomes, key=lambda outcome: CODES[outcome])


class LateAnswers(NamedTuple):
    """Answers by when they came: ``seen`` in all, ``late`` after their tick had closed, and of these ``left_out``."""

    seen: int = 0
    late: int = 0
    left_out: int = 0


class SliceVerdict(Value):
    """The verdict over one slice, with the evidence it stands on: estimate and interval in the metric's own units.

    ``n`` answers were scored, worth ``effective_n`` answers of equal weight. ``evidence`` holds what else the gate
    measured, by name: e-values and what they are held against, burn rates, answers still needed. ``alarmed_at`` is when
    the gate last alarmed over this slice, ``cause`` what that alarm says has changed. ``candidate`` is the version of
    the release that the slice is judged with and ``baseline`` what that is compared with, ``None`` where none was told,
    or a gate judges no release.
    """

    slice: Mapping[str, str]
    state: Outcome
    reason: str
    n: int
    effective_n: float
    estimate: float | None = None
    lower: float | None = None
    upper: float | None = None
    evidence: Mapping[str, float] = Field(default_factory=dict)
    alarmed_at: Instant | None = None
    cause: str | None = None
    # Left out where there is none: records of before it was known are written as they were read.
    candidate: str | None = Field(default=None, exclude_if=lambda version: version is None)
    baseline: str | None = Field(default=None, exclude_if=lambda version: version is None)

    @property
    def severity(self) -> Severity | None:
        """How urgent the failure of an objective is, which is its cause; ``None`` of other gates, and without one."""
        return next((each for each in SEVERITIES if self.state == "fail" and self.cause == each), None)


class Verdict(Value):
    """A gate's verdict at one instant. Without data it is ``inconclusive``, never ``pass``.

    ``candidate`` is the version of the release that it is over, ``baseline`` what that is compared with; ``None`` where
    a gate judges no release, where neither answers nor a change event told the version, or where slices have several.

    ``evidence_until`` is the instant up to which what arrived has been scored and folded: nothing older waits, but what
    belongs to a trace that is still open. ``pending`` counts what waits. A gate by itself knows of neither
    (``None``).
    """

    gate: str
    state: Outcome
    at: datetime
    reason: str
    no_data: bool
    policy_version: str
    candidate: str | None = None
    baseline: str | None = None
    evidence_until: Instant | None = None
    pending: int | None = None
    slices: tuple[SliceVerdict, ...] = ()

    @property
    def code(self) -> int:
        """1 pass, 0 inconclusive, -1 fail."""
        return CODES[self.state]

    @property
    def severity(self) -> Severity | None:
        """That of the most urgent slice."""
        return most_urgent(self.slices)


def most_urgent(parts: Iterable[SliceVerdict]) -> Severity | None:
    """Return the severity of the most urgent of these slices, ``None`` where none has one.

    >>> slow = SliceVerdict(slice={}, state="fail", reason="burns", n=90, effective_n=90, cause="ticket")
    >>> most_urgent([slow]), most_urgent([slow, slow.model_copy(update={"cause": "page"})]), most_urgent([])
    ('ticket', 'page', None)
    """
    found = {part.severity for part in parts}
    return next((each for each in SEVERITIES if each in found), None)
