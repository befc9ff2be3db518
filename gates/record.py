"""The decision record: what a change of a verdict stands on, what it rules out, and what to do about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Literal

from pydantic import Field

from adapters.schema import Instant
from gates.base import Outcome, SliceVerdict
from gates.causes import CAUSES, Cause
from gates.changes import Change, ChangeKind
from gates.values import Value

RECORD_VERSION = 1
"""Version of the schema; raised when a field changes its meaning."""

JUDGE = "judge"
"""The component that a change of the model behind scorers is about: it may stand behind any metric."""

Action = Literal["none", "hold", "roll_back", "quarantine_documents"]


class RecordedChange(Change):
    """A row of the change ledger: ``recorded_at`` is when the agent learned of it, ``previous`` the version before."""

    seq: int
    recorded_at: Instant
    source: Literal["explicit", "observed", "catalog"]
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

    @property
    def steady(self) -> bool:
        """Whether a shift that matters is ruled out."""
        return self.shift + self.slack <= MIX_TOLERANCE


MIX_TOLERANCE = 0.1
"""A tenth of traffic elsewhere moves a mean by at most a tenth of the metric's range."""


class DecisionRecord(Value):
    """Why a verdict changed. Every cause is in one of ``causes_excluded`` and ``causes_open``.

    ``since`` is when it had turned to pass before, ``None`` if it never did; ``changes`` are rows of the ledger since
    then, of the last day at most, that touch the slice, newest last, ``changes_left_out`` says how many more there are.
    After ``expires_at`` nobody should act on it: what it says of now is old.
    """

    record_version: int = RECORD_VERSION
    gate: str
    policy_version: str
    slice: Mapping[str, str]
    state: Outcome
    previous_state: Outcome | None
    reason: str
    at: Instant
    since: Instant | None
    expires_at: Instant
    metrics: tuple[str, ...]
    changes: tuple[RecordedChange, ...] = ()
    changes_left_out: int = 0
    slices: tuple[SliceVerdict, ...] = ()
    slices_left_out: int = 0
    answers: tuple[AnswerEvidence, ...] = ()
    mix: Mix | None = None
    causes_excluded: tuple[Examined, ...]
    causes_open: tuple[Examined, ...]
    recommended: Recommendation


def causes(
    changes: Sequence[RecordedChange], metrics: Sequence[str], mix: Mix | None
) -> tuple[tuple[Examined, ...], tuple[Examined, ...]]:
    """Return the causes that are excluded, and those that are open, from what is known without attribution.

    ``changes`` are all since the last pass that touch the slice. A change that the ledger does not know is excluded as
    far as the answers would have shown it.
    """
    excluded: list[Examined] = []
    left: list[Examined] = []
    for kind, cause in CAUSES.items():
        rows = [row for row in changes if row.kind == kind and (kind != "scorer" or row.component in (*metrics, JUDGE))]
        if rows:
            left.append(Examined(cause=cause, detail="; ".join(_told(row) for row in rows[-3:])))
        else:
            excluded.append(Examined(cause=cause, detail="no change in the ledger"))
    if mix is None:
        left.append(Examined(cause="traffic_mix", detail="no traffic to compare with"))
    else:
        found = (
            f"shares of slices moved by {mix.shift:.3f}, at most {min(1.0, mix.shift + mix.slack):.3f} with 95 % "
            f"confidence ({mix.before} answers before, {mix.after} after)"
        )
        (excluded if mix.steady else left).append(Examined(cause="traffic_mix", detail=found))
    return tuple(excluded), tuple(left)


def recommend(state: Outcome, changes: Sequence[RecordedChange], metrics: Sequence[str]) -> Recommendation:
    """Return what to do, from the changes since the last pass that touch the slice.

    A roll-back is recommended only where one component changed, and not the measure: else it would be a guess. What a
    release or an index brought along, as the answers showed soon after it, is part of it.

    >>> recommend("fail", [], ["claim_support"]).action, recommend("pass", [], ["claim_support"]).action
    ('hold', 'none')
    """
    if state == "pass":
        return Recommendation(action="none", reason="the gate passes")
    if state == "inconclusive":
        return Recommendation(action="hold", reason="there is not enough evidence either way")
    measured = [row for row in changes if row.kind == "scorer" and row.component in (*metrics, JUDGE)]
    if measured:
        return Recommendation(action="hold", reason=f"the measure itself changed: {_told(measured[-1])}")
    served = _causing([row for row in changes if row.kind != "scorer"])
    if not served:
        return Recommendation(action="hold", reason="no change since the last pass is known")
    kinds = {CAUSES[row.kind] for row in served}
    if len(kinds) > 1:
        return Recommendation(action="hold", reason=f"several things changed: {', '.join(sorted(kinds))}")
    newest = served[-1]
    if newest.kind == "documents":
        names = tuple(dict.fromkeys(name for row in served for name in row.documents))
        if not names:
            return Recommendation(action="hold", reason="documents changed and it is not known which")
        return Recommendation(
            action="quarantine_documents", reason=_told(newest), scope=newest.scope, documents=names[:MAX_DOCUMENTS]
        )
    return Recommendation(
        action="roll_back",
        reason=_told(newest),
        component=CAUSES[newest.kind],
        scope=newest.scope,
        version=newest.version,
        to_version=newest.previous,
    )


def _causing(rows: Sequence[RecordedChange]) -> list[RecordedChange]:
    """Return the changes that are not part of another one: not what a newer release or index only brought along."""
    found = list(rows)
    for kind, parts in _BRINGS:
        heads = [row.at for row in found if row.kind == kind]
        found = [
            row
            for row in found
            if not (
                row.kind in parts
                and row.source == "observed"
                and any(timedelta() <= row.at - head <= BROUGHT_WITHIN for head in heads)
            )
        ]
    return found


BROUGHT_WITHIN = timedelta(minutes=10)
"""How soon after a release or an index its first answers show what came with it."""
_BRINGS: tuple[tuple[ChangeKind, frozenset[ChangeKind]], ...] = (
    ("deploy", frozenset({"model", "prompt", "index", "retriever", "documents"})),
    ("index", frozenset({"documents"})),
)

MAX_DOCUMENTS = 100
"""Documents that a recommendation names."""


def _told(row: RecordedChange) -> str:
    what = ", ".join(row.documents[:3]) if row.documents else row.component
    before, after = (
        f" {word} {value}" if value else "" for word, value in (("from", row.previous), ("to", row.version))
    )
    where = ", ".join(f"{name}={value}" for name, value in sorted(row.scope.items()))
    return f"{what}{before}{after} at {row.at.isoformat()}{f' ({where})' if where else ''}, {row.source}"
