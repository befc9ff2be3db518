"""The decision record: what a change of a verdict stands on, what it rules out, and what to do about it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from adapters.schema import Instant
from gates.attribution.causes import Cause
from gates.attribution.report import Attribution
from gates.base.verdict import Outcome, Severity, SliceVerdict, most_urgent
from gates.inputs.changes import Change, ChangeSource
from scorers.base import Value

CANARIES, REPORTS = "canaries", "reports"
"""What stands as the gate of records that are of none: canaries that fail or pass again, and reports."""
RECORD_VERSION = 2
"""Version of the schema; raised when a field changes its meaning."""

Recovery = Literal["recovered", "not_recovered", "not_enough_answers"]
Action = Literal["none", "hold", "roll_back", "quarantine_documents"]


class RecordedChange(Change):
    """A row of the change ledger: ``recorded_at`` is when the agent learned of it, ``previous`` the version before."""

    seq: int
    recorded_at: Instant
    source: ChangeSource
    component: str
    previous: str | None = None
    documents: tuple[str, ...] = ()
    note: str | None = None


class AnswerEvidence(Value):
    """A scored answer that is among the worst of a failing slice."""

    answer_id: str
    at: Instant
    metric: str
    value: float
    slice: Mapping[str, str]


class Examined(Value):
    """A cause that was looked at, and what was found."""

    cause: Cause
    detail: str


class Recommendation(Value):
    """What to do: ``roll_back`` a component from ``version`` to ``to_version``, put documents aside, or ``hold``."""

    action: Action
    reason: str
    component: str | None = None
    scope: Mapping[str, str] = Field(default_factory=dict)
    version: str | None = None
    to_version: str | None = None
    documents: tuple[str, ...] = ()


class Mix(Value):
    """How traffic divided over slices before and after: ``shift`` is the total variation between both, 0 to 1.

    With 95 % confidence the shift of what both are drawn from is at most ``shift + slack``.
    """

    before: int
    after: int
    shift: float
    slack: float

    @classmethod
    def between(cls, before: Mapping[str, int], after: Mapping[str, int]) -> Mix | None:
        """Return how shares moved between two counts of answers by slice; ``None`` without answers on one side.

        An empirical distribution of n answers over k slices is within sqrt(ln(2^k / a) / 2n) of its own in total
        variation, but with probability a (Weissman and others, "Inequalities for the L1 deviation of the empirical
        distribution", 2003); both sides share a = 5 %.

        >>> Mix.between({"a": 50, "b": 50}, {"a": 100, "b": 0}).shift
        0.5
        """
        n_before, n_after = sum(before.values()), sum(after.values())
        if not n_before or not n_after:
            return None
        names = before.keys() | after.keys()
        shift = sum(abs(before.get(name, 0) / n_before - after.get(name, 0) / n_after) for name in names) / 2
        bits = len(names) * math.log(2) + math.log(2 / MIX_ALPHA)
        slack = sum(math.sqrt(bits / (2 * n)) for n in (n_before, n_after)) if len(names) > 1 else 0.0
        return cls(before=n_before, after=n_after, shift=shift, slack=slack)

    @property
    def steady(self) -> bool:
        """Whether a shift that matters is ruled out."""
        return self.shift + self.slack <= MIX_TOLERANCE


MIX_ALPHA = 0.05
MIX_TOLERANCE = 0.1
"""A tenth of traffic elsewhere moves a mean by at most a tenth of the metric's range."""


class Verification(Value):
    """Whether quality came back after a change was taken back, from answers after that alone.

    ``returned`` is the row of the ledger that took back row ``change``, in favour of ``version``. ``level`` is what the
    mean must keep: its reference from before that change, and what it may be worse. ``recovered``: the mean is proved
    to keep it; ``not_recovered``: it is proved not to. The bounds hold whenever they are read, and miss with a
    probability of at most ``alpha``.
    """

    outcome: Recovery
    metric: str
    change: int
    returned: int
    component: str
    version: str
    reference: float
    level: float
    alpha: float
    n: int
    estimate: float | None = None
    lower: float | None = None
    upper: float | None = None


class DecisionRecord(Value):
    """Why a verdict changed. Every cause is in one of ``causes_carrying``, ``causes_excluded`` and ``causes_open``.

    ``since`` is when it had turned to pass before, ``None`` if it never did; ``changes`` are rows of the ledger since
    then, of the last day at most, that touch the slice, newest last, ``changes_left_out`` says how many more there are;
    what came only after the failure is not among them, but for what replaces one of them.
    What arrived before ``evidence_until`` had been scored and counted, ``pending`` answers and traces waited; older
    records have neither. ``attribution`` says what of a fall lies where; the ``answers`` are of what is blamed, if
    anything is. After ``expires_at`` nobody should act on it: what it says of now is old.

    A record of ``kind`` ``verification`` is no change of a verdict: it says in ``verification`` what came of a
    rollback, and looks for no causes. One of ``kind`` ``severity`` says that an objective that failed before became
    more or less urgent. One of ``kind`` ``attribution`` says of something that goes on to fail what more answers, or a
    change since, show that it comes from: the newest one stands. One of kind ``canary`` says that questions of the
    catalog find a fault, or no longer do; one of kind ``report`` has the checksum of a report in its ``reason``.
    """

    record_version: int = RECORD_VERSION
    kind: Literal["verdict", "verification", "severity", "attribution", "canary", "report"] = "verdict"
    gate: str
    policy_version: str
    slice: Mapping[str, str]
    state: Outcome
    previous_state: Outcome | None
    reason: str
    at: Instant
    since: Instant | None
    expires_at: Instant
    evidence_until: Instant | None = None
    pending: int | None = None
    metrics: tuple[str, ...]
    changes: tuple[RecordedChange, ...] = ()
    changes_left_out: int = 0
    slices: tuple[SliceVerdict, ...] = ()
    slices_left_out: int = 0
    answers: tuple[AnswerEvidence, ...] = ()
    mix: Mix | None = None
    attribution: Attribution | None = None
    verification: Verification | None = None
    causes_carrying: tuple[Examined, ...] = ()
    causes_excluded: tuple[Examined, ...]
    causes_open: tuple[Examined, ...]
    recommended: Recommendation

    @property
    def severity(self) -> Severity | None:
        """How urgent the failure of an objective is, ``None`` of other gates."""
        return most_urgent(self.slices)
